"""Replaces values in taught lines of other scripts than Latin by values of the same language.

They come from the lines themselves, from lists of Faker and Mimesis and from dictionaries, in the grammatical cases of their language.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.redaction.head.training_texts import exchange_values

Rows = Sequence[dict[str, Any]]
_HINTS = (
    ("ja", r"[\u3041-\u30fa]"), ("zh", r"[\u3400-\u9fff]"), ("ko", r"[\uac00-\ud7af]"), ("th", r"[\u0e00-\u0e7f]"),
    ("bn", r"[\u0980-\u09ff]"), ("mr", r"(?:आहे|च्या|ळ|नाही)"), ("hi", r"[\u0900-\u097f]"), ("he", r"[\u0590-\u05ff]"),
    ("ur", r"[ٹڈڑےں]"), ("fa", r"[پچژگکی]"), ("ar", r"[\u0600-\u06ff]"), ("hy", r"[\u0530-\u058f]"), ("ka", r"[\u10a0-\u10ff]"),
    ("el", r"[\u0370-\u03ff]"), ("kk", r"[әғқңөұүһі](?=.*[әғқңөұүһ])"), ("uk", r"[іїєґ]"), ("sr", r"[јћђљњџ]"), ("ru", r"[ыэё]"),
    ("bg", r"ъ|\bсе\b|\bна\b.*\bот\b"), ("ru", r"[\u0400-\u04ff]"),
)  # fmt: skip
_LIKE = {
    "sr": ("bg", "uk"),
    "mr": ("hi", "ne"),
    "hi": ("hi", "ne"),
    "ur": ("ar", "fa"),
    "kk": ("kk", "ru"),
    "mk": ("bg",),
}
_FAMILY_FIRST = ("zh", "ko", "ja")


def guess_language(text: str) -> str:
    """Return the code of the language that a text's letters suggest; "" for Latin letters."""
    return next((code for code, hint in _HINTS if re.search(hint, text.lower())), "")


class ReplacementValues:
    """Draws other values for people, companies, positions and towns, by language."""

    def __init__(self, rows: Rows, lists: Path, dice: random.Random) -> None:
        self._dice = dice
        self._lists: dict[str, dict[str, list[str]]] = json.loads(lists.read_text("utf-8"))
        self._values: dict[tuple[str, str, int], list[str]] = defaultdict(list)
        for row in rows:
            code = guess_language(row["text"])
            for start, end, kind in row["spans"]:
                value = row["text"][start:end]
                if "\n" not in value:
                    self._values[code, kind, min(len(value.split()), 3)].append(value)

    def swap_row(self, row: dict[str, Any], share: float = 0.85) -> tuple[str, list[list[Any]]]:
        """Return a row's text and spans in which about ``share`` of the values are replaced; a value becomes the same everywhere."""
        seen: dict[tuple[str, str], str] = {}
        code = guess_language(row["text"])

        def choose_value(kind: str, old: str) -> str:
            if (kind, old) not in seen:
                other = self._dice.random() < share and guess_language(old)
                seen[kind, old] = self.draw_value(code, kind, old) if other else old
            return seen[kind, old]

        return exchange_values(row, choose_value)

    def draw_value(self, code: str, kind: str, old: str) -> str:
        """Return another value of the same entity and language; the old one where there is none."""
        dice = self._dice
        taught = self._values.get((code, kind, min(len(old.split()), 3)), [])
        if kind == "PERSON" and (dice.random() < 0.7 or not taught):
            return self._make_person_like(code, old) or old
        if kind == "ORGANIZATION" and dice.random() < 0.3:
            return self._draw_company(code, old) or old
        if kind == "GPE" and dice.random() < 0.5 and (towns := self._get_list(code, "town")):
            town = next((t for t in dice.choices(towns, k=5) if len(t.split()) <= len(old.split())), old)
            return self._decline_name(code, town) if old[-1:] != town[-1:] else town
        if kind == "TITLE" and dice.random() < 0.3 and (jobs := self._get_list(code, "job")):
            return _copy_case(old, dice.choice(jobs))
        return (
            _copy_case(old, dice.choice(taught))
            if taught and kind in ("PERSON", "ORGANIZATION", "TITLE", "GPE")
            else old
        )

    def _get_list(self, code: str, *kinds: str) -> list[str]:
        """Return the language's list of one of these kinds, or [] where it has none; some languages also use lists of a related one."""
        for other in (draw_language(_LIKE.get(code, (code,)), self._dice), code):
            lists = self._lists.get(other, {})
            if found := [kind for kind in kinds if kind in lists]:
                return lists[self._dice.choice(found)]
        return []

    def make_person(self, code: str, words: int) -> str:
        """Return a made-up person's name of ``words`` words in a language; "" where it has no lists."""
        dice = self._dice
        sex = dice.choice("mf")
        given = self._draw_name(code, f"given_{sex}", "given")
        family = self._draw_name(code, f"family_{sex}", "family", "family_m")
        if not given:
            return ""
        family = family or given
        if code == "zh" and dice.random() < 0.5:
            return (
                dice.choice(self._get_list(code, "whole"))
                if dice.random() < 0.85
                else dice.choice(self._get_list(code, "foreign"))
            )
        if code == "ja" and dice.random() < 0.06:
            return dice.choice(self._get_list(code, "whole"))
        if words == 1:
            if code in ("zh", "ko"):
                return family + given if dice.random() < 0.8 else given
            if code == "ja":
                return dice.choice([family, family, given, family + given])
            return given if dice.random() < 0.6 else family
        if code in _FAMILY_FIRST:
            return f"{family} {given}"
        if words > 2:
            patronymic = self._draw_name(code, f"patr_{sex}")
            middle = patronymic or self._draw_name(code, "given_m", "given")
            if patronymic and dice.random() < 0.6:
                return f"{family} {given} {middle}"
            return f"{given} {middle} {family}"
        patronymic = self._draw_name(code, f"patr_{sex}")
        if patronymic and dice.random() < 0.25:
            return f"{given} {patronymic}"
        return f"{given} {family}" if dice.random() < 0.8 else f"{family} {given}"

    def _draw_name(self, code: str, *kinds: str) -> str:
        """Return a name from the first of these kinds of lists that the language has; "" where it has none."""
        for kind in kinds:
            if found := self._get_list(code, kind):
                return self._dice.choice(found)
        return ""

    def _make_person_like(self, code: str, old: str) -> str:
        """Return a made-up name of the same form as the old one, in a grammatical case."""
        if re.search(r"[\d_@]", old):
            return old
        if match := re.match(r"(\w)\. ?(?:(\w)\. ?)?", old):
            family = self._draw_name(code, "family_m", "family")
            return match[0] + self._decline_name(code, family)
        new = self.make_person(code, len(old.split()))
        if code == "ja" and " " not in old:
            new = new.replace(" ", "")
        return _copy_case(
            old, " ".join(self._decline_name(code, w, draw) for draw in [self._dice.random()] for w in new.split())
        )

    def _decline_name(self, code: str, word: str, draw: float | None = None) -> str:
        """Return a name in a grammatical case of the language, chosen by chance."""
        draw = self._dice.random() if draw is None else draw
        case = int((draw - 0.45) * 8)
        if draw < 0.45 or len(word) < 3 or " " in word:
            return word
        if code == "el":
            return word[:-1] if word[-1] == "ς" else word + "ς" if word[-1] in "αάηή" else word
        if code in ("ru", "uk", "sr", "kk"):
            return _decline_cyrillic(word, min(case, 3))
        if code == "ka" and word[-1] == "ი":
            return word[:-1] + ("მა", "ს", "ის", "ი")[min(case, 3)]
        if code == "hy":
            return word + ("ը", "ի", "ին", "ից")[min(case, 3)]
        return word

    def _draw_company(self, code: str, old: str) -> str:
        """Return a company from the language's lists; "" where it has none."""
        if found := self._get_list(code, "org", "orgname"):
            return _copy_case(old, self._dice.choice(found))
        return ""


def draw_language(codes: Sequence[str], dice: random.Random) -> str:
    """Return one of the languages by chance."""
    return dice.choice(list(codes))


_ENDS: tuple[tuple[str, tuple[str, str, str, str]], ...] = (
    ("ова", ("овой", "ову", "овой", "овой")), ("ева", ("евой", "еву", "евой", "евой")), ("ина", ("иной", "ину", "иной", "иной")),
    ("ий", ("ого", "ому", "им", "ом")), ("ый", ("ого", "ому", "ым", "ом")), ("ая", ("ой", "ую", "ой", "ой")), ("ко", ("ко", "ко", "ко", "ко")),
    ("ия", ("ии", "ии", "ией", "ию")), ("а", ("ы", "е", "ой", "у")), ("я", ("и", "е", "ей", "ю")), ("й", ("я", "ю", "ем", "е")),
    ("ь", ("я", "ю", "ем", "е")), ("ов", ("ова", "ову", "овым", "ове")), ("ев", ("ева", "еву", "евым", "еве")), ("ин", ("ина", "ину", "иным", "ине")),
)  # fmt: skip


def _decline_cyrillic(word: str, case: int) -> str:
    """Return a Russian word in a grammatical case, 0 to 3: genitive, dative or accusative, instrumental, prepositional."""
    for end, instead in _ENDS:
        if word.endswith(end):
            return word[: -len(end)] + instead[case]
    return word + ("а", "у", "ом", "е")[case] if word[-1] not in "еиоуыэюіїєў" else word


def _copy_case(old: str, new: str) -> str:
    if old.islower():
        return new.lower()
    if old.isupper() and len(old) > 2:
        return new.upper()
    return new


Instead = Callable[[str, str], str]
