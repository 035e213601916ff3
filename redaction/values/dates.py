"""Replace a date by another one in the same notation: ``Feb. 22, 1974`` becomes ``Sep. 9, 1988``, ``1976年7月20日`` becomes ``1991年3月4日``.

The new day (:mod:`.stand_in_days`) depends on the day and not on its notation, so that a day in a list and the same
day in a form stay equal.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..words import months
from ..words.phrase_lists import PhraseLists
from .stand_in_days import BORN, FIRST, TURN, Number, map_day, map_time_of_day

LISTS = PhraseLists("dates")

_WEEK: Final = """
monday tuesday wednesday thursday friday saturday sunday
mon tue wed thu fri sat sun
montag dienstag mittwoch donnerstag freitag samstag sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
понедельник вторник среда четверг пятница суббота воскресенье
"""
_NAMED: Final = {
    "M": (*months.FULL, *months.SHORT),
    "W": tuple(tuple(line.split()) for line in _WEEK.strip().splitlines()),
}
_ALSO: Final = {**months.ALSO, "tues": "tue", "thur": "thu", "thurs": "thu", "wednes": "wed"}
_ENGLISH: Final = {"M": (0, len(months.FULL)), "W": (0, 1)}
"""Indices of the lists of months and weekdays that are English."""
_YEARS: Final = ((BORN, FIRST - BORN), (FIRST, 25))
"""First year and number of years of the stand-ins for a year before :data:`TURN`, and for a later one."""
_PART = re.compile(
    r"\d+|[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])*"
)
_ORDINAL = frozenset(["st", "nd", "rd", "th"])
_SMALL = LISTS.to_word_set("SMALL")
"""Words that may stand beside a written date and tell nothing."""
_TIME = re.compile(r"(?<!\d)(\d{1,2})(:\d\d)(:\d\d)?(?:\.\d+)?(?!\d)")
_OFFSET = re.compile(r"(?<=:\d\d)(?:\.\d+)?\s?[+-]\d\d:?\d\d(?!\d)")
"""The offset of a time from UTC: ``10:34:00 +0000``."""
_UNITS: Final = {"年": "y", "년": "y", "月": "m", "월": "m", "日": "d", "일": "d", "号": "d", "號": "d"}
_LONGEST: Final = 60


@dataclass(slots=True)
class _DatePart:
    start: int
    end: int
    what: str
    """``y``, ``m``, ``d``; ``M`` and ``W`` are names, ``o`` the end of *22nd*."""
    row: int = 0
    number: int = 0


@lru_cache(maxsize=1)
def _index_calendar_names() -> dict[str, tuple[str, int, int]]:
    """Return for each name of a month or weekday: which of the two it is, the index of its language's list, and its
    index in that list.
    """
    found: dict[str, tuple[str, int, int]] = {}
    for what, rows in _NAMED.items():
        for row, names in enumerate(rows):
            for number, name in enumerate(names):
                found.setdefault(name, (what, row, number))
    for name, other in _ALSO.items():
        found[name] = found[other]
    return found


def make_other_day(value: str, draw_number: Number, turn: int = 0) -> str | None:
    """Return another day in the same notation, or None if `value` is no date with at least two of day, month and
    year.

    :param draw_number: returns the pseudo-random numbers that choose the day, see :data:`~.stand_in_days.Number`.
    :param turn: raise it to get a different day for the same `value`.
    """
    pieces = _parse_date(value) if len(value) <= _LONGEST and any(map(str.isdigit, value)) else None
    if pieces is None:
        return None
    told = {piece.what.lower(): piece.number for piece in pieces if piece.what in "yYmMdD"}
    if len(told) < 2 or not all(1 <= told.get(what, 1) <= most for what, most in (("m", 12), ("d", 31))):
        return None
    day = map_day(told.get("y", 0), told.get("m", 0), told.get("d", 0), draw_number, turn)
    padded = all(piece.end - piece.start > 1 for piece in pieces) and all(piece.what in "ymd" for piece in pieces)
    padded = padded and not any(unit in value for unit in _UNITS)
    out = value
    for piece in reversed(pieces):
        out = (
            out[: piece.start]
            + _format_date_part(value[piece.start : piece.end], piece, day, padded)
            + out[piece.end :]
        )
    return _TIME.sub(lambda m: _replace_time_of_day(m, draw_number), out.replace("May.", "May"))


def make_other_time(value: str, draw_number: Number, is_common_word: Callable[[str], bool]) -> str | None:
    """Return a relative time or a time of day (``3 days ago``, ``12:30``, ``next Monday``) with other numbers, weekdays
    and months. None if it has a word that is neither common nor a word for time.

    :param is_common_word: returns whether a word is common.
    """

    def replace_word(match: re.Match[str]) -> str:
        word = match[0]
        if word[0].isdecimal():
            return _make_other_number(word, draw_number)
        what, row, at = _index_calendar_names().get(word.casefold(), ("", 0, 0))
        if not what or (row not in _ENGLISH[what] and is_common_word(word.casefold())):
            return word
        names = _NAMED[what][row]
        name = names[_choose_other_index(at, len(names), "NAMED", word, draw_number)]
        return name.capitalize() if word[0].isupper() else name

    words = [w.casefold() for w in _PART.findall(value) if not w[0].isdecimal()]
    if not all(word in _index_calendar_names() or word in _SMALL or is_common_word(word) for word in words):
        return None
    if _TIME.search(value):
        return _TIME.sub(lambda m: _replace_time_of_day(m, draw_number), value)
    return _PART.sub(replace_word, value)


def _choose_other_index(at: int, count: int, kind: str, word: str, draw_number: Number) -> int:
    """Return a pseudo-random index below `count` that differs from the index `at`."""
    return (at + 1 + draw_number(kind, word, count - 1)) % count if 0 <= at < count else draw_number(kind, word, count)


def _make_other_number(word: str, draw_number: Number) -> str:
    if len(word) == 4 and 1800 <= int(word) <= 2199:
        first, years = _YEARS[int(word) >= TURN]
        return str(first + _choose_other_index(int(word) - first, years, "YEAR", word, draw_number))
    if len(word) > 2:
        return "".join(str(1 + draw_number("COUNT", word[: n + 1], 9)) for n in range(len(word)))
    first, counts = (1, 9) if len(word) == 1 else (10, 18)
    return str(first + _choose_other_index(int(word) - first, counts, "COUNT", word, draw_number))


_LONGEST_NUMBER = 9
"""Most digits of a number in a date or a duration. Python converts none of more than 4,300."""


def _parse_date(value: str) -> list[_DatePart] | None:
    """Return the parts of a written date, or None if a word or number in it is no part of a date."""
    times = [m.span() for form in (_TIME, _OFFSET) for m in form.finditer(value)]
    pieces: list[_DatePart] = []
    numbers: list[_DatePart] = []
    for match in _PART.finditer(value):
        if any(start <= match.start() < end for start, end in times):
            continue
        word = match[0].casefold()
        if word[0].isdecimal():
            if len(word) > _LONGEST_NUMBER:
                return None
            piece = _DatePart(*match.span(), "", number=int(word))
            unit = value[match.end() :].lstrip()[:1]
            piece.what = _UNITS.get(unit, "y" if len(word) == 4 and 1800 <= int(word) <= 2199 else "")
            if not piece.what and (len(word) > 2 or not word):
                return None
            numbers.append(piece)
            pieces.append(piece)
        elif word in _UNITS or set(word) <= set("年年月월日일号號"):
            continue
        elif word in _ORDINAL:
            pieces.append(_DatePart(*match.span(), "o"))
        elif named := _index_calendar_names().get(word) or _index_calendar_names().get(
            unicodedata.normalize("NFC", word)
        ):
            pieces.append(_DatePart(*match.span(), named[0], named[1], named[2] + 1))
        elif word not in _SMALL:
            return None
    return pieces if _assign_date_fields(numbers, any(p.what == "M" for p in pieces)) else None


def _assign_date_fields(numbers: list[_DatePart], named: bool) -> bool:
    """Set for each number whether it is the day, the month or the year. Return False if there are too many numbers or
    too few.
    """
    free = [n for n in numbers if not n.what]
    has = {n.what for n in numbers} - {""}
    if named:
        wanted = ["d", "y"] if "y" not in has and len(free) == 2 else ["d"]  # 5 May 74
        if len(free) > len(wanted):
            return False
    elif "y" in has and len(free) == 2:
        first = numbers[0].what == "y"
        wanted = ["m", "d"] if first or free[1].number > 12 else ["d", "m"]
    elif not has and len(free) == 3:  # 22/02/74
        wanted = ["d", "m", "y"] if free[1].number <= 12 else ["m", "d", "y"]
    else:
        return bool(has and not free)
    for piece, what in zip(free, wanted, strict=False):
        piece.what = what
        if what == "y":
            piece.number += 1900 if piece.number > 30 else 2000
    return True


def _format_date_part(old: str, piece: _DatePart, day: datetime.date, padded: bool) -> str:
    if piece.what in "MW":
        names = _NAMED[piece.what][piece.row]
        name = names[day.month - 1 if piece.what == "M" else day.weekday()]
        return name.upper() if old.isupper() and len(old) > 1 else name.capitalize() if old[0].isupper() else name
    if piece.what == "o":
        at = day.day % 10 if day.day not in (11, 12, 13) else 0
        return {1: "st", 2: "nd", 3: "rd"}.get(at, "th")
    number = {"y": day.year, "m": day.month, "d": day.day}[piece.what]
    written = f"{number % 100:02d}" if piece.what == "y" and len(old) == 2 else str(number)
    if piece.what != "y" and (padded or unicodedata.decimal(old[0]) == 0):
        written = f"{number:02d}"
    zero = ord(old[0]) - unicodedata.decimal(old[0])
    return written if zero == ord("0") else "".join(chr(zero + int(c)) for c in written)


def _replace_time_of_day(match: re.Match[str], draw_number: Number) -> str:
    hour, minute = int(match[1]), int(match[2][1:])
    said = match.string[match.end() :].lstrip()[:1].casefold()
    twelve = said in ("a", "p") and hour <= 12  # the letter tells the half of the day
    at = (hour % 12 if twelve else hour) * 3600 + minute * 60 + int((match[3] or ":0")[1:])
    at = map_time_of_day((at + (43_200 if twelve and said == "p" else 0)) % 86_400, draw_number)
    hour = (at // 3600 - 1) % 12 + 1 if twelve else at // 3600
    written = f"{hour:02d}" if len(match[1]) == 2 else str(hour)
    return f"{written}:{at // 60 % 60:02d}" + (f":{at % 60:02d}" if match[3] else "")
