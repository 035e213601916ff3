"""Recognize form labels for names, addresses and numbers, in English and some twenty other languages (`labels.txt`)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib import resources

from ...words.phrase_lists import expand_rules
from ...words.prefiltered_pattern import LazyPattern

_LONGEST = 200
_FILE = resources.files(__package__).joinpath("labels.txt").read_text("utf-8")
_APART = {"ł": "l", "ø": "o", "ß": "ss", "ı": "i", "đ": "d", "æ": "ae", "œ": "oe"}
"""Latin letters that are no combination of another letter and a mark → their plain spelling."""


def _strip_accents(pattern: str) -> str:
    """Return a pattern without the accents of Latin letters, because JSON keys and database columns are written
    without them: *uzytkownik*, *ciudadania*.
    """
    return re.sub("[À-ɏḀ-ỿ]", lambda m: _APART.get(m[0]) or unicodedata.normalize("NFD", m[0])[0], pattern)


def _read_label_rules(section: str) -> list[tuple[str, str]]:
    parts = (line.split(" ", 2) for line in expand_rules(_FILE))
    return [(entity, pattern) for which, entity, pattern in parts if which == section]


LABELS = tuple((entity, re.compile(pattern, re.IGNORECASE)) for entity, pattern in _read_label_rules("english"))
"""Entity and pattern of English labels. The first pattern that matches decides."""
_ABROAD, _BARE_LABELS = (
    tuple(
        (entity, LazyPattern(rf"\W*(?:{written(pattern)})\W*", re.IGNORECASE))
        for entity, pattern in _read_label_rules("abroad")
    )
    for written in (str, _strip_accents)
)


@lru_cache(maxsize=8_192)
def find_foreign_label_entity(label: str) -> str | None:
    """Return the entity that a label in another language than English announces, or None."""
    if len(label) > _LONGEST:
        return None
    for labels in (_ABROAD, _BARE_LABELS) if label.isascii() else (_ABROAD,):
        for entity, pattern in labels:
            if pattern.compiled_pattern.fullmatch(label):
                return entity
    return None
