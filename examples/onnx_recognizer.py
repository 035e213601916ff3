"""Bring a larger model: a token classifier in ONNX, as a recognizer of Presidio's form.

    pip install onnxruntime tokenizers
    python examples/onnx_recognizer.py run.reel run.html ./my-model

The folder holds what a model of that kind comes with: `model.onnx`, `tokenizer.json`, and `config.json` with its labels (``B-PER``, ``I-PER``, ``O``).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from presidio_analyzer import EntityRecognizer, RecognizerResult

from pagereel import build

ENTITIES = {"PER": "PERSON", "ORG": "ORGANIZATION", "LOC": "LOCATION"}
"""What the model calls them, and pagereel's types."""
LEAST = 0.5


class OnnxRecognizer(EntityRecognizer):  # type: ignore[misc, unused-ignore]
    """A token classifier that is run where it is: nothing is fetched."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        super().__init__(supported_entities=sorted(ENTITIES.values()), name=f"ONNX, {folder.name}")

    def load(self) -> None:
        """Load the model. Presidio calls it once."""
        import onnxruntime  # type: ignore[import-untyped, unused-ignore]
        from tokenizers import Tokenizer

        labels = json.loads((self._folder / "config.json").read_text("utf-8"))["id2label"]
        self._labels: list[str] = [labels[str(at)] for at in range(len(labels))]
        self._tokens = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        self._session = onnxruntime.InferenceSession(str(self._folder / "model.onnx"))

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        """Return the runs of tokens that have one label, and the least probability of each."""
        import numpy as np

        encoding = self._tokens.encode(text)
        ids = np.array([encoding.ids], dtype=np.int64)
        (logits,) = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        odds = np.exp(logits[0] - logits[0].max(axis=-1, keepdims=True))
        odds /= odds.sum(axis=-1, keepdims=True)
        found: list[RecognizerResult] = []
        for (start, end), row in zip(encoding.offsets, odds, strict=True):
            begins, _, kind = self._labels[int(row.argmax())].partition("-")
            entity, score = ENTITIES.get(kind), float(row.max())
            if entity is None or end <= start or score < LEAST:
                continue
            last = found[-1] if found else None
            if begins == "I" and last and last.entity_type == entity and start - last.end <= 1:
                last.end, last.score = end, min(last.score, score)
            else:
                found.append(RecognizerResult(entity, start, end, score))
        return found


if __name__ == "__main__":
    reel, page, model = sys.argv[1:]
    build(reel, page, recognizers=[OnnxRecognizer(Path(model))])
