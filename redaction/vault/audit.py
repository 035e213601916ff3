"""Log each attempt to open a vault as one line of JSON. Lines are only ever appended.

Each line holds the hash of the line before it, so a changed or removed line shows. A line removed at the end does not
show: put the log where the people who unmask cannot write, and give its path with ``--log``.
"""

from __future__ import annotations

import errno
import getpass
import hashlib
import os
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import orjson

from pagereel.errors import UsageError


class AuditLog:
    """Writes the log entry of one attempt to open a vault."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        vault: str | os.PathLike[str],
        source: str | os.PathLike[str],
        destination: str | os.PathLike[str],
        why: str,
    ) -> None:
        """Prepare the entry.

        :raises UsageError: there is no reason.
        """
        if not why.strip():
            raise UsageError('Give a reason with --why "…"; it is written into the audit log.')
        self._path = Path(path)
        self._facts = {
            "vault": Path(vault).name,
            "source": Path(source).name,
            "source_sha256": _hash_file(Path(source)),
            "destination": str(Path(destination).absolute()),
            "why": " ".join(why.split()),
        }

    def write_outcome(self, outcome: str, identity: str, recording: str = "") -> None:
        """Append the entry to the log.

        :raises UsageError: the log cannot be written; then nothing may be unmasked.
        """
        line = {
            "when": format_current_time(),
            "who": describe_user(),
            "outcome": outcome,
            "vault_id": identity,
            "recording": recording,
            **self._facts,
        }
        try:
            append_chained_line(self._path, line)
        except OSError as error:
            raise UsageError(
                f"The audit log {self._path} cannot be written ({error.strerror or error}), so nothing is unmasked."
            ) from None


def append_chained_line(path: str | os.PathLike[str], line: Mapping[str, object]) -> None:
    """Append one line of JSON to a file, with the hash of the line before it as ``prev``. Raises OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        _lock_for_append(fd)
        size = os.fstat(fd).st_size
        torn = size > 0 and os.pread(fd, 1, size - 1) != b"\n"
        if torn:  # the machine crashed within a line: the torn line stays and shows
            os.write(fd, b"\n")
        told = orjson.dumps({**line, "prev": _hash_last_line(fd)}) + b"\n"
        if os.write(fd, told) < len(told):
            os.ftruncate(fd, size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(fd)
    finally:
        os.close(fd)


def format_current_time() -> str:
    """Return the current time for a log: ISO 8601 in UTC, in whole seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def is_chain_intact(path: str | os.PathLike[str]) -> bool:
    """Return whether each line of a log holds the hash of the line before it."""
    previous = None
    with Path(path).open("rb") as file:
        for line in file:
            try:
                record = orjson.loads(line)
            except orjson.JSONDecodeError:
                return False
            if not isinstance(record, dict) or record.get("prev") != previous:
                return False
            previous = hashlib.sha256(line).hexdigest()
    return True


def _hash_last_line(fd: int) -> str | None:
    """Return the hash of the log's last line."""
    size = os.fstat(fd).st_size
    data = os.pread(fd, 1 << 16, max(0, size - (1 << 16)))
    lines = data.splitlines(keepends=True)
    return hashlib.sha256(lines[-1]).hexdigest() if lines else None


def _lock_for_append(fd: int) -> None:
    """Wait until no other process appends to the file. A system without such locks relies on writing the whole line
    at once.
    """
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(fd, fcntl.LOCK_EX)


def describe_user() -> str:
    """Return who runs this process, as user name and machine name."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"
    return f"{name}@{socket.gethostname()}"


def _hash_file(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
