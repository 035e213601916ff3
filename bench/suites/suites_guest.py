"""A pytest plugin for the guests' environment: starts this machine's Chromium, breaks tests when asked, keeps recordings.

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
    """Wraps `launch`: a suite's own fixtures for launch arguments may replace any that a plugin brings."""
    from playwright.sync_api import BrowserType

    from pagereel.browser import launch_options

    ours: dict[str, Any] = dict(launch_options())
    launch = BrowserType.launch

    @functools.wraps(launch)
    def start(self: Any, **given: Any) -> Any:
        return launch(self, **{**given, **ours, "args": [*(given.get("args") or []), *ours["args"]]})

    BrowserType.launch = start  # type: ignore[method-assign]
    if folder := os.environ.get(REELS):
        _keep_reels(Path(folder))


def _keep_reels(folder: Path) -> None:
    """Leaves each recording in `folder` when its replay is built: the bench reads what they say of themselves."""
    import pagereel.player_build as door

    build = door.build

    def keep(reel: Path, html: Path, **options: Any) -> Any:
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

    door.build = keep  # type: ignore[assignment]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Where tests are to fail, each runs to its end and then looks for what is not there."""
    yield
    if os.environ.get(BREAK):
        from playwright.sync_api import Page, expect

        page = next(value for value in getattr(item, "funcargs", {}).values() if isinstance(value, Page))
        expect(page.get_by_role("heading", name="Made to fail")).to_be_visible(timeout=1_000)
