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
from pagereel.redaction import append_line, intact, now, who

from .catalogue import Entry, Hold

LOG: Final = "library.log"
ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{5,63}")


@dataclass(slots=True)
class LogState:
    """The library's content according to the log."""

    entries: dict[str, Entry] = field(default_factory=dict)
    deleted: dict[str, str] = field(default_factory=dict)
    """Id → the SHA-256 of the deleted recording."""
    holds: dict[str, Hold] = field(default_factory=dict)
    flags: dict[str, set[str]] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)
    """List of expected runs → its file in the library's folder."""


class LibraryLog:
    """The log in the folder of a library."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG
        self._told = LogState()
        self._read = self._inode = 0

    def write(self, line: Mapping[str, Any], user: str | None) -> Mapping[str, Any]:
        """Append a line with the time and the user. Return the line. Raises UsageError where it cannot be written."""
        told = {"when": now(), "who": user or who(), **line}
        try:
            append_line(self.path, told)
            return told
        except OSError as error:
            raise UsageError(
                f"The log {self.path} cannot be written ({error.strerror or error}), so nothing was done."
            ) from None

    def read(self) -> tuple[list[Mapping[str, Any]], bool]:
        """Return the readable lines, and whether each contains the hash of the line before it."""
        if not self.path.exists():
            return [], True
        with self.path.open("rb") as file:
            return list(_lines(file)), intact(self.path)

    def state(self) -> LogState:
        """Return the library's content according to the log. Only lines added since the last call are read."""
        try:
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                if status.st_ino != self._inode or status.st_size < self._read:
                    self._forget()
                self._inode = status.st_ino
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            self._forget()
            return self._told
        whole = data.rfind(b"\n") + 1
        self._read += whole
        for line in _lines(data[:whole].splitlines()):
            did, id = line.get("did"), str(line.get("run", ""))
            if did == "expect":
                self._told.expected[str(line["list"])] = str(line["file"])
            elif did in _DOES and ID.fullmatch(id):
                _DOES[did](self._told, id, line)
        return self._told

    def _forget(self) -> None:
        self._told = LogState()
        self._read = self._inode = 0


def _lines(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        with suppress(orjson.JSONDecodeError):
            record = orjson.loads(line)
            if isinstance(record, dict):
                yield record


def _add(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    place = str(line["place"])
    told.entries[id] = Entry(id, str(line["sha256"]), place, str(line.get("indexed", place)), added=moment_of(line))
    told.deleted.pop(id, None)


def _thin(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := told.entries.get(id)) is not None:
        told.entries[id] = Entry(
            id, was.sha256, str(line["place"]), str(line["indexed"]), str(line["tier"]), added=was.added
        )


def _mask(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := told.entries.get(id)) is not None:
        told.entries[id] = replace(was, indexed=str(line["indexed"]))


def _delete(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    if (was := told.entries.pop(id, None)) is not None:
        told.deleted[id] = was.sha256
    told.holds.pop(id, None)
    told.flags.pop(id, None)


def _keep(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    until = line.get("until")
    told.holds[id] = Hold(id, str(line.get("why", "")), until if isinstance(until, int | float) else None)


def _release(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    told.holds.pop(id, None)


def _flag(told: LogState, id: str, line: Mapping[str, Any]) -> None:
    flags = told.flags.setdefault(id, set())
    (flags.add if line.get("on") is not False else flags.discard)(str(line["flag"]))


_DOES: Final = {
    "add": _add,
    "mask": _mask,
    "thin": _thin,
    "delete": _delete,
    "keep": _keep,
    "release": _release,
    "flag": _flag,
}


def moment_of(line: Mapping[str, Any]) -> float:
    """Return when a line was written, in ms since 1970."""
    try:
        at = datetime.fromisoformat(str(line.get("when")))
    except ValueError:
        return 0.0
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000
