"""Evaluates the option ``--fail-on``: which of the kinds that it names differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from pagereel.errors import UsageError

from .effects.difference import KINDS, Kind

_AMOUNT: Final = re.compile(r"(cost|time)=\+(\d+(?:\.\d+)?)%")


def parse_fail_on(option: str | Iterable[str]) -> list[str]:
    """Split the value of ``--fail-on`` into its words. Raises UsageError for an unknown one."""
    words = [word.strip() for word in (option.split(",") if isinstance(option, str) else option)]
    for word in words:
        if word and word != "none" and word not in KINDS and not _AMOUNT.fullmatch(word):
            raise UsageError(
                f"Unknown kind {word!r}; give {', '.join(KINDS)} (cost and time also as cost=+20%), or none."
            )
    return words


def find_failing_kinds(
    option: str | Iterable[str],
    kinds: Sequence[Kind],
    cost: tuple[float, Sequence[float]],
    time: tuple[float, Sequence[float]],
) -> list[str]:
    """Return the kinds that `option` names and that differ. `kinds`: the kinds of the differences found. `cost` and `time`:
    the second run's, and those of the expected runs. Raises UsageError as :func:`parse_fail_on`.
    """
    found = []
    for word in parse_fail_on(option):
        amount = _AMOUNT.fullmatch(word)
        if amount is not None:
            mine, usual = cost if amount[1] == "cost" else time
            if mine > (median(usual) if usual else 0.0) * (1 + float(amount[2]) / 100):
                found.append(amount[1])
        elif word in kinds:
            found.append(word)
    return list(dict.fromkeys(found))
