"""`#e=` opens the replay at an event, by the id that the raw recording, its masked copy and the command line give it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pagereel import build, open_recording, redact
from pagereel.cli import main
from pagereel.recorder import Session
from pagereel.reel import EventIds, open_reel

from .conftest import Replay

PAGE = "<!doctype html><h1>Shop</h1><input id=name value=''><button onclick=\"console.log('pressed ' + name.value)\">Buy</button>"


def ids_of(reel: Path) -> dict[str, tuple[str, float]]:
    """Id → kind and time."""
    with open_reel(reel) as opened:
        ids = EventIds(opened.header)
        found = [
            (ids.compute_next_id(event), str(event["k"]), float(str(event.get("t") or 0)))
            for event in opened.timeline()
        ]
    assert len({name for name, _, _ in found}) == len(found)
    return {name: (kind, t) for name, kind, t in found}


def test_a_link_to_an_event_opens_raw_and_masked_replays_at_it(
    recorded: Callable[..., Path],
    open_replay: Callable[..., Replay],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def act(page: Page, session: Session) -> None:
        with session.step("Buy for ada@example.com"):
            page.locator("#name").fill("Ada Miller")
            page.get_by_role("button").click()
        session.mark("bought")
        session.note("Ada Miller bought")

    reel = recorded(PAGE, act)
    masked = tmp_path / "masked.reel"
    redact(reel, masked)
    raw, shown = ids_of(reel), ids_of(masked)
    added = {kind for name, (kind, _) in shown.items() if name not in raw}
    assert added <= {"redaction", "resource"}, added
    assert {name: shown[name] for name in shown if name in raw} == {name: raw[name] for name in shown if name in raw}
    assert {"mutation", "mouse", "console", "call", "step", "mark", "note"} <= {kind for kind, _ in shown.values()}

    capsys.readouterr()
    assert main(["events", str(reel), "--kind", "mouse", "--kind", "mark", "--ids"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    press = next(event for event in told if event["k"] == "mouse" and event["type"] == "down")
    mark = next(event for event in told if event["k"] == "mark")
    assert raw[press["e"]] == ("mouse", press["t"]) and main(["events", str(masked), "--event", press["e"][:10]]) == 0
    assert json.loads(capsys.readouterr().out)["t"] == press["t"]
    assert main(["events", str(reel), "--event", "0000000000000000"]) == 2
    assert open_recording(masked).moment(f"event {press['e']}") == press["t"]

    replay = open_replay(reel, f"#e={press['e']}")
    assert replay.page.evaluate("pagereel.time") == press["t"]
    replay.page.evaluate(f"location.hash = 'e={mark['e'][:12]}'")
    replay.until(f"pagereel.time === {mark['t']}")
    assert replay.page.evaluate("pagereel.seek({event: 'ffff0000ffff0000'}).catch(String)") == (
        'RangeError: There is no event "ffff0000ffff0000".'
    )
    assert not replay.requests
    part = tmp_path / "part.html"
    build(masked, part, redaction=None, start=press["t"] - 5, end=mark["t"] + 100)
    replay.page.goto(f"{part.as_uri()}#e={mark['e']}")
    replay.page.evaluate("pagereel.ready")
    assert abs(replay.page.evaluate("pagereel.time") - (mark["t"] - press["t"] + 5)) < 0.2
    assert not replay.problems
