"""Where something is missing, a terminal is asked whether to bring it, and the command goes on; `help` explains topics and commands."""

from __future__ import annotations

import io
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pagereel.cli import app, setup
from pagereel.cli.app import run_command_line
from pagereel.cli.commands import COMMANDS
from pagereel.cli.commands.help_topics import TOPICS
from pagereel.errors import SetupError

from .test_setup import PATH, FakeMachine

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = SetupError("Redaction needs packages.", missing="packages")

Asked = Callable[[str], None]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """A terminal at which somebody types these words."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(setup, "is_at_terminal", lambda: True)
    return lambda words: monkeypatch.setattr(sys, "stdin", io.StringIO(f"{words}\n"))


def test_yes_brings_the_packages_and_the_models_and_leaves_pagereel_as_it_is(terminal: Asked) -> None:
    machine = FakeMachine(chromium=PATH, works=("pip install",))
    terminal("y")
    assert setup.offer_installation(PACKAGES, machine)
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"][
        "redaction"
    ]
    names = {re.split(r"[<>=]", each)[0] for each in wanted}
    assert {re.split(r"[<>=]", word)[0] for word in setup.list_extra_packages()} == names
    assert any(
        all(name in command for name in names) and "pagereel" not in command.split("--quiet")[1]
        for command in machine.commands
    )
    assert any("requirements-models" in command for command in machine.commands)


@pytest.mark.parametrize("said", ["", "n", "no", "what?"])
def test_anything_but_yes_installs_nothing(terminal: Asked, said: str) -> None:
    machine = FakeMachine(chromium=PATH, works=("pip install",))
    terminal(said)
    assert not setup.offer_installation(PACKAGES, machine) and not machine.commands


def test_nobody_is_asked_without_a_terminal_in_ci_or_for_what_set_up_does_not_bring(
    terminal: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = FakeMachine(works=("pip install",))
    terminal("y")
    assert not setup.offer_installation(SetupError("Charts need matplotlib."), machine)
    monkeypatch.setenv("CI", "true")
    assert not setup.offer_installation(PACKAGES, machine)
    monkeypatch.delenv("CI")
    monkeypatch.setattr(setup, "is_at_terminal", lambda: False)
    assert not setup.offer_installation(PACKAGES, machine) and not machine.commands


def test_what_cannot_be_installed_is_said_in_a_sentence(terminal: Asked) -> None:
    terminal("y")
    with pytest.raises(SetupError, match="could not be installed: refused"):
        setup.offer_installation(PACKAGES, FakeMachine())
    terminal("y")
    with pytest.raises(SetupError, match="neither pip nor uv"):
        setup.offer_installation(PACKAGES, FakeMachine(modules=(), programs=()))


def test_the_command_runs_again_once_when_it_was_brought(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[object] = []

    def command(**words: object) -> int:
        tried.append(words["args"])
        raise PACKAGES

    monkeypatch.setattr(app, "app", command)
    monkeypatch.setattr(setup, "offer_installation", lambda error: error is PACKAGES)
    assert run_command_line(["build", "run.reel"]) == 2
    assert tried == [["build", "run.reel"]] * 2
    assert capsys.readouterr().err == "pagereel: Redaction needs packages.\n" * 2


def test_help_explains_each_topic_and_each_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["help"]) == 0
    listed = capsys.readouterr().out
    names = {command.name for command in COMMANDS}
    assert not set(TOPICS) & names
    for name, topic in TOPICS.items():
        assert f"pagereel help {name} " in listed and topic.about in listed
        assert run_command_line(["help", name]) == 0 and topic.text in capsys.readouterr().out
        assert set(re.findall(r"(?m)^ +pagereel (\w+)", topic.text)) <= names
    for words in (["build"], ["library", "add"]):
        run_command_line(["help", *words])
        told = capsys.readouterr().out
        run_command_line([*words, "--help"])
        assert told.split() == capsys.readouterr().out.split() != []
    assert run_command_line(["help", "nothing"]) == 2
    assert "no topic or command 'nothing'" in capsys.readouterr().err
