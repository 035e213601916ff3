"""The wheel has every package of the checkout: one that pyproject.toml does not name is missing only where somebody installs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BESIDE = {"tests", "bench", "scripts", "examples"}


def test_every_package_is_in_the_wheel() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    rooms = {name.removeprefix("pagereel.").partition(".")[0] for name in named["packages"]} - {"pagereel"}
    folders = {init.parent.relative_to(ROOT) for room in rooms for init in (ROOT / room).rglob("__init__.py")}
    there = {".".join(("pagereel", *folder.parts)) for folder in folders if folder.parts[0] not in _BESIDE}
    assert there <= set(named["packages"])
