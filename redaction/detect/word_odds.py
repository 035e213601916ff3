"""Estimate by decision trees how likely each word of a text is personal, and drop the improbable words of findings.

The features of a word are the recognizers that found it, its spelling, the word lists that have it or its neighbours,
and the output of both nets for it. Findings of models, nets and lists lose their improbable words (*Ansprechpartner
Korbinian Sedlmayr*); a finding without a probable word is dropped. `bench/redaction/odds` trains the trees on lines
that are not held out for measuring, and writes `odds.npz`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..contracts.entities import GUESSED
from ..contracts.findings import SAID, Finding, TextContext
from ..words.english import is_english_word, is_no_name
from ..words.word_lists import (
    LANGUAGES,
    NAMES_TOO,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    function_words,
    given_names,
    product_names,
    read_lists_by_kind,
)
from ..words.writing_systems import DENSE_LETTER
from .cross_text.program_strings import has_programmer_mark
from .filters.foreign_words import (
    TITLE_BEFORE,
    begins_sentence,
    count_language_words,
    is_foreign_interface_word,
    is_foreign_text,
)
from .filters.model_gating import DATE, is_running_text
from .filters.word_classes import is_technical_term
from .shapes.people_in_identifiers import find_people_in_identifier

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

FINDERS = (
    *("rampart", "spacy", "recased", "patterns", "net", "letters", "shape", "label", "hidden", "adjacent", "engine"),
    *("companies", "positions", "listed_names", "tables", "dictionaries", "towns", "unlisted", "welcomed", "under_labels"),
)  # fmt: skip
"""Recognizers that may have found something, in the order of the trees' features. Removed ones keep their index until
the trees are trained again.
"""
WEIGHTS = "odds.npz"
LEAST, LEAST_IN_ENGLISH, LEAST_IN_A_LABEL, SHARE_OF_NAMES, SHARE_OF_GIVEN_NAMES = 0.4, 0.08, 0.5, 0.3, 0.1
"""Probability from which on a word is personal: in sentences of other languages, in English ones, which the models know, and in labels, as strings of interfaces are; and the share of it from
which on a listed name and a word that no list has are, and from which on a common given name is."""
LEAST_IN_A_SLUG = 0.75
"""The least probability in a path segment."""
_FEW = 8
"""Most words of a label."""
_NAME = 4
"""Most words of a name that fills a text: one probable word then suffices for all."""
_TELLING = frozenset(("shape", "engine", "hidden", "label", "tables", "towns", "under_labels", "positions", "listed_names", "job", "adjacent", "welcomed"))  # fmt: skip
"""Recognizers whose findings are accepted: they use the words around, or lists of names that are no words."""
_SCORED = "shape"
"""A recognizer of which only findings with a high score are accepted."""
_STRANGE = 9
_JOINTS = function_words("company")
_ENTITIES = ("PERSON", "ORGANIZATION", "LOCATION", "NRP", "TITLE", "ADDRESS", "ZIP_CODE", "DATE_TIME", "URL", "EMAIL_ADDRESS", "PHONE_NUMBER", "GOVERNMENT_ID", "BANK_ACCOUNT", "USERNAME", "SECRET", "VALUE")  # fmt: skip
_PLACE = ("ADDRESS", "ZIP_CODE")
_WORD = re.compile(r"[a-z]{2,8}://[^\s\"'<>]+|[^\W_]+")
"""A word, or a whole URL."""
_OTHER = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufdff\ufe70-\ufeff]")
_MOST = 2_000
"""Characters of a text by which its features are computed."""
_EDGES = (" ", "\n\t", ":=", ",;.", "([{<", ")]}>", "\"'`“”«»„‘’", "-–—/|·•", "@#%$&_\\+*")
"""Classes of characters beside a word."""
_CLASSES = 6
Place = tuple[int, int]


@dataclass(slots=True)
class DetectionEvidence:
    """All evidence on the words of one text: the findings of each recognizer, and the probabilities of the nets."""

    text: str
    context: TextContext
    by: dict[str, Sequence[Finding]]
    """Recognizer → its findings."""
    odds: Mapping[Place, Sequence[float]] = field(default_factory=dict)
    """For each word the probabilities of the net on Rampart's layers."""
    named: Sequence[float] = ()
    """For each character the probability, by the character net, that it is personal."""


@lru_cache(maxsize=50_000)
def look_up_word_classes(word: str) -> tuple[float, ...]:
    """Return for each word list 1 if it has this word in small letters, else 0."""
    names = read_lists_by_kind("names_latin.txt")
    given = word in given_names() or word in names["given"] or word in names["both"]
    family = word in names["family"] or word in names["both"]
    of_english, plain, foreign = is_english_word(word), is_no_name(word), is_foreign_interface_word(word)
    technical = word in TECHNOLOGY or word in product_names()
    strange = word.isalpha() and not (given or family or of_english or foreign or technical or plain)
    job = word in read_lists_by_kind("occupations.txt")["people"]
    said = (given, word in given_names(), family, of_english, plain, foreign, technical, word in UI_WORDS, job, strange)
    small = (word in common_words(), word in function_words("sentence"), word in LANGUAGES, len(word) == 1)
    return tuple(map(float, said + small))


class WordFeatures:
    """The words of a text, and the features of each for the decision trees."""

    def __init__(self, evidence: DetectionEvidence) -> None:
        self._evidence = evidence
        self._text = evidence.text
        self._words = list(_WORD.finditer(self._text))
        self._starts, self._ends = [m.start() for m in self._words], [m.end() for m in self._words]
        self._told: dict[int, list[float]] = {}
        self._touching: list[list[tuple[str, Finding, int]]] = []
        """For each word the findings on it, each with its recognizer and its number of spaces."""

    def find_word_spans(self, finding: Finding) -> list[Place]:
        """Return the spans of a finding's words. In a script without spaces between words, the part within the
        finding is one word.
        """
        out = []
        for m in self._words[bisect_right(self._ends, finding.start) : bisect_left(self._starts, finding.end)]:
            at = max(m.start(), finding.start), min(m.end(), finding.end)
            out.append(at if DENSE_LETTER.search(self._text, *at) else m.span())
        return out

    def compute_feature_rows(self, spans: Iterable[Place]) -> list[list[float]]:
        """Return one row of features for the word at each span. The rows depend on the findings that the text's
        :class:`DetectionEvidence` holds when this is called.
        """
        self._touching = self._group_findings_by_word()
        return [self._compute_feature_row(at) for at in spans]

    def _compute_feature_row(self, at: Place) -> list[float]:
        i = bisect_right(self._ends, at[0])
        told = self._compute_word_features(i) if at == self._words[i].span() else self._compute_span_features(*at)
        near = (*self._compute_word_features(i - 1)[:_NEAR], *self._compute_word_features(i + 1)[:_NEAR])
        return [
            *told,
            *near,
            *self._compute_recognizer_features(i, at),
            *self._compute_neighbour_features(i),
            *self._text_features,
        ]

    def _compute_word_features(self, word_index: int) -> list[float]:
        """Return the features of word `word_index`; zeros before the first word and after the last."""
        if not 0 <= word_index < len(self._words):
            return _NOBODY
        if word_index not in self._told:
            self._told[word_index] = self._compute_span_features(*self._words[word_index].span())
        return self._told[word_index]

    def _compute_span_features(self, start: int, end: int) -> list[float]:
        """Return the features of the word in a span: the output of the nets, the lists that have the word, and its
        spelling.
        """
        word = self._text[start:end]
        odds = self._evidence.odds.get((start, end), (0.0,) * _CLASSES)
        named = self._evidence.named[start:end]
        digits = sum(map(str.isdigit, word))
        return [
            *look_up_word_classes(word.lower()),
            *(float(word[0].isupper()), 1.0 - odds[0] if any(odds) else -1.0, float(len(word))),
            *(float(word.isupper()), float(digits), float(any(c.isupper() for c in word[1:]) and not word.isupper())),
            *odds,
            *((max(named), sum(named) / len(named)) if named else (-1.0, -1.0)),
            *_compute_punctuation_features(self._text[start - 1 : start] if start else "\n"),
            *_compute_punctuation_features(self._text[end : end + 1] or "\n"),
            *(float(begins_sentence(self._text, start)), float(TITLE_BEFORE.search(self._text, max(0, start - 20), start) is not None)),
        ]  # fmt: skip

    def _group_findings_by_word(self) -> list[list[tuple[str, Finding, int]]]:
        out: list[list[tuple[str, Finding, int]]] = [[] for _ in self._words]
        for name, found in self._evidence.by.items():
            for f in found:
                blanks = self._text.count(" ", f.start, f.end)
                for i in range(bisect_right(self._ends, f.start), bisect_left(self._starts, f.end)):
                    out[i].append((name, f, blanks))
        return out

    def _compute_recognizer_features(self, word_index: int, at: Place) -> list[float]:
        """Return the highest score of each recognizer and of each entity at a word, the fewest and most spaces in one
        finding there, and the number of findings.
        """
        start, end = at
        scores = [0.0] * (len(FINDERS) + len(_ENTITIES))
        sizes = []
        for name, f, blanks in self._touching[word_index]:
            if f.start < end and start < f.end:
                for number in (_NUMBER.get(name), _NUMBER.get(f.entity)):
                    if number is not None:
                        scores[number] = max(scores[number], f.score)
                sizes.append(blanks)
        return [*scores, float(min(sizes, default=-1)), float(max(sizes, default=-1)), float(len(sizes))]

    def _compute_neighbour_features(self, word_index: int) -> list[float]:
        """Return the number of findings at the two words on each side, and the position of the word in the text."""
        last = len(self._words) - 1
        near = (
            float(len(self._touching[j])) if 0 <= j <= last else -1.0
            for j in (word_index - 2, word_index - 1, word_index + 1, word_index + 2)
        )
        return [*near, float(min(word_index, 9)), float(min(last - word_index, 9))]

    @cached_property
    def _text_features(self) -> list[float]:
        """The features of the whole text."""
        text, words = self._text[:_MOST], [m[0] for m in self._words]
        native, foreign = count_language_words(text)
        count = max(1, len(words))
        shares = (
            native,
            foreign,
            sum(w[0].isupper() for w in words),
            sum(w.lower() in UI_WORDS for w in words),
            sum(w.lower() in TECHNOLOGY for w in words),
        )
        letters = (len(_OTHER.findall(text)), sum(map(str.isdigit, text)))
        marks = (
            is_running_text(text),
            text.islower(),
            text.isupper(),
            "\n" in text,
            "\t" in text,
            has_programmer_mark(text),
        )
        return [
            math.log1p(len(words)),
            *(n / count for n in shares),
            *(n / max(1, len(text)) for n in letters),
            *map(float, (*marks, self._evidence.context.kind == "slug")),
        ]


_NUMBER = {name: at for at, name in enumerate((*FINDERS, *_ENTITIES))}
"""The index of a finder and of an entity among a word's scores."""
_NEAR = 26
"""Number of features of a word that also count for its neighbours."""
_NOBODY = [0.0] * _NEAR


def _compute_punctuation_features(char: str) -> list[float]:
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

    def predict_probabilities(self, rows: Sequence[Sequence[float]]) -> Array:
        """Return the probability for each row of features."""
        import numpy as np

        numbers = np.asarray(rows, np.float32)
        at = np.broadcast_to(self._roots, (len(numbers), len(self._roots)))
        which = np.arange(len(numbers))[:, None]
        for _ in range(self._deepest):  # a leaf leads to itself
            at = np.where(numbers[which, self._feature[at]] <= self._least[at], self._left[at], self._right[at])
        out: Array = 1 / (1 + np.exp(-self._first - self._value[at].sum(axis=1)))
        return out


@lru_cache(maxsize=1)
def load_trees() -> BoostedTrees:
    """Return the trees, loaded once."""
    return BoostedTrees()


class FindingSpans:
    """Sorted findings, for a fast test whether one of them covers a range (logarithmic in their number)."""

    def __init__(self, found: Sequence[Finding]) -> None:
        ordered = sorted((f.start, f.end) for f in found)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))
        """For each finding the greatest end among it and those before it."""

    def contain_range(self, start: int, end: int) -> bool:
        """Return whether a finding begins at `start` or before it and ends at `end` or after it."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._ends[before - 1] >= end


class WordJudge:
    """Decides which words of a text are personal. Each word is classified by the trees once."""

    def __init__(self, evidence: DetectionEvidence) -> None:
        self._evidence = evidence
        self._odds: dict[Place, float] = {}

    @cached_property
    def _word_features(self) -> WordFeatures:
        return WordFeatures(self._evidence)

    @property
    def accepted_findings(self) -> list[Finding]:
        """The findings by shapes, labels and lists that are accepted without asking the trees about their words."""
        return [f for name, found in self._evidence.by.items() for f in found if self._is_accepted_finding(name, f)]

    def drop_improbable_words(self, found: Sequence[Finding]) -> list[Finding]:
        """Return findings without the words that are improbably personal data, split where such a word is within one.
        Findings in `accepted_findings` (by shapes, labels and lists) stay whole.
        """
        if not found:
            return []
        words, believed = self._word_features, self.accepted_findings
        every = [(f, words.find_word_spans(f) if self._is_judged_by_trees(f) else []) for f in found]
        new = sorted({at for _, places in every for at in places} - self._odds.keys())
        if new:
            self._odds.update(
                zip(new, load_trees().predict_probabilities(words.compute_feature_rows(new)).tolist(), strict=True)
            )
        sure = FindingSpans(believed)
        self._odds.update((at, 1.0) for at in self._odds if sure.contain_range(*at))
        kept = [part for f, places in every for part in (self._split_at_improbable_words(f, places) if places else [f])]
        jobs = FindingSpans([g for g in believed if g.entity == "TITLE"])  # a model's own entity for it adds nothing
        return [f for f in kept if not (f.source and jobs.contain_range(f.start, f.end))]

    def _is_accepted_finding(self, name: str, finding: Finding) -> bool:
        return not self._is_judged_by_trees(finding) or (
            name in _TELLING and (name != _SCORED or finding.score >= SAID)
        )

    def _is_judged_by_trees(self, finding: Finding) -> bool:
        """Return whether the trees judge a finding, because a model or a list guessed it. They judge no dates, and no
        nationality in a sentence.
        """
        if finding.entity == "DATE_TIME" and DATE.search(self._evidence.text, finding.start, finding.end):
            return False
        if finding.entity == "NRP" and is_running_text(self._evidence.text):
            return False
        return bool(finding.source) or finding.entity in GUESSED

    @cached_property
    def _is_label_text(self) -> bool:
        return not is_running_text(self._evidence.text) and len(_WORD.findall(self._evidence.text)) <= _FEW

    @cached_property
    def _least_probability(self) -> float:
        """The least probability at which a word of this text is personal, if it is no listed name."""
        return (
            LEAST_IN_A_LABEL
            if self._is_label_text
            else LEAST
            if is_foreign_text(self._evidence.text)
            else LEAST_IN_ENGLISH
        )

    @cached_property
    def _is_lower_case_text(self) -> bool:
        return self._evidence.text.islower()

    def _is_personal_word(self, at: Place) -> bool:
        least = self._least_probability
        word = self._evidence.text[slice(*at)]
        if self._evidence.context.kind == "slug":
            return self._odds[at] >= LEAST_IN_A_SLUG
        if word.lower() in given_names() and (word[0].isupper() or self._is_lower_case_text):
            least *= SHARE_OF_GIVEN_NAMES
        elif _is_name_word(word, self._is_lower_case_text):
            least *= SHARE_OF_NAMES
        return self._odds[at] >= least

    def _split_at_improbable_words(self, finding: Finding, spans: Sequence[Place]) -> list[Finding]:
        """Return the parts of a finding between its improbable words, each as a finding."""
        text = self._evidence.text
        held = [self._is_personal_word(at) for at in spans]
        if all(held) or (
            any(held) and len(held) <= _NAME and text[finding.start : finding.end].strip() == text.strip()
        ):
            return [finding]
        if any(held):
            held = [yes or self._belongs_to_neighbour(finding, i, spans, held) for i, yes in enumerate(held)]
        out: list[Finding] = []
        last = -2
        for i, at in enumerate(spans):
            if held[i]:
                start, end = (
                    max(finding.start, at[0]) if i else finding.start,
                    min(finding.end, at[1]) if i + 1 < len(spans) else finding.end,
                )
                if last == i - 1:
                    out[-1] = out[-1]._replace(end=end)
                else:
                    out.append(finding._replace(start=start, end=end))
                last = i
        return out

    def _belongs_to_neighbour(
        self, finding: Finding, word_index: int, spans: Sequence[Place], kept_words: Sequence[bool]
    ) -> bool:
        """Return whether an improbable word is kept because it belongs to a probable word beside it.

        It is kept if it is: a number after a word that is no name; *and* within a company or an address; a capitalized
        word in a company; the other half of a given name and surname; or one word between two probable ones.
        """
        text, (start, end) = self._evidence.text, spans[word_index]
        word, beside = (
            text[start:end],
            [at for at in (word_index - 1, word_index + 1) if 0 <= at < len(kept_words) and kept_words[at]],
        )
        if (finding.entity in _PLACE or (word_index - 1 in beside and finding.entity != "PERSON")) and any(
            map(str.isdigit, word)
        ):
            return True
        if len(beside) > 1 and (word[0].isupper() or (finding.entity != "PERSON" and word.lower() in _JOINTS)):
            return True
        if not beside or not word[0].isupper() or text.isupper():
            return False
        if finding.entity == "PERSON":
            return any(look_up_word_classes(w.lower())[0] for w in (word, *(text[slice(*spans[at])] for at in beside)))
        return finding.entity == "ORGANIZATION" and not begins_sentence(text, start)


def _is_name_word(word: str, has_one_case: bool) -> bool:
    """Return whether a word is a listed name and no common word, or in no list. In mixed case it must be capitalized."""
    if not has_one_case and is_technical_term(word) and not find_people_in_identifier(word):
        return False
    given, common, family, of_english, _, foreign, *_ = told = look_up_word_classes(word.lower())
    listed = common or word.lower() in NAMES_TOO or ((given or family) and not (of_english or foreign))
    return (has_one_case or word[0].isupper()) and bool(listed or told[_STRANGE])
