"""Numbers of programs: of standards, sizes, versions, years of a copyright. A model that knows addresses takes ``ISO 8859-1`` for a house."""

from __future__ import annotations

import re

from ...contracts.types import Finding
from ...words.programs import ANSWERED
from .tokens import token_at

_PLACED = frozenset({"ADDRESS", "ZIP_CODE", "GOVERNMENT_ID", "LOCATION"})
_MOST = 5
"""Digits of a finding up to which it may be such a number."""
_STANDARD = re.compile(
    r"\b(?:ISO|IEC|RFC|DIN|ANSI|IEEE|ECMA|ITU|CCITT|EIA|NIST|FIPS|PEP|BCP|CIE|SMPTE|MPEG|JIS|KOI8|UTF|UCS|HTTP|TLS|SSL|Windows|Office|macOS|OS X|Firefox|Chrome|Python|PHP|GTK|Qt|GPL|OpenGL)"
    r"(?:[-/ _]{1,3}(?:[A-Z]{1,4}|IEC|PAS|TS|v))?[-/ _]{0,3}\Z"
)
_UNIT = (
    r"(?:[KMGTP]i?[Bb](?:it|yte)?s?|[kKMG]?(?:bit|byte|octet)s?(?:/s)?|[kMG]?bps|[kMG]?Hz|[mµn]s|msecs?|usecs?|fps|dpi|ppi|rpm|bpm|dB[Am]?|px|pixels?|Pixel|píxeles|punt[io]s?|"
    r"[xX×]|MP|CPU|cores?|threads?|Bit|Byte|Bytes)"
)
_MEASURED = re.compile(rf"[-–]?\s?{_UNIT}(?![\w])")
_SIZE = re.compile(rf"\d+(?:[.,]\d+)?\s?{_UNIT}")
_RELEASE = re.compile(r"[vV]\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.]?(?:rc|alpha|beta|dev|post|[ab])[-.]?\d*)?")
_BOUND = re.compile(r"(?:[<>=≤≥]=?|©|\([cC]\)|[cC]opyright|[Pp]ort|[Bb]uild|[Rr]evision)\s?\d*\s?[-–]?\s?\Z")
_NO_MACHINE = re.compile(r"127\.\d+\.\d+\.\d+|0\.0\.0\.0|255\.\d+\.\d+\.\d+|::1?")
"""Addresses that every machine has: itself, any, and masks of networks."""
_MODEL = re.compile(r"[A-Z]{1,3}\d{2,3}")
_NUMERONYM = re.compile(
    r"(?:js|py|ng|vue)?-?(?:i18n|l10n|a11y|g11n|m17n|c14n|o11y|k8s)s?|[wW]3[cC]|es20[12]\d|x11[a-z]*"
)
"""What programmers shorten by the number of its letters, and names with a year or a version: ``jsi18n``, ``es2015``."""
_AMOUNT = re.compile(r"\d{1,6}[.,]\d\d")
"""An amount of money, or a measure: no telephone has one point and two digits behind it."""
_AT = re.compile(
    r"(?<!\w)(?:(?:Ln|Line|Rows?|Cols?|Column|Pos|Sel|Page|Cell|Slide|Sheet|Tab)\.? \d{1,5}(?:(?:/| of )\d{1,5})?(?!\w)[,;:]? ?){1,3}"
)
"""Where one is in a file: ``Ln 1, Col 1``."""
_EXACT = re.compile(r"[-+]?\d(?:\.\d+)?[eE][-+]?\d{1,3}")
"""A number as computers write those with an exponent: ``2.2250738585072014E-308``."""
_OF_BITS = re.compile(r"\d{1,4}-(?:bits?|bytes?|octets?|pixels?)(?:-[^\W\d_]+)*", re.IGNORECASE)
"""What is so wide: ``3-Byte-Integer``."""
_REFERENCE = re.compile(
    r"(?:(?:EPSG|SRID|CRS|WGS|NAD|UTM|ETRS|OSGB|RGF|Zone)[ :_-]{0,2}(?:\d{1,6}[A-Z]?)?|\d{2,6}[NSWE]?|[\s,;:–—-])+"
)
_GRID = re.compile(r"\b(?:EPSG|SRID|WGS|NAD|UTM|ETRS|OSGB|RGF)")
"""How systems of coordinates are called: ``WGS84 - SRID 4326``."""
_COUNTED = frozenset({"CREDIT_CARD", "PHONE_NUMBER", "BANK_ACCOUNT", "ID", *_PLACED})
_LEAST_BOUND = 7
"""Digits from which on a power of two is a limit of a kind of numbers, and nobody's number."""
_MOST_BOUND = 40
"""Digits of the limit of a number of 128 bits; Python reads no number of more than 4,300."""
_GROUPED = re.compile(r"[.,'’ \u00a0\u202f](?=\d{3}(?!\d))")
_AROUND = re.compile(r"(?<![\w.,])[-–−]?\d[\d.,'’ \u00a0\u202f]*\d(?!\w)")
_WEAK = 0.3
"""The score of what only looks like the number of a licence: ``MF410`` is a printer."""


def of_a_program(text: str, f: Finding) -> bool:
    """Return whether a finding is a number that tells of a program."""
    value = text[f.start : f.end]
    if f.entity == "IP_ADDRESS":
        return _NO_MACHINE.fullmatch(value) is not None
    if f.entity == "ADDRESS" and any(m.start() <= f.start and f.end <= m.end() for m in _AT.finditer(text)):
        return True
    token = token_at(text, f.start, f.end).strip("()[],;:·.")
    if f.entity in ("PHONE_NUMBER", "GOVERNMENT_ID") and (_AMOUNT.fullmatch(value) or _AMOUNT.fullmatch(token)):
        return True
    if f.entity in _COUNTED and (_is_status(text, f) or _is_grid(text, f)):
        return True
    if f.entity in _COUNTED and (_EXACT.fullmatch(token) or _OF_BITS.fullmatch(token) or _is_bound(text, f)):
        return True
    if f.entity not in _PLACED:
        return False
    if f.entity == "GOVERNMENT_ID" and f.score <= _WEAK and _MODEL.fullmatch(value):
        return True
    if _NUMERONYM.fullmatch(token):
        return True
    if _SIZE.fullmatch(value) or _SIZE.fullmatch(token) or _RELEASE.fullmatch(token):
        return True  # of v0.65.5 or 390.31ms a model takes a part alone
    if not value[:1].isdigit() or sum(map(str.isalpha, value)) > 1 or sum(map(str.isdigit, value)) > _MOST:
        return False
    before, after = text[max(0, f.start - 24) : f.start], text[f.end : f.end + 16]
    if _STANDARD.search(before) or _MEASURED.match(after) or _BOUND.search(before):
        return True
    return "_" in token.strip("_")


def _is_bound(text: str, f: Finding) -> bool:
    """Return whether a finding lies in the least or the greatest number that so many bits hold: ``-9223372036854775808``, ``8.388.607``."""
    for match in _AROUND.finditer(text, max(0, f.start - 32), f.end + 32):
        if match.start() <= f.start and f.end <= match.end():
            digits = _GROUPED.sub("", match[0].lstrip("-–−"))
            if digits.isdecimal() and digits.isascii() and _LEAST_BOUND <= len(digits) <= _MOST_BOUND:
                return any((int(digits) + more).bit_count() == 1 for more in (0, 1))
    return False


def _is_status(text: str, f: Finding) -> bool:
    """Return whether a finding begins with a server's answer, and has no number of its own behind it."""
    match = ANSWERED.match(text, f.start)
    return match is not None and not any(map(str.isdigit, text[match.end() : f.end]))


def _is_grid(text: str, f: Finding) -> bool:
    """Return whether a finding is the name of a system of coordinates, or the number of one behind its kind."""
    value, before = text[f.start : f.end], text[max(0, f.start - 8) : f.start]
    named = _GRID.search(value) is not None or re.search(r"(?:EPSG|SRID)[ :]{1,2}\Z", before) is not None
    return named and _REFERENCE.fullmatch(value) is not None
