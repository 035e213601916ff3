"""The file: what is written can be read, and what was cut, changed or is no reel at all is told apart and said."""

from __future__ import annotations

import base64
import hashlib
import os
import random
import signal
import stat
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagereel.errors import FutureFormatError, ReelError, UsageError
from pagereel.reel import FORMAT, Event, ReelWriter, open_reel, verify
from pagereel.reel.limits import FRAME_BYTES, LINE_BYTES, LINE_PARTS
from pagereel.reel.zstd_frames import find_zstd_frame_extent

from .as_told import AsTold
from .sample import write_sample

SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
HEAD = b'{"k":"frame","n":0,"prev":null}\n{"k":"reel","t":0,"format":1}\n'
EVENTS = st.lists(
    st.fixed_dictionaries({"k": st.sampled_from(["x-one", "x-two"]), "t": st.integers(0, 10**6), "value": JSON})
)


def write(path: Path, events: list[Event], *, every: int = 3, close: bool = True, compact: bool = True) -> None:
    """A reel with a frame for each `every` events."""
    writer = ReelWriter(path, {"started": 0}, flush_ms=1e9, compact=compact)
    for index, event in enumerate(events, 1):
        writer.write(event)
        if index % every == 0:
            writer.flush()
    if close:
        writer.close()
    else:
        writer.flush()


def marks(count: int) -> list[Event]:
    return [{"k": "mark", "t": index, "name": f"mark {index} {os.urandom(8).hex()}"} for index in range(count)]


def read(path: Path) -> list[Event]:
    with open_reel(path) as reel:
        return list(reel.events())


def body(path: Path) -> list[Event]:
    return [event for event in read(path) if event["k"] not in ("reel", "end")]


def frame_offsets(path: Path) -> list[int]:
    data = path.read_bytes()
    offsets, at = [], 0
    while at < len(data):
        offsets.append(at)
        at += find_zstd_frame_extent(lambda start, size: data[start : start + size], at, len(data)).length
    return [*offsets, at]


# -- round trip --------------------------------------------------------------------------------------------------------


@SLOW
@given(events=EVENTS, every=st.integers(1, 5), close=st.booleans(), compact=st.booleans())
def test_what_is_written_is_read(tmp_path: Path, events: list[Event], every: int, close: bool, compact: bool) -> None:
    path = tmp_path / "a.reel"
    write(path, events, every=every, close=close, compact=compact)
    with open_reel(path) as reel:
        assert reel.damage is None and reel.sealed is close
        assert [event for event in reel.events() if event["k"] not in ("reel", "end")] == events
        in_time = [event for event in reel.timeline() if event["k"] not in ("reel", "end")]
        assert in_time == sorted(events, key=lambda event: event["t"])  # type: ignore[arg-type, return-value]
        assert reel.invalid_count == 0


def test_the_file_is_private_and_there_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {"started": 5})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read(path) == [{"k": "reel", "t": 0, "format": FORMAT, "started": 5}]
    writer.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.reel"]


def test_any_zstd_and_any_json_reader_read_it(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    write(path, marks(20), every=4, compact=False)
    with path.open("rb") as file:
        text = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    events = [orjson.loads(line) for line in text.splitlines()]
    assert [event["n"] for event in events if event["k"] == "frame"] == list(range(7))
    assert events[0] == {"k": "frame", "n": 0, "prev": None} and events[1]["k"] == "reel"
    assert events[-1]["k"] == "end" and events[-1]["events"] == 21


def test_closing_makes_few_frames_and_a_smaller_file(tmp_path: Path) -> None:
    events: list[Event] = [{"k": "mark", "t": index, "name": f"step {index}"} for index in range(400)]
    write(tmp_path / "live.reel", events, every=2, compact=False)
    write(tmp_path / "closed.reel", events, every=2)
    assert body(tmp_path / "closed.reel") == body(tmp_path / "live.reel") == events
    assert len(frame_offsets(tmp_path / "closed.reel")) - 1 == 3, "the header's, the events', the end's"
    assert (tmp_path / "closed.reel").stat().st_size < (tmp_path / "live.reel").stat().st_size / 5


def test_damage_to_a_closed_reel_loses_what_follows_and_not_what_was_before(tmp_path: Path) -> None:
    events: list[Event] = [
        {"k": "mark", "t": index, "name": hashlib.sha512(b"%d" % index).hexdigest()} for index in range(4000)
    ]
    path = tmp_path / "closed.reel"
    write(path, events, every=50)
    data = bytearray(path.read_bytes())
    for part, kept in ((0.5, 0.2), (0.9, 0.5)):
        place = int(len(data) * part)
        path.write_bytes(bytes([*data[:place], data[place] ^ 4, *data[place + 1 :]]))
        with open_reel(path) as reel:
            assert reel.damage is not None and not reel.sealed
            found = [event for event in reel.events() if event["k"] == "mark"]
        assert found == events[: len(found)] and len(found) > len(events) * kept


def test_pictures_stand_behind_the_events_so_that_damage_to_one_costs_no_event(tmp_path: Path) -> None:
    path = tmp_path / "closed.reel"
    events: list[Event] = []
    for index in range(40):
        content = random.Random(index).randbytes(30_000)
        resource: Event = {
            "k": "resource",
            "t": index,
            "sha256": hashlib.sha256(content).hexdigest(),
            "mime": "image/png",
        }
        events += [
            {**resource, "size": len(content), "base64": base64.b64encode(content).decode()},
            {"k": "mark", "t": index + 0.5, "name": f"mark {index}"},
        ]
    write(path, events, every=7)
    found = body(path)
    assert found == sorted(events, key=lambda event: event["k"] == "resource")
    with open_reel(path) as reel:
        assert [e["k"] for e in reel.timeline()][1:-1] == ["resource", "mark"] * 40, "time's order is as it was"
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 20, len(data) - 1000, len(data) // 20):
        path.write_bytes(bytes([*data[:place], data[place] ^ 4, *data[place + 1 :]]))
        with open_reel(path) as reel:
            assert reel.damage is not None
            assert sum(event["k"] == "mark" for event in reel.events()) == 40
            # Of the pictures, those in the frames before it are there too.
            assert sum(event["k"] == "resource" for event in reel.events()) >= 40 * place / len(data) - 8


def test_a_failed_compaction_leaves_the_sealed_reel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {})
    for event in marks(5):
        writer.write(event)
        writer.flush()

    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(os, "fsync", refuse)
    writer.close()
    with open_reel(path) as reel:
        assert reel.sealed and len(list(reel.events())) == 7
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.reel"]


def test_compaction_never_replaces_a_file_that_somebody_else_put_there(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {})
    for event in marks(5):
        writer.write(event)
        writer.flush()
    path.unlink()
    path.write_text("not ours")
    writer.close()
    assert path.read_text() == "not ours"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.reel"]


def test_a_reel_is_replaced_and_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("keep")
    (tmp_path / "a.reel").symlink_to(tmp_path / "victim")
    write(tmp_path / "a.reel", marks(1))
    write(tmp_path / "a.reel", marks(2))
    assert len(body(tmp_path / "a.reel")) == 2
    assert (tmp_path / "victim").read_text() == "keep"


def test_paths_that_cannot_be_written_are_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        ReelWriter(tmp_path, {})
    with pytest.raises(UsageError, match="does not exist"):
        ReelWriter(tmp_path / "no" / "a.reel", {})
    with pytest.raises(UsageError, match="not a regular file"):
        ReelWriter("/dev/null", {})
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        ReelWriter(tmp_path / "file" / "a.reel", {})
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file"]


def test_events_are_written_within_the_flush_time(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {}, flush_ms=20)
    writer.write({"k": "mark", "t": 1, "name": "a"})
    assert body(path) == []
    time.sleep(0.03)
    writer.flush_if_due()
    assert len(body(path)) == 1
    writer.write({"k": "mark", "t": 2, "name": "b"})
    time.sleep(0.03)
    writer.write({"k": "mark", "t": 3, "name": "c"})
    assert len(body(path)) == 3
    writer.close()


def test_an_event_that_is_no_json_is_refused_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    with ReelWriter(path, {}) as writer:
        with pytest.raises(ReelError, match="'mark' cannot be written"):
            writer.write({"k": "mark", "t": 1, "name": object()})  # type: ignore[dict-item]
        writer.write({"k": "mark", "t": 1, "name": "lone \ud800 surrogate, \ud83d\ude00 pair"})
    assert [event["name"] for event in body(path)] == ["lone \ufffd surrogate, \U0001f600 pair"]


def test_a_full_disk_loses_nothing_that_fits_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {})
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[: len(data) // 2]))
    writer.write({"k": "mark", "t": 1, "name": "a"})
    with pytest.raises(ReelError, match="free some space"):
        writer.flush()
    with open_reel(path) as reel:
        assert reel.damage is None
    monkeypatch.undo()
    writer.close()
    with open_reel(path) as reel:
        assert reel.sealed and len(list(reel.events())) == 3


def test_a_forked_child_cannot_spoil_the_reel(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {})
    child = os.fork()
    if child == 0:
        writer.write({"k": "mark", "t": 1, "name": "child"})
        writer.close()
        os._exit(0)
    os.waitpid(child, 0)
    writer.write({"k": "mark", "t": 1, "name": "parent"})
    writer.close()
    assert [event["name"] for event in body(path)] == ["parent"]


# -- the process dies --------------------------------------------------------------------------------------------------

_ENDLESS = """
import sys, time
from pagereel.reel import ReelWriter
writer = ReelWriter(sys.argv[1], {}, flush_ms=20)
n = 0
while True:
    n += 1
    writer.write({"k": "mark", "t": n, "name": str(time.monotonic())})
    if n % 50 == 0:
        time.sleep(0.001)
"""


@pytest.mark.parametrize("delay", [0.05, 0.21, 0.37])
def test_kill_9_leaves_a_reel_that_ends_a_moment_before(tmp_path: Path, delay: float) -> None:
    path = tmp_path / "a.reel"
    process = subprocess.Popen([sys.executable, "-c", _ENDLESS, str(path)])
    try:
        deadline = time.monotonic() + 20
        while not path.exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.1 + delay)
    finally:
        process.send_signal(signal.SIGKILL)
        died = time.monotonic()
        process.wait()
    with open_reel(path) as reel:
        assert not reel.sealed and reel.damage is None
        events = list(reel.events())[1:]
    assert [event["t"] for event in events] == list(range(1, len(events) + 1))
    assert died - float(str(events[-1]["name"])) < 0.25


# -- damage ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, list[Event], list[int]]:
    path = tmp_path_factory.mktemp("reels") / "small.reel"
    write(path, marks(12), every=3, compact=False)
    return path, path.read_bytes(), read(path), frame_offsets(path)


def test_any_cut_is_noticed_and_all_whole_frames_before_it_are_read(tmp_path: Path, small: Any) -> None:
    _, data, events, offsets = small
    path = tmp_path / "cut.reel"
    for cut in range(1, len(data)):
        path.write_bytes(data[:cut])
        whole = sum(offset <= cut for offset in offsets) - 1
        if whole == 0:
            with pytest.raises(ReelError):
                open_reel(path)
            continue
        with open_reel(path) as reel:
            assert not reel.sealed
            assert (reel.damage is None) == (cut in offsets)
            if reel.damage is not None:
                assert (reel.damage.frame, reel.damage.offset) == (whole, offsets[whole])
                assert "ends inside a frame" in reel.damage.reason
            got = list(reel.events())
        assert got == events[: len(got)] and len(got) == 1 + 3 * (whole - 1)


def test_any_flipped_bit_is_noticed_and_what_stands_before_it_is_read(tmp_path: Path, small: Any) -> None:
    _, data, events, offsets = small
    path = tmp_path / "flipped.reel"
    for place in range(len(data)):
        for bit in (1, 2, 4, 8, 16, 32, 64, 128) if place >= offsets[-2] else (1 << place % 8, 255):
            changed = bytearray(data)
            changed[place] ^= bit
            path.write_bytes(changed)
            hit = sum(offset <= place for offset in offsets) - 1
            try:
                reel = open_reel(path)
            except ReelError:
                assert hit == 0
                continue
            with reel:
                assert reel.damage is not None, f"byte {place}, bits {bit:08b}"
                # Bits that no content depends on show in the frame after, whose hash no longer fits.
                assert reel.damage.frame in (hit, hit + 1)
                got = list(reel.events())
            assert got == events[: len(got)]
            assert len(got) >= min(1 + 3 * (hit - 1), len(events) - 1)


@pytest.mark.parametrize(
    "order", [[0, 2, 1, 3, 4], [0, 1, 1, 2, 3, 4], [0, 2, 3, 4]], ids=["swapped", "doubled", "left out"]
)
def test_frames_that_were_moved_show(tmp_path: Path, small: Any, order: list[int]) -> None:
    _, data, events, offsets = small
    frames = [data[a:b] for a, b in pairwise(offsets)]
    path = tmp_path / "moved.reel"
    path.write_bytes(b"".join(frames[index] for index in order))
    with open_reel(path) as reel:
        assert reel.damage is not None and "belongs" in reel.damage.reason and not reel.sealed
        got = list(reel.events())
    assert got == events[: len(got)]


def test_a_frame_of_another_reel_does_not_fit(tmp_path: Path, small: Any) -> None:
    _, data, _, offsets = small
    write(tmp_path / "other.reel", marks(12), every=3, compact=False)
    other, other_offsets = (tmp_path / "other.reel").read_bytes(), frame_offsets(tmp_path / "other.reel")
    path = tmp_path / "mixed.reel"
    path.write_bytes(data[: offsets[2]] + other[other_offsets[2] :])
    with open_reel(path) as reel:
        assert reel.damage is not None
        assert (reel.damage.frame, reel.damage.offset) == (2, offsets[2])
        assert "not the one that was written" in reel.damage.reason


def test_what_follows_the_end_is_damage(tmp_path: Path, small: Any) -> None:
    _, data, events, _ = small
    path = tmp_path / "longer.reel"
    path.write_bytes(data + b"more")
    with open_reel(path) as reel:
        assert reel.damage is not None and "goes on after the end" in reel.damage.reason
        assert list(reel.events()) == events


def test_a_line_that_is_no_event_is_passed_over_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    lines = HEAD + b'{"k":"mark","t":1,"name":"a"}\n{oops\n[1]\n{"k":"mark","t":2,"name":"b"}\n'
    path.write_bytes(zstandard.ZstdCompressor().compress(lines))
    with open_reel(path) as reel:
        assert reel.damage is None
        assert [event["k"] for event in reel.events()] == ["reel", "mark", "mark"]
        assert [str(each) for each in reel.invalid] == [
            "line 3 of frame 0: it is not an event",
            "line 4 of frame 0: it is not an event",
        ]
        assert [event["t"] for event in reel.timeline()] == [0, 1, 2] and reel.invalid_count == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"k":"note","t":1,"id":1,"text":"%s"}' % (b"x" * LINE_BYTES), "bytes; 33,554,432 is the most"),
        (
            b'{"k":"mutation","t":1,"d":1,"n":0,"ops":[%s["del",5]]}' % (b'["del",5],' * LINE_PARTS),
            "more than 1,200,000 parts",
        ),
        (b'{"k":"x","t":1,"v":' + b"[" * 500_000 + b"]" * 500_000 + b"}", "not an event"),
    ],
)
def test_a_line_that_is_more_than_one_may_be_is_passed_over_and_what_follows_is_read(
    tmp_path: Path, line: bytes, says: str
) -> None:
    path = tmp_path / "a.reel"
    path.write_bytes(zstandard.ZstdCompressor().compress(HEAD + line + b'\n{"k":"mark","t":2,"name":"b"}\n'))
    with open_reel(path) as reel:
        assert [event["k"] for event in reel.events()] == ["reel", "mark"]
        assert reel.invalid_count == 1 and says in reel.invalid[0].reason


def test_an_event_that_breaks_the_format_is_left_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    with AsTold(path, {"started": 0}) as writer:
        for event in (
            {"k": "mark", "t": 1, "name": 7},
            {"k": "mark", "t": 2, "name": "b"},
            {"k": "new", "t": 3, "x": 1},
        ):
            writer.write(event)  # type: ignore[arg-type]
    with open_reel(path) as reel:
        assert [event["t"] for event in reel.events() if event["k"] in ("mark", "new")] == [2, 3]
        assert reel.invalid_count == 1 and "mark: Expected `str`, got `int` - at `$.name`" in reel.invalid[0].reason
        once = list(reel.timeline())
        assert list(reel.timeline()) == once and [event["k"] for event in once] == ["reel", "mark", "new", "end"]
        assert reel.invalid_count == 1 and "$.name" in reel.invalid[0].reason, "played once more, it is said again"


# -- bombs -------------------------------------------------------------------------------------------------------------


def test_a_frame_that_holds_too_much_is_refused_before_it_is_decompressed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.reel"
    write(path, marks(2), close=False)
    good = path.read_bytes()
    packer = zstandard.ZstdCompressor().compressobj()
    parts = [packer.compress(bytes(1 << 20)) for _ in range((FRAME_BYTES >> 20) + 2)]
    path.write_bytes(good + b"".join(parts) + packer.flush())
    assert path.stat().st_size < 100_000
    with open_reel(path) as reel:
        assert reel.damage is not None and "holds more than" in reel.damage.reason
        assert len(list(reel.events())) == 3


def test_a_frame_that_claims_a_terabyte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.reel"
    write(path, marks(2), close=False)
    huge = b"\x28\xb5\x2f\xfd" + bytes([0b1110_0000]) + (1 << 40).to_bytes(8, "little") + b"\x01\x00\x00"
    path.write_bytes(path.read_bytes() + huge)
    with open_reel(path) as reel:
        assert reel.damage is not None and "claims more than" in reel.damage.reason


@settings(max_examples=300, deadline=None)
@given(data=st.binary(max_size=200))
def test_reading_garbage_raises_nothing_but_reel_errors(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage.reel"
    for content in (data, b"\x28\xb5\x2f\xfd" + data, zstandard.ZstdCompressor().compress(data)):
        path.write_bytes(content)
        with pytest.raises(ReelError):
            open_reel(path)


# -- not a reel --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"hello", "is not a reel"),
        (b"<!DOCTYPE html><p>", "HTML page"),
        (b"PK\x03\x04zip", "zip archive"),
        (zstandard.ZstdCompressor().compress(b"hello"), "not a reel, or its beginning is lost"),
        (b"\x28\xb5", "is not a reel"),
    ],
)
def test_what_is_no_reel_is_said_in_one_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.reel"
    path.write_bytes(content)
    with pytest.raises(ReelError, match=says) as caught:
        open_reel(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_folders_and_missing_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(ReelError, match="is a folder"):
        open_reel(tmp_path)
    with pytest.raises(ReelError, match="does not exist"):
        open_reel(tmp_path / "nosuch.reel")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ReelError, match="is not a file"):
        open_reel(tmp_path / "pipe")


def test_a_reel_of_the_future_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "new.reel"
    ReelWriter(path, {"format": FORMAT + 1}).close()
    with pytest.raises(FutureFormatError, match=rf"format {FORMAT + 1}.*newer"):
        open_reel(path)


def test_kinds_and_fields_that_a_later_version_adds_are_passed_on(tmp_path: Path) -> None:
    added = [{"k": "hologram", "t": 1.0, "text": "x"}, {"k": "note", "id": 1, "t": 2.0, "text": "a", "later": 3}]
    with ReelWriter(tmp_path / "new.reel", {}) as writer:
        for event in added:
            writer.write(event)
    with open_reel(tmp_path / "new.reel") as reel:
        assert list(reel.events())[1:-1] == added
    found = verify(tmp_path / "new.reel")
    assert found.ok and found.unknown == 1


def test_a_closed_reel_says_so(tmp_path: Path) -> None:
    write_sample(tmp_path / "a.reel")
    with open_reel(tmp_path / "a.reel") as reel:
        pass
    with pytest.raises(ReelError, match="was closed"):
        list(reel.events())


def test_a_reel_stays_readable_while_it_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.reel"
    writer = ReelWriter(path, {})
    for event in marks(9):
        writer.write(event)
        writer.flush()
    with open_reel(path) as reel:
        writer.close()
        assert len(list(reel.events())) == 10


def test_resources_are_found_by_their_hash(tmp_path: Path) -> None:
    write_sample(tmp_path / "a.reel")
    with open_reel(tmp_path / "a.reel") as reel:
        images = [event for event in reel.events() if event["k"] == "resource" and event["mime"] == "image/png"]
        for image in images:
            data = reel.resource(str(image["sha256"]))
            assert data is not None and len(data) == image["size"] and data.startswith(b"\x89PNG")
        assert reel.resource("0" * 64) is None
