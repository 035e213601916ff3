"""``srcset``: its candidates, as the HTML standard cuts them ("parsing a srcset attribute")."""

from __future__ import annotations

import re

_CANDIDATE = re.compile(r"[\s,]*([^\s]+)")
_DESCRIPTORS = re.compile(r"(?:\([^)]*\)?|[^,(])*")


def candidates(srcset: str) -> list[tuple[str, str]]:
    """Return the candidates in order, each as address and descriptor (``"2x"``, ``"640w"``, or ``""``)."""
    found: list[tuple[str, str]] = []
    at = 0
    while match := _CANDIDATE.match(srcset, at):
        address = match[1]
        at = match.end()
        if address.endswith(","):
            found.append((address.rstrip(","), ""))
            continue
        descriptor = _DESCRIPTORS.match(srcset, at)
        assert descriptor is not None
        found.append((address, descriptor[0].strip()))
        at = descriptor.end()
    return [(address, descriptor) for address, descriptor in found if address]
