"""Interfaces in German, French, Spanish, Portuguese and Italian: their words are nobody's, though the models, trained on English, take a
``Spaltenfelder`` or an ``Eliminar fila`` for a person.

A word is known by its stem and an ending, in German by the parts of a compound as well. Nothing here speaks against a name in an English
sentence, a word that people are called by, or a finding of which one word is not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from .types import Finding
from .words import common_words, given_names

_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LEAST = 3
_DIGITS = 2
"""Digits from which on a text may be an address."""
_PREFIXES = frozenset(
    """
    ab an auf aus be bei da ein ent er fort ge gegen haupt her herunter hin hinzu hoch mit nach neu nicht ober um un unter ver vor weg
    weiter wieder zer zu zurück zusammen zwischen über
    """.split()  # noqa: SIM905
)
_JOINTS = ("", "s", "n", "en", "es", "e")
_ENGLISH = frozenset(
    """
    about all also am an and any are as at be been but by can could did do does down for from had has have he her here his i if in into is it
    just live me more most my new no not of on only or our out over please she should so than that the their them then there these they this to
    up us very was we were what when where which who will with would yes you your
    """.split()  # noqa: SIM905
)
_VERBS = ("ar", "er", "ir", "are", "ere", "ire")
_ARTICLES = frozenset(
    [
        "a",
        "al",
        "as",
        "das",
        "de",
        "del",
        "do",
        "dos",
        "du",
        "e",
        "el",
        "en",
        "i",
        "il",
        "in",
        "la",
        "las",
        "le",
        "les",
        "lo",
        "los",
        "o",
        "os",
        "un",
        "una",
        "um",
        "uma",
        "une",
    ]
)
_CALLED = frozenset(
    """
    becker berger bernard bianco binder blanc blanco bravo braun brun bruno calvo campos carpentier charpentier colin conti correa cortes cortés costa cruz
    delgado dias dreher ehrlich faust ferrari flores fort fournier franco fröhlich fuchs fuentes garnier groß gross große guerra jäger jung kaiser
    keller klein kleine kreis kurz lang lange langer leite lima linder maler marino marques martin masson mercier mesa meunier moreno neumann noir
    petit picard pinto prado reis reiter reyes richter rios ritter robert romano rosa rosas rossi roth roux salas sala sander santos schneider schreiber
    schwarz sommer spieler springer stark stein teller valle vega vela ventura verde vidal walter weber weiss weiß winkel winter
    """.split()  # noqa: SIM905
)
"""Words that are families' names as well."""


@dataclass(frozen=True, slots=True)
class _Language:
    stems: frozenset[str]
    endings: frozenset[str]
    small: frozenset[str]
    """Words that make sentences, and take no ending."""

    def has(self, word: str) -> bool:
        return word in self.small or any(
            word[:cut] in self.stems and word[cut:] in self.endings for cut in range(len(word), _LEAST - 1, -1)
        )


@lru_cache(maxsize=1)
def _languages() -> dict[str, _Language]:
    found: dict[str, tuple[set[str], set[str], set[str]]] = {}
    name = ""
    for line in resources.files(__package__).joinpath("foreign_words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = (set(), {""}, set())
        elif name and not line.startswith("#"):
            kind = {"-:": 1, "=:": 2}.get(line[:2], 0)
            found[name][kind].update(line[2:].split() if kind else line.split())
    return {name: _Language(*map(frozenset, sets)) for name, sets in found.items()}


@lru_cache(maxsize=20_000)
def known(word: str) -> bool:
    """Return whether a word in lower case is one of interfaces in one of these languages."""
    return any(language.has(word) for language in _languages().values()) or _compound(word)


def _compound(word: str, depth: int = 3) -> bool:
    german = _languages()["de"]
    if german.has(word):
        return True
    if depth == 0 or len(word) < 6:
        return False
    if any(
        word.startswith(p) and len(word) - len(p) >= _LEAST and _compound(word[len(p) :], depth - 1) for p in _PREFIXES
    ):
        return True
    return any(
        german.has(word[: cut - len(joint)]) and word[:cut].endswith(joint) and _compound(word[cut:], depth - 1)
        for cut in range(_LEAST + 1, len(word) - _LEAST + 1)
        for joint in _JOINTS
        if cut - len(joint) >= _LEAST
    )


def of_foreign_interface(text: str, f: Finding) -> bool:
    """Return whether a finding in a text that is not English consists of words that are nobody's."""
    value = text[f.start : f.end]
    if len(value) == 1 and _HAN.match(value):  # one letter of a word
        return any(_HAN.match(c) for c in text[max(0, f.start - 1) : f.start] + text[f.end : f.end + 1])
    words = [w.lower() for w in _WORD.findall(value)]
    if not words or any(w in given_names() for w in words) or sum(c.isdigit() for c in text) > _DIGITS:
        return False
    if not value.islower() and all(w in _CALLED for w in words):
        return False
    english, foreign = _evidence(text)
    if english and english >= foreign:
        return False
    if all(len(w) < 2 or known(w) or w in common_words() for w in words):
        return True
    if not (foreign or not text.isascii()) or not text[:1].isupper():
        return False
    return value.islower() or _begins(text, f, words)


def _begins(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding is the beginning of a label, with small words after it that names do not have: ``Traducir al coreano``."""
    if f.start or any(w in _CALLED for w in words):
        return False
    if len(words) > 1:
        return all(w[0].islower() for w in _WORD.findall(text[: f.end])[1:])
    follows = _WORD.match(text, f.end + 1)
    return len(words[0]) > 4 and words[0].endswith(_VERBS) and follows is not None and follows.group() in _ARTICLES


def _evidence(text: str) -> tuple[int, int]:
    """Return how many words of English sentences, and of sentences in the other languages, a text has."""
    words = [w.lower() for w in _WORD.findall(text)]
    english = sum(w in _ENGLISH for w in words)
    small = [language.small for language in _languages().values()]
    return english, max(
        sum(len(w) > 1 and w in known_small and w not in _ENGLISH for w in words) for known_small in small
    )
