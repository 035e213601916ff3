"""Links to a kept replay in the reports that a project writes: JUnit XML, pytest-html, Allure."""

from __future__ import annotations

import importlib
import os
import urllib.parse
from pathlib import Path

import pytest

PROPERTY = "playwright_replay"
"""Name of the report property (JUnit: `<property>`) with a kept file's path, relative to where pytest was started."""
LABEL = "Replay"


def link(config: pytest.Config, report: pytest.TestReport, html: Path) -> None:
    """Tell every reporter that is there of the file `html`. One that fails does not hide it from the others."""
    from pagereel.integrations.attempts import quietly

    report.user_properties.append((PROPERTY, path_for(config, html)))
    quietly(_link_html, config, report, html)
    quietly(_link_allure, config, html)


def path_for(config: pytest.Config, html: Path) -> str:
    """Relative to where pytest was started when it lies in there, else absolute, as pytest-playwright has it."""
    try:
        return str(html.relative_to(config.invocation_params.dir))
    except ValueError:
        return str(html)


def _link_html(config: pytest.Config, report: pytest.TestReport, html: Path) -> None:
    written = getattr(config.option, "htmlpath", None)
    if not written or not config.pluginmanager.hasplugin("html"):
        return
    folder = Path(config.invocation_params.dir, Path(os.path.expandvars(written)).expanduser()).parent
    address = urllib.parse.quote(Path(os.path.relpath(html, folder)).as_posix())
    extras = importlib.import_module("pytest_html").extras
    links = [*getattr(report, "extras", []), extras.url(address, name=LABEL)]
    report.extras = links  # type: ignore[attr-defined]  # pytest-html's own place for them


def _link_allure(config: pytest.Config, html: Path) -> None:
    if not getattr(config.option, "allure_report_dir", None):
        return
    allure = importlib.import_module("allure")
    allure.attach.file(str(html), name=LABEL, attachment_type=allure.attachment_type.HTML)
