"""Shortens texts to a given length."""

from __future__ import annotations


def truncate_text(text: str, max_length: int) -> str:
    """Return a text of at most `max_length` characters: a longer one is cut, and ends with ``…``."""
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"
