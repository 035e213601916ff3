"""A page's words on a terminal: nothing of them steers it, and JSON stays JSON."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from pagereel.cli.console import EscapingStream, escaping_streams
from tests.redaction.reels import Maker

from .conftest import Command

HOSTILE = {
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07",
    "colour": "\x9b31mred",
    "return": "ok\rpagereel: all is well",
    "backspace": "bad\x08\x08\x08ok",
    "override": "\u202egnp.exe",
    "isolate": "\u2067abc\u2069",
    "tags": "hi\U000e0069\U000e0067\U000e006e",
    "null": "a\x00b",
    "half": "a\ud800b",
}
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("query", "console"), ("query", "console", "--json"), ("query", "steps"), ("query", "text"), ("query", "errors"), ("info",), ("info", "--json"),
    ("events",), ("export", "--format", "markdown"), ("verify",),
)  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    m = Maker(tmp_path / "a.reel", title=f"run {HOSTILE['title']}", agent=HOSTILE["override"])
    m.body(["title", {}, HOSTILE["title"]], *[["p", {}, text] for text in HOSTILE.values() if "\ud800" not in text])
    for name, text in HOSTILE.items():
        text = text.replace("\ud800", "")
        m.put("console", page=1, level="error", text=text, source="javascript", url=f"https://a.example/{text}")
        m.put("step", id=len(name) + 10, parent=None, title=text, reasoning=text, attributes={text: text})
        m.put("gap", reason="late", detail=text)
    return m.done()


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_a_page_said_does_not_steer_the_terminal(words: tuple[str, ...], hostile: Path, pagereel: Command) -> None:
    command, *rest = words
    options = () if command in ("info", "events", "verify") else ("--redaction", "off")
    answer = pagereel(command, hostile, *rest, *options)
    assert not STEERS.search(answer.out + answer.err), STEERS.findall(answer.out + answer.err)
    if "--json" in words:
        assert "owned" in json.dumps(json.loads(answer.out)) or command == "info"
    if command == "events":
        texts = [json.loads(line).get("text") for line in answer.out.splitlines()]
        assert HOSTILE["override"] in texts and HOSTILE["tags"] in texts, "escaped, not lost"


def test_a_file_name_and_an_error_do_not_either(tmp_path: Path, pagereel: Command) -> None:
    answer = pagereel("info", tmp_path / "a\x1b]0;owned\x07.reel")
    assert answer.status == 2 and "\\u001b]0;owned" in answer.err and not STEERS.search(answer.err)


def test_everything_else_is_written_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with escaping_streams():
        print("Ünïcödé 漢字 👩‍👩‍👧 می‌خواهم\tand a tab", *HOSTILE.values())
    assert capsys.readouterr().out.startswith("Ünïcödé 漢字 👩‍👩‍👧 می‌خواهم\tand a tab \\u001b]0;owned\\u0007 ")
    assert not isinstance(__import__("sys").stdout, EscapingStream)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(x+x+)+y", "(.*a){25}", "(a|aa)+$", "(?:a?){60}a{60}"])
def test_a_pattern_that_never_ends_ends_with_a_sentence(
    pattern: str, tmp_path: Path, pagereel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pagereel.reading.queries as queries

    monkeypatch.setattr(queries, "GREP_SECONDS", 0.5)
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    for _ in range(20):
        m.put("console", page=1, level="log", text="a" * 4000 + "x" * 4000 + "!", source="javascript")
    begin = time.monotonic()
    answer = pagereel("query", m.done(), "console", "--grep", pattern, "--redaction", "off")
    assert time.monotonic() - begin < 10
    assert answer.status == 0 or (answer.status == 2 and "simpler" in answer.err)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("(", "regular expression"),
        ("a" * 2000, "too long"),
        ("(?:a{1000}){1000}" * 30, "repeats its parts"),
        ("((x{99}){99}){99}", "repeats"),
    ],
)
def test_what_is_no_pattern_is_one_sentence(pattern: str, says: str, sample: Path, pagereel: Command) -> None:
    answer = pagereel("query", sample, "console", "--grep", pattern)
    assert answer.status == 2 and says in answer.err


def test_query_for_an_agent_is_fenced(hostile: Path, pagereel: Command) -> None:
    answer = pagereel("query", hostile, "text", "--redaction", "off", "--for-agent")
    lines = answer.out.splitlines()
    fences: list[Any] = [line for line in lines if re.fullmatch(r"=== recorded data [0-9a-f]{16} ===", line)]
    assert len(fences) == 2 and fences[0] == fences[1] and lines[-1] == fences[0]
    assert "tag character" in answer.out and "\\u{E0069}" in answer.out and "hidden text" in answer.out
    again = pagereel("query", hostile, "text", "--redaction", "off", "--for-agent").out
    assert fences[0] not in again, "a new word in each answer"
