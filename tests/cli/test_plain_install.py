"""A plain install, without the packages of the extra `redaction`: what masks says what it needs, and all else works."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.reel import sample

_RUN = """
import contextlib, io, json, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("ahocorasick_rs", "numpy", "presidio_analyzer", "spacy", "onnxruntime", "tokenizers", "cryptography", "PIL"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
import pagereel
from pagereel.cli.app import run_command_line
from pagereel.errors import SetupError
from pagereel.redaction import find_pii, known_values, redact_many

def said(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run_command_line(arguments)
    return [status, out.getvalue() + err.getvalue()]

def raised(call):
    try:
        call()
    except SetupError as error:
        return str(error)

found = {" ".join(words): said(words) for words in json.load(sys.stdin)}
reel = "run.reel"
calls = {
    "build": lambda: pagereel.build(reel, "x.html"),
    "redact": lambda: pagereel.redact(reel, "x.reel"),
    "compare": lambda: pagereel.compare(reel, reel).to_json(),
    "find_pii": lambda: find_pii(["Ada Lovelace"]),
    "known_values": lambda: known_values(reel),
    "redact_many": lambda: redact_many([(reel, "x.reel")]),
}
print(json.dumps([found, {name: raised(call) for name, call in calls.items()}]))
"""
_MASKING = (
    "build run.reel x.html", "redact run.reel x.reel", "query run.reel summary", "export run.reel x.har", "compare run.reel run.reel",
    "library add kept run.reel", "show run.reel --no-open",
    "events run.reel --redaction vendor", "info run.reel --redaction vendor",
)  # fmt: skip
_REVIEW = "review run.reel --no-open"
_PLAIN = (
    "build run.reel off.html --redaction off", "query run.reel summary --redaction off", "export run.reel off.har --redaction off",
    "compare run.reel run.reel --redaction off", "info run.reel", "verify run.reel",
    "events run.reel", "library add raw run.reel --redaction off",
)  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[object]], dict[str, str | None]]:
    folder = tmp_path_factory.mktemp("plain")
    sample.write_sample(folder / "run.reel")
    words = json.dumps([command.split() for command in (*_MASKING, *_PLAIN, _REVIEW)])
    done = subprocess.run([sys.executable, "-c", _RUN], input=words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    commands, calls = json.loads(done.stdout.splitlines()[-1])
    return commands, calls


_NEEDED = ("pip install 'pagereel[redaction]'", "`pagereel setup`", "--redaction off")


@pytest.mark.parametrize("command", _MASKING)
def test_a_command_that_masks_says_what_it_needs(told: tuple[dict[str, list[object]], object], command: str) -> None:
    status, said = told[0][command]
    assert status and all(words in str(said) for words in _NEEDED), said
    assert "error of pagereel's own" not in str(said) and "Masked without" not in str(said)


@pytest.mark.parametrize("command", _PLAIN)
def test_a_command_that_masks_nothing_needs_nothing(told: tuple[dict[str, list[object]], object], command: str) -> None:
    assert told[0][command][0] == 0, told[0][command]


def test_a_review_says_so_before_it_opens_a_page(told: tuple[dict[str, list[object]], object]) -> None:
    status, said = told[0][_REVIEW]
    assert status and "http" not in str(said) and all(words in str(said) for words in _NEEDED[:2]), said


def test_a_function_that_masks_raises_a_set_up_error(told: tuple[object, dict[str, str | None]]) -> None:
    for name, said in told[1].items():
        assert all(words in str(said) for words in _NEEDED), (name, said)
