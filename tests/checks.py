"""Checks of replays in one Chromium: a driver and a browser of its own for each take longer than most checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from pagereel.player_build import masked_page_check, verify
from pagereel.player_build.headless import HeadlessReplay


class _Browsers:
    """Those that were started so far, by what they were started with."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._playwright: Playwright | None = None
        self._browsers: dict[str, Browser] = {}

    def start(self, path: Path, launch: Mapping[str, Any]) -> HeadlessReplay:
        if self._playwright is None:
            self._playwright = self._open.enter_context(sync_playwright())
        asked = repr(sorted(launch.items()))
        browser = self._browsers.get(asked)
        if browser is None or not browser.is_connected():
            browser = self._browsers[asked] = self._playwright.chromium.launch(**launch)

        def close() -> None:
            for context in browser.contexts:
                context.close()

        return HeadlessReplay(path, browser, close)

    def close(self) -> None:
        self._open.close()


@contextmanager
def in_one_browser() -> Iterator[None]:
    """Has whatever checks a replay while the block runs open it in contexts of one browser, in one thread."""
    browsers = _Browsers()
    with ThreadPoolExecutor(1, "checks") as thread, pytest.MonkeyPatch.context() as patch:
        for module in (verify, masked_page_check):
            patch.setattr(module, "ThreadPoolExecutor", lambda *_: nullcontext(thread))
        patch.setattr(HeadlessReplay, "start", browsers.start)
        try:
            yield
        finally:
            thread.submit(browsers.close).result()
