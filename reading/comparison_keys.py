"""Keys for comparing runs: texts, addresses and locators with placeholders for numbers, dates and ids that vary from run to run.

>>> to_url_key("https://shop.example/orders/4711?page=2&token=9f86d081884c7d65")
'shop.example/orders/{n}?page={n}&token={hash}'
>>> to_text_key("Order 4711 of 22 November 2026")
'Order {n} of {date}'
>>> to_locator_key('page.get_by_role("button", name="Pay 12.50 EUR")')
'get_by_role("button", name="Pay {n} EUR")'

A key is for comparing and grouping, not for display: it keeps the kind of each value and drops the value.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH: Final = rf"(?:{_MONTHS})[a-z]{{0,6}}\.?"
_SHAPES: Final = re.compile(
    "|".join(
        (
            r"(?P<uuid>\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b)",
            rf"(?P<date>\b\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b"
            rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH},? \d{{4}}\b|\b{_MONTH} \d{{1,2}},? \d{{4}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d\d)\b)",
            r"(?P<time>\b\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m\b)?)",
            # Hexadecimal of eight or more characters, or longer tokens with both letters and digits (otherwise they
            # are words or numbers); of ten or more where letters and digits alternate, as in base 36.
            r"(?P<hash>\b(?=[a-z]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}(?![\w-])"
            r"|(?<![\w-])(?=[a-z]+\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[a-z\d]{10,}(?![\w-]))",
            r"(?P<n>\d+(?:[.,'\u00a0\u202f]\d+)*)",
        )
    ),
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    rf"(?:\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?(?:\{{date\}}|\b\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}(?! ?\d)|\b{_MONTH} \d{{1,2}}\b)"
    r"|(?P<ago>\b(?:\d+|an?|one) (?:second|minute|hour|day|week|month|year)s? ago\b|\bjust now\b)"
    r"|(?P<ms>(?<!\d)(?:\d+(?:\.\d+)? ?ms\b|\d+[.,]\d+ ?s(?:ec(?:onds?)?)?\b))",
    re.IGNORECASE,
)
_PLAIN: Final = re.compile(
    rf"(?!{_MONTHS}|(?:ago|now|ms|s|sec|seconds?)\b)[a-z]+[,.;:!?)]*|\d{{1,5}}(?:[.,]\d{{1,3}})?[,.;:!?)%]*|[|+&=*•–—€$£]",
    re.IGNORECASE | re.ASCII,
)
"""A word that :func:`to_value_key` does not change, whatever is next to it."""
_KEPT: Final = 20_000
_known: Final[set[str]] = set()
"""A cache of such words, of limited size."""
_CODE: Final = re.compile(r"(?:[A-Z]{1,5}-?|[#№])$")
"""The text before the digits of a number that names something: ``SM-48213``, ``#4711``."""
_SESSION: Final = re.compile(
    r"(?:^|[_.-]|(?<=[a-z])(?=[A-Z]))(?:session(?:[_-]?(?:id|hash|key|token))?|sid|(?:csrf|xsrf)\w{0,40}|\w{0,40}token|nonce|(?:client|connection)[_-]?id)$",
    re.IGNORECASE,
)
_SESSION_VALUE: Final = re.compile(r"[\w-]{8,}")
_DIGITS: Final = re.compile(r"\d{8,}")
_LOOPBACK: Final = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?", re.IGNORECASE)
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"' + r"|'((?:[^'\\]|\\.)*)'")


def to_text_key(text: str) -> str:
    """Return the text in single spaces, with ``{n}``, ``{date}``, ``{time}``, ``{uuid}`` and ``{hash}`` in place of
    values that differ from run to run.
    """
    return _SHAPES.sub(lambda match: f"{{{match.lastgroup}}}", " ".join(text.split()))


@lru_cache(maxsize=100_000)
def to_value_key(text: str) -> str:
    """Return the text as :func:`to_text_key` does, but keep numbers that are quantities: prices, amounts, counts.

    It replaces dates, times, durations, UUIDs, hashes, and numbers that name something: of six or more digits, or after
    letters (``SM-48213``, ``#4711``).

    >>> to_value_key("Order SM-48213 of 3 items, 57.90 EUR, placed 2 minutes ago")
    'Order SM-{n} of 3 items, 57.90 EUR, placed {ago}'
    """
    words = text.split()
    said = " ".join(words)
    if _have_no_volatile_part(words):
        return said

    def to_placeholder(match: re.Match[str]) -> str:
        if match.lastgroup == "n":
            digits = match[0]
            long = 6 if not _CODE.search(match.string[max(0, match.start() - 6) : match.start()]) else 4
            if not digits.isdigit() or len(digits) < long:
                return digits
        return f"{{{match.lastgroup}}}"

    said = _SHAPES.sub(to_placeholder, said)
    return _PASSING.sub(lambda match: f"{{{match.lastgroup or 'date'}}}", said)


def _have_no_volatile_part(words: list[str]) -> bool:
    """Return whether none of these words contains a number, date or id that a key replaces. A cached check of each word
    is faster than searching the text with each pattern.
    """
    if _known.issuperset(words):
        return True
    if not all(word in _known or _PLAIN.fullmatch(word) for word in words):
        return False
    if len(_known) >= _KEPT:
        _known.clear()
    _known.update(words)
    return True


def find_session_values(url: str) -> frozenset[str]:
    """Return the values of an address's parameters that differ in each run, such as session ids and tokens, judged by
    the parameters' names.

    Such a value may look like any word, and may occur in other addresses without such a name.

    >>> find_session_values("http://localhost/queue/data?session_hash=cnlknqtqd27&page=2")
    frozenset({'cnlknqtqd27'})
    """
    try:
        given = parse_qsl(urlsplit(url).query)
    except ValueError:
        return frozenset()
    return frozenset(value for name, value in given if _SESSION.search(name) and _SESSION_VALUE.fullmatch(value))


def to_url_key(url: str, session_values: Collection[str] = ()) -> str:
    """Return an address's host and path as a template, and its parameters' names in order, each with the kind of its
    value; without scheme and fragment.

    All loopback addresses count as one host, because the port differs in each run. `session_values`: values that differ in
    each run.

    >>> to_url_key("http://localhost:8000/heartbeat/cnlknqtqd27", {"cnlknqtqd27"})
    'localhost/heartbeat/{hash}'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return to_text_key(url)
    if parts.scheme in ("data", "blob", "about", "javascript"):
        return f"{parts.scheme}:"
    host = _LOOPBACK.sub("localhost", parts.netloc.rpartition("@")[2])

    def to_placeholder(text: str) -> str:
        # A hexadecimal id may consist of digits only.
        return "{hash}" if text in session_values or _DIGITS.fullmatch(text) else to_text_key(text)

    path = "/".join(to_placeholder(unquote(piece)) for piece in parts.path.split("/")) or "/"
    given = sorted(parse_qsl(parts.query, keep_blank_values=True))
    query = "&".join(dict.fromkeys(f"{to_text_key(name)}={to_placeholder(value)}" for name, value in given))
    return f"{host}{path}{f'?{query}' if query else ''}"


def to_locator_key(locator: str) -> str:
    """Return a locator without the object that it starts from (`page`), with its texts replaced as by :func:`to_text_key`."""
    start = re.match(r"(?:page|frame|context)\d*\.", locator)
    rest = locator[start.end() :] if start else locator
    return _TEXT.sub(lambda match: f'"{to_text_key(match[1] if match[1] is not None else match[2])}"', rest)
