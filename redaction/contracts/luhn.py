"""The check digit of payment cards."""

from __future__ import annotations


def luhn(digits: str) -> bool:
    """Return whether the check digit of a card number holds."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        n = int(digit) * (1 + i % 2)
        total += n - 9 if n > 9 else n
    return total % 10 == 0
