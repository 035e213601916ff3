"""Estimate how likely each word of a finding is personal, by decision trees.

Their features are who found it, how it is written, what the lists say of it and its neighbours, and what both nets make of it. A finding loses the improbable words
at its ends (*Ansprechpartner Korbinian Sedlmayr*); without any probable word it is dropped. No rule is asked here. `bench/redaction/odds` trains the trees on lines that
may be read, and writes `odds.npz`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..contracts.types import NAMED, SAID, Finding, TextContext
from ..words.english import english, ordinary
from ..words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, common_words, function_words, given_names, lists_of, products
from .cross_text.catalogues import is_marked
from .filters.foreign import TITLE_BEFORE, begins_sentence, evidence, known
from .filters.prose import sentence_like

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

FINDERS = (
    *("rampart", "spacy", "recased", "patterns", "net", "letters", "shape", "label", "hidden", "adjacent", "engine"),
    *("companies", "positions", "listed_names", "tables", "dictionaries", "towns", "unlisted", "welcomed", "under_labels"),
)  # fmt: skip
"""Who may have found something, in the order of the trees' numbers."""
WEIGHTS = "odds.npz"
DOUBTED, DOUBTED_ALONE, LEAST_OF_NAMES = 0.05, 0.15, 0.02
"""Probability under which a word is nobody's; the same where it is in the one finding of a label, as strings of interfaces are; and of a given name and of what no list has."""
_FEW = 8
"""Words of a label."""
_TELLING = ("shape", "hidden", "tables", "under_labels", "positions", "listed_names")
"""Who is believed: by the words around, or by a list of names that are no words."""
_STRANGE = 9
_JUDGED = NAMED | {"TITLE", "ADDRESS", "ZIP_CODE", "DATE_TIME", "ID", "GOVERNMENT_ID"}
_WORD = re.compile(r"[^\W_]+")
_OTHER = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufeff]")
_MOST = 2_000
"""Characters of a text that say what kind it is."""
_EDGES = (" ", "\n\t", ":=", ",;.", "([{<", ")]}>", "\"'`“”«»„‘’", "-–—/|·•", "@#%$&_\\+*")
"""Kinds of characters beside a word."""
_CLASSES = 6


@dataclass(slots=True)
class DetectionEvidence:
    """All evidence on one text."""

    text: str
    context: TextContext
    by: dict[str, Sequence[Finding]]
    """What each finder found."""
    odds: Mapping[tuple[int, int], Sequence[float]] = field(default_factory=dict)
    """Of each word what the net on Rampart's layers takes it for."""
    named: Sequence[float] = ()
    """Of each character how likely the net of letters takes it for somebody's."""


@lru_cache(maxsize=50_000)
def classes(word: str) -> tuple[float, ...]:
    """Return what the lists say of a word in small letters, as 0 or 1 for each list."""
    names = lists_of("names_latin.txt")
    given = word in given_names() or word in names["given"] or word in names["both"]
    family = word in names["family"] or word in names["both"]
    of_english, plain, foreign = english(word), ordinary(word), known(word)
    technical = word in TECHNOLOGY or word in products()
    strange = word.isalpha() and not (given or family or of_english or foreign or technical or plain)
    job = word in lists_of("occupations.txt")["people"]
    said = (given, word in given_names(), family, of_english, plain, foreign, technical, word in UI_WORDS, job, strange)
    small = (word in common_words(), word in function_words("sentence"), word in LANGUAGES, len(word) == 1)
    return tuple(map(float, said + small))


_NONE = (0.0,) * 14


class WordFeatures:
    """The words of a text, and the features of those within a finding."""

    def __init__(self, evidence: DetectionEvidence) -> None:
        self._evidence = evidence
        self._text = evidence.text
        self._words = list(_WORD.finditer(self._text))
        self._cached: dict[int, list[float]] = {}

    def _features_at(self, i: int) -> list[float]:
        """Return the features of word `i`; zeros before the first word and behind the last."""
        if not 0 <= i < len(self._words):
            return _NOBODY
        if i not in self._cached:
            self._cached[i] = self._features_of(*self._words[i].span())
        return self._cached[i]

    def _features_of(self, start: int, end: int) -> list[float]:
        """Return the features of the word in a span: what finders, nets and lists say of it, and how it is written."""
        word = self._text[start:end]
        odds = self._evidence.odds.get((start, end), (0.0,) * _CLASSES)
        named = self._evidence.named[start:end]
        digits = sum(map(str.isdigit, word))
        return [
            *classes(word.lower()),
            *(float(word[0].isupper()), 1.0 - odds[0] if any(odds) else -1.0, float(len(word))),
            *(float(word.isupper()), float(digits), float(any(c.isupper() for c in word[1:]) and not word.isupper())),
            *odds,
            *((max(named), sum(named) / len(named)) if named else (-1.0, -1.0)),
            *_edge(self._text[start - 1 : start] if start else "\n"),
            *_edge(self._text[end : end + 1] or "\n"),
            *(float(begins_sentence(self._text, start)), float(TITLE_BEFORE.search(self._text, max(0, start - 20), start) is not None)),
        ]  # fmt: skip

    def rows(self, f: Finding) -> tuple[list[tuple[int, int]], list[list[float]]]:
        """Return the spans of a finding's words, and the features of each. In a script without spaces the part within the finding is one word."""
        inside = [i for i, m in enumerate(self._words) if m.start() < f.end and f.start < m.end()]
        span = [
            *(float(f.entity == e) for e in trained_entities()),
            *(f.score, float(len(inside)), (f.end - f.start) / max(1, len(self._text))),
            *self._scores(f.start, f.end),
        ]
        places, out = [], []
        for place, i in enumerate(inside):
            whole = self._words[i].span()
            at = max(whole[0], f.start), min(whole[1], f.end)
            told = self._features_at(i) if at == whole else self._features_of(*at)
            places.append(at)
            near = (
                *self._features_at(i - 1)[:_NEAR],
                *self._features_at(i + 1)[:_NEAR],
                float(place),
                float(len(inside) - 1 - place),
            )
            out.append([*told, *near, *self._scores(*at), *span, *self._whole])
        return places, out

    def _scores(self, start: int, end: int) -> list[float]:
        """Return the highest score of each finder for a span."""
        by = self._evidence.by
        return [
            max((g.score for g in by.get(name, ()) if g.start < end and start < g.end), default=0.0) for name in FINDERS
        ]

    @cached_property
    def _whole(self) -> list[float]:
        """The features of the whole text."""
        text, words = self._text[:_MOST], [m[0] for m in self._words]
        native, foreign = evidence(text)
        count = max(1, len(words))
        shares = (
            native,
            foreign,
            sum(w[0].isupper() for w in words),
            sum(w.lower() in UI_WORDS for w in words),
            sum(w.lower() in TECHNOLOGY for w in words),
        )
        letters = (len(_OTHER.findall(text)), sum(map(str.isdigit, text)))
        marks = (sentence_like(text), text.islower(), text.isupper(), "\n" in text, "\t" in text, is_marked(text))
        beside = (self._evidence.context.kind == "slug", bool(self._evidence.context.label))
        return [
            math.log1p(len(words)),
            *(n / count for n in shares),
            *(n / max(1, len(text)) for n in letters),
            *map(float, marks + beside),
        ]


_NEAR = 17
"""Of what is said of a word, what counts for its neighbours."""
_NOBODY = [0.0] * _NEAR


def _edge(char: str) -> list[float]:
    return [float(char in of) for of in _EDGES]


class BoostedTrees:
    """Decision trees, each trained on the error of those before it (gradient boosting)."""

    def __init__(self) -> None:
        import numpy as np

        with resources.files(__package__).joinpath(WEIGHTS).open("rb") as file:
            stored = dict(np.load(file).items())
        self._roots, self._first = stored["roots"].astype(np.int64), float(stored["first"])
        self._feature, self._least = stored["feature"].astype(np.int64), stored["least"]
        self._left, self._right = stored["left"].astype(np.int64), stored["right"].astype(np.int64)
        self._value, self._deepest = stored["value"], int(stored["deepest"])

    def odds(self, rows: Sequence[Sequence[float]]) -> Array:
        """Return the probability for each row."""
        import numpy as np

        numbers = np.asarray(rows, np.float32)
        at = np.broadcast_to(self._roots, (len(numbers), len(self._roots)))
        which = np.arange(len(numbers))[:, None]
        for _ in range(self._deepest):  # a leaf leads to itself
            at = np.where(numbers[which, self._feature[at]] <= self._least[at], self._left[at], self._right[at])
        out: Array = 1 / (1 + np.exp(-self._first - self._value[at].sum(axis=1)))
        return out


@lru_cache(maxsize=1)
def trained_entities() -> tuple[str, ...]:
    """Return the entities that the trees were trained with, in the order of their features. A later entity has no feature, and moves no other."""
    import numpy as np

    with resources.files(__package__).joinpath(WEIGHTS).open("rb") as file:
        return tuple(np.load(file)["entities"].tolist())


@lru_cache(maxsize=1)
def load_trees() -> BoostedTrees:
    """Return the trees, loaded once."""
    return BoostedTrees()


def without_unlikely_words(evidence: DetectionEvidence, found: Sequence[Finding]) -> list[Finding]:
    """Return findings without improbable words at their ends, and without findings of such words alone. Findings by a label or a shape stay."""
    if not found or evidence.context.label or evidence.context.kind != "text":
        return list(found)
    words = WordFeatures(evidence)
    read = [words.rows(f) if _is_judged(evidence, f) else ([], []) for f in found]
    every = [row for _, rows in read for row in rows]
    odds = load_trees().odds(every).tolist() if every else []
    least, one_case = DOUBTED, evidence.text.islower()
    if len(found) == 1 and not sentence_like(evidence.text) and len(_WORD.findall(evidence.text)) <= _FEW:
        least = DOUBTED_ALONE
    out: list[Finding] = []
    for f, (places, rows) in zip(found, read, strict=True):
        own, odds = odds[: len(rows)], odds[len(rows) :]
        stands = [
            p >= (LEAST_OF_NAMES if _is_name(evidence.text[slice(*at)], one_case) else least)
            for at, p in zip(places, own, strict=True)
        ]
        if (cut := _without_ends(evidence.text, f, places, stands)) is not None:
            out.append(cut)
    return out


def _is_judged(evidence: DetectionEvidence, f: Finding) -> bool:
    """Return whether the decision trees judge a finding. They do if only models and lists found it, and no label, shape
    or cue confirms it.
    """
    if f.entity not in _JUDGED or (f.entity == "DATE_TIME" and any(map(str.isdigit, evidence.text[f.start : f.end]))):
        return False
    told = (g for name in _TELLING for g in evidence.by.get(name, ()) if name != "shape" or g.score >= SAID)
    return not any(g.entity == f.entity and g.start < f.end and f.start < g.end for g in told)


def _is_name(word: str, one_case: bool) -> bool:
    """Return whether a word is a listed name and no common word, or in no list. In mixed case it needs a capital."""
    given, common, family, of_english, _, foreign, *_ = told = classes(word.lower())
    listed = common or ((given or family) and not (of_english or foreign))
    return (one_case or word[0].isupper()) and bool(listed or told[_STRANGE])


def _without_ends(text: str, f: Finding, places: Sequence[tuple[int, int]], stands: Sequence[bool]) -> Finding | None:
    """Return a finding without the words at its ends for which `stands` is false, except numbers. None if no word is left.

    It stays whole if it is all of the text, or holds an address.
    """
    numbers = [any(map(str.isdigit, text[slice(*at)])) for at in places]
    if not places or all(stands):
        return f
    if not any(stands):
        return None
    if text[f.start : f.end].strip() == text.strip() or "://" in text[f.start : f.end]:
        return f
    own = [at for at, stays, number in zip(places, stands, numbers, strict=True) if stays or number]
    start = f.start if own[0] == places[0] else own[0][0]
    return f._replace(start=start, end=f.end if own[-1] == places[-1] else own[-1][1])
