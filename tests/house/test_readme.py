"""The manual holds: its commands are those of `pagereel --help`, its options those of the code, its links and its Python are right."""

from __future__ import annotations

import ast
import re
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from pagereel.recorder import Options
from tests.command import PAGEREEL

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text("utf-8")
RECORDING = (ROOT / "docs" / "recording.md").read_text("utf-8")


def commands_of_help() -> dict[str, str]:
    done = subprocess.run([*PAGEREEL, "--help"], capture_output=True, text=True, check=True, timeout=30)
    listing = done.stdout.split("Options:")[1]
    return dict(re.findall(r"(?m)^  (\w+)\s{2,}(\S.*)$", listing))


def test_the_commands_are_those_of_help() -> None:
    told = dict(re.findall(r"(?m)^\| .*?\| `pagereel (\w+)` \| (.*?) \|$", COMMANDS))
    assert told == commands_of_help()


def test_the_options_are_those_of_record() -> None:
    section = RECORDING.split("## Options of `record()`")[1].split("\n## ")[0]
    told = [name for row in re.findall(r"(?m)^\| (`.*?) \|", section) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(told) == sorted(field.name for field in fields(Options))


def test_every_python_example_parses() -> None:
    examples = re.findall(r"(?s)```python\n(.*?)```", README + RECORDING)
    assert examples
    for example in examples:
        ast.parse(example)


@pytest.mark.parametrize(
    "page",
    [
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "docs" / "tutorials").glob("*.md")),
        *sorted(ROOT.glob("*.md")),
    ],
    ids=lambda page: page.name,
)
def test_every_link_to_a_page_of_ours_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text("utf-8"))
    # The picture is made by the demo's build.
    assert [link for link in links if link != "docs/demo.png" and not (page.parent / link).exists()] == []


def test_the_first_two_commands_are_the_checkouts_own() -> None:
    """They work today on a machine with Python alone; what pip would bring is not released yet."""
    commands = re.findall(r"(?m)^\$ (.*?)(?:\s+#.*)?$", README)
    assert [command.strip() for command in commands[:2]] == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in set(re.findall(r"(?m)^\$ make ([\w-]+)", README + (ROOT / "CONTRIBUTING.md").read_text("utf-8"))):
        assert re.search(rf"(?m)^{name}:", makefile), name


def test_every_page_stands_once_in_the_sites_contents() -> None:
    contents = re.findall(r"(?m)^ +- .*: (\S+\.md)$", (ROOT / "docs" / "site" / "mkdocs.yml").read_text("utf-8"))
    docs = ROOT / "docs"
    pages = [path.relative_to(docs).as_posix() for path in (*docs.glob("*.md"), *docs.glob("tutorials/*.md"))]
    made = ["index.md", "CHANGELOG.md", "reference/commands.md", "reference/python.md"]
    assert sorted(contents) == sorted(pages + made)
