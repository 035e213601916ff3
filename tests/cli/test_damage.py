"""What of a recording cannot be read is said by `query`, to a person and to a program, whatever kind of file it is."""

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


def test_a_trace_of_a_newer_format_says_so(pagereel: Command, tmp_path: Path) -> None:
    answer = pagereel("query", _trace(tmp_path / "trace.zip", 11), "summary", "--json")
    assert answer.status == 0 and "newer than" in answer.err
    assert "newer than" in json.loads(answer.out)["damage"][0]


def test_a_replay_with_a_changed_byte_says_so(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    html = tmp_path / "a.html"
    assert pagereel("build", sample, html, "--redaction", "off").status == 0
    text = html.read_text()
    chunk = re.search(r'id="pagereel-chunk-0"[^>]*>', text)
    assert chunk is not None
    at = chunk.end() + 40
    html.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
    answer = pagereel("query", html, "summary", "--json")
    assert answer.status == 0 and "a.html is damaged" in answer.err
    assert "chunk-0" in json.loads(answer.out)["damage"][-1]


def test_a_masked_copy_says_how_many_lines_it_lacks(pagereel: Command, tmp_path: Path) -> None:
    with AsTold(tmp_path / "a.reel", {"started": 0}) as writer:
        writer.write({"k": "note", "t": 1, "id": 1, "text": 7})
        writer.write({"k": "note", "t": 2, "id": 2, "text": "after"})
    answer = pagereel("redact", tmp_path / "a.reel", tmp_path / "b.reel")
    assert answer.status == 0 and "1 of its events could not be read" in answer.out + answer.err
    assert '"reason":"invalid"' in pagereel("events", tmp_path / "b.reel", "--kind", "gap").out
