"""The commands: their arguments, their help, and what becomes of an error.

Nothing heavy is imported at the top, so that `pagereel --help` answers at once; each command imports its room.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pagereel import __version__
from pagereel.cli.console import safe_streams
from pagereel.errors import PagereelError

DEBUG_VARIABLE = "PAGEREEL_DEBUG"
"""When set, errors show their traceback."""

# Typer carries a click of its own in newer releases; its exceptions are reached through a name that is public in all.
_ClickUsageError = typer.BadParameter.__bases__[0]
_ClickException: type[typer.BadParameter] = _ClickUsageError.__bases__[0]

app = typer.Typer(
    name="pagereel",
    help="Record a browser run and make one HTML file of it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich's help costs half as much again as everything else that --help does
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]
Reel = Annotated[Path, typer.Argument(metavar="REEL", help="The recording.", show_default=False)]
Policy = Annotated[
    str,
    typer.Option(
        "--redaction", metavar="POLICY", help="vendor, strict, internal, a policy file, or off: as it was recorded."
    ),
]

OnLeak = Annotated[
    Any,  # typer knows no Literal in the oldest release that is supported; build() and redact() check it
    typer.Option(
        "--on-leak", metavar="WHAT", help="When the gate finds a value: fail, or drop what holds it and say so."
    ),
]


def _told_anew(value: str | None) -> str | None:
    if value is not None:
        print("pagereel: --policy is called --redaction now; the old name goes on for this release.", file=sys.stderr)
    return value


OldPolicy = Annotated[str | None, typer.Option("--policy", hidden=True, callback=_told_anew)]
"""What `--redaction` was called in some commands."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give the exit status; errors become one sentence on stderr."""
    with safe_streams():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        status = app(args=list(arguments) if arguments is not None else None, standalone_mode=False)
        return status if isinstance(status, int) else 0
    except PagereelError as error:
        return _fail(str(error), error.exit_status)
    except _ClickException as error:
        if not str(error):  # no arguments: the help has been printed
            return 2
        return _fail(error.format_message(), 2)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("stopped", 130)
    except Exception as error:
        return _fail(
            f"an error of pagereel's own ({type(error).__name__}: {error}); "
            f"run again with {DEBUG_VARIABLE}=1 and report what it prints",
            2,
        )


def _fail(message: str, status: int) -> int:
    if os.environ.get(DEBUG_VARIABLE) and sys.exc_info()[0] is not None:
        import traceback

        traceback.print_exc()
    print(f"pagereel: {' '.join(message.split())}", file=sys.stderr)
    return status


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pagereel {__version__}")
        raise typer.Exit


EncryptTo = Annotated[
    list[Path] | None,
    typer.Option(
        "--encrypt-to",
        metavar="FILE",
        help="Encrypt it while it is written: a PEM public key, or a passphrase; may be repeated.",
        show_default=False,
    ),
]
Vault = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FILE",
        help="Write the originals of what is masked, encrypted, for pagereel unmask.",
        show_default=False,
    ),
]
VaultKey = Annotated[
    Path | None,
    typer.Option(
        "--vault-key",
        metavar="FILE",
        help="What to encrypt it to: a PEM public key, or a passphrase; else the key of --key-file or the environment.",
        show_default=False,
    ),
]


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Record a browser run and make one HTML file of it.

    \b
    Example:
      pagereel record https://example.com run.reel
      pagereel build run.reel run.html
    """


@app.command(short_help="Record a page until it is closed.")
def record(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page to open.", show_default=False)],
    reel: Annotated[
        Path | None, typer.Argument(metavar="REEL", help="Where to write; else HOST-TIME.reel.", show_default=False)
    ] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", help="Stop after this long.", show_default=False)
    ] = None,
    viewport: Annotated[str, typer.Option(metavar="WxH", help="Size of the page in CSS px.")] = "1280x800",
    encrypt_to: EncryptTo = None,
    share_resources: Annotated[
        bool,
        typer.Option("--share-resources", help="Keep images, fonts and style sheets once for all recordings here."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace REEL when it is there.")] = False,
    json: Json = False,
) -> int:
    """Open a page in a browser and record what happens until it is closed.

    The recording ends when the window is closed, Enter or Ctrl-C is pressed, or the time is over.

    \b
    Example:
      pagereel record https://example.com run.reel
      pagereel record http://127.0.0.1:8000 --headless --time-limit 10
    """
    from pagereel.cli.record import record_url

    return record_url(
        url,
        reel,
        headless=headless,
        time_limit=time_limit,
        viewport=viewport,
        encrypt_to=encrypt_to,
        share_resources=share_resources,
        overwrite=overwrite,
        json=json,
    )


@app.command(short_help="Record a browser that is already open.")
def attach(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Its debugging address or port.", show_default=False)
    ],
    reel: Annotated[
        Path | None, typer.Argument(metavar="REEL", help="Where to write; else HOST-TIME.reel.", show_default=False)
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", metavar="SECONDS", help="Stop after this long.", show_default=False)
    ] = None,
    encrypt_to: EncryptTo = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace REEL when it is there.")] = False,
    json: Json = False,
) -> int:
    """Record a Chromium that something else drives: an agent, Selenium, Puppeteer, a person.

    Start it with --remote-debugging-port=9222. Open tabs and new ones are recorded; nothing changes for the driver,
    and the browser stays open. Ends with Enter, Ctrl-C, the time limit, or the browser.

    \b
    Example:
      pagereel attach http://127.0.0.1:9222 run.reel
      pagereel attach 9222 --time-limit 60
    """
    from pagereel.cli.attach import attach_to

    return attach_to(address, reel, time_limit=time_limit, encrypt_to=encrypt_to, overwrite=overwrite, json=json)


@app.command(short_help="Find or install a browser and language models.")
def setup(json: Json = False) -> int:
    """Find or install what pip cannot: a Chromium and the language models.

    A browser that is already here is used: PAGEREEL_CHROMIUM, Playwright's own, or the system's.

    \b
    Example:
      pagereel setup
    """
    from dataclasses import asdict

    from pagereel.cli.console import print_json, progress, say
    from pagereel.cli.setup import failure, run_setup

    with progress("Setting up"):
        steps = run_setup(say)
    error = failure(steps)
    if json:
        print_json({"ok": error is None, "steps": [asdict(step) for step in steps]})
    else:
        for step in steps:
            print(f"{step.status:<10} {step.name}: {step.detail}")
            if step.next and step.status == "skipped":
                print(f"{'':<10} next: {step.next}")
    if error:
        raise error
    return 0


@app.command(short_help="Record and build a shopping agent's run.")
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the recording and the replay go.")
    ] = Path("pagereel-demo"),
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser while the agent works.")] = False,
    json: Json = False,
) -> int:
    """Record a scripted agent that shops in a small site on this machine, and build its replay.

    \b
    Example:
      pagereel demo --output demo && pagereel show demo/replay.html
    """
    from pagereel.cli.demo import run_demo

    return run_demo(output, headed=headed, json=json)


@app.command(short_help="Make one HTML file of a recording.")
def build(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="A recording and, if wanted, the replay to write (else its name with .html); or several recordings. Paths, patterns, or addresses like s3://.",
            show_default=False,
        ),
    ],
    redaction: Policy = "vendor",
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="The window's title.", show_default=False)
    ] = None,
    theme: Annotated[str, typer.Option("--theme", metavar="THEME", help="auto, light or dark.")] = "auto",
    start: Annotated[
        float | None, typer.Option("--from", metavar="MS", help="Where the part begins.", show_default=False)
    ] = None,
    end: Annotated[
        float | None, typer.Option("--to", metavar="MS", help="Where the part ends.", show_default=False)
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option(
            "--max-size",
            metavar="SIZE",
            help="Leave out media, fonts, images, bodies, in this order, until it fits: 10MB.",
            show_default=False,
        ),
    ] = None,
    zipped: Annotated[bool, typer.Option("--zip", help="Write a ZIP archive, for places that refuse HTML.")] = False,
    compact: Annotated[
        bool,
        typer.Option("--compact", help="Bytes instead of base64: a quarter smaller, for ways that change no byte."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where the replays of several go.", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Build so many recordings at a time.")] = 1,
    executor: Annotated[
        str, typer.Option("--executor", metavar="NAME", help="What runs them: processes, dask or ray.")
    ] = "processes",
    force: Annotated[
        bool, typer.Option("--force", help="Of several, build those too that have not changed since.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Open it at each checkpoint and compare; exit status 1 where it falls short."),
    ] = False,
    vault: Vault = None,
    vault_key: VaultKey = None,
    on_leak: OnLeak = "fail",
    json: Json = False,
) -> int:
    """Make one HTML file of a recording: redacted unless told otherwise.

    The file says whether it shows what the page showed: its tree, and with --check, for CI, also its layout and its pictures.
    Of several recordings each becomes a file; a replay whose recording has not changed since is not built again.

    \b
    Example:
      pagereel build run.reel run.html
      pagereel build run.reel raw.html --redaction off --check
      pagereel build run.reel small.zip --zip --max-size 10MB --from 30000 --to 65000
      pagereel build 'day/*.reel' --output replays -j 2
    """
    from pagereel.cli.files import build_replay, bytes_of
    from pagereel.cli.many import build_several, is_plain

    options: dict[str, Any] = {
        "title": title,
        "theme": theme,
        "start": start,
        "end": end,
        "max_size": None if max_size is None else bytes_of(max_size),
        "compact": compact,
        "on_leak": on_leak,
    }
    if output is not None or jobs != 1 or executor != "processes" or force or not is_plain(files):
        if vault is not None or vault_key is not None:
            raise typer.BadParameter("a vault belongs to one recording on this disk", param_hint="--vault")
        if check:
            raise typer.BadParameter("one recording at a time is opened and compared", param_hint="--check")
        return build_several(
            files,
            redaction,
            output=output,
            jobs=jobs,
            executor=executor,
            force=force,
            options=options | {"zip": zipped},
            json=json,
        )
    html = Path(files[1]) if len(files) > 1 else None
    return build_replay(
        Path(files[0]),
        html,
        redaction,
        **options,
        zipped=zipped,
        vault=vault,
        vault_key=vault_key,
        check=check,
        json=json,
    )


@app.command(short_help="Write a recording without personal data.")
def redact(
    reel: Reel,
    destination: Annotated[
        Path, typer.Argument(metavar="DESTINATION", help="The masked recording.", show_default=False)
    ],
    redaction: Annotated[
        str, typer.Option("--redaction", metavar="POLICY", help="vendor, strict, internal, or a policy file.")
    ] = "vendor",
    policy: OldPolicy = None,
    vault: Vault = None,
    vault_key: VaultKey = None,
    on_leak: OnLeak = "fail",
    json: Json = False,
) -> int:
    """Write a copy of a recording without its personal data, and report what was masked.

    \b
    Example:
      pagereel redact run.reel shared.reel --redaction strict
      pagereel redact run.reel shared.reel --vault run.vault --vault-key team.pem.pub
    """
    from pagereel.cli.files import redact_reel

    redaction = policy or redaction
    return redact_reel(reel, destination, redaction, vault=vault, vault_key=vault_key, on_leak=on_leak, json=json)


@app.command(short_help="Say what a recording holds.")
def info(reel: Reel, json: Json = False) -> int:
    """Say what a recording holds: pages, steps, events, sizes, fidelity, gaps.

    \b
    Example:
      pagereel info run.reel
      pagereel info run.reel --json | jq .fidelity
    """
    from pagereel.cli.info import print_info

    return print_info(reel, json=json)


@app.command(short_help="Check that a recording is whole.")
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


@app.command(short_help="Print the events as NDJSON.")
def events(
    reel: Reel,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", "-k", metavar="KIND", help="Only this kind; may be repeated.", show_default=False),
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", metavar="MS", help="Only from this time on.", show_default=False)
    ] = None,
    end: Annotated[
        float | None, typer.Option("--to", metavar="MS", help="Only up to this time.", show_default=False)
    ] = None,
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


@app.command(short_help="Ask a recording what happened.")
def query(
    reel: Reel,
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", help="overview, steps, calls, errors, console, requests, notes, or text."),
    ] = "overview",
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="MOMENT", help="For text: ms, end, 'step N', or a mark.", show_default=False),
    ] = None,
    grep: Annotated[
        str | None, typer.Option("--grep", metavar="REGEX", help="Only what matches.", show_default=False)
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", metavar="MS", help="Only from this time on.", show_default=False)
    ] = None,
    end: Annotated[
        float | None, typer.Option("--to", metavar="MS", help="Only up to this time.", show_default=False)
    ] = None,
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
    """
    from pagereel.cli.read import answer_query

    return answer_query(
        reel,
        what,
        at=at,
        grep=grep,
        start=start,
        end=end,
        limit=limit,
        redaction=redaction,
        for_agent=for_agent,
        json=json,
    )


@app.command(short_help="Let a coding agent read recordings (MCP).")
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
    from pagereel.cli.read import serve_mcp

    return serve_mcp(reel, redaction)


@app.command(short_help="Write a recording in another format.")
def export(
    reel: Reel,
    destination: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Where to write; else stdout. Its ending names the format.", show_default=False
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="markdown, jsonl, har, rrweb, training, or one that an installed package brings.",
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

    A transcript (markdown, jsonl), its network (har), what rrweb's Replayer plays (rrweb), or the state, action,
    reasoning and outcome of each action in successful steps (training).

    \b
    Example:
      pagereel export run.reel run.md
      pagereel export run.reel run.har
      pagereel export run.reel run.rrweb.json
      pagereel export run.reel --format jsonl | jq .title
    """
    from pagereel.cli.read import export_reel

    return export_reel(reel, destination, form, page, option or [], redaction)


@app.command(short_help="Open a replay in the browser.")
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A replay, or a recording.", show_default=False)],
    redaction: Policy = "vendor",
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
) -> int:
    """Open a replay in the browser; a recording is built first, beside itself.

    \b
    Example:
      pagereel show run.html
      pagereel show run.reel
    """
    from pagereel.cli.files import show_replay

    return show_replay(file, redaction, opening=not no_open)
