"""Converts the lines of Playwright's trace format, from version 6 (1.40) on, to the newest known version, by small migrations.

Each migration changes the lines of one version to those of the next, as Playwright's own ``traceModernizer.ts`` does.
Fields that no version changed are not listed here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

OLDEST: Final = 6
NEWEST: Final = 10

Line = dict[str, Any]
"""One line of a trace as parsed JSON. Its fields are not validated."""

_PHASES: Final = {"before": "before", "input": "action", "action": "action", "after": "after"}


@dataclass
class MigrationMemory:
    """The facts from earlier lines of a trace that the migrations of later lines need."""

    version: int | None = None
    steps: dict[str, str] = field(default_factory=dict)
    """Call id → the step id that replaces it in version 10."""
    taken: set[str] = field(default_factory=set)
    """Step ids in use: version 6 may have given the same one to two calls in the same millisecond."""
    phases: dict[str, str] = field(default_factory=dict)
    """Name of a snapshot → the phase of its call."""


def migrate_line(line: Line, memory: MigrationMemory) -> Line:
    """Convert a line to the newest known version, in place. The first line with a version decides for the file."""
    if memory.version is None and line.get("type") == "context-options":
        version = line.get("version")
        memory.version = version if type(version) is int else OLDEST
    for number in range(max(memory.version or OLDEST, OLDEST), NEWEST):
        MIGRATIONS[number](line, memory)
    return line


def _migrate_from_version_6(line: Line, memory: MigrationMemory) -> None:
    """Identify calls by API name and time, because before version 7 the test runner and the library had no common ids."""
    kind = line.get("type")
    if kind == "context-options":
        line.setdefault("origin", "library")
    elif kind in ("before", "action"):
        line["stepId"] = f"{line.get('apiName')}@{line.get('wallTime')}"


def _migrate_from_version_7(line: Line, memory: MigrationMemory) -> None:
    """Add a title to calls (the API's name) and a step's id (the call's id)."""
    if line.get("type") in ("before", "action"):
        if line.get("apiName"):
            line["title"] = line.pop("apiName")
        line["stepId"] = line.get("stepId") or line.get("callId")


def _migrate_from_version_8(line: Line, memory: MigrationMemory) -> None:
    """Convert the names of blobs, which were bare SHA-1 hashes, and the names of snapshots."""
    kind = line.get("type")
    if kind in ("before", "input", "after", "action"):
        for name, phase in (("beforeSnapshot", "before"), ("inputSnapshot", "action"), ("afterSnapshot", "after")):
            if isinstance(named := line.get(name), str):
                memory.phases[named] = phase
        for attachment in _to_dict_list(line.get("attachments")):
            _rename_resource_field(attachment, "sha1", "file")
    elif kind == "screencast-frame":
        _rename_resource_field(line, "sha1", "file")
    elif kind == "frame-snapshot" and isinstance(snapshot := line.get("snapshot"), dict):
        named = snapshot.get("snapshotName")
        if isinstance(named, str):
            snapshot["phase"] = memory.phases.get(named) or _PHASES.get(named.partition("@")[0])
        for override in _to_dict_list(snapshot.get("resourceOverrides")):
            _rename_resource_field(override, "sha1", "file")
    elif kind == "resource-snapshot" and isinstance(entry := line.get("snapshot"), dict):
        for one, other in (("request", "postData"), ("response", "content")):
            part = entry.get(one)
            if isinstance(part, dict) and isinstance(inner := part.get(other), dict):
                _rename_resource_field(inner, "_sha1", "_file")
        if entry.pop("_apiRequest", None):
            entry["_apiRequestRef"] = "api-request-context"


def _migrate_from_version_9(line: Line, memory: MigrationMemory) -> None:
    """Replace step ids by call ids."""
    kind = line.get("type")
    call = line.get("callId")
    if kind in ("before", "action"):
        step = line.pop("stepId", None)
        if isinstance(step, str) and isinstance(call, str) and step != call and step not in memory.taken:
            memory.steps[call] = step
            memory.taken.add(step)
        line["parentId"] = memory.steps.get(str(line.get("parentId"))) or line.get("parentId")
    if isinstance(call, str):
        line["callId"] = memory.steps.get(call, call)
    snapshot = line.get("snapshot")
    if kind == "frame-snapshot" and isinstance(snapshot, dict) and isinstance(call := snapshot.get("callId"), str):
        snapshot["callId"] = memory.steps.get(call, call)


MIGRATIONS: Final = MappingProxyType[int, Callable[[Line, MigrationMemory], None]](
    {6: _migrate_from_version_6, 7: _migrate_from_version_7, 8: _migrate_from_version_8, 9: _migrate_from_version_9}
)
"""Version → the function that converts its lines to the next version."""


def _to_dict_list(value: object) -> list[Line]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _rename_resource_field(line: Line, old: str, new: str) -> None:
    if isinstance(sha1 := line.pop(old, None), str):
        line.setdefault(new, f"resources/{sha1}")
