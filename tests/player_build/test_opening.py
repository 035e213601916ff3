"""A replay opens when there is first something to see; its time still begins at 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.player_build import build
from pagereel.reel import Json
from tests.reel import sample

from .test_build import unpack_replay


def opens(path: Path, *bodies: Json, **options: float) -> float:
    """When a replay opens: an empty page at 0, then at 1000, 2000 and so on each of these bodies, put into a page of a shop."""
    script = sample.Script(path)
    script.run("page", 0, page=1, event="open", url="about:blank")
    shown: dict[str, Json] = {
        "viewport": {"w": 800, "h": 600, "dpr": 1},
        "mode": "CSS1Compat",
        "frame": "F",
        "top": True,
    }
    script.run("document", 0, d=1, page=1, url="about:blank", **shown)
    script.page(
        "snapshot", 0, 1, ops=[["doc", 1, ["#document", {}, ["html", {}, ["head", {}], ["body", {}]]]]], why="start"
    )
    script.run("document", 900, d=2, page=1, url="https://shop.example/", **shown)
    head: Json = ["head", {}, ["title", {}, "Shop"], ["style", {}, "p{color:red}"]]
    tree: Json = ["#document", {}, ["html", {}, head, ["body", {}]]]
    script.page("snapshot", 900, 2, ops=[["doc", 1, tree]], why="start")
    first = 9
    for number, body in enumerate(bodies, 1):
        script.page("mutation", 1000 * number, 2, ops=[["add", 8, first, body]])
        first += 20
    script.writer.close("done")
    html = path.with_suffix(".html")
    build(path, html, redaction=None, **options)  # type: ignore[arg-type]
    found = unpack_replay(html.read_bytes()).index["opens"]
    assert isinstance(found, int | float)
    return found


@pytest.mark.parametrize(
    "body",
    [
        ["p", {}, "Tea"],
        ["div", {}, ["img", {"src": "a.png"}]],
        ["form", {}, ["input", {"type": "text"}]],
        ["x-app", {}, ["#shadow", {"mode": "open"}, ["b", {}, "Tea"]]],
    ],
)
def test_what_is_seen_first_is_where_a_replay_opens(tmp_path: Path, body: Json) -> None:
    nothing: Json = [
        "div", {"id": "root"}, "\n  ", ["script", {}, "go()"], ["template", {}, ["#content", {}, "later"]],
        ["p", {"hidden": ""}, "A hint"], ["input", {"type": "hidden", "value": "x"}], ["noscript", {}],
    ]  # fmt: skip
    assert opens(tmp_path / "a.reel", nothing, body) == 2000


def test_a_run_in_which_nothing_shows_opens_at_its_beginning(tmp_path: Path) -> None:
    assert opens(tmp_path / "a.reel", ["div", {}]) == 0


def test_a_part_in_which_something_shows_already_opens_at_its_beginning(tmp_path: Path) -> None:
    assert opens(tmp_path / "a.reel", ["p", {}, "Tea"], ["p", {}, "Milk"], start=1500) == 0
    assert opens(tmp_path / "b.reel", ["p", {}, "Tea"], ["p", {}, "Milk"], start=950) == 50
