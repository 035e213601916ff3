"""A recording for a store grows on this disk and is put in its place whole."""

from __future__ import annotations

from pathlib import Path

import fsspec
import pytest

from pagereel.errors import ReelError, SetupError, UsageError
from pagereel.reel import ReelWriter, open_reel, open_reel_writer, remote_stores


@pytest.fixture(autouse=True)
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "spool"
    monkeypatch.setenv("PAGEREEL_SPOOL", str(folder))
    return folder


def test_the_store_has_it_when_it_is_closed_and_the_spool_no_more(spool: Path) -> None:
    memory = fsspec.filesystem("memory")
    writer = open_reel_writer("memory://bucket/reels/run.reel", {"id": "one"})
    writer.write({"k": "mark", "t": 1, "name": "kept"})
    writer.flush()
    (growing,) = spool.iterdir()
    assert growing.stat().st_mode & 0o777 == 0o600
    assert not memory.exists("/bucket/reels/run.reel")
    writer.close()
    writer.close()
    assert list(spool.iterdir()) == []
    with remote_stores.open_local_copy("memory://bucket/reels/run.reel") as copy, open_reel(copy) as reel:
        assert reel.sealed and [event["k"] for event in reel.events()] == ["reel", "mark", "end"]
    assert not copy.exists()


def test_what_the_store_refuses_stays_on_the_disk_and_is_named(spool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("no")

    writer = open_reel_writer("memory://bucket/refused.reel", {"id": "two"})
    monkeypatch.setattr(type(fsspec.filesystem("memory")), "put_file", refuse)
    with pytest.raises(ReelError, match=r"cannot be reached.* recording is at .*refused-.*\.reel"):
        writer.close()
    (left,) = spool.iterdir()
    with open_reel(left) as reel:
        assert reel.sealed


def test_an_address_that_nothing_here_can_reach_is_refused_before_the_run() -> None:
    with pytest.raises((UsageError, SetupError), match=r"nowhere://bucket/run\.reel"):
        open_reel_writer("nowhere://bucket/run.reel", {})


def test_a_path_is_a_path(tmp_path: Path) -> None:
    writer = open_reel_writer(tmp_path / "run.reel", {})
    assert type(writer) is ReelWriter
    writer.close()
