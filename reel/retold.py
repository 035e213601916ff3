"""A streamed answer, kept as where its text was cut.

A stream says a text word by word, each in the same JSON around it. The text itself stands in the `llm` event, so that what is kept of the stream is
its kinds of lines, their order, and how many characters each takes of the text: a tenth of its bytes. It is the very stream again when it is put together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, cast

import orjson

from .events import Event, Json
from .said import FORMS

_VALUE: Final = re.compile(r':\s?("(?:[^"\\]|\\.)*")')
_COUNTED: Final = re.compile(r'"sequence_number":\s?(\d+)')
_NEXT: Final = "\ue000"
"""Stands for the next number of a stream that counts its events from 0."""
_FORMS: Final = ("compact", "ascii")
_WORTH: Final = 0.7
"""What is not this much smaller stays as it is."""


def texts_of(llm: Event) -> list[str]:
    """Return what of an `llm` event a stream has said: the answer's text, and the reasoning."""
    response = llm.get("response")
    content = response.get("content") if isinstance(response, dict) else response
    reasoning = llm.get("reasoning")
    return [text if isinstance(text, str) else "" for text in (content, reasoning)]


def retold(stream: str, texts: Sequence[str]) -> Json:
    """Return what is to be kept of a stream beside these texts; None where that is hardly less than the stream."""
    if _NEXT in stream:
        return None
    cursors = [0] * len(texts)
    kinds: dict[tuple[Any, ...], int] = {}
    order: list[int] = []
    cuts: list[int] = []
    count = 0
    for line in stream.split("\n"):
        number = _COUNTED.search(line)
        if number is not None and number[1] == str(count):
            line = f"{line[: number.start(1)]}{_NEXT}{line[number.end(1) :]}"
            count = int(number[1]) + 1
        kind: tuple[Any, ...] = (line,)
        found = _cut(line, texts, cursors)
        if found is not None:
            start, end, place, length, form = found
            kind = (line[:start], place, form, line[end:])
            cursors[place] += length
            cuts.append(length)
        order.append(kinds.setdefault(kind, len(kinds)))
    told: Json = {
        "lines": cast(Json, [list(kind) for kind in kinds]),
        "order": cast(Json, order),
        "cuts": cast(Json, cuts),
    }
    return told if len(orjson.dumps(told)) < len(stream) * _WORTH else None


def _cut(line: str, texts: Sequence[str], cursors: Sequence[int]) -> tuple[int, int, int, int, str] | None:
    """Return where a line says what comes next in a text: begin and end, which text, how many characters, and how they are written."""
    for match in reversed(list(_VALUE.finditer(line))):
        written = match[1]
        try:
            said = orjson.loads(written)
        except orjson.JSONDecodeError:
            continue
        for place, text in enumerate(texts):
            if said and text.startswith(said, cursors[place]):
                for form in _FORMS:
                    if FORMS[form](said) == written:
                        return match.start(1), match.end(1), place, len(said), form
    return None


def told_again(kept: Json, texts: Sequence[str]) -> str | None:
    """Return the stream; None where it does not fit these texts."""
    try:
        return _again(cast("dict[str, Any]", kept), texts)
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _again(kept: dict[str, Any], texts: Sequence[str]) -> str:
    cursors = [0] * len(texts)
    cuts = iter(kept["cuts"])
    lines: list[str] = []
    count = 0
    for number in kept["order"]:
        kind = kept["lines"][number]
        if _NEXT in kind[0] or _NEXT in kind[-1]:
            kind = [part.replace(_NEXT, str(count)) if isinstance(part, str) else part for part in kind]
            count += 1
        if len(kind) == 1:
            lines.append(kind[0])
            continue
        before, place, form, after = kind
        length = next(cuts, 0)
        said = texts[place][cursors[place] : cursors[place] + length]
        cursors[place] += length
        lines.append(f"{before}{FORMS[form](said)}{after}")
    return "\n".join(lines)
