"""A real Chromium and a small site on loopback for the recorder's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from .support import LAUNCH, Site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**LAUNCH)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    return tmp_path / "run.reel"
