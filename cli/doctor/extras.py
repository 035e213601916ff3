"""The extras: the commands that need each, its modules, and the versions in pagereel's own metadata."""

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
class Extra:
    """An extra of pagereel: the commands that need it, its modules, and `mark`, the distribution whose presence shows
    that the extra was installed.
    """

    needed_for: tuple[str, ...]
    modules: tuple[str, ...]
    mark: str | None = None


EXTRAS: Final = {
    "redaction": Extra(
        MASKING, ("presidio_analyzer", "spacy", "onnxruntime", "tokenizers", "numpy", "ahocorasick_rs", "cryptography", "PIL"),
        "presidio-analyzer",
    ),
    "encryption": Extra(("keygen", "record --encrypt-to", "unmask"), ("cryptography",)),
    "screens": Extra(("record --desktop",), ("PIL", "numpy")),
    "desktop": Extra(("record --desktop",), ("mss", "Xlib"), "mss"),
    "film": Extra(("export run.mp4", "export run.webm"), ("PIL", "av"), "av"),
    "pytest": Extra(("pytest --replay",), ("pytest", "pytest_playwright"), "pytest-playwright"),
    "otel": Extra(("pagereel.integrations.otel",), ("opentelemetry.sdk",)),
    "langchain": Extra(("pagereel.integrations.langchain",), ("langchain_core",)),
    "scale": Extra(("record s3://…", "build s3://…", "library"), ("fsspec",)),
    "dask": Extra(("build --executor dask",), ("distributed",), "distributed"),
    "serve": Extra(("serve",), ("starlette", "uvicorn")),
    "models": Extra(("proxy",), ("uvicorn", "httpcore2", "brotli", "genai_prices"), "genai-prices"),
    "figures": Extra(("library stats -o",), ("matplotlib", "ruptures"), "ruptures"),
    "parquet": Extra(("library",), ("pyarrow",)),
    "postgres": Extra(("library",), ("psycopg",)),
    "deck": Extra(("deck",), ("textual",)),
}  # fmt: skip


@dataclass(frozen=True)
class Requirement:
    """A required distribution, with the bounds of its version."""

    name: str
    bounds: tuple[tuple[str, tuple[int, ...]], ...]

    def installed(self) -> str | None:
        """Return the installed version of the distribution; None where it is not installed."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return None

    def fits(self, version: str) -> bool:
        """Return whether a version is within the bounds."""
        have = _numbers(version)
        return all(
            {">=": have >= bound, "<": have < bound, "==": have[: len(bound)] == bound}[sign]
            for sign, bound in self.bounds
        )


def requirements(told: Iterable[str]) -> dict[str, list[Requirement]]:
    """Map each extra to its requirements, and "" to those of every installation. `told`: the requirements as the
    distribution's metadata lists them.
    """
    found: dict[str, list[Requirement]] = {}
    for line in told:
        if (match := _REQUIREMENT.match(line)) is None or match[1] == "pagereel":
            continue
        bounds = tuple((sign, _numbers(bound)) for sign, bound in _BOUND.findall(match[2]))
        found.setdefault(match[3] or "", []).append(Requirement(match[1], bounds))
    return found


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4])
