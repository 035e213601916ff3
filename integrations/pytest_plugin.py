"""The pytest plugin: `--replay retain-on-failure` leaves the replay of a failing test beside its trace.

    --replay off|on|retain-on-failure|on-first-retry
    --replay-redaction vendor|strict|internal|off

Names, folders and the moment of the decision are those of pytest-playwright's `--tracing`; nothing of pytest-playwright
is needed. With `off`, nothing is imported and no hook but the option's is registered.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pagereel.integrations.attempts import Attempt

MODES = ("off", "on", "retain-on-failure", "on-first-retry")
REDACTIONS = ("vendor", "strict", "internal", "off")
PROPERTY = "playwright_replay"
"""Name of the report property (JUnit: `<property>`) with a kept file's path, relative to where pytest was started."""
_PLUGIN = "pagereel-replay"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options and the ini options of the same names."""
    group = parser.getgroup("pagereel", "Replays (pagereel)")
    group.addoption(
        "--replay",
        choices=MODES,
        default=None,
        help="Record a replay for each test. on-first-retry records when a failed test is run again.",
    )
    group.addoption(
        "--replay-redaction", choices=REDACTIONS, default=None, help="How replays are redacted; off keeps everything."
    )
    parser.addini("replay", "Record a replay for each test: off, on, retain-on-failure, on-first-retry.", default="off")
    parser.addini("replay_redaction", "How replays are redacted: vendor, strict, internal, off.", default="vendor")


def pytest_configure(config: pytest.Config) -> None:
    """Starts watching for browser contexts when replays are wanted."""
    mode = _choice(config, "replay", MODES)
    redaction = _choice(config, "replay_redaction", REDACTIONS)
    if mode != "off":
        config.pluginmanager.register(Replays(config, mode, None if redaction == "off" else redaction), _PLUGIN)


def _choice(config: pytest.Config, name: str, choices: tuple[str, ...]) -> str:
    value = str(config.getoption(name) or config.getini(name) or choices[0])
    if value not in choices:
        raise pytest.UsageError(f"{name} = {value!r} in the ini file is none of {', '.join(choices)}")
    return value


class Replays:
    """Records the contexts of each test, and keeps what the mode says."""

    def __init__(self, config: pytest.Config, mode: str, redaction: str | None) -> None:
        from pagereel.integrations.contexts import ContextWatch

        self.config = config
        self.mode = mode
        self.redaction = redaction
        self.attempt: Attempt | None = None
        self.kept: list[str] = []
        self.temporary = Path(tempfile.mkdtemp(prefix="pagereel-"))
        self.watch = ContextWatch(self)
        self.watch.start()

    def pytest_unconfigure(self) -> None:
        self.watch.stop()
        shutil.rmtree(self.temporary, ignore_errors=True)

    # What ContextWatch tells. A recording that cannot begin leaves the test as it is.

    def opened(self, context: Any) -> None:
        from pagereel.integrations.attempts import quietly

        if self.attempt is not None and (session := self.attempt.begin(context, is_async=False)):
            quietly(session.__enter__)

    def closing(self, context: Any) -> None:
        from pagereel.integrations.attempts import quietly

        recording = self.attempt.of(context) if self.attempt is not None else None
        if recording is not None and recording.session is not None:
            session, recording.session = recording.session, None
            quietly(session.stop)

    async def opened_async(self, context: Any) -> None:
        from pagereel.integrations.attempts import complain

        if self.attempt is not None and (session := self.attempt.begin(context, is_async=True)):
            try:
                await session.__aenter__()
            except Exception as error:
                complain(error)

    async def closing_async(self, context: Any) -> None:
        from pagereel.integrations.attempts import complain

        recording = self.attempt.of(context) if self.attempt is not None else None
        if recording is not None and recording.session is not None:
            session, recording.session = recording.session, None
            try:
                await session.stop()
            except Exception as error:
                complain(error)

    # pytest's hooks

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        from pagereel.integrations.attempts import Attempt

        retry = getattr(item, "execution_count", 1) - 1
        before = self.attempt
        self.attempt = None
        if self.mode != "on-first-retry" or retry == 1:
            self.attempt = Attempt(item.nodeid, retry, _metadata(item, retry), self.temporary)
            self._take_over(before)
        return (yield)

    def _take_over(self, before: Attempt | None) -> None:
        """Goes on recording the contexts of wider fixtures that the test before left open."""
        for recording in before.recordings if before is not None else ():
            if not recording.is_async and _is_open(recording.context):
                self.opened(recording.context)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.attempt is not None:
            from pagereel.integrations.attempts import quietly

            quietly(self._take_report, self.attempt, item, call, report)
        return report

    def _take_report(
        self, attempt: Attempt, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        if report.failed:
            attempt.failed = True
            attempt.note(_failure_text(report), **_failure_facts(call, report))
        elif report.when == "call":
            attempt.note(f"Test {report.outcome}", outcome=report.outcome, duration=round(report.duration * 1000))
        if report.when != "teardown":
            return
        attempt.finish()
        if self.mode != "retain-on-failure" or attempt.failed:
            self._keep(attempt, item, report)
        attempt.drop()

    def _keep(self, attempt: Attempt, item: pytest.Item, report: pytest.TestReport) -> None:
        from pagereel.integrations.attempts import output_folder

        output = Path(self.config.getoption("--output", "test-results") or "test-results")
        for html in attempt.build(output_folder(output, attempt.nodeid, attempt.retry), self.redaction):
            path = os.path.relpath(html, self.config.invocation_params.dir)
            report.user_properties.append((PROPERTY, path))
            self._link(report, path)

    def _link(self, report: pytest.TestReport, path: str) -> None:
        if not self.config.pluginmanager.hasplugin("html"):
            return
        extras = importlib.import_module("pytest_html").extras
        links = [*getattr(report, "extras", []), extras.url(path, name="replay")]
        report.extras = links  # type: ignore[attr-defined]  # pytest-html's own place for them

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # With xdist this runs in the controller, on the workers' reports.
        if report.when == "teardown":
            self.kept += [str(path) for name, path in report.user_properties if name == PROPERTY]

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.kept:
            terminalreporter.write_sep("-", "replays")
            for path in self.kept:
                terminalreporter.write_line(path)


def _metadata(item: pytest.Item, retry: int) -> dict[str, Any]:
    """What the replay's Info says of the test."""
    callspec = getattr(item, "callspec", None)
    return {
        "test": item.nodeid,
        "markers": sorted({mark.name for mark in item.iter_markers()}),
        "parameters": {name: repr(value) for name, value in callspec.params.items()} if callspec else {},
        "retry": retry,
        "pytest": pytest.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def _failure_text(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    message = crash.message if crash is not None else str(report.longrepr or "")
    return f"Test failed in {report.when}: {message}"


def _failure_facts(call: pytest.CallInfo[None], report: pytest.TestReport) -> dict[str, Any]:
    from pagereel.integrations.attempts import locals_text

    facts: dict[str, Any] = {"outcome": "failed", "phase": report.when}
    if call.excinfo is not None and len(call.excinfo.traceback):
        entry = call.excinfo.traceback[-1]
        facts |= {"source": f"{entry.path}:{entry.lineno + 1}", "locals": locals_text(entry.locals)}
    return facts


def _is_open(context: Any) -> bool:
    try:
        return context.browser is not None and context.browser.is_connected() and context in context.browser.contexts
    except Exception:
        return False
