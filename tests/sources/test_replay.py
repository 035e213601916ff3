"""pagereel's own HTML as a recording: everything that the file holds, as it was before the build."""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import ReelError
from pagereel.player_build import build, unpack_replay
from pagereel.reading import QUERIES, build_run_summary, open_recording
from pagereel.reel import Event, EventIds
from pagereel.sources import import_recording, open_any
from pagereel.sources.replay import sheet_restoring
from tests.comparison.runs import Made
from tests.reel import sample

FORMS: dict[str, dict[str, Any]] = {"plain.html": {}, "compact.html": {"compact": True}, "packed.zip": {"zip": True}}


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "sample.reel"
    sample.write_sample(path)
    return path


@pytest.fixture(scope="module")
def replay(reel: Path) -> Path:
    build(reel, reel.with_name("replay.html"), redaction=None)
    return reel.with_name("replay.html")


def events(path: Path) -> dict[str, Event]:
    with open_any(path) as recording:
        ids = EventIds(recording.header)
        return {ids.compute_next_id(event): event for event in recording.timeline()}


def built(path: Path) -> list[str]:
    """The events of a built file, each resource by what it holds."""
    file = unpack_replay(path.read_bytes())
    held = [f"{mime} {data!r}" for mime, data in file.iter_resources()]

    def what(text: str) -> str:
        return re.sub(r"pagereel:(\d+)", lambda match: f"<{what(held[int(match[1])])}>", text)

    ignored = {"body", "why"}
    return [what(json.dumps({k: v for k, v in event.items() if k not in ignored})) for event in file.events]


@pytest.mark.parametrize("form", FORMS)
def test_a_replay_answers_as_its_recording_does(reel: Path, tmp_path: Path, form: str) -> None:
    path = tmp_path / form
    build(reel, path, redaction=None, **FORMS[form])
    ours, theirs = open_recording(reel), open_recording(path)
    assert theirs.kind == "replay"
    for name, query in QUERIES.items():
        assert query(theirs) == query(ours), name
    assert theirs.summary() == ours.summary()
    for t in (*range(0, int(ours.duration), 300), ours.duration):
        assert theirs.text(float(t)) == ours.text(float(t))


@pytest.mark.parametrize(("reason", "outcome"), [("error", "failed"), ("closed", "passed")])
def test_how_a_run_ended_is_in_its_replay(tmp_path: Path, reason: str, outcome: str) -> None:
    """An exception that left the recording after a step that succeeded fails the run, in the replay's replay too."""
    run = Made(tmp_path / "run.reel")
    run.open("/", "Shop", "Hello")
    run.step("Read")
    run.end_step()
    run.script.writer.close(reason)
    build(run.path, tmp_path / "one.html", redaction=None)
    build(tmp_path / "one.html", tmp_path / "two.html", redaction=None)
    for name in ("run.reel", "one.html", "two.html"):
        assert build_run_summary(open_recording(tmp_path / name))["outcome"] == outcome, name


def test_its_events_are_those_of_the_recording_with_their_ids(reel: Path, replay: Path) -> None:
    recorded, read = events(reel), events(replay)
    shown = {key: event for key, event in recorded.items() if event["k"] not in ("resource", "alias", "end")}
    assert set(shown) <= set(read)
    for key, event in shown.items():
        other = read[key]
        if event["k"] == "response":
            assert other.get("body") in (event.get("body"), None)
        elif event["k"] not in ("reel", "mutation", "snapshot"):
            assert other == event
        elif event["k"] != "reel":
            assert other["ops"] == event["ops"]
    header = next(event for event in read.values() if event["k"] == "reel")
    imported = header["imported"]
    assert isinstance(imported, dict) and (imported["from"], imported["name"]) == ("replay", "pagereel")


def test_a_replay_of_a_replay_is_the_same_replay(replay: Path, tmp_path: Path) -> None:
    build(replay, tmp_path / "again.html", redaction=None)
    assert built(tmp_path / "again.html") == built(replay)
    import_recording(replay, tmp_path / "again.reel")
    build(tmp_path / "again.reel", tmp_path / "third.html", redaction=None)
    assert built(tmp_path / "third.html") == built(replay)
    first, last = unpack_replay(replay.read_bytes()).index, unpack_replay((tmp_path / "third.html").read_bytes()).index
    for name in ("title", "duration", "idle", "tabs"):
        assert last[name] == first[name]


STYLES = {
    "https://shop.example/site.css": (
        '@charset "utf-8";\n@import "base.css" layer(base) screen;\n@import url(more.css);\n'
        '.é:hover a:link{background:url(img/a.png) , url("img/b.png#x")}[src$=".png"]:focus-within{cursor:url(c.cur),auto}'
        'p::before{content:attr(label)}:disabled{mask:image-set("img/a.png" 1x, url(none.png) 2x)}'
    ),
    "https://shop.example/base.css": "@font-face{font-family:A;src:url(/fonts/a.woff2)}a:visited{color:red}",
    "https://shop.example/more.css": ":root{--x:1}:fullscreen{color:blue}",
}
"""A sheet with everything that a build rewrites."""


def dressed(path: Path, big: bytes = sample.png(8, 8, (1, 9, 9))) -> None:
    """A page with addresses wherever a page can have them."""
    s = sample.Script(path)
    s.run("page", 0, page=1, event="open", url="about:blank")
    s.run("document", 10, d=1, page=1, frame="F", url="https://shop.example/cart/", top=True, mode="CSS1Compat",
          viewport={"w": 800, "h": 600, "dpr": 1})  # fmt: skip
    for number, (url, css) in enumerate(STYLES.items()):
        s.fetch(11 + number, f"s{number}", url, "stylesheet", "text/css", css.encode())
    names = (
        "img/a.png",
        "img/b.png",
        "c.cur",
        "fonts/a.woff2",
        "img/big.png",
        "cart/row.png",
        "film.png",
        "cart/late.png",
    )
    for number, name in enumerate(names):
        data = sample.png(8, 8, (number * 20, 9, 9)) if number else big
        s.fetch(20 + number, f"i{number}", f"https://shop.example/{name}", "image", "image/png", data)
    inline = '@import "/more.css"; td{background:url("row.png")} td:hover{background:url(../img/b.png)}'
    tree: Any = ["#document", {}, ["html", {}, ["head", {}, ["base", {"href": "/"}],
        ["link", {"rel": "stylesheet", "href": "site.css"}], ["style", {}, inline.replace("row.png", "cart/row.png").replace("../", "")]],
        ["body", {"style": "background:url('img/a.png'), url(img/none.png)"},
         ["img", {"srcset": "img/a.png 1x, img/big.png 2x"}], ["img", {"src": "cart/late.png#v"}],
         ["img", {"src": "gone.png"}], ["video", {"src": "film.mp4"}], ["canvas", {}]]]]  # fmt: skip
    s.page("snapshot", 40, 1, ops=[["doc", 1, tree]], why="start")
    found = {node.name: node.id for node in s.model.documents[1].walk()}
    picture = s.resource(41, "image/png", sample.png(16, 9, (1, 2, 3)))
    s.ops(42, 1, ["canvas", found["video"], picture, 16, 9], ["canvas", found["canvas"], picture, 16, 9])
    s.ops(
        43,
        1,
        ["sheet", 1, found["link"], "a{background:url(img/b.png)}"],
        ["sheet", 2, 0, "b:hover{background:url(img/a.png)}"],
    )
    s.ops(
        44,
        1,
        ["attr", found["base"], {"href": "/cart/"}],
        ["attr", found["body"], {"style": "background:url('late.png')"}],
    )
    s.checkpoint(50, 1)
    s.writer.close("done")


def test_addresses_in_every_place_find_what_they_stood_for(tmp_path: Path) -> None:
    dressed(tmp_path / "dressed.reel")
    first = build(tmp_path / "dressed.reel", tmp_path / "first.html", redaction=None)
    second = build(tmp_path / "first.html", tmp_path / "second.html", redaction=None)
    for one, two in zip_longest(built(tmp_path / "first.html"), built(tmp_path / "second.html")):
        assert two == one
    assert second.fidelity.tree == first.fidelity.tree and second.resources == first.resources


def test_a_rewritten_sheet_is_read_as_its_author_wrote_it() -> None:
    css = (
        'a:hover b:not(:focus-visible):is([href="x]"],[data-x]),:open,:valid,:defined{--a:":hover"}'
        "::picker(select):popover-open{left:0}x:state(on){top:0}"
    )
    from pagereel.player_build.sheet_rewriting import rewrite_sheet

    assert sheet_restoring.restore_sheet(rewrite_sheet(css, lambda *_: None), str) == css


def small(reel: Path, path: Path, size: int) -> dict[str, Any]:
    build(reel, path, redaction=None, max_size=size)
    info = unpack_replay(path.read_bytes()).index["info"]
    assert isinstance(info, dict) and info["leftOut"]
    return info


def test_what_was_left_out_is_said(tmp_path: Path) -> None:
    dressed(tmp_path / "dressed.reel", random.Random(5).randbytes(60_000))
    whole = build(tmp_path / "dressed.reel", tmp_path / "whole.html", redaction=None).size
    small(tmp_path / "dressed.reel", tmp_path / "small.html", whole - 50_000)
    with open_any(tmp_path / "small.html") as recording:
        gaps = [event for event in recording.timeline() if event["k"] == "gap"]
        assert recording.damage is None
    assert [gap["reason"] for gap in gaps] == ["left out"]


def test_a_masked_replay_stays_known_as_masked(tmp_path: Path) -> None:
    s = sample.Script(tmp_path / "masked.reel")
    s.run("redaction", 0, policy="vendor", report={"policy": "vendor", "total": 3})
    s.run("mark", 5, name="here")
    s.writer.close("done")
    build(tmp_path / "masked.reel", tmp_path / "masked.html", redaction=None)
    with open_any(tmp_path / "masked.html") as recording:
        found = [(event["policy"], event["report"]) for event in recording.timeline() if event["k"] == "redaction"]
    assert found == [("vendor", {"policy": "vendor", "total": 3})]
    from pagereel.integrations import shared

    with shared(tmp_path / "masked.html", "vendor") as shown:
        assert shown.path == tmp_path / "masked.html" and shown.gate is None


def test_an_unsealed_recording_stays_unsealed(tmp_path: Path) -> None:
    sample.write_sample(tmp_path / "cut.reel", seal=False)
    build(tmp_path / "cut.reel", tmp_path / "cut.html", redaction=None)
    with open_any(tmp_path / "cut.html") as recording:
        assert not recording.sealed and recording.damage is None
    assert open_recording(tmp_path / "cut.html").summary()["sealed"] is False


# -- files that are not as they were made -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chunk-1", "pack-0", "chunk-0"])
@pytest.mark.parametrize("form", ["plain.html", "compact.html"])
def test_a_changed_byte_costs_a_piece_and_is_said(reel: Path, tmp_path: Path, form: str, name: str) -> None:
    path = tmp_path / form
    build(reel, path, redaction=None, **FORMS[form])
    html = bytearray(path.read_bytes())
    at = re.search(rb"pagereel-%s[ \"][^>:]*?[>:]" % name.encode(), html)
    assert at is not None
    place = at.end() + 40
    html[place] = ord("A") if html[place] != ord("A") else ord("B")
    path.write_bytes(html)
    with open_any(path) as recording:
        kinds = {event["k"] for event in recording.timeline()}
        assert recording.damage is not None and name in recording.damage.reason and not recording.sealed
    assert len(kinds) > 3 and ("gap" in kinds or name != "chunk-1")


def test_a_file_without_its_index_still_tells_what_happened(replay: Path, tmp_path: Path) -> None:
    html = re.sub(rb'(id="pagereel-index"[^>]*>).....', rb"\1AAAAA", replay.read_bytes())
    (tmp_path / "x.html").write_bytes(html)
    with open_any(tmp_path / "x.html") as recording:
        assert recording.damage is not None and "index" in recording.damage.reason
        assert {"document", "snapshot", "step", "call"} <= {event["k"] for event in recording.timeline()}


def ways_to_break(html: bytes) -> Iterator[bytes]:
    dice = random.Random(7)
    first = html.index(b'id="pagereel-index"')
    for _ in range(20):
        place = dice.randrange(first, len(html))
        yield html[:place] + bytes([html[place] ^ 1 << dice.randrange(8)]) + html[place + 1 :]
    for _ in range(10):
        yield html[: dice.randrange(first, len(html))]


def test_whatever_is_broken_is_said_in_one_sentence(replay: Path, tmp_path: Path) -> None:
    whole = len(events(replay))
    for number, html in enumerate(ways_to_break(replay.read_bytes())):
        path = tmp_path / f"{number}.html"
        path.write_bytes(html)
        try:
            with open_any(path) as recording:
                told = recording.damage
                assert told is not None or len(list(recording.timeline())) == whole, number
        except ReelError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)


def test_of_a_damaged_zip_what_stands_before_is_read(tmp_path: Path) -> None:
    dressed(tmp_path / "x.reel", random.Random(5).randbytes(900_000))
    build(tmp_path / "x.reel", tmp_path / "x.zip", redaction=None, zip=True)
    data = bytearray((tmp_path / "x.zip").read_bytes())
    data[int(len(data) * 0.9)] ^= 8
    (tmp_path / "x.zip").write_bytes(data)
    with open_any(tmp_path / "x.zip") as recording:
        assert recording.damage is not None and "ZIP" in recording.damage.reason
        assert "snapshot" in {event["k"] for event in recording.timeline()}


def test_a_page_in_a_zip_is_no_bomb(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("x.html", "w") as page,
    ):
        page.write(b'<!DOCTYPE html><meta name="pagereel" content="format=1">')
        for _ in range(80):
            page.write(bytes(1 << 20))
    with pytest.raises(ReelError, match="far more than a replay"), open_any(tmp_path / "bomb.zip"):
        pass


@pytest.mark.parametrize(
    "index",
    [
        {"chunks": [["page"]], "resources": [[0, -1, 5, "x"], [9e9, 0, 1, "y"], None, [0, 0, 99, 5]], "info": []},
        {
            "chunks": "no",
            "resources": 5,
            "info": {"started": "x", "metadata": 5, "redaction": 7, "end": float("1e300")},
        },
        {"version": 1, "chunks": [[["page"], 1], 7, ["page", 0, 0, 0, 0]], "info": {"agent": ["x"], "browser": "y"}},
    ],
)
def test_an_index_is_not_believed(tmp_path: Path, index: dict[str, Any]) -> None:
    from pagereel.player_build.chunks import compress_raw_deflate
    from pagereel.reel import build_base64_element

    events: list[Any] = [
        {"k": "mark", "t": 5, "name": "here"}, {"k": "mark", "t": "x"}, 7, {"k": "document", "t": 1},
        {"k": "snapshot", "t": 1, "d": 1, "n": 0, "ops": [["doc", 1, ["#document", {}]], ["shown", {}, 5], ["css"]], "why": "start"},
        {"k": "request", "t": 1, "id": 1, "post": "pagereel:99"}, {"k": "screenshot", "t": 2, "id": 1, "label": "x", "body": "pagereel:x"},
    ]  # fmt: skip
    pieces = (
        ("index", json.dumps(index)),
        ("chunk-0", json.dumps(events)),
        ("chunk-1", json.dumps(events[:1])),
        ("pack-0", "x"),
    )
    html = b'<!DOCTYPE html><meta name="pagereel" content="format=1">'
    html += b"".join(build_base64_element(name, compress_raw_deflate(text.encode())) for name, text in pieces)
    (tmp_path / "x.html").write_bytes(html)
    with open_any(tmp_path / "x.html") as recording:
        list(recording.timeline())


def test_a_newer_replay_asks_for_a_newer_pagereel(replay: Path, tmp_path: Path) -> None:
    from pagereel.player_build.chunks import compress_raw_deflate
    from pagereel.reel import build_base64_element

    new = build_base64_element("index", compress_raw_deflate(json.dumps({"version": 9, "player": "7.0"}).encode()))
    html = re.sub(
        rb'<script type="application/vnd.pagereel" id="pagereel-index".*?</script>\n',
        lambda _: new,
        replay.read_bytes(),
    )
    (tmp_path / "x.html").write_bytes(html)
    with pytest.raises(ReelError, match=r"newer pagereel \(7\.0\); update"), open_any(tmp_path / "x.html"):
        pass


def test_a_file_says_how_it_is_asked(replay: Path) -> None:
    head = replay.read_text("utf-8")[:4000]
    assert '<meta name="pagereel" content="format=1; pagereel query THIS-FILE steps">' in head
    assert "pagereel mcp THIS-FILE" in head
