"""The commands that make a recording: `record`, `attach`, `import` and `proxy`.

A function's signature declares the arguments and options of its command, and its docstring is the help. A function
imports the package that does the work only when it is called, so that the command line starts fast.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagereel.cli.options import EncryptTo, Force, Json, NewReel, TimeLimit
from pagereel.cli.standard_streams import replace_input_dash, replace_output_dash
from pagereel.errors import UsageError


def record(
    url: Annotated[
        str | None, typer.Argument(metavar="URL", help="The page to open. Not with --desktop.", show_default=False)
    ] = None,
    reel: NewReel = None,
    desktop: Annotated[
        bool, typer.Option("--desktop", help="Record the whole screen (X11) instead of a page; then give REEL alone.")
    ] = False,
    headless: Annotated[bool, typer.Option("--headless", help="Run the browser without a window.")] = False,
    time_limit: TimeLimit = None,
    viewport: Annotated[str, typer.Option(metavar="WxH", help="Size of the page in CSS px.")] = "1280x800",
    encrypt_to: EncryptTo = None,
    share_resources: Annotated[
        bool,
        typer.Option(
            "--share-resources", help="Store images, fonts and style sheets once for all recordings of this folder."
        ),
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Open a page in a browser, and record everything until the window is closed.

    The recording also ends when Enter or Ctrl-C is pressed, or after --time-limit.

    \b
    Example:
      pagereel record https://example.com run.reel
      pagereel record http://127.0.0.1:8000 --headless --time-limit 10
      pagereel record --desktop desk.reel
    """
    if desktop:
        from pagereel.cli.record_desktop import record_screen

        if reel is not None and url is not None:
            raise UsageError("--desktop opens no page; give only the path of the recording.")
        target = reel if url is None else Path(url)
        return record_screen(target, time_limit=time_limit, overwrite=force, json=json, encrypt_to=encrypt_to)
    if url is None:
        raise UsageError("Give the address of a page, or --desktop.")
    from pagereel.cli.record_page import record_url

    return record_url(
        url,
        reel,
        headless=headless,
        time_limit=time_limit,
        viewport=viewport,
        encrypt_to=encrypt_to,
        share_resources=share_resources,
        overwrite=force,
        json=json,
    )


def attach(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The browser's debugging address or port.", show_default=False)
    ],
    reel: NewReel = None,
    time_limit: TimeLimit = None,
    encrypt_to: EncryptTo = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Record a Chromium that another program or a person drives: an agent, Selenium, Puppeteer.

    Start the browser with --remote-debugging-port=9222. Open tabs and new ones are recorded. The browser stays open,
    and nothing changes for the program that drives it. The recording ends with Enter, Ctrl-C, the time limit, or the
    end of the browser.

    \b
    Example:
      pagereel attach http://127.0.0.1:9222 run.reel
      pagereel attach 9222 --time-limit 60
    """
    from pagereel.cli.attach import record_attached_browser

    return record_attached_browser(
        address, reel, time_limit=time_limit, encrypt_to=encrypt_to, overwrite=force, json=json
    )


def import_(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Playwright's trace.zip, rrweb's JSON, or a replay's HTML; - for stdin.",
            show_default=False,
            callback=replace_input_dash,
        ),
    ],
    reel: Annotated[
        Path | None,
        typer.Argument(
            metavar="REEL",
            help="The file to write, - for stdout; default: FILE with .reel.",
            show_default=False,
            callback=replace_output_dash,
        ),
    ] = None,
    fetch: Annotated[
        list[str] | None,
        typer.Option(
            "--fetch",
            metavar="HOST",
            help="Download pictures, fonts and style sheets that FILE only names from this host; may be repeated. Default: download nothing.",
            show_default=False,
        ),
    ] = None,
    encrypt_to: EncryptTo = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Write another tool's recording as a reel, and print which parts could not be imported.

    Every command can also open such a file directly; a reel opens faster, is smaller, and can be encrypted.

    \b
    Example:
      pagereel import trace.zip run.reel
      pagereel import session.json run.reel --fetch cdn.example
    """
    from pagereel.cli.importing import import_file

    return import_file(source, reel, fetch=fetch or [], encrypt_to=encrypt_to, overwrite=force, json=json)


def proxy(
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND…", help="The command to run, with its arguments.", show_default=False),
    ],
    reel: Annotated[
        Path, typer.Option("--reel", "--output", "-o", metavar="REEL", help="Where to write.", show_default=False)
    ],
    upstream: Annotated[
        list[str] | None,
        typer.Option(
            "--upstream",
            metavar="NAME=URL",
            help="The address of a provider, or of another one with OpenAI's or Anthropic's API; may be repeated.",
            show_default=False,
        ),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="REEL",
            help="Answer from this recording, without asking a provider.",
            show_default=False,
        ),
    ] = None,
    mitmproxy: Annotated[
        str | None,
        typer.Option(
            "--mitmproxy",
            metavar="MITMDUMP",
            help="Send traffic through this mitmproxy, for programs that read no provider's variable.",
            show_default=False,
        ),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="NAME", help="The agent's name; default: the command.", show_default=False),
    ] = None,
    encrypt_to: EncryptTo = None,
    force: Force = False,
) -> int:
    """Run a command and record its model calls to OpenAI, Anthropic, Ollama, Gemini, and services with their APIs.

    The command's environment variables (OPENAI_BASE_URL and so on) name an address on this machine, where a proxy
    passes the traffic on unchanged. API keys are not recorded. The exit status is the command's.

    \b
    Example:
      pagereel proxy --reel run.reel -- python agent.py
      pagereel proxy --reel again.reel --answers run.reel -- python agent.py
    """
    from pagereel.cli.proxy import run_with_proxy as run

    return run(
        command,
        reel,
        upstreams=upstream or [],
        answers=answers,
        mitmproxy=mitmproxy,
        agent=agent,
        encrypt_to=encrypt_to,
        overwrite=force,
    )
