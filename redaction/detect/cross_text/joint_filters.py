"""Drop findings that the other texts, searched together with theirs, show to be not personal."""

from __future__ import annotations

from collections.abc import Sequence

from ...contracts.findings import Finding, TextContext
from ..cues.label_entities import find_label_entity
from .choice_lists import drop_list_entries
from .learned_program_names import drop_program_names
from .program_strings import drop_in_program_strings

FILTERS = (drop_program_names, drop_in_program_strings, drop_list_entries)
"""Each takes texts and the findings of each, and returns those that the other texts do not speak against."""


def drop_findings_by_other_texts(
    texts_in_context: Sequence[tuple[str, TextContext]], findings: Sequence[list[Finding]]
) -> dict[tuple[str, TextContext], list[Finding]]:
    """Return for each text, in the given order, its findings without those that the other texts show to be not
    personal.

    Findings that a label announces are always kept.
    """
    out = dict(zip(texts_in_context, findings, strict=True))
    read = [
        key
        for key in texts_in_context
        if key[1].kind == "text" and not (key[1].label and find_label_entity(key[1].label))
    ]
    texts = [text for text, _ in read]
    found = [out[key] for key in read]
    for weigh in FILTERS:
        found = weigh(texts, found)
    out.update(zip(read, found, strict=True))
    return out
