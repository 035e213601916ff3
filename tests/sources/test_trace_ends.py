"""How the run of a trace ended, what is too old to be read, and what of a test runner's trace is the test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagereel import open_recording
from pagereel.errors import ReelError
from pagereel.reading import build_run_summary
from pagereel.sources import open_any

from .making import options, trace, zipped


def _call(number: int, method: str, start: float, end: float | None, **more: Any) -> list[dict[str, Any]]:
    before = {
        "type": "before",
        "callId": f"call@{number}",
        "class": "Frame",
        "method": method,
        "startTime": start,
        "params": more.pop("params", {}),
    }
    return [before] if end is None else [before, {"type": "after", "callId": f"call@{number}", "endTime": end, **more}]


def test_a_trace_whose_last_call_fails_lasts_until_it_has_failed_and_is_a_run_that_failed(tmp_path: Path) -> None:
    """A picture of the failure and the pages' ends come behind it; the browser's own request for an icon is no error."""
    failure = {"error": {"name": "TimeoutError", "message": "Timeout 3000ms exceeded."}}
    icon = {
        "type": "console",
        "time": 1_150,
        "messageType": "error",
        "text": "404",
        "location": {"url": "http://shop.example/favicon.ico"},
    }
    path = trace(
        tmp_path / "t.zip",
        *_call(1, "goto", 1_000, 1_100, params={"url": "http://shop.example/"}),
        icon,
        *_call(2, "click", 1_200, 4_200, params={"selector": "#pay"}, **failure),
        *_call(3, "screenshot", 4_210, 4_220),
    )
    recording = open_recording(path)
    summary = build_run_summary(recording)
    assert (summary["outcome"], summary["duration"], summary["failed_at"]) == ("failed", 3_220, 3_200)
    assert "fails: it gave up after 3.0 s" in summary["failure"][0] and summary["errors"] == 1
    with open_any(path) as reel:
        assert reel.end is not None and (reel.end["t"], reel.end["reason"]) == (3_220, "error")
    healed = trace(tmp_path / "h.zip", *_call(1, "click", 1_000, 1_100, **failure), *_call(2, "click", 1_200, 1_300))
    assert build_run_summary(open_recording(healed))["outcome"] == "unknown"


@pytest.mark.parametrize("version", [1, 3, 5])
def test_a_trace_from_before_playwright_1_40_is_refused_in_one_sentence(version: int, tmp_path: Path) -> None:
    lines = [
        {"version": version, "type": "context-options", "browserName": "chromium", "options": {}},
        {"type": "action", "metadata": {"id": "call@1"}},
    ]
    with pytest.raises(ReelError, match=f"format version {version}, of Playwright before 1.40"):
        open_any(zipped(tmp_path / "t.zip", {"trace.trace": lines, "trace.network": []}))


def test_of_a_test_of_playwright_tests_hooks_fold_and_its_own_calls_stand_in_it(tmp_path: Path) -> None:
    def ran(
        name: str, method: str, title: str, start: float, end: float, parent: str | None = None, **more: Any
    ) -> list[dict[str, Any]]:
        above = {"parentId": parent} if parent else {}
        return [
            {"type": "before", "callId": name, "startTime": start, "class": "Test", "method": method, "title": title, "params": {}, **above},
            {"type": "after", "callId": name, "endTime": end, **more},
        ]  # fmt: skip

    path = zipped(
        tmp_path / "t.zip",
        {
            "trace.trace": [options()],
            "trace.network": [],
            "test.trace": [
                options(origin="testRunner", title="shop.spec.js:3 › pays"),
                *ran("h@1", "hook", "Before Hooks", 1_000, 1_100),
                *ran("f@1", "fixture", 'Fixture "page"', 1_000, 1_050, "h@1"),
                *ran("p@1", "pw:api", "Create page", 1_010, 1_040, "f@1"),
                *ran("h@2", "hook", "beforeEach hook", 1_050, 1_090, "h@1"),
                *ran("p@2", "pw:api", "Set content", 1_060, 1_080, "h@2"),
                *ran("p@3", "pw:api", "Navigate", 1_110, 1_200),
                *ran("s@1", "test.step", "Check", 1_210, 1_300),
                *ran("p@4", "expect", "Expect", 1_220, 1_290, "s@1", error={"message": "Error: not there"}),
                {"type": "error", "message": "Error: not there"},
                *ran("h@3", "hook", "After Hooks", 1_310, 1_400),
            ],
        },
    )
    recording = open_recording(path)
    steps = {step["title"]: step for step in recording.steps()}
    assert list(steps) == ["shop.spec.js:3 › pays", "Before Hooks", "Check", "After Hooks"]
    whole = steps["shop.spec.js:3 › pays"]
    assert whole["success"] is False and all(
        step["parent"] == whole["id"] for step in steps.values() if step is not whole
    )
    with open_any(path) as reel:
        within = {event["title"]: event["step"] for event in reel.events({"call"})}
    assert within == {
        "Create page": steps["Before Hooks"]["id"], "Set content": steps["Before Hooks"]["id"], "Navigate": whole["id"], "Expect": steps["Check"]["id"],
    }  # fmt: skip
    assert build_run_summary(recording)["outcome"] == "failed"
