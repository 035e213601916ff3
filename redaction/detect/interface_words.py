"""Decide that a finding is not personal because its words are those of an interface: a product, a menu entry, another language."""

from __future__ import annotations

import re

from ..contracts.types import NAMED, Finding, TextContext
from ..words.phrases import Phrases
from ..words.words import NAMES_TOO, UI_WORDS, common_words, given_names, products
from .cues.context import NAME_LABEL, entity_of_label
from .cues.engine import is_cued_as
from .cues.listed_names import may_call_in_small_letters
from .filters.foreign import is_foreign, known, of_foreign_interface, of_foreign_sentence
from .filters.prose import sentence_like
from .shapes.people import people

LISTS = Phrases("interface_words")

_SHARED = Phrases("shared")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HUMPED = re.compile(rf"(?!{LISTS.HUMPED})[^\W\d_]{1, 60}[a-zß-ÿ][A-Z][^\W\d_]*(?:-[^\W\d_]+)?|[a-z][A-Z][^\W\d_]+")
_HUMP = re.compile(r"[A-Z]?[a-zß-ÿ]+|[A-Z]+(?![a-zß-ÿ])")
_PASSWORD = re.compile(rf"(?<![^\W_])(?:{_SHARED.PASSWORD_WORDS})(?![^\W_])", re.IGNORECASE)
"""Nobody is called *password* in any language: *by setting a password* is not by somebody."""
_LABEL = re.compile(r"(?:\A|(?<=[\n|\t;,({]))[ \"']*(?P<s>[^\W\d_][^\n|\t;,(){}:=\"']{2,30})[\"']?[:=][ ]*[\"']?\Z")
"""A label within a text, right before a finding."""
_SAID_BY_LABEL = {"ORGANIZATION": "ORGANIZATION", "NRP": "VALUE"}
"""What is found, and what a label announces that says it."""


def is_interface_text(text: str, f: Finding, context: TextContext, sure: bool = False) -> bool:
    """Return whether a finding is a word of an interface.

    Findings that a label announces are none. With `sure`, our own net is sure of the finding, and words of another language are no evidence.
    """
    if (context.label and entity_of_label(context.label) is not None) or (
        f.entity in _SAID_BY_LABEL and _labelled(text, f)
    ):
        return False
    if f.entity == "PERSON" and (text[f.start : f.end].islower() or text.isupper()) and _named(text, f, context.label):
        return False
    if f.entity in NAMED and is_cued_as(text, f, "NRP"):  # a model takes it for a part of the name
        return False
    if f.entity in ("SECRET", "USERNAME"):
        return of_foreign_sentence(text, f)
    if f.entity == "ADDRESS":
        return of_foreign_interface(text, f)
    if f.entity not in NAMED:
        return False
    words = [w.lower() for w in _WORD.findall(text[f.start : f.end])]
    if _PASSWORD.search(text[f.start : f.end]) and not any(w in given_names() for w in words):
        return True
    return (not sure and of_foreign_interface(text, f)) or _is_product(text, f, words) or _is_menu(f, words)


def _labelled(text: str, f: Finding) -> bool:
    """Return whether a label right before a finding, in the same text, announces its entity: *Empresa=…*, *Nationalität: bulgarisch*."""
    label = _LABEL.search(text, max(0, f.start - 40), f.start)
    return label is not None and entity_of_label(label["s"]) == _SAID_BY_LABEL[f.entity]


def _named(text: str, f: Finding, label: str) -> bool:
    """Return whether a finding in one case of letters stands under or right behind a label for names, and may be a name."""
    if not label and (before := _LABEL.search(text, max(0, f.start - 40), f.start)):
        label = before["s"]
    asked = bool(label) and (entity_of_label(label) == "PERSON" or NAME_LABEL.search(label) is not None)
    return asked and may_call_in_small_letters(text[f.start : f.end])


def _is_product(text: str, f: Finding, words: list[str]) -> bool:
    """Return whether a finding is a listed product, or has a capital inside a word as no name has: ``KWallet``, ``PyHoca-CLI``.

    In English sentences these are companies as well: there they stay found, unless a model takes one for a person.
    """
    said_in_english = sentence_like(text) and not is_foreign(text)
    if said_in_english and f.entity != "PERSON":
        return False
    if any(w in given_names() for w in words):
        return False
    foreign = is_foreign(text)
    said = [m[0] for m in _WORD.finditer(text, f.start, f.end)]
    telling = [
        w
        for w in said
        if not ((small := w.lower()) in common_words() or small in products() or (foreign and known(small)))
    ]
    if not telling:
        return not said_in_english and any(w in products() for w in words)
    return all(
        _HUMPED.fullmatch(w) is not None
        and not w[:-1].islower()  # a name backwards
        and not any(part.lower() in given_names() for part in _HUMP.findall(w))
        and not people(w)
        for w in telling
    )


def _is_menu(f: Finding, words: list[str]) -> bool:
    """Return whether a finding is two words or more that every interface has: ``View site``, ``Draw Ellipse``. Companies may be named so, people are not."""
    return (
        f.entity != "ORGANIZATION"
        and len(words) > 1
        and all(w in common_words() for w in words)
        and any(w in UI_WORDS for w in words)
        and not any(w in NAMES_TOO for w in words)
    )
