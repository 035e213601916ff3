"""Line 8: what is no reel gets one clear sentence and exit status 2, from the command as a person runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from .support import pagereel


def missing(path: Path) -> None:
    pass


def text(path: Path) -> None:
    path.write_text("Dear all,\nthis is a letter and not a recording.\n")


def empty(path: Path) -> None:
    path.touch()


def folder(path: Path) -> None:
    path.mkdir()


def future(path: Path) -> None:
    lines = '{"k":"frame","n":0,"prev":null}\n{"k":"reel","t":0,"format":7,"started":0}\n'
    path.write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(lines.encode()))


@pytest.mark.parametrize(
    ("make", "says"),
    [(missing, "no file"), (text, "not a recording"), (empty, "empty"), (folder, "folder"), (future, "newer")],
)
def test_build_says_what_it_was_given_in_one_sentence(tmp_path: Path, make: Callable[[Path], None], says: str) -> None:
    path = tmp_path / ("nosuch.reel" if make is missing else f"{make.__name__}.reel")
    make(path)
    answer = pagereel("build", path)
    assert answer.status == 2
    assert answer.out == ""
    assert answer.err.startswith("pagereel: ") and answer.err.count("\n") == 1, answer.err
    assert str(path) in answer.err and says in answer.err and answer.err.endswith(".\n"), answer.err
    assert list(tmp_path.rglob("*.html*")) == [], "nothing was written"
