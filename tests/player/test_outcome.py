"""Replay, queries, library, comparison and transcript say the same of how a run ended."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pagereel import Library, compare
from pagereel.cli import main
from pagereel.integrations import export
from pagereel.recorder import Session
from pagereel.reel import open_reel

from .conftest import Replay

PAGE = "<!doctype html><h1>Shop</h1><button>Pay</button>"


def recovers(page: Page, session: Session) -> None:
    with contextlib.suppress(Exception), session.step("Pay"):
        page.get_by_role("button", name="Buy").click(timeout=100)
    with session.step("Pay"):
        page.get_by_role("button", name="Pay").click()


def is_said_to_fail(page: Page, session: Session) -> None:
    recovers(page, session)
    session.outcome(success=True)
    session.outcome(success=False, reason="the wrong item")


@pytest.mark.parametrize(
    ("act", "outcome", "recovered", "told"),
    [(recovers, "passed", 1, "passed, 1 step recovered"), (is_said_to_fail, "failed", 0, "failed: the wrong item")],
)
def test_all_say_the_same(
    recorded: Callable[..., Path],
    open_replay: Callable[..., Replay],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    act: Callable[[Page, Session], None],
    outcome: str,
    recovered: int,
    told: str,
) -> None:
    reel = recorded(PAGE, act)
    replay = open_replay(reel)
    assert replay.page.evaluate("pagereel.info.outcome") == {"outcome": outcome, "recovered": recovered, "told": told}
    steps = replay.page.evaluate("pagereel.steps")
    failed = steps[0]["time"] + steps[0]["duration"]
    opened = replay.page.evaluate("pagereel.time")
    with open_reel(reel) as recording:  # A busy machine ends the step later than the call in it that failed.
        calls = [
            event["t"] + event["duration"]
            for event in recording.timeline()
            if "error" in event and event["k"] == "call"
        ]
    assert calls[0] - 1 <= opened <= failed + 1 if outcome == "failed" else opened < failed
    replay.page.get_by_role("tab", name="Info").click()
    assert replay.page.locator("dt", has_text="Outcome").locator("+ dd").inner_text() == told

    for path in (reel, replay.path):
        assert main(["query", str(path), "summary", "--json", "--redaction", "off"]) == 0
        summary = json.loads(capsys.readouterr().out)
        assert (summary["outcome"], summary["recovered"]) == (outcome, recovered)
    assert f"Outcome: {told}." in str(export(reel, "markdown"))
    assert compare(reel, reel).outcome == {"a": outcome, "b": outcome}
    with Library(tmp_path / "runs") as library:
        (tmp_path / "runs" / "library.toml").write_text('index = "off"\n')
    with Library(tmp_path / "runs") as library:
        library.add(reel)
        (run,) = library.search(f"outcome:{outcome}").runs
        assert run.recovered == recovered


def test_what_the_run_got_over_is_no_failure_of_it(
    recorded: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    reel = recorded(PAGE, recovers)
    assert main(["query", str(reel), "first-failure", "--json", "--redaction", "off"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["failure"] is None and told["recovered"] == 1 and "gets over it" in " ".join(told["chain"])
