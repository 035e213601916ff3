"""Splits streamed answers into events: server-sent events, JSON lines, or the objects of a JSON array."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Final, Protocol

Piece = tuple[str, str]
"""An event's name (may be empty) and its data."""
_LARGEST: Final = 64_000_000
"""Longest incomplete event, in characters."""
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_MARKS: Final = re.compile(r'["\\{}\[\]]')


class StreamDecoder(Protocol):
    """The interface of a decoder that gets a stream's bytes in pieces and yields the events in them."""

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Yield the events that the next bytes complete."""

    def flush(self) -> Iterator[Piece]:
        """Yield the last event of a stream that did not end with a line break."""


class _LineSplitter:
    """Splits bytes into lines of UTF-8 text, ended by LF, CR LF or CR, as the specification of server-sent events
    defines.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> list[str]:
        text = self._rest + self._decoder.decode(data)
        # A CR at the end may be the first half of a CR LF.
        held = text[-1:] if text.endswith("\r") else ""
        *lines, self._rest = _LINE_END.split(text[: len(text) - len(held)])
        self._rest += held
        if len(self._rest) > _LARGEST:
            self._rest = ""
        return lines

    def flush(self) -> list[str]:
        text = self._rest + self._decoder.decode(b"", final=True)
        self._rest = ""
        return [line for line in _LINE_END.split(text) if line]


class EventStreamDecoder:
    """A decoder for server-sent events (WHATWG HTML, 9.2). An incomplete last event is yielded too, because providers
    omit the last empty line.
    """

    def __init__(self) -> None:
        self._lines = _LineSplitter()
        self._name = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Yield the events that the next bytes complete."""
        for line in self._lines.feed(data):
            yield from self._handle_line(line)

    def flush(self) -> Iterator[Piece]:
        """Yield the incomplete last event."""
        for line in [*self._lines.flush(), ""]:
            yield from self._handle_line(line)

    def _handle_line(self, line: str) -> Iterator[Piece]:
        if not line:
            if self._data:
                yield self._name, "\n".join(self._data)
            self._name, self._data = "", []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value


class JsonLinesDecoder:
    """A decoder for streams with one JSON value in each line."""

    def __init__(self) -> None:
        self._lines = _LineSplitter()

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Yield the lines that the next bytes complete."""
        yield from (("", line) for line in self._lines.feed(data) if line.strip())

    def flush(self) -> Iterator[Piece]:
        """Yield the last line."""
        yield from (("", line) for line in self._lines.flush() if line.strip())


class JsonArrayDecoder:
    """A decoder for a stream that is one JSON array, as Gemini sends by default.

    It yields each object once it is complete.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        self._at = 0
        self._depth = 0
        self._start = 0
        self._quoted = False

    def feed(self, data: bytes) -> Iterator[Piece]:
        """Yield the objects that the next bytes complete."""
        self._text += self._decoder.decode(data)
        while (mark := _MARKS.search(self._text, self._at)) is not None:
            sign = mark[0]
            if self._quoted and sign == "\\":
                if mark.end() >= len(self._text):
                    break  # The escaped character has not arrived.
                self._at = mark.end() + 1
                continue
            self._at = mark.end()
            if sign == '"':
                self._quoted = not self._quoted
            elif self._quoted or sign == "\\":
                continue
            elif sign == "{":
                if self._depth == 0:
                    self._start = mark.start()
                self._depth += 1
            elif sign == "}" and self._depth:
                self._depth -= 1
                if self._depth == 0:
                    yield "", self._text[self._start : self._at]
                    self._text, self._at, self._start = self._text[self._at :], 0, 0
        else:
            self._at = len(self._text)
        if len(self._text) > _LARGEST:
            self._text, self._at, self._depth, self._quoted = "", 0, 0, False

    def flush(self) -> Iterator[Piece]:
        """Yield nothing, because an incomplete object is invalid."""
        yield from ()


def create_stream_decoder(mime: str) -> StreamDecoder | None:
    """Return the decoder for streamed answers of this MIME type; None for a type that is not streamed."""
    kind = mime.partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        return EventStreamDecoder()
    if kind in ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-lines"):
        return JsonLinesDecoder()
    return None
