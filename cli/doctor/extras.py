"""Lists pagereel's extras: the commands that need each, its modules, and its required packages.

The required packages are read from pagereel's own metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from typing import Final

MASKING: Final = ("build", "redact", "query", "export", "compare", "show", "review", "library", "serve", "mcp")
"""The commands that mask."""
_REQUIREMENT: Final = re.compile(
    r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([^;]*)(?:;\s*extra\s*==\s*[\"']([\w-]+)[\"'])?"
)
_BOUND: Final = re.compile(r"(>=|<|==)\s*([\d.]+)")


@dataclass(frozen=True)
class ExtraPackages:
    """An extra of pagereel: the commands that need it, and its modules.

    `mark`: the distribution whose presence shows that the extra was installed.
    """

    needed_for: tuple[str, ...]
    modules: tuple[str, ...]
    mark: str | None = None


EXTRAS: Final = {
    "redaction": ExtraPackages(
        MASKING, ("presidio_analyzer", "spacy", "onnxruntime", "tokenizers", "numpy", "ahocorasick_rs", "cryptography", "PIL"),
        "presidio-analyzer",
    ),
    "encryption": ExtraPackages(("keygen", "record --encrypt-to", "unmask"), ("cryptography",)),
    "screens": ExtraPackages(("record --desktop",), ("PIL", "numpy")),
    "desktop": ExtraPackages(("record --desktop",), ("mss", "Xlib"), "mss"),
    "film": ExtraPackages(("export run.mp4", "export run.webm"), ("PIL", "av"), "av"),
    "pytest": ExtraPackages(("pytest --replay",), ("pytest", "pytest_playwright"), "pytest-playwright"),
    "otel": ExtraPackages(("pagereel.integrations.otel",), ("opentelemetry.sdk",)),
    "langchain": ExtraPackages(("pagereel.integrations.langchain",), ("langchain_core",)),
    "scale": ExtraPackages(("record s3://…", "build s3://…", "library"), ("fsspec",)),
    "dask": ExtraPackages(("build --executor dask",), ("distributed",), "distributed"),
    "serve": ExtraPackages(("serve",), ("starlette", "uvicorn")),
    "models": ExtraPackages(("proxy",), ("uvicorn", "httpcore2", "brotli", "genai_prices"), "genai-prices"),
    "figures": ExtraPackages(("library stats -o",), ("matplotlib", "ruptures"), "ruptures"),
    "parquet": ExtraPackages(("library",), ("pyarrow",)),
    "postgres": ExtraPackages(("library",), ("psycopg",)),
    "deck": ExtraPackages(("deck",), ("textual",)),
}  # fmt: skip


@dataclass(frozen=True)
class Requirement:
    """A required distribution, with the limits of its version."""

    name: str
    bounds: tuple[tuple[str, tuple[int, ...]], ...]

    def get_installed_version(self) -> str | None:
        """Return the installed version of the distribution; None where it is not installed."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return None

    def accepts_version(self, version: str) -> bool:
        """Return whether a version is within the limits."""
        have = _parse_version(version)
        return all(
            {">=": have >= bound, "<": have < bound, "==": have[: len(bound)] == bound}[sign]
            for sign, bound in self.bounds
        )


def parse_requirements(lines: Iterable[str]) -> dict[str, list[Requirement]]:
    """Return the requirements of each extra by its name, and under "" those of every installation.

    `lines`: the requirements as lines of the distribution's metadata.
    """
    found: dict[str, list[Requirement]] = {}
    for line in lines:
        if (match := _REQUIREMENT.match(line)) is None or match[1] == "pagereel":
            continue
        bounds = tuple((sign, _parse_version(bound)) for sign, bound in _BOUND.findall(match[2]))
        found.setdefault(match[3] or "", []).append(Requirement(match[1], bounds))
    return found


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4])
