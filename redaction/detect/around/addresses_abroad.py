"""Addresses as other countries write them: by the word for a street behind its name (*Atatürk Cad. No: 15*), and the floor and the
door behind the house (*Calle Mayor 41, 2º B*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_LONGEST = 5_000
_TURKISH = Late(
    r"(?<!\w)(?:[^\W_][\w'’.]*[ ]){1,3}(?:Caddesi|Cad\.?|Cd\.|Sokağı|Sokak|Sok\.|Sk\.|Bulvarı|Bulv\.|Blv\.|Mahallesi|Mah\.),?[ ](?:(?:No|Nu|Numara)\.?[ ]?:?[ ]?)?\d{1,4}(?:/\d{1,3}|[ ]?[A-Z])?(?!\w)",
    re.IGNORECASE,
)
_FLOOR = re.compile(
    r",?[ ](?:(?:piso|planta|puerta|pta\.?|esc\.?(?:alera)?|andar|apto\.?|bloque|bloco|interno|int\.|scala|étage|appt\.?|bât\.?|whg\.?|etage)[ ]?\d{1,3}[ºª°]?[ ]?[a-z]?|\d{1,2}[.]?[ºª°](?:[ ]?(?:izq(?:uierda|da)?|der(?:echa)?|dcha|dto|esq|centro|[a-z])\.?)?)(?!\w)",
    re.IGNORECASE,
)


def find_addresses_abroad(text: str) -> Iterable[Finding]:
    """Yield such addresses."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return
    for match in _TURKISH.now.finditer(text):
        yield Finding(*match.span(), "ADDRESS", 0.6)


def floor_after(text: str, end: int) -> int:
    """Return where an address that ends there ends with the floor and the door behind it."""
    while floor := _FLOOR.match(text, end):
        end = floor.end()
    return end
