"""Prints the output of commands: results on stdout, everything else on stderr."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO, cast

from pagereel import invisible_characters
from pagereel.hyperlinks import link_source_location

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0
"""Seconds of work after which a progress bar is shown."""


class ProgressCallback(Protocol):
    """A function that is called with the finished and the total amount of work, in any unit; `total` None: unknown."""

    def __call__(self, done: float, total: float | None = None, /) -> None: ...


def _escape_code_point(code: int) -> str:
    units = (code,) if code < 0x10000 else (0xD800 + ((code - 0x10000) >> 10), 0xDC00 + (code & 0x3FF))
    return "".join(f"\\u{unit:04x}" for unit in units)


UNSAFE = {
    code: _escape_code_point(code)
    for code in invisible_characters.list_code_points(
        invisible_characters.CONTROLS,
        invisible_characters.TURNS,
        invisible_characters.FORMATS,
        invisible_characters.ANNOTATIONS,
        invisible_characters.HALVES,
        invisible_characters.TAGS,
    )
}
"""Characters that a page must not write to a terminal: controls (they move the cursor, set the title, write to the
clipboard), marks that change the writing direction, Unicode tags, lone surrogates. They are escaped as in JSON, so
that JSON stays valid.
"""


def _add_stream_name(error: OSError) -> OSError:
    """Return an error of an output stream with the stream's name added: the system adds names only to errors of
    files.
    """
    return (
        error
        if isinstance(error, BrokenPipeError)
        else OSError(error.errno, error.strerror or str(error), "the output")
    )


class EscapingStream:
    """A text stream that replaces :data:`UNSAFE` characters by escapes, and writes everything to the stream that it
    wraps.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        try:
            return self.stream.write(text if text.isascii() and text.isprintable() else text.translate(UNSAFE))
        except OSError as error:
            raise _add_stream_name(error) from None

    def flush(self) -> None:
        try:
            self.stream.flush()
        except OSError as error:
            raise _add_stream_name(error) from None

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _ClosedOutput(io.TextIOBase):
    """The stream that replaces stdout if it was closed before pagereel started. Writing to it raises OSError."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


@contextmanager
def escaping_streams() -> Iterator[None]:
    """Replace stdout and stderr until the block ends.

    The new streams print control characters, which recorded pages may contain, as escapes.
    """
    before = sys.stdout, sys.stderr
    # Python has no object for a stream that was closed at its start (`>&-`).
    safe = EscapingStream(before[0] or cast(TextIO, _ClosedOutput())), EscapingStream(before[1] or io.StringIO())
    sys.stdout, sys.stderr = (cast(TextIO, stream) for stream in safe)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


_quiet = False
"""Whether `--quiet` is given."""


@contextmanager
def suppressing_output() -> Iterator[None]:
    """Suppress progress bars, messages and reports until the block ends. Warnings are still printed."""
    global _quiet
    before, _quiet = _quiet, True
    try:
        yield
    finally:
        _quiet = before


def print_message(text: str) -> None:
    """Print a message for people on stderr, unless `--quiet` is given."""
    if not _quiet:
        print_warning(text)


def print_warning(text: str) -> None:
    """Print a warning on stderr."""
    print(text, file=sys.stderr, flush=True)


def print_report_line(text: str) -> None:
    """Print a line of a report on stdout, unless `--quiet` is given."""
    if not _quiet:
        print(text)


def print_written_file(path: Path, remark: str = "") -> None:
    """Print the path and the size of a written file on stdout, unless `--quiet` is given: `run.html  89.1 kB`. `remark`:
    text to add after a comma.
    """
    print_report_line(format_written_file(path, remark))


def format_written_file(path: Path, remark: str = "") -> str:
    """Return the line that :func:`print_written_file` prints: `run.html 89.1 kB`, and `remark` after a comma."""
    return f"{path}  {format_size(path.stat().st_size)}{f', {remark}' if remark else ''}"


def is_at_terminal() -> bool:
    """Return whether a person can be asked: stdin and stderr are a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def format_json(value: object) -> str:
    """Return a JSON value as text, indented for readability."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def print_json(value: object) -> None:
    """Print one JSON value on stdout."""
    print(format_json(value))


def print_lines(lines: Iterable[str], *, link_places: bool = False) -> None:
    """Print lines on stdout, until the reader closes it (`| head`).

    `link_places`: in a terminal, make a hyperlink of a source location (``agents.py:37``) at the end of a line.
    """
    stream: TextIO = sys.stdout
    if link_places and stream.isatty():
        stream, lines = _unwrap_stream(stream), (link_source_location(line.translate(UNSAFE)) for line in lines)
    try:
        for line in lines:
            stream.write(line + "\n")
        stream.flush()
    except BrokenPipeError:
        # Python would report the error again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def show_progress(title: str) -> Iterator[ProgressCallback]:
    """Show a progress bar on stderr if stderr is a terminal and the block takes longer than a second.

    Yields a function that sets the progress; if it is never called, the bar only shows that work is going on.
    """
    if _quiet or not sys.stderr.isatty():
        yield lambda _done, _total=None: None
        return
    bar = _DelayedProgressBar(title)
    timer = threading.Timer(PATIENCE, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.advance
    finally:
        timer.cancel()
        bar.close()


def _unwrap_stream(stream: TextIO) -> TextIO:
    """Return the stream inside a :class:`EscapingStream`, to print control characters; any other stream unchanged."""
    return stream.stream if isinstance(stream, EscapingStream) else stream


class _DelayedProgressBar:
    """A progress bar that appears only some time after its work began, and stores the progress until then."""

    def __init__(self, title: str) -> None:
        self._title = title.translate(UNSAFE)  # the title contains a file's name, and the bar bypasses the safe streams
        self._lock = threading.Lock()
        self._state: tuple[float, float | None] = (0, None)
        self._shown: tuple[Progress, TaskID] | None = None
        self._closed = False

    def show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._closed:
                return
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
            bar = Progress(*columns, console=Console(file=_unwrap_stream(sys.stderr)), transient=True)
            done, total = self._state
            task = bar.add_task(self._title, total=total)
            bar.update(task, completed=done)
            bar.start()
            self._shown = bar, task

    def advance(self, done: float, total: float | None = None) -> None:
        with self._lock:
            self._state = done, total
            if self._shown:
                bar, task = self._shown
                bar.update(task, completed=done, total=total)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._shown:
                self._shown[0].stop()


def format_size(size: int) -> str:
    """Return a size for people: `834 bytes`, `12.3 kB`, `4.5 MB` (powers of 1000)."""
    if size < 1000:
        return f"{size} bytes"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95 or unit == "GB":
            return f"{value:.1f} {unit}"
    raise AssertionError("unreachable")
