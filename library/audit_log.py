"""The log of a library: a line of JSON for each action, with the hash of the line before it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from pagereel.errors import UsageError
from pagereel.redaction import append_chained_line, describe_user, format_current_time, is_chain_intact

from .catalogue import CatalogueEntry, RetentionHold

LOG: Final = "library.log"
ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{5,63}")


@dataclass(slots=True)
class LogState:
    """The state of a library as its log says: the runs, the deleted runs, holds, flags and lists of expected runs."""

    entries: dict[str, CatalogueEntry] = field(default_factory=dict)
    deleted: dict[str, str] = field(default_factory=dict)
    """Id → the SHA-256 of the deleted recording."""
    holds: dict[str, RetentionHold] = field(default_factory=dict)
    flags: dict[str, set[str]] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)
    """List of expected runs → its file in the library's folder."""


class LibraryLog:
    """The log in the folder of a library."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG
        self._told = LogState()
        self._read = self._inode = 0

    def append_line(self, line: Mapping[str, Any], user: str | None) -> Mapping[str, Any]:
        """Append a line with the time and the user. Return the line. Raises UsageError where it cannot be written."""
        told = {"when": format_current_time(), "who": user or describe_user(), **line}
        try:
            append_chained_line(self.path, told)
            return told
        except OSError as error:
            raise UsageError(
                f"The log {self.path} cannot be written ({error.strerror or error}), so nothing was done."
            ) from None

    def read_lines(self) -> tuple[list[Mapping[str, Any]], bool]:
        """Return the readable lines, and whether each contains the hash of the line before it."""
        if not self.path.exists():
            return [], True
        with self.path.open("rb") as file:
            return list(_parse_log_lines(file)), is_chain_intact(self.path)

    def read_state(self) -> LogState:
        """Return the library's content according to the log. Only lines added since the last call are read."""
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_ino != self._inode or status.st_size < self._read:
                    self._reset_log_state()
                self._inode = status.st_ino
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            self._reset_log_state()
            return self._told
        whole = data.rfind(b"\n") + 1
        self._read += whole
        for line in _parse_log_lines(data[:whole].splitlines()):
            did, id = line.get("did"), str(line.get("run", ""))
            if did == "expect":
                self._told.expected[str(line["list"])] = str(line["file"])
            elif did in _DOES and ID.fullmatch(id):
                _DOES[did](self._told, id, line)
        return self._told

    def _reset_log_state(self) -> None:
        self._told = LogState()
        self._read = self._inode = 0


def _parse_log_lines(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        with suppress(orjson.JSONDecodeError):
            record = orjson.loads(line)
            if isinstance(record, dict):
                yield record


def _apply_addition(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    place = str(line["place"])
    state.entries[id] = CatalogueEntry(
        id, str(line["sha256"]), place, str(line.get("indexed", place)), added=parse_line_time(line)
    )
    state.deleted.pop(id, None)


def _apply_thinning(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := state.entries.get(id)) is not None:
        state.entries[id] = CatalogueEntry(
            id, was.sha256, str(line["place"]), str(line["indexed"]), str(line["tier"]), added=was.added
        )


def _apply_masking(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := state.entries.get(id)) is not None:
        state.entries[id] = replace(was, indexed=str(line["indexed"]))


def _apply_deletion(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := state.entries.pop(id, None)) is not None:
        state.deleted[id] = was.sha256
    state.holds.pop(id, None)
    state.flags.pop(id, None)


def _apply_hold(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    until = line.get("until")
    state.holds[id] = RetentionHold(id, str(line.get("why", "")), until if isinstance(until, int | float) else None)


def _apply_release(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    state.holds.pop(id, None)


def _apply_flag(state: LogState, id: str, line: Mapping[str, Any]) -> None:
    flags = state.flags.setdefault(id, set())
    (flags.add if line.get("on") is not False else flags.discard)(str(line["flag"]))


_DOES: Final = {
    "add": _apply_addition,
    "mask": _apply_masking,
    "thin": _apply_thinning,
    "delete": _apply_deletion,
    "keep": _apply_hold,
    "release": _apply_release,
    "flag": _apply_flag,
}


def parse_line_time(line: Mapping[str, Any]) -> float:
    """Return when a line was written, in ms since 1970."""
    try:
        at = datetime.fromisoformat(str(line.get("when")))
    except ValueError:
        return 0.0
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000
