"""A reel is read while it is written: what was appended, and nothing twice, over its end."""

from __future__ import annotations

import os
from pathlib import Path

from pagereel.reel import Event, Key, ReelWriter, new_key_pair, open_reel, read_unfinished_header, using_key


def mark(writer: ReelWriter, t: float, name: str) -> None:
    writer.write({"k": "mark", "t": t, "name": name})


def names(events: list[Event]) -> list[object]:
    return [event["name"] for event in events if event["k"] == "mark"]


def test_what_is_appended_comes_once_in_the_order_in_which_it_happened(tmp_path: Path) -> None:
    writer = ReelWriter(tmp_path / "a.reel", {"started": 1, "id": "abcdef12"}, flush_ms=60_000)
    with open_reel(tmp_path / "a.reel") as reel:
        assert [event["k"] for event in reel.read_new_events()] == ["reel"]
        assert reel.read_new_events() == []
        mark(writer, 20, "second")
        mark(writer, 10, "first")
        writer.write({"k": "resource", "t": 30, "sha256": "0" * 64, "mime": "text/css", "size": 1, "text": "a"})
        writer.flush()
        events = reel.read_new_events()
        assert events[0]["k"] == "resource", "what an event of the same moment names stands before it"
        assert names(events) == ["first", "second"]
        mark(writer, 40, "last")
        writer.close()  # and is rewritten into a new file, which takes the place of this one
        assert os.stat(tmp_path / "a.reel").st_ino != os.fstat(reel._file).st_ino
        assert [event["k"] for event in reel.read_new_events()] == ["mark", "end"]
        assert reel.sealed and reel.read_new_events() == []


def test_a_frame_that_is_there_in_part_is_no_damage(tmp_path: Path) -> None:
    whole = ReelWriter(tmp_path / "whole.reel", {"started": 1}, flush_ms=60_000)
    mark(whole, 1, "one")
    whole.flush()
    data = (tmp_path / "whole.reel").read_bytes()
    with (tmp_path / "part.reel").open("wb", buffering=0) as file:
        file.write(data[:-5])
        with open_reel(tmp_path / "part.reel") as reel:
            assert names(reel.read_new_events()) == []
            file.write(data[-5:])
            assert names(reel.read_new_events()) == ["one"]
            assert reel.damage is None
            file.write(b"no frame at all")
            assert reel.read_new_events() == [] and reel.damage is not None


def test_a_reel_without_an_end_is_told_by_its_first_and_last_bytes(tmp_path: Path) -> None:
    for number, keys in enumerate((None, Key.parse(new_key_pair()[0]))):
        path = tmp_path / f"{number}.reel"
        writer = ReelWriter(path, {"started": 1, "id": "abcdef12"}, encrypt_to=keys)
        with using_key(keys):
            header = read_unfinished_header(path)
            assert header is not None and header["id"] == "abcdef12"
            mark(writer, 1, 'says "k":"end"')
            writer.flush()
            assert read_unfinished_header(path) is not None
            writer.close()
            assert read_unfinished_header(path) is None
