"""`pagereel verify --replay` holds the DOM in the player's frame against the recording, and names what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.browser import launch_options
from pagereel.cli import main
from pagereel.errors import BuildError
from pagereel.player_build import FidelityLayer, ReplayReport, build, headless, unpack_replay, verify_replay
from pagereel.reel import open_reel
from tests.reel.sample import write_sample

from .conftest import Hand

BODY = [
    ["h1", {}, "Order"],
    ["div", {"id": "open"}, ["#shadow", {"mode": "open"}, ["p", {}, "open"]], "light"],
    ["div", {"id": "closed"}, ["#shadow", {"mode": "closed"}, ["p", {}, "closed"]], "light"],
    ["a", {"href": "https://site.example/", "target": "_top"}, "away"],
    ["img", {"src": "gone.png", "alt": ""}],
    ["input", {"value": "as written"}],
    ["input", {"type": "number", "value": "5"}],
    ["input", {"type": "checkbox", "checked": ""}],
    ["select", {}, ["option", {}, "a"], ["option", {}, "b"]],
    ["svg|svg", {"viewBox": "0 0 1 1"}, ["svg|path", {"d": "M0 0"}]],
    ["template", {}, ["#content", {}, ["i", {}, "inert"]]],
    ["#comment", "a comment"],
    ["#pi", "target", "an instruction"],
]


@pytest.fixture
def order(hand: Hand) -> Hand:
    """One page with a checkpoint before and one after a change."""
    hand.start(*BODY)
    hand.script.checkpoint(20, 1)
    ids = {node.name: node.id for node in hand.script.model.documents[1].walk() if node.kind == 1}
    ops = [["selected", ids["select"], [1]], ["attr", ids["h1"], {"class": "late"}]]
    hand.script.page("mutation", 40, 1, ops=ops)
    hand.script.checkpoint(60, 1)
    return hand


def built(reel: Path, redaction: str | None = None) -> Path:
    html = reel.with_suffix(".html")
    build(reel, html, redaction=redaction)
    return html


def check(html: Path) -> ReplayReport:
    return verify_replay(html, launch=launch_options())


def test_a_replay_meets_each_checkpoint_of_every_document(tmp_path: Path) -> None:
    reel = tmp_path / "sample.reel"
    write_sample(reel)
    with open_reel(reel) as read:
        checkpoints = sum(event["k"] == "checkpoint" for event in read.events())
    report = check(built(reel))
    assert report.ok and report.fidelity.tree == FidelityLayer(checkpoints, checkpoints), report.differences


@pytest.mark.slow
def test_a_redacted_replay_meets_them_too(order: Hand) -> None:
    report = check(built(order.close(), "vendor"))
    assert report.ok and report.fidelity.tree.total == 2, report.differences


def test_a_page_in_quirks_mode_is_in_quirks_mode(hand: Hand) -> None:
    hand.start(["p", {}, "no doctype"], mode="BackCompat")
    hand.script.checkpoint(20, 1)
    html = built(hand.close())
    assert check(html).ok


FORGED = {
    "document.querySelector('h1').textContent = 'forged'": "h1[0]/#text[0]",
    "document.querySelector('h1').className = 'forged'": "h1[0]",
    "document.body.append('more')": "body[1]/#text[13]",
    "document.querySelector('input').value = 'forged'": "input[5]",
    "document.querySelector('select').selectedIndex = -1": "select[8]",
    "closed[0].firstChild.title = 'forged'": "#shadow root[0]/p[0]",
    "document.querySelector('template').content.firstChild.title = 'x'": "#content[0]/i[0]",
    "document.querySelector('a').dataset.pagereelWasTarget = '_self'": "a[3]",
}
"""What a page opened by a checkpoint's link shows otherwise, and where that is."""
LINKED = "const linked = Number(/t=([0-9.]+)/.exec(top.location.hash)?.[1]);"


@pytest.mark.slow
def test_what_the_frame_shows_otherwise_is_named(order: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    times = range(100, 100 + len(FORGED))
    for t in times:
        order.script.checkpoint(t, 1)
    forge = "".join(f"if (linked === {t}) {change};" for t, change in zip(times, FORGED, strict=True))
    monkeypatch.setattr(headless, "LOOK", headless.LOOK.replace("look(document);", f"{LINKED} {forge} look(document);"))
    report = check(built(order.close()))
    assert not report.ok and report.fidelity.tree == FidelityLayer(2, 2 + len(FORGED))
    named = {difference.t: difference.path for difference in report.differences}
    assert list(named) == list(times), report.differences
    assert [named[t] for t, where in zip(times, FORGED.values(), strict=True) if not named[t].endswith(where)] == []


def test_what_the_walls_take_out_is_counted_apart(hand: Hand) -> None:
    hand.start(
        ["style", {}, "@import url('more.css'); h1 { color: red }"],
        ["svg|a", {}, ["svg|set", {"attributeName": "href", "to": "/elsewhere"}]],
    )
    hand.script.checkpoint(20, 1)
    report = check(built(hand.close()))
    assert "tree 1 of 1" in str(report) and "1 of them without what a replay must not hold" in str(report)


def test_a_checkpoint_that_the_events_do_not_give_is_named(order: Hand) -> None:
    order.script.page("checkpoint", 80, 1, digest="00000000", nodes=3, equal=False)
    report = check(built(order.close()))
    assert report.fidelity.tree == FidelityLayer(2, 3)
    assert "the checkpoint has 00000000 over 3 nodes" in str(report.differences[0])


def test_the_command_prints_n_of_n_and_exits_1_on_a_difference(
    order: Hand, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    html = built(order.close())
    assert main(["verify", "--replay", str(html)]) == 0
    assert capsys.readouterr().out.startswith("replay matches the page: 2 of 2 checks\nfidelity: tree 2 of 2 · ")
    changed = headless.LOOK.replace("look(document);", "document.body.replaceChildren(); look(document);")
    monkeypatch.setattr(headless, "LOOK", changed)
    assert main(["verify", "--replay", str(html), "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["fidelity"]["tree"], verdict["ok"]) == ({"equal": 0, "total": 2}, False)
    assert verdict["fidelity"]["verdict"] == "short" and verdict["differences"][0]["layer"] == "tree"
    assert "h1[0]: recorded <h1>, replayed nothing" in verdict["differences"][0]["detail"]


def test_what_is_no_replay_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><p>no replay</p>", encoding="utf-8")
    with pytest.raises(BuildError, match="not a file that pagereel built"):
        check(page)
    assert main(["verify", "--replay", str(page)]) == 2


def test_what_only_a_fresh_page_shows_otherwise_is_told_with_the_way(
    order: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = "if (location.hash.includes('t=') || top.location.hash.includes('t=')) document.body.append('more')"
    monkeypatch.setattr(headless, "LOOK", headless.LOOK.replace("look(document);", f"{opened}; look(document);"))
    report = check(built(order.close()))
    assert report.fidelity.tree == FidelityLayer(0, 2)
    assert {difference.way for difference in report.differences} == {"opened by its link"}
    assert ", opened by its link, " in str(report.differences[0])


def test_a_player_that_cannot_show_a_moment_falls_short(order: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def seek(self: headless.HeadlessPlayer, page: int, t: float, size: object) -> None:
        raise headless.PageNotShownError("no such moment")

    monkeypatch.setattr(headless.HeadlessPlayer, "seek", seek)
    report = check(built(order.close()))
    assert report.fidelity.tree == FidelityLayer(0, 2) and "no such moment" in str(report.differences[0])


@pytest.mark.slow
def test_a_build_that_was_checked_says_so_in_the_file(order: Hand, capsys: pytest.CaptureFixture[str]) -> None:
    reel = order.close()
    html = reel.with_suffix(".html")
    assert main(["build", str(reel), str(html), "--redaction", "off"]) == 0
    assert "fidelity: tree 2 of 2 · layout, picture: not checked" in capsys.readouterr().out
    assert unpack_replay(html.read_bytes()).index["info"]["fidelity"]["verdict"] == "open"
    assert main(["build", str(reel), str(html), "--redaction", "off", "--check", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["fidelity"]
    assert told["tree"] == {"equal": 2, "total": 2} and told["picture"] == {"equal": 0, "total": 0}
    assert unpack_replay(html.read_bytes()).index["info"]["fidelity"] == told
    assert check(html).ok


def test_a_build_that_falls_short_names_it_and_exits_1(
    order: Hand, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reel = order.close()
    html = reel.with_suffix(".html")
    changed = headless.LOOK.replace("look(document);", "document.body.replaceChildren(); look(document);")
    monkeypatch.setattr(headless, "LOOK", changed)
    assert main(["build", str(reel), str(html), "--redaction", "off", "--check"]) == 1
    assert "tree of document 1" in capsys.readouterr().out
    told = unpack_replay(html.read_bytes()).index["info"]["fidelity"]
    assert told["verdict"] == "short" and told["tree"] == {"equal": 0, "total": 2}
    assert "recorded <h1>, replayed nothing" in told["differences"][0]
