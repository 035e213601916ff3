"""The commands that compare recordings: `compare` and `baseline`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Force, Json, Policy, Why
from pagereel.cli.standard_streams import replace_input_dash


def compare(
    a: Annotated[
        Path,
        typer.Argument(metavar="A", help="The run as it should be.", show_default=False, callback=replace_input_dash),
    ],
    b: Annotated[
        Path,
        typer.Argument(
            metavar="B",
            help="The run to compare with it; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
    ],
    baseline: Annotated[
        list[str] | None,
        typer.Option(
            "--baseline",
            metavar="GLOB",
            help="More runs as they should be: what differs among them is usual. A pattern, a path or a folder; may be repeated.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="KINDS",
            help="Exit 1 for these alone: outcome, action, network, page, model, console, cost=+20%, time=+50%; or none.",
            show_default=False,
        ),
    ] = None,
    ignore: Annotated[
        Path | None,
        typer.Option(
            "--ignore", metavar="FILE", help="Rules for what does not count as a difference (TOML).", show_default=False
        ),
    ] = None,
    map_host: Annotated[
        list[str] | None,
        typer.Option(
            "--map-host",
            metavar="HOST=HOST",
            help="Treat two hosts as the same one; may be repeated.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write it as .html (both pages beside each other), .md or .json.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Compare two runs: print their first difference, its consequences, and all differences beyond noise.

    Exit status 0: the runs are equal, or differ only in kinds that --fail-on does not name. 1: they differ. 2: wrong
    use, or a file that cannot be read.

    \b
    Example:
      pagereel compare good.reel bad.reel -o compare.html
      pagereel compare good.reel bad.reel --baseline 'runs/pay-*.reel' --fail-on outcome,action,network -o diff.md
    """
    from pagereel.cli.comparing import compare_recordings

    return compare_recordings(
        a,
        b,
        baseline=baseline or [],
        fail_on=fail_on,
        ignore=ignore,
        hosts=map_host or [],
        output=output,
        force=force,
        redaction=redaction,
        json=json,
    )


BaselineFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the runs lie.", show_default=False)]
By = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="NAME", help="The name of who accepts; default: the user who runs this.", show_default=False
    ),
]
FailedToo = Annotated[bool, typer.Option("--failed-too", help="Accept a run that failed as well.")]


def baseline_list(folder: BaselineFolder, json: Json = False) -> int:
    """List the runs of a baseline: who added each run, when, and why.

    Exit status 1: another program has changed the baseline's log.

    \b
    Example:
      pagereel baseline list baselines/pay
    """
    from pagereel.cli.baselines import change_baseline

    return change_baseline(folder, [], json=json)


def baseline_add(
    folder: BaselineFolder,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Recordings to take in.", show_default=False)],
    why: Why = "",
    by: By = None,
    failed_too: FailedToo = False,
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Add runs to a baseline, and print the differences that are accepted from now on.

    \b
    Example:
      pagereel baseline add baselines/pay run.reel --why "new checkout, ticket 4711"
    """
    from pagereel.cli.baselines import change_baseline

    return change_baseline(folder, runs, why=why, by=by, failed_too=failed_too, redaction=redaction, json=json)


def baseline_remove(
    folder: BaselineFolder,
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="The runs to take out.", show_default=False)],
    why: Why = "",
    by: By = None,
    json: Json = False,
) -> int:
    """Remove runs from a baseline.

    \b
    Example:
      pagereel baseline remove baselines/pay 2026-11-20-1.reel --why "the old price"
    """
    from pagereel.cli.baselines import change_baseline

    return change_baseline(folder, [], remove=names, why=why, by=by, json=json)


def baseline_accept_all(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The baselines, a folder each.", show_default=False)],
    results: Annotated[
        Path, typer.Argument(metavar="RESULTS", help="What pytest --replay wrote: test-results.", show_default=False)
    ],
    why: Why = "",
    by: By = None,
    failed_too: FailedToo = False,
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Accept the new runs of all tests: add the run of each test that differs from its baseline, or has none, to that
    baseline.

    Other test tools call this `--update-snapshots`. Look at the differences first, in each test's baseline.html.

    \b
    Example:
      pagereel baseline accept-all baselines test-results --why "new checkout, ticket 4711"
    """
    from pagereel.cli.baselines import accept_all_test_runs

    return accept_all_test_runs(folder, results, why=why, by=by, failed_too=failed_too, redaction=redaction, json=json)


def baseline_without_verb(
    folder: BaselineFolder,
    runs: Annotated[list[Path] | None, typer.Argument(metavar="RUN")] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", metavar="NAME")] = None,
    everything: Annotated[bool, typer.Option("--accept-all", "--update-snapshots")] = False,
    why: Why = "",
    by: By = None,
    failed_too: FailedToo = False,
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Add, remove or list runs of a baseline, for `baseline` without a verb as in earlier versions."""
    from pagereel.cli.baselines import accept_all_test_runs, change_baseline

    if everything:
        if runs is None or len(runs) != 1 or remove:
            raise typer.BadParameter(
                "give the folder of the baselines and the folder of the results", param_hint="--accept-all"
            )
        return accept_all_test_runs(
            folder, runs[0], why=why, by=by, failed_too=failed_too, redaction=redaction, json=json
        )
    return change_baseline(
        folder, runs or [], remove=remove or [], why=why, by=by, failed_too=failed_too, redaction=redaction, json=json
    )
