"""Commands that say what a recording holds.

The signature is what the command takes, the docstring its help. Each imports its room when it is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import From, Json, Policy, Reel, To
from pagereel.errors import UsageError


def info(reel: Reel, json: Json = False) -> int:
    """Say what a recording holds: pages, steps, events, sizes, fidelity, gaps.

    \b
    Example:
      pagereel info run.reel
      pagereel info run.reel --json | jq .fidelity
    """
    from pagereel.cli.info import print_info

    return print_info(reel, json=json)


def verify(
    reel: Annotated[Path, typer.Argument(metavar="FILE", help="The recording, or the replay.", show_default=False)],
    replay: Annotated[
        bool, typer.Option("--replay", help="FILE is a built replay: open it and compare what it shows.")
    ] = False,
    json: Json = False,
) -> int:
    """Check that a recording is whole and unchanged; exit status 1 when it is not.

    With --replay the file is a built one: a headless browser opens it at each of the recording's checkpoints, by its own link
    and by seeking there and back, and compares what shows with what was recorded: the tree node for node, the layout, and the
    pictures where there are some.

    \b
    Example:
      pagereel verify run.reel && echo whole
      pagereel verify --replay run.html
    """
    if replay:
        from pagereel.cli.info import print_replay_verdict

        return print_replay_verdict(reel, json=json)
    from pagereel.cli.info import print_verdict

    return print_verdict(reel, json=json)


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
        typer.Option("--event", metavar="ID", help="Only the event whose id begins so.", show_default=False),
    ] = None,
) -> int:
    """Print a recording's events as NDJSON, one a line, in order of time.

    An event's id is the same in the recording, in its masked copy and in the replay, whose address takes it: run.html#e=3fa91c.

    \b
    Example:
      pagereel events run.reel --kind console --kind error --from 1000
      pagereel events run.reel --kind call --ids
    """
    from pagereel.cli.files import print_events

    return print_events(reel, kinds=kind or (), start=start, end=end, ids=ids, event=event)


def query(
    reel: Reel,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT",
            help="overview, summary, steps, calls, errors, console, requests, messages, notes, stalls, text, first-failure, when-changed SELECTOR, or around STEP.",
        ),
    ] = "overview",
    about: Annotated[
        str | None,
        typer.Argument(
            metavar="ABOUT",
            help="For when-changed a selector (#total); for around a step's number or a moment.",
            show_default=False,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="MOMENT", help="For text: ms, end, 'step N', or a mark.", show_default=False),
    ] = None,
    grep: Annotated[
        str | None, typer.Option("--grep", metavar="REGEX", help="Only what matches.", show_default=False)
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="NAME", help="Only what this one of several agents did.", show_default=False),
    ] = None,
    start: From = None,
    end: To = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="At most so many.", show_default=False)
    ] = None,
    redaction: Policy = "vendor",
    for_agent: Annotated[
        bool,
        typer.Option(
            "--for-agent", help="Mark what was recorded as data and not instructions, and show invisible characters."
        ),
    ] = False,
    json: Json = False,
) -> int:
    """Ask a recording what happened: for scripts and coding agents. Redacted unless told otherwise.

    \b
    Example:
      pagereel query run.reel errors
      pagereel query run.reel calls --grep click --json
      pagereel query run.reel text --at "step 3"
      pagereel query run.reel first-failure
      pagereel query run.reel when-changed '#total'
      pagereel query run.reel around 3
    """
    from pagereel.cli.answers import answer_query

    return answer_query(
        reel,
        what,
        about,
        at=at,
        grep=grep,
        agent=agent,
        start=start,
        end=end,
        limit=limit,
        redaction=redaction,
        for_agent=for_agent,
        json=json,
    )


def mcp(
    reel: Annotated[
        Path | None, typer.Argument(metavar="REEL", help="The recording that is meant.", show_default=False)
    ] = None,
    redaction: Policy = "vendor",
) -> int:
    """Serve recordings to a coding agent over the Model Context Protocol, on stdin and stdout.

    Its tools give steps, calls, errors, console, requests, and the text or a picture of the page at a moment.

    \b
    Example:
      pagereel mcp run.reel
      claude mcp add replay -- pagereel mcp /path/to/run.reel
    """
    from pagereel.cli.answers import serve_mcp

    return serve_mcp(reel, redaction)


def export(
    reel: Reel,
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Where to write; else stdout. Its ending names the format.", show_default=False
        ),
    ] = None,
    more: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="MORE", help="For a skill: further recordings, and last the folder to write.", show_default=False
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="markdown, jsonl, har, rrweb, training, pytest, otlp, skill, or one that an installed package brings.",
            show_default=False,
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="URL",
            help="For a skill: run its script once against this site, and say in it what came of it.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        int | None,
        typer.Option(
            "--page", min=1, metavar="NUMBER", help="rrweb: the page (tab) to take; else the first.", show_default=False
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", "-O", metavar="NAME=VALUE", help="An option of the format; may be repeated.", show_default=False
        ),
    ] = None,
    redaction: Policy = "vendor",
) -> int:
    """Write a recording in another format. Redacted unless told otherwise.

    A transcript (markdown, jsonl; with -O replay=run.html its times are links), its network (har), what rrweb's Replayer
    plays (rrweb), the state, action, reasoning and outcome of each action in successful steps (training), a Playwright
    test that does it again (pytest), or OpenTelemetry's spans (otlp). Several recordings of one task make a draft skill
    for coding agents (skill): what they share as a procedure and a script, what varies as its inputs.

    \b
    Example:
      pagereel export run.reel run.md
      pagereel export run.reel run.har
      pagereel export run.reel test_run.py
      pagereel export run.reel run.rrweb.json
      pagereel export run.reel --format jsonl | jq .title
      pagereel export a.reel b.reel c.reel skills/order --format skill --check http://127.0.0.1:8000
    """
    if form == "skill":
        from pagereel.cli.skills import export_skill

        return export_skill(
            [reel, *([destination] if destination else []), *(more or [])], option or [], check, redaction
        )
    if more or check is not None:
        raise UsageError("Only a skill (--format skill) is made of several recordings, and can be checked.")
    from pagereel.cli.answers import export_reel

    return export_reel(reel, destination, form, page, option or [], redaction)
