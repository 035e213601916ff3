"""The pytest plugin: `--replay retain-on-failure` keeps the replay of a failing test, beside its trace if there is one.

    --replay
    off|on|retain-on-failure|retain-on-failure-and-retries|retain-on-first-failure|on-first-retry|on-all-retries
    --replay-redaction vendor|strict|internal|off, or a policy file
    --replay-suite suite.html: write one file for the whole run
    --replay-film gif|webp|mp4|webm: make a film beside each replay of a failed test
    --replay-compare retries, --replay-baseline DIR: compare runs, see `testing.comparisons`

The names of files and folders are those of pytest-playwright's `--tracing`, and the modes are those of Playwright
Test's `trace`. pytest-playwright is not required. If it is installed but Playwright's own Chromium is not, its tests
use the Chromium that `pagereel setup` found. With `--replay off` only the options are registered, and nothing is
imported.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pagereel.integrations.testing.browsers import find_fallback_chromium, is_context_open, is_xdist_controller
from pagereel.integrations.testing.options import (
    REDACTIONS,
    add_options,
    read_choice_option,
    read_suite_file,
    require_models,
)
from pagereel.integrations.testing.recording_modes import MODES, is_attempt_recorded, is_replay_kept

if TYPE_CHECKING:
    from pagereel.integrations.replay_fixture import Replay
    from pagereel.integrations.testing.attempts import Attempt
    from pagereel.integrations.testing.background_builds import BackgroundBuilds, Builder
    from pagereel.integrations.testing.comparisons import BaselineComparisons, RetryComparisons
    from pagereel.integrations.testing.failure_films import FailureFilms
    from pagereel.integrations.testing.suite_collection import SuiteCollection
    from pagereel.recorder import Session

_PLUGIN = "pagereel-replay"
_FAILED = {"setup": "Set-up failed", "call": "Test failed", "teardown": "Tear-down failed"}
"""What a note says, by the phase of the test in which pytest reports a failure."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the plugin's command-line options, and the ini options of the same names, to pytest's parser."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin that records browser contexts, if the options ask for replays or comparisons."""
    mode = read_choice_option(config, "replay", MODES)
    redaction = read_choice_option(config, "replay_redaction", REDACTIONS, allows_files=True)
    compared = read_choice_option(config, "replay_compare", ("off", "retries"))
    baseline = config.getoption("replay_baseline") or config.getini("replay_baseline")
    suite = read_suite_file(config)
    filmed = config.getoption("replay_film")
    if filmed and suite is not None:
        raise pytest.UsageError(
            "--replay-film writes a film for each replay file, and --replay-suite writes one file for all; leave out one of them"
        )
    if mode == "off" and (filmed or compared != "off" or baseline or suite is not None):
        mode = "retain-on-failure"  # What is compared, filmed or bundled is what failed, if nobody chose otherwise.
    if mode != "off":
        if redaction != "off" and config.getini("replay_require_models"):
            require_models()
        replays = ReplayPlugin(config, mode, None if redaction == "off" else redaction)
        if suite is not None:
            replays.enable_suite(suite)
        if compared != "off":
            replays.enable_retry_comparison()
        if baseline:
            replays.enable_baseline_comparison(str(baseline))
        if filmed:
            from pagereel.integrations.testing.failure_films import FailureFilms

            replays.films = FailureFilms(filmed)
        config.pluginmanager.register(replays, _PLUGIN)


@pytest.fixture
def replay(request: pytest.FixtureRequest) -> Replay:
    """Return the recording of the running test: `replay.step("…")`, `replay.mark("…")`, `replay.note("…")`. Without
    `--replay` these do nothing.
    """
    from pagereel.integrations.replay_fixture import Replay

    plugin: ReplayPlugin | None = request.config.pluginmanager.get_plugin(_PLUGIN)
    return Replay(plugin.find_running_session if plugin is not None else lambda: None)


class ReplayPlugin:
    """The pytest plugin: records the browser contexts of each test, and keeps the replays that the mode asks for."""

    def __init__(self, config: pytest.Config, mode: str, redaction: str | None) -> None:
        from pagereel.integrations.context_watch import ContextWatch
        from pagereel.integrations.testing.report_links import ComparisonReport

        self.config = config
        self.mode = mode
        self.redaction = redaction
        self.attempt: Attempt | None = None
        self.last = ("", -1)
        """The test that ran last, and the number of the attempt."""
        self.retries: RetryComparisons | None = None
        self.baselines: BaselineComparisons | None = None
        self.films: FailureFilms | None = None
        self.kept: list[str] = []
        self.bundled = ""
        """The file of the whole run, and how its tests ended."""
        self.suite: SuiteCollection | None = None
        self.told = ComparisonReport()
        self.temporary = Path(tempfile.mkdtemp(prefix="pagereel-pytest-"))
        self.later: BackgroundBuilds | None = None
        self.browser = find_fallback_chromium(config)
        self.watch = ContextWatch(self)
        if not is_xdist_controller(config):
            self.watch.start()

    def enable_suite(self, destination: Path) -> None:
        """Make the plugin write one file, `destination`, for the whole run, instead of one replay for each test."""
        from pagereel.integrations.testing.suite_collection import SuiteCollection

        self.suite = SuiteCollection.create_for_process(self.config, destination, self.redaction)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send an xdist worker the folder for its recordings."""
        from pagereel.integrations.testing.suite_collection import FOLDER

        if self.suite is not None:
            node.workerinput[FOLDER] = str(self.suite.folder)

    def enable_retry_comparison(self) -> None:
        """Enable the comparison of a test's failed attempt with a later one that passes."""
        from pagereel.integrations.testing.comparisons import RetryComparisons

        self.retries = RetryComparisons(self.redaction)

    def enable_baseline_comparison(self, folder: str) -> None:
        """Enable the comparison of each test with its baseline in a folder.

        The path is relative to pytest's start folder or, if it comes from the ini file, to that file.
        """
        from pagereel.comparison import parse_fail_on
        from pagereel.errors import UsageError
        from pagereel.integrations.testing.comparisons import GATES, BaselineComparisons

        fail_on = str(self.config.getoption("replay_fail_on") or self.config.getini("replay_fail_on") or GATES)
        try:
            parse_fail_on(fail_on)
        except UsageError as error:
            raise pytest.UsageError(f"replay_fail_on: {error}") from None
        asked = self.config.getoption("replay_baseline")
        root = (self.config.invocation_params.dir if asked else self.config.rootpath) / folder
        self.baselines = BaselineComparisons(root, self.config.invocation_params.dir, self.redaction, fail_on)

    def pytest_unconfigure(self) -> None:
        self._clean_up()

    def _clean_up(self) -> None:
        self.watch.stop()
        shutil.rmtree(self.temporary, ignore_errors=True)

    def find_running_session(self) -> Session | None:
        """Return the session of the running test's first context that is still recorded; None if there is none."""
        recordings = self.attempt.recordings if self.attempt is not None else ()
        return next((recording.session for recording in recordings if recording.session is not None), None)

    # Callbacks of ContextWatch. If a recording cannot begin, the test runs unchanged.

    def on_context_opened(self, context: Any) -> None:
        from pagereel.integrations.testing.attempts import call_and_warn_of_errors

        if self.attempt is not None and (session := self.attempt.begin_recording(context, is_async=False)):
            call_and_warn_of_errors(session.__enter__)

    def on_context_closing(self, context: Any) -> None:
        from pagereel.integrations.testing.attempts import call_and_warn_of_errors

        recording = self.attempt.find_recording(context) if self.attempt is not None else None
        if recording is not None and recording.session is not None:
            session, recording.session = recording.session, None
            call_and_warn_of_errors(session.stop)

    async def on_context_opened_async(self, context: Any) -> None:
        from pagereel.integrations.testing.attempts import warn_of_error

        if self.attempt is not None and (session := self.attempt.begin_recording(context, is_async=True)):
            try:
                await session.__aenter__()
            except Exception as error:
                warn_of_error(error)

    async def on_context_closing_async(self, context: Any) -> None:
        from pagereel.integrations.testing.attempts import warn_of_error

        recording = self.attempt.find_recording(context) if self.attempt is not None else None
        if recording is not None and recording.session is not None:
            session, recording.session = recording.session, None
            try:
                if (stopping := session.stop()) is not None:
                    await stopping
            except Exception as error:
                warn_of_error(error)

    # pytest's hooks

    def pytest_report_header(self) -> list[str]:
        if self.browser is None:
            return []
        return [f"pagereel: Playwright's own Chromium is not installed; pytest-playwright gets {self.browser}"]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        result = yield
        if self.browser is None or fixturedef.argname != "browser_type_launch_args" or not isinstance(result, dict):
            return result
        if "executable_path" in result or "channel" in result:
            return result
        told = {**result, "executable_path": str(self.browser)}
        if fixturedef.cached_result is not None:
            fixturedef.cached_result = (told, fixturedef.cached_result[1], None)
        return told

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, object, object]:
        from pagereel.integrations.testing.attempts import Attempt
        from pagereel.integrations.testing.pytest_results import read_test_metadata

        again = self.last[1] + 1 if self.last[0] == item.nodeid else 0
        retry = max(getattr(item, "execution_count", 1) - 1, again)
        self.last = item.nodeid, retry
        before = self.attempt
        self.attempt = None
        if is_attempt_recorded(self.mode, retry) or self.retries is not None or self.baselines is not None:
            self.attempt = Attempt(item.nodeid, retry, read_test_metadata(item, retry), self.temporary)
            self._record_open_contexts(before)
        return (yield)

    def _record_open_contexts(self, previous_attempt: Attempt | None) -> None:
        """Record also contexts that are still open from the previous test, because their fixture has a wider scope."""
        from pagereel.integrations.testing.attempts import call_and_warn_of_errors

        for recording in previous_attempt.recordings if previous_attempt is not None else ():
            if not is_context_open(recording.context):
                continue
            if not recording.is_async:
                self.on_context_opened(recording.context)
            elif self.attempt is not None and (
                session := self.attempt.begin_recording(recording.context, is_async=True)
            ):
                call_and_warn_of_errors(session.start_outside_event_loop)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.attempt is not None:
            from pagereel.integrations.testing.attempts import call_and_warn_of_errors

            call_and_warn_of_errors(self._record_test_report, self.attempt, item, call, report)
        return report

    def _record_test_report(
        self, attempt: Attempt, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> None:
        from pagereel.integrations.testing import pytest_results as said
        from pagereel.integrations.testing.reel_annotation import AddedNote

        attempt.output = attempt.output or said.find_output_path(item)
        attempt.phases.append(said.to_run_phase(item, call, report))
        if report.failed:
            attempt.failed = True
            message = said.get_failure_message(report)
            text = _FAILED[report.when]
            facts = said.collect_failure_facts(call, report, message)
            attempt.remarks.append(AddedNote(call.stop * 1000, text, facts, text, said.find_raising_line(call)))
            attempt.outcome.setdefault("failed in", report.when)
            attempt.outcome.setdefault("error", said.get_first_error_line(call, report))
        if report.failed or report.when == "call" or (report.skipped and "outcome" not in attempt.outcome):
            xfailed = report.skipped and hasattr(report, "wasxfail")
            attempt.outcome["outcome"] = "xfailed" if xfailed else report.outcome
        attempt.outcome["duration"] = round(attempt.outcome.get("duration", 0) + report.duration * 1000)
        if report.when == "call" and not report.failed:
            facts = {"outcome": attempt.outcome["outcome"]}
            attempt.remarks.append(AddedNote(call.stop * 1000, f"Test {attempt.outcome['outcome']}", facts))
        if report.when == "teardown":
            self._finish_attempt(attempt, report)

    def _finish_attempt(self, attempt: Attempt, report: pytest.TestReport | None) -> None:
        """Finish an attempt at a test: keep its replays, or delete its recordings, as the mode says."""
        from pagereel.integrations.testing.attempts import call_and_warn_of_errors, get_output_folder
        from pagereel.integrations.testing.report_links import FILM, add_comparison_link, add_link

        attempt.finish_recordings()
        attempt.settled = True
        output = Path(self.config.getoption("--output", None) or "test-results")
        folder = attempt.output or get_output_folder(output, attempt.nodeid, attempt.retry)
        if self.baselines is not None and report is not None and attempt.outcome.get("outcome") in ("passed", "failed"):
            call_and_warn_of_errors(self._compare_with_baseline, self.baselines, attempt, report, folder)
        kept = is_attempt_recorded(self.mode, attempt.retry) and is_replay_kept(
            self.mode, attempt.retry, attempt.failed
        )
        if kept and self.suite is not None:
            self.suite.move_recordings(attempt.list_annotated_reels())
        elif kept:
            for html in attempt.build_replays(folder, self.redaction, self._choose_build_function()):
                if report is None:
                    self.kept.append(os.path.relpath(html, self.config.invocation_params.dir))
                else:
                    add_link(self.config, report, html)
                film = self.films.add_replay(html) if self.films is not None and attempt.failed else None
                if film is not None and report is not None:
                    add_link(self.config, report, film, FILM)
        if self.retries is None:
            attempt.delete_recordings()
            return
        for made in self.retries.add_attempt(attempt, folder):
            if report is not None:
                add_comparison_link(self.config, report, made.path, made.said)

    def _choose_build_function(self) -> Builder:
        """Return the function that builds a replay in the background.

        With Allure it is a function that builds the replay at once, because Allure copies the file immediately.
        """
        if getattr(self.config.option, "allure_report_dir", None):
            from pagereel.player_build import build

            return build
        if self.later is None:
            from pagereel.integrations.testing.background_builds import BackgroundBuilds

            self.later = BackgroundBuilds(self.temporary, self.config.invocation_params.dir)
        return self.later.add_job

    def _wait_for_builds(self) -> None:
        """Wait until all replays in the background are built."""
        from pagereel.integrations.testing.attempts import issue_warning

        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        left = self.later.remaining_count if self.later is not None else 0
        if left and terminal is not None and not hasattr(self.config, "workerinput"):
            terminal.write_line("")
            terminal.write_line(f"pagereel: {left} replay{'s' if left > 1 else ''} to build")
        for error in (
            *(self.later.wait_for_all() if self.later is not None else ()),
            *(self.films.make_films() if self.films else ()),
        ):
            issue_warning(error)

    def _write_suite(self, suite: SuiteCollection) -> None:
        """Write the file of the whole run. If that fails, the recordings are kept, and a warning says where."""
        from pagereel.integrations.testing.attempts import issue_warning

        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        left = ""
        try:
            if terminal is not None and (waiting := suite.recording_count):
                terminal.write_line("")
                terminal.write_line(f"pagereel: {waiting} recording{'s' if waiting > 1 else ''} to bundle")
            if (made := suite.bundle_recordings()) is not None:
                self.bundled = f"{os.path.relpath(made.destination, self.config.invocation_params.dir)}  {made.summary}"
        except Exception as error:
            left = suite.leftover_message
            issue_warning(f"{type(error).__name__}: {error} {left}".strip())
        finally:
            if not left:
                suite.delete_folder()

    def _compare_with_baseline(
        self, baselines: BaselineComparisons, attempt: Attempt, report: pytest.TestReport, folder: Path
    ) -> None:
        from pagereel.integrations.testing.report_links import MISSING, add_comparison_link

        drift = baselines.compare_attempt(attempt, folder)
        for made in drift.compared:
            add_comparison_link(self.config, report, made.path, made.said)
        report.user_properties += [(MISSING, command) for command in drift.missing]
        if drift.failure:
            attempt.failed = True
            report.outcome, report.longrepr = "failed", drift.failure

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        # The test was interrupted (Ctrl-C, pytest.exit), so its teardown has no report. The recording is kept, as
        # pytest-playwright keeps its trace then.
        from pagereel.integrations.testing.attempts import call_and_warn_of_errors

        if self.attempt is not None and self.attempt.recordings and not self.attempt.settled:
            self.attempt.failed = True
            self.attempt.outcome["outcome"] = "interrupted"
            call_and_warn_of_errors(self._finish_attempt, self.attempt, None)
        if self.retries is not None:
            self.retries.delete_kept_attempt()
        try:
            call_and_warn_of_errors(self._wait_for_builds)
            if self.suite is not None and self.suite.owns:
                call_and_warn_of_errors(self._write_suite, self.suite)
        finally:  # xdist ends a worker's process with its session: pytest_unconfigure may not be called there.
            self._clean_up()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # With xdist this runs in the controller, on the workers' reports.
        from pagereel.integrations.testing.report_links import PROPERTY

        if self.suite is not None:
            self.suite.add_report(report)
        if report.when == "teardown":
            self.kept += [str(path) for name, path in report.user_properties if name == PROPERTY]
            self.told.collect_comparisons(report)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if hasattr(self.config, "workerinput"):
            return
        if self.bundled:
            terminalreporter.write_sep("-", "suite")
            terminalreporter.write_line(self.bundled)
        built = [path for path in self.kept if (self.config.invocation_params.dir / path).is_file()]
        if built:
            terminalreporter.write_sep("-", "replays")
            from pagereel.hyperlinks import link_source_location
            from pagereel.integrations.testing.failure_causes import MOST, read_failure_causes

            for number, path in enumerate(built):
                terminalreporter.write_line(path)
                for line in read_failure_causes(self.config.invocation_params.dir / path) if number < MOST else ():
                    terminalreporter.write_line(f"  {link_source_location(line) if terminalreporter.isatty else line}")
            if self.redaction is not None:
                from pagereel.redaction import describe_missing_models, list_missing_models

                if sentence := describe_missing_models(list_missing_models()):
                    terminalreporter.write_line(sentence, yellow=True)
        self.told.write_summary(terminalreporter)
