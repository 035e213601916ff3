"""A real Chromium and a small site on loopback for the recorder's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from .support import LAUNCH, Site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture(scope="session")
def launch() -> dict[str, Any]:
    return LAUNCH


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def reel(tmp_path: Path) -> Path:
    return tmp_path / "run.reel"
