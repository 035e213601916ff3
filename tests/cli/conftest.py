"""The command line, called as a person calls it, and recordings to call it on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pagereel.cli import main

from ..reel.sample import write_sample


@dataclass(frozen=True)
class Answer:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def pagereel(capsys: pytest.CaptureFixture[str]) -> Command:
    """Calls `pagereel` with the given words."""

    def call(*words: object) -> Answer:
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Answer(status, captured.out, captured.err)

    return call


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A sealed recording."""
    path = tmp_path / "sample.reel"
    write_sample(path)
    return path


@pytest.fixture
def cut_sample(tmp_path: Path) -> Path:
    """A recording that was killed."""
    path = tmp_path / "cut.reel"
    write_sample(path, seal=False)
    return path
