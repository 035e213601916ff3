"""Run the head, a small net on Rampart's hidden layers: it finds companies, positions and people that both models miss or are unsure about.

Rampart was trained to tell names from numbers and addresses. Its hidden layers show the role of a word in a sentence
better than its output does. The input of the head is, for each word, the average of four layers and the output over the
word's tokens, and the entries of word lists for the word and its neighbours. The head has one layer, three convolutions
over the neighbouring words, and an output layer. Training: ``bench/redaction/head``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...contracts.findings import Finding
from ...words.english import is_english_word, is_no_name
from ...words.word_lists import (
    LANGUAGES,
    LONGEST_WORD,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    function_words,
    given_names,
    read_lists_by_kind,
)
from ..filters.foreign_words import is_foreign_interface_word, is_word_of_trained_language
from ..filters.model_gating import is_running_text
from .layers import ConvolutionLayers, join_name_parts, load_weights

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

LAYERS = (2, 3, 4, 5)
"""The layers of Rampart that are used, besides its output."""
REACH = (1, 2, 4)
"""Distance from a word to those before and after it that each convolution reads."""
CLASSES = ("", "PERSON", "ORGANIZATION", "TITLE", "LOCATION", "VALUE")
WEIGHTS = "head.npz"
WORD = re.compile(r"[^\W_]+")
DOUBTED = 0.03
"""Probability of being personal below which a word in Latin letters that is no listed name is not personal, whatever a
model says.
"""
_LATIN = re.compile(r"[\u0000-\u036f\u1e00-\u1eff]+")
"""A word in Latin letters: neither the head nor Rampart was trained on others."""
_SHORT = 3
"""Most words of a text that is a label or a cell."""
_BEGINS = ".!?:;|•-–—>*\"'(“\n\t"
_BESIDE = 4
"""How many features of a word's shape also count for its neighbours."""
_JOINS = re.compile(r"\s?[&'’./-]?\s?")
"""Text that may stand between two words of one name."""


class RampartHeadOutput(NamedTuple):
    """The head's output for one text."""

    text: str
    found: list[Finding]
    """The head's own findings, which the trees do not judge."""
    odds: dict[tuple[int, int], list[float]]
    """For each word the probabilities of :data:`CLASSES`."""

    def denies_finding(self, finding: Finding) -> bool:
        """Return whether the head is sure that no word of a finding is personal."""
        told = [
            (self.text[at:end], row[0])
            for (at, end), row in self.odds.items()
            if at < finding.end and finding.start < end
        ]
        return bool(told) and all(
            nobodys > 1 - DOUBTED and _LATIN.fullmatch(word) and not _is_listed_name(word.lower())
            for word, nobodys in told
        )


class RampartHead:
    """The loaded head."""

    def __init__(self) -> None:
        stored = load_weights(__package__, WEIGHTS)
        scaled = stored["first"] / stored["spread"][:, None]
        self._bias = stored["first_bias"] - stored["mean"] @ scaled
        own = scaled.shape[0] - WIDTH
        self.projection: Array = scaled[:own]
        """Of Rampart's numbers for one token to the net's first layer: the mean of a word's tokens is the same before it and after it."""
        self._listed = scaled[own:]
        self._layers = ConvolutionLayers(stored, REACH)
        self._least = stored["thresholds"]
        """Least probability of a name by case of letters (mixed; one case), each in running text and in a label."""

    def compute_probabilities(
        self, text: str, offsets: Sequence[tuple[int, int]], projected: Array
    ) -> tuple[list[re.Match[str]], Array]:
        """Return the words of one window of a text, and the probabilities of :data:`CLASSES` for each.

        :param projected: a row for each token at `offsets`.
        """
        import numpy as np

        words = list(WORD.finditer(text, offsets[0][0], offsets[-1][1])) if offsets else []
        if not words:
            return words, np.zeros((0, len(CLASSES)), np.float32)
        hidden = np.tanh(
            average_by_word(words, offsets, projected) + compute_features(text, words) @ self._listed + self._bias
        )
        return words, self._layers.compute_probabilities(hidden)

    def classify_text(self, text: str, windows: Sequence[tuple[Sequence[tuple[int, int]], Array]]) -> RampartHeadOutput:
        """Return the head's output for a text. Each window is classified by itself."""
        output = RampartHeadOutput(text, [], {})
        for offsets, projected in windows:
            words, odds = self.compute_probabilities(text, offsets, projected)
            output.found.extend(self.find_entities(text, words, odds))
            output.odds.update((word.span(), row.tolist()) for word, row in zip(words, odds, strict=True))
        return output

    def find_entities(self, text: str, words: Sequence[re.Match[str]], probabilities: Array) -> list[Finding]:
        """Return people, companies, positions and places by the probabilities, with the words of one name joined."""
        prose = is_running_text(text)
        least = float(self._least[int(text.islower() or text.isupper()), int(not prose)])
        parts: list[Finding] = []
        if _SNAPSHOT.match(text):
            least = max(least, _IN_A_SNAPSHOT)
        names = probabilities[:, 1:-1].sum(axis=1)
        for at, (word, row) in enumerate(zip(words, probabilities, strict=True)):
            named = float(names[at])
            if not _LATIN.fullmatch(word[0]) or not (
                named > least or _belongs_to_adjacent_name(text, words, names, at, least)
            ):
                continue
            parts.append(Finding(*word.span(), CLASSES[1 + int(row[1:-1].argmax())], named))
        return [f for f in join_name_parts(text, parts, _JOINS) if not _names_only_objects(text, f)]


BESIDE = 0.4
"""Least probability of a word that belongs to a certain name beside it: *Iago* before *Tarrega*."""


def _belongs_to_adjacent_name(
    text: str, words: Sequence[re.Match[str]], names: Array, at: int, min_probability: float
) -> bool:
    """Return whether a word belongs to the name beside it: it is nearly as probable, and has a capital if the name
    has one.
    """
    if names[at] <= BESIDE:
        return False
    return any(
        0 <= other < len(words)
        and names[other] > min_probability
        and words[at][0][0].isupper() == words[other][0][0].isupper()
        and text[min(words[at].end(), words[other].end()) : max(words[at].start(), words[other].start())] == " "
        for other in (at - 1, at + 1)
    )


_CREDITED = re.compile(r"(?:['’]s?)?[ ](?:authors|developers|contributors|maintainers|translators|project)\b")
"""Words after the name of a program: *The Evince authors*."""
_SNAPSHOT = re.compile(r"\s*- [a-z]+ \"")
"""A line of an ARIA snapshot, which lists names of elements without sentences."""
_IN_A_SNAPSHOT = 0.95


def _names_only_objects(text: str, finding: Finding) -> bool:
    """Return whether the words of a finding only name objects, so that nothing but their position in the sentence makes
    them look personal.

    For a position or a place this is one common word that is not listed for people alone (*hull*, *rain*, *assistant*).
    For a company it is one word of interfaces in another language (*Bankkonto*). For all entities but people it is also
    a group of words of interfaces (*New Tab Group*).
    """
    small = [word[0].lower() for word in WORD.finditer(text, finding.start, finding.end)]
    if finding.entity == "PERSON":
        return False
    if finding.entity == "ORGANIZATION" and _CREDITED.match(text, finding.end):
        return True
    if len(small) > 1:
        return finding.entity == "ORGANIZATION" and all(word in UI_WORDS for word in small)
    people = read_lists_by_kind("occupations.txt")["people"]
    of_people = bool({small[0], small[0].removesuffix("s")} & people)
    return not of_people and (
        _is_foreign_or_compound(small[0]) or (finding.entity != "ORGANIZATION" and is_english_word(small[0]))
    )


@lru_cache(maxsize=20_000)
def _is_foreign_or_compound(word: str) -> bool:
    """Return whether a word in lower case is a word of interfaces in another language, or a compound with one
    (*bankkonto*).
    """
    if len(word) > LONGEST_WORD:
        return False
    return is_foreign_interface_word(word) or any(
        is_foreign_interface_word(word[cut:]) and (is_foreign_interface_word(word[:cut]) or is_english_word(word[:cut]))
        for cut in range(4, len(word) - 4)
    )


@lru_cache(maxsize=1)
def load_rampart_head() -> RampartHead:
    """Return the head, loaded once."""
    return RampartHead()


def average_by_word(words: Sequence[re.Match[str]], offsets: Sequence[tuple[int, int]], rows: Array) -> Array:
    """Return for each word the mean of its tokens' rows; zeros for a word outside of the window."""
    import numpy as np

    out = np.zeros((len(words), rows.shape[1]), np.float32)
    at = 0
    for index, word in enumerate(words):
        while at < len(offsets) and offsets[at][1] <= word.start():
            at += 1
        end = at
        while end < len(offsets) and offsets[end][0] < word.end():
            end += 1
        if end > at:
            out[index] = rows[at:end].astype(np.float32).mean(axis=0)
    return out


# -- features from lists --------------------


@lru_cache(maxsize=1)
def _load_word_lists() -> tuple[frozenset[str], ...]:
    names, jobs, firms = (read_lists_by_kind(f) for f in ("names_latin.txt", "occupations.txt", "businesses.txt"))
    none: frozenset[str] = frozenset()
    return (
        names["given"] | names["both"] | given_names(),
        names["family"] | names["both"],
        function_words("sentence") | function_words("small"),
        jobs["people"] | jobs.get("also", none) | jobs.get("weak", none),
        jobs.get("fields", none),
        firms["strong"],
        firms.get("weak", none),
    )


def _is_listed_name(word: str) -> bool:
    given, family = _load_word_lists()[:2]
    return word in given or word in family


@lru_cache(maxsize=50_000)
def _compute_list_features(word: str) -> tuple[bool, ...]:
    given, family, small, people, fields, strong, weak = (word in words for words in _load_word_lists())
    of_language, plain, foreign, technical = (
        is_english_word(word),
        is_no_name(word),
        is_word_of_trained_language(word),
        word in TECHNOLOGY,
    )
    strange = word.isalpha() and not (of_language or foreign or given or family or technical)
    numbered = any(map(str.isdigit, word))
    return (
        *(of_language, plain, of_language and not plain, word in common_words()),
        *(given, family, given and not plain, family and not of_language),
        *(small, word in UI_WORDS, technical, foreign, people, fields, strong, weak, strange),
        *(word.isdigit(), numbered and not word.isdigit(), len(word) < 3, word in LANGUAGES),
    )


_LISTED, _SHAPES = 21, 12
_STRANGE = 16
WIDTH = 3 * _LISTED + _SHAPES + 2 * _BESIDE
"""Number of features of a word that do not come from the model."""


def _iter_shape_features(text: str, words: Sequence[re.Match[str]], listed: Array) -> Iterator[tuple[bool, ...]]:
    one_case = text.islower() or text.isupper()
    few_capitals = sum(w[0][0].isupper() for w in words) < len(words) / 2
    small = any(w[0].lower() in _load_word_lists()[2] for w in words)
    for index, word in enumerate(words):
        before = text[max(0, word.start() - 3) : word.start()]
        begins = word.start() == 0 or before.strip()[-1:] in tuple(_BEGINS) or "\n" in before
        capital = word[0][0].isupper() and not one_case
        inside = capital and not begins
        of_language, plain, strange = (bool(listed[index][i]) for i in (0, 1, _STRANGE))
        yield (
            *(capital, inside, inside and few_capitals, word[0].isupper() and len(word[0]) > 1 and not one_case),
            *(one_case, begins, one_case and strange, one_case and not of_language, inside and plain),
            *(not capital and not one_case, len(words) <= _SHORT, small),
        )


def compute_features(text: str, words: Sequence[re.Match[str]]) -> Array:
    """Return the features of each word: the lists that have the word or its neighbours, and its spelling."""
    import numpy as np

    own = np.array([_compute_list_features(w[0].lower()) for w in words], np.float32)
    shape = np.array(list(_iter_shape_features(text, words, own)), np.float32)
    out = np.zeros((len(words), WIDTH), np.float32)
    out[:, :_LISTED], out[:, _LISTED : _LISTED + _SHAPES] = own, shape
    listed, shapes = np.split(out[:, _LISTED + _SHAPES :], [2 * _LISTED], axis=1)
    listed[1:, :_LISTED], listed[:-1, _LISTED:] = own[:-1], own[1:]
    shapes[1:, :_BESIDE], shapes[:-1, _BESIDE:] = shape[:-1, :_BESIDE], shape[1:, :_BESIDE]
    return out
