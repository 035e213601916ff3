"""Sentences in ten languages and scripts, forty each, with their personal data marked (`bench/redaction/languages/`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "languages"
LANGUAGES = {
    "es": "Spanish",
    "ru": "Russian",
    "el": "Greek",
    "ar": "Arabic",
    "he": "Hebrew",
    "hi": "Hindi",
    "th": "Thai",
    "ko": "Korean",
    "zh": "Chinese",
    "ja": "Japanese",
}
TYPES = {
    "p": "PERSON", "a": "STREET_ADDRESS", "l": "GPE", "o": "ORGANIZATION", "t": "PHONE_NUMBER", "e": "EMAIL_ADDRESS", "u": "USERNAME",
    "s": "SECRET", "d": "DATE_TIME",
}  # fmt: skip
_MARKED = re.compile(r"\{(\w):([^{}]*)\}")


def sentences(code: str) -> list[dict[str, Any]]:
    """Rows as in `pii_sentences_dev.jsonl` for the language ``code``."""
    lines = (FOLDER / f"{code}.txt").read_text("utf-8").splitlines()
    return [parse(line, number) for number, line in enumerate(lines)]


def parse(line: str, number: int = 0) -> dict[str, Any]:
    """A row of one marked line: ``{p:Ana} is here`` has the span ``[0, 3, "PERSON"]``."""
    text = ""
    spans: list[list[Any]] = []
    at = 0
    for match in _MARKED.finditer(line):
        text += line[at : match.start()]
        spans.append([len(text), len(text) + len(match[2]), TYPES[match[1]]])
        text += match[2]
        at = match.end()
    return {"text": text + line[at:], "template_id": number, "spans": spans}
