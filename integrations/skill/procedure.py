"""Finds the calls that several successful runs of one task share, in order, and the texts that differ in them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pagereel.errors import UsageError
from pagereel.integrations.as_test.call_lines import write_call_line
from pagereel.integrations.as_test.literals import to_safe_locator
from pagereel.integrations.as_test.source import TestSource
from pagereel.reading import RecordedRun
from pagereel.reel import EventIds
from pagereel.sources import open_any

Record = dict[str, Any]
Slot = tuple[str, int | str]
"""The place of a text in a call: a literal of its locator by number, or a parameter by name."""
MOST: Final = 2_000
"""Largest number of calls read from one run."""
_TYPED: Final = ("value", "text")
_ID: Final = 12
"""Number of digits of an event's id that are written."""


@dataclass
class RepeatableCall:
    """A Playwright call of one run that a script can repeat."""

    record: Record
    skeleton: str
    """The call without its texts."""
    slots: dict[Slot, str]
    event: str = ""


@dataclass
class SkillRun:
    """One of the recordings, with its repeatable calls and its outcome."""

    path: Path
    reading: RecordedRun
    calls: list[RepeatableCall]
    outcome: str


@dataclass
class SharedCall:
    """A call that all runs of a task make: the matching call of each run."""

    calls: tuple[RepeatableCall, ...]

    @property
    def first_call(self) -> RepeatableCall:
        """Return the first run's call among those that match."""
        return self.calls[0]

    def list_texts_at(self, slot: Slot) -> tuple[str, ...]:
        """Return the text in a slot of the call, for each run."""
        return tuple(call.slots[slot] for call in self.calls)


@dataclass
class Procedure:
    """The runs of one task, and the calls that all of them share."""

    runs: list[SkillRun]
    shared: list[SharedCall] = field(default_factory=list)

    def list_unshared_calls(self, number: int) -> list[RepeatableCall]:
        """Return the calls of the run with this number that are missing in at least one other run."""
        kept = {id(shared.calls[number]) for shared in self.shared}
        return [call for call in self.runs[number].calls if id(call) not in kept]


def find_procedure(paths: Sequence[Path]) -> Procedure:
    """Return the calls that recordings of one task have in common, as a procedure.

    :raises UsageError: fewer than two recordings, one that failed, or no call that all of them make. ReelError: a
    file is no recording.
    """
    if len(paths) < 2:
        raise UsageError("A skill needs at least two recordings: what differs between them becomes its inputs.")
    runs = [_read_run(path) for path in paths]
    for run in runs:
        if run.outcome == "failed":
            raise UsageError(f"{run.path} failed; a skill is made of runs that passed.")
    found = Procedure(runs)
    aligned = [{x: x for x in range(len(runs[0].calls))}, *(_align_calls(runs[0].calls, run.calls) for run in runs[1:])]
    for x in range(len(runs[0].calls)):
        if all(x in pairs for pairs in aligned):
            found.shared.append(
                SharedCall(tuple(run.calls[pairs[x]] for run, pairs in zip(runs, aligned, strict=True)))
            )
    if not found.shared:
        raise UsageError("These recordings have no call in common; give recordings of the same task, made by a script.")
    return found


def _read_run(path: Path) -> SkillRun:
    reading = RecordedRun(path)
    with open_any(path) as reel:
        ids = EventIds(reel.header)
        names = {
            event["id"]: name
            for event in reel.timeline()
            if (name := ids.compute_next_id(event)) and event["k"] == "call"
        }
    calls: list[RepeatableCall] = []
    aside = TestSource("", False)
    for record in reading.calls():
        if record["kind"] != "playwright" or record.get("error") or len(calls) >= MOST:
            continue
        line = write_call_line(record, "page", aside)
        if line is None or line.startswith("#"):
            continue
        calls.append(_to_repeatable_call(record, names.get(record["id"], "")[:_ID]))
    return SkillRun(path, reading, calls, reading.outcome.outcome)


def _to_repeatable_call(record: Record, event: str) -> RepeatableCall:
    params = record.get("params")
    given: Mapping[str, Any] = params if isinstance(params, Mapping) else {}
    slots: dict[Slot, str] = {}
    shape = [str(record["method"])]
    code = to_safe_locator(record["locator"]) if record.get("locator") is not None else None
    if code is not None:
        tree = ast.parse(code, mode="eval")
        for number, node in enumerate(list_string_nodes(tree)):
            slots["locator", number] = str(node.value)
            node.value = ""
        shape.append(ast.unparse(tree))
    for name, value in given.items():
        if name == "url" and isinstance(value, str):
            parts = urlsplit(value)
            slots["param", name] = value[len(f"{parts.scheme}://{parts.netloc}") :] if parts.netloc else value
        elif name in _TYPED and isinstance(value, str):
            slots["param", name] = value
        elif name == "options" and isinstance(value, list):
            for number, option in enumerate(value):
                for key, text in option.items() if isinstance(option, Mapping) else ():
                    if isinstance(text, str):
                        slots[f"option {key}", number] = text
        elif isinstance(value, str | bool):
            shape.append(f"{name}={value}")
    return RepeatableCall(record, " ".join(shape), slots, event)


def list_string_nodes(tree: ast.AST) -> list[ast.Constant]:
    """Return the string literals in a locator's syntax tree, in order, except the roles of `get_by_role`."""
    roles = {
        id(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and _get_method_name(node) == "get_by_role"
    }
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in roles
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _get_method_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _align_calls(calls: Sequence[RepeatableCall], other_calls: Sequence[RepeatableCall]) -> dict[int, int]:
    """Return for each call of one run the number of the matching call in another run.

    Calls match in order, as many as possible, and preferably with equal texts.
    """
    n, m = len(calls), len(other_calls)
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for x in range(n - 1, -1, -1):
        row, below = best[x], best[x + 1]
        for y in range(m - 1, -1, -1):
            fit = _score_call_match(calls[x], other_calls[y])
            row[y] = max(below[y], row[y + 1], below[y + 1] + fit if fit else 0.0)
    pairs, x, y = {}, 0, 0
    while x < n and y < m:
        fit = _score_call_match(calls[x], other_calls[y])
        if fit and best[x][y] == best[x + 1][y + 1] + fit:
            pairs[x] = y
            x, y = x + 1, y + 1
        elif best[x][y] == best[x + 1][y]:
            x += 1
        else:
            y += 1
    return pairs


def _score_call_match(one: RepeatableCall, other: RepeatableCall) -> float:
    if one.skeleton != other.skeleton or one.slots.keys() != other.slots.keys():
        return 0.0
    same = sum(one.slots[slot] == other.slots[slot] for slot in one.slots)
    return 1.0 + (same + 1) / (len(one.slots) + 1)
