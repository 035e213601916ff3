"""The built file: whole or not at all, with everything in it and nothing that could load."""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import random
import re
import struct
import zipfile
import zlib
from html import unescape as unescape_html
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagereel import dist
from pagereel.errors import BuildError, PagereelError, ReelError, UsageError
from pagereel.player_build import FidelityLayer, build, read_redaction_policy, unpack_replay
from pagereel.player_build import html_file as in_html
from pagereel.player_build.chunks import CHUNK_BYTES, EventChunker
from pagereel.player_build.html_file import BY_NEED
from pagereel.reel import Event, Json, PageModel, ReelWriter, open_reel
from pagereel.reel.replay_pieces import (
    build_base64_element,
    build_raw_comment,
    escape_for_comment,
    find_pieces,
    unescape_from_comment,
)
from tests.reel import sample


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.reel"
    sample.write_sample(path)
    return path


def test_the_report_says_what_was_built(reel: Path, tmp_path: Path) -> None:
    report = build(reel, tmp_path / "run.html", redaction=None, title="A <b>bold</b> run")
    assert report.size == (tmp_path / "run.html").stat().st_size
    assert report.fidelity.tree == FidelityLayer(6, 6) and report.fidelity.verdict == "open"
    assert report.sealed and report.damage is None and report.removed == 0
    html = (tmp_path / "run.html").read_text("utf-8")
    assert re.search(r"<title>A &lt;b&gt;bold&lt;/b&gt; run(?: &middot; failed)?</title>", html)


def test_everything_comes_back_out_in_the_order_of_time(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "run.html", redaction=None)
    built = unpack_replay((tmp_path / "run.html").read_bytes())
    kinds = {str(event["k"]) for event in built.events}
    assert {"document", "snapshot", "mutation", "step", "llm", "console", "gap"} <= kinds
    assert not kinds & {"reel", "resource", "alias", "end", "frame"}
    for stream in ("page", "run"):
        times = [
            e["t"]
            for e in built.events
            if (e.get("n") is not None or e["k"] in ("document", "embed")) == (stream == "page")
        ]
        assert times == sorted(times)  # type: ignore[type-var]
    assert any(mime == "image/png" and data.startswith(b"\x89PNG") for mime, data in built.iter_resources())
    with open_reel(reel) as original:
        marks = [e["name"] for e in original.timeline() if e["k"] == "mark"]
    assert [e["name"] for e in built.events if e["k"] == "mark"] == marks


def shell_of(html: bytes) -> dict[str, str]:
    """The player's texts in a file: scripts by name, the core without one, the styles together, the markup."""
    texts = zlib.decompress(next(find_pieces(html)).decode(), -15).decode().split("\0")
    told = dict(zip(texts[::2], texts[1::2], strict=True))
    return {
        **told,
        "style": "".join(text for name, text in zip(texts[::2], texts[1::2], strict=True) if name == "style"),
    }


@pytest.mark.parametrize("compact", [False, True])
def test_the_file_may_load_nothing(reel: Path, tmp_path: Path, compact: bool) -> None:
    build(reel, tmp_path / "run.html", redaction=None, compact=compact)
    html = (tmp_path / "run.html").read_text("latin-1")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert not re.search(r"https?:|unsafe-eval|script-src [^;]*unsafe-inline|\*", policy[1])
    before, script, after = re.split(r"<script>|</script>", html, maxsplit=2)
    assert script == dist.read_built_file("boot.js")
    piece = next(find_pieces((tmp_path / "run.html").read_bytes()))
    assert piece.name == "shell"
    texts = shell_of((tmp_path / "run.html").read_bytes())
    markup, _ = texts.pop("markup"), texts.pop("style")
    assert texts == {name: dist.read_built_file(f"{name or 'player'}.js") for name in texts}
    assert {"", *BY_NEED} <= set(texts)
    for text in (script, *texts.values()):
        assert f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}" in unescape_html(policy[1])
    assert policy[1].count("sha256-") == 1 + len(texts)
    assert "<script" not in markup
    assert not re.search(r"\b(src|href)\s*=|<script(?! type=\"application/vnd.pagereel\")", before + after)


def test_the_file_of_a_small_recording_is_little_more_than_the_player(tmp_path: Path) -> None:
    paged, pageless = (sample.Script(tmp_path / f"{name}.reel") for name in ("page", "talk"))
    view = {"w": 1280, "h": 720, "dpr": 1}
    paged.run(
        "document",
        1,
        d=1,
        page=1,
        frame="F1",
        url="https://shop.example/",
        top=True,
        viewport=view,
        mode="CSS1Compat",
        title="Shop",
        referrer="",
    )
    tree = ["#document", {}, ["html", {}, ["body", {}, ["h1", {}, "Kettles"]]]]
    paged.page("snapshot", 2, 1, why="start", ops=[["doc", 1, tree]])
    for script in (paged, pageless):
        script.run("mark", 5, name="here")
        script.writer.close("done")
    # The run without a page has the script that shows its conversation as well.
    for source, most, compact in (("page", 92_000, 76_900), ("talk", 95_200, 79_600)):
        assert build(tmp_path / f"{source}.reel", tmp_path / "run.html", redaction=None).size < most
        assert build(tmp_path / f"{source}.reel", tmp_path / "run.html", redaction=None, compact=True).size < compact


def test_the_player_of_most_files_is_packed_better_than_a_build_would(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "run.html", redaction=None)
    piece = next(find_pieces((tmp_path / "run.html").read_bytes())).decode()
    assert piece.endswith(dist.read_packed_shell())
    assert len(piece) < 0.98 * len(zlib.compress(zlib.decompress(piece, -15), 9))


def test_a_player_that_was_built_anew_and_not_packed_is_what_a_file_gets(
    reel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packer = zlib.compressobj(wbits=-15)
    stale = packer.compress(b"an older player") + packer.flush()
    monkeypatch.setattr(dist, "read_packed_shell", lambda: stale)
    for cached in (in_html._load_player, in_html._build_player_element):
        monkeypatch.setattr(in_html, cached.__name__, functools.cache(cached.__wrapped__))
    build(reel, tmp_path / "run.html", redaction=None)
    piece = next(find_pieces((tmp_path / "run.html").read_bytes())).decode()
    assert zlib.decompress(piece, -15).endswith(in_html.join_shell_texts())


def test_data_cannot_end_its_element(tmp_path: Path) -> None:
    script = sample.Script(tmp_path / "x.reel")
    script.run("console", 1, page=1, level="log", text="</script><script>alert(1)</script><!--")
    script.writer.close("done")
    build(tmp_path / "x.reel", tmp_path / "x.html", redaction=None, title="</title><script>alert(1)</script>")
    html = (tmp_path / "x.html").read_text("utf-8")
    assert "alert(1)" not in html.replace("&lt;script&gt;alert(1)", "")


def test_a_cut_reel_is_built_up_to_the_cut_and_says_so(reel: Path, tmp_path: Path) -> None:
    script = sample.Script(tmp_path / "cut.reel")
    script.run("page", 0, page=1, event="open")
    script.run("mark", 5, name="here")
    script.writer.flush()
    data = (tmp_path / "cut.reel").read_bytes()
    script.writer.close("done")
    (tmp_path / "cut.reel").write_bytes(data)
    report = build(tmp_path / "cut.reel", tmp_path / "cut.html", redaction=None)
    assert not report.sealed
    built = unpack_replay((tmp_path / "cut.html").read_bytes())
    assert built.index["info"]["sealed"] is False  # type: ignore[index,call-overload]
    assert any(event["k"] == "mark" for event in built.events)


def test_a_changed_reel_names_the_damage(reel: Path, tmp_path: Path) -> None:
    data = bytearray(reel.read_bytes())
    data[-9] ^= 1
    (tmp_path / "bad.reel").write_bytes(data)
    try:
        report = build(tmp_path / "bad.reel", tmp_path / "bad.html", redaction=None)
    except ReelError:
        return  # Its only frame is the damaged one: nothing is left to show.
    assert report.damage is not None


@pytest.mark.parametrize(
    ("source", "destination", "options"),
    [
        ("nosuch.reel", "x.html", {}),
        ("text.reel", "x.html", {}),
        ("empty.reel", "x.html", {}),
        (".", "x.html", {}),
        ("good.reel", ".", {}),
        ("good.reel", "nofolder/x.html", {}),
        ("good.reel", "good.reel", {}),
        ("good.reel", "x.html", {"theme": "pink"}),
    ],
)
def test_wrong_use_is_one_clear_sentence_and_leaves_nothing(
    reel: Path, tmp_path: Path, source: str, destination: str, options: dict[str, str]
) -> None:
    (tmp_path / "text.reel").write_text("hello")
    (tmp_path / "empty.reel").write_bytes(b"")
    (tmp_path / "good.reel").write_bytes(reel.read_bytes())
    before = sorted(tmp_path.iterdir())
    with pytest.raises(PagereelError) as caught:
        build(tmp_path / source, tmp_path / destination, redaction=None, **options)  # type: ignore[arg-type]
    assert isinstance(caught.value, (ReelError, UsageError))
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")
    assert sorted(tmp_path.iterdir()) == before


def as_a_parser_reads(text: bytes) -> bytes:
    """What becomes of a comment's bytes in a browser: NUL, CR and the comment's ends are what it does not leave alone."""
    assert b"-->" not in text and b"--!>" not in text
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\0", b"\xff\xfd")


@given(st.one_of(st.binary(), st.text("<!->=\0\r\n}@M~").map(str.encode), st.sampled_from([b"-->", b"--!>", b"=--->"])))
@example(bytes(range(256)) * 3)
def test_compact_bytes_come_back_as_they_were(data: bytes) -> None:
    assert unescape_from_comment(as_a_parser_reads(escape_for_comment(data))) == data


def test_a_compact_file_holds_the_same_in_three_quarters_of_the_bytes(reel: Path, tmp_path: Path) -> None:
    for name, compact in (("plain", False), ("compact", True)):
        build(reel, tmp_path / f"{name}.html", redaction=None, compact=compact, title="Kaffee für José — 咖啡")
    plain, small = ((tmp_path / f"{name}.html").read_bytes() for name in ("plain", "compact"))
    assert unpack_replay(small) == unpack_replay(plain)
    data = bytes(random.Random(5).randrange(256) for _ in range(60_000))  # As deflate leaves it: all bytes alike.
    assert len(build_raw_comment("pack-0", data)) < 1.02 * len(data) < 0.77 * len(build_base64_element("pack-0", data))
    assert "Kaffee für José — 咖啡" in unescape_html(small.decode("cp1252", "replace"))


def test_a_file_of_which_one_byte_was_changed_is_not_taken(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "run.html", redaction=None, compact=True)
    html = bytearray((tmp_path / "run.html").read_bytes())
    at = html.index(b"<!--pagereel-chunk-0") + 400
    html[at] ^= 2
    with pytest.raises(BuildError, match="chunk-0"):
        unpack_replay(bytes(html))


def test_chunks_are_cut_by_size_and_the_first_is_small() -> None:
    chunker = EventChunker("page")
    for t in range(3000):
        chunker.add_event({"k": "mutation", "t": t, "x": "y" * 400})
    chunker.end_chunk()
    sizes = [chunk.raw for chunk in chunker.chunks]
    assert sizes[0] < sizes[1] <= CHUNK_BYTES + 1000
    assert sum(chunk.events for chunk in chunker.chunks) == 3000
    assert [chunk.start for chunk in chunker.chunks] == sorted(chunk.start for chunk in chunker.chunks)


LEDGER = {
    "player.js": (40_000, "the core: what shows the page, the time and the interface's frame, with Preact in it"),
    "boot.js": (2_100, "stands in each file as it is: puts the rest of the player into the page"),
    "boot.css": (400, "the look before that, and of a file that cannot be opened"),
    "panels.js": (15_000, "the tabs beside the page; run when they are first shown, never for #bare"),
    "timeline.js": (15_000, "everything over time, in lanes; run when it is first shown, never for #bare"),
    "tools.js": (15_000, "keyboard, help, search, the picture over the timeline, the comparison; run when asked for"),
    "rare.js": (7_950, "canvases, films, objects, the top layer and more; in files of recordings that have any of it"),
    "rare.css": (600, "the look of what it draws over a page"),
    "motion.js": (1_620, "animations, each in its phase; in files of recordings in which something may move"),
    "conversation.js": (15_000, "the conversation of a run without any page; in files of such runs alone"),
    "conversation.css": (1_000, "its look"),
    "screens.js": (
        15_000,
        "a whole screen, its pointer and what was done on it; in files of runs that tell of screens",
    ),
    "screens.css": (1_000, "its look"),
    "why.js": (15_000, "why a run failed, sentence by sentence; in files of runs that failed, or got over a failure"),
    "why.css": (1_000, "its look"),
    "export.js": (15_000, "what is exported: copies, files, pictures, the printed report; run when asked for"),
    "live.js": (15_000, "what comes of a recording that is being made; in the page of `pagereel serve` that shows one"),
    "live.css": (1_000, "the look of its mark, beside the player's"),
    "comparison.js": (15_000, "two recordings beside each other; in files of `pagereel compare` alone"),
    "comparison.css": (3_000, "the look of those files, beside the player's"),
    "suite.js": (15_000, "the tests of a suite, their list and their search; in files of `pagereel bundle` alone"),
    "suite.css": (3_000, "the look of that list"),
    "player.css": (6_000, "the player's look"),
    "injector.js": (
        35_950,
        "run in every document of the recorded page, before anything of it: it is read and run once a frame",
    ),
    "places.js": (5_000, "brought to a document when its first picture is taken: where what can be read stands in it"),
}
"""Of each built script: the most bytes it may have, compressed, and what it is for. A limit is a promise: what does not fit goes elsewhere."""


def test_a_run_without_a_page_has_the_script_that_shows_its_conversation_and_no_other_run_has(
    reel: Path, tmp_path: Path
) -> None:
    script = sample.Script(tmp_path / "talk.reel")
    script.run("llm", 5, id=1, model="m", prompt="Say hi", response="Hi", attributes={})
    script.writer.close("done")
    for source, name in ((reel, "page"), (tmp_path / "talk.reel", "talk")):
        build(source, tmp_path / f"{name}.html", redaction=None)
        texts = shell_of((tmp_path / f"{name}.html").read_bytes())
        assert ("conversation" in texts, ".talk" in texts["style"]) == ((name == "talk"),) * 2


def test_a_run_with_screens_has_the_script_that_shows_them_and_their_sheets(tmp_path: Path) -> None:
    script = sample.Script(tmp_path / "run.reel")
    sheet = script.resource(1, "image/png", sample.png(64, 36, (230, 230, 230)))
    held = {"w": 64, "h": 36}
    script.run(
        "screen", 100, id=1, sheets=[sheet], parts=[[0, 0, 64, 36, 0, 0, 0]], action="look", window="Old", **held
    )
    script.run("screen", 200, id=2, base=1, sheets=[sheet, "0" * 64], parts=[[0, 0, 8, 8, 0, 4, 4]], **held)
    script.run("screen", 500, id=3, base=1, action="click", **held)
    script.writer.close("done")
    html = tmp_path / "run.html"
    build(tmp_path / "run.reel", html, redaction=None)
    texts = shell_of(html.read_bytes())
    assert {"conversation", "screens"} <= set(texts) and ".doing" in texts["style"]
    built = unpack_replay(html.read_bytes())
    assert built.index["screens"] == 3 and built.index["opens"] == 100
    told = [event for event in built.events if event["k"] == "screen"]
    assert [event.get("sheets") for event in told] == [["pagereel:0"], ["pagereel:0", ""], None]
    build(html, tmp_path / "again.html", redaction=None)
    again = unpack_replay((tmp_path / "again.html").read_bytes()).events
    assert next(event for event in again if event["k"] == "screen") == told[0]
    build(tmp_path / "run.reel", html, redaction=None, start=300)
    part = [event for event in unpack_replay(html.read_bytes()).events if event["k"] == "screen"]
    assert [(event["t"], event["id"], event.get("action")) for event in part] == [
        (0, 1, None),
        (0, 2, None),
        (200, 3, "click"),
    ]


def test_the_ledger_of_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """Every built script stands in the ledger and stays within its bytes, and Preact is in the core alone."""
    built = {path.name for path in Path(dist.__file__).parent.iterdir() if path.suffix in (".js", ".css")}
    assert built == set(LEDGER) >= {f"{name}.js" for name in ("player", *BY_NEED)}
    sizes = {name: len(gzip.compress(dist.read_built_file(name).encode(), 9)) for name in LEDGER}
    lines = (f"\n  {name:12}{sizes[name]:7,} of {limit:6,} bytes  {why}" for name, (limit, why) in LEDGER.items())
    with capsys.disabled():
        print("".join(lines), end=" ")
    assert {name: size for name, size in sizes.items() if size > LEDGER[name][0]} == {}
    # Whoever shares a renderer shares its state: a second copy would draw with hooks of its own.
    assert [
        name
        for name in LEDGER
        if "preactattr" in dist.read_built_file(name) or 'Symbol.for("pv")' in dist.read_built_file(name)
    ] == ["player.js"]


def test_a_part_begins_with_the_page_as_it_was_and_holds_nothing_else_that_happened_before(
    reel: Path, tmp_path: Path
) -> None:
    html = tmp_path / "part.html"
    report = build(reel, html, redaction=None, start=900, end=1500)
    built = unpack_replay(html.read_bytes())
    assert report.duration == built.index["duration"] == 600
    assert all(0 <= event["t"] <= 600 for event in built.events)
    kinds = {event["k"] for event in built.events}
    assert {"document", "snapshot", "step", "mouse"} <= kinds
    assert not any(event["k"] in ("mark", "pointer") for event in built.events)  # They were before.
    steps = [event["title"] for event in built.events if event["k"] == "step"]
    assert "Put it in the cart" in steps
    # The state at the beginning is what the whole reel gives there.
    with open_reel(reel) as whole:
        model, part = PageModel(), PageModel()
        for event in whole.timeline():
            if event.get("t", 0) <= 900:
                model.apply(event)
    for event in built.events:
        if event["t"] == 0 and event["k"] in ("document", "snapshot", "mutation", "viewport"):
            part.apply({**event, "ops": [op for op in event.get("ops", []) if op[0] not in ("shown", "css", "mode")]})
    assert part.documents[1].compute_digest() == model.documents[1].compute_digest()
    with pytest.raises(UsageError):
        build(reel, html, redaction=None, start=900, end=800)


def test_what_is_left_out_for_the_size_is_said_and_in_the_stated_order(reel: Path, tmp_path: Path) -> None:
    html = tmp_path / "small.html"
    whole = build(reel, html, redaction=None).size
    report = build(reel, html, redaction=None, max_size=whole - 1)
    assert report.size < whole and list(report.left_out) == ["images"]  # There is no medium and no font in it.
    index = unpack_replay(html.read_bytes()).index
    assert index["info"]["leftOut"]["images"]["count"] == report.left_out["images"].count > 0
    with pytest.raises(BuildError, match="does not fit"):
        build(reel, tmp_path / "none.html", redaction=None, max_size=20_000)
    assert not (tmp_path / "none.html").exists()


def test_pictures_in_data_addresses_are_left_out_too_and_a_box_of_their_size_stays(tmp_path: Path) -> None:
    noise = random.Random(4).randbytes(60_000)
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + noise
    address = "data:image/png;base64," + base64.b64encode(picture).decode()
    others = [picture[:-n] + b"x" * n for n in (1, 2, 3)]
    style, sheet, late = (
        f"p {{ background: url('data:image/png;base64,{base64.b64encode(data).decode()}') }}" for data in others
    )
    head: Json = ["head", {}, ["style", {}, style]]
    tree: Json = ["#document", {}, ["html", {}, head, ["body", {}, ["img", {"src": address}], ["p", {}, "below"]]]]
    ops: list[Json] = [["doc", 1, tree], ["sheet", 1, 0, sheet, {}], ["adopt", 1, [1]]]
    source, html = tmp_path / "run.reel", tmp_path / "run.html"
    model = PageModel()
    header: dict[str, Json] = {
        "started": 0, "recorder": {"name": "pagereel", "version": "0"}, "python": "3", "platform": "x", "agent": "a",
        "browser": {"name": "chromium", "version": "0", "transport": "cdp"}, "metadata": {}, "options": {},
    }  # fmt: skip
    with ReelWriter(source, header) as writer:
        events: list[Event] = [
            {"k": "document", "t": 0, "d": 1, "page": 1, "frame": "F", "url": "https://a.example/", "top": True,
             "mode": "BackCompat", "viewport": {"w": 800, "h": 600, "dpr": 1}, "title": "", "referrer": ""},
            {"k": "snapshot", "t": 1, "d": 1, "n": 0, "why": "start", "ops": ops},
            {"k": "mutation", "t": 1.5, "d": 1, "n": 1, "ops": [["text", 5, late]]},
        ]  # fmt: skip
        for event in events:
            writer.write(event)
            model.apply(event)
        digest, nodes = model.documents[1].compute_digest()
        writer.write({"k": "checkpoint", "t": 2, "d": 1, "n": 2, "digest": digest, "nodes": nodes, "equal": True})
    build(source, html, redaction=None)
    assert {data for _, data in unpack_replay(html.read_bytes()).iter_resources()} == {picture, *others}
    report = build(source, html, redaction=None, max_size=130_000)
    assert report.size <= 130_000 and {"images", "addresses"} == set(report.left_out)
    built = unpack_replay(html.read_bytes())
    boxes = list(built.iter_resources())
    assert boxes
    for mime, box in boxes:
        assert mime == "image/svg+xml" and b'width="640" height="480"' in box
    # The checkpoint is of the tree that the file holds.
    model = PageModel()
    for event in built.events:
        if event["k"] == "checkpoint":
            assert event["cleaned"] and (event["digest"], event["nodes"]) == model.documents[1].compute_digest()
        else:
            model.apply({**event, "ops": [op for op in event.get("ops", []) if op[0] not in ("shown", "css", "mode")]})


def test_a_zip_holds_the_replay(reel: Path, tmp_path: Path) -> None:
    build(reel, tmp_path / "run.html", redaction=None, title="Run")
    build(reel, tmp_path / "run.zip", redaction=None, title="Run", zip=True)
    with zipfile.ZipFile(tmp_path / "run.zip") as archive:
        assert archive.namelist() == [f"{reel.stem}.html"]
        assert archive.read(f"{reel.stem}.html") == (tmp_path / "run.html").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.html", "run.zip"]


@pytest.mark.parametrize(
    ("start", "end"), [(-1, None), (-1, 5), (float("nan"), None), (float("inf"), None), (5, 5), (0, float("nan"))]
)
def test_a_part_that_no_recording_has_is_wrong_use(reel: Path, tmp_path: Path, start: float, end: float | None) -> None:
    with pytest.raises(UsageError):
        build(reel, tmp_path / "run.html", redaction=None, start=start, end=end)
    assert not (tmp_path / "run.html").exists()


@pytest.mark.parametrize("start", [None, 500.0])
def test_a_raw_build_of_a_redacted_reel_says_redacted_as_the_reel_does(tmp_path: Path, start: float | None) -> None:
    script = sample.Script(tmp_path / "masked.reel")
    script.run("redaction", 0, policy="vendor", report={"policy": "vendor", "counts": {}})
    script.run("console", 900, page=1, level="log", text="x")
    script.writer.close("done")
    build(tmp_path / "masked.reel", tmp_path / "run.html", redaction=None, start=start)
    assert read_redaction_policy((tmp_path / "run.html").read_bytes()) == "vendor"
