"""A telephone's number within a house, and one that is written in twos: *ext. 4471*, *Durchwahl 204*, *tst. 4471*, *доб. 118*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.late import Late

_RULE = Late(
    r"(?<![\w.-])(?:(?:ext|extn|tst|toest|durchw|nebenst|anst|ankn|wewn|wew|доб|внутр|вн|εσωτ)\.[ ]?|"
    r"(?:tel(?:ephone|efon)?|phone|call|dial|ring|reach[ ](?:me|him|her|us)[ ](?:on|at)|(?:my|his|her|our|your)|on|at|,|\()[ ]?,?[ ]?(?:ext|extension)[ ]?[:#]?[ ]?|"
    r"(?:durchwahl|nebenstelle|apparat|poste|anexo|ramal|interno|toestel|toestelnummer|wewnętrzny|klapka|anknytning|lokalnummer|alanumero|mellék|melléke|dahili|добавочный|внутренний|εσωτερικό)(?:[ ]n[.ro°º]{0,2}|[ ]?:)?[ ])"
    r"(?P<s>\d{3,5})(?![\w%/]|[.,:]\d|[ ]?(?:%|px|mm|cm|kg|€|\$|eur|usd|von|of)\b)",
    re.IGNORECASE,
)
_PAIRED = re.compile(
    r"(?<![\d+/-])(?<!\d[ .,])\d{2}[ ]\d{3}[ ]\d{2}[ ]\d{2}(?![\d/-]|[ .,]\d|[ ]?(?:bytes?|[kKMG]i?B|B|zł|Kč|Ft|EUR|USD|€|\$|%|km|m|kg|g|ks|szt)\b)"
)
"""As Poland writes the number of a telephone that stands in a town: *22 614 08 95*."""
_WORD = re.compile(r"\d{3}")


def find_extensions(text: str) -> Iterable[Finding]:
    """Yield such numbers."""
    if len(text) > 4_000 or not _WORD.search(text):
        return
    for match in _PAIRED.finditer(text):
        yield Finding(*match.span(), "PHONE_NUMBER", 0.7)
    for match in _RULE.now.finditer(text):
        yield Finding(*match.span("s"), "PHONE_NUMBER", 0.6)
