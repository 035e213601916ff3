"""Supports `-` as an argument: it stands for stdin or stdout, by way of temporary files."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagereel.errors import UsageError

DASH = "-"
_KINDS = ((b"\x28\xb5\x2f\xfd", ".reel"), (b"PK", ".zip"), (b"<", ".html"), (b"{", ".json"), (b"[", ".json"))


class _StreamFiles:
    """The temporary files that hold the content of stdin and stdout for one command."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: Path | None = None
        self._written: Path | None = None

    def read_standard_input(self) -> Path:
        """Copy stdin into a file, whose ending fits its content, and return the path.

        Raises UsageError if stdin is a terminal, and on a second call.
        """
        if self._read is not None:
            raise UsageError("- is the standard input, which can be read only once; give - once.")
        source = sys.stdin
        if source is None or source.isatty():
            raise UsageError("- is the standard input, but nothing is piped in; use `… | pagereel …` or < FILE.")
        path = self._folder / "stdin"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            shutil.copyfileobj(source.buffer, out)
        with path.open("rb") as file:
            start = file.read(4096).lstrip(b"\xef\xbb\xbf\t\r\n ")
        ending = next((ending for begins, ending in _KINDS if start.startswith(begins)), "")
        if not ending:
            ending = ".txt" if _is_utf8_text(start) else ".reel"
        self._read = path.rename(path.with_suffix(ending))
        return self._read

    def get_output_file(self, ending: str) -> Path:
        """Return the path of a file whose content is written to stdout at the end of the command.

        From now on, everything that the command prints goes to stderr.
        """
        if self._written is None:
            if sys.stdout.isatty():
                raise UsageError("- is the standard output, which is a terminal here; add > FILE.")
            self._written = self._folder / f"stdout{ending}"
            self._out = sys.stdout
            sys.stdout = sys.stderr
        return self._written

    def write_to_stdout(self) -> None:
        """Write the content of the command's output file to stdout."""
        if self._written is not None:
            sys.stdout = self._out
            if self._written.exists():
                with self._written.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.flush()


_now: list[_StreamFiles] = []


@contextmanager
def replacing_dashes() -> Iterator[None]:
    """Let commands use `-` for stdin and stdout until the block ends. Then write their output file to stdout."""
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        _now.append(_StreamFiles(Path(folder)))
        try:
            yield
            _now[-1].write_to_stdout()
        finally:
            _now.pop()


def replace_input_dash(value: Any) -> Any:
    """Replace `-`, also in a list, by the path of a file with the content of stdin.

    Return any other value unchanged.
    """
    if isinstance(value, list | tuple):
        return [replace_input_dash(each) for each in value]
    if str(value) != DASH or not _now:
        return value
    path = _now[-1].read_standard_input()
    return path if isinstance(value, Path) else str(path)


def replace_output_dash(value: Any) -> Any:
    """Replace `-` by the path of a file whose content is written to stdout at the end.

    Return any other value unchanged.
    """
    return replace_output_dash_with_ending(value, "")


def replace_output_dash_with_ending(value: Any, ending: str) -> Any:
    """Do the same as :func:`replace_output_dash`, with a file whose name ends with `ending`."""
    if str(value) != DASH or not _now:
        return value
    path = _now[-1].get_output_file(ending)
    return path if isinstance(value, Path) else str(path)


def _is_utf8_text(beginning: bytes) -> bool:
    try:
        beginning[:-4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in beginning
