"""`pagereel demo`: a scripted agent shops in the shop of `pagereel.fixtures`, and the run becomes a replay."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.cli.console import format_size, print_json, print_message, print_report_line, show_progress
from pagereel.cli.info import read_summary
from pagereel.durations import format_duration
from pagereel.errors import BuildError, UsageError

if TYPE_CHECKING:
    from pagereel.player_build import Fidelity

VIEWPORT = (1280, 800)
"""Size of the recorded page in CSS px."""
SCREENSHOT_STEP = "Fill in the address"
"""The step that the replay's picture shows."""


def run_demo(output: Path, *, headed: bool, json: bool, fast: bool = False) -> int:
    """Record the demo's run, build its replay and check it. Return 1 if the replay's structure or layout differed at a
    checkpoint, or bytes are missing.

    `fast` omits the pauses that make the replay pleasant to watch. Raises BuildError when the replay does not open.
    """
    from pagereel.redaction import require_packages

    require_packages(optional=False)  # Before a run of half a minute whose replay could not be masked.
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{output} cannot be made a folder ({error.strerror}); name another with --output.") from error
    reel, html, picture = output / "demo.reel", output / "replay.html", output / "replay.png"
    reel.unlink(missing_ok=True)

    print_message("Recording an agent that works a ticket in a shop on this machine")
    began = time.monotonic()
    order = record_demo_run(reel, headed=headed, fast=fast)
    recorded = (time.monotonic() - began) * 1000
    print_message(
        f"recorded   {reel}  {format_size(reel.stat().st_size)} in {format_duration(recorded)}; order {order}"
    )

    print_message("Redacting and building the replay, and opening it at each checkpoint")
    from pagereel.browser import launch_options
    from pagereel.player_build import build

    began = time.monotonic()
    with show_progress("Building") as advance:
        report = build(reel, html, check=True, launch=launch_options(), progress=lambda part: advance(part, 1))
    print_message(f"built      {html} in {format_duration((time.monotonic() - began) * 1000)}")

    unmasked = None if fast else compare_unmasked_replay(reel)

    print_message("Opening it without a network")
    require_replay_opens(html, picture)
    summary = read_summary(reel)
    held = summary.sealed and summary.is_fidelity_complete and report.fidelity.verdict != "short"
    if json:
        print_json(
            {
                "ok": held,
                "reel": str(reel),
                "html": str(html),
                "picture": str(picture),
                "bytes": report.size,
                "duration": report.duration,
                "fidelity": report.fidelity.to_json(),
                "unmasked": unmasked.to_json() if unmasked else None,
            }
        )
    else:
        print_report_line(f"picture    {picture}")
        print_report_line(
            f"replay     {html.resolve()}  {format_size(report.size)}, {format_duration(report.duration)}"
        )
        for difference in report.differences:
            print(f"short      {difference}")
        print_report_line(f"fidelity   {report.fidelity}")
        if unmasked is not None:
            print(f"unmasked   {unmasked}")
    return 0 if held else 1


def compare_unmasked_replay(reel: Path) -> Fidelity:
    """Build an unmasked replay in a temporary folder, and return its fidelity.

    The layout and pictures of a masked replay cannot be compared with those of the recorded page.
    """
    from pagereel.browser import launch_options
    from pagereel.player_build import build

    print_message("Comparing the unmasked replay's layout and pictures, too")
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        html = Path(folder) / "unmasked.html"
        return build(reel, html, redaction=None, check=True, launch=launch_options()).fidelity


def record_demo_run(reel: Path, *, headed: bool, fast: bool = False) -> str:
    """Record the scripted agent while it shops in the demo's shop. Return the number of its order."""
    from playwright.sync_api import sync_playwright

    from pagereel.browser import launch_options
    from pagereel.fixtures.agent import run_agent
    from pagereel.fixtures.shop import Shop
    from pagereel.recorder import record

    width, height = VIEWPORT
    with Shop(pace=0.1 if fast else 1.0) as shop, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options(headless=not headed))
        context = browser.new_context(viewport={"width": width, "height": height})
        with record(
            context,
            reel,
            agent="errand-bot",
            metadata={"ticket": "T-1042", "demo": True},
            overwrite=True,
            checkpoint_screenshots=not fast,
        ) as session:
            order = run_agent(session, context.new_page(), shop, fast=fast)
        browser.close()
    return order


def require_replay_opens(html: Path, picture: Path) -> None:
    """Open the replay without a network, and take a screenshot of it. Raises BuildError when it does not open, or makes
    a request.
    """
    from playwright.sync_api import Error, sync_playwright

    from pagereel.browser import launch_options

    requests: list[str] = []
    address = html.resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(address)
        try:
            page.evaluate("() => window.pagereel.ready")
            page.evaluate(
                """async (title) => {
                    const step = window.pagereel.steps.find((step) => step.title === title);
                    await window.pagereel.seek(step ? step.time + step.duration / 2 : window.pagereel.duration / 2);
                }""",
                SCREENSHOT_STEP,
            )
        except Error as error:
            raise BuildError(f"{html} does not open: {error.message.splitlines()[0]}") from error
        page.screenshot(path=picture)
        browser.close()
    asked = [url for url in requests if url != address and not url.startswith(("blob:", "data:"))]
    if asked:
        raise BuildError(f"{html} requested {asked[0]}; a replay must make no request.")
