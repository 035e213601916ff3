"""Long texts that the pages of a recording have more than once stand in its file once, and everything that reads it finds them."""

from __future__ import annotations

import zlib
from pathlib import Path

import orjson
import pytest

from pagereel.player_build import build, unpack_replay
from pagereel.redaction import KnownValues, gate_html
from pagereel.reel import Event, Json, find_pieces, open_reel
from pagereel.sources import open_any
from tests.reel.sample import Script

ICON = 'url("data:image/svg+xml;base64,PHN2Zy8+")'
RULES = "".join(f".card-{n}:hover{{margin:{n}px;--icon:{ICON}}}\n" for n in range(60)) + "/* for Wilhelmina \u2603 */"
WORDS = "A long introduction by Ottoline. " * 20


def two_loads(path: Path, style: str = RULES) -> Path:
    script = Script(path)
    script.run("page", 0, page=1, event="open")
    for d in (1, 2):
        script.run(
            "document", 10 * d, d=d, page=1, frame="F", url="https://site.example/a", top=True, mode="CSS1Compat",
            viewport={"w": 800, "h": 600, "dpr": 1}, title="", referrer="",
        )  # fmt: skip
        body: list[Json] = ["body", {}, ["p", {"class": "card-7", "title": WORDS}, WORDS]]
        tree: list[Json] = ["#document", {}, ["html", {}, ["head", {}, ["style", {}, style]], body]]
        script.page("snapshot", 10 * d + 1, d, ops=[["doc", 1, tree]], why="start")
        script.checkpoint(10 * d + 2, d)
    script.run("console", 40, page=1, level="log", text='{"#":0}', args=[{"#": 0}])
    script.writer.close("done")
    return path


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_loads(tmp_path_factory.mktemp("texts") / "two.reel")


@pytest.fixture(scope="module")
def html(reel: Path) -> bytes:
    build(reel, reel.with_suffix(".html"), redaction=None)
    return reel.with_suffix(".html").read_bytes()


def pages(events: list[Event]) -> list[Event]:
    return [event for event in events if event["k"] == "snapshot"]


def test_the_file_has_each_once_and_a_rewritten_sheet_as_what_differs(html: bytes) -> None:
    pieces = {piece.name: zlib.decompress(piece.decode(), -15) for piece in find_pieces(html)}
    told = orjson.loads(pieces["texts"])
    assert told.count(WORDS) == told.count(RULES) == 1 and len(told) == 3
    shorter = next(text for text in told if isinstance(text, list))
    assert told[shorter[0]] == RULES and len(orjson.dumps(shorter)) < len(RULES)
    assert not any(WORDS.encode() in data for name, data in pieces.items() if name.startswith("chunk"))
    assert orjson.loads(pieces["index"])["version"] == 2


def test_what_reads_the_file_finds_them(reel: Path, html: bytes) -> None:
    with open_reel(reel) as recorded:
        expected = pages(list(recorded.events()))
    found = unpack_replay(html).events
    for mine, theirs in zip(pages(found), expected, strict=True):
        assert mine["ops"][0] == theirs["ops"][0]  # type: ignore[index]
    assert next(event for event in found if event["k"] == "console")["args"] == [{"#": 0}]
    with open_any(reel.with_suffix(".html")) as replay:
        assert [event["ops"] for event in pages(list(replay.events()))] == [event["ops"] for event in expected]


def test_a_recording_without_them_is_built_as_before(tmp_path: Path) -> None:
    script = Script(tmp_path / "a.reel")
    script.run("mark", 5, name="here")
    script.writer.close("done")
    build(tmp_path / "a.reel", tmp_path / "a.html", redaction=None)
    assert unpack_replay((tmp_path / "a.html").read_bytes()).index["version"] == 1
    assert "texts" not in {piece.name for piece in find_pieces((tmp_path / "a.html").read_bytes())}


@pytest.mark.parametrize("value", ["Wilhelmina", "Ottoline"])
def test_the_gate_finds_a_value_in_them(reel: Path, html: bytes, value: str) -> None:
    known = KnownValues.given([(value, "PERSON")])
    for data in (html, reel.read_bytes()):
        assert not gate_html(data, known, check=False).clean
    assert {leak.layer for leak in gate_html(html, known, check=False).leaks} == {
        "file > script#pagereel-texts > deflate-raw"
    }


def test_they_are_masked_as_all_else(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "a.html", redaction="vendor")
    known = KnownValues.given([("Wilhelmina", "PERSON"), ("Ottoline", "PERSON")])
    assert gate_html(tmp_path / "a.html", known, check=False).clean
    assert "texts" in {piece.name for piece in find_pieces((tmp_path / "a.html").read_bytes())}
