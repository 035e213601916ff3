"""The wheel holds every file of the rooms that a user needs, and nothing else.

`make test` builds it and names it in PAGEREEL_WHEEL.
"""

from __future__ import annotations

import os
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETUPTOOLS["package-dir"]
NOT_SHIPPED = ("player_build/player/",)
"""TypeScript sources: what is built from them ships in dist/."""


def committed() -> list[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [name for name in listing.stdout.decode().split("\0") if name and (ROOT / name).exists()]


def expected() -> set[str]:
    """Every committed file of a room, under the name that it has in the wheel."""
    names = set()
    for file in committed():
        room = file.split("/")[0]
        package = next((package for package, folder in FOLDERS.items() if folder == room), None)
        if package and not file.startswith(NOT_SHIPPED):
            names.add("/".join([*package.split("."), *file.split("/")[1:]]))
    return names


@pytest.fixture(scope="module")
def wheel() -> zipfile.ZipFile:
    path = os.environ.get("PAGEREEL_WHEEL")
    if not path:
        pytest.skip("no wheel was built; 'make test' builds one")
    return zipfile.ZipFile(ROOT / path)


def test_the_wheel_holds_the_rooms_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert sorted(held - expected()) == []
    assert sorted(expected() - held) == []


def test_the_wheel_carries_licence_and_notice(wheel: zipfile.ZipFile) -> None:
    names = {Path(name).name for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert names == {"LICENSE", "NOTICE"}


def test_the_wheel_puts_one_name_into_site_packages(wheel: zipfile.ZipFile) -> None:
    assert {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" not in name} == {"pagereel"}


def test_every_package_folder_is_listed() -> None:
    """A new sub-package that nobody lists would be missing from the wheel, and from nothing else."""
    folders = {
        ".".join([package, *Path(file).parent.parts[1:]])
        for file in committed()
        if file.endswith(".py")
        for package, folder in FOLDERS.items()
        if file.split("/")[0] == folder
    }
    assert sorted(folders - set(SETUPTOOLS["packages"])) == []
