"""Words of the material as rows of numbers, as the head will see them: Rampart's layers and answer by word, what the lists know, and what is true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.redaction.head.material import Text
from pagereel.redaction.detect.head.head import CLASSES, WORD, features, pooled
from pagereel.redaction.detect.rampart import Rampart

_CLASS = {"PERSON": 1, "ORGANIZATION": 2, "TITLE": 3, "GPE": 4, "STREET_ADDRESS": 4, "LOCATION": 4, "ADDRESS": 4}
Array = np.ndarray[Any, Any]


def rows_of(texts: Sequence[Text], model: Rampart) -> tuple[Array, Array, Array, Array]:
    """Return for every word of the texts its numbers, class and weight, and the text's index."""
    numbers, classes, weights, indices = [], [], [], []
    model.projection = np.eye(2 * 384 + 35, dtype=np.float32)  # as they are
    for begin in range(0, len(texts), 256):
        part = texts[begin : begin + 256]
        for index, (text, looks) in enumerate(zip(part, model.looks([t.text for t in part]), strict=True), begin):
            words = list(WORD.finditer(text.text))
            if not words or not looks.windows:
                continue
            offsets, hidden = looks.windows[0]
            numbers.append(
                np.concatenate([pooled(words, offsets, hidden), features(text.text, words)], 1).astype(np.float16)
            )
            classes.append([_true(text, *word.span()) for word in words])
            weights += [text.weight] * len(words)
            indices += [index] * len(words)
    return np.concatenate(numbers), np.concatenate(classes), np.array(weights, np.float32), np.array(indices)


def _true(text: Text, start: int, end: int) -> int:
    kinds = [_CLASS.get(kind, len(CLASSES) - 1) for s, e, kind in text.spans if start < e and s < end]
    return kinds[-1] if kinds else 0
