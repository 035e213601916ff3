"""Every command on a real terminal, over a recording whose every text and whose very name are hostile: nothing of them steers it."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.cli.commands import COMMANDS

from .hostile import hostile_recording

NAME = "h\x1b]0;owned\x07\u202e[blink]\U000e0041.reel"
RUN = "deadbeef"
STEERS = re.compile("\x1b[^\\[]|\x1b\\[[0-9;]*[hlJr]|[\x00-\x06\x07\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]|\r(?!\r*\n)")  # fmt: skip
"""What a page's words could do to a terminal. The colours and lines up of a bar are pagereel's own, and so is a bar that hides the cursor (below)."""
TYPED = "\x1b]0;owned\x07\u202egnp\U000e0041\x9b31m"
"""What somebody was made to paste as an address, a name or a role."""
ELSEWHERE = {
    "setup": "test_setup.py: it says where it found what is here",
    "doctor": "test_doctor.py: it says what is here",
    "bundle": "test_suite.py, of the integrations and of the player",
    "deck": "test_deck.py",
}
QUERIES = ("overview", "summary", "steps", "calls", "errors", "console", "requests", "messages", "notes", "stalls", "text", "first-failure")  # fmt: skip
FORMATS = ("markdown", "pr", "jsonl", "har", "rrweb", "training", "pytest", "otlp")
SCRIPT = """
import json, sys
from pagereel.cli import console, main
console.PATIENCE = 0
for number, words in enumerate(json.load(open(sys.argv[1]))):
    status = main(words)
    print(f"<<<{number} {status}>>>", flush=True)
"""


def _commands(work: Path, reel: str, other: str) -> list[list[str]]:
    raw = ["--redaction", "off"]
    return [
        ["info", reel], ["info", reel, "--json"], ["verify", reel], ["events", reel], ["events", reel, "--ids"],
        *(["query", reel, query, *raw] for query in QUERIES),
        *(["query", reel, query, *raw, "--for-agent"] for query in QUERIES),
        *(["query", reel, query, *raw, "--json"] for query in ("overview", "steps", "calls")),
        ["query", reel, "when-changed", "p", *raw], ["query", reel, "around", "2", *raw], ["query", reel, "around", "nobody", *raw],
        ["query", reel, "text", "--at", "nowhere", *raw], ["query", reel, "steps", "--agent", "nobody", *raw], ["query", reel, "notes"],
        *(["export", reel, "--format", form, *raw] for form in FORMATS),
        ["export", reel, other, "skill", "--format", "skill", *raw],
        ["build", reel, "run.html", *raw], ["build", reel, other, "-o", "both.html", *raw], ["info", "run.html"],
        ["compare", reel, other, *raw], ["compare", reel, other, *raw, "--json"], ["compare", reel, other, *raw, "-o", "diff.md"],
        ["baseline", "base", reel, *raw, "--failed-too", "--why", "new"], ["baseline", "base"],
        ["library", "add", "lib", reel, other], ["library", "list", "lib"], ["library", "search", "lib", "owned"], ["library", "search", "lib", "seen:obey"],
        ["library", "show", "lib", RUN], ["library", "show", "lib", "nobody"], ["library", "stats", "lib"], ["library", "stats", "lib", "--by", "agent,model,tenant"],
        ["library", "flag", "lib", RUN, "\x1b]0;owned\x07"], ["library", "keep", "lib", RUN, "--why", "\x1b]0;owned\x07"], ["library", "expect", "lib", "known.txt", "--name", "usual"],
        ["library", "audit", "lib"], ["library", "expire", "lib", "--dry-run"], ["library", "rebuild", "lib"], ["library", "delete", "lib", RUN, "--why", "x"],
        ["proxy", "--reel", "again.reel", "--answers", reel, "--", sys.executable, "-c", "pass"],
        ["completion", "bash"], ["completion", TYPED], ["help", TYPED], ["bundle", reel, other, "suite.html", *raw], ["baseline", "accept-all", "base", ".", "--why", TYPED], ["baseline", "list", "base"],
        ["query", "steps", reel, *raw], ["export", "har", reel, *raw], ["library", TYPED, "lib"], ["baseline", "remove", "base", TYPED, "--why", "x"],
        ["gate", "values.txt", "--known", "known.txt"], ["gate", reel, "--known", "known.txt"],
        ["export", reel, "run.rrweb.json", *raw], ["import", "run.rrweb.json", "taken.reel"], ["import", "trace.json"], ["import", reel], ["prune", str(work), "--dry-run"], ["unmask", reel, "x.reel"],
        ["record", TYPED, "r.reel"], ["record", f"http://127.0.0.1:9/{TYPED}", "r.reel", "--headless"], ["record", "http://127.0.0.1:9/", reel], ["record", "http://127.0.0.1:9/", f"{TYPED}/r.reel"],
        ["record", "http://127.0.0.1:9/", "r.reel", "--viewport", TYPED], ["attach", TYPED], ["attach", f"http://127.0.0.1:9/{TYPED}", "a.reel"], ["demo", "--output", reel],
        ["keygen", f"{TYPED}.pem"], ["keygen", reel], ["show", "run.html", "--no-open"], ["show", reel, "--no-open"], ["show", reel, "--no-open", "--redaction", TYPED], ["review", reel, "--save", TYPED],
        ["serve", f"lib{TYPED}"], ["serve", reel], ["serve", "lib", "--tokens", "t.toml", "--add-token", f"{TYPED}=reader"], ["serve", "lib", "--host", TYPED], ["mcp", reel], ["mcp", f"no{TYPED}.reel"],
        ["redact", reel, "masked.reel"], ["info", "no\x1b]0;owned\x07.reel"], ["\x1b]0;owned\x07"], ["query", reel, "\x1b]0;owned\x07"],
    ]  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[list[str], int, str]]:
    """Each command, its exit status and all that it wrote to a terminal."""
    work = tmp_path_factory.mktemp("hostile")
    reel = hostile_recording(work / "h1.reel", id=RUN * 4)
    reel.rename(work / NAME)
    hostile_recording(work / "other.reel", id="c0ffee00" * 4)
    shutil.copy(work / NAME, work / "trace.json")
    (work / TYPED).mkdir()
    (work / "known.txt").write_text("owned\n", "utf-8")
    (work / "values.txt").write_text("nothing owned\x1b]0;x\x07", "utf-8")
    commands = _commands(work, NAME, "other.reel")
    (work / "commands.json").write_text(json.dumps(commands), "utf-8")
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "commands.json"], cwd=work, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while block := os.read(ours, 1 << 16):
            said += block
    except OSError:  # the terminal has no more on it once the child has ended
        pass
    os.close(ours)
    assert child.wait(60) == 0
    parts = re.split(r"<<<(\d+) (-?\d+)>>>", said.decode("utf-8", "surrogateescape"))
    assert len(parts) == 3 * len(commands) + 1, parts[-1]
    return [(words, int(parts[3 * n + 2]), parts[3 * n]) for n, words in enumerate(commands)]


@pytest.mark.slow
def test_no_command_lets_a_recording_steer_the_terminal(told: list[tuple[list[str], int, str]]) -> None:
    own = re.compile("\r?\x1b\\[2K|\r?\x1b\\[\\?25[hl]|\r?\x1b\\[1A")
    faults = {" ".join(words): STEERS.findall(own.sub("", text)) for words, _, text in told if STEERS.search(own.sub("", text))}  # fmt: skip
    assert not faults


@pytest.mark.slow
def test_none_of_them_ends_with_an_error_of_its_own(told: list[tuple[list[str], int, str]]) -> None:
    faults = {" ".join(words): text[-400:] for words, _, text in told if "an error of pagereel's own" in text or "Traceback" in text}  # fmt: skip
    assert not faults


def test_every_command_is_among_them_or_is_tested_elsewhere() -> None:
    named = {words[0] for words in _commands(Path(), NAME, "other.reel")}
    assert {command.name for command in COMMANDS} == {name for name in named if "\x1b" not in name} | set(ELSEWHERE)


@pytest.mark.slow
def test_a_record_is_one_line_whatever_lines_it_holds(told: list[tuple[list[str], int, str]]) -> None:
    lists = ("steps", "calls", "errors", "console", "requests", "messages", "notes", "stalls")
    for words, _, text in told:
        if words[0] == "query" and words[1] == NAME and words[2] in lists and words[-1] == "off":
            assert "\npagereel: all is well" not in text.replace("\r", ""), " ".join(words)
