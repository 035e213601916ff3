"""A pytest plugin (`-p bench.fidelity.suite_plugin`) that runs another project's browser tests, plain or with every context recorded.

`PAGEREEL_SUITE_RESULT` names the JSON file for the outcomes of the tests, `PAGEREEL_SUITE_REELS` the folder for the
recordings; without the latter nothing is recorded. In both cases the Chromium of this machine is started.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
from playwright import async_api, sync_api

from pagereel.browser import launch_options
from pagereel.integrations.context_watch import ContextWatch
from pagereel.recorder import Session, record

RESULT = "PAGEREEL_SUITE_RESULT"
REELS = "PAGEREEL_SUITE_REELS"


class _ContextRecorder:
    """Records each browser context from when it opens to just before it closes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[Any, Session] = {}
        self.number = itertools.count(1)
        self.test = "none"

    def _create_session(self, context: Any) -> Session:
        """Return a new session that records the context into a file named after the test."""
        name = "".join(c if c.isalnum() else "-" for c in self.test)[-120:]
        session = record(context, self.folder / f"{name}-{next(self.number)}.reel", shared=True)
        self.running[context] = session
        return session

    def on_context_opened(self, context: Any) -> None:
        if context not in self.running:
            self._create_session(context).__enter__()

    def on_context_closing(self, context: Any) -> None:
        session = self.running.pop(context, None)
        if session is not None:
            session.stop()

    async def on_context_opened_async(self, context: Any) -> None:
        if context not in self.running:
            await self._create_session(context).__aenter__()

    async def on_context_closing_async(self, context: Any) -> None:
        session = self.running.pop(context, None)
        if session is not None:
            await session.stop()


class _OutcomePlugin:
    """Writes the outcomes of all tests into a JSON file."""

    def __init__(self, recorder: _ContextRecorder | None) -> None:
        self.recorder = recorder
        self.outcomes: dict[str, str] = {}
        self.errors: dict[str, str] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.recorder is not None:
            self.recorder.test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            outcome = "error" if report.failed and report.when != "call" else report.outcome
            if self.outcomes.get(report.nodeid) not in ("failed", "error"):
                self.outcomes[report.nodeid] = outcome
        if report.failed:
            self.errors[report.nodeid] = str(report.longrepr)[-1500:]

    def pytest_sessionfinish(self) -> None:
        result = {"outcomes": self.outcomes, "errors": self.errors}
        Path(os.environ[RESULT]).write_text(json.dumps(result), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Start this machine's Chromium in all tests, and record their contexts if a folder for recordings is named."""
    _use_local_chromium()
    reels = os.environ.get(REELS)
    recorder = _ContextRecorder(Path(reels)) if reels else None
    if recorder is not None:
        recorder.folder.mkdir(parents=True, exist_ok=True)
        ContextWatch(recorder).start()
        warnings.filterwarnings("default", category=UserWarning, module="pagereel")
    config.pluginmanager.register(_OutcomePlugin(recorder), "pagereel-suite")


def _use_local_chromium() -> None:
    """Replace Playwright's launch methods by ones that start this machine's Chromium."""
    options = launch_options()

    def add_launch_options(kwargs: dict[str, Any]) -> dict[str, Any]:
        args = [*options["args"], *(kwargs.get("args") or [])]
        return {**kwargs, "args": args, "executable_path": kwargs.get("executable_path") or options["executable_path"]}

    def wrap_method(owner: type, name: str) -> None:
        original = getattr(owner, name)

        @functools.wraps(original)
        def launch(this: Any, *args: Any, **kwargs: Any) -> Any:
            return original(this, *args, **add_launch_options(kwargs))

        setattr(owner, name, launch)

    for owner in (sync_api.BrowserType, async_api.BrowserType):
        for name in ("launch", "launch_persistent_context"):
            wrap_method(owner, name)
