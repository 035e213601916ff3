"""Reads a test's identity, phases and failures from pytest's objects."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from pagereel.integrations.testing.reel_annotation import RunPhase
    from pagereel.reel import Event


_CI: Final = (
    ("github", "GITHUB_RUN_ID", "GITHUB_SHA"),
    ("gitlab", "CI_PIPELINE_ID", "CI_COMMIT_SHA"),
    ("circleci", "CIRCLE_WORKFLOW_ID", "CIRCLE_SHA1"),
    ("buildkite", "BUILDKITE_BUILD_ID", "BUILDKITE_COMMIT"),
    ("azure", "BUILD_BUILDID", "BUILD_SOURCEVERSION"),
    ("bitbucket", "BITBUCKET_BUILD_NUMBER", "BITBUCKET_COMMIT"),
    ("jenkins", "BUILD_TAG", "GIT_COMMIT"),
)
"""CI service, and its environment variables for the run (the same for all shards) and the commit."""


def read_test_metadata(item: pytest.Item, retry: int) -> dict[str, Any]:
    """Return a test's id, markers, parameters and retry, for the recording's metadata."""
    from _pytest._io.saferepr import saferepr

    callspec = getattr(item, "callspec", None)
    return {
        "test": item.nodeid,
        "markers": sorted({mark.name for mark in item.iter_markers()}),
        "parameters": {name: saferepr(value) for name, value in callspec.params.items()} if callspec else {},
        "retry": retry,
        **read_ci_run(os.environ),
        "pytest": pytest.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def read_ci_run(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the id of the CI run (the same in all its shards) and the tested commit, from environment variables; {}
    outside of CI.
    """
    for service, run, commit in _CI:
        if environment.get(run):
            found = {"ci": f"{service}/{environment[run]}"}
            return found | ({"version": environment[commit][:12]} if environment.get(commit) else {})
    return {}


def find_output_path(item: pytest.Item) -> Path | None:
    """Return the test's output folder from pytest-playwright's fixture `output_path`; None if the test did not use the
    fixture.
    """
    found = (getattr(item, "funcargs", None) or {}).get("output_path")
    return Path(found) if isinstance(found, str) else None


def get_first_error_line(call: pytest.CallInfo[None], report: pytest.TestReport) -> str:
    text = call.excinfo.exconly() if call.excinfo is not None else str(report.longrepr or "")
    return text.strip().partition("\n")[0]


def get_failure_message(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash is not None else report.longrepr or "")


def to_run_phase(item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport) -> RunPhase:
    """Return the phase (set-up, test or tear-down) that a pytest report describes, to become a step of the replay."""
    from pagereel.integrations.testing.reel_annotation import RunPhase

    return RunPhase(
        call.start * 1000, call.stop * 1000,
        {"setup": "Set-up", "teardown": "Tear-down"}.get(report.when or "", item.name),
        success=None if report.skipped else report.passed,
        message=("expected failure" if hasattr(report, "wasxfail") else "skipped") if report.skipped else None,
        error=get_first_error_line(call, report) if report.failed else None,
        always=report.when == "call",
    )  # fmt: skip


def find_raising_line(call: pytest.CallInfo[None]) -> Event | None:
    """Return the line of the user's code that raised the exception, with the code around it."""
    from pagereel.recorder import find_line_that_raised

    return find_line_that_raised(call.excinfo.tb) if call.excinfo is not None else None


def collect_failure_facts(call: pytest.CallInfo[None], report: pytest.TestReport, message: str) -> dict[str, Any]:
    from pagereel.integrations.testing.attempts import describe_locals

    facts: dict[str, Any] = {"outcome": "failed", "phase": report.when}
    facts["message"] = message
    if call.excinfo is not None and len(call.excinfo.traceback):
        entry = call.excinfo.traceback[-1]
        facts |= {"source": f"{entry.path}:{entry.lineno + 1}", "locals": describe_locals(entry.locals)}
    return facts
