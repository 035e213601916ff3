"""Passwords behind what they are for (*Heslo k Wi-Fi v chatě: tri-sovy-19*), and tokens in prose (*revoke tok_90cd17ab*)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.late import Late
from ..words.words import TECHNOLOGY, UI_WORDS
from .secret_rules import PASSWORD_WORDS

_FAR = Late(
    rf"(?:{PASSWORD_WORDS}|\b(?:code\s?word|pass\s?word|pass\s?phrase|pass\s?code|codewort|losungswort|mot\sde\scode|palabra\sclave|codeord|tunnussana|jelige))(?![^\W\d_])[^\n:=.!?]{{1,40}}[^\S\n]?[:：][^\S\n]?[\"'`«„“]?"
    r"(?P<s>(?=[^\s\"'`]*[^\W\d_])(?=[^\s\"'`]*[\d_!@#$&*+]|[^\s\"'`]*[^\W\d_][-.][^\W\d_])[^\s\"'`,;&<>{}%()»”]{5,64})",
    re.IGNORECASE,
)
_NEAR = Late(
    rf"(?:{PASSWORD_WORDS}|\b(?:pass\s?word|pass\s?phrase|pass\s?code))[^\S\n](?:(?:is|was|ist|lautet|est|es|é|è|jest|är|er|to|je|on)[^\S\n])?[\"'`«„“]?"
    r"(?P<s>(?=[^\s\"'`]*[^\W\d_])(?=[^\s\"'`]*\d)(?=[^\s\"'`]*[!#$@&*+=^~_?%])[^\s\"'`,;<>{}()»”]{6,64})",
    re.IGNORECASE,
)
"""Without a colon: *mein Kennwort Regenbogen!71*. A letter, a digit and a sign tell it from a word."""
_SHORT = Late(
    rf"(?:{PASSWORD_WORDS})[^\S\n](?:(?:is|ist|lautet|est|es|é|è|jest|är|er|to|je|on)[^\S\n])?[\"'`«„“]?(?P<s>(?=[^\s\"'`]*[^\W\d_]{{3}})(?=[^\s\"'`]*[-.]\d)(?=[^\s\"'`]*[a-zß-ÿ])[^\W\d_][^\s\"'`,;:/<>{{}}()»”]{{5,64}})",
    re.IGNORECASE,
)
"""A dot or a hyphen before the digits, where another language's word stands right before: *şifre Ceviz.77dal*."""
_ASKED = Late(
    rf"{PASSWORD_WORDS}|\b(?:pass\s?(?:words?|phrases?|codes?)|pw|pwd|psw|passwd|credentials?|logins?)\b", re.IGNORECASE
)
_MIXED = re.compile(
    r"(?<![^\s\"'`«„“(=:,])(?=[^\s\"'`]{0,60}?[^\W\d_]{3})(?=[^\s\"'`]{0,60}?\d)(?=[^\s\"'`]{0,60}?[\w][!#$@*+^~?%][\w])(?![^\s]*(?:://|@[\w-]+\.|\.\w{2,4}\?))"
    r"(?P<s>[^\W\d_][^\s\"'`,;<>{}()»”/=&]{5,40}\w)(?=[\"'`»”)]|[.,;:!?]?(?:\s|\Z))"
)
"""Letters, digits and a sign within one word, where a text speaks of passwords at all: *The caller gave us "Tram!route-19b"*."""
_TOKEN = re.compile(
    r"(?<![\w.-])(?:tok|token|sess|session|secret|pat|apikey|auth|rt|sid|refresh|access|bearer|api|key|cred|inv|invite)_(?=[a-z0-9]{7,64}(?![\w-]))(?=(?:[a-z]*\d){2})(?=(?:\d*[a-z]){2})(?=[a-z]*\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[a-z0-9]+",
    re.IGNORECASE,
)


def _of_programs(word: str) -> bool:
    """Return whether all letters of it are of programs and their interfaces: *senha reset-2024*, *Passwort SHA-256*."""
    parts = re.findall(r"[^\W\d_]+", word.lower())
    return word.isupper() or all(part in TECHNOLOGY or part in UI_WORDS for part in parts)


def find_passes(text: str) -> Iterable[Finding]:
    """Yield such secrets."""
    if len(text) > 5_000:
        return
    if ":" in text or "：" in text:
        yield from (
            Finding(m.start("s"), m.start("s") + len(m["s"].rstrip(".!?")), "SECRET", 0.8)
            for m in _FAR.now.finditer(text)
        )
    for match in _NEAR.now.finditer(text) if any(map(str.isdigit, text)) else ():
        yield Finding(match.start("s"), match.start("s") + len(match["s"].rstrip(".!?")), "SECRET", 0.8)
    if any(map(str.isdigit, text)):
        yield from (Finding(*m.span("s"), "SECRET", 0.8) for m in _SHORT.now.finditer(text) if not _of_programs(m["s"]))
        if (mixed := _MIXED.search(text)) and _ASKED.now.search(text):
            yield from (Finding(*m.span("s"), "SECRET", 0.8) for m in _MIXED.finditer(text, mixed.start()))
    if "_" in text:
        yield from (Finding(*m.span(), "SECRET", 0.9) for m in _TOKEN.finditer(text))
