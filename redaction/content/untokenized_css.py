"""Find personal numbers and texts in a style sheet that its tokens do not show as strings or identifiers.

A script may put anything into a custom property (``--phone: +44 20 7946 0958``, ``--who: maria@shop.nl``), and a page
any number into a property that takes a number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from pagereel.css import PiecePlace, TextPiece

from ..contracts.check_digits import is_iban_valid
from .identifiers import ACCOUNT, find_personal_data_in_identifier

RAW: Final = "raw"
"""The kind of a text that CSS does not parse as a string or an identifier."""
NUMBER: Final = "number"
"""The kind of a number that is no value for layout."""
_MAIL: Final = re.compile(r"[^\s:;,{}()\"'/@]{2,64}@[\w-]+(?:\.[\w-]+)+")
_ROW: Final = re.compile(r"(?<![\w.#%+-])\+?\(?\d{1,6}\)?(?:[ -]{1,2}\(?\d{1,8}\)?){1,7}(?![\w.%])")
_CUSTOM: Final = re.compile(r"(?:--[\w-]{1,80}+|initial-value)\s{0,80}+:\s{0,80}+\Z")
_LONG: Final = re.compile(r"(?<![\w.#%-])\d{9,24}(?!\.?\d)")
_LIMITS: Final = re.compile(r"21474836\d\d|4294967\d{3}|33554\d{3,}|16777\d{3,}")
"""Numbers near the limits of browsers."""
_LEAST_DISTINCT: Final = 5
"""Least number of different digits: a number with fewer was typed by holding a key."""
_LEAST_SAID: Final = 3
_LEAST_DIGITS: Final = 7
_COLOUR: Final = 255
_ANYWHERE: Final = PiecePlace("value")
_SAID: Final = frozenset({"string", "url", "comment", "bad string", "bad url"})
"""Kinds of pieces that are masked anyway, whatever numbers they hold."""


def add_numbers_and_emails(css: str, found: Sequence[TextPiece]) -> list[TextPiece]:
    """Return the pieces of a style sheet, with raw pieces added: numbers and e-mail addresses outside of strings. A raw
    piece replaces the pieces within its span.
    """
    raw = list(_iter_number_and_email_spans(css))
    if not raw:
        return list(found)
    said = [(p.start, p.end) for p in found if p.kind in _SAID]
    spans: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(raw, key=lambda span: (span[0], -span[1])):
        if (spans and start < spans[-1][1]) or _overlaps_span(said, start, end):
            continue
        spans.append((start, end, kind))
    covered = [(start, end) for start, end, _ in spans]
    out = [p for p in found if not _overlaps_span(covered, p.start, p.end)]
    out += [TextPiece(start, end, kind, css[start:end], _ANYWHERE) for start, end, kind in spans]
    return sorted(out, key=lambda p: p.start)


def _overlaps_span(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether the range from `start` to `end` overlaps one of `spans`, which are in order."""
    at = bisect_right(spans, (end - 1, end)) - 1
    return at >= 0 and spans[at][1] > start


def _iter_number_and_email_spans(css: str) -> Iterator[tuple[int, int, str]]:
    for match in _MAIL.finditer(css) if "@" in css else ():
        yield (*match.span(), RAW)
    for match in _ROW.finditer(css):
        digits = sum(map(str.isdigit, match[0]))
        if digits < _LEAST_DIGITS or _is_rgb_colour(match[0]):
            continue
        if find_personal_data_in_identifier(match[0]) or _CUSTOM.search(css, max(0, match.start() - 80), match.start()):
            yield (*match.span(), RAW)
    for match in ACCOUNT.finditer(css):
        if is_iban_valid(re.sub(r"[-_ ]", "", match[0])):
            yield (*match.span(), RAW)
    for match in _LONG.finditer(css):
        # An author may put anything into a custom property; but a repeated digit there is a maximal z-index.
        said = _CUSTOM.search(css, max(0, match.start() - 80), match.start())
        if len(set(match[0])) >= (_LEAST_SAID if said else _LEAST_DISTINCT) and not _LIMITS.fullmatch(match[0]):
            yield (*match.span(), NUMBER)


def _is_rgb_colour(row: str) -> bool:
    """Return whether a row of numbers is a colour: red, green and blue, perhaps alpha."""
    numbers = re.findall(r"\d+", row)
    return len(numbers) in (3, 4) and all(len(n) < 4 and int(n) <= _COLOUR for n in numbers)
