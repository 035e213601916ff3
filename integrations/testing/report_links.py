"""Adds links to replays and comparisons to a project's test reports: JUnit XML, pytest-html, Allure."""

from __future__ import annotations

import importlib
import os
import urllib.parse
from pathlib import Path
from typing import Any

import pytest

PROPERTY = "playwright_replay"
"""Name of the report property (JUnit: `<property>`) with a kept file's path, relative to the start folder of pytest."""
COMPARISON = "pagereel_comparison"
"""The same for a comparison; :data:`SUMMARY` is the property with its sentence."""
SUMMARY = "pagereel_comparison_summary"
FILM = "pagereel_film"
"""The same for a film, which is made after the last test."""
MISSING = "pagereel_baseline_missing"
"""Name of the property with the command that creates a test's baseline."""
MOST_COMMANDS = 20
LABELS = {PROPERTY: "Replay", COMPARISON: "Comparison", FILM: "Film"}


def add_link(config: pytest.Config, report: pytest.TestReport, file: Path, name: str = PROPERTY) -> None:
    """Add a link to `file` to each test report that is being written.

    If one reporter fails, the others get their links.
    """
    from pagereel.integrations.testing.attempts import call_and_warn_of_errors

    report.user_properties.append((name, format_report_path(config, file)))
    call_and_warn_of_errors(_add_pytest_html_link, config, report, file, LABELS[name])
    call_and_warn_of_errors(_add_allure_link, config, file, LABELS[name])


def add_comparison_link(config: pytest.Config, report: pytest.TestReport, file: Path, text: str) -> None:
    """Add a link to a comparison, with the sentence `text`, to each test report that is being written."""
    add_link(config, report, file, COMPARISON)
    report.user_properties.append((SUMMARY, text))


class ComparisonReport:
    """The section of pytest's terminal summary that lists the comparisons."""

    def __init__(self) -> None:
        self._made: list[str] = []
        self._missing: list[str] = []

    def collect_comparisons(self, report: pytest.TestReport) -> None:
        """Collect the comparisons that the plugin has added to a test report's properties."""
        for name, value in report.user_properties:
            if name in (COMPARISON, SUMMARY):
                self._made.append(str(value) if name == COMPARISON else f"  {value}")
            elif name == MISSING:
                self._missing.append(str(value))

    def write_summary(self, terminal: Any) -> None:
        """Write the list of comparisons to the terminal."""
        if self._made or self._missing:
            terminal.write_sep("-", "comparisons")
        for line in self._made:
            terminal.write_line(line)
        if self._missing:
            count = len(self._missing)
            terminal.write_line(
                f"{count} recording{'s have' if count > 1 else ' has'} no baseline yet. Take in what is as it should be:"
            )
        for command in self._missing[:MOST_COMMANDS]:
            terminal.write_line(f"  {command}")
        if len(self._missing) > MOST_COMMANDS:
            terminal.write_line(f"  … and {len(self._missing) - MOST_COMMANDS} more")


def format_report_path(config: pytest.Config, file: Path) -> str:
    """Return a file's path relative to pytest's start folder, or the absolute path of a file outside it, as
    pytest-playwright does.
    """
    try:
        return str(file.relative_to(config.invocation_params.dir))
    except ValueError:
        return str(file)


def _add_pytest_html_link(config: pytest.Config, report: pytest.TestReport, file: Path, label: str) -> None:
    written = getattr(config.option, "htmlpath", None)
    if not written or not config.pluginmanager.hasplugin("html"):
        return
    folder = Path(config.invocation_params.dir, Path(os.path.expandvars(written)).expanduser()).parent
    address = urllib.parse.quote(Path(os.path.relpath(file, folder)).as_posix())
    extras = importlib.import_module("pytest_html").extras
    links = [*getattr(report, "extras", []), extras.url(address, name=label)]
    report.extras = links  # type: ignore[attr-defined]  # pytest-html's own place for them


def _add_allure_link(config: pytest.Config, file: Path, label: str) -> None:
    if not getattr(config.option, "allure_report_dir", None) or not file.is_file():
        return
    allure = importlib.import_module("allure")
    kinds = allure.attachment_type
    allure.attach.file(str(file), name=label, attachment_type=kinds.HTML if file.suffix == ".html" else kinds.TEXT)
