"""info, verify and events on whole, cut and damaged recordings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pagereel.cli.query_and_export import format_overview
from pagereel.reel import ReelWriter

from ..reel.sample import Script
from .conftest import Command


def flip(path: Path, offset: int) -> None:
    data = bytearray(path.read_bytes())
    data[offset] ^= 0xFF
    path.write_bytes(data)


def test_info_tells_what_the_recording_holds(pagereel: Command, sample: Path) -> None:
    answer = pagereel("info", sample)
    assert answer.status == 0
    assert "fidelity: tree 6 of 6 · layout, picture: not checked" in answer.out
    assert "steps: 3, 1 failed" in answer.out
    assert "gaps: cap 1" in answer.out
    assert "state: complete recording" in answer.out
    assert "redaction: none" in answer.out


def test_infos_json_has_the_same_facts(pagereel: Command, sample: Path) -> None:
    info = json.loads(pagereel("info", sample, "--json").out)
    assert info["sealed"] is True and info["damage"] is None
    assert info["fidelity"]["tree"] == {"equal": 6, "total": 6} and info["first_difference"] is None
    assert info["fidelity"]["verdict"] == "open" and info["fidelity"]["layout"] is None
    assert [step["title"] for step in info["steps"]][1:] == ["Put it in the cart", "Pay"]
    assert info["gaps"] == {"cap": 1}
    assert info["bytes"] == sample.stat().st_size


def test_a_cut_recording_is_unsealed_and_verify_exits_1(pagereel: Command, cut_sample: Path) -> None:
    assert "state: unsealed" in pagereel("info", cut_sample).out
    answer = pagereel("verify", cut_sample)
    assert answer.status == 1
    assert "unsealed" in answer.out


def test_the_masked_copy_of_a_cut_recording_does_not_say_that_it_came_to_its_end(
    pagereel: Command, cut_sample: Path, tmp_path: Path
) -> None:
    masked = tmp_path / "masked.reel"
    assert pagereel("redact", cut_sample, masked).status == 0
    assert "state: unsealed" in pagereel("info", masked).out
    assert pagereel("verify", masked).status == 0  # the copy itself is whole
    assert json.loads(pagereel("query", masked, "--json").out)["sealed"] is False


@pytest.mark.parametrize("redaction", ["vendor", "off"])
def test_what_is_made_of_a_cut_recording_says_that_it_was_cut(
    pagereel: Command, cut_sample: Path, tmp_path: Path, redaction: str
) -> None:
    built = pagereel("build", cut_sample, tmp_path / "cut.html", "--redaction", redaction)
    asked = pagereel("query", cut_sample, "--json", "--redaction", redaction)
    exported = pagereel("export", cut_sample, "--format", "markdown", "--redaction", redaction)
    for answer in (built, asked, exported):
        assert answer.status == 0 and "cut.reel is unsealed: the recording was cut off" in answer.err
    assert "cut.reel was cut off; these are the events before the cut" in pagereel("events", cut_sample).err
    assert json.loads(asked.out)["sealed"] is False
    assert "state: unsealed" in pagereel("info", tmp_path / "cut.html").out


def test_a_whole_recording_verifies(pagereel: Command, sample: Path) -> None:
    answer = pagereel("verify", sample)
    assert answer.status == 0
    assert "complete recording" in answer.out


def test_a_flipped_byte_is_found_and_said_where(pagereel: Command, sample: Path) -> None:
    flip(sample, sample.stat().st_size - 20)
    answer = pagereel("verify", sample)
    assert answer.status == 1
    assert "damaged at frame" in answer.out and "byte" in answer.out
    verdict = json.loads(pagereel("verify", sample, "--json").out)
    assert verdict["ok"] is False
    assert verdict["damage"]["offset"] < sample.stat().st_size
    assert "state: damaged at frame" in pagereel("info", sample).out


def test_events_are_ndjson_in_order_of_time(pagereel: Command, sample: Path) -> None:
    lines = [json.loads(line) for line in pagereel("events", sample).out.splitlines()]
    assert lines[0]["k"] == "reel"
    times = [line.get("t", 0) for line in lines]
    assert times == sorted(times)


def test_events_can_be_filtered_by_kind_and_time(pagereel: Command, sample: Path) -> None:
    answer = pagereel("events", sample, "--kind", "step", "--kind", "mark", "--from", 900, "--to", 1500)
    events = [json.loads(line) for line in answer.out.splitlines()]
    assert events and {event["k"] for event in events} <= {"step", "mark"}
    assert all(900 <= event["t"] <= 1500 for event in events)


def test_a_kind_of_event_that_there_is_not_is_said(pagereel: Command, sample: Path) -> None:
    answer = pagereel("events", sample, "--kind", "console", "--kind", "bogus")
    assert answer.status == 2 and answer.out == ""
    assert "Unknown kind of event: 'bogus'; there are" in answer.err and "console" in answer.err
    # One that there is, and that this recording has none of, is no error.
    assert pagereel("events", sample, "--kind", "download").status == 0
    # Nor is one of a later pagereel's.
    script = Script(sample)
    script.run("page", 0, page=1, event="open", url="about:blank")
    script.run("hologram", 1, depth=3)
    script.writer.close("done")
    assert json.loads(pagereel("events", sample, "--kind", "hologram").out)["depth"] == 3


def test_a_run_lasts_as_long_as_its_last_call(pagereel: Command, tmp_path: Path) -> None:
    script = Script(tmp_path / "run.reel")
    script.run("page", 0, page=1, event="open", url="about:blank")
    script.run("call", 400, id=1, page=1, title="Click", method="click", duration=2_000)
    script.writer.close("done")
    pagereel("build", tmp_path / "run.reel", tmp_path / "run.html", "--redaction", "off")
    for name in ("run.reel", "run.html"):
        assert json.loads(pagereel("info", tmp_path / name, "--json").out)["duration"] == 2_400


def test_a_replay_and_an_archive_go_by_their_own_names(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    for name, words in (("run.html", ("--zip",)), ("run.HTM", ("--zip",)), ("run.zip", ()), ("other.reel", ())):
        answer = pagereel("build", sample, tmp_path / name, "--redaction", "off", *words)
        assert answer.status == 2 and name in answer.err, answer
        assert not (tmp_path / name).exists()
    for name, words in (("run.zip", ("--zip",)), ("run.html", ()), ("run", ()), ("run.bin", ("--zip",))):
        assert pagereel("build", sample, tmp_path / name, "--redaction", "off", *words).status == 0


def test_an_overview_is_for_people(pagereel: Command, sample: Path) -> None:
    told = pagereel("query", sample, "overview", "--redaction", "off").out
    assert re.search(r"^ +started: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$", told, re.M), told
    assert re.search(r"^ +duration: [\d.]+ s$", told, re.M) and re.search(r"^ +sealed: yes$", told, re.M), told
    assert "[]" not in told and "null" not in told
    assert json.loads(pagereel("query", sample, "overview", "--json", "--redaction", "off").out)["sealed"] is True
    forged = format_overview({"metadata": {"a": "b\n  errors: 0"}, "agents": [], "errors": 3})
    assert forged == ['      metadata: a "b\\n  errors: 0"', "        errors: 3"]


def test_a_beginning_that_no_calendar_has_ends_no_command(pagereel: Command, tmp_path: Path) -> None:
    reel = tmp_path / "far.reel"
    with ReelWriter(reel, {"started": 1e17}) as writer:
        writer.write({"k": "mark", "t": 1, "name": "x"})
    for words in (("info",), ("query",), ("export", "--format", "markdown", "--redaction", "off")):
        assert pagereel(words[0], reel, *words[1:]).status == 0, words


def test_steps_are_counted_for_people(pagereel: Command, sample: Path) -> None:
    lines = pagereel("query", sample, "steps", "--redaction", "off").out.splitlines()
    assert [line.split("]")[0].split("[")[1] for line in lines] == ["step 1", "step 2", "step 3"]
    assert [step["number"] for step in json.loads(pagereel("info", sample, "--json").out)["steps"]] == [1, 2, 3]
    assert "failed_steps: [3]" in pagereel("query", sample, "overview", "--redaction", "off").out
    told = pagereel("export", sample, "--format", "markdown", "--redaction", "off").out
    assert "## Put it in the cart (step 2, 0.92 s, " in told and ", done)" in told and ", failed)" in told
    assert pagereel("query", sample, "text", "--at", "step 99", "--redaction", "off").status == 2
