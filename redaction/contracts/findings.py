"""Define the types that the parts of the redaction exchange: findings, entities, contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Finding(NamedTuple):
    """A piece of personal data or a secret in one text.

    ``start`` and ``end`` are character offsets into the given text, ``end`` exclusive. ``entity`` is one of :data:`.entities.ENTITIES`, ``score`` lies in
    0..1. ``source`` is the model that found it until the finding is judged; it is empty for findings of rules, and for judged ones.
    """

    start: int
    end: int
    entity: str
    score: float
    source: str = ""


def build_whole_text_finding(text: str, entity: str, score: float) -> Finding:
    """Return a finding that covers a whole text without the white space at its ends."""
    said = text.strip()
    start = text.index(said)
    return Finding(start, start + len(said), entity, score)


PAST = "past"
"""The source of a finding for the end of a text that was too long to be read: it is masked whole."""
SAID = 0.8
"""Least score of findings that words around a person announce. Findings of lists alone have less."""
RAMPART = "rampart"
SPACY = "spacy"
RECASED = "spacy, recased"
"""The source of spaCy's findings in a text with restored capitals."""


@dataclass(frozen=True, slots=True)
class TextContext:
    """The context of a text, by which the detector classifies it.

    ``label`` is a form label, a column header, a JSON key or a parameter name, as people write it. ``kind`` is
    ``"text"`` for readable text, ``"slug"`` for a path segment read as words, and ``"code"`` for stacks, URLs and the
    like, which the language models do not read.
    """

    label: str = ""
    kind: str = "text"


Contexts = Sequence[TextContext | str | None]
