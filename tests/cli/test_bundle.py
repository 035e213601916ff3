"""pagereel bundle on the command line: what it prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..comparison.runs import purchase
from .conftest import Command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    purchase(folder / "good.reel")
    purchase(folder / "poor.reel", status=409, total="0", button=False)
    return folder


def test_a_folder_of_recordings_becomes_a_suite_that_is_asked_for_one_test(pagereel: Command, folder: Path) -> None:
    suite = folder / "suite.html"
    answer = pagereel("bundle", folder / "*.reel", suite, "--redaction", "off", "--title", "Night 7")
    assert answer.status == 0 and "2 recordings" in answer.out and "2 tests: 1 failed, 1 passed." in answer.out
    assert "NOT redacted" in answer.err and "<title>Night 7</title>" in suite.read_text("utf-8")
    told = json.loads(pagereel("bundle", folder / "*.reel", suite, "--redaction", "off", "--json").out)
    assert told["outcomes"] == {"failed": 1, "passed": 1} and told["bytes"] == suite.stat().st_size
    asked = pagereel("query", "first-failure", suite, "--redaction", "off")
    assert asked.status == 2 and "holds the recordings of 2 tests" in asked.err
    address = asked.err.rpartition("for example ")[2].strip().rstrip(".")
    assert "POST /cart answered 409" in pagereel("query", "first-failure", address, "--redaction", "off").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("suite.html",), "Name the recordings and then the file to write"),
        (("{good}", "suite.txt"), "Name the recordings and then the file to write"),
        (("{good}", "{good}", "no/where/suite.html"), "does not exist"),
        (("{good}", "suite.html", "--junit", "{good}"), "is neither JUnit XML"),
        (("{good}", "suite.html", "--previous", "{good}"), "is not a suite"),
        (("{good}", "suite.html", "--theme", "pink"), "pink"),
    ],
)
def test_wrong_use_is_a_sentence_and_status_2(
    pagereel: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = pagereel("bundle", *(word.format(good=folder / "good.reel") for word in words), "--redaction", "off")
    assert answer.status == 2 and said in answer.err and "Traceback" not in answer.err
