"""Reads sentences in fourteen languages, forty each, with their personal data marked (`sets/languages.txt`)."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "sets/languages.txt"
LANGUAGES = {
    "es": "Spanish",
    "de": "German",
    "fr": "French",
    "it": "Italian",
    "pt": "Portuguese",
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
    "s": "SECRET", "d": "DATE_TIME", "j": "TITLE", "z": "ZIP_CODE", "i": "IBAN_CODE", "c": "CREDIT_CARD",
    "g": "AGE", "n": "NRP",
}  # fmt: skip
FAKER = {
    "es": "es_ES", "de": "de_DE", "fr": "fr_FR", "it": "it_IT", "pt": "pt_BR", "ru": "ru_RU", "el": "el_GR", "ar": "ar_SA", "he": "he_IL", "hi": "hi_IN", "th": "th_TH", "ko": "ko_KR", "zh": "zh_CN", "ja": "ja_JP",
}  # fmt: skip
_MARKED = re.compile(r"\{(\w):([^{}]*)\}")


def read_sentences(code: str) -> list[dict[str, Any]]:
    """Return the sentences of a language as rows, as in `pii_sentences_dev.jsonl`."""
    return [parse_marked_line(line, number) for number, line in enumerate(_read_lines(code))]


@cache
def _read_lines(code: str) -> list[str]:
    """Return the marked lines of a language."""
    part = FILE.read_text("utf-8").partition(f"\n#= {code}\n")[2]
    return part.partition("\n#= ")[0].splitlines()


def parse_marked_line(line: str, number: int = 0) -> dict[str, Any]:
    """Return a marked line as a row: ``{p:Ana} is here`` becomes the text ``Ana is here`` with the span ``[0, 3, "PERSON"]``."""
    text = ""
    spans: list[list[Any]] = []
    at = 0
    for match in _MARKED.finditer(line):
        text += line[at : match.start()]
        spans.append([len(text), len(text) + len(match[2]), TYPES[match[1]]])
        text += match[2]
        at = match.end()
    return {"text": text + line[at:], "template_id": number, "spans": spans}


def replace_person_names(code: str, seed: int, each: int = 3) -> list[dict[str, Any]] | None:
    """Return the sentences that name people, ``each`` times, with names drawn from Faker's lists.

    Names are in the nominative, also where the sentence has another case. None: Faker (MIT, ``pip install faker``) is not installed.
    """
    try:
        from faker import Faker  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    names = Faker(FAKER[code])
    Faker.seed(seed)
    random.seed(seed)

    def replace_match(match: re.Match[str]) -> str:
        """Return a marked person with another name of the same form; other marks as they are."""
        if match[1] != "p":
            return match[0]
        first, last = names.first_name(), names.last_name()
        if code in ("zh", "ko"):
            name = last + first
        elif code == "ja":
            name = f"{last} {first}" if " " in match[2] else last if len(match[2]) <= 3 else last + first
        else:
            name = f"{first} {last}" if " " in match[2] else first
        return f"{{p:{name}}}"

    lines = [line for line in _read_lines(code) if "{p:" in line]
    return [
        parse_marked_line(_MARKED.sub(replace_match, line), number)
        for number, line in enumerate(lines)
        for _ in range(each)
    ]
