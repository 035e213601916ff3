"""Find secrets in a text: keys, tokens, passwords, one-time codes, seed phrases, random words.

Presidio has no recognizer for them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from ...contracts.findings import Finding
from ...words.phrase_lists import PhraseLists, expand_rules, parse_flags
from ...words.prefiltered_pattern import PrefilteredPattern
from ..filters.foreign_words import is_foreign_interface_word

LISTS = PhraseLists("secrets")


class SecretRule(NamedTuple):
    """A pattern for one kind of secret. The secret is the group ``s`` or ``s2``, or the whole match."""

    name: str
    entity: str
    entropy: float
    """Least entropy of the secret, in bits a character."""
    pattern: PrefilteredPattern


@lru_cache(maxsize=1)
def load_rules() -> tuple[SecretRule, ...]:
    """Return the rules of `secrets.txt`."""
    lines = expand_rules(resources.files(__package__).joinpath("secrets.txt").read_text("utf-8"))
    parts = (line.split(" ", 4) for line in lines)
    return tuple(
        SecretRule(name, entity, float(bits), PrefilteredPattern(p, parse_flags(flags)))
        for name, entity, bits, flags, p in parts
    )


_ENTROPIC = re.compile(r"(?<![\w+/=.-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/-]{24,}={0,2}(?![\w+/-])")
_HEX = re.compile(r"[0-9a-fA-F-]+\Z")
_PLAIN = re.compile(rf"(?:{LISTS.PLAIN})\Z", re.IGNORECASE)


_SAID = LISTS.to_word_set("SAID")
"""Words that interfaces use about a password."""


def _looks_like_a_password(value: str, after: str) -> bool:
    """Return whether the word after "password" in another language is a password, and not a plain word of the
    sentence.
    """
    if len(value) < 3 or value.lower() in _SAID or _PLAIN.match(value):
        return False
    if re.search(r"[\d!@#$%^&*_+~]", value) or (re.search(r"[A-Z]", value[1:]) and re.search(r"[a-z]", value)):
        return True
    return value.isascii() and not after.strip(" .!?)\"'»")


def _continues_sentence(value: str, before: str) -> bool:
    """Return whether a word after "password" continues the sentence: *la contraseña es obligatoria*, *Das Passwort
    ist abgelaufen*.
    """
    return (
        value.isalpha()
        and value.islower()
        and before.rstrip(" \"'`«„“")[-1:] not in (":", "=")
        and is_foreign_interface_word(value)
    )


_LETTERS = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def compute_entropy(text: str) -> float:
    """Return the Shannon entropy of a text, in bits a character."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values()) if text else 0.0


def find_secrets(text: str) -> list[Finding]:
    """Return the secrets in a text."""
    found = list(_apply_rules(load_rules(), text))
    if len(text) >= 36:
        found += find_seed_phrases(text)
    if len(text) >= 24:
        for match in _ENTROPIC.finditer(text):
            word = match.group()
            if looks_random(word) and text[match.end() : match.end() + 1] != "(":
                found.append(Finding(*match.span(), "SECRET", 0.6))
    return found


_SEED_RUN = re.compile(
    r"(?<![^\W_])(?:\d{1,2}[.):]?[^\S\n]*)?[A-Za-z]{3,8}(?:(?:[,;]?\s+|,)(?:\d{1,2}[.):]?\s*)?[A-Za-z]{3,8}){11,24}(?![^\W_])"
)
_SEED_LABEL = re.compile(
    r"(?:seed|recovery|mnemonic|wallet|backup|secret)(?:\s+(?:recovery|backup|seed))?\s*(?:phrase|words|mnemonic)?\b[^\n]{0,24}\Z",
    re.IGNORECASE,
)
_SEED_SIZES = frozenset({12, 15, 18, 21, 24})
_NO_SEED_WORD = LISTS.to_word_set("NO_SEED_WORD")
"""Words that no list for seed phrases has, and that most sentences of twelve words have."""


def find_seed_phrases(text: str) -> Iterable[Finding]:
    """Yield rows of 12, 15, 18, 21 or 24 small words that make no sentence, as wallets show them (BIP 39).

    After a label such as "recovery phrase" the sentence may continue behind the row.
    """
    for match in _SEED_RUN.finditer(text):
        words = list(re.finditer(r"[A-Za-z]+", match[0]))
        said = _SEED_LABEL.search(text[: match.start()])
        first = 0
        if not said:  # the label may stand in the run itself: "my recovery phrase is …"
            for at, word in enumerate(words[:-11]):
                if word[0].lower() in ("phrase", "mnemonic", "words"):
                    first, said = at + 1 + (words[at + 1][0].lower() in ("are", "was")), word
        row = [w[0] for w in words[first:]]
        small = [w.lower() for w in row]
        if len(set(small)) * 10 < len(small) * 8 or not (
            all(w.islower() for w in row) or all(w.isupper() for w in row)
        ):
            continue
        if not said and (len(row) not in _SEED_SIZES or not _NO_SEED_WORD.isdisjoint(small)):
            continue
        begin = match.start() + (words[first].start() if first else 0)
        yield Finding(begin, match.end(), "SECRET", 0.9)


def looks_random(word: str) -> bool:
    """Return whether a word of letters and digits is random: long, with 3.5 bits a character or more, or 24 hex
    digits or more.
    """
    if _HEX.match(word):
        return len(word.replace("-", "")) >= 24 and compute_entropy(word) > 2.8
    if "/" in word and not re.search(r"[A-Z]", word):
        return False
    parts = re.split(r"[-_/]", word)
    if len(parts) > 2 and sum(p.isalpha() and (p.islower() or p.istitle()) for p in parts) * 2 >= len(parts):
        return False
    return (
        compute_entropy(word) > 3.5
        and bool(re.search(r"\d.*\d", word) or _has_random_case(word))
        and bool(re.search(r"[A-Z]", word) or compute_entropy(word) > 4)
    )


def _has_random_case(word: str) -> bool:
    """Return whether capitals and small letters alternate at random, unlike in an identifier: most parts have one or
    two letters.
    """
    parts = _CAMEL.findall(word)
    return len(word) >= 20 and word.isalnum() and sum(len(part) <= 2 for part in parts) * 2 > len(parts) > 5


def _apply_rules(rules: Iterable[SecretRule], text: str) -> Iterable[Finding]:
    for rule in rules:
        for match in rule.pattern.finditer(text):
            groups = match.groupdict()
            name = next((g for g in ("s", "s2") if groups.get(g) is not None), None)
            start, end = match.span(name) if name else match.span()
            value = text[start:end]
            if rule.name == "keyed":
                end -= len(value) - len(value.rstrip(".)!?]}"))
                value = text[start:end]
                spoken = re.search(r"\b(?:is|was)\b", match.group()[: start - match.start()], re.IGNORECASE)
                if (
                    _PLAIN.match(value)
                    or value.casefold() in _LETTERS.findall(match[0][: start - match.start()].casefold())
                    or (spoken and not re.search(r"[\d!@#$%^&*_]", value))
                    or (" " in value and "\n" not in value and value.count(" ") > 3)
                ):
                    continue
                if (
                    value.isalpha()
                    and value.islower()
                    and not groups.get("q")
                    and text[start - 1 : start] == " "
                    and len(value) < 6
                ):
                    continue
            if rule.name == "keyed_languages":
                end -= len(value) - len(value.rstrip(".)!?]}।"))
                value = text[start:end]
                if not _looks_like_a_password(value, text[end:]) or _continues_sentence(value, text[:start]):
                    continue
            if rule.name == "prefixed" and text[end : end + 1] == "(":
                continue  # a function's name
            if end > start and compute_entropy(value) >= rule.entropy:
                yield Finding(start, end, rule.entity, 0.95)
