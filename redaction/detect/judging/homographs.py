"""Words of other languages that people are called by as well, where what stands beside them says that they are words: ``Ben je zeker?``, ``einen Nick``."""

from __future__ import annotations

import re

from ...contracts.types import NAMED, Finding
from .foreign import is_foreign

_WORDS = re.compile(
    r"Ben (?:je|jij|ik|u|er)\b|Toon (?!heeft|is|was|wil|kan|gaat|zei|schreef|had|komt|en\b|van\b)[a-z]{2,}|Stel (?:de|het|een|in)\b|Bas(?:e|is)\b"
    r"|Massim[oa] (?:di|del|della|numero|consentit[oa]|per|\d)|Chiar[oa] (?:e|o) scur[oa]|Bruno (?:scuro|chiaro)|Costante\b|Felice di\b"
    r"|Mar(?:ca|car)\b|Rosa (?:claro|oscuro|pálido|claire|pâle)|Avril \d|Juin\b|Mai \d"
)
_THING = re.compile(r"(?<![\w'’])(?:ein|eine|einen|einem|einer|eines|een|une?|una|uno|uma?)\s\Z", re.IGNORECASE)
_SMALL = re.compile(
    r"(?<![\w'’])(?:der|die|das|den|dem|des|het|de|le|la|il|lo|el|al|del|du|o|do|da|ao|al|dal|nel|kein|keine)\s\Z",
    re.IGNORECASE,
)


def of_words(text: str, f: Finding) -> bool:
    """Return whether a finding of one word in a text that is not English is a word: at its beginning, after an indefinite article, small after an article."""
    value = text[f.start : f.end]
    if f.entity not in NAMED or not value.isalpha() or not is_foreign(text):
        return False
    if f.start == 0 and (match := _WORDS.match(text)) is not None and match.end() >= f.end:
        return True
    before = text[max(0, f.start - 8) : f.start]
    if _THING.search(before):
        return not text[f.end :].lstrip()[:1].isupper()
    return value.islower() and any(map(str.isupper, text)) and _SMALL.search(before) is not None
