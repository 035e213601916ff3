"""Find personal numbers that a page splits into boxes: the four cells of a card number, the parts of a telephone number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..contracts.check_digits import is_iban_valid, is_luhn_valid

_GROUP: Final = re.compile(r"[+(]{0,2}\d{1,8}\)?|[A-Z]{2}\d{2}|[A-Z0-9]{4}")
_CARDS: Final = frozenset({(4, 4, 4, 4), (4, 6, 5), (4, 4, 4, 4, 3)})
_ISSUED: Final = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6(?:011|5|4[4-9])")
"""First digits of card numbers that are issued."""
_MOST: Final = 9
"""Groups of digits in the longest number: an IBAN of Malta has eight."""


def is_digit_group(text: str) -> bool:
    """Return whether a text may be one group of digits of a card, telephone or account number that a page splits into
    boxes.
    """
    return 0 < len(text) <= 10 and _GROUP.fullmatch(text) is not None


def iter_number_spans(boxed_texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (begin, end) for each run of adjacent groups of digits that together make a personal number, in order and
    without overlap.
    """
    at = 0
    while at < len(boxed_texts):
        end = next(
            (e for e in range(min(len(boxed_texts), at + _MOST), at + 1, -1) if _is_personal_number(boxed_texts[at:e])),
            0,
        )
        if end:
            yield at, end
        at = end or at + 1


def _is_personal_number(groups: Sequence[str]) -> bool:
    whole = "".join(groups)
    if whole.isdigit():
        return tuple(map(len, groups)) in _CARDS and _ISSUED.match(whole) is not None and is_luhn_valid(whole)
    if groups[0][0] == "+":
        digits = re.sub(r"[+()]", "", whole)
        return len(groups[0]) <= 4 and digits.isdigit() and 9 <= len(digits) <= 15 and "+" not in whole[1:]
    return len(groups) > 3 and is_iban_valid(whole)


def split_by_weights(text: str, weights: Sequence[int]) -> list[str]:
    """Split a text into one piece for each weight; the lengths of the pieces are in proportion to the weights."""
    total, at, out = sum(weights), 0, []
    for weight in weights:
        out.append(text[at * len(text) // total : (at + weight) * len(text) // total].strip())
        at += weight
    return out
