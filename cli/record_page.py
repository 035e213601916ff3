"""`pagereel record`: opens a page in a browser and records it."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pagereel.cli.argument_requirements import require_no_existing_file, require_writable_destination
from pagereel.cli.console import print_json, print_message, print_written_file
from pagereel.durations import format_duration
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

TURN = 100
"""Milliseconds between two checks whether to stop. Playwright's sync API delivers events only inside its calls."""


def record_url(
    url: str,
    reel: Path | None,
    *,
    headless: bool,
    time_limit: float | None,
    viewport: str,
    overwrite: bool,
    json: bool,
    encrypt_to: list[Path] | None = None,
    share_resources: bool = False,
) -> int:
    """Record the page at `url` into `reel`, and print the recording's duration and size.

    The recording ends when the window is closed, with Enter, with Ctrl-C, or after the time limit (seconds).
    """
    url = complete_url(url)
    size = parse_viewport(viewport)
    reel = reel or Path(build_default_reel_name(url, datetime.now()))
    require_recordable(reel, time_limit, overwrite=overwrite)
    keyboard = sys.stdin is not None and sys.stdin.isatty()
    if headless and time_limit is None and not keyboard:
        raise UsageError("A headless recording needs an end; add --time-limit SECONDS, or leave out --headless.")

    from pagereel.recorder import Options
    from pagereel.reel import load_keys

    options: dict[str, Any] = {
        "overwrite": overwrite,
        "encrypt_to": load_keys(encrypt_to),
        "share_resources": share_resources,
    }
    Options.from_keywords(options)  # conflicting options are reported before a browser starts
    try:
        duration = _record_browser(url, reel, size, headless, StopCondition(time_limit, keyboard), options)
    except _PageNotOpenedError:
        # A recording of a page that did not open is useless, and would block the next attempt.
        reel.unlink(missing_ok=True)
        raise
    return print_recording_result(reel, duration, json=json)


def print_recording_result(reel: Path, duration: float, *, json: bool, remark: str = "") -> int:
    """Print a recording's duration (ms) and size, and the command that builds its replay.

    `remark`: a remark to print after that command.
    """
    if json:
        print_json({"reel": str(reel), "duration": round(duration), "bytes": reel.stat().st_size})
    else:
        print_written_file(reel, format_duration(duration))
        print_message(f"Next: pagereel build {reel}{remark}")
    return 0


class _PageNotOpenedError(UsageError):
    """The error for a page that could not be opened; the recording is then deleted."""


def require_recordable(reel: Path, time_limit: float | None, *, overwrite: bool) -> None:
    """Raise UsageError if `reel` cannot be written, or if `time_limit` (seconds) is not above 0."""
    require_writable_destination(reel)
    require_no_existing_file(reel, force=overwrite)
    if time_limit is not None and not time_limit > 0:
        raise UsageError("--time-limit takes a number of seconds above 0.")


class StopCondition:
    """Says, when called, whether to stop recording.

    The reasons are the end of the time limit, a press of Enter, and a call of :meth:`request_stop`.
    """

    def __init__(self, time_limit: float | None, keyboard: bool) -> None:
        self._limit = time_limit
        self._end: float | None = None
        self._pressed = threading.Event()
        self._keyboard = keyboard

    def start(self) -> None:
        """Start the time limit, and wait for Enter in a thread."""
        if self._limit is not None:
            self._end = time.monotonic() + self._limit
        if self._keyboard:
            threading.Thread(target=self._wait_for_enter, daemon=True).start()

    def __call__(self) -> bool:
        return self._pressed.is_set() or (self._end is not None and time.monotonic() >= self._end)

    def request_stop(self) -> None:
        """Make the next call of this object return True."""
        self._pressed.set()

    def _wait_for_enter(self) -> None:
        if sys.stdin.readline():
            self.request_stop()


def _record_browser(
    url: str, reel: Path, viewport: tuple[int, int], headless: bool, stop: StopCondition, record_options: dict[str, Any]
) -> float:
    """Open the page in a browser and record it until ``stop()`` returns True. Return the duration in ms.

    `record_options`: options for `record()`.
    """
    from playwright.sync_api import Error, sync_playwright

    from pagereel.browser import launch_options
    from pagereel.recorder import record

    options = launch_options(headless=headless)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(**options)
        except Error as error:
            raise UsageError(_describe_launch_error(error.message, headless)) from error
        # A window may be resized by the user, and the page follows; only without a window the size must be given.
        context = browser.new_context(viewport={"width": viewport[0], "height": viewport[1]} if headless else None)
        began = time.monotonic()
        with record(context, reel, **record_options):
            page = context.new_page()
            _open_page(page, url)
            stop.start()
            if not headless:
                print_message("Recording. Close the window or press Enter to stop.")
            try:
                _wait_for_end(context, stop)
            except KeyboardInterrupt:
                print_message("Stopped.")
        duration = (time.monotonic() - began) * 1000
        if browser.is_connected():
            browser.close()
    return duration


def _open_page(page: Page, url: str) -> None:
    from playwright.sync_api import Error

    try:
        page.goto(url, wait_until="domcontentloaded")
    except Error as error:
        reason = re.search(r"net::(ERR_\w+)", error.message)
        raise _PageNotOpenedError(
            f"{url} could not be opened ({reason[1] if reason else error.message.splitlines()[0]})."
        ) from None


def _wait_for_end(context: BrowserContext, stop: Callable[[], bool]) -> None:
    from playwright.sync_api import Error

    while not stop():
        pages = context.pages
        if not pages:
            return
        try:
            pages[0].wait_for_timeout(TURN)
        except Error:
            # The page closed while we waited; the next turn looks for another one.
            continue


def _describe_launch_error(message: str, headless: bool) -> str:
    if not headless and re.search(r"missing x server|\$DISPLAY|ozone_platform", message, re.IGNORECASE):
        return "There is no screen to open a window on; add --headless."
    return f"The browser did not start ({message.splitlines()[0]}); run 'pagereel setup'."


def complete_url(url: str) -> str:
    """Complete an address as a browser does: an existing file becomes a ``file:`` address, a host without a scheme gets
    one. Raises UsageError.
    """
    if re.match(r"^(https?|file|about|data|chrome):", url):
        return url
    if url and Path(url).is_file():
        return Path(url).resolve().as_uri()
    if re.match(r"^(localhost|127\.|\[::1\])", url):
        return f"http://{url}"
    if "://" in url or not re.match(r"^[\w-]+(\.[\w-]+)+(:\d+)?(/|$|\?|#)", url):
        raise UsageError(f"{url!r} is not an address that a browser can open; begin it with http:// or https://.")
    return f"https://{url}"


def parse_viewport(text: str) -> tuple[int, int]:
    """Return a size in CSS px: `1280x800` → (1280, 800)."""
    found = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if not found:
        raise UsageError(f"--viewport takes WIDTHxHEIGHT in CSS px, for example 1280x800, not {text!r}.")
    return int(found[1]), int(found[2])


def build_default_reel_name(url: str, now: datetime) -> str:
    """Return the default name for the recording of a page: `example.com-20261121-120000.reel`."""
    host = urlsplit(url).hostname or Path(urlsplit(url).path).stem or "page"
    return f"{re.sub(r'[^A-Za-z0-9.-]+', '-', host)}-{now:%Y%m%d-%H%M%S}.reel"
