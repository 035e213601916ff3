"""Find values after labels and keys within a text, in many languages: *Stanowisko: operator wózka*, *{"cittadinanza": "rumena"}*, *Felhasználónév kovt84*."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...contracts.findings import Finding, TextContext, build_whole_text_finding
from ...words.phrase_lists import PhraseLists
from .label_entities import CAMEL, asks_for_a_choice, find_by_label, find_label_entity
from .label_words import find_foreign_label_entity
from .positions import contains_occupation

LISTS = PhraseLists("under_labels")

_LONGEST = 4_000
_LABEL = r"(?P<label>[^\W\d_](?:[^\n\"'“”:：=|\t{}\[\],;()]|[ ]?\([^()\n]{1,12}\)){0,38}?)"
_PAIRS = (
    re.compile(rf"\\?[\"'“]{_LABEL}\\?[\"'”][ ]?[:=][ ]?\\?[\"'“](?P<s>[^\"'“”\\\n]{{1,80}})\\?[\"'”]"),
    re.compile(rf"\\?[\"'“]{_LABEL}\\?[\"'”][ ]?[:=][ ]?(?P<s>\d{{1,3}})(?=[ ]?[,}}\n\]])"),
    re.compile(
        rf"(?:\A|[\n{{,;|(\[\t·•/]|[–—-][ ]|[.][ ])[ ]*{_LABEL}[ ]?(?:[:：=]|\t)[ \t]*(?P<s>[^\s\"'“”:：=|{{}}\[\],;()·•/](?:[^\n\"'“”:：=|\t{{}}\[\],;()·•/–—。،]|\.(?![ ]|\Z)|/(?=\w)){{0,60}})(?=[\n|\t,;)\]·•/–—。،]|[.](?:[ ]|\Z)|[ ]*\Z)"
    ),
)
_KINDS = frozenset({"TITLE", "AGE", "USERNAME", "VALUE", "PERSON", "ADDRESS", "LOCATION", "ORGANIZATION"})
_NATIONS = re.compile(r"\W*(?:nationality|citizenship|ethnicity)\W*", re.IGNORECASE)
_SCORE = 0.9
"""The score of findings after a label within a text. A longer finding of no type may contain one."""
_MARK = re.compile(r"[:：=\t]")
_LOGIN = re.compile(r"(?=[^\s]*[^\W\d_])[\w.@+-]{3,40}")
_MAY_ASK = re.compile(rf"\W*(?:aktuelle\s+)?(?:{LISTS.MAY_ASK})\W*", re.IGNORECASE)
"""Labels for an occupation that also label other things."""


def may_ask_for_occupation(label: str) -> bool:
    """Return whether a label may ask for an occupation: *Funktion*, ``jobTitle``."""
    return _MAY_ASK.fullmatch(CAMEL.sub(" ", label)) is not None


def find_occupation_under_label(label: str, text: str) -> Finding | None:
    """Return a finding of the whole text if its label may ask for an occupation and one of its words is one, else
    None.
    """
    return (
        build_whole_text_finding(text, "TITLE", 0.5)
        if may_ask_for_occupation(label) and contains_occupation(text)
        else None
    )


def find_labelled_values(text: str) -> Iterable[Finding]:
    """Yield a finding for each value after a label or key within a text."""
    if len(text) > _LONGEST or not _MARK.search(text):
        return
    for pattern in _PAIRS:
        at = 0
        while match := pattern.search(text, at):
            # The next text may be a label as well, so the mark before it is matched again.
            at = match.start("s") if match["s"] else match.end()
            entity = _find_label_entity(match["label"])
            value = match["s"].rstrip()
            if entity is None or (entity == "USERNAME" and not _LOGIN.fullmatch(value)):
                continue
            if (
                find_label_entity(value) is not None
                or _repeats_label_word(value, match["label"])
                or asks_for_a_choice(value)
            ):
                continue
            for f in find_by_label(value, TextContext(match["label"])):
                start = match.start("s")
                yield Finding(f.start + start, f.end + start, "NRP" if entity == "VALUE" else entity, _SCORE)


def _repeats_label_word(value: str, label: str) -> bool:
    """Return whether a value repeats a word of its label, as examples and messages do: *Empresa: nombre de la
    empresa*.
    """
    words = set(re.findall(r"[^\W\d_]{4,}", value.casefold()))
    return not words.isdisjoint(re.findall(r"[^\W\d_]{4,}", label.casefold()))


@lru_cache(maxsize=4_096)
def _find_label_entity(label: str) -> str | None:
    """Return the entity that a label announces, or None. The whole label must be the word for it."""
    plain = " ".join(label.split())
    entity = "VALUE" if _NATIONS.fullmatch(plain) else find_foreign_label_entity(plain)
    return entity if entity in _KINDS else None
