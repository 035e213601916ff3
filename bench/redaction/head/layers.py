"""Rampart's hidden layers and answer for the tokens of texts, by more outputs of the graph that is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import onnxruntime

from bench.redaction.head.head import LAYERS
from pagereel.redaction.detect.quantized import GRAPH, _fields, _message, eight_bit
from pagereel.redaction.detect.rampart import WINDOW, Rampart, _batches, model_folder

Array = np.ndarray[Any, Any]
_NAME = "/bert/encoder/layer.{}/output/LayerNorm/LayerNormalization_output_0"
_OUTPUT = 12
"""A graph's field for its outputs, by ``onnx.proto3``."""


class Layers(Rampart):
    """The model with its layers as outputs. Of a long text the first window is read."""

    def __init__(self) -> None:
        folder = model_folder()
        if folder is None:
            raise SystemExit("Rampart is not installed: pagereel setup")
        super().__init__(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        model = with_outputs(eight_bit((folder / "onnx" / "model_q4.onnx").read_bytes()), map(_NAME.format, LAYERS))
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def read(self, texts: Sequence[str]) -> list[tuple[list[tuple[int, int]], Array]]:
        """Return for each text where its tokens stand, and their numbers: the layers, then the answer."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        rows = [(i, e.ids[:WINDOW], e.offsets[:WINDOW]) for i, e in enumerate(encodings)]
        rows.sort(key=lambda row: len(row[1]))
        out: dict[int, tuple[list[tuple[int, int]], Array]] = {}
        for batch in _batches(rows):
            for (index, _, offsets), numbers in zip(batch, self._numbers([ids for _, ids, _ in batch]), strict=True):
                out[index] = offsets, numbers
        return [out[index] for index in range(len(texts))]

    def _numbers(self, batch: Sequence[Sequence[int]]) -> Iterator[Array]:
        width = max(map(len, batch)) + 2
        ids = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens) + 2] = [self._cls, *tokens, self._sep]
            mask[row, : len(tokens) + 2] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        logits, *layers = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})
        numbers = np.concatenate([*layers, logits - logits.max(axis=-1, keepdims=True)], axis=-1)
        for row, tokens in enumerate(batch):
            yield numbers[row, 1 : len(tokens) + 1]


def with_outputs(model: bytes, names: Iterator[str]) -> bytes:
    """Return the model with more of its values as outputs, after those that it has."""
    added = b"".join(_message(_OUTPUT, _message(1, name.encode())) for name in names)
    return b"".join(
        _message(GRAPH, body + added) if number == GRAPH and body is not None else raw
        for number, raw, body in _fields(model)
    )
