"""A checkout behaves as every contributor expects: no folder at its root is imported in place of the installed package.

Python puts the working folder before everything that is installed (`python -m`, `python -c`, a notebook, an IDE). A folder
`pagereel/` with the front alone in it stood there, and nothing started at the root found `pagereel.recorder`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_editable(sys.argv[1]))"
LEFT_OUT = {".venv", "build", "out", "node_modules", "pagereel.egg-info", ".git"}


@pytest.fixture(scope="module", params=["wheel", pytest.param("make dev", marks=pytest.mark.slow)])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A Python with pagereel installed in one of the two ways, and the root of the checkout that it came from."""
    folder = tmp_path_factory.mktemp("checkout")
    root = folder / "root"
    root.mkdir()
    for entry in ROOT.iterdir():  # Links, because setuptools writes its egg-info beside pyproject.toml.
        if entry.name not in LEFT_OUT:
            (root / entry.name).symlink_to(entry)
    if request.param == "wheel":
        wheel = os.environ.get("PAGEREEL_WHEEL")
        if not wheel:
            pytest.skip("no wheel was built; 'make test' builds one")
        built = ROOT / wheel
    else:
        done = run(Path(sys.executable), root, "-c", BUILD, str(folder))
        built = folder / done.stdout.split()[-1]
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    [packages] = (folder / "venv" / "lib").glob("python*/site-packages")
    for installed in installed_folders():
        for entry in installed.iterdir():
            if "pagereel" not in entry.name and entry.suffix != ".pth" and not (packages / entry.name).exists():
                (packages / entry.name).symlink_to(entry)
    with zipfile.ZipFile(built) as archive:
        archive.extractall(packages)
    return folder / "venv" / "bin" / "python", root


def installed_folders() -> list[Path]:
    """Where this Python's packages are, the folders that its .pth files name among them."""
    return [
        Path(folder) for folder in sys.path if Path(folder, "playwright").is_dir() or Path(folder, "pytest").is_dir()
    ]


def run(python: Path, root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Starts Python as a contributor would, at the root of the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run([python, *arguments], cwd=root, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_every_room_is_imported_from_the_checkouts_root(python: tuple[Path, Path]) -> None:
    rooms = (
        "css",
        "recorder",
        "reel",
        "sources",
        "redaction",
        "player_build",
        "reading",
        "comparison",
        "library",
        "integrations",
        "cli",
        "fixtures",
        "errors",
    )
    run(*python, "-c", "import sys; assert '' in sys.path; import " + ", ".join(f"pagereel.{room}" for room in rooms))


def test_pytest_runs_from_the_checkouts_root(python: tuple[Path, Path]) -> None:
    done = run(*python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_arrows.py")
    assert " passed" in done.stdout
