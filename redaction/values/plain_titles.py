"""Replace the values in a recording's title by plain words: ``Refund for someone`` instead of ``Refund for Zwodar Kvimelost``."""

from __future__ import annotations

from collections.abc import Sequence

from ..contracts.entities import PLAIN_WORDS
from .known_value_matcher import ValueMatch

_OTHER = PLAIN_WORDS["VALUE"]


def replace_with_plain_words(text: str, matches: Sequence[ValueMatch]) -> str:
    """Return a title with plain words in place of its values. Equal values get equal words; a second value of the
    same type gets other words.
    """
    if len(matches) == 1 and text[matches[0].start : matches[0].end] == text.strip() != matches[0].replacement:
        return f"A recording of {PLAIN_WORDS.get(matches[0].entity, _OTHER)[0]}"  # the vault maps no single common word back
    out: list[str] = []
    met: dict[str, list[str]] = {}
    at = 0
    for match in matches:
        written = text[match.start : match.end]
        out.append(text[at : match.start])
        at = match.end
        if match.replacement == written or match.entity == "URL":  # allowed by a rule; an address of the site
            out.append(match.replacement)
            continue
        alike = met.setdefault(match.entity, [])
        if match.replacement not in alike:
            alike.append(match.replacement)
        words = PLAIN_WORDS.get(match.entity, _OTHER)[min(alike.index(match.replacement), 1)]
        out.append(words[0].upper() + words[1:] if not "".join(out).strip() else words)
    out.append(text[at:])
    return "".join(out)
