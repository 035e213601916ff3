"""Finds a browser for pytest-playwright, and checks for xdist's controller and for open contexts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def find_fallback_chromium(config: pytest.Config) -> Path | None:
    """Return the path of a Chromium for pytest-playwright's tests; None if they need no other one than Playwright's."""
    asked = config.getoption("--browser", None)
    if asked is None or config.getoption("--browser-channel", None) or set(asked) - {"chromium"}:
        return None  # pytest-playwright is not installed, or the user chose another browser.
    from pagereel.browser import find_chromium, has_playwright_chromium
    from pagereel.errors import SetupError

    try:
        return None if has_playwright_chromium(headless=not config.getoption("--headed", False)) else find_chromium()
    except SetupError:
        return None


def is_xdist_controller(config: pytest.Config) -> bool:
    """Return whether this process is xdist's controller, which runs no test itself."""
    return getattr(config.option, "dist", "no") != "no" and not hasattr(config, "workerinput")


def is_context_open(context: Any) -> bool:
    """Return whether a browser context can still be recorded."""
    try:
        return context.browser is not None and context.browser.is_connected() and context in context.browser.contexts
    except Exception:
        return False
