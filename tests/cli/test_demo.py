"""`pagereel demo` from the browser to the replay, without the pauses that make it worth watching."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from pagereel.cli import demo
from pagereel.errors import BuildError

from .conftest import Command


def test_the_demo_ends_in_a_redacted_replay_that_opens(
    pagereel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "run_demo", partial(demo.run_demo, fast=True))
    answer = pagereel("demo", "--output", tmp_path / "demo", "--json")
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)
    assert told["fidelity"]["tree"]["equal"] == told["fidelity"]["tree"]["total"] > 0
    html = Path(told["html"])
    assert told["bytes"] == html.stat().st_size
    assert b"elena.marchetti@example.com" not in html.read_bytes()
    assert Path(told["picture"]).read_bytes().startswith(b"\x89PNG")
    assert Path(told["reel"]).stat().st_mode & 0o777 == 0o600


def test_a_replay_that_asks_the_network_is_refused(tmp_path: Path) -> None:
    html = tmp_path / "bad.html"
    player = "window.pagereel = {ready: Promise.resolve(), steps: [], duration: 0, seek: async () => {}}"
    html.write_text(f"<script>{player}</script><img src='http://127.0.0.1:9/pixel.png'>")
    with pytest.raises(BuildError, match="pixel"):
        demo.check_opens(html, tmp_path / "bad.png")


def test_a_file_that_is_no_replay_is_refused(tmp_path: Path) -> None:
    html = tmp_path / "bad.html"
    html.write_text("<h1>Hello</h1>")
    with pytest.raises(BuildError, match="does not open"):
        demo.check_opens(html, tmp_path / "bad.png")
