"""Which of the player's scripts a file has: what few pages have stands in few files."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from pagereel.player_build import build
from pagereel.player_build.needed_scripts import find_scripts_of_sheet
from pagereel.reel import Json
from pagereel.reel.replay_pieces import find_pieces
from tests.reel import sample

VIEW = {"w": 800, "h": 600, "dpr": 1}
BODY: list[Json] = ["h1", {}, "Kettles"]


def scripts(folder: Path, *body: Json, ops: list[Json] | None = None, head: list[Json] | None = None) -> set[str]:
    """The scripts by need, beside those of every file, in the replay of a page."""
    script = sample.Script(folder / "run.reel")
    script.run(
        "document", 1, d=1, page=1, frame="F1", url="https://shop.example/", top=True, viewport=VIEW, mode="CSS1Compat",
        title="", referrer="",
    )  # fmt: skip
    tree: list[Json] = ["#document", {}, ["html", {}, ["head", {}, *(head or [])], ["body", {}, *body]]]
    script.page("snapshot", 2, 1, why="start", ops=[["doc", 1, tree]])
    if ops:
        script.page("mutation", 3, 1, ops=ops)
    script.writer.close("done")
    build(folder / "run.reel", folder / "run.html", redaction=None)
    texts = zlib.decompress(next(find_pieces((folder / "run.html").read_bytes())).decode(), -15).decode().split("\0")
    return {*texts[::2]} - {"", "style", "markup", "panels", "timeline", "tools", "export"}


@pytest.mark.parametrize(
    "tag", ["canvas", "video", "audio", "area", "object", "embed", "http://www.w3.org/1999/xhtml|canvas"]
)
def test_a_page_with_a_canvas_a_film_an_object_or_an_area_has_the_script_that_paints_them(
    tmp_path: Path, tag: str
) -> None:
    assert scripts(tmp_path, [tag, {}]) == {"rare"}


@pytest.mark.parametrize(
    "op",
    [["open", 5, "modal"], ["selection", 6, 0, 6, 2, 2], ["bubble", 5, 0, "Please fill out this field.", ""], ["highlight", "found", 0, [6, 0, 6, 2]]],
)  # fmt: skip
def test_what_happens_later_asks_for_it_as_well(tmp_path: Path, op: list[Json]) -> None:
    assert scripts(tmp_path, BODY, ops=[op]) == {"rare"}


@pytest.mark.parametrize(
    "css", ["a { TRANSITION: all 1s }", "a { animation: b 1s }", r"a { \74ransition: all 1s }", "@keyframes b {}"]
)
def test_a_sheet_that_may_move_something_asks_for_motion(tmp_path: Path, css: str) -> None:
    # `@keyframes` alone move nothing.
    wanted = set() if css.startswith("@") else {"motion"}
    assert scripts(tmp_path, BODY, head=[["style", {}, css]]) == wanted
    assert scripts(tmp_path, ["p", {"style": css[3:-1].strip("{} ")}, "x"]) == wanted


@pytest.mark.parametrize("css", ["p::SELECTION { color: red }", "select { appearance: base-select }"])
def test_a_sheet_of_selections_or_of_lists_that_open_in_the_page_asks_for_what_few_pages_have(
    tmp_path: Path, css: str
) -> None:
    assert scripts(tmp_path, BODY, head=[["style", {}, css]]) == {"rare"}
    assert find_scripts_of_sheet(css.encode()) == {"rare"} and not find_scripts_of_sheet(b"select { appearance: none }")


@pytest.mark.parametrize(
    "page",
    [
        [["pre", {}, "{}"], ["div", {"class": "json-formatter-container"}]],
        [["style", {"id": "xml-viewer-style"}]],
        [["img", {"style": "display: block; -webkit-user-select: none; margin: auto"}]],
    ],
)
def test_a_view_of_the_browsers_own_asks_for_its_look(tmp_path: Path, page: list[list[Json]]) -> None:
    assert scripts(tmp_path, *page) == {"rare"}


def test_an_animation_of_a_script_asks_for_motion(tmp_path: Path) -> None:
    told = {"type": "script", "time": 0, "keyframes": [{"opacity": "0"}], "timing": {"duration": 5}}
    assert scripts(tmp_path, BODY, ops=[["anims", 1, told, "", 5]]) == {"motion"}


def test_a_page_with_none_of_it_has_neither(tmp_path: Path) -> None:
    page = [["form", {}, ["textarea", {"name": "canvas", "title": "open"}], ["details", {"open": ""}]], BODY]
    assert scripts(tmp_path, *page, ops=[["selection", 6, 0, 6, 2]]) == set()
