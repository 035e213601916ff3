"""Commands about recordings beside each other.

The signature is what the command takes, the docstring its help. Each imports its room when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import Json, Policy


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="The run as it should be.", show_default=False)],
    b: Annotated[Path, typer.Argument(metavar="B", help="The run that is asked about.", show_default=False)],
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
        typer.Option("--ignore", metavar="FILE", help="Rules for what is no difference (TOML).", show_default=False),
    ] = None,
    map_host: Annotated[
        list[str] | None,
        typer.Option(
            "--map-host",
            metavar="HOST=HOST",
            help="One host stands for the other; may be repeated.",
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
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Say what changed between two runs: where they part first, what came of it, and all that differs beyond noise.

    Exit status 0: they are equal, or nothing of --fail-on differs. 1: they are not. 2: wrong use, or a file that cannot be read.

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
        redaction=redaction,
        json=json,
    )


def baseline(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the runs lie.", show_default=False)],
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RUN", help="Recordings to take in; without one it is listed.", show_default=False),
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option("--remove", metavar="NAME", help="Take this run out; may be repeated.", show_default=False),
    ] = None,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="The reason, for the log.", show_default=False)
    ] = "",
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who; else who runs this.", show_default=False)
    ] = None,
    failed_too: Annotated[bool, typer.Option("--failed-too", help="Also a run that failed.")] = False,
    redaction: Policy = "vendor",
    json: Json = False,
) -> int:
    """Keep the runs that say what is usual, for compare --baseline FOLDER: who took each in, why, and what became usual by it.

    Exit status 1: the log was changed by something else.

    \b
    Example:
      pagereel baseline baselines/pay run.reel --why "new checkout, ticket 4711"
      pagereel baseline baselines/pay
    """
    from pagereel.cli.baselines import change_baseline

    return change_baseline(
        folder,
        runs or [],
        remove=remove or [],
        why=why,
        by=by,
        failed_too=failed_too,
        redaction=redaction,
        json=json,
    )
