"""Reel in, masked reel out: personal data and secrets are found and replaced before a recording is shared.

The door of this room. The language models are imported when the first text is looked at, not before.
"""

from __future__ import annotations

from collections.abc import Sequence

from .types import Contexts, Finding, TextContext

__all__ = ["Finding", "TextContext", "find_pii"]


def find_pii(texts: Sequence[str], context: Contexts | None = None) -> list[list[Finding]]:
    """For each text the findings that the redaction would mask in page text, in order, without overlap.

    :param texts: any strings; equal ones cost once.
    :param context: for each text what stands beside it (a label, column header, JSON key), or None.
    :returns: a list of :class:`Finding` (``start``, ``end``, ``entity``, ``score``; character offsets) for each text.
    :raises SetupError: no spaCy pipeline for English is installed.
    """
    from .pool import find

    return find(texts, context)
