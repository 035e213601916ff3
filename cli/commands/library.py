"""The verbs of `pagereel library`, each with its own arguments and options.

A function's signature declares the arguments and options of its verb, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Force, Json, Why
from pagereel.cli.standard_streams import replace_input_dash

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)]
Runs = Annotated[
    list[str], typer.Argument(metavar="RUN…", help="The ids of runs, or their beginnings.", show_default=False)
]
Query = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="QUERY…",
        help='Terms that all hold: outcome:failed, agent:bot, after:7d, seen:"card declined"; see docs/library.md.',
        show_default=False,
    ),
]
Link = Annotated[bool, typer.Option("--link", help="Leave the files where they stand.")]
Masked = Annotated[bool, typer.Option("--masked", help="Keep the masked copy alone.")]
Index = Annotated[
    str | None,
    typer.Option(
        "--redaction",
        metavar="POLICY",
        help="How a new library masks what it indexes (library.toml: index): vendor, strict, internal, a policy file, or off. Default: vendor.",
        show_default=False,
    ),
]
Jobs = Annotated[int, typer.Option("-j", "--jobs", metavar="N", help="The number of jobs at a time.", min=1)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="The number of runs on a page.", min=1, max=200)]
Cursor = Annotated[
    str | None, typer.Option("--cursor", metavar="TEXT", help="The cursor of the next page.", show_default=False)
]
Release = Annotated[bool, typer.Option("--release", help="Let it expire like other runs again.")]


def add(
    folder: Folder,
    recordings: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="Recordings of any kind, or addresses like s3://; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
    ],
    link: Link = False,
    masked: Masked = False,
    redaction: Index = None,
    jobs: Jobs = 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="What runs them: processes, dask or ray.")
    ] = "processes",
    json: Json = False,
) -> int:
    """Copy recordings into a library, and index the texts of their pages in masked form (library.toml: index =
    "vendor").

    Exit status 0: all were added, or were in the library before. 1: some could not be added; a warning names each of
    them.

    \b
    Example:
      pagereel library add runs test-results/*.reel
      pagereel library add runs run.reel --masked
      pagereel library add runs run.reel --redaction off
    """
    from pagereel.cli.library.add import add_recordings as add_recordings
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder, create=True, redaction=redaction) as opened:
        return add_recordings(opened, recordings, link=link, masked=masked, jobs=jobs, executor=executor, json=json)


def watch(
    folder: Folder,
    places: Annotated[
        list[str], typer.Argument(metavar="PLACE…", help="Folders, patterns or addresses.", show_default=False)
    ],
    link: Link = False,
    masked: Masked = False,
    redaction: Index = None,
    jobs: Jobs = 1,
    every: Annotated[
        str | None, typer.Option("--every", metavar="S", help="Seconds between two checks; default: 5.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Add what is there now, and end.")] = False,
    json: Json = False,
) -> int:
    """Watch folders or addresses, and add every recording that appears there, until Ctrl-C.

    \b
    Example:
      pagereel library watch runs test-results s3://bucket/day -j 2
    """
    from pagereel.cli.library.add import watch_places as watch_folder
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder, create=True, redaction=redaction) as opened:
        return watch_folder(opened, places, link=link, masked=masked, jobs=jobs, every=every, once=once, json=json)


def search(folder: Folder, query: Query = None, limit: Limit = 50, cursor: Cursor = None, json: Json = False) -> int:
    """Find runs by the text of their pages, and by reasoning, prompts, answers and notes; print the matching lines.

    Each line is printed with its time and step.
    Write a negated term after --: `pagereel library search runs -- -outcome:passed`.

    \b
    Example:
      pagereel library search runs 'outcome:failed after:7d seen:"card declined"'
    """
    from pagereel.cli.library.search_and_show import open_library
    from pagereel.cli.library.search_and_show import print_matches as print_matches

    if not query:
        raise typer.BadParameter("give words to search for; `pagereel library list` lists all runs", param_hint="QUERY")
    with open_library(folder) as opened:
        return print_matches(opened, " ".join(query), limit=limit, cursor=cursor, json=json)


def list_(folder: Folder, limit: Limit = 50, cursor: Cursor = None, json: Json = False) -> int:
    """List the runs of a library, the newest first.

    \b
    Example:
      pagereel library list runs --limit 10
    """
    from pagereel.cli.library.search_and_show import open_library
    from pagereel.cli.library.search_and_show import print_matches as print_matches

    with open_library(folder) as opened:
        return print_matches(opened, "", limit=limit, cursor=cursor, json=json)


def show(folder: Folder, runs: Runs, json: Json = False) -> int:
    """Print a summary of runs: outcome, steps, costs, and a description of what happened.

    \b
    Example:
      pagereel library show runs 4f1d
    """
    from pagereel.cli.library.search_and_show import open_library
    from pagereel.cli.library.search_and_show import print_runs as print_runs

    with open_library(folder) as opened:
        return print_runs(opened, runs, json=json)


def stats(
    folder: Folder,
    query: Query = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="WORDS", help="agent,model,prompt,version,tool,test,host,tenant,ci.", show_default=False
        ),
    ] = None,
    every: Annotated[str, typer.Option("--every", metavar="SPAN", help="hour, day or week.")] = "day",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Charts as HTML.", show_default=False)
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Print figures over many runs: success rates, costs, durations, frequent errors and flaky steps.

    \b
    Example:
      pagereel library stats runs after:30d --by agent,model -o figures.html
    """
    from pagereel.cli.library.figures import print_figures as print_stats
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return print_stats(opened, " ".join(query or []), by=by, every=every, output=output, force=force, json=json)


def expect(
    folder: Folder,
    lists: Annotated[
        list[str],
        typer.Argument(metavar="LIST…", help="Files that list what should have been recorded.", show_default=False),
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The list's name.", show_default=False)
    ] = None,
    json: Json = False,
) -> int:
    """Store lists of the runs that should be recorded, so that `stats` can say how many of them were.

    \b
    Example:
      pagereel library expect runs sessions.csv --name shop
    """
    from pagereel.cli.library.figures import store_expected_runs as store_expected
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return store_expected(opened, lists, name=name, json=json)


def parquet(
    folder: Folder,
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="PLACE", help="A folder or address; default: the one in library.toml.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Write the figures of each day's runs as Parquet files, for other programs.

    \b
    Example:
      pagereel library parquet runs s3://bucket/facts
    """
    from pagereel.cli.library.figures import write_parquet as write_parquet
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return write_parquet(opened, place, json=json)


def keep(
    folder: Folder,
    runs: Runs,
    why: Why = "",
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="ISO", help="The date on which it ends; default: never.", show_default=False),
    ] = None,
    release: Release = False,
    json: Json = False,
) -> int:
    """Exempt runs from expiry, whatever their age; with --release, let them expire again.

    \b
    Example:
      pagereel library keep runs 4f1d --why "ticket 4711" --until 2027-06-30
      pagereel library keep runs 4f1d --release
    """
    from pagereel.cli.library.retention import keep_runs as set_retention
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return set_retention(opened, runs, why=why, until=until, release=release, json=json)


def flag(
    folder: Folder,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or its beginning.", show_default=False)],
    word: Annotated[str, typer.Argument(metavar="WORD", help="The flag.", show_default=False)],
    off: Annotated[bool, typer.Option("--off", help="Remove the flag.")] = False,
    json: Json = False,
) -> int:
    """Set a flag on a run, or remove it with --off; the search term `flag:WORD` finds flagged runs.

    \b
    Example:
      pagereel library flag runs 4f1d reviewed
    """
    from pagereel.cli.library.retention import flag_run as set_flag
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return set_flag(opened, run, word, off=off, json=json)


def delete(folder: Folder, runs: Runs, why: Why = "", json: Json = False) -> int:
    """Delete runs before they expire; the library's log records who deleted them, and why.

    \b
    Example:
      pagereel library delete runs 4f1d --why "asked for by the customer"
    """
    from pagereel.cli.library.retention import delete_runs as delete_runs
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return delete_runs(opened, runs, why=why, json=json)


def expire(
    folder: Folder,
    now: Annotated[
        str | None, typer.Option("--now", metavar="ISO", help="Act as if it were this time.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    json: Json = False,
) -> int:
    """Thin out or delete the runs that have expired by the rules in library.toml.

    \b
    Example:
      pagereel library expire runs --dry-run
    """
    from pagereel.cli.library.retention import expire_runs as expire_runs
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return expire_runs(opened, now=now, dry_run=dry_run, json=json)


def rebuild(folder: Folder, json: Json = False) -> int:
    """Build the catalogue again from the recordings.

    \b
    Example:
      pagereel library rebuild runs
    """
    from pagereel.cli.library.search_and_show import open_library
    from pagereel.cli.library.search_and_show import rebuild_catalogue as rebuild_catalogue

    with open_library(folder) as opened:
        return rebuild_catalogue(opened, json=json)


def audit(folder: Folder, json: Json = False) -> int:
    """Print the log of all actions on the library, with their users, and check that the log is unchanged.

    Exit status 1: the log was changed, or data of a deleted run still exists.

    \b
    Example:
      pagereel library audit runs
    """
    from pagereel.cli.library.retention import print_log as print_log
    from pagereel.cli.library.search_and_show import open_library

    with open_library(folder) as opened:
        return print_log(opened, json=json)
