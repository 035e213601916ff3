"""The checks of `pagereel doctor`. They install nothing and change nothing.

The packages of an extra are read from pagereel's own metadata. An extra counts as installed when its characteristic
package is installed, or all of its packages are: then everything in it must work, and each module is imported as a
test.
"""

from __future__ import annotations

import importlib
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Final

from pagereel.errors import SetupError

from ..setup import DICTIONARIES, MODELS, Machine, Model, ThisMachine, starts
from .extras import EXTRAS, MASKING, Extra, Requirement, requirements

_ERROR: Final = 200
"""Longest error of an import that is shown, in characters."""


@dataclass(frozen=True)
class Check:
    """The result of checking one part. `found`: its version, or None; `fix`: the command that installs it; `broken`: an
    installed extra needs this part, but it does not work.
    """

    name: str
    found: str | None
    needed_for: tuple[str, ...]
    fix: str | None = None
    broken: bool = False

    def to_json(self) -> dict[str, object]:
        return {"name": self.name, "found": self.found, "needed_for": list(self.needed_for), "fix": self.fix}


def examine(machine: Machine | None = None) -> list[Check]:
    """Check all parts that pagereel can use, the browser first, and return the results."""
    machine = machine or ThisMachine()
    asked = requirements(metadata.requires("pagereel") or [])
    checks = [
        _browser(machine),
        _packages("pagereel", asked.get("", []), Extra(("everything",), ()), "pip install pagereel"),
    ]
    for name, extra in EXTRAS.items():
        checks.append(_packages(f"extra {name}", asked.get(name, []), extra, f"pip install 'pagereel[{name}]'"))
        if name == "redaction":
            masks = any(check.name == "extra redaction" and check.found is not None for check in checks)
            checks += [_model(model, machine, masks) for model in (*MODELS, *DICTIONARIES)]
    return checks


def _browser(machine: Machine) -> Check:
    needed = ("record", "demo", "verify --replay", "build --check")
    try:
        path = machine.chromium()
    except SetupError as error:
        return Check("Chromium", None, needed, f"{str(error).removesuffix('.')}; then: pagereel setup", broken=True)
    if path is None:
        return Check("Chromium", None, needed, "pagereel setup", broken=True)
    version = starts(path, machine)
    if not version.ok:
        return Check(
            "Chromium", f"{path}, which does not start ({version.last_line})", needed, "pagereel setup", broken=True
        )
    return Check("Chromium", f"{path} ({version.last_line})", needed)


def _packages(name: str, asked: list[Requirement], extra: Extra, fix: str) -> Check:
    versions = {each: each.installed() for each in asked}
    here = [f"{each.name} {version}" for each, version in versions.items() if version is not None]
    if extra.mark is None:
        installed = len(here) == len(asked)
    else:
        installed = any(each.name == extra.mark and version is not None for each, version in versions.items())
    if name != "pagereel" and not installed:
        return Check(name, None, extra.needed_for, fix)
    wrong = [f"{each.name} is missing" for each, version in versions.items() if version is None]
    wrong += [
        f"{each.name} {version} does not fit"
        for each, version in versions.items()
        if version is not None and not each.fits(version)
    ]
    wrong += _unimportable(extra.modules)
    found = (
        ", ".join(here)
        if name != "pagereel"
        else f"{metadata.version('pagereel')} (Python {platform.python_version()})"
    )
    if wrong:
        return Check(name, f"{found}; but {', '.join(wrong)}", extra.needed_for, fix, broken=True)
    return Check(name, found, extra.needed_for)


def _unimportable(modules: Iterable[str]) -> Iterator[str]:
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as error:  # a broken package may raise anything
            text = (str(error).strip().splitlines() or [type(error).__name__])[0]
            yield f"{module} cannot be imported ({text[:_ERROR]})"


def _model(model: Model, machine: Machine, masks: bool) -> Check:
    if not machine.has_module(model.module):
        return Check(model.title, None, MASKING, "pagereel setup", broken=masks and not model.without)
    try:
        version = metadata.version(model.distribution)
    except metadata.PackageNotFoundError:
        version = "without metadata"
    return Check(model.title, f"{model.distribution} {version}", MASKING)
