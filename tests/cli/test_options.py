"""Which command takes which of the options that people expect alike, and that what is written is said in one way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pagereel.cli.app import app
from pagereel.cli.common_options import add_common_options
from tests.comparison.runs import purchase

from .conftest import Command

TABLE = """
                    redaction  force  json  output  -
record              .          x      x     x       out
attach              .          x      x     x       out
proxy               .          x      .     x       .      its streams are the command's
import              .          x      x     x       in out
demo                .          .      x     x       .      writes over its own files alone
show                x          .      .     .       .      its result is an address
info                x          .      x     .       in
events              x          .      .     .       in     is JSON
verify              .          .      x     .       in
mcp                 x          .      .     .       .      its streams are the protocol
build               x          x      x     x       in out
bundle              x          x      x     x       out
redact              x          x      x     x       in out
review              x          x      .     x       in     its result is a page
gate                x          .      x     .       in
unmask              .          x      x     x       in out
keygen              .          .      x     .       .      a key is never written over
compare             x          x      x     x       in
deck                .          .      .     .       .      a program of its own; library.toml says how it masks
serve               .          .      .     .       .      likewise
prune               .          .      x     .       .
setup               .          .      x     .       .
doctor              .          .      x     .       .
help                .          .      .     .       .
completion          .          .      .     .       .
query *             x          .      x     .       in
export *            x          x      x     x       in out
export skill        x          x      x     x       .
baseline list       .          .      x     .       .
baseline add        x          .      x     .       .
baseline remove     .          .      x     .       .
baseline accept-all x          .      x     .       .
baseline as-before  x          .      x     .       .
library *           .          .      x     .       .      library.toml says how it masks
library add         x          .      x     .       in
library watch       x          .      x     .       .
library stats       .          x      x     x       .
"""
"""Every command takes `--quiet`. The words at the end say why one has not what others have."""
OPTIONS = ("--redaction", "--force", "--json", "--output")


def commands(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    for verb, each in getattr(command, "commands", {}).items():
        yield from commands(each, f"{name} {verb}".strip())
    if not hasattr(command, "commands"):
        yield name, command


def table() -> dict[str, tuple[bool, ...]]:
    rows = (re.match(r"(\S+(?: \S+)?) +" + r" +".join([r"([.x])"] * len(OPTIONS)), line) for line in TABLE.split("\n"))
    return {row[1].strip(): tuple(mark == "x" for mark in row.groups()[1:]) for row in rows if row}


def test_each_command_takes_what_the_table_says_and_quiet() -> None:
    add_common_options(app)
    told = table()
    for name, command in commands(typer.main.get_command(app)):
        takes = {option for parameter in command.params if not parameter.hidden for option in parameter.opts}
        wanted = told.get(name) or told[f"{name.partition(' ')[0]} *"]
        assert tuple(option in takes for option in OPTIONS) == wanted, name
        assert "--quiet" in takes, name
        assert ("-o" in takes) == ("--output" in takes), name


WRITE = {
    "redact {reel} {to}": "to.reel",
    "build {reel} {to} --redaction off": "to.html",
    "export har {reel} {to} --redaction off": "to.har",
    "export {reel} {to} --redaction off": "to.md",
    "import {html} {to}": "to.reel",
    "bundle {reel} {to} --redaction off": "to.html",
    "compare {reel} {reel} -o {to} --redaction off": "to.md",
}


@pytest.mark.parametrize("words", WRITE, ids=lambda words: " ".join(words.split()[:2]))
def test_what_is_written_is_named_in_one_way_and_by_either_spelling(
    pagereel: Command, sample: Path, tmp_path: Path, words: str
) -> None:
    html, to = tmp_path / "run.html", tmp_path / WRITE[words]
    assert pagereel("build", sample, html, "--redaction", "off", "--quiet").out == ""
    named = words if "-o" in words else words.replace("{to}", "-o {to}")
    for spelled, more in ((words, ()), (named, ("--force",)), (named, ("--force", "--quiet"))):
        answer = pagereel(*spelled.format(reel=sample, html=html, to=to).split(), *more)
        assert answer.status == 0, answer.err
        said = re.search(rf"^{re.escape(str(to))}  [\d.]+ (?:bytes|kB)", answer.out, re.MULTILINE)
        assert bool(said) == ("--quiet" not in more), answer.out
    if not words.startswith(("build", "bundle", "compare")):
        answer = pagereel(*words.format(reel=sample, html=html, to=to).split(), "-o", tmp_path / "other")
        assert answer.status == 2 and "given twice" in answer.err


def test_events_and_info_are_masked_if_asked(pagereel: Command, sample: Path) -> None:
    for command in ("info", "events"):
        assert '"redaction"' not in pagereel(command, sample).out
    assert "vendor" in pagereel("info", sample, "--redaction", "vendor").out
    assert '"k":"redaction"' in pagereel("events", sample, "--redaction", "vendor").out


def test_a_new_library_masks_as_it_is_told_and_all_alike(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    assert pagereel("library", "add", runs, sample, "--redaction", "off").status == 0
    assert (runs / "library.toml").read_text() == 'index = "off"\n'
    assert pagereel("library", "add", runs, sample, "--redaction", "off").status == 0
    answer = pagereel("library", "add", runs, sample, "--redaction", "strict")
    assert answer.status == 2 and "masks all its recordings alike, with off" in answer.err


def test_a_skill_that_is_there_stays_without_force(pagereel: Command, tmp_path: Path) -> None:
    runs, skill = [purchase(tmp_path / name) for name in ("one.reel", "two.reel")], tmp_path / "skill"
    skill.mkdir()
    (skill / "SKILL.md").write_text("mine")
    answer = pagereel("export", "skill", *runs, skill, "--redaction", "off")
    assert answer.status == 2 and "add --force" in answer.err
    done = pagereel("export", "skill", *runs, "-o", skill, "--redaction", "off", "--force", "--json")
    assert done.status == 0 and len(json.loads(done.out)["files"]) == 2


def test_a_replay_says_its_claim_as_its_recording_does(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    html, part = tmp_path / "run.html", tmp_path / "again.html"
    pagereel("build", sample, html)
    ours, theirs = (json.loads(pagereel("info", path, "--json").out) for path in (sample, html))
    assert theirs["fidelity"]["tree"] == ours["fidelity"]["tree"] and theirs["redaction"] == "vendor"
    said = pagereel("info", html).out
    assert "built by: pagereel" in said and "not claimed" not in said and "values replaced in" in said
    assert pagereel("build", html, part, "--redaction", "off").status == 0
    assert "imported" not in pagereel("info", part).out, "a replay of a replay is pagereel's own as well"
    assert pagereel("import", html, tmp_path / "again.reel").status == 0
    again = pagereel("info", tmp_path / "again.reel").out
    assert "from a replay of pagereel" in again and "not claimed" not in again
