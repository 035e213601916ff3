"""Long texts that come again stand in the file once, and what is read is what was written."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagereel.errors import ReelError
from pagereel.reel import Event, Json, Key, ReelWriter, open_reel
from pagereel.reel.dense_encoding import LETTERS, decode_dense_text, encode_as_dense_text
from pagereel.reel.repeated_texts import LEAST, iter_long_texts

LONG = 'a{color:red}/* ☃ \\ " \n */' * 40
TEXTS = st.sampled_from(["", LONG, LONG + "b", '{"#":1}', LONG + '{"#":1}']) | st.text(max_size=8)
TREES = st.recursive(
    TEXTS,
    lambda inner: st.tuples(
        st.just("p"), st.dictionaries(st.sampled_from(["title", "x" * 300]), TEXTS), inner, inner
    ).map(list),
    max_leaves=6,
)


def load(d: int, *trees: Json) -> list[Event]:
    return [
        {"k": "document", "t": d, "d": d, "page": 1, "frame": "f", "url": "about:blank", "top": True,
         "viewport": {"w": 9, "h": 9, "dpr": 1}, "mode": "CSS1Compat"},
        {"k": "snapshot", "t": d, "d": d, "n": 0, "why": "start", "ops": [["doc", 1, ["#document", {}, *trees]]]},
    ]  # fmt: skip


def write(path: Path, events: list[Event], key: Key | None = None, *, compact: bool = True) -> None:
    with ReelWriter(path, {"started": 0}, flush_ms=1e9, compact=compact, encrypt_to=key) as writer:
        for event in events:
            writer.write(event)
            writer.flush()


def read(path: Path) -> list[Event]:
    with open_reel(path) as reel:
        assert reel.damage is None
        events = list(reel.events())
        assert list(reel.timeline()) == events and reel.invalid_count == 0
    return events[1:-1]


def stored(path: Path) -> bytes:
    with open_reel(path) as reel:
        return b"".join(zstandard.ZstdDecompressor().decompress(frame) for frame in reel.iter_zstd_frames())


LENGTHS = st.sampled_from([0, 1, 5, LEAST - 3, LEAST - 2, LEAST - 1, LEAST, 3 * LEAST])
STRINGS = st.builds(
    lambda letters, length: (letters * length)[:length], st.text('a"\\\n:,☃', min_size=1, max_size=9), LENGTHS
)
VALUES = st.recursive(
    STRINGS | st.lists(st.integers(0, 2**60), max_size=LEAST // 2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=9,
)


@settings(max_examples=200, deadline=None)
@given(VALUES)
def test_all_long_texts_are_found_and_no_keys(value: Json) -> None:
    line = orjson.dumps(value)
    strings = re.finditer(rb'"[^"\\]*(?:\\.[^"\\]*)*"(:)?', line)
    spans = [match.span() for match in strings if match[1] is None and match.end() - match.start() >= LEAST]
    assert [(start, end) for _, start, end in iter_long_texts(line)] == spans


def test_looking_for_long_texts_costs_less_than_reading_the_line() -> None:
    """A table that is drawn anew for eight hours has thousands of millions of short texts, and closing its recording took as many minutes."""
    line = orjson.dumps([["tr", {}, *[["td", {"class": "c"}, "ok"]] * 4]] * 5_000)

    def seconds(work: Callable[[bytes], object]) -> float:
        began = time.thread_time()
        work(line)
        return time.thread_time() - began

    looking = min(seconds(lambda line: list(iter_long_texts(line))) for _ in range(5))
    assert looking < min(seconds(orjson.loads) for _ in range(5))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(trees=st.lists(TREES, max_size=4))
def test_what_is_read_is_what_was_written(tmp_path: Path, trees: list[Json]) -> None:
    events = [event for d, tree in enumerate(trees, 1) for event in load(d, tree)]
    write(tmp_path / "a.reel", events)
    assert read(tmp_path / "a.reel") == events


def test_a_style_that_each_load_brings_again_stands_in_the_file_once(tmp_path: Path) -> None:
    events = [event for d in range(1, 6) for event in load(d, ["style", {"title": LONG}, LONG], ["p", {}, f"{d}"])]
    for key in (None, Key.passphrase("three words here", work=8)):
        write(tmp_path / "a.reel", events, key)
        with open_reel(tmp_path / "a.reel", key) as reel:
            assert list(reel.events())[1:-1] == events
    write(tmp_path / "a.reel", events)
    assert stored(tmp_path / "a.reel").count(orjson.dumps(LONG)) == 1
    write(tmp_path / "b.reel", events, compact=False)
    assert stored(tmp_path / "b.reel").count(orjson.dumps(LONG)) == 10
    assert read(tmp_path / "b.reel") == events


def test_what_comes_once_stays_where_it_is(tmp_path: Path) -> None:
    write(tmp_path / "a.reel", load(1, ["style", {}, LONG]))
    assert b'"k":"text"' not in stored(tmp_path / "a.reel")


@pytest.mark.parametrize(
    "event", [{"k": "text", "t": 0, "id": 1, "text": "x"}, {"k": "mutation", "texts": [1], "t": 1}]
)
def test_an_event_that_looks_like_a_line_of_the_files_own_is_not_written(tmp_path: Path, event: Event) -> None:
    with ReelWriter(tmp_path / "a.reel", {}) as writer, pytest.raises(ReelError, match="left out"):
        writer.write(event)
    assert read(tmp_path / "a.reel") == []


def framed(path: Path, lines: list[bytes]) -> None:
    head = [b'{"k":"frame","n":0,"prev":null}', b'{"k":"reel","t":0,"format":2,"started":0}']
    packed = zstandard.ZstdCompressor(write_checksum=True).compress(b"\n".join([*head, *lines, b""]))
    path.write_bytes(packed)


NAMING = b'{"k":"mutation","texts":[1],"t":1,"d":1,"n":0,"ops":[["text",2,{"#":1}]]}'


@pytest.mark.parametrize(
    "lines",
    [
        [NAMING],
        [b'{"k":"text","id":"1","text":"x"}', NAMING],
        [b'{"k":"text","id":2,"text":"x"}', NAMING],
        [b'{"k":"text","id":1,"text":7}', NAMING],
    ],
)
def test_a_line_that_names_what_the_file_has_not_is_passed_over(tmp_path: Path, lines: list[bytes]) -> None:
    framed(tmp_path / "a.reel", [*lines, b'{"k":"mark","t":2,"name":"after"}'])
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["k"] for event in reel.timeline()] == ["reel", "mark"] and reel.damage is None
        assert [each.reason for each in reel.invalid] == ["text 1 does not stand before the line that has it"]


def test_a_text_that_comes_three_hundred_times_is_read_as_often(tmp_path: Path) -> None:
    """It stands in the file once: what a frame holds with all its texts in it is no frame's own size."""
    framed(tmp_path / "a.reel", [b'{"k":"text","id":1,"text":"%s"}' % (b"x" * (1 << 20)), *[NAMING] * 300])
    with open_reel(tmp_path / "a.reel") as reel:
        assert sum(event["k"] == "mutation" for event in reel.events()) == 300
        assert reel.damage is None and reel.invalid_count == 0


def test_a_number_is_read_as_a_text_only_where_the_line_says_so(tmp_path: Path) -> None:
    lines = [
        b'{"k":"text","id":1,"text":"x"}',
        NAMING,
        NAMING.replace(b'"texts":[1],', b"").replace(b'"n":0', b'"n":1'),
    ]
    framed(tmp_path / "a.reel", lines)
    with open_reel(tmp_path / "a.reel") as reel:
        told = [event["ops"] for event in reel.events() if event["k"] == "mutation"]
    assert told[0] == [["text", 2, "x"]] and (len(told) == 1 or told[1] == [["text", 2, {"#": 1}]])


@given(data=st.binary(max_size=300))
def test_dense_letters_give_the_bytes_again(data: bytes) -> None:
    text = encode_as_dense_text(data)
    assert set(text) <= set(LETTERS) and decode_dense_text(text, len(data)) == data
    assert len(text) <= 2 + len(data) * 16 / 13


def test_dense_letters_are_fewer_than_those_of_base64() -> None:
    assert len(encode_as_dense_text(bytes(range(256)) * 64)) < 1.24 * 256 * 64
    for wrong in (b"ab c", b"a<bc", b"abc"):
        with pytest.raises(ValueError):
            decode_dense_text(wrong, 3)
    assert len('{"#":999999}') < LEAST
