"""Collects the recordings and results of a test session, also from xdist's workers, and bundles them into one file at its end."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pytest

    from pagereel.integrations.suite import BundleReport, ReportedTest

FOLDER: Final = "pagereel_suite_recordings"
"""Name under which xdist's controller tells its workers where recordings go."""


@dataclass
class _TestResult:
    """The result of a test, as far as its reports have arrived."""

    outcome: str = ""
    duration: float = 0.0
    """ms"""
    message: str = ""
    reruns: int = 0


@dataclass
class SuiteCollection:
    """The recordings and results of one test session, which are bundled into one file at its end."""

    destination: Path
    redaction: Any
    folder: Path
    """Where the recordings wait."""
    owns: bool
    """Whether this process bundles them: with xdist the controller does."""
    _tests: dict[str, _TestResult] = field(default_factory=dict)

    @classmethod
    def create_for_process(cls, config: pytest.Config, destination: Path, redaction: Any) -> SuiteCollection:
        """Return the collection for this process. An xdist worker shares the folder of its controller."""
        given = getattr(config, "workerinput", {}).get(FOLDER)
        folder = Path(given) if given else Path(tempfile.mkdtemp(prefix="pagereel-suite-"))
        return cls(destination, redaction, folder, owns=not given)

    def move_recordings(self, reels: Iterable[Path]) -> None:
        """Move an attempt's recordings into the collection's folder."""
        for reel in reels:
            shutil.move(reel, self.folder / f"{uuid.uuid4().hex}.reel")

    def add_report(self, report: pytest.TestReport) -> None:
        """Add a pytest report to the result of its test."""
        seen = self._tests.setdefault(report.nodeid, _TestResult())
        if report.when == "setup":
            seen.outcome, seen.duration = "", 0.0
        seen.duration += report.duration * 1000
        if str(report.outcome) == "rerun":  # pytest-rerunfailures: the test comes again
            seen.reruns += 1
        elif report.failed:
            from .pytest_results import get_failure_message

            seen.outcome = "failed"
            seen.message = get_failure_message(report)
        elif report.skipped and not seen.outcome:
            seen.outcome = "xfailed" if hasattr(report, "wasxfail") else "skipped"
        elif report.when == "call" and not seen.outcome:
            seen.outcome = "passed"

    @property
    def recording_count(self) -> int:
        """Return the number of recordings in the folder that are not bundled yet."""
        return len(self._list_recordings())

    @property
    def leftover_message(self) -> str:
        """Return a sentence with the folder of recordings that could not be bundled; "" if there are none."""
        if not self.recording_count:
            return ""
        return f"The recordings, not masked, are left in {self.folder}: pagereel bundle '{self.folder}/*.reel' bundles them; delete the folder after that."

    def _list_recordings(self) -> list[Path]:
        return sorted(self.folder.glob("*.reel"))

    def bundle_recordings(self) -> BundleReport | None:
        """Bundle the recordings into one file, and return the report; None if no test ran."""
        from pagereel.integrations.suite import bundle_suite

        tests = [_to_reported_test(nodeid, seen) for nodeid, seen in self._tests.items()]
        if not tests:
            return None
        self.destination.parent.mkdir(parents=True, exist_ok=True)
        return bundle_suite(self._list_recordings(), self.destination, self.redaction, reported=tests)

    def delete_folder(self) -> None:
        if self.owns:
            shutil.rmtree(self.folder, ignore_errors=True)


def _to_reported_test(nodeid: str, test_result: _TestResult) -> ReportedTest:
    from pagereel.integrations.suite import ReportedTest, make_test_key

    file, _, name = nodeid.partition("::")
    outcome = "flaky" if test_result.reruns and test_result.outcome == "passed" else test_result.outcome or "unknown"
    message = test_result.message.strip().partition("\n")[0]
    return ReportedTest(
        name, file, outcome, test_result.duration, make_test_key(file, name), message, test_result.reruns
    )
