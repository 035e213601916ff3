"""Compares the list of expected runs with the runs that the library has."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from pagereel.errors import UsageError

from ..catalogue import Catalogue

_MOST: Final = 1_000
"""Largest number of missing runs that are listed."""
_FIELDS: Final = ("test", "id", "run", "trace", "traceid", "trace_id", "nodeid", "key")
_NODE: Final = re.compile(r"\S+\.py(?:::.+)?")
_MATCHED: Final = ("test", "trace")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the expected runs the library has. `missing`: the keys of runs that it lacks, at most a thousand."""

    expected: int
    recorded: int
    missing: list[str]

    @property
    def share(self) -> float | None:
        """Return the share from 0 to 1; None where nothing is expected."""
        return round(self.recorded / self.expected, 6) if self.expected else None


def compute_coverage(catalogue: Catalogue) -> Coverage | None:
    """Count the expected runs that the library has, matched by test, trace or run id; None where no list of expected
    runs was stored.
    """
    (expected,) = catalogue.execute("SELECT count(DISTINCT key) FROM expected").fetchone()
    if not expected:
        return None
    here = " OR ".join(["EXISTS (SELECT 1 FROM run WHERE run.id = expected.key)"] + [
        f"EXISTS (SELECT 1 FROM used WHERE operator = '{operator}' AND value = expected.folded)" for operator in _MATCHED
    ])  # fmt: skip
    (recorded,) = catalogue.execute(f"SELECT count(DISTINCT key) FROM expected WHERE {here}").fetchone()
    missing = catalogue.execute(
        f"SELECT DISTINCT key FROM expected WHERE NOT ({here}) ORDER BY key LIMIT {_MOST}"
    ).fetchall()
    return Coverage(expected, recorded, [key for (key,) in missing])


def parse_expected_keys(text: str, where: str) -> list[str]:
    """Return the keys of the expected runs in a list. Raises UsageError if it has none.

    The list has one of these forms: pytest's node ids (``pytest --collect-only -q``), a CSV with a column ``test``,
    ``trace`` or ``id``, OTLP's JSON (the traces of its root spans), JSON lines with such a field, or one name a line.

    `where`: the list's name for the message.
    """
    found = list(dict.fromkeys(filter(None, map(str.strip, _iter_run_keys(text)))))
    if not found:
        raise UsageError(
            f"{where} names no expected run; give node ids, a CSV with a column test, trace or id, or OTLP's JSON."
        )
    return found


def _iter_run_keys(text: str) -> Iterator[str]:
    head = text.lstrip()[:1]
    if head in ("{", "["):
        yield from _iter_run_keys_in_json(text)
        return
    lines = text.splitlines()
    columns = [name.strip().lower() for name in next(csv.reader(lines[:1]), [])]
    named = next((name for name in _FIELDS if name in columns), None)
    if named is not None:
        at = columns.index(named)
        yield from (row[at] for row in csv.reader(io.StringIO("\n".join(lines[1:]))) if len(row) > at)
        return
    nodes = [line for line in lines if _NODE.fullmatch(line.strip())]
    yield from nodes or (line for line in lines if not line.startswith("#"))


def _iter_run_keys_in_json(text: str) -> Iterator[str]:
    for value in _iter_json_values(text):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            spans = [
                span
                for resource in value.get("resourceSpans", [])
                for scope in resource.get("scopeSpans", [])
                for span in scope.get("spans", [])
            ]
            yield from (
                str(span["traceId"]).lower() for span in spans if span.get("traceId") and not span.get("parentSpanId")
            )
            told = {str(name).lower(): field for name, field in value.items()}
            yield from (str(told[name]) for name in _FIELDS if told.get(name))


def _iter_json_values(text: str) -> Iterator[Any]:
    try:
        value = orjson.loads(text)
        yield from value if isinstance(value, list) else [value]
    except orjson.JSONDecodeError:
        for line in text.splitlines():
            if line.strip():
                try:
                    yield orjson.loads(line)
                except orjson.JSONDecodeError:
                    raise UsageError(f"A list in JSON has a line that is none: {line[:60]!r}.") from None
