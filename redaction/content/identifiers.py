"""Find personal data in identifiers: ids, classes, custom elements, names in style sheets.

Programs put data into identifiers (``row-4111111111111111``, ``maria-ostenvik``). Patterns and lists of names search
them, and no language model: a page has thousands, and a wrong guess would separate a class from its style rule. How
an identifier is masked depends on the identifier alone, so a page and its style sheets still agree.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..contracts.check_digits import is_iban_valid
from ..contracts.findings import Finding
from ..detect.shapes.people_in_identifiers import find_people_in_identifier
from ..detect.shapes.secrets import find_secrets
from ..detect.shapes.shape_findings import find_by_shapes
from .attribute_roles import NAMES, is_drawing_value

_LONGEST = 500
"""Characters of an identifier that are searched for secrets: on longer words the patterns are slow."""
LEAST_DIGITS = 7
"""Digits in a row that may be a personal number: an account, a telephone, a customer number."""
_DIGITS = re.compile(rf"(?<!\d)\d{{{LEAST_DIGITS},24}}(?!\d)")
_GROUPED = re.compile(
    r"(?<![\d.])(?:\d{4}(?:[ _-]\d{4}){3}|3[47]\d\d[ _-]\d{6}[ _-]\d{5}|\d{3}[-_]\d{2}[-_]\d{4}"
    r"|\(?\d{3}\)?[-._ ]\d{3}[-._ ]\d{4})(?![\d])"
)
_ABROAD = re.compile(r"\+\d{1,3}(?:[-._ ()/]{1,2}\d{1,9}){1,6}(?!\d)")
"""A telephone number with a country code."""
ACCOUNT = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[-_ ]?[A-Za-z0-9]{4}){2,7}(?:[-_ ]?[A-Za-z0-9]{1,3})?(?![A-Za-z0-9])"
)
_INSURED = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}([-_ ])\d{2}\1\d{2}\1\d{2}\1[A-Da-d](?![A-Za-z0-9])")
_ROW = re.compile(r"(?<![\d.])\d{1,6}(?:[-_ ]\d{1,8}){1,7}(?![\d.])")
"""Groups of digits joined in an identifier: together they may be a personal number."""
LEAST_JOINED = 9
"""Digits of such groups that may be a personal number."""
_COLOUR = re.compile(r"[0-9a-fA-F]{8}")
_RANDOM = re.compile(r"(?<![^\W_])(?=[^\W_]*\d)[^\W_]{16}")
_PIECE = re.compile(r"\w{16,}")


@lru_cache(maxsize=50_000)
def find_personal_data_in_identifier(name: str) -> tuple[Finding, ...]:
    """Find secrets, e-mail addresses, card numbers, national ids and names of people in an identifier."""
    found: list[Finding] = []
    if _RANDOM.search(name):
        found += find_secrets(name[:_LONGEST])
        for piece in _PIECE.finditer(name[:_LONGEST]) if not found else ():
            found += [
                f._replace(start=f.start + piece.start(), end=f.end + piece.start()) for f in find_secrets(piece[0])
            ]
    if "@" in name or "%40" in name:
        found += [f for f in find_by_shapes(name) if f.entity == "EMAIL_ADDRESS"]
    for match in _GROUPED.finditer(name):
        digits = sum(c.isdigit() for c in match[0])
        found.append(Finding(*match.span(), {9: "GOVERNMENT_ID", 10: "PHONE_NUMBER"}.get(digits, "CREDIT_CARD"), 0.8))
    for match in _ABROAD.finditer(name):
        if 8 <= sum(c.isdigit() for c in match[0]) <= 15:
            found.append(Finding(*match.span(), "PHONE_NUMBER", 0.8))
    for match in ACCOUNT.finditer(name):
        if is_iban_valid(re.sub(r"[-_ ]", "", match[0])):
            found.append(Finding(*match.span(), "IBAN_CODE", 0.8))
    found += [Finding(*match.span(), "GOVERNMENT_ID", 0.8) for match in _INSURED.finditer(name)]
    return (*found, *find_people_in_identifier(name))


def find_personal_number_spans(name: str) -> list[tuple[int, int]]:
    """Return the spans of numbers in an identifier that may be personal. They are replaced in the identifier, and not
    searched for elsewhere.
    """
    if _COLOUR.fullmatch(name):
        return []
    rows = [m.span() for m in _ROW.finditer(name) if sum(map(str.isdigit, m[0])) >= LEAST_JOINED]
    return rows + [m.span() for m in _DIGITS.finditer(name) if not any(a <= m.start() < b for a, b in rows)]


_NAMED = ("tag", "attribute", "states", "css name", "header name", "pi", "key name")


def is_identifier_channel(channel: str, text: str) -> bool:
    """Return whether a string of this channel is an identifier."""
    last = channel.rpartition(".")[2]
    if is_drawing_value(last, text):
        return False
    return last in _NAMED or (last in NAMES and channel.startswith(("dom.attribute.", "resource.")))
