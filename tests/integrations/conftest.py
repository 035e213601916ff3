"""One Chromium for the tests of this room that record without pytest's plugin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from pagereel.browser import launch_options
from pagereel.reel import open_reel


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        yield browser
        browser.close()


@pytest.fixture
def recorded_context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.close()


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    """The events of these kinds, in order of time."""
    with open_reel(reel) as opened:
        return [event for event in opened.timeline() if event["k"] in kinds]
