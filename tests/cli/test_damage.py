"""What of a recording cannot be read is said by `query`, `info` and `build`, to a person and to a program, whatever kind of file it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.sources.making import snapshot, trace, zipped

from ..reel.as_told import AsTold
from .conftest import Command


def _trace(path: Path, version: int = 10) -> Path:
    page = snapshot(["HTML", {}, ["BODY", {}, "hello"]], 1_100)
    return trace(path, page) if version == 10 else _newer(path, page, version)


def _newer(path: Path, page: dict[str, object], version: int) -> Path:
    from tests.sources.making import options

    return zipped(path, {"trace.trace": [options(version=version), page], "trace.network": []})


@pytest.mark.parametrize("redaction", ["vendor", "off"])
@pytest.mark.parametrize("what", ["summary", "steps"])
def test_a_trace_that_was_cut_says_so(pagereel: Command, tmp_path: Path, what: str, redaction: str) -> None:
    whole = _trace(tmp_path / "trace.zip").read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: whole.index(b"PK\x01\x02")])
    answer = pagereel("query", tmp_path / "half.zip", what, "--json", "--redaction", redaction)
    assert answer.status == 0 and "half.zip is damaged" in answer.err and "cut off or damaged" in answer.err
    told = json.loads(answer.out)
    told = told if what == "summary" else told[-1]
    assert "cut off or damaged" in told["damage"][0]
    assert "damage" not in pagereel("query", tmp_path / "trace.zip", what, "--json", "--redaction", redaction).out


def _changed(path: Path, replay: Path) -> Path:
    text = replay.read_text()
    chunk = re.search(r'id="pagereel-chunk-0"[^>]*>', text)
    assert chunk is not None
    at = chunk.end() + 40
    path.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
    return path


@pytest.mark.parametrize("command", ["query", "info", "build"])
def test_every_command_says_what_it_cannot_read_or_reads_by_guess(
    pagereel: Command, sample: Path, tmp_path: Path, command: str
) -> None:
    assert pagereel("build", sample, tmp_path / "whole.html", "--redaction", "off").status == 0
    whole = _trace(tmp_path / "trace.zip").read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: whole.index(b"PK\x01\x02")])
    files = {
        _trace(tmp_path / "newer.zip", 11): "newer than the 10",
        tmp_path / "half.zip": "cut off or damaged",
        _changed(tmp_path / "a.html", tmp_path / "whole.html"): "chunk-0",
        tmp_path / "trace.zip": "",
        tmp_path / "whole.html": "",
        sample: "",
    }
    more = {"query": ["summary"], "info": [], "build": [tmp_path / "built.html", "--redaction", "off"]}
    for path, says in files.items():
        for form in ([], ["--json"]):
            answer = pagereel(command, path, *more[command], *form)
            assert answer.status == 0 and says in answer.err, (path, answer.err)
            assert says or "damaged" not in answer.err
        told = json.loads(answer.out)
        assert says in json.dumps([told.get("damage"), told.get("warnings")])
        assert bool(told.get("damage") or told.get("warnings")) == bool(says)


def test_a_masked_copy_says_how_many_lines_it_lacks(pagereel: Command, tmp_path: Path) -> None:
    with AsTold(tmp_path / "a.reel", {"started": 0}) as writer:
        writer.write({"k": "note", "t": 1, "id": 1, "text": 7})
        writer.write({"k": "note", "t": 2, "id": 2, "text": "after"})
    told = json.loads(pagereel("info", tmp_path / "a.reel", "--json").out)
    assert told["warnings"] == ["1 of its events do not follow the format and were left out."]
    answer = pagereel("redact", tmp_path / "a.reel", tmp_path / "b.reel")
    assert answer.status == 0 and "1 of its events could not be read" in answer.out + answer.err
    assert '"reason":"invalid"' in pagereel("events", tmp_path / "b.reel", "--kind", "gap").out
