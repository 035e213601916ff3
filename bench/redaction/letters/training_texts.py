"""Makes the texts from which the net of letters learns.

They are lines that were written to teach, also with other values in them, names alone, and strings of programs, which hold no personal data.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.redaction.head.training_texts import PLACES, SOMEBODYS, TrainingText, change_case, iter_catalogue_entries
from bench.redaction.interfaces import read_strings
from bench.redaction.letters.replacement_values import ReplacementValues, guess_language
from bench.redaction.taught import read_taught_rows
from pagereel.redaction.detect.models.character_features import OTHER

_CHOICES = re.compile(r"iso_(?:3166-1|4217|639-[25])\.mo")
LANGUAGES = (
    "ru", "uk", "bg", "sr", "kk", "el", "ar", "fa", "ur", "he", "hi", "mr", "bn", "ne", "th", "zh_CN", "zh_TW", "ja", "ko", "ka", "hy",
)  # fmt: skip
TIMES, ALONE, STRINGS, CHOICES, OF_PACKAGES = 1, 60, 2_000, 200, 1_600


def read_training_texts(
    lists: Path, locales: Path, packages: Sequence[Path], dice: random.Random
) -> list[TrainingText]:
    """Return the texts from which the net learns; every tenth taught line is kept back."""
    rows = [row for written in read_taught_rows("letters").values() for row in written]
    back = [row for row in rows[9::10] if OTHER.search(row["text"])]
    rest = [row for at, row in enumerate(rows) if at % 10 != 9]
    out = [TrainingText(row["text"], row["spans"], 1, "taught") for row in back]
    out += [TrainingText(row["text"], row["spans"], 1) for row in rest]
    others = ReplacementValues(rest, lists, dice)
    out += [TrainingText(*others.swap_row(row), 1) for row in rest if row["spans"] for _ in range(TIMES)]
    out += [TrainingText(row["text"], [], 1) for row in rest if not row["spans"]]
    out = [t if t.kept_back else change_case(t, dice, (7, 2, 1)) for t in out]
    for code in sorted({guess_language(row["text"]) for row in rest} - {""}):
        for _ in range(ALONE):
            if name := others.make_person(code, dice.choice([1, 2, 2, 3])):
                out.append(TrainingText(name, [[0, len(name), "PERSON"]], 0.5))
    seen = {t.text for t in out}
    for code in LANGUAGES:
        mine: list[str] = []
        for choices, most in ((False, STRINGS), (True, CHOICES)):
            every = sorted({*_iter_catalogue_strings(locales, code, choices)})
            dice.shuffle(every)
            mine += every[:most]
        for package in packages:
            more = sorted({*read_strings(package, code, 2_000)})
            dice.shuffle(more)
            mine += more[: OF_PACKAGES // 8]
        for text in mine:
            if text not in seen and 2 < len(text) < 200 and OTHER.search(text) and not SOMEBODYS.search(text):
                seen.add(text)
                out.append(TrainingText(text, [], 1.5 if len(text) < 30 else 1))
    return out


def _iter_catalogue_strings(locales: Path, code: str, choices: bool) -> Iterator[str]:
    """Yield translated strings of programs, or with ``choices`` the names of countries, currencies and languages."""
    for path in sorted((locales / code / "LC_MESSAGES").glob("*.mo")):
        if choices != (_CHOICES.match(path.name) is not None) or (not choices and PLACES.search(path.name)):
            continue
        for key, value in iter_catalogue_entries(path):
            if key and isinstance(value, str) and not SOMEBODYS.search(f"{key} {value}"):
                yield re.sub(r"[_&](?=\w)", "", value).strip()
