"""The tree of a commit with today's tests in it, and processes whose `pagereel` is that tree's."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
_CHILD = Path(__file__).with_name("child.py")


@contextlib.contextmanager
def tree_of(commit: str, folder: Path) -> Iterator[Path]:
    """A git worktree of a commit whose `tests` are today's; it is taken away at the end."""
    tree = folder / "tree"
    _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
    try:
        shutil.rmtree(tree / "tests")
        shutil.copytree(ROOT / "tests", tree / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        yield tree
    finally:
        _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *arguments], check=True)


def package_of(tree: Path, folder: Path) -> Path:
    """A folder for `PYTHONPATH` in which `pagereel` is what the tree's own `pyproject.toml` makes of it.

    What is installed is another tree, behind a finder of setuptools. A folder on the path is asked before that finder.
    """
    settings = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))
    places: dict[str, str] = settings["tool"]["setuptools"]["package-dir"]
    package = folder / "pagereel"
    package.mkdir(parents=True)
    for file in (tree / places["pagereel"]).iterdir():
        (package / file.name).symlink_to(file)
    for name, place in places.items():
        if name != "pagereel":
            (package / name.removeprefix("pagereel.")).symlink_to(tree / place)
    return folder


def run(tree: Path, package: Path, out: Path, **task: Any) -> dict[str, Any]:
    """Do a task of :mod:`.child` with the tree's code; what it tells of it."""
    out.mkdir(parents=True, exist_ok=True)
    told = out / "told.json"
    path = os.pathsep.join((str(package), str(tree)))
    wanted = json.dumps({**task, "out": str(out), "package": str(package)})
    # `-P`: the folder of the child's own script, with modules of common names, is no place to import from.
    done = subprocess.run(
        [sys.executable, "-P", str(_CHILD), wanted], cwd=tree, env={**os.environ, "PYTHONPATH": path}, check=False
    )
    if done.returncode or not told.is_file():
        raise RuntimeError(f"The process with the code of {tree} ended with {done.returncode}: {wanted}")
    said: dict[str, Any] = json.loads(told.read_text("utf-8"))
    return said
