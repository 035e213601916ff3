"""One Chromium for the tests of this room that record without pytest's plugin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel.reel import open_reel

from ..chromium import open_chromium


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


@pytest.fixture
def recorded_context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.close()


def events_of(reel: Path, *kinds: str) -> list[dict[str, Any]]:
    """The events of these kinds, in order of time."""
    with open_reel(reel) as opened:
        return [event for event in opened.timeline() if event["k"] in kinds]
