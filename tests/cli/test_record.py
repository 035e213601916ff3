"""`pagereel record` in a real browser: it ends when it is told to, and leaves a whole recording."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import time
from datetime import datetime
from pathlib import Path

import pytest

from pagereel.cli.record_page import StopCondition, build_default_reel_name, complete_url, parse_viewport
from pagereel.errors import UsageError
from tests.command import PAGEREEL

from .conftest import Command


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>A page</title><h1>Recorded</h1>")
    return path


def test_a_time_limit_ends_a_headless_recording(pagereel: Command, page: Path, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    answer = pagereel("record", page, reel, "--headless", "--time-limit", 1, "--viewport", "900x700", "--json")
    assert answer.status == 0, answer.err
    told = json.loads(answer.out)
    assert told["reel"] == str(reel) and told["bytes"] == reel.stat().st_size
    info = json.loads(pagereel("info", reel, "--json").out)
    assert info["sealed"] and info["pages"] == [page.as_uri()]
    assert info["fidelity"]["tree"]["total"] == info["fidelity"]["tree"]["equal"] > 0
    [document] = [json.loads(line) for line in pagereel("events", reel, "--kind", "document").out.splitlines()][-1:]
    assert (document["viewport"]["w"], document["viewport"]["h"]) == (900, 700)


def test_enter_ends_a_recording(page: Path, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    ours, theirs = pty.openpty()
    command = [*PAGEREEL, "record", str(page), str(reel), "--headless"]
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + 60
        while not reel.exists() or reel.stat().st_size == 0:
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.1)
        os.write(ours, b"\n")
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)
    assert process.returncode == 0, err
    assert str(reel) in out.decode()


def test_a_recording_is_not_overwritten_by_accident(pagereel: Command, page: Path, sample: Path) -> None:
    before = sample.read_bytes()
    answer = pagereel("record", page, sample, "--headless", "--time-limit", 1)
    assert answer.status == 2 and "--force" in answer.err
    assert sample.read_bytes() == before


def test_a_page_that_does_not_open_leaves_no_recording(pagereel: Command, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    answer = pagereel("record", "http://127.0.0.1:9", reel, "--headless", "--time-limit", 5)
    assert answer.status == 2
    assert answer.err.startswith("pagereel: http://127.0.0.1:9 could not be opened (ERR_")
    assert not reel.exists()


@pytest.mark.parametrize(
    ("given", "opened"),
    [
        ("https://example.com/a?b", "https://example.com/a?b"),
        ("example.com", "https://example.com"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("about:blank", "about:blank"),
    ],
)
def test_addresses_are_taken_as_a_browsers_bar_takes_them(given: str, opened: str) -> None:
    assert complete_url(given) == opened


@pytest.mark.parametrize("given", ["", "two words", "ftp://example.com", "nonsense"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(UsageError):
        complete_url(given)


def test_viewports_and_names() -> None:
    assert parse_viewport("1280x800") == (1280, 800)
    with pytest.raises(UsageError, match="1280x800"):
        parse_viewport("1280*800")
    now = datetime(2026, 11, 21, 12, 0, 5)
    assert build_default_reel_name("https://shop.example:8000/a", now) == "shop.example-20261121-120005.reel"
    assert build_default_reel_name("file:///tmp/page.html", now) == "page-20261121-120005.reel"


def test_the_time_limit_counts_from_the_beginning() -> None:
    stop = StopCondition(0.05, keyboard=False)
    time.sleep(0.06)
    assert not stop()
    stop.start()
    assert not stop()
    time.sleep(0.06)
    assert stop()
