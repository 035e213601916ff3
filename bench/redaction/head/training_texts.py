"""Makes the texts from which the head learns: sentences with personal data, and strings of programs that hold none.

Most are lines that were written to teach the nets, each also with people, companies and positions of other lines in it. The texts that judge the
detector are never among them: the held-out third of `pii_sentences_dev.jsonl`, the halves of the newer sets that nobody read, the sets that were kept
whole, and the interfaces of packages that ``bench.redaction.interfaces`` counts. Strings of some programs, and every tenth taught line, are kept back,
so that thresholds can be chosen by them.
"""

from __future__ import annotations

import ast
import gettext
import json
import random
import re
import sysconfig
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.redaction import fresh, sets
from bench.redaction import taught as lines
from bench.redaction.interfaces import read_strings
from pagereel.redaction.detect.filters.model_gating import consists_of_common_words
from pagereel.redaction.words.word_lists import read_lists_by_kind

LANGUAGES = ("de", "fr", "es", "it", "nl", "pt", "pt_BR", "pl", "sv", "da", "cs", "fi", "tr", "ro", "hu")
STRINGS, DOCSTRINGS, OF_PACKAGES = 15_000, 2_500, 9_000
_SYLLABLES = "ba bel bra cor dal den dor el fen gar hal har ing jor kar kes lan lin mar mor nor ol pel quin ras rin sal sel tam tor ul ver vin wex yar zan bri ost hol wick ton ley mont field dow mere ster rel van dia vo ka ni sha ru te mi no".split()  # noqa: SIM905
_NOUNS = "anchor amber ash badger beacon birch blue bramble bright brook cedar clear cobalt copper coral crown delta ember falcon fern fox garnet gold granite green grove harbour hawthorn heron hill indigo iron ivory kestrel lantern lark linden lion lotus maple meadow mill moss north oak ocean olive orchard otter owl pearl pebble pine pioneer quarry raven red ridge river robin rose rowan sable salt silver slate south spring star stone summit swallow swift thistle tide timber vale west willow wren".split()  # noqa: SIM905
_FORMS = ("Ltd", "GmbH", "Inc", "LLC", "B.V.", "S.A.", "Group", "plc", "AG", "Oy", "AS")
_RANKS = "senior junior deputy assistant chief head lead trainee acting regional principal interim".split()  # noqa: SIM905
_ROLES = ("manager", "officer", "coordinator", "specialist", "analyst", "clerk", "technician", "supervisor", "advisor")
_OVER = ("head of ", "director of ", "vice president of ", "professor of ", "dean of ")
_TITLED = re.compile(r"(?P<before>(?:(?:Mr|Mrs|Ms|Dr|Prof|MR|MRS|DR|MS)\.? )?)(?P<rest>.*)", re.DOTALL)
SOMEBODYS = re.compile(r"@|://|[Cc]opyright|©|ritten|[\x00-\x08]|translator")
PLACES = re.compile(r"iso[_-]|gweather|tzdata|countr|locations|credits")


class TrainingText(NamedTuple):
    """A text to learn from, with the spans of its personal data and its weight."""

    text: str
    spans: list[list[Any]]
    weight: float
    kept_back: str = ""
    """What it is of, if it is only there to choose thresholds by."""


def exchange_values(row: dict[str, Any], instead: Callable[[str, str], str]) -> tuple[str, list[list[Any]]]:
    """Return a row's text and spans with another value in each span; `instead` gives the new value by the entity and the old value."""
    text, out, at = row["text"], "", 0
    spans: list[list[Any]] = []
    for start, end, kind in sorted(row["spans"]):
        if start < at:
            continue
        new = instead(kind, text[start:end])
        out += text[at:start]
        spans.append([len(out), len(out) + len(new), kind])
        out += new
        at = end
    return out + text[at:], spans


class ValueSwap:
    """Replaces people, companies and positions in sentences by made-up ones."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        names, jobs = read_lists_by_kind("names_latin.txt"), read_lists_by_kind("occupations.txt")
        self._given = sorted(names["given"] | names["both"])
        self._family = sorted(names["family"] | names["both"])
        self._businesses = sorted(read_lists_by_kind("businesses.txt")["strong"])
        self._people = sorted(jobs["people"] | jobs.get("also", set()) | jobs.get("weak", set()))
        self._fields = sorted(jobs.get("fields", [])) or ["sales"]

    def swap_row(self, row: dict[str, Any], kept: float = 0) -> tuple[str, list[list[Any]]]:
        """Return a row's text and spans with other people, companies and positions. ``kept``: the probability that a position stays."""
        seen: dict[tuple[str, str], str] = {}

        def choose_value(kind: str, old: str) -> str:
            """Return the new value for an old one, the same each time; values that are not in Latin letters stay."""
            latin = re.search("[A-Za-z]", old) and all(ord(c) < 0x370 for c in old)
            if not latin or (kept > 0 and kind == "TITLE" and self._draw_chance(kept)):
                return old
            return seen.setdefault((kind, old), self.draw_value(kind, old))

        return exchange_values(row, choose_value)

    def draw_value(self, kind: str, old: str) -> str:
        """Return a made-up value of the same entity and of a similar form."""
        if kind == "PERSON":
            return self._make_person(old)
        if kind == "ORGANIZATION":
            return _copy_case(old, self._make_company())
        if kind == "TITLE" and len(old) > 4:
            new = self._make_position()
            words = old.split()
            all_capitals = old[0].isupper() and (len(words) == 1 or words[1][0].isupper())
            return _copy_case(
                old, _capitalize_words(new) if all_capitals else new.capitalize() if old[0].isupper() else new
            )
        return old

    def _make_person(self, old: str) -> str:
        """Return a made-up name of the same form: title, initials, number of words, and case of letters."""
        match = _TITLED.match(old)
        before, rest = (match["before"], match["rest"]) if match else ("", old)
        if not re.fullmatch(r"[^\d_]+", rest):
            return old
        count = len(rest.split())
        if "," in rest and count == 2:
            new = f"{self._draw_surname()}, {self._draw_first_name()}"
        elif count == 1:
            new = self._draw_surname() if before or self._draw_chance(0.2) else self._draw_first_name()
        elif re.match(r"[A-Z]\. ", rest):
            new = f"{self._dice.choice('ABCDEFGHJKLMNOPRST')}. {self._draw_surname()}"
        else:
            new = " ".join([*(self._draw_first_name() for _ in range(min(count, 3) - 1)), self._draw_surname()])
        return before + _copy_case(rest, new)

    def _make_company(self) -> str:
        """Return a made-up name of a company."""
        noun = self._draw_noun
        base = self._dice.choice(
            [self._invent_word, self._draw_surname, noun, lambda: noun() + noun().lower(), lambda: f"{noun()} {noun()}"]
        )()
        business = _capitalize_words(self._dice.choice(self._businesses))
        other = self._dice.choice([self._draw_surname, self._invent_word, lambda: "Sons", noun])()
        of = self._dice.choice(["Bank of ", "University of ", "Port of ", "St "])
        forms = [f"{base} {business}"] * 5 + [f"{base} & {other}", base, f"{base} {self._dice.choice(_FORMS)}"]
        return self._dice.choice([*forms, f"{base} {business} {self._dice.choice(_FORMS)}", of + base])

    def _make_position(self) -> str:
        """Return a made-up position, such as "deputy sales manager"."""
        choose = self._dice.choice
        person, field = choose(self._people), choose(self._fields)
        wide = f"{choose(_RANKS)} {field} {choose([*_ROLES, 'engineer', person])}"
        forms = [person] * 5 + [f"{field} {person}"] * 7 + [f"{choose(_RANKS)} {person}"] * 3
        return choose([*forms, choose(_OVER) + field, choose(_OVER) + field, wide, wide, wide])

    def _draw_chance(self, share: float) -> bool:
        """Return True with this probability."""
        return self._dice.random() < share

    def _invent_word(self) -> str:
        """Return a capitalized word made of syllables."""
        return "".join(self._dice.choices(_SYLLABLES, k=self._dice.choice([2, 2, 3]))).capitalize()

    def _draw_noun(self) -> str:
        return self._dice.choice(_NOUNS).capitalize()

    def _draw_first_name(self) -> str:
        return _capitalize_words(self._dice.choice(self._given)) if self._draw_chance(0.8) else self._invent_word()

    def _draw_surname(self) -> str:
        return _capitalize_words(self._dice.choice(self._family)) if self._draw_chance(0.7) else self._invent_word()


def _capitalize_words(words: str) -> str:
    """Return words with a capital letter at the start of each part."""
    return " ".join("-".join(part.capitalize() for part in word.split("-")) for word in words.split(" "))


def _copy_case(old: str, new: str) -> str:
    """Return the new text in lower or upper case where the old one is written so, else as it is."""
    if old.islower():
        return new.lower()
    return new.upper() if old.isupper() and len(old) > 2 else new


def read_training_texts(
    sentences: Path, locales: Path, packages: Sequence[Path], dice: random.Random
) -> list[TrainingText]:
    """Return the texts from which the head learns, and those that are kept back to choose thresholds."""
    exchange = ValueSwap(dice)
    rows = [json.loads(line) for line in sentences.read_text("utf-8").splitlines()]
    tuned = [row for row in rows if row["template_id"] % 3]
    read = [row for s in ("sixth", "seventh", "eighth") for row in sets.read_rows(s)[::2]]
    out = [TrainingText(row["text"], row["spans"], 1) for row in tuned]
    out += [TrainingText(row["text"], row["spans"], 2) for row in read]
    out += [TrainingText(*exchange.swap_row(row), 1) for _ in range(4) for row in read]
    out += [TrainingText(*exchange.swap_row(row), 0.5) for row in tuned]
    out += [TrainingText(row["text"], row["spans"], 0.5) for row in dice.sample(fresh.make_sentences(20261121), 160)]
    out = [change_case(t, dice) for t in out]
    nobodys = _sample_unique(sorted({*_iter_catalogue_strings(locales)}), STRINGS, dice)
    nobodys += _sample_unique(sorted({*_iter_docstrings()}), DOCSTRINGS, dice)
    nobodys += _sample_unique(sorted({*_iter_package_strings(packages)}), OF_PACKAGES, dice)
    for text, program in nobodys:
        apart = zlib.crc32(program.encode()) % 6 == 0
        plain = TrainingText(text, [], 2 if len(text.split()) < 4 else 1, "strings of programs" if apart else "")
        out.append(plain if plain.kept_back or dice.random() < 0.8 else change_case(plain, dice))
    out += [change_case(TrainingText(*exchange.swap_row(row, 0.5), 0.7), dice) for _ in range(8) for row in read]
    later = [row for s in ("ninth", "tenth") for row in sets.read_rows(s)]
    later += sets.read_rows("eleventh")[1::2]
    return out + _vary_case(later, exchange, dice, times=3) + make_taught_texts(exchange, dice)


def sample_texts(material: list[TrainingText], most: int | None, seed: int) -> list[TrainingText]:
    """Return at most ``most`` of the texts, drawn by ``seed``; all of them where ``most`` is None."""
    return material if most is None or most >= len(material) else random.Random(seed).sample(material, most)


def make_taught_texts(exchange: ValueSwap, dice: random.Random) -> list[TrainingText]:
    """Return the lines that were written to teach, also in other cases of letters and with other values; every tenth is kept back."""
    out: list[TrainingText] = []
    for rows in lines.read_taught_rows("head").values():
        back, rest = rows[9::10], [row for at, row in enumerate(rows) if at % 10 != 9]
        out += [TrainingText(row["text"], row["spans"], 1, "taught") for row in back]
        out += _vary_case(rest, exchange, dice, times=3)
    return out


def _vary_case(rows: list[dict[str, Any]], exchange: ValueSwap, dice: random.Random, times: int) -> list[TrainingText]:
    """Return rows as they are, in another case of letters, and ``times`` times with values of other rows."""
    out = [TrainingText(row["text"], row["spans"], 1) for row in rows]
    out += [change_case(TrainingText(row["text"], row["spans"], 1), dice, (0, 2, 1)) for row in rows]
    pool = ValuePool(rows, exchange, dice)
    return out + [
        change_case(TrainingText(*pool.swap_row(row), 1), dice) for row in rows if row["spans"] for _ in range(times)
    ]


class ValuePool:
    """People, companies, positions and towns of many lines, from which values for other lines are drawn."""

    def __init__(self, rows: Sequence[dict[str, Any]], exchange: ValueSwap, dice: random.Random) -> None:
        self._exchange, self._dice = exchange, dice
        self._values: dict[tuple[str, int, bool], list[str]] = defaultdict(list)
        for row in rows:
            for start, end, kind in row["spans"]:
                value = row["text"][start:end]
                if "\n" not in value and not value.isupper():
                    self._values[_describe_form(kind, value)].append(value)

    def swap_row(self, row: dict[str, Any], share: float = 0.8) -> tuple[str, list[list[Any]]]:
        """Return a row's text and spans in which about ``share`` of the values are replaced; a value becomes the same everywhere."""
        seen: dict[tuple[str, str], str] = {}

        def choose_value(kind: str, old: str) -> str:
            if (kind, old) not in seen:
                seen[kind, old] = self._draw_value(kind, old) if self._dice.random() < share else old
            return seen[kind, old]

        return exchange_values(row, choose_value)

    def _draw_value(self, kind: str, old: str) -> str:
        if kind == "PERSON" and self._dice.random() < 0.5:
            return self._exchange.draw_value(kind, old)
        values = (
            self._values.get(_describe_form(kind, old)) if kind in ("PERSON", "ORGANIZATION", "TITLE", "GPE") else None
        )
        return _copy_case(old, self._dice.choice(values)) if values else old


def _describe_form(kind: str, value: str) -> tuple[str, int, bool]:
    """Return the entity, the number of words up to 3, and whether the value is in lower case."""
    return kind, min(len(value.split()), 3), value.islower()


def change_case(
    training_text: TrainingText, dice: random.Random, odds: tuple[float, float, float] = (5, 3, 1.5)
) -> TrainingText:
    """Return a text as it is, in lower case or in upper case, drawn by ``odds``."""
    other = dice.choices([training_text.text, training_text.text.lower(), training_text.text.upper()], weights=odds)[0]
    return training_text._replace(text=other) if len(other) == len(training_text.text) else training_text


def _sample_unique(every: list[tuple[str, str]], most: int, dice: random.Random) -> list[tuple[str, str]]:
    """Return at most ``most`` distinct texts by chance, without those that consist of common words, which no model reads."""
    dice.shuffle(every)
    seen: set[str] = set()
    out = []
    for text, program in every:
        if text not in seen and not consists_of_common_words(text):  # no model reads the rest
            seen.add(text)
            out.append((text, program))
        if len(out) == most:
            break
    return out


def iter_catalogue_entries(path: Path) -> Iterator[tuple[Any, Any]]:
    """Yield the messages of a compiled gettext catalogue with their translations; nothing where it cannot be read."""
    try:
        with path.open("rb") as file:
            yield from gettext.GNUTranslations(file)._catalog.items()  # type: ignore[attr-defined]
    except (OSError, UnicodeDecodeError, ValueError):
        return


def _iter_catalogue_strings(locales: Path) -> Iterator[tuple[str, str]]:
    """Yield strings of programs and their translations with the program's name."""
    for language in LANGUAGES:
        for path in sorted((locales / language / "LC_MESSAGES").glob("*.mo")):
            if PLACES.search(path.name):
                continue
            for key, value in iter_catalogue_entries(path):
                for text in (key[0] if isinstance(key, tuple) else key, value):
                    if isinstance(text, str) and 3 < len(text) < 200 and not SOMEBODYS.search(f"{key} {text}"):
                        yield text.strip(), path.stem


def _iter_package_strings(packages: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield interface strings of packages with the package's name."""
    for package in packages:
        for code in ("en", *LANGUAGES[:8:2]):
            for text in read_strings(package, code, 1500):
                if 3 < len(text) < 200 and not SOMEBODYS.search(text):
                    yield text, package.name


def _iter_docstrings() -> Iterator[tuple[str, str]]:
    """Yield first paragraphs of docstrings of installed Python modules with the name of their folder."""
    for kind in ("stdlib", "purelib"):
        for path in sorted(Path(sysconfig.get_paths()[kind]).rglob("*.py"))[::20]:
            try:
                tree = ast.parse(path.read_text("utf-8"))
            except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and (said := ast.get_docstring(node)):
                    text = said.split("\n\n")[0].replace("\n", " ")
                    if 20 < len(text) < 250 and "author" not in text.lower() and not SOMEBODYS.search(text):
                        yield text, path.parent.name
