"""pagereel compare on the command line: what it prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pagereel.player_build import unpack_replay

from ..comparison.runs import purchase
from .conftest import Command


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    return purchase(tmp_path / "good.reel"), purchase(tmp_path / "bad.reel", status=409, total="0", button=False)


def test_equal_runs_exit_0_and_others_1(pagereel: Command, runs: tuple[Path, Path], tmp_path: Path) -> None:
    again = purchase(tmp_path / "again.reel", port=9000, order=1234)
    same = pagereel("compare", runs[0], again)
    assert (same.status, same.out.split(":")[0]) == (0, "equal")
    other = pagereel("compare", *runs)
    assert other.status == 1
    assert "POST /cart answered 409 instead of 201." in other.out
    assert "“Put it in the cart” (network)" in other.out


def test_the_json_is_as_the_contract_says(pagereel: Command, runs: tuple[Path, Path]) -> None:
    answer = pagereel("compare", *runs, "--json", "--fail-on", "outcome,model")
    told = json.loads(answer.out)
    assert answer.status == 1 and told["failed"] == ["outcome"]
    assert {"equal", "divergence", "differences", "outcome", "pairs", "failed"} <= told.keys()
    divergence = told["divergence"]
    assert divergence.keys() == {"kind", "summary", "a", "b", "chain"} and divergence["a"].keys() == {
        "t",
        "step",
        "title",
        "call",
    }
    first = told["differences"][0]
    assert (first["kind"], first["a"], first["b"]) == ("network", 201, 409) and first["at"].keys() == {"a", "b"}
    assert told["outcome"] == {"a": "passed", "b": "failed"} and len(told["pairs"]) >= 8


@pytest.mark.parametrize(
    ("fail_on", "status"),
    [("none", 0), ("model", 0), ("network", 1), ("cost=+20%", 0), ("time=+1%", 0), ("console,page", 1)],
)
def test_fail_on_says_what_counts(pagereel: Command, runs: tuple[Path, Path], fail_on: str, status: int) -> None:
    assert pagereel("compare", *runs, "--fail-on", fail_on, "--redaction", "off").status == status


def test_it_is_written_as_a_page_with_both_recordings(
    pagereel: Command, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    assert pagereel("compare", *runs, "-o", tmp_path / "diff.html").status == 1
    index = unpack_replay((tmp_path / "diff.html").read_bytes()).index
    assert index["title"] == "bad.reel beside good.reel" and len(index["halves"]) == 2  # type: ignore[arg-type]
    answer = pagereel("query", tmp_path / "diff.html", "steps")
    assert answer.status == 2 and "a comparison of two recordings" in answer.err
    assert pagereel("compare", runs[0], runs[0], "-o", tmp_path / "same.html", "--redaction", "off").status == 0
    assert unpack_replay((tmp_path / "same.html").read_bytes()).index["told"]["divergence"] is None  # type: ignore[index,call-overload]


def test_it_is_written_as_markdown_and_as_json(pagereel: Command, runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert pagereel("compare", *runs, "-o", tmp_path / "diff.md").status == 1
    text = (tmp_path / "diff.md").read_text()
    assert text.startswith("# bad.reel beside good.reel\n") and "| network | POST /cart, status | 201 | 409 |" in text
    pagereel("compare", *runs, "-o", tmp_path / "diff.json")
    assert json.loads((tmp_path / "diff.json").read_text())["equal"] is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fail-on", "prices"), "Unknown kind 'prices'"),
        (("--baseline", "nowhere-*.reel"), "does not exist"),
        (("--map-host", "staging"), "--map-host takes two hosts"),
        (("--ignore", "nowhere.toml"), "cannot be read"),
        (("-o", "diff.pdf"), ".md or .json"),
        (("--redaction", "nonsense"), "There is no redaction policy"),
    ],
)
def test_wrong_use_is_one_sentence_and_status_2(
    pagereel: Command, runs: tuple[Path, Path], words: tuple[str, ...], said: str
) -> None:
    answer = pagereel("compare", *runs, *words)
    assert answer.status == 2 and said in answer.err and answer.err.count("\n") == 1


def test_what_is_no_recording_is_status_2(pagereel: Command, runs: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.reel"
    other.write_text("no reel")
    for pair in ((runs[0], other), (other, runs[0]), (runs[0], tmp_path / "missing.reel"), (runs[0], tmp_path)):
        answer = pagereel("compare", *pair)
        assert answer.status == 2 and answer.err.count("\n") == 1, answer.err


@pytest.mark.parametrize(
    "text",
    ["[[ignore]]\n", "[[ignore]]\ncolour = 'red'", "[[ignore]]\ntext = 'a'\njson = 'b'", "[[ignore]]\nselector = 'a > b'", "text = 'x'", "[[ignore]]\nkind = 'prices'", "x ="],
)  # fmt: skip
def test_rules_that_do_not_hold_together_are_named(
    pagereel: Command, runs: tuple[Path, Path], tmp_path: Path, text: str
) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(text)
    answer = pagereel("compare", *runs, "--ignore", rules)
    assert answer.status == 2 and "rules.toml" in answer.err and answer.err.count("\n") == 1


def test_a_recording_that_was_cut_is_compared_as_far_as_it_goes_and_that_is_said(
    pagereel: Command, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    cut = tmp_path / "cut.reel"
    cut.write_bytes(runs[0].read_bytes()[:-40])
    answer = pagereel("compare", runs[0], cut, "--fail-on", "none", "--redaction", "off")
    assert answer.status == 0 and "cut.reel" in answer.err


def test_a_baseline_is_kept_listed_and_used(pagereel: Command, runs: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "baseline"
    assert pagereel("baseline", folder, runs[0]).status == 2
    added = pagereel("baseline", folder, runs[0], "--why", "the first one", "--by", "ada")
    assert added.status == 0 and "added good-" in added.out
    assert "runs: 1; 6 or more show what varies" in added.out
    listed = pagereel("baseline", folder)
    assert listed.status == 0 and "ada: the first one" in listed.out
    told = json.loads(pagereel("baseline", folder, "--json").out)
    assert told["intact"] is True and told["runs"][0]["outcome"] == "passed"
    assert pagereel("baseline", folder, runs[1], "--why", "x").status == 2
    assert pagereel("compare", *runs, "--baseline", folder, "--redaction", "off").status == 1
    assert pagereel("baseline", tmp_path / "nowhere").status == 2
