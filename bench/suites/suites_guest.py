"""A pytest plugin for another project's environment: starts this machine's Chromium, breaks tests when asked, keeps recordings.

Loaded with `-p suites_guest`, with this folder on PYTHONPATH; the suite's own conftest stays as it is.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import time
import uuid
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

BREAK = "SUITES_BREAK"
REELS = "SUITES_REELS"


def pytest_configure() -> None:
    """Make Playwright's `launch` start this machine's Chromium, also where a suite's own fixtures replace launch arguments."""
    from playwright.sync_api import BrowserType

    from pagereel.browser import launch_options

    ours: dict[str, Any] = dict(launch_options())
    launch = BrowserType.launch

    @functools.wraps(launch)
    def start_browser(self: Any, **given: Any) -> Any:
        return launch(self, **{**given, **ours, "args": [*(given.get("args") or []), *ours["args"]]})

    BrowserType.launch = start_browser  # type: ignore[method-assign]
    if folder := os.environ.get(REELS):
        _keep_reels(Path(folder))


def _keep_reels(folder: Path) -> None:
    """Copy each recording into `folder` when its replay is built, and write down how long the build took."""
    import pagereel.player_build as door

    build = door.build

    def build_and_keep(reel: Path, html: Path, **options: Any) -> Any:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(reel, folder / f"{html.parent.name[:120]}-{uuid.uuid4().hex[:6]}.reel")
        wall, cpu = time.monotonic(), time.process_time()
        report = build(reel, html, **options)
        told = {
            "wall": time.monotonic() - wall,
            "cpu": time.process_time() - cpu,
            "redaction": report.redaction.seconds,
        }
        with (folder / "builds.jsonl").open("a") as lines:
            lines.write(json.dumps(told) + "\n")
        return report

    door.build = build_and_keep  # type: ignore[assignment]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run the test, and then, where tests are to fail, look for a heading that is not there."""
    yield
    if os.environ.get(BREAK):
        from playwright.sync_api import Page, expect

        page = next(value for value in getattr(item, "funcargs", {}).values() if isinstance(value, Page))
        expect(page.get_by_role("heading", name="Made to fail")).to_be_visible(timeout=1_000)
