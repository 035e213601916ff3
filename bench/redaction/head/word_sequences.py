"""Computes for each word of a text the features that the head sees, and the class that is true.

Features are Rampart's hidden layers, averaged by word, and what word lists know of the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from bench.redaction.head.training_texts import TrainingText
from pagereel.redaction.detect.models import rampart
from pagereel.redaction.detect.models.rampart_head import CLASSES, WORD, average_by_word, compute_features

_CLASS = {"PERSON": 1, "ORGANIZATION": 2, "TITLE": 3, "GPE": 4, "STREET_ADDRESS": 4, "LOCATION": 4, "ADDRESS": 4}
_PART = 512
"""Texts at a time."""
Array = np.ndarray[Any, Any]


class WordSequences(NamedTuple):
    """The features and classes of all words of many texts, one text after the other."""

    numbers: Array
    classes: Array
    begins: Array
    """Of each text its first row, and at last their count."""
    indices: Array
    """Of each text its place in what was given: what has no word is left out."""


def compute_sequences(texts: Sequence[TrainingText], processes: int = 2) -> WordSequences:
    """Return the features and classes of all words of the texts, computed in several processes.

    :raises SystemExit: Rampart is not installed.
    """
    if rampart.find_model_folder() is None:
        raise SystemExit("Rampart is not installed: pagereel setup")
    parts = [(begin, texts[begin : begin + _PART]) for begin in range(0, len(texts), _PART)]
    with ProcessPoolExecutor(processes) as pool:
        every = [row for rows in pool.map(_compute_rows, *zip(*parts, strict=True)) for row in rows]
    return WordSequences(
        np.concatenate([numbers for _, numbers, _ in every]),
        np.concatenate([classes for *_, classes in every]),
        np.cumsum([0, *(len(classes) for *_, classes in every)]),
        np.array([index for index, *_ in every]),
    )


def _compute_rows(begin: int, texts: Sequence[TrainingText]) -> list[tuple[int, Array, Array]]:
    """Return number, features and classes of each text that has a word. ``begin``: the number of the first text."""
    out = []
    for index, (text, look) in enumerate(
        zip(texts, _load_model().classify_texts([t.text for t in texts]), strict=True), begin
    ):
        if not look.windows:
            continue
        offsets, hidden = look.windows[0]
        words = [w for w in WORD.finditer(text.text) if offsets and w.start() < offsets[-1][1]]
        if words:
            numbers = np.concatenate([average_by_word(words, offsets, hidden), compute_features(text.text, words)], 1)
            out.append(
                (index, numbers.astype(np.float16), np.array([_find_class(text, *w.span()) for w in words], np.int64))
            )
    return out


class _EmptyHead:
    """Replaces the head in Rampart's classifier, so that weights of an earlier training are not used."""

    projection = np.zeros((1, 1), np.float32)


@lru_cache(maxsize=1)
def _load_model() -> rampart.RampartClassifier:
    folder = rampart.find_model_folder()
    assert folder is not None
    with patch.object(rampart, "load_rampart_head", _EmptyHead):
        return rampart.RampartClassifier(folder, as_they_are=True)


def _find_class(text: TrainingText, start: int, end: int) -> int:
    """Return the class of the word from ``start`` to ``end``, 0 where it is in no span."""
    kinds = [_CLASS.get(kind, len(CLASSES) - 1) for s, e, kind in text.spans if start < e and s < end]
    return kinds[-1] if kinds else 0
