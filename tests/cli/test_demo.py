"""`pagereel demo` from the browser to the replay, without the pauses that make it worth watching."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from pagereel.cli import demo
from pagereel.errors import BuildError
from pagereel.player_build import Fidelity, FidelityLayer

from .conftest import Command


@pytest.mark.slow
def test_the_demo_ends_in_a_redacted_replay_that_opens(
    pagereel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "run_demo", partial(demo.run_demo, fast=True))
    answer = pagereel("demo", "--output", tmp_path / "demo", "--json")
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)
    for layer in ("tree", "layout"):
        assert told["fidelity"][layer]["equal"] == told["fidelity"][layer]["total"] > 0
    assert told["fidelity"]["missing"] == 0
    html = Path(told["html"])
    assert told["bytes"] == html.stat().st_size
    assert b"elena.marchetti@example.com" not in html.read_bytes()
    assert Path(told["picture"]).read_bytes().startswith(b"\x89PNG")
    assert Path(told["reel"]).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("fidelity", "status"),
    [
        (Fidelity(FidelityLayer(3, 3), FidelityLayer(3, 3)), 0),
        (Fidelity(FidelityLayer(2, 3), FidelityLayer(3, 3)), 1),
        (Fidelity(FidelityLayer(3, 3), FidelityLayer(2, 3)), 1),
        (Fidelity(FidelityLayer(3, 3), FidelityLayer(3, 3), missing=1), 1),
    ],
)
def test_a_replay_that_falls_short_is_no_success(
    fidelity: Fidelity, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record_errand(reel: Path, **_: object) -> str:
        reel.write_bytes(b"")
        return "SM-1"

    monkeypatch.setattr(demo, "record_demo_run", record_errand)
    monkeypatch.setattr(demo, "require_replay_opens", lambda *_: None)
    monkeypatch.setattr(demo, "read_summary", lambda _: SimpleNamespace(sealed=True, is_fidelity_complete=True))
    report = SimpleNamespace(fidelity=fidelity, size=1, duration=1.0, differences=[])
    monkeypatch.setattr("pagereel.player_build.build", lambda *_, **__: report)
    assert demo.run_demo(tmp_path, headed=False, json=True, fast=True) == status


def test_a_replay_that_asks_the_network_is_refused(tmp_path: Path) -> None:
    html = tmp_path / "bad.html"
    player = "window.pagereel = {ready: Promise.resolve(), steps: [], duration: 0, seek: async () => {}}"
    html.write_text(f"<script>{player}</script><img src='http://127.0.0.1:9/pixel.png'>")
    with pytest.raises(BuildError, match="pixel"):
        demo.require_replay_opens(html, tmp_path / "bad.png")


def test_a_file_that_is_no_replay_is_refused(tmp_path: Path) -> None:
    html = tmp_path / "bad.html"
    html.write_text("<h1>Hello</h1>")
    with pytest.raises(BuildError, match="does not open"):
        demo.require_replay_opens(html, tmp_path / "bad.png")
