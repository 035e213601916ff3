"""A picture of a recorded page at a moment, as the replay shows it."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pagereel.errors import UsageError

PATIENCE = 30_000
"""Ms for the replay to be ready, and to seek."""


def picture(reel: Path, at: float) -> bytes:
    """PNG of the page at `at` ms. The reel is built as it is: redact it before (`shareable`)."""
    # In a thread of its own: Playwright's sync API refuses a thread in which an event loop runs.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_picture, reel, at).result()


def _picture(reel: Path, at: float) -> bytes:
    from playwright.sync_api import Error, sync_playwright

    from pagereel.browser import launch_options
    from pagereel.player_build import build

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder, sync_playwright() as playwright:
        html = Path(folder) / "replay.html"
        build(reel, html, redaction=None)
        try:
            browser = playwright.chromium.launch(**launch_options())
        except Error as error:
            raise UsageError(
                f"The browser did not start ({error.message.splitlines()[0]}); run 'pagereel setup'."
            ) from None
        try:
            shown = browser.new_page(viewport={"width": 1280, "height": 800})
            shown.set_default_timeout(PATIENCE)
            shown.goto(f"{html.as_uri()}#bare")
            shown.evaluate("async at => { await window.pagereel.ready; await window.pagereel.seek(at) }", at)
            frame = shown.evaluate_handle("window.pagereel.frame").as_element()
            return frame.screenshot() if frame is not None else shown.screenshot()
        finally:
            browser.close()
