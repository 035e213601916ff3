"""The checks of `pagereel doctor`, which install and change nothing.

The packages of an extra are read from pagereel's own metadata. An extra counts as installed if its characteristic
package is installed, or if all of its packages are. In an installed extra everything must work: each of its modules is
imported as a test.
"""

from __future__ import annotations

import importlib
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Final

from pagereel.errors import SetupError

from ..setup import DICTIONARIES, MODELS, LanguageModel, Machine, ThisMachine, read_browser_version
from .extras import EXTRAS, MASKING, ExtraPackages, Requirement, parse_requirements

_ERROR: Final = 200
"""Longest error of an import that is shown, in characters."""


@dataclass(frozen=True)
class CheckResult:
    """The result of checking one part of pagereel.

    `found`: its version, or None; `fix`: the command that installs it; `broken`: an installed extra needs this part,
    but it does not work.
    """

    name: str
    found: str | None
    needed_for: tuple[str, ...]
    fix: str | None = None
    broken: bool = False

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "found": self.found, "needed_for": list(self.needed_for), "fix": self.fix}


def run_checks(machine: Machine | None = None) -> list[CheckResult]:
    """Check all parts that pagereel can use, the browser first, and return the results."""
    machine = machine or ThisMachine()
    asked = parse_requirements(metadata.requires("pagereel") or [])
    checks = [
        _check_chromium(machine),
        _check_packages("pagereel", asked.get("", []), ExtraPackages(("everything",), ()), "pip install pagereel"),
    ]
    for name, extra in EXTRAS.items():
        checks.append(_check_packages(f"extra {name}", asked.get(name, []), extra, f"pip install 'pagereel[{name}]'"))
        if name == "redaction":
            masks = any(check.name == "extra redaction" and check.found is not None for check in checks)
            checks += [_check_model(model, machine, masks) for model in (*MODELS, *DICTIONARIES)]
    return checks


def _check_chromium(machine: Machine) -> CheckResult:
    needed = ("record", "demo", "verify --replay", "build --check")
    try:
        path = machine.find_browser()
    except SetupError as error:
        return CheckResult(
            "Chromium", None, needed, f"{str(error).removesuffix('.')}; then: pagereel setup", broken=True
        )
    if path is None:
        return CheckResult("Chromium", None, needed, "pagereel setup", broken=True)
    version = read_browser_version(path, machine)
    if not version.ok:
        return CheckResult(
            "Chromium", f"{path}, which does not start ({version.last_line})", needed, "pagereel setup", broken=True
        )
    return CheckResult("Chromium", f"{path} ({version.last_line})", needed)


def _check_packages(
    name: str, requirements: list[Requirement], extra: ExtraPackages, install_command: str
) -> CheckResult:
    versions = {each: each.get_installed_version() for each in requirements}
    here = [f"{each.name} {version}" for each, version in versions.items() if version is not None]
    if extra.mark is None:
        installed = len(here) == len(requirements)
    else:
        installed = any(each.name == extra.mark and version is not None for each, version in versions.items())
    if name != "pagereel" and not installed:
        return CheckResult(name, None, extra.needed_for, install_command)
    wrong = [f"{each.name} is missing" for each, version in versions.items() if version is None]
    wrong += [
        f"{each.name} {version} does not fit"
        for each, version in versions.items()
        if version is not None and not each.accepts_version(version)
    ]
    wrong += _find_unimportable_modules(extra.modules)
    found = (
        ", ".join(here)
        if name != "pagereel"
        else f"{metadata.version('pagereel')} (Python {platform.python_version()})"
    )
    if wrong:
        return CheckResult(name, f"{found}; but {', '.join(wrong)}", extra.needed_for, install_command, broken=True)
    return CheckResult(name, found, extra.needed_for)


def _find_unimportable_modules(modules: Iterable[str]) -> Iterator[str]:
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as error:  # a broken package may raise anything
            text = (str(error).strip().splitlines() or [type(error).__name__])[0]
            yield f"{module} cannot be imported ({text[:_ERROR]})"


def _check_model(model: LanguageModel, machine: Machine, is_redaction_installed: bool) -> CheckResult:
    if not machine.has_module(model.module):
        return CheckResult(
            model.title, None, MASKING, "pagereel setup", broken=is_redaction_installed and not model.without
        )
    try:
        version = metadata.version(model.distribution)
    except metadata.PackageNotFoundError:
        version = "without metadata"
    return CheckResult(model.title, f"{model.distribution} {version}", MASKING)
