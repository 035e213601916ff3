"""Map a day to the day that replaces it, and a time to a time. From 2010 on both keep their order.

A list sorted by days stays sorted, and a chat stays in order. Days and times are shifted by random amounts that
follow from the key, so neither a distance nor a position tells the true day. Days before 2010 are mostly births: they
do not keep their order, and stay before 2000.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

Number = Callable[[str, str, int], int]
"""Returns a number from 0 to a limit that is computed from a kind, a value and a key."""

TURN: Final = 2010
"""Years before this one are taken for years of birth."""
BORN, FIRST = 1945, 2000
"""First year of the stand-ins for years of birth, and first year of those for later dates."""
_WITHOUT: Final = 2024
"""The year that is assumed for a date without one: a leap year."""
_AHEAD: Final = 1_000
"""Most days by which the first year begins later."""
_MORE: Final = 60
"""Most days by which a year gets longer. It cannot get shorter, because two days must not become one."""
_SPELLS: Final = 40
"""Number of parts of a year that are stretched independently."""
_HALF: Final = 12 * 3600
"""Seconds of half a day: a morning time stays in the morning."""


def map_day(year: int, month: int, day: int, draw_number: Number, turn: int = 0) -> datetime.date:
    """Return the day that replaces the given one. An unknown part of the date is 0.

    :param draw_number: returns the pseudo-random numbers, see :data:`Number`.
    :param turn: raise it to get a different day for the same one.
    """
    if 0 < year < TURN:
        text = f"{turn}|{year}-{month}-{day}"
        born = BORN + draw_number("YEAR", text, FIRST - BORN)
        return datetime.date(born, 1 + draw_number("MONTH", text, 12), 1 + draw_number("DAY", text, 28))
    year, turned = year or _WITHOUT, f"{turn}|" if turn else ""
    begin = datetime.date(FIRST, 1, 1) + datetime.timedelta(draw_number("FIRST", turned, _AHEAD))
    more = [draw_number("LONGER", f"{turned}{each}", _MORE) for each in range(TURN, year + 1)]
    # Not by the calendar: somebody may have written the 31st of February, which gets a day of its own.
    nth = (max(month, 1) - 1) * 31 + max(day, 1) - 1
    marks = _compute_random_offsets(draw_number, f"{turned}{year}", _SPELLS, more[-1])
    spent = 372 * (year - TURN) + sum(more[:-1])
    return begin + datetime.timedelta(spent + nth + _interpolate_between_marks(nth, 372, marks))


def map_time_of_day(seconds: int, draw_number: Number) -> int:
    """Return the second of the day, 0 to 86,399, that replaces the given one. It lies in the same half of the day,
    and keeps the order of times.
    """
    half, at = divmod(seconds, _HALF)
    marks = [0, *sorted(1 + draw_number("TIME", f"{half}|{nth}", _HALF - 2) for nth in range(3)), _HALF]
    found = min(_interpolate_between_marks(at, _HALF, marks), _HALF - 1)
    if found // 60 == at // 60:  # shown without seconds it would be the true time
        found += 60 if found < _HALF - 60 else -60
    return half * _HALF + found


def _compute_random_offsets(draw_number: Number, seed_text: str, parts: int, whole: int) -> list[int]:
    """Return `parts` + 1 increasing offsets from 0 to `whole`, at pseudo-random distances."""
    sums = list(accumulate((1 + draw_number("PART", f"{seed_text}|{nth}", 20) for nth in range(parts)), initial=0))
    return [whole * each // sums[-1] for each in sums]


def _interpolate_between_marks(at: int, scale_end: int, marks: Sequence[int]) -> int:
    """Map the number `at` from a scale of 0 to `scale_end` onto the scale of `marks`, linearly between two marks."""
    parts = len(marks) - 1
    part = min(at * parts // scale_end, parts - 1)
    return marks[part] + (marks[part + 1] - marks[part]) * (at * parts - part * scale_end) // scale_end
