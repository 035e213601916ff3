"""`-` for what is piped in and on, one rule for files that are there, `--quiet`, and numbers and words as people write them."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.durations import format_duration
from pagereel.reel import verify
from tests.command import PAGEREEL
from tests.redaction.reels import Maker

from .conftest import Command


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def piped(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PAGEREEL, *words], input=given, capture_output=True, timeout=120)


def test_a_recording_is_piped_through(sample: Path) -> None:
    masked = piped("redact", "-", "-", "--redaction", "vendor", given=sample.read_bytes())
    assert masked.returncode == 0, masked.stderr
    assert b"places masked" in masked.stderr, "the report makes room for the recording"
    Path("masked.reel").write_bytes(masked.stdout)
    assert verify("masked.reel").ok
    info = piped("info", "-", given=masked.stdout)
    assert info.returncode == 0 and b"sample" not in info.stderr
    html = piped("build", "-", "--redaction", "off", given=sample.read_bytes())
    assert html.returncode == 0 and html.stdout.startswith(b"<!DOCTYPE html>")
    assert piped("query", "-", "steps", "--redaction", "off", given=html.stdout).stdout
    assert piped("export", "-", "-", "-f", "jsonl", "--redaction", "off", given=html.stdout).stdout.startswith(b"{")
    assert not list(Path().glob("-*"))


def test_a_terminal_is_told_how_to_pipe(pagereel: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal())
    answer = pagereel("info", "-")
    assert answer.status == 2 and "is the standard input, but nothing is piped in" in answer.err


def test_what_is_piped_in_is_read_once(sample: Path) -> None:
    done = piped("compare", "-", "-", given=sample.read_bytes())
    assert done.returncode == 2 and b"can be read only once" in done.stderr


def test_a_command_that_fails_pipes_nothing_on() -> None:
    done = piped("redact", "-", "-", given=b"no recording")
    assert done.returncode == 2 and done.stdout == b"" and done.stderr.count(b"\n") == 1


WRITING = [
    ("redact", "{reel}", "there.out"),
    ("export", "{reel}", "there.out", "-f", "jsonl"),
    ("export", "jsonl", "{reel}", "there.out"),
    ("build", "{reel}", "there.out", "--redaction", "off"),
    ("import", "{reel}", "there.out"),
    ("compare", "{reel}", "{reel}", "-o", "there.md"),
    ("record", "http://127.0.0.1:9", "there.out", "--headless", "--time-limit", "1"),
    ("attach", "9222", "there.out"),
    ("proxy", "--reel", "there.out", "true"),
]


@pytest.mark.parametrize("words", WRITING, ids=lambda words: " ".join(words[:2]))
def test_a_file_that_is_there_stays_without_force(pagereel: Command, sample: Path, words: tuple[str, ...]) -> None:
    for name in ("there.out", "there.md"):
        Path(name).write_text("mine")
    answer = pagereel(*(word.format(reel=sample) for word in words))
    assert answer.status == 2 and "exists already; give another path, or add --force." in answer.err
    assert Path("there.out").read_text() == Path("there.md").read_text() == "mine"


def test_force_replaces_it_and_its_old_name_does_too(pagereel: Command, sample: Path) -> None:
    for option in ("--force", "--overwrite"):
        Path("there.jsonl").write_text("mine")
        assert pagereel("export", sample, "there.jsonl", "--redaction", "off", option).status == 0
        assert Path("there.jsonl").read_text() != "mine"


def test_a_replay_makes_room_for_a_newer_one(pagereel: Command, sample: Path) -> None:
    for name, more in (("run.html", ()), ("run.zip", ("--zip",))):
        for _ in range(2):
            assert pagereel("build", sample, name, "--redaction", "off", *more).status == 0


def test_quiet_prints_what_was_asked_for_and_what_is_amiss(pagereel: Command, sample: Path, cut_sample: Path) -> None:
    answer = pagereel("build", sample, "run.html", "--redaction", "off", "--quiet")
    assert (answer.status, answer.out, answer.err) == (0, "", "")
    assert pagereel("query", "steps", sample, "--redaction", "off", "-q").out
    assert "cut off" in pagereel("events", cut_sample, "--quiet").err
    assert "There is no file" in pagereel("info", "nosuch.reel", "-q").err
    assert "NOT redacted" in pagereel("build", sample, "run.html", "--redaction", "off").err, "only for that command"


@pytest.mark.parametrize(("ms", "text"), [(0, "0.0 s"), (312, "0.3 s"), (61_000, "1 min 01 s"), (9e6, "2 h 30 min")])
def test_a_time_is_written_as_people_do(ms: float, text: str) -> None:
    assert format_duration(ms) == text


def test_a_part_behind_the_end_is_said_in_hours(pagereel: Command, sample: Path) -> None:
    answer = pagereel("build", sample, "part.html", "--from", "9000000", "--redaction", "off")
    assert "A part from 2 h 30 min on is empty" in answer.err and "e+" not in answer.err
    answer = pagereel("build", sample, "part.html", "--from", "9000000", "--to", "8000000", "--redaction", "off")
    assert "2 h 30 min" in answer.err and "e+" not in answer.err


def odd(path: Path) -> Path:
    m = Maker(path)
    m.body(["p", {}, "Hello"])
    m.put("step", id=1, title="Pay *now* for [two] #1")
    m.ops(["text", 6, "card declined"])
    m.put("step_end", id=1, success=True)
    return m.done()


def test_a_terminal_gets_no_escapes_of_markdown(pagereel: Command, tmp_path: Path) -> None:
    path = odd(tmp_path / "odd.reel")
    told = pagereel("query", path, "summary", "--redaction", "off").out
    assert "\\" not in told and "**" not in told
    assert "Pay *now* for [two] #1" in told
    assert pagereel("library", "add", "runs", path).status == 0
    shown = pagereel("library", "list", "runs", "--json").out
    run = json.loads(shown)["runs"][0]["id"]
    assert "\\" not in pagereel("library", "show", "runs", run).out


def test_a_line_that_is_found_says_its_time_and_its_step(pagereel: Command, tmp_path: Path) -> None:
    assert pagereel("library", "add", "runs", odd(tmp_path / "odd.reel")).status == 0
    answer = pagereel("library", "search", "runs", "declined")
    told = answer.out + answer.err
    assert re.search(r"(?m)^ +\d+\.\d s, step 1 “Pay .*”  page: card declined$", told), told
