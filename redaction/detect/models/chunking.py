"""Cut long texts into chunks: rules and filters made for a paragraph judge a whole page worse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...contracts.findings import Finding

CHUNK = 20_000
"""Characters that the rules for shapes read at a time: keys of many lines, tables and encoded texts need long texts."""
PIECE = 600
"""Most characters that the models read, and the judges judge, at a time."""
_RUN = re.compile(r"[\w+/=-]{256,}", re.ASCII)
_BETWEEN = re.compile(r"[-_/]")
_RARELY = 16
"""Least number of letters for each separator in a run that is no words: base64 has 20 or more, a slug five."""
_ENDINGS = ("\n\n", "\n", *"。！？", ". ", "? ", "! ", " ", "、")
"""Places where a text may be cut, best first."""


def cut_text(text: str, max_length: int, uncut_findings: Iterable[Finding] = ()) -> list[tuple[int, str]]:
    """Return (offset, piece) for the pieces of a text, each of at most `max_length` characters.

    A piece ends at an empty line if there is one, else at the end of a line, a sentence or a word. A longer word
    stays whole up to :data:`CHUNK`, and so do the spans in `uncut_findings`.
    """
    if len(text) <= max_length:
        return [(0, text)]
    held = sorted((f.start, f.end) for f in uncut_findings)
    pieces = []
    begin = 0
    while len(text) - begin > max_length:
        end = _find_piece_end(text, begin, max_length)
        for start, stop in held:
            if start < end < stop:
                end = stop
        pieces.append((begin, text[begin:end]))
        begin = end
    return [*pieces, (begin, text[begin:])] if begin < len(text) else pieces


def _find_piece_end(text: str, begin: int, max_length: int) -> int:
    window = text[begin : begin + max_length]
    for ending in _ENDINGS:
        if (end := window.rfind(ending) + len(ending)) > max_length // 2:
            return begin + end
    last = min(begin + max(max_length, CHUNK), len(text))
    return next((at + 1 for at in range(begin + max_length, last) if text[at].isspace()), last)


def select_findings_inside(found: Sequence[Finding], start: int, end: int) -> list[Finding]:
    """Return the findings that begin between `start` and `end`, with their offsets from `start`."""
    return [f._replace(start=f.start - start, end=min(f.end, end) - start) for f in found if start <= f.start < end]


def blank_unreadable_runs(text: str) -> str:
    """Return a text for models, of equal length: unreadable runs, such as a file in base64 or a list of hashes, are
    replaced by spaces.
    """
    return _RUN.sub(_blank_run, text)


def _blank_run(run: re.Match[str]) -> str:
    return " " * len(run[0]) if len(_BETWEEN.findall(run[0])) * _RARELY < len(run[0]) else run[0]
