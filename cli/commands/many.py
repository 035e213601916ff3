"""Commands about many recordings.

The signature is what the command takes, the docstring its help. Each imports its room when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Json


def library(
    verb: Annotated[
        str,
        typer.Argument(
            metavar="VERB",
            help="add, watch, search, list, show, stats, expect, parquet, keep, flag, delete, expire, rebuild, audit.",
            show_default=False,
        ),
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="…", help="Recordings, places to watch, a query, or ids.", show_default=False),
    ] = None,
    link: Annotated[bool, typer.Option("--link", help="add, watch: leave the files where they stand.")] = False,
    masked: Annotated[bool, typer.Option("--masked", help="add, watch: keep the masked copy alone.")] = False,
    jobs: Annotated[int, typer.Option("-j", "--jobs", metavar="N", help="add, watch: so many at a time.", min=1)] = 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="add: what runs them: processes, dask, ray.")
    ] = "processes",
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="search, list: runs of a page.", min=1, max=200)
    ] = 50,
    cursor: Annotated[
        str | None, typer.Option("--cursor", metavar="TEXT", help="search, list: the page after.", show_default=False)
    ] = None,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="keep, delete: the reason.", show_default=False)
    ] = "",
    until: Annotated[
        str | None, typer.Option("--until", metavar="ISO", help="keep: until then; else for good.", show_default=False)
    ] = None,
    release: Annotated[bool, typer.Option("--release", help="keep: no longer.")] = False,
    off: Annotated[bool, typer.Option("--off", help="flag: take it away.")] = False,
    now: Annotated[
        str | None, typer.Option("--now", metavar="ISO", help="expire: as if it were then.", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="expire: say what would be done, and do nothing.")] = False,
    every: Annotated[
        str | None,
        typer.Option("--every", metavar="S", help="watch: seconds; stats: hour, day or week.", show_default=False),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="WORDS",
            help="stats: agent,model,prompt,version,tool,test,host,tenant,ci.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="stats: charts as HTML.", show_default=False)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="LIST", help="expect: the list's name.", show_default=False)
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="watch: take what is there now, and end.")] = False,
    json: Json = False,
) -> int:
    """Keep many recordings in a folder, search what they showed and said, and let them go when their time is over.

    Recordings of any kind are copied in, masked for the index (library.toml: index = "vendor"), and found again by what their pages showed.
    A negated term stands after --: `pagereel library search runs -- -outcome:passed`.

    Exit status 1: a recording could not be added or read, the log was changed, or something is left of a run that is gone. 2: wrong use, or a query that cannot be read.

    \b
    Example:
      pagereel library add runs test-results/*.reel
      pagereel library watch runs test-results s3://bucket/day -j 2
      pagereel library search runs 'outcome:failed after:7d seen:"card declined"'
      pagereel library show runs 4f1d
      pagereel library stats runs after:30d --by agent,model -o figures.html
      pagereel library keep runs 4f1d --why "ticket 4711" --until 2027-06-30
      pagereel library expire runs --dry-run
    """
    from pagereel.cli.library import LibraryArguments
    from pagereel.cli.library import library as library_of

    asked = LibraryArguments(
        words or [], json=json, link=link, masked=masked, jobs=jobs, executor=executor, limit=limit, cursor=cursor, why=why, until=until,
        release=release, off=off, now=now, dry_run=dry_run, every=every, once=once, by=by,
        output=output, name=name,
    )  # fmt: skip
    return library_of(verb, folder, asked)


def deck(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    query: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY…", help="What to look for at first.", show_default=False)
    ] = None,
) -> int:
    """Show a library in this terminal: search, summaries, steps, errors, figures, two runs beside each other, the log.

    For the keyboard alone; `?` says what each key does, `o` opens a replay in a browser at the moment under the cursor.

    \b
    Example:
      pagereel deck runs
      pagereel deck runs outcome:failed after:7d
    """
    from pagereel.cli.deck import deck as show

    return show(folder, " ".join(query or []))


def serve(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The library's folder.", show_default=False)],
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port of the pages; 0: any.", min=0, max=65535)
    ] = 8700,
    frame_port: Annotated[
        int | None,
        typer.Option(
            "--frame-port",
            metavar="N",
            help="The port of the replays; else the next one.",
            min=0,
            max=65535,
            show_default=False,
        ),
    ] = None,
    tokens: Annotated[
        Path | None, typer.Option("--tokens", metavar="FILE", help="Who may do what (TOML).", show_default=False)
    ] = None,
    add_token: Annotated[
        str | None,
        typer.Option(
            "--add-token",
            metavar="NAME=ROLE",
            help="Write a new token's hash into FILE, print the token, and end.",
            show_default=False,
        ),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin", metavar="URL", help="Under which address people ask for the pages.", show_default=False
        ),
    ] = None,
    frame_origin: Annotated[
        str | None, typer.Option("--frame-origin", metavar="URL", help="And for the replays.", show_default=False)
    ] = None,
    proxy_header: Annotated[
        str | None,
        typer.Option(
            "--proxy-header", metavar="NAME", help="The header in which a proxy says who asks.", show_default=False
        ),
    ] = None,
    proxy_from: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy-from", metavar="ADDRESS", help="From where that proxy comes; else loopback.", show_default=False
        ),
    ] = None,
    live: Annotated[
        list[str] | None,
        typer.Option(
            "--live",
            metavar="PLACE",
            help="Show recordings while they are made there: a folder or a pattern, beside what `library watch` watches.",
            show_default=False,
        ),
    ] = None,
    unfurl: Annotated[
        bool,
        typer.Option(
            "--unfurl",
            help="Let a link to a run show in a chat how it ended, and a strictly masked picture, without a token.",
        ),
    ] = False,
    max_upload: Annotated[
        int, typer.Option("--max-upload", metavar="MB", help="The largest recording that is taken.", min=1)
    ] = 1_024,
    task_seconds: Annotated[
        int,
        typer.Option(
            "--task-seconds",
            metavar="N",
            help="How long one recording is worked on, and a minute more for each MB of it.",
            min=1,
        ),
    ] = 60,
    task_memory: Annotated[
        int, typer.Option("--task-memory", metavar="MB", help="The memory that this may take.", min=256)
    ] = 3_072,
) -> int:
    """Serve a library: an API and pages to list, search, watch and compare its runs.

    Without --tokens it answers on this machine alone, under an address with a random token. Roles: reader, internal, raw, writer, auditor, admin.
    The role picks the redaction; each look at a run is a line of DIR/library.log. Replays come from a second port, so that they cannot reach the pages.

    \b
    Example:
      pagereel serve runs
      pagereel serve runs --tokens tokens.toml --add-token ana=reader
      pagereel serve runs --tokens tokens.toml --origin https://runs.example --frame-origin https://replays.example
    """
    from pagereel.cli.serve import serve as serve_it

    return serve_it(
        folder, host=host, port=port, frame_port=frame_port, tokens=tokens, add_token=add_token, origin=origin, frame_origin=frame_origin,
        proxy_header=proxy_header, proxy_from=tuple(proxy_from or ()), largest=max_upload << 20, task_seconds=task_seconds, task_memory=task_memory, live=tuple(live or ()), unfurl=unfurl,
    )  # fmt: skip
