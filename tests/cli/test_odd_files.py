"""Pipes, devices, names too long, outputs that take nothing: each is one sentence, and nothing is waited for without end."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat
from pathlib import Path

import pytest

from pagereel import user_files
from pagereel.errors import UsageError
from pagereel.library import Library
from pagereel.reel import Key
from tests.command import PAGEREEL

from .conftest import Command
from .test_manners import is_one_sentence

REEL, ODD = "sample.reel", "odd"
DOORS = {
    "gate": ("gate", ODD, "--known", "known.txt"),
    "gate --known": ("gate", REEL, "--known", ODD),
    "redact": ("redact", ODD, "out.reel"),
    "redact --redaction": ("redact", REEL, "out.reel", "--redaction", "odd.toml"),
    "redact --vault-key": ("redact", REEL, "out.reel", "--vault", "v", "--vault-key", ODD),
    "serve --tokens": ("serve", "lib", "--port", "0", "--tokens", ODD),
    "library expect": ("library", "expect", "lib", ODD),
    "compare --ignore": ("compare", REEL, REEL, "--ignore", ODD, "--redaction", "off"),
    "info": ("info", ODD),
    "export": ("export", ODD, "out.md"),
}


@pytest.fixture
def here(sample: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(sample.parent)
    Path("known.txt").write_text("somebody@example.com\n")
    Library("lib").close()
    return sample.parent


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("odd", ["pipe", "device"])
def test_what_is_no_file_is_neither_waited_for_nor_read(
    pagereel: Command, here: Path, monkeypatch: pytest.MonkeyPatch, door: str, odd: str
) -> None:
    monkeypatch.setattr(user_files, "PATIENCE_S", 0.2)
    for name in (ODD, "odd.toml"):
        os.mkfifo(name) if odd == "pipe" else os.symlink("/dev/zero", name)
    answer = pagereel(*DOORS[door])
    assert answer.status == 2 and is_one_sentence(answer.err), answer.err
    assert re.search(r"is not a file" if odd == "device" else r"is not a file|nobody wrote it to its end", answer.err)
    assert "odd" in answer.err


@contextmanager
def piped(blocks: Iterable[bytes]) -> Iterator[str]:
    """Gives the name of a pipe into which a process writes, as a shell does for ``<(…)``."""
    out, into = os.pipe()

    def write() -> None:
        with suppress(BrokenPipeError), os.fdopen(into, "wb", buffering=0) as file:
            for block in blocks:
                file.write(block)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield f"/dev/fd/{out}"
    finally:
        os.close(out)
        writer.join()


@pytest.mark.parametrize("lines", [1, 20_000])
def test_what_a_shell_pipes_in_is_read(pagereel: Command, here: Path, lines: int) -> None:
    with piped([b"somebody@example.com\n"] * lines) as known, piped([Path(REEL).read_bytes()]) as file:
        answer = pagereel("gate", file, "--known", known)
    assert (answer.status, answer.out[:44]) == (0, "No known value stands in the file: 1 values,")


def test_an_empty_pipe_is_an_empty_file(pagereel: Command, here: Path) -> None:
    with piped([]) as known:
        answer = pagereel("gate", REEL, "--known", known)
    Path("empty").touch()
    assert answer.err.replace(known, "empty") == pagereel("gate", REEL, "--known", "empty").err


def test_a_pipe_is_read_no_further_than_its_use_can_need(pagereel: Command, here: Path) -> None:
    with piped(repeat(b"a" * 9_999 + b"\n")) as known:
        answer = pagereel("gate", REEL, "--known", known)
    assert answer.status == 2 and is_one_sentence(answer.err) and "it has more than 67,108,864 bytes" in answer.err


def test_a_key_is_a_file_or_a_pipe_and_short(here: Path) -> None:
    with piped([b"correct horse battery"]) as pipe:
        assert Key.load(pipe).name == "a passphrase"
    Path("long").write_bytes(b"a" * 100_000)
    with pytest.raises(UsageError, match="it has more than"):
        Key.load("long")


NAME = "n" * 300
WRONG = {
    "a name too long to read": ("info", f"{NAME}.reel"),
    "a name too long to write": ("build", REEL, f"{NAME}.html", "--redaction", "off"),
    "a step of five thousand digits": ("query", REEL, "around", "9" * 5_000, "--redaction", "off"),
    "a folder that cannot be made": ("baseline", "/proc/b", REEL, "--why", "x", "--redaction", "off"),
    "TOML without end": ("redact", REEL, "out.reel", "--redaction", "deep.toml"),
    "YAML without end": ("redact", REEL, "out.reel", "--redaction", "deep.yaml"),
    "a time that is none": ("events", REEL, "--from", "nan"),
    "a time without end": ("events", REEL, "--to", "1e400"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_one_sentence(pagereel: Command, here: Path, wrong: str) -> None:
    Path("deep.toml").write_text(f"a = {'[' * 50_000}{']' * 50_000}")
    Path("deep.yaml").write_text(f"a: {'[' * 5_000}{']' * 5_000}")
    answer = pagereel(*WRONG[wrong])
    assert answer.status == 2 and is_one_sentence(answer.err), answer.err
    assert "error of pagereel's own" not in answer.err and len(answer.err) < 400


@pytest.mark.parametrize(
    ("to", "said"), [(">/dev/full", "the output: No space left"), (">&-", "the output: it is closed")]
)
@pytest.mark.parametrize("command", ["info", "events"])
def test_an_output_that_takes_nothing_is_one_sentence(here: Path, command: str, to: str, said: str) -> None:
    answer = subprocess.run(["sh", "-c", f'"$@" {to}', "sh", *PAGEREEL, command, REEL], capture_output=True, text=True)
    assert answer.returncode == 2 and is_one_sentence(answer.stderr) and said in answer.stderr


def test_the_gate_names_the_file_that_it_cannot_open(pagereel: Command, here: Path) -> None:
    Path("cut.reel").write_bytes(Path(REEL).read_bytes()[:17])
    answer = pagereel("gate", "cut.reel", "--known", "known.txt")
    assert answer.status == 1 and answer.err.startswith("pagereel: cut.reel: ") and "it was cut off" in answer.err
