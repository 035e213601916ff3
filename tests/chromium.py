"""The Chromium that the tests drive.

How long one lives is each room's choice: while it is open, Playwright's sync API keeps an event loop set in its thread, in
which no asyncio test starts. A room that has such tests among others shares one that they close.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options


def apart() -> dict[str, Any]:
    """`launch_options()` with every site in a process of its own: frames of other origins are the hard kind everywhere."""
    options = launch_options()
    return {**options, "args": [*options["args"], "--site-per-process"]}


@contextmanager
def open_chromium(options: dict[str, Any] | None = None) -> Iterator[Browser]:
    """A headless Chromium, open while the block runs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**(options or launch_options()))
        try:
            yield browser
        finally:
            browser.close()


class Shared:
    """A Chromium that is opened when a test asks for it, and lives until it is closed or one of other options is asked for: one at a time.

    Two of Playwright's sync APIs do not stand in one thread, so that rooms that start theirs differently share this one.
    """

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._open = ExitStack()
        self._browser: Browser | None = None

    def get(self, options: dict[str, Any]) -> Browser:
        if self._browser is None or not self._browser.is_connected() or options != self._options:
            self.close()
            self._options = options
            self._browser = self._open.enter_context(open_chromium(options))
        return self._browser

    def close(self) -> None:
        """Leaves the thread without an event loop as well."""
        self._browser = None
        self._open.close()
