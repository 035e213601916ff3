"""`pagereel doctor`: what is here, what it is for, what brings the rest, and when that is a failure."""

from __future__ import annotations

import json
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from pagereel.cli import main
from pagereel.cli.commands import COMMANDS
from pagereel.cli.doctor import EXTRAS, CheckResult, checks, parse_requirements, run_checks
from pagereel.cli.setup import DICTIONARIES, MODELS

from .test_setup import PATH, FakeMachine

ROOT = Path(__file__).resolve().parents[2]
ALL = ["spacy", "onnxruntime", *(model.module for model in (*MODELS, *DICTIONARIES))]


def by_name(machine: FakeMachine) -> dict[str, CheckResult]:
    return {check.name: check for check in run_checks(machine)}


def test_each_extra_is_looked_for_and_each_command_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert EXTRAS.keys() == project["optional-dependencies"].keys() - {"all", "dev"}
    for name, extra in EXTRAS.items():
        brought = " ".join(project["optional-dependencies"][name])
        assert extra.mark is None or extra.mark in brought, name
        for command in extra.needed_for:
            assert command.split()[0] in {"pytest", *(each.name for each in COMMANDS)} or "pagereel." in command, (
                command
            )


def test_what_is_here_is_told_in_words_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told.keys() == {"ready", "checks"} and status == (0 if told["ready"] else 1)
    assert all(check.keys() == {"name", "found", "needed_for", "fix"} for check in told["checks"])
    found = {check["name"]: check for check in told["checks"]}
    assert "Chromium" in found["Chromium"]["found"] and "record" in found["Chromium"]["needed_for"]
    assert found["pagereel"]["fix"] is None and metadata.version("pagereel") in found["pagereel"]["found"]
    assert main(["doctor"]) == status
    said = capsys.readouterr().out
    assert all(check["name"] in said and (check["fix"] or "") in said for check in told["checks"])


def test_without_a_browser_it_is_not_ready(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "ThisMachine", lambda: FakeMachine(modules=ALL))
    assert main(["doctor", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ready"] is False
    assert next(check for check in told["checks"] if check["name"] == "Chromium")["fix"] == "pagereel setup"


def test_an_extra_that_is_not_installed_is_no_failure_and_one_that_cannot_run_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = metadata.version
    versions: dict[str, str | None] = {}

    def version(name: str) -> str:
        if versions.get(name, "") is None:
            raise metadata.PackageNotFoundError(name)
        return versions.get(name) or real(name)

    monkeypatch.setattr(checks.metadata, "version", version)
    machine = FakeMachine(chromium=PATH, modules=ALL)
    assert not by_name(machine)["extra redaction"].broken

    versions["spacy"] = "2.3.1"
    check = by_name(machine)["extra redaction"]
    assert (
        check.broken
        and check.fix == "pip install 'pagereel[redaction]'"
        and "spacy 2.3.1 does not fit" in str(check.found)
    )
    versions["spacy"] = None
    assert "spacy is missing" in str(by_name(machine)["extra redaction"].found)

    versions["presidio-analyzer"] = None
    found = by_name(FakeMachine(chromium=PATH, modules=[]))
    assert found["extra redaction"].found is None and not any(check.broken for check in found.values())


def test_a_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = checks.importlib.import_module

    def imported(name: str) -> object:
        if name == "numpy":
            raise ImportError("numpy was built for another Python\nlong story")
        return real(name)

    monkeypatch.setattr(checks.importlib, "import_module", imported)
    check = by_name(FakeMachine(chromium=PATH, modules=ALL))["extra redaction"]
    assert check.broken and "numpy cannot be imported (numpy was built for another Python)" in str(check.found)


def test_models_are_needed_where_the_extra_is_and_dictionaries_nowhere() -> None:
    found = by_name(FakeMachine(chromium=PATH, modules=["spacy", "onnxruntime"]))
    assert {check.name for check in found.values() if check.broken} == {
        model.title for model in MODELS if not model.without
    }
    assert all(found[model.title].fix == "pagereel setup" for model in (*MODELS, *DICTIONARIES))


def test_requirements_are_read_as_metadata_has_them() -> None:
    told = parse_requirements(["spacy<3.9,>=3.8; extra == 'x'", 'psycopg[binary]>=3.2; extra == "y"', "orjson>=3.10", "pagereel[x]; extra == 'y'"])  # fmt: skip
    assert {name: [each.name for each in asked] for name, asked in told.items()} == {
        "x": ["spacy"], "y": ["psycopg"], "": ["orjson"],
    }  # fmt: skip
    (spacy,) = told["x"]
    assert [spacy.accepts_version(version) for version in ("3.7.9", "3.8", "3.8.4", "3.9.0", "3.10")] == [False, True, True, False, False]  # fmt: skip
