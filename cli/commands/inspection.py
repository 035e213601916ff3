"""The commands that print or serve the content of a recording: `info`, `verify`, `events` and `mcp`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import AsIs, From, Json, Policy, Reel, To
from pagereel.cli.standard_streams import replace_input_dash


def info(reel: Reel, redaction: AsIs = "off", json: Json = False) -> int:
    """Print a summary of a recording: pages, steps, events, sizes, fidelity, gaps.

    \b
    Example:
      pagereel info run.reel
      pagereel info run.reel --json | jq .fidelity
    """
    from pagereel.cli.info import print_info

    return print_info(reel, redaction, json=json)


def verify(
    reel: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="The recording, or the replay; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
    ],
    replay: Annotated[
        bool, typer.Option("--replay", help="FILE is a built replay: open it and compare what it shows.")
    ] = False,
    json: Json = False,
) -> int:
    """Check that a recording is complete and unchanged. Exit status 1: it is not.

    With --replay, check a built file: a headless browser opens it at each of the recording's checkpoints, by a link and
    by seeking from both sides. It compares the shown page with the recorded one: the tree node for node, the layout,
    and the pictures that were recorded.

    \b
    Example:
      pagereel verify run.reel && echo whole
      pagereel verify --replay run.html
    """
    if replay:
        from pagereel.cli.info import print_replay_verification

        return print_replay_verification(reel, json=json)
    from pagereel.cli.info import print_verification

    return print_verification(reel, json=json)


def events(
    reel: Reel,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", "-k", metavar="KIND", help="Only this kind; may be repeated.", show_default=False),
    ] = None,
    start: From = None,
    end: To = None,
    ids: Annotated[bool, typer.Option("--ids", help="Give each event its id, as the field e.")] = False,
    event: Annotated[
        str | None,
        typer.Option("--event", metavar="ID", help="Only the event whose id begins with this.", show_default=False),
    ] = None,
    redaction: AsIs = "off",
) -> int:
    """Print a recording's events as NDJSON, one in a line, in order of time.

    An event has the same id in the recording, in its masked copy and in the replay. The address run.html#e=3fa91c opens
    the replay at the event with this id.

    \b
    Example:
      pagereel events run.reel --kind console --kind error --from 1000
      pagereel events run.reel --kind call --ids
    """
    from pagereel.cli.events import print_events

    return print_events(reel, kinds=kind or (), start=start, end=end, ids=ids, event=event, redaction=redaction)


def mcp(
    reel: Annotated[Path | None, typer.Argument(metavar="REEL", help="The recording.", show_default=False)] = None,
    redaction: Policy = "vendor",
) -> int:
    """Serve recordings to a coding agent over the Model Context Protocol, on stdin and stdout.

    Its tools return steps, calls, errors, console messages and requests, and the text or a screenshot of a page at a
    time.

    \b
    Example:
      pagereel mcp run.reel
      claude mcp add replay -- pagereel mcp /path/to/run.reel
    """
    from pagereel.cli.query_and_export import serve_mcp

    return serve_mcp(reel, redaction)
