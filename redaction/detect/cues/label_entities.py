"""Decide what a label, a column header or a JSON key says about its value."""

from __future__ import annotations

import re
from functools import lru_cache

from pagereel.credentials import is_credential_name

from ...contracts.entities import NEVER_PROSE
from ...contracts.findings import Finding, TextContext, build_whole_text_finding
from ...words.english import is_no_name
from ...words.phrase_lists import PhraseLists
from ...words.word_lists import TECHNOLOGY, UI_WORDS, common_words, function_words, given_names, is_business_word
from .label_words import LABELS, find_foreign_label_entity
from .listed_names import may_be_uncapitalized_name
from .non_latin_names import PARTS_OF_NAMES, looks_like_a_name

LISTS = PhraseLists("context")

NAME_LABEL = re.compile(r"(?:your |the )?names?\W*\Z", re.IGNORECASE)
"""A label that is only the word "name". Products have names as well, so the value decides whether it is a person."""
_OF_A_PART = re.compile(r"(?:tab|plugin|column|field|module|tag|table|widget)[ _.-]?names?\W*\Z", re.IGNORECASE)
"""Names for a part of a program: ``tab_name``."""
_PERSON_VALUE = re.compile(r"[^\W\d_][\w'’.-]*(?:[ ,]+[^\W\d_][\w'’.-]*){0,4}\Z")
_SAID_IN_WORDS = re.compile(r"phrase|hint|answer|words|question|reminder|mnemonic", re.IGNORECASE)
"""Labels of secrets that consist of several words."""
_FUNCTION_WORDS = function_words("prose")
_MOST_WORDS = 7
"""Most words in the name of a company or a place."""
_STATE = re.compile(r"\bstate\b", re.IGNORECASE)
"""A header whose cells are places, or conditions."""
_NONE = LISTS.to_word_set("NONE")
_NOBODY = LISTS.to_word_set("NOBODY")  # fmt: skip
"""Words in a column of people that stand for no person."""
_OLD = re.compile(r"(?:[^\W\d_]+\W+){0,1}\d{1,3}(?:\W+(?!ago\b)[^\W\d_]+){0,3}\W*", re.IGNORECASE)
_OF_PROGRAMS = re.compile(r"gen_ai\.(?!.*user)")
"""Attributes of OpenTelemetry: ``gen_ai.agent.name`` is the name of a program, ``gen_ai.usage.input_tokens`` is no
secret.
"""
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_.\-\[\]]+")
"""The places between the words of a key."""
_REMEMBERED = 200
"""Most characters of a label whose entity is cached: a page repeats the label for each of its rows."""


def find_label_entity(label: str) -> str | None:
    """Return the entity that a label announces, or None. ``firstName``, ``first_name`` and ``First name`` are one
    label.
    """
    return (
        _find_label_entity_cached(label) if len(label) <= _REMEMBERED else _find_label_entity_cached.__wrapped__(label)
    )


@lru_cache(maxsize=16_384)
def _find_label_entity_cached(label: str) -> str | None:
    if _OF_PROGRAMS.match(label):
        return None
    if is_credential_name(label):
        return "SECRET"
    plain = " ".join(CAMEL.sub(" ", label).split())
    for entity, pattern in LABELS:
        if pattern.search(plain):
            return entity
    return find_foreign_label_entity(" ".join(label.split())) or find_foreign_label_entity(plain)


def find_by_label(text: str, context: TextContext) -> list[Finding]:
    """Return a finding of the whole text if its label announces an entity, and the text looks like a value and not
    like prose.
    """
    if not context.label or len(text) > 200:
        return []
    value = text.strip()
    if not value:
        return []
    entity = find_label_entity(context.label)
    if entity is None:
        if not (NAME_LABEL.search(context.label) and _looks_like_a_name(value)) or _OF_A_PART.search(context.label):
            return []
        entity = "PERSON"
    if (
        entity == "PERSON"
        and not is_english_person_label(context.label)
        and not looks_like_a_name(value, PARTS_OF_NAMES.fullmatch(context.label) is not None)
    ):
        return []
    if (
        entity in NEVER_PROSE  # a sentence under *Token* explains one; it is still searched
        and (_is_prose(value) or _repeats_label_word(context.label, value))
        and not _SAID_IN_WORDS.search(context.label)
    ):
        return []
    if entity in ("ORGANIZATION", "LOCATION") and not _may_be_a_name(value) and not _is_business_name(entity, value):
        return []
    if entity == "LOCATION" and _is_condition_not_place(context.label, value):
        return []
    if entity == "TITLE" and not may_be_occupation(value):
        return []
    if entity == "AGE" and not _OLD.fullmatch(value):  # the age of a change or a file is a time: *6 months ago*
        return []
    if entity in ("PERSON", "USERNAME") and value.casefold() in _NOBODY:
        return []
    if _is_label_word(context.label, value):
        return []
    if entity == "PERSON" and (value[0].isdecimal() or _is_software_release(value)):
        return []
    return [build_whole_text_finding(text, entity, 0.9)]


def _is_prose(value: str) -> bool:
    """Return whether a text has five words or more, most of them in small letters and a quarter of them function
    words.
    """
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", value)
    held = sum(w.lower() in _FUNCTION_WORDS for w in words)
    return len(words) >= 5 and held >= 2 and held * 4 >= len(words) - 1 and sum(map(str.isalpha, value)) * 4 >= len(value) * 3  # fmt: skip


def _may_be_a_name(value: str) -> bool:
    """Return whether a text under *Company* or *State* may be a name: a few words, neither of interfaces (*All
    companies*, *Not set*) nor a condition (*active*).
    """
    words = re.findall(r"[^\W\d_]+", value)
    if not 0 < len(words) <= _MOST_WORDS or words[0].lower() in _NONE:
        return False
    if value.islower() and all(w in common_words() for w in words):
        return False
    return any(small not in UI_WORDS and small not in _FUNCTION_WORDS for small in map(str.lower, words))


_ASKED = re.compile(LISTS.ASKED, re.IGNORECASE)
"""Words by which a form asks for a value, and words on its buttons."""
_EVERY = re.compile(LISTS.EVERY, re.IGNORECASE)
"""The choice of a filter that excludes nothing."""


def may_be_occupation(value: str) -> bool:
    """Return whether a text under *Occupation* may be an occupation: a few words that do not ask for a choice."""
    words = re.findall(r"[^\W\d_]+", value)
    if not 0 < len(words) <= _MOST_WORDS or len(value) > 60 or value[-1] in ":?!…" or words[0].lower() in _NONE:
        return False
    return not asks_for_a_choice(value) and not _is_prose(value)


def asks_for_a_choice(value: str) -> bool:
    """Return whether a text asks for a value instead of being one: *Bitte auswählen*, *toutes*."""
    return any(map(_ASKED.fullmatch, re.findall(r"[^\W\d_]+", value))) or _EVERY.fullmatch(value) is not None


def _is_business_name(entity: str, value: str) -> bool:
    """Return whether a text under *Company* is the name of a business, although it consists of common words: *White
    Group*.
    """
    words = re.findall(r"[^\W\d_]+", value)
    return (
        entity == "ORGANIZATION"
        and 1 < len(words) <= _MOST_WORDS
        and words[0].lower() not in _NONE
        and all(w[0].isupper() for w in words)
        and is_business_word(words[-1].lower())
    )


def _is_condition_not_place(label: str, value: str) -> bool:
    """Return whether a text under *State* is a condition and not a place: *Overdue*, *in transit*. Names of states
    are in no list of common words.
    """
    words = re.findall(r"[^\W\d_]+", value)
    return _STATE.search(label) is not None and len(words) > 0 and all(map(is_no_name, words))


def _repeats_label_word(label: str, value: str) -> bool:
    """Return whether a text has the word of its label among others, in any language: *No password set* under
    *Password*.
    """
    words = [w.casefold() for w in re.findall(r"[^\W\d_]+", value)]
    named = {w.casefold() for w in re.findall(r"[^\W\d_]{4,}", label)}
    return len(words) >= 3 and not named.isdisjoint(words) and not any(map(str.isdigit, value))


def _is_label_word(label: str, value: str) -> bool:
    """Return whether a text consists of words of its label: ``"attn": {"name": "attn"}`` describes a field,
    ``"password": "Password"`` translates its name, *X-Api-Key* under *API key* names the header.
    """
    words = set(CAMEL.sub(" ", value).casefold().split()) - {"x"}
    return (
        bool(words)
        and words.issubset(CAMEL.sub(" ", label).casefold().split())
        and (find_label_entity(value.casefold()) == find_label_entity(label))
    )


_RELEASE = re.compile(r"(?P<name>[^\W\d_][\w+#.-]*) v?\d{1,4}(?:\.\d{1,4}){0,3}(?: \([a-z][a-z0-9_+-]{1,20}\))?")


def _is_software_release(value: str) -> bool:
    """Return whether a text is a program with its version, as kernels and browsers are named: *Python 3 (ipykernel)*."""
    match = _RELEASE.fullmatch(value)
    return match is not None and (name := match["name"].lower()) in TECHNOLOGY and name not in given_names()


def is_english_person_label(label: str) -> bool:
    """Return whether a label has an English word for a person's name. The words of other languages label products as
    well (*Nombre*).
    """
    plain = " ".join(CAMEL.sub(" ", label).split())
    return any(pattern.search(plain) for entity, pattern in LABELS if entity == "PERSON") or bool(
        NAME_LABEL.search(label)
    )


def _looks_like_a_name(value: str) -> bool:
    """Return whether a value under *Name*, which labels products as well, is written like a person's name.

    It is if it has two capitalized words or more, none of them of interfaces; or if it is in small letters and has a
    listed name.
    """
    words = re.findall(r"[^\W\d_]+", value)
    if value.islower():
        return len(words) > 1 and may_be_uncapitalized_name(value)
    return (
        len(words) > 1
        and bool(_PERSON_VALUE.match(value))
        and all(w[0].isupper() and w.lower() not in UI_WORDS for w in words)
    )
