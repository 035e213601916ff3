"""Encodes the HTTP response of a model call, streamed or not, as references to the texts of its `llm` event.

A stream sends a text word by word, with the same JSON around each word. The texts are in the `llm` event already, so
only the kinds of lines, their order, and the number of characters of a text in each line are stored: a tenth of the
stream's bytes. Decoding gives the exact stream.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

import orjson

from .events import Event, Json
from .model_messages import FORMS

_VALUE: Final = re.compile(r':\s?("(?:[^"\\]|\\.)*")')
_COUNTED: Final = re.compile(r'"sequence_number":\s?(\d+)')
_NEXT: Final = "\ue000"
"""Stands for the next number in a stream that counts its events from 0."""
_NAMED: Final = re.compile(r'"(?:id|responseId)":\s?"([\w-]{4,})"')
_NAME: Final = "\ue001"
"""Stands for the answer's own id, which some streams repeat in each line: otherwise no line would equal one of another
stream.
"""
_FORMS: Final = ("compact", "ascii")
_WORTH: Final = 0.7
"""Largest ratio of encoded to original size; otherwise the answer is stored unchanged."""
_SIGNS: Final = 78
"""Largest length that one printable character can represent."""
_Cut = tuple[int, int, int, int, str]
"""Begin and end of a value in a line, the index of its text, the number of characters, and the form of its JSON."""


def list_answer_texts(llm: Event, json_style: str = "compact") -> list[str]:
    """Return the texts of a model's answer in an `llm` event: the text, the reasoning, and the arguments of each tool
    call as JSON. `json_style`: the style of that JSON, a key of `FORMS`.
    """
    response = llm.get("response")
    content = response.get("content") if isinstance(response, dict) else response
    calls = response.get("tool_calls") if isinstance(response, dict) else None
    texts: list[Json] = [content, llm.get("reasoning")]
    for call in calls if isinstance(calls, list) else ():
        given = call.get("arguments") if isinstance(call, dict) else None
        texts.append(given if isinstance(given, str) or given is None else FORMS[json_style](given))
    return [text if isinstance(text, str) else "" for text in texts]


def encode_stream(stream: str, llm: Event) -> Json:
    """Return a model's HTTP response in encoded form: its kinds of lines, their order, and how many characters of the
    `llm` event's texts each line contains. Return None if this is not over 30 % smaller than the response.
    """
    if _NEXT in stream or _NAME in stream:
        return None
    best: dict[str, Json] = {}
    named = _NAMED.search(stream)
    name = named[1] if named and stream.count(named[1]) > 1 else ""
    plain = stream.replace(name, _NAME) if name else stream
    # Arguments are JSON inside of JSON: the characters after a name usually show their form.
    for form in sorted(FORMS, key=lambda form: form.startswith("spaced") is not ('\\": ' in plain)):
        texts = list_answer_texts(llm, form)
        told, missing = _split_into_lines_and_cuts(plain, texts)
        if not best or len(orjson.dumps(told)) < len(orjson.dumps(best)):
            best = told if form == "compact" else {**told, "arguments": form}
        if not missing:
            break
    if name:
        best["id"] = name
    return best if len(orjson.dumps(best)) < len(stream) * _WORTH else None


def _split_into_lines_and_cuts(stream: str, texts: list[str]) -> tuple[dict[str, Json], bool]:
    """Return a stream in encoded form (kinds of lines, their order, lengths of text pieces), and whether the arguments
    of a tool call were not found in it completely, which means that their JSON has another style.
    """
    cursors = [0] * len(texts)
    kinds: dict[tuple[Any, ...], int] = {}
    order: list[int] = []
    cuts: list[int] = []
    count = 0
    between = "\n\n" if "\n\n" in stream else "\n"
    for line in stream.split(between):
        number = _COUNTED.search(line)
        if number is not None and number[1] == str(count):
            line = f"{line[: number.start(1)]}{_NEXT}{line[number.end(1) :]}"
            count = int(number[1]) + 1
        kind: list[Any] = []
        at = 0
        for start, end, place, length, form in _find_text_cuts(line, texts, cursors):
            kind += [line[at:start], place, form]
            at = end
            cursors[place] += length
            cuts.append(length if cursors[place] < len(texts[place]) else 0)
        kind.append(line[at:])
        order.append(kinds.setdefault(tuple(kind), len(kinds)))
    fields: dict[str, Json] = {
        "between": between,
        "lines": cast(Json, [list(kind) for kind in kinds]),
        "order": cast(Json, order),
        "cuts": _encode_lengths(cuts),
    }
    return fields, any(0 < cursor < len(text) for cursor, text in zip(cursors[2:], texts[2:], strict=True))


def _encode_lengths(cuts: list[int]) -> Json:
    """Return the lengths of text pieces as one string with one character for each: the character with the code of ``0``
    plus the length. A length of 0 means the whole rest of a text. If a length is larger than :data:`_SIGNS`, return
    the list unchanged.
    """
    return "".join(chr(48 + cut) for cut in cuts) if max(cuts, default=0) <= _SIGNS else cast(Json, cuts)


def _find_text_cuts(line: str, texts: list[str], cursors: list[int]) -> list[_Cut]:
    """Return the JSON strings in a line that continue one of the texts at its cursor, at most one for each text (the
    longest), in the order of the line.
    """
    found: dict[int, _Cut] = {}
    # Most values of a line begin with another character than the next one of a text: these are not parsed.
    first = {"\\", *(text[cursor] for text, cursor in zip(texts, cursors, strict=True) if cursor < len(text))}
    for match in sorted(_VALUE.finditer(line), key=lambda match: match.start(1) - match.end(1)):
        written = match[1]
        if written[1] not in first:
            continue
        try:
            record = orjson.loads(written)
        except orjson.JSONDecodeError:
            continue
        for place, text in enumerate(texts):
            if record and place not in found and text.startswith(record, cursors[place]):
                form = next((form for form in _FORMS if FORMS[form](record) == written), None)
                if form is not None:
                    found[place] = match.start(1), match.end(1), place, len(record), form
                    break
    return sorted(found.values())


def decode_stream(encoded: Json, llm: Event) -> str | None:
    """Return the exact answer from its encoded form; None if that does not fit its `llm` event."""
    try:
        told = cast("dict[str, Any]", encoded)
        return _decode_stream(told, list_answer_texts(llm, told.get("arguments", "compact")))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return None


def _decode_stream(encoded: dict[str, Any], texts: list[str]) -> str:
    cursors = [0] * len(texts)
    given = encoded["cuts"]
    cuts = iter([ord(sign) - 48 for sign in given] if isinstance(given, str) else given)
    lines: list[str] = []
    count = 0
    name = encoded.get("id", "")
    known = [_insert_answer_id(kind, name) if name else kind for kind in encoded["lines"]]
    for number in encoded["order"]:
        kind = known[number]
        if any(_NEXT in part for part in kind[::3]):
            kind = [part.replace(_NEXT, str(count)) if place % 3 == 0 else part for place, part in enumerate(kind)]
            count += 1
        line = kind[0]
        for place, form, after in zip(kind[1::3], kind[2::3], kind[3::3], strict=True):
            length = next(cuts, 0) or len(texts[place]) - cursors[place]
            said = texts[place][cursors[place] : cursors[place] + length]
            cursors[place] += length
            line += f"{FORMS[form](said)}{after}"
        lines.append(line)
    return str(encoded.get("between", "\n")).join(lines)


def _insert_answer_id(kind: list[Any], name: str) -> list[Any]:
    """Return the pattern of a kind of line with the answer's id inserted for its placeholder."""
    return [part.replace(_NAME, name) if place % 3 == 0 else part for place, part in enumerate(kind)]
