"""Numbers that tell nobody's home or account: measures, prices, counts, rooms, documents."""

from __future__ import annotations

import itertools
import re

from ...contracts.types import Finding
from ...words.english import english
from ...words.words import UI_WORDS
from .prose import begins_sentence, sentence_like
from .tokens import FUNCTION_WORDS, NUMBERED, WORD

_UNITS = frozenset(
    """
    mm cm dm m km in ft yd mi mg g kg lb lbs oz ml cl dl l gal w kw kwh v mah b kb mb gb tb ms s sec min h hr hrs d day days week weeks
    month months year years x px pt em eu us uk of to a an the no nr st nd rd th room size box flat page step level version item lot row
    seat gate track team group
    stunde stunden minute minuten sekunde sekunden tag tage tagen woche wochen monat monate jahr jahre heure heures minutes seconde secondes jour jours semaine semaines mois ans
    hora horas minuto minutos segundo segundos día días semana semanas mes meses año años ora ore minuti secondi giorni settimane mesi anni dias meses anos uur uren minuut seconden
    dag dagen weken maand maanden jaar ev
    """.split()  # noqa: SIM905
)
"""Units, and what is numbered."""
_MEASURE = re.compile(r"(?:[.,]\d+)?\s?(?:[mcdk]?m|k?g|m?l|in|ft|oz|lbs?|px|%|[kMG]B)\b")


_STANDARD = re.compile(
    r"\b(?:SHA|AES|RSA|CRC|UTF|ISO(?:/IEC)?|RFC|IEEE|BCP|ECMA|PKCS)[ #-]{0,2}\d{1,5}(?:[-:/]\d{1,4}){0,2}(?!\d)"
)
"""A standard or a method by its number: *SHA-384*, *ISO 3166-1*."""
_OF_STANDARDS = frozenset({"ADDRESS", "GOVERNMENT_ID", "ID", "SECRET", "ZIP_CODE"})
_TIMES = re.compile(r"\s?[x×]\s?\d")
_TIMES_BEFORE = re.compile(r"\d\s?[x×]\s?\Z")
_ROOM = re.compile(r"(?:room|floor|desk|gate|building)\s#?\d{1,3}", re.IGNORECASE)
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_AT = re.compile(r"(?<![^\W\d_])(?:kl\.?|klo|um|om|at|alle|ore|às|h:)[ ]\Z", re.IGNORECASE)
"""*Mötet börjar kl. 1430*: a time of day without a colon."""
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_IN_A_YEAR = re.compile(
    r"(?<![^\W\d_])(?:in|im|since|from|until|by|year|anno|nel|dal|del|en|depuis|desde|em|de|seit|bis|sinds|vanaf|sedan|siden|fra|år|w|od|roku|roce|vuonna)[ ]\Z",
    re.IGNORECASE,
)
"""*L'azienda nasce nel 1931 a Biella*: no postcode stands behind such a word."""
_WORD_BEFORE = re.compile(r"[a-z]{2,}[ ]\Z")
"""*Chairs for room 4*: no line of an address begins so."""
_NUMBERED_THING = re.compile(r"[a-z]{3,12} \d{1,3}")
"""``pot 12``, ``bill 2``, all of a text: a street has another word beside its number, or a capital; and a person is not numbered."""
_DOCUMENT = re.compile(r"[A-Z]{2,6}[ -]?\d{1,4}")
"""``PEP 528``, ``RFC 2616``, ``HTTP 404``."""

_STATUS = re.compile(r"[1-5]\d\d")
_STATUS_BEFORE = re.compile(
    r"(?:\A|\n|\bHTTP(?:/\d(?:\.\d)?)?|\b(?:status|code|error)(?:[ ]code)?:?)[ ]?\Z", re.IGNORECASE
)
_STATUS_AFTER = re.compile(r":|[ ]+(?:[a-z]+_[a-z_]+|[a-z]+)(?!\w)|\Z")
"""What stands around the status of an answer: ``529: overloaded_error``, ``HTTP 503``, ``status code 404 received``."""

_CURRENCY = r"[€$£¥₹₽₩₺₪฿₫₴₦]|kr\b\.?|zł|Kč|Ft\b|lei\b|(?:[A-Z]{0,2}\$)|\b(?:EUR|USD|GBP|CHF|JPY|CNY|RMB|INR|BRL|MXN|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|ILS|AED|SAR|EGP|ZAR|KRW|THB|SGD|HKD|TWD|IDR|MYR|PHP|VND|NGN|KES|BTC|ETH)\b"
_AMOUNT = re.compile(
    rf"(?:{_CURRENCY})\s?[-+−]?\d[\d.,'’ \u00a0\u202f]*|[-+−]?\d(?:[\d.,'’ \u00a0\u202f]*\d)?\s?(?:{_CURRENCY})"
)
"""An amount of money: ``-103.50 EUR``, ``€ 1.200,00``."""


def _in_an_amount(text: str, finding: Finding) -> bool:
    """Return whether a finding is a part of an amount of money and of nothing else."""
    if not any(map(str.isdigit, text[finding.start : finding.end])):
        return False
    before = max(0, finding.start - 24)
    return any(
        before + m.start() <= finding.start and finding.end <= before + m.end()
        for m in _AMOUNT.finditer(text[before : finding.end + 24])
    )


def _series(value: str) -> bool:
    """Return whether numbers follow one another by equal steps: an axis, the pages of a list, ``0 1 2 3 4 5 6 7 8 9 10 11 12``."""
    numbers = [int(n) for n in value.split() if n.isdecimal() and len(n) < 5]
    if len(numbers) > 4 and max(numbers) < 10 and len(numbers) == len(value.split()):
        return all((b - a) % 10 == 1 for a, b in itertools.pairwise(numbers))  # a ruler: 7 8 9 0 1 2
    steps = {b - a for a, b in itertools.pairwise(numbers)}
    return len(numbers) > 4 and len(numbers) == len(value.split()) and len(steps) == 1 and steps != {0}


def _is_status(text: str, finding: Finding) -> bool:
    """Return whether a number is how an answer of HTTP ended. A house's number is found with its street, and a number of three digits calls nobody."""
    before = text[max(0, finding.start - 16) : finding.start]
    alone = finding.start == 0 and finding.end == len(text)
    return (
        not alone
        and _STATUS.fullmatch(text, finding.start, finding.end) is not None
        and _STATUS_BEFORE.search(before) is not None
        and _STATUS_AFTER.match(text, finding.end) is not None
    )


_DAY_FIRST = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")
"""A day as machines write it, whatever stands behind: ``2026-11-22.00``."""
_NAME_AND_NUMBER = re.compile(r"[^\W\d_][\w+-]*[ ]v?\d+")
_GOES_ON = re.compile(r"(?:\.\d+)+(?!\w)")
"""The rest of a program's version: ``.6`` of *Tresk 1.6*."""

_COMPASS = frozenset(
    [
        "north",
        "south",
        "east",
        "west",
        "northern",
        "southern",
        "eastern",
        "western",
        "northeastern",
        "northwestern",
        "southeastern",
        "southwestern",
        "central",
        "upper",
        "lower",
        "inner",
        "outer",
        "mid",
        "greater",
    ]
)
_SHORT_CODE = re.compile(r"[A-Za-z]?\d{1,2}")
_PROCESS = re.compile(r"[a-z]\[\Z")
_LONGEST_PROCESS = 7
"""Digits of the number of a process: *ssn[123-45-6789]* is none."""
_RANK = re.compile(r"#[ ]?\d{1,3}")


_CALLED = frozenset({"PERSON", "ORGANIZATION", "TITLE", "NRP", "LOCATION"})
_SHORT = frozenset({"AGE", "CVV", "SECRET"})
"""What is short by its kind: *34* in the line below *Age:*."""
_LEAST_DIGITS = (2, 4)
"""Digits of a number that is all of a line or a cell up to which it is no number of somebody's, and nobody's name."""


def _is_a_cell(text: str, f: Finding) -> bool:
    """Return whether a finding is all of a line or of a cell, in a text of several."""
    before, after = text[: f.start].rstrip(" "), text[f.end :].lstrip(" ")
    return (before + after).strip() != "" and before[-1:] in ("", "\n", "\t") and after[:1] in ("", "\n", "\t")


def sensible(text: str, finding: Finding) -> bool:
    """Return whether a joined span can be what it is said to be. ``26.8 cm``, ``Box of 12`` and ``1,234 results`` are no address."""
    value = text[finding.start : finding.end]
    if finding.entity in NUMBERED and _series(value):
        return False
    if (
        finding.entity not in _SHORT
        and value.isdecimal()
        and len(value) <= _LEAST_DIGITS[finding.entity in _CALLED]
        and _is_a_cell(text, finding)
    ):
        return False
    if finding.entity in _OF_STANDARDS and any(
        m.start() <= finding.start and finding.end <= m.end() for m in _STANDARD.finditer(text)
    ):
        return False
    if (finding.entity in NUMBERED or finding.entity == "ADDRESS") and _is_status(text, finding):
        return False
    if finding.entity in NUMBERED and (
        _TIMES.match(text, finding.end) or _TIMES_BEFORE.search(text[max(0, finding.start - 12) : finding.start])
    ):
        return False
    if finding.entity == "USERNAME" and text[max(0, finding.start - 1) : finding.start] == "@":
        return not all(word.lower() in UI_WORDS for word in re.findall(r"[^\W_]+", value))
    if finding.entity == "PHONE_NUMBER" and _DAY_FIRST.match(value):
        return False
    if finding.entity == "LOCATION" and all(word.lower() in _COMPASS for word in re.findall(r"[^\W_]+", value)):
        return False  # what is said of a place, without the place: *southern Tunisia*
    if finding.entity == "GOVERNMENT_ID" and _SHORT_CODE.fullmatch(value):
        return False  # *G3 41*, *p95*
    if (
        finding.entity == "GOVERNMENT_ID"
        and value.isdecimal()
        and len(value) <= _LONGEST_PROCESS
        and _PROCESS.search(text[: finding.start])
        and text[finding.end :].startswith("]")
    ):
        return False  # *sshd[2213]*
    if finding.entity == "ADDRESS" and _RANK.fullmatch(value):
        return False  # *at #15*: of a home's number the street is found, too
    if finding.entity in ("PERSON", "LOCATION"):
        thing = _NUMBERED_THING.fullmatch(text.strip()) and english(text.split()[0])
        return not thing and not begins_sentence(text, finding)
    if finding.entity not in ("ADDRESS", "ZIP_CODE"):
        return True
    if _NUMBERED_THING.fullmatch(text.strip()) and value == text.strip():
        return False
    if _CLOCK.fullmatch(value) and _AT.search(text[max(0, finding.start - 8) : finding.start]):
        return False
    if _YEAR.fullmatch(value) and _IN_A_YEAR.search(text[max(0, finding.start - 10) : finding.start]):
        return False
    if _ROOM.fullmatch(value) and (
        "\n" not in text or _WORD_BEFORE.search(text[max(0, finding.start - 24) : finding.start])
    ):
        return False  # a room tells nobody's home; as a part of an address it is joined to it, or stands in a line of its own
    if (said := WORD.findall(value)) and all(word.lower() in FUNCTION_WORDS for word in said):
        return False  # of *Order 8812 is ready* a number and the verb
    if _NAME_AND_NUMBER.fullmatch(value) and _GOES_ON.match(text, finding.end):
        return False
    if _DOCUMENT.fullmatch(value) and (not text.isupper() or value == text.strip()):
        return False
    if _in_an_amount(text, finding):
        return False
    if not any(c.isalpha() for c in value) and _MEASURE.match(text, finding.end):
        return False
    if sentence_like(text) or "\n" in text:
        return True
    words = [w for w in WORD.findall(value) if w.lower() not in UI_WORDS and w.lower() not in _UNITS]
    digits = sum(c.isdigit() for c in value)
    if words:
        return any(len(w) > 1 for w in words) or digits > 2
    if finding.entity == "ZIP_CODE" and finding.score >= 0.5:
        return digits > 3
    decimal = re.search(r"\d[.,]\d", text[max(0, finding.start - 2) : finding.end + 2])
    return digits > 3 and not decimal and text[finding.start - 1 : finding.start] not in ("#", "€", "$", "£")
