"""Texts cut to a length, for people to read."""

from __future__ import annotations


def shortened(text: str, longest: int) -> str:
    """Return a text of at most so many characters: of a longer one the beginning, and ``…``."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
