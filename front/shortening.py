"""Shortens texts to a given length."""

from __future__ import annotations


def truncate_text(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters: a longer one is cut, and ends with ``…``."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
