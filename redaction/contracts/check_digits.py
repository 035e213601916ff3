"""Check the check digits of payment cards and of bank accounts."""

from __future__ import annotations


def is_luhn_valid(digits: str) -> bool:
    """Return whether the check digit of a card number is right (Luhn's algorithm)."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        n = int(digit) * (1 + i % 2)
        total += n - 9 if n > 9 else n
    return total % 10 == 0


def is_iban_valid(account: str) -> bool:
    """Return whether the check digits of an IBAN are right (ISO 13616).

    :param account: the IBAN without spaces.
    """
    moved = account[4:] + account[:4]
    return (
        15 <= len(account) <= 34
        and moved.isascii()
        and moved.isalnum()
        and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
    )
