"""What appears in a folder comes into the library by itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.errors import UsageError
from pagereel.library import Library, LibraryWatch
from tests.command import PAGEREEL

from .runs import made
from .test_retention import DAY, ruled


def old(path: Path, seconds: float = 3_600) -> Path:
    """The file, as if nobody had written to it for so long."""
    at = time.time() - seconds
    os.utime(path, (at, at))
    return path


def test_what_is_whole_is_taken_once(tmp_path: Path) -> None:
    results = tmp_path / "results"
    (results / "shard-1").mkdir(parents=True)
    old(made(results / "shard-1" / "a.reel", "one", id="aaaaaa"))
    (results / "notes.txt").write_text("no recording")
    old(results / "notes.txt")
    (results / "other.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    old(results / "other.zip")
    with ruled(tmp_path / "runs", "") as library:
        watch = LibraryWatch(library, [str(results)])
        assert [(seen.did, seen.said) for seen in watch.scan_places_once()] == [("added", "aaaaaa")]
        assert watch.scan_places_once() == []
        young = made(results / "b.reel", "two", id="bbbbbb")
        assert watch.scan_places_once(settled_seconds=60) == [], "it was written to a moment ago"
        assert [seen.did for seen in LibraryWatch(library, [str(results)]).scan_places_once(settled_seconds=0)] == [
            "added"
        ]
        old(made(results / "b.reel", "two", "three", id="bbbbbb"))
        assert [seen.did for seen in watch.scan_places_once()] == ["replaced"], "it changed"
        assert library.search("").total == 2 and young.exists()
    with Library(tmp_path / "runs") as library:
        assert LibraryWatch(library, [str(results)]).scan_places_once() == [], (
            "what was looked at is known after a new start"
        )
        with pytest.raises(UsageError, match="holds the library itself"):
            LibraryWatch(library, [str(tmp_path)])
        with pytest.raises(UsageError, match="is in the library itself"):
            LibraryWatch(library, [str(tmp_path / "runs" / "masked")])


def test_what_could_not_be_added_is_told_once_and_tried_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason may have been here, as models that were not installed yet: nothing is lost by it."""
    (tmp_path / "results").mkdir()
    old(made(tmp_path / "results" / "a.reel", "one", id="aaaaaa"))
    with ruled(tmp_path / "runs", "", index="none.toml") as library:
        watch = LibraryWatch(library, [str(tmp_path / "results")])
        assert [seen.did for seen in watch.scan_places_once()] == ["failed"]
        assert watch.scan_places_once() == []
    (tmp_path / "runs" / "library.toml").write_text('index = "off"\n')
    assert main(["library", "watch", str(tmp_path / "runs"), str(tmp_path / "results"), "--once", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "source": str(tmp_path / "results" / "a.reel"),
        "did": "added",
        "said": "aaaaaa",
    }


def test_ages_that_are_written_down_while_somebody_watches_hold(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    with ruled(tmp_path / "runs", "") as library:
        library.add(made(tmp_path / "a.reel", "one", id="aaaaaa"))
        watch = LibraryWatch(library, [str(tmp_path / "results")])
        assert watch.scan_places_once() == []
        (tmp_path / "runs" / "library.toml").write_text('index = "off"\n[retention]\nfull = "30d"\n')
        assert [seen.did for seen in watch.scan_places_once()] == ["expired"]


def test_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    source = old(made(tmp_path / "results" / "a.reel", "one", id="aaaaaa"))
    with ruled(tmp_path / "runs", "") as library:
        watch = LibraryWatch(library, [str(tmp_path / "results")])
        watch.scan_places_once()
        assert str(source) in (tmp_path / "runs" / "watched.json").read_text()
        source.unlink()
        old(made(tmp_path / "results" / "b.reel", "two", id="bbbbbb"))
        watch.scan_places_once()
        assert str(source) not in (tmp_path / "runs" / "watched.json").read_text()


def test_a_recording_without_an_end_waits_until_nobody_writes_to_it(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    growing = old(made(tmp_path / "results" / "a.reel", "one", id="aaaaaa", closed=False), 60)
    with ruled(tmp_path / "runs", "") as library:
        watch = LibraryWatch(library, [str(tmp_path / "results")])
        assert watch.scan_places_once() == []
        old(growing, 3_600)
        assert [seen.did for seen in watch.scan_places_once()] == ["added"]
        assert library.search("gap:unsealed").total == 1


def test_shards_of_one_run_of_ci_join(tmp_path: Path) -> None:
    """Each shard brings its own recordings, some of them twice; all are runs of one run of CI."""
    with ruled(tmp_path / "runs", "") as library:
        for shard in range(3):
            folder = tmp_path / f"shard-{shard}"
            folder.mkdir()
            for number in range(4):
                told = {"test": f"t::test_{number + 2 * shard}", "ci": "github/4711", "outcome": "passed"}
                old(made(folder / f"{number}.reel", "x", id=f"test{number + 2 * shard:03}", metadata=told))
        seen = LibraryWatch(library, [str(tmp_path / f"shard-{shard}") for shard in range(3)]).scan_places_once()
        assert [each.did for each in seen].count("added") == 8
        assert library.search("ci:github/4711").total == 8
        (row,) = library.stats(by=("ci",)).by["ci"]
        assert (row["name"], row["runs"], row["passed"]) == ("github/4711", 8, 8)


def test_what_was_deleted_does_not_come_back(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    old(made(tmp_path / "results" / "a.reel", "one", id="aaaaaa", started=time.time() * 1_000 - 40 * DAY))
    with ruled(tmp_path / "runs", '[retention]\nfull = "30d"\n') as library:
        watch = LibraryWatch(library, [str(tmp_path / "results")])
        assert [seen.did for seen in watch.scan_places_once()] == ["added", "expired"], (
            "ages are looked at once a day, the first time at once"
        )
        assert library.search("").total == 0
        (tmp_path / "runs" / "watched.json").unlink()
        assert [seen.did for seen in LibraryWatch(library, [str(tmp_path / "results")]).scan_places_once()] == ["known"]
        assert library.search("").total == 0


def test_the_command_watches_until_it_is_ended(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    with ruled(tmp_path / "runs", ""):
        pass
    command = [*PAGEREEL, "library", "watch", str(tmp_path / "runs"), str(results), "--every", "0.1"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        made(tmp_path / "a.reel", "one", id="aaaaaa")
        old(tmp_path / "a.reel")
        shutil.move(tmp_path / "a.reel", results / "a.reel")
        assert child.stdout is not None
        assert re.match(r"added aaaaaa .*a\.reel\n", child.stdout.readline())
    finally:
        child.send_signal(signal.SIGTERM)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 0, said
    assert main(["library", "watch", str(tmp_path / "runs"), str(results), "--once"]) == 0
