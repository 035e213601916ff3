"""Replace the values in a recording's title by plain words: ``Refund for someone`` instead of ``Refund for Zwodar Kvimelost``."""

from __future__ import annotations

from collections.abc import Sequence

from .known_value_matcher import ValueMatch

_WORDS = {
    "PERSON": ("someone", "someone else"),
    "USERNAME": ("a user", "another user"),
    "ORGANIZATION": ("a company", "another company"),
    "LOCATION": ("a place", "another place"),
    "ADDRESS": ("an address", "another address"),
    "EMAIL_ADDRESS": ("an e-mail address", "another e-mail address"),
    "PHONE_NUMBER": ("a telephone number", "another telephone number"),
    "CREDIT_CARD": ("a card", "another card"),
    "DATE_TIME": ("some day", "another day"),
    "ID": ("a number", "another number"),
    "SECRET": ("a secret", "another secret"),
}
_OTHER = ("something", "something else")


def replace_with_plain_words(text: str, matches: Sequence[ValueMatch]) -> str:
    """Return a title with plain words in place of its values. Equal values get equal words; a second value of the
    same type gets other words.
    """
    if len(matches) == 1 and text[matches[0].start : matches[0].end] == text.strip() != matches[0].replacement:
        return f"A recording of {_WORDS.get(matches[0].entity, _OTHER)[0]}"  # the vault maps no single common word back
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
        words = _WORDS.get(match.entity, _OTHER)[min(alike.index(match.replacement), 1)]
        out.append(words[0].upper() + words[1:] if not "".join(out).strip() else words)
    out.append(text[at:])
    return "".join(out)
