"""Run a small net over characters: it finds people, companies, positions and places in other scripts than Latin, which the models do not know.

The input for each character is the sum of three vectors (for the character, for it and the next one, for it and both
neighbours) and of features from word lists and rules. Convolutions over growing distances and an output layer classify
each character. Training: ``bench/redaction/letters``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...contracts.findings import SAID, Finding
from .character_features import (
    ARABIC,
    HAN,
    HANGUL,
    HEBREW,
    HIRAGANA,
    MARKS,
    OTHER,
    THAI,
    WORD,
    Known,
    classify_characters,
    compute_features,
    hash_to_buckets,
    to_code_points,
)
from .layers import ConvolutionLayers, join_name_parts, load_weights

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

REACH = (1, 2, 4, 8)
"""Distance from a character to those before and after it that each convolution reads."""
CLASSES = ("", "PERSON", "ORGANIZATION", "TITLE", "LOCATION", "ADDRESS")
TABLES = ("ones", "pairs", "threes")
WEIGHTS = "letters.npz"
PERSONAL = 0.5
"""Least probability of a character that belongs to a certain name beside it."""
DOUBTED = 0.06
"""Mean probability of a finding's characters below which the finding is dropped."""
_JOINS = re.compile(r"[ \u00a0.·・\-–'’\"״׳&]{0,2}")
"""Text that may stand between two words of one name."""
_GLUED = 2
"""Most letters that may be prefixed to a name in Arabic or Hebrew and are no part of it: *and*, *to*, *in*."""
_RUN_ON = (THAI, HANGUL, HIRAGANA, HAN)
"""Scripts in which a word may contain a name and other text."""
_THAI_BEFORE, _THAI_BEHIND = "เแโใไ", "ะาำๅ"
"""Thai vowels that stand before, and after, the letter that they belong to."""
_SHORT = 3
"""Most letters and marks of a run of Thai that is no name."""
_ONE_LETTER = 0.9
"""Least probability of a single character that is a whole name."""
_LABEL = 16
"""Most letters of a text that is a label."""


class CharacterNetOutput(NamedTuple):
    """The net's output for one text."""

    text: str
    found: list[Finding]
    named: Array
    """For each character, the probability that it is personal."""

    def denies_finding(self, finding: Finding) -> bool:
        """Return whether the net is sure that a person found by lists of names is none: the finding has letters of a
        script that the net knows, and their mean probability is low.

        Names after a greeting, a title or a label are never denied: the net denies unknown names as surely as other
        words.
        """
        return (
            finding.entity == "PERSON"
            and finding.score < SAID
            and OTHER.search(self.text, finding.start, finding.end) is not None
            and float(self.named[finding.start : finding.end].mean()) < DOUBTED
        )


class CharacterNet:
    """The net over characters, with its weights loaded."""

    def __init__(self, known: Known) -> None:
        import numpy as np

        self._listed = known
        stored = load_weights(__package__, WEIGHTS)
        tables = ((stored[name] * stored[f"{name}_scale"]) @ stored[f"{name}_in"] for name in TABLES)
        self._first: Array = np.concatenate(list(tables))
        self._known, self._bias = stored["known"], stored["bias"]
        self._layers = ConvolutionLayers(stored, REACH)
        self._least = stored["thresholds"]
        """Least probability of a name in running text, and in a label."""

    def compute_probabilities(
        self, text: str, words: Sequence[re.Match[str]], rule_findings: Sequence[Finding]
    ) -> Array:
        """Return the probabilities of :data:`CLASSES` for each character. Shape: (characters, classes)."""
        import numpy as np

        which = hash_to_buckets(text)
        hidden = compute_features(text, words, rule_findings, self._listed) @ self._known + self._bias
        hidden = np.tanh(hidden + self._first[which].sum(axis=1))
        return self._layers.compute_probabilities(hidden)

    def classify_text(self, text: str, rule_findings: Sequence[Finding] = ()) -> CharacterNetOutput:
        """Return the net's output for a text. `rule_findings` holds the findings of the rules in it."""
        words = list(WORD.finditer(text))
        odds = self.compute_probabilities(text, words, rule_findings)
        return CharacterNetOutput(text, list(self.iter_findings(text, words, odds)), 1 - odds[:, 0])

    def iter_findings(self, text: str, words: Sequence[re.Match[str]], probabilities: Array) -> Iterator[Finding]:
        """Yield findings by the probabilities, with the words of one name joined. At least one word of each must
        reach the threshold.
        """
        least = float(self._least[int(sum(len(w[0]) for w in words) <= _LABEL)])
        yield from (
            f
            for f in join_name_parts(text, _iter_personal_words(text, words, probabilities), _JOINS)
            if f.score > least
        )


def _iter_personal_words(text: str, words: Sequence[re.Match[str]], probabilities: Array) -> Iterator[Finding]:
    """Yield the words that are more likely personal than not, or in scripts without spaces between words the runs of
    such characters.
    """
    import numpy as np

    named = 1 - probabilities[:, 0]
    kind = classify_characters(to_code_points(text))
    last = 0
    for word in words:
        start, end = word.span()
        if not OTHER.match(word[0]) or named[start:end].max() <= PERSONAL:
            continue
        of = int(kind[start])
        if of in (HEBREW, ARABIC):
            hot = np.flatnonzero(named[start:end] > PERSONAL)
            begin = start + int(hot[0])
            start = begin if begin - start <= _GLUED else start
        elif of in _RUN_ON:
            for f in _iter_class_runs(start, end, probabilities, named):
                if whole := _extend_to_syllables(text, f, word, of, last):
                    last = whole.end
                    yield whole
            continue
        if (score := float(named[start:end].mean())) > PERSONAL:
            yield Finding(start, end, _find_likeliest_entity(probabilities[start:end]), score)


def _iter_class_runs(start: int, end: int, probabilities: Array, named: Array) -> Iterator[Finding]:
    """Yield runs of characters of one class within a word, each with its mean probability."""
    at = start
    while at < end:
        if named[at] <= PERSONAL:
            at += 1
            continue
        begin, of = at, int(probabilities[at, 1:].argmax())
        while at < end and named[at] > PERSONAL and int(probabilities[at, 1:].argmax()) == of:
            at += 1
        yield Finding(begin, at, CLASSES[1 + of], float(named[begin:at].mean()))


def _extend_to_syllables(text: str, finding: Finding, word: re.Match[str], script: int, last: int) -> Finding | None:
    """Return a run of characters extended by the combining marks at its ends. None if it is only one letter of
    several, or a part of a Korean word.
    """
    if script == THAI:
        start, end = finding.start, finding.end
        while start > word.start() and (text[start] in MARKS or text[start - 1] in _THAI_BEFORE):
            start -= 1
        while end < word.end() and (text[end] in MARKS or text[end] in _THAI_BEHIND):
            end += 1
        finding = finding._replace(start=start, end=end)
        return finding if end - start > _SHORT else None
    if script == HANGUL and finding.start not in (word.start(), last):
        return None
    return (
        finding
        if finding.end - finding.start > 1 or (script == HAN and finding.score > _ONE_LETTER) or finding.start == last
        else None
    )


def _find_likeliest_entity(probabilities: Array) -> str:
    return CLASSES[1 + int(probabilities[:, 1:].sum(axis=0).argmax())]


def has_non_latin_letters(text: str) -> bool:
    """Return whether a text has letters of another script than Latin."""
    return not text.isascii() and OTHER.search(text) is not None


@lru_cache(maxsize=1)
def load_character_net(look_up_word: Known) -> CharacterNet:
    """Return the net, loaded once.

    :param look_up_word: looks a word up in the lists of names.
    """
    return CharacterNet(look_up_word)
