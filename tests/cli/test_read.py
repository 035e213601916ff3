"""`pagereel query` and `pagereel mcp`, on a recording of known content."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pagereel.integrations import open_shareable_reel
from pagereel.player_build import read_redaction_policy
from pagereel.redaction import redact
from pagereel.reel import open_reel

from .conftest import Command


def test_lists_are_lines_for_people_and_json_for_programs(pagereel: Command, sample: Path) -> None:
    lines = pagereel("query", sample, "steps", "--redaction", "off")
    steps = json.loads(pagereel("query", sample, "steps", "--redaction", "off", "--json").out)
    assert lines.status == 0 and len(lines.out.splitlines()) == len(steps) > 0
    assert all(step["title"] in line for step, line in zip(steps, lines.out.splitlines(), strict=True))
    few = json.loads(
        pagereel("query", sample, "calls", "--grep", "fill", "--limit", 1, "--redaction", "off", "--json").out
    )
    assert [call["method"] for call in few] == ["fill"]


def test_the_text_of_the_end_and_of_a_moment(pagereel: Command, sample: Path) -> None:
    (page,) = json.loads(pagereel("query", sample, "text", "--redaction", "off", "--json").out)
    assert page["page"] == 1 and page["text"]
    early = pagereel("query", sample, "text", "--at", "0", "--redaction", "off")
    assert early.status == 0 and page["text"] not in early.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["everything"], "no query 'everything'"),
        (["steps", "--at", "1"], "`pagereel query steps --help` says what it takes"),
        (["text", "--at", "lunch"], "no time 'lunch'"),
        (["text", "--at", "step 5"], "N from 1 to 3"),
        (["steps", "--grep", "("], "regular expression"),
    ],
)
def test_wrong_use_is_one_sentence(pagereel: Command, sample: Path, words: list[str], says: str) -> None:
    answer = pagereel("query", sample, *words, "--redaction", "off")
    assert answer.status == 2 and says in answer.err and answer.err.count("\n") == 1


def test_mcp_answers_on_stdout_until_its_client_goes(
    pagereel: Command, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "replay_overview"}}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(asked) + "\n"))
    answer = pagereel("mcp", sample, "--redaction", "off")
    assert answer.status == 0 and json.loads(answer.out)["result"]["content"][0]["text"]


def test_the_ending_of_the_file_names_the_format(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    for name, begin in (("run.md", "# "), ("run.jsonl", "{"), ("run.har", "{")):
        answer = pagereel("export", sample, tmp_path / name, "--redaction", "off")
        assert answer.status == 0, answer.err
        assert (tmp_path / name).read_text().startswith(begin)
    assert pagereel("export", sample, "--format", "har", "--redaction", "off").out.startswith("{")
    wrong = pagereel("export", sample, tmp_path / "run.pdf", "--redaction", "off")
    assert wrong.status == 2 and "--format: markdown, jsonl, har" in wrong.err


def test_show_takes_no_replay_of_another_policy(pagereel: Command, sample: Path) -> None:
    html = sample.with_suffix(".html")
    for redaction, policy in (("off", None), ("strict", "strict"), ("off", None)):
        answer = pagereel("show", sample, "--redaction", redaction, "--no-open")
        assert answer.status == 0, answer.err
        assert read_redaction_policy(html.read_bytes()) == policy
    built = html.stat().st_mtime_ns
    assert pagereel("show", sample, "--redaction", "off", "--no-open").status == 0
    assert html.stat().st_mtime_ns == built


def test_show_writes_over_nothing_that_is_no_replay(pagereel: Command, sample: Path) -> None:
    html = sample.with_suffix(".html")
    html.write_text("<p>Mine")
    answer = pagereel("show", sample, "--redaction", "off", "--no-open")
    assert answer.status == 2 and "is not a replay" in answer.err and answer.err.count("\n") == 1
    assert html.read_text() == "<p>Mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_export_that_cannot_be_written_is_one_sentence(pagereel: Command, sample: Path) -> None:
    answer = pagereel("export", sample, "/dev/full", "--format", "har", "--redaction", "off")
    assert answer.status == 2
    assert "/dev/full cannot be written: " in answer.err and answer.err.count("\n") == 1


def test_a_recording_redacted_otherwise_is_redacted_as_asked(sample: Path, tmp_path: Path) -> None:
    masked = tmp_path / "masked.reel"
    redact(sample, masked, "internal")
    with open_shareable_reel(masked, "internal") as shown:
        assert shown == masked
    with open_shareable_reel(masked, "strict") as shown, open_reel(shown) as reel:
        assert shown != masked
        assert [event["policy"] for event in reel.events() if event["k"] == "redaction"] == ["strict"]


def test_an_export_that_cannot_be_written_leaves_the_file_that_was_there(
    pagereel: Command, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = sample.with_suffix(".har")
    made.write_text("mine")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pagereel.player_build.checked_writing.os.fdopen", full)
    answer = pagereel("export", sample, made, "--force", "--redaction", "off")
    assert answer.status == 2 and "cannot be written: No space left on device" in answer.err
    assert made.read_text() == "mine" and [path for path in made.parent.iterdir() if path.suffix == ".part"] == []
