"""A real Chromium and a small site on loopback for the recorder's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from ..chromium import Shared
from .support import LAUNCH, Site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="session")
def shared() -> Iterator[Shared]:
    shared = Shared(LAUNCH)
    yield shared
    shared.close()


@pytest.fixture
def no_sync_playwright(shared: Shared) -> None:
    """Playwright's sync API keeps its loop set in its thread; asyncio.run would refuse to nest in it."""
    shared.close()


@pytest.fixture(scope="module")
def browser(shared: Shared) -> Browser:
    return shared.get()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    return tmp_path / "run.reel"
