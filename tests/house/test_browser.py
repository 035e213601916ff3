"""Which Chromium is taken, and how it is started."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from pagereel import browser
from pagereel.errors import SetupError


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser; its programs stand in `bin`, Playwright's in `cache`, of revision 7."""
    package = tmp_path / "playwright" / "driver" / "package"
    package.mkdir(parents=True)
    (package / "browsers.json").write_text(json.dumps({"browsers": [{"name": "chromium", "revision": "7"}]}))
    origin = SimpleNamespace(origin=str(tmp_path / "playwright" / "__init__.py"))
    monkeypatch.setattr(browser.importlib.util, "find_spec", lambda name: origin)
    monkeypatch.setattr(browser, "SYSTEM_PATHS", {})
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "cache"))
    monkeypatch.delenv("PAGEREEL_CHROMIUM", raising=False)
    return tmp_path


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def playwrights(machine: Path, revision: int = 7, complete: bool = True) -> Path:
    folder = machine / "cache" / f"chromium-{revision}"
    path = program(folder / "chrome-linux" / "chrome")
    if complete:
        (folder / "INSTALLATION_COMPLETE").touch()
    return path


def test_nothing_there_is_none_and_launching_says_what_to_do(machine: Path) -> None:
    assert browser.find_chromium() is None
    with pytest.raises(SetupError, match="pagereel setup"):
        browser.launch_options()


def test_the_systems_is_found_by_any_of_its_names(machine: Path) -> None:
    chrome = program(machine / "bin" / "google-chrome")
    assert browser.find_chromium() == chrome
    chromium = program(machine / "bin" / "chromium")
    assert browser.find_chromium() == chromium


def test_playwrights_own_comes_before_the_systems(machine: Path) -> None:
    program(machine / "bin" / "chromium")
    own = playwrights(machine)
    assert browser.find_chromium() == own


def test_a_download_cut_short_or_of_another_revision_is_not_taken(machine: Path) -> None:
    playwrights(machine, complete=False)
    playwrights(machine, revision=6)
    assert browser.find_chromium() is None


def test_the_variable_comes_first(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    playwrights(machine)
    mine = program(machine / "mine")
    monkeypatch.setenv("PAGEREEL_CHROMIUM", str(mine))
    assert browser.find_chromium() == mine


def test_a_wrong_variable_is_an_error_and_not_another_browser(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    playwrights(machine)
    monkeypatch.setenv("PAGEREEL_CHROMIUM", str(machine / "nosuch"))
    with pytest.raises(SetupError, match="PAGEREEL_CHROMIUM"):
        browser.find_chromium()


@pytest.mark.parametrize("works", [True, False])
def test_the_sandbox_is_off_only_where_it_cannot_start(
    machine: Path, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    program(machine / "bin" / "chromium")
    monkeypatch.setattr(browser, "is_sandbox_usable", lambda path: works)
    options = browser.launch_options()
    assert options["chromium_sandbox"] is works
    assert ("--no-sandbox" in options["args"]) is not works
