"""Companies by the nouns and labels around them: *my Tarnow account*, *Tarnow's customer service*, *At Tarnow, we*, *Supplier: Tarnow*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import CHAT, english, ordinary
from ...words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, function_words

_SMALL = function_words("company") | function_words("small") | CHAT
_WORD = r"[^\W\d_][\w'’.+-]*"
_NAME = rf"(?P<s>{_WORD}(?:[ ](?:&[ ]|and[ ](?=(?-i:[^\W\d_a-z])))?{_WORD}){{0,3}}?)"
_OWNED = (
    "account|bill|invoice|subscription|policy|membership|statement|contract|loan|mortgage|card|representative|rep|agent|employee|employees|store|stores|shop|branch|website|site|app|helpline|hotline|support|team|"
    "customers?|clients?|staff|office|offices|headquarters|building|factory|plant|warehouse|order|delivery|driver|courier|customer[ ]service|customer[ ]support|shares|stock|products?|services?|competitors?|management|"
    "lawyers?|spokes(?:man|woman|person)|ceo|cfo|cto|founder|board|subsidiary|brand|franchise|dealership|parts|manual|warranty|newsletter|conference|campus|canteen|logo"
)
_MIDDLE = re.compile(
    rf"\b(?:my|your|his|her|our|their|an?|the|this|that|of|from|at|to|with|by|via|new)[ ]{_NAME}[ ](?:{_OWNED})(?![\w-])",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(
    rf"(?<![\w@.-]){_NAME}['’]s[ ](?:[a-z]+[ ])?(?:{_OWNED}|policies|pricing|prices|ceo|quality|reputation|profits?|revenues?|earnings|merger|bankruptcy|acquisition|announcement)(?![\w-])",
    re.IGNORECASE,
)
_AT = re.compile(
    rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n))(?:here[ ])?at[ ]{_NAME},[ ](?:we|our|you|they|employees|customers|everyone|people|all)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"(?:^|(?<=[|·•\t\n/;,(]))[ ]*(?:company|employer|organi[sz]ation|client|supplier|vendor|firm|business|merchant|bank|insurer|payee|carrier|manufacturer|contractor|institution|school|university|hospital)(?:[ ]name)?[ ]?[:=][ ]*"
    rf"(?P<s>{_WORD}(?:[ ](?:&[ ])?{_WORD}){{0,4}})(?=[ ]*(?:$|[|·•\t\n/;,(]))",
    re.IGNORECASE | re.MULTILINE,
)
_CALLING = re.compile(
    rf"\b(?:this[ ]is|i'm|i[ ]am|it's|its|my[ ]name[ ]is|hi|hello|hey|spoke[ ](?:to|with)|met|ask|call|contact)[,]?[ ](?:{_WORD}[ ]){{1,3}}?(?:from|at|with|of)[ ]{_NAME}(?=[ ]*(?:[,;!?()\n]|\.(?:\s|$)|$)|[ ](?:and|about|who|regarding|on|for|in|im|i'm|here|calling)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"(?:\A|(?<=[.!?\n]\s)|(?<=\n)|(?<=that[ ])|(?<=because[ ])|(?<=and[ ])|(?<=but[ ]))(?:the[ ])?{_NAME}[ ](?:(?:has|have|had|will|would)[ ](?:never[ ]|not[ ]|already[ ]|just[ ]|also[ ])?(?:sent|hired|fired|charged|refunded|shipped|delivered|cancelled|canceled|acquired|bought|sold|announced|"
    rf"launched|laid[ ]off|refused|raised|merge|merged|acquire|hire|sponsor|sponsored|renew|renewed|offered|billed|overcharged)|charged[ ](?:me|us)|refunded|shipped|delivered[ ](?:my|our|the)|sent[ ](?:me|us)|sells|sold[ ](?:me|us)|makes|manufactures|owes|sponsors|employs|hires|charges|offers)(?![\w-])",
    re.IGNORECASE,
)
_PATTERNS = (_MIDDLE, _POSSESSIVE, _AT, _CALLING, _SUBJECT)
_GATE = re.compile(
    rf"\b(?:{_OWNED})\b|\b(?:at|from|of|with)[ ]|[:=]|\b(?:has|have|had|will|would|charged|refunded|shipped|delivered|sent|sells|sold|makes|owes|employs)\b",
    re.IGNORECASE,
)


def find_firms(text: str) -> list[Finding]:
    """Return companies that what stands around them tells. Each word of one has a capital, or is no word of the language where there are none."""
    if " " not in text or len(text) > 2_000 or not _GATE.search(text):
        return []
    uncased = text.islower() or text.isupper()
    found = [f for pattern in _PATTERNS for m in pattern.finditer(text) for f in _named(text, *m.span("s"), uncased)]
    return [*found, *(f for m in _LABELLED.finditer(text) for f in _labelled(text, m))]


def _named(text: str, start: int, end: int, uncased: bool) -> Iterable[Finding]:
    words = list(re.finditer(r"[^\s,]+", text[start:end]))
    while words and (words[0][0].lower() in _SMALL or (not uncased and not words[0][0][0].isupper())):
        words.pop(0)
    plain = [w[0].strip(".'’") for w in words if w[0] != "&"]
    if not plain or any(p.lower() in _SMALL - {"and", "of"} for p in plain):
        return
    if uncased:
        told = any(not english(p) for p in plain) and all(not ordinary(p) for p in plain)
    else:
        told = all(p[0].isupper() or p.lower() in ("and", "of") for p in plain) and any(not ordinary(p) for p in plain)
        told = told and not (len(plain) == 1 and plain[0].isupper() and len(plain[0]) < 6)
    if (
        told
        and not any(p.lower() in TECHNOLOGY or p.lower() in LANGUAGES for p in plain)
        and not all(p.lower() in UI_WORDS for p in plain)
    ):
        yield Finding(start + words[0].start(), start + words[-1].end(), "ORGANIZATION", 0.5)


def _labelled(text: str, match: re.Match[str]) -> Iterable[Finding]:
    words = match["s"].split()
    if any(not ordinary(w) and w.lower() not in TECHNOLOGY and w.lower() not in UI_WORDS for w in words) and not any(
        w.lower() in _SMALL - {"and", "of"} for w in words
    ):
        yield Finding(*match.span("s"), "ORGANIZATION", 0.5)
