"""`library`, `baseline`, `query` and `export`: each verb is a command of its own, and what was said before there were verbs goes on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pagereel.cli.commands import COMMANDS, SECTIONS, CommandGroup

from .conftest import Command

GROUPS = {command.name: command for command in COMMANDS if isinstance(command, CommandGroup)}
VERBS = [(group.name, verb.name) for group in GROUPS.values() for verb in group.verbs if not verb.hidden]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def options(help: str) -> set[str]:
    return set(re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", help))


@pytest.mark.parametrize(("group", "verb"), VERBS, ids=" ".join)
def test_a_verb_has_a_help_of_its_own_with_an_example(pagereel: Command, group: str, verb: str) -> None:
    answer = pagereel(group, verb, "--help")
    assert answer.status == 0 and f"Usage: pagereel {group} {verb} " in answer.out
    assert re.search(rf"Example:\n\s+pagereel {group} {verb}\b", answer.out)


def test_a_verb_shows_what_it_takes_and_nothing_else(pagereel: Command) -> None:
    told = options(pagereel("library", "add", "--help").out) - {"--json", "--key-file", "--quiet"}
    assert told == {"--link", "--masked", "--redaction", "--jobs", "--executor", "--help"}
    told = options(pagereel("query", "summary", "--help").out) - {"--json", "--key-file", "--quiet"}
    assert told == {"--redaction", "--for-agent", "--help"}
    assert "--at" in pagereel("query", "text", "--help").out
    assert "--replay" in pagereel("export", "markdown", "--help").out


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_lists_its_verbs(pagereel: Command, group: str) -> None:
    told = pagereel(group, "--help").out
    listed = re.findall(r"(?m)^  ([\w-]+) {2,}\S", told.split("Commands:")[1])
    assert listed == [verb.name for verb in GROUPS[group].verbs if not verb.hidden]


def test_the_help_lists_commands_under_what_people_want(pagereel: Command) -> None:
    told = pagereel("--help").out
    heads = re.findall(r"(?m)^(\S.*):$", told)
    assert heads == ["Options", *SECTIONS] and heads[1:6] == ["Record", "Look", "Share", "Compare", "Keep"]
    for section, commands in SECTIONS.items():
        part = told.split(f"\n{section}:\n")[1].split("\n\n")[0]
        assert re.findall(r"(?m)^  (\w+)", part) == [command.name for command in commands]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (("query", "{}"), ("query", "overview", "{}")),
        (("query", "{}", "steps"), ("query", "steps", "{}")),
        (("query", "--json", "{}", "steps"), ("query", "steps", "--json", "{}")),
        (("query", "{}", "--limit", "1", "console"), ("query", "console", "{}", "--limit", "1")),
        (("query", "{}", "when-changed", "p"), ("query", "when-changed", "{}", "p")),
        (("query", "{}", "summary", "--help"), ("query", "summary", "--help")),
        (("export", "{}", "-f", "jsonl"), ("export", "jsonl", "{}")),
        (("export", "--format", "har", "{}"), ("export", "har", "{}")),
        (("export", "{}", "-f", "markdown", "-O", "replay=r.html"), ("export", "markdown", "{}", "--replay", "r.html")),
    ],
    ids=lambda words: " ".join(words),
)
def test_the_old_spelling_does_the_same(
    pagereel: Command, sample: Path, before: tuple[str, ...], now: tuple[str, ...]
) -> None:
    off = [] if "--help" in now else ["--redaction", "off"]
    old, new = (pagereel(*(word.format(sample) for word in words), *off) for words in (before, now))
    assert old.status == new.status == 0, (old.err, new.err)
    assert old.out == new.out != ""


def test_a_baseline_is_listed_and_added_to_by_both_spellings(pagereel: Command, sample: Path, tmp_path: Path) -> None:
    other = shutil.copy(sample, tmp_path / "other.reel")
    assert pagereel("baseline", "base", sample, "--why", "first", "--redaction", "off", "--failed-too").status == 0
    again = pagereel("baseline", "add", "base", other, "--why", "again", "--redaction", "off", "--failed-too")
    assert again.status == 2 and "is in the baseline already" in again.err
    assert pagereel("baseline", "base").out == pagereel("baseline", "list", "base").out != ""
    name = next(Path("base").glob("*.reel")).name
    assert pagereel("baseline", "remove", "base", name, "--why", "old").status == 0
    assert list(Path("base").glob("*.reel")) == []


@pytest.mark.parametrize("words", [("accept-all", "bases", "results"), ("bases", "results", "--update-snapshots")])
def test_all_that_tests_left_is_accepted_at_once(
    pagereel: Command, sample: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    for place in ("results/test-pays-chromium/run", "results/test-two-retry1/run-2", "results/test-two-retry1/replay"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sample, tmp_path / f"{place}.reel")
    assert pagereel("baseline", *words).status == 2, "without a reason"
    answer = pagereel("baseline", *words, "--why", "new", "--redaction", "off", "--failed-too")
    assert answer.status == 0, answer.err
    assert sorted(path.parent.name for path in Path("bases").glob("*/*.reel")) == ["test-pays-chromium", "test-two-2"]
    again = pagereel("baseline", *words, "--why", "new", "--redaction", "off", "--failed-too")
    assert again.status == 1 and "already" in again.err


def test_a_word_that_is_no_verb_is_refused_with_the_ones_there_are(pagereel: Command, sample: Path) -> None:
    answer = pagereel("query", sample, "step")
    assert answer.status == 2 and "There is no query 'step'; ask for overview, " in answer.err
    answer = pagereel("library", "ad", "runs")
    assert answer.status == 2 and "Did you mean 'add'?" in answer.err and "`pagereel library --help`" in answer.err


def test_a_file_that_is_called_as_a_verb_is_named_with_its_folder(pagereel: Command, sample: Path) -> None:
    shutil.copy(sample, "steps")
    assert pagereel("query", "./steps", "console", "--redaction", "off").status == 0


COMPLETE = r"""
eval "$(pagereel completion bash)"
COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_pagereel_completion pagereel
printf '%%s\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("pagereel li", {"library"}),
        ("pagereel library ad", {"add"}),
        ("pagereel query su", {"summary"}),
        ("pagereel query run.reel st", {"steps", "stalls"}),
        ("pagereel export --", {"--help"}),
        ("pagereel query text run.reel --a", {"--at"}),
        ("pagereel library add runs --m", {"--masked"}),
    ],
)
def test_bash_completes_commands_verbs_and_options(tmp_path: Path, typed: str, wanted: set[str]) -> None:
    launcher = tmp_path / "pagereel"
    launcher.write_text(
        f"#!{sys.executable}\nimport sys\nfrom pagereel.cli import main\nsys.argv[0] = 'pagereel'\nsys.exit(main())\n"
    )
    launcher.chmod(0o755)
    done = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE % " ".join(f"'{word}'" for word in typed.split())],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert set(done.stdout.split()) == wanted, done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(pagereel: Command, shell: str) -> None:
    answer = pagereel("completion", shell)
    assert answer.status == 0 and f"_PAGEREEL_COMPLETE=complete_{shell}" in answer.out
    assert pagereel("completion", "csh").status == 2
