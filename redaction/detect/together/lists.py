"""Lists from which a program lets one choose: countries, languages, months. One of them alone may be where somebody lives; a dozen of them, each a
text of its own, are what the program offers to everybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...contracts.types import Finding
from ...words.choices import countries, months

_LEAST = {"countries": 12, "months": 6}
"""Different ones from which on they are a list."""
_BARE = re.compile(r"<[^<>]*>|[:_&…]|\(.*\)|\.\.\.")
_CHOSEN = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "ADDRESS"})


def without_lists(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return what was found in each of the texts without what is one of many to choose from."""
    plain = [" ".join(_BARE.sub(" ", text).split()).lower() if len(text) < 60 else "" for text in texts]
    out = list(findings)
    for name, every in (("countries", countries()), ("months", months())):
        listed = {text for text in plain if text in every}
        if len(listed) < _LEAST[name]:
            continue
        out = [
            [f for f in found if f.entity not in _CHOSEN] if text in listed else found
            for text, found in zip(plain, out, strict=True)
        ]
    return out
