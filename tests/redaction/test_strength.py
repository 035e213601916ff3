"""A redaction that does without a model says so, wherever it is asked for, and can be told to refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.cli.argument_requirements import parse_redaction_option
from pagereel.errors import SetupError
from pagereel.redaction import (
    Policy,
    describe_missing_models,
    installed_models,
    list_missing_models,
    load_policy,
    redact,
    redact_many,
)
from pagereel.redaction.installed_models import describe_versions

from .reels import reel_of


@pytest.fixture
def one_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed_models, "_PARTS", {"Rampart": ("no_such_module_at_all",), "Python": ("sys",)})


def test_what_is_missing_is_named_with_the_command_that_brings_it(one_is_missing: None) -> None:
    assert list_missing_models() == ["Rampart"]
    assert describe_missing_models(["Rampart"]).startswith("Masked without Rampart: ")
    assert "pagereel setup" in describe_missing_models(["Rampart"])
    assert describe_missing_models([]) == ""


def test_the_report_says_what_was_missing(one_is_missing: None, tmp_path: Path) -> None:
    report = redact(reel_of(tmp_path / "a.reel", "Plain"), tmp_path / "b.reel")
    assert report.to_json()["without"] == ["Rampart"]


def test_a_command_says_what_is_missing(one_is_missing: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_redaction_option("vendor") == "vendor"
    assert "Masked without Rampart" in capsys.readouterr().err
    assert parse_redaction_option("off") is None
    assert capsys.readouterr().err == ""


def test_a_policy_can_refuse(one_is_missing: None, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("require_models = true\n")
    assert load_policy(file).require_models
    reel = reel_of(tmp_path / "a.reel", "Plain")
    with pytest.raises(SetupError, match="Rampart is not installed"):
        redact(reel, tmp_path / "b.reel", file)
    with pytest.raises(SetupError, match="Rampart is not installed"):
        redact_many([(reel, tmp_path / "b.reel")], Policy("own", require_models=True))
    assert not (tmp_path / "b.reel").exists()


def test_two_environments_are_told_apart() -> None:
    assert "spacy=3" in describe_versions()
    assert "jieba=" in describe_versions()
