"""Trains the net of letters with PyTorch, and exports its weights for the product.

It learns by AdamW from whole texts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from bench.redaction.head.shared_training import (
    OUTSIDE,
    compute_loss,
    export_shared_layers,
    make_batches,
    take_training_step,
)
from bench.redaction.head.training_texts import TrainingText
from pagereel.redaction.detect.cues.non_latin_names import find_non_latin_people
from pagereel.redaction.detect.cues.spaced_scripts import look_up_in_name_lists as known_by_lists
from pagereel.redaction.detect.models.character_features import (
    ONES,
    PAIRS,
    THREES,
    WIDTH,
    WORD,
    compute_features,
    hash_to_buckets,
)
from pagereel.redaction.detect.models.character_net import CLASSES, REACH, TABLES

SIZES = (ONES, PAIRS, THREES)
DEEP = (32, 24, 16)
HIDDEN, ROUNDS, CHARACTERS = 96, 8, 3000
RATE, DECAY, SMOOTHED = 3e-3, 0.02, 0.02
THRESHOLDS = (0.8, 0.9)
_CLASS = {"PERSON": 1, "ORGANIZATION": 2, "TITLE": 3, "GPE": 4, "LOCATION": 4, "STREET_ADDRESS": 5, "NRP": OUTSIDE}
_RULED = 4
Array = np.ndarray[Any, Any]


class CharacterRow(NamedTuple):
    """The features and classes of a text's characters, and the text's weight."""

    which: Array
    known: Array
    classes: Array
    weight: float


def make_row(training_text: TrainingText) -> CharacterRow:
    """Return the features and classes of a text's characters."""
    classes = np.zeros(len(training_text.text), np.int64)
    for start, end, kind in training_text.spans:
        classes[start:end] = _CLASS.get(kind, 0)
    words = list(WORD.finditer(training_text.text))
    known = compute_features(
        training_text.text, words, find_non_latin_people(training_text.text), known_by_lists
    ).astype(np.uint8)
    return CharacterRow(hash_to_buckets(training_text.text).astype(np.int32), known, classes, training_text.weight)


class LetterNet(nn.Module):
    """The net of letters: embeddings of character groups, features, convolutions, and a layer that gives the scores."""

    def __init__(self) -> None:
        super().__init__()
        starts = np.cumsum([0, *SIZES])
        self.register_buffer("starts", torch.tensor(starts[:-1]))
        self.tables = nn.ModuleList([nn.Embedding(size, deep) for size, deep in zip(SIZES, DEEP, strict=True)])
        self.ins = nn.ModuleList([nn.Linear(deep, HIDDEN, bias=False) for deep in DEEP])
        self.known = nn.Linear(WIDTH, HIDDEN)
        self.norms = nn.ModuleList([nn.LayerNorm(HIDDEN) for _ in (*REACH, 0)])
        self.near = nn.ModuleList([nn.Linear(3 * HIDDEN, HIDDEN) for _ in REACH])
        self.out = nn.ModuleList([nn.Linear(HIDDEN, HIDDEN) for _ in REACH])
        self.last = nn.Linear(HIDDEN, len(CLASSES))
        self.dropped, self.thinned = nn.Dropout(0.2), nn.Dropout(0.1)
        for table in self.tables:
            nn.init.normal_(table.weight, std=0.3)

    def forward(self, which: torch.Tensor, known: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Return each character's scores for :data:`CLASSES`.

        ``which``: numbers of character groups; ``known``: features; ``there``: 1 where a text has a character, else 0.
        """
        there = there[..., None]
        hidden = self.known(known)
        for i, (table, into) in enumerate(zip(self.tables, self.ins, strict=True)):
            hidden = hidden + into(self.dropped(table(which[..., i] - self.starts[i])))
        hidden = torch.tanh(hidden) * there
        for norm, near, out, reach in zip(self.norms, self.near, self.out, REACH, strict=False):
            padded = nn.functional.pad(norm(hidden) * there, (0, 0, reach, reach))
            size = hidden.shape[1]
            around = near(torch.cat([padded[:, at : at + size] for at in (0, reach, 2 * reach)], -1))
            hidden = (hidden + self.thinned(out(torch.relu(around)))) * there
        scores: torch.Tensor = self.last(self.norms[-1](hidden))
        return scores


def train_net(
    rows: Sequence[CharacterRow], seed: int, rounds: int = ROUNDS, begun_with: dict[str, Array] | None = None
) -> LetterNet:
    """Train the net and return it. ``begun_with``: weights of an earlier training to begin with, at a third of the learning rate."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    net = LetterNet()
    fast = RATE / 3 if begun_with else RATE
    if begun_with:
        _load_weights(net, begun_with)
    steps = rounds * (len(_make_batches(rows, dice)) + 40)
    adam = torch.optim.AdamW(net.parameters(), lr=fast, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, fast, total_steps=steps, pct_start=0.15)
    for round_ in range(rounds):
        losses = []
        begun = time.process_time()
        for batch in _make_batches(rows, dice):
            which, known, classes, weights = _make_tensors([rows[at] for at in batch])
            drop = torch.rand(len(batch), 2)
            known[:, :, -_RULED:] *= (drop[:, :1, None] > 0.35).float()
            known[:, :, -_RULED - 16 : -_RULED] *= (drop[:, 1:, None] > 0.15).float()
            there = (weights > 0).float()
            with torch.autocast("cpu", torch.bfloat16):
                scores = net(which, known, there).float()
            losses.append(take_training_step(net, compute_loss(scores, classes, weights, SMOOTHED), adam, rate))
        print(f"round {round_ + 1} of {rounds}: {np.mean(losses):.4f}, {time.process_time() - begun:.0f} s", flush=True)
    return net.eval()


def _make_batches(rows: Sequence[CharacterRow], dice: random.Random) -> list[list[int]]:
    return make_batches(range(len(rows)), lambda at: len(rows[at].classes), CHARACTERS, 3000, dice)


def _make_tensors(rows: Sequence[CharacterRow]) -> tuple[torch.Tensor, ...]:
    shape = len(rows), max(len(row.classes) for row in rows)
    which = np.zeros((*shape, 3), np.int64)
    which += np.cumsum([0, *SIZES])[:-1]
    known = np.zeros((*shape, WIDTH), np.float32)
    classes = np.full(shape, OUTSIDE, np.int64)
    weights = np.zeros(shape, np.float32)
    for at, row in enumerate(rows):
        size = len(row.classes)
        which[at, :size], known[at, :size], classes[at, :size], weights[at, :size] = row[0], row[1], row[2], row[3]
    return tuple(map(torch.from_numpy, (which, known, classes, weights)))


def export_weights(net: LetterNet) -> dict[str, Array]:
    """Return the net's weights by name as the product reads them: embeddings and convolutions in 8 bits, the rest in 16."""
    every = {name: values.numpy() for name, values in net.state_dict().items()}
    out: dict[str, Array] = {}
    for i, name in enumerate(TABLES):
        out[name], out[f"{name}_scale"] = _quantize(every[f"tables.{i}.weight"])
        out[f"{name}_in"] = every[f"ins.{i}.weight"].T
    near = np.stack([every[f"near.{i}.weight"].T.reshape(3, HIDDEN, HIDDEN) for i in range(len(REACH))])
    out["near"], out["near_scale"] = _quantize(near)
    out |= {"known": every["known.weight"].T, "bias": every["known.bias"], **export_shared_layers(every, REACH)}
    return {name: a if a.dtype == np.int8 else a.astype(np.float16) for name, a in out.items()}


def _load_weights(net: LetterNet, weights: dict[str, Array]) -> None:
    """Load exported weights into a net."""
    w = {name: values.astype(np.float32) for name, values in weights.items()}
    state = {"known.weight": w["known"].T, "known.bias": w["bias"], "last.weight": w["last"].T}
    state["last.bias"] = w["last_bias"]
    for i, name in enumerate(TABLES):
        state[f"tables.{i}.weight"] = w[name] * w[f"{name}_scale"]
        state[f"ins.{i}.weight"] = w[f"{name}_in"].T
    for i in range(len(REACH) + 1):
        state[f"norms.{i}.weight"], state[f"norms.{i}.bias"] = w["norms"][i]
    for i in range(len(REACH)):
        near = w["near"][i] * w["near_scale"][i]
        state[f"near.{i}.weight"], state[f"near.{i}.bias"] = near.reshape(-1, HIDDEN).T, w["near_bias"][i]
        state[f"out.{i}.weight"], state[f"out.{i}.bias"] = w["out"][i].T, w["out_bias"][i]
    tensors = {name: torch.tensor(np.ascontiguousarray(values)) for name, values in state.items()}
    net.load_state_dict({**net.state_dict(), **tensors})


def _quantize(values: Array) -> tuple[Array, Array]:
    """Return values as whole numbers of 8 bits, and the factor of each column."""
    scale = np.abs(values).max(axis=-2, keepdims=True) / 127 + 1e-9
    return np.round(values / scale).astype(np.int8), scale


def describe_found(texts: Sequence[TrainingText], odds: Iterator[Array]) -> Iterator[str]:
    """Yield for each threshold the share of values found by entity, over the texts that were kept back.

    A line also has the share of found characters that are personal data.
    """
    pairs = list(zip(texts, odds, strict=True))
    for least in (0.5, 0.7, 0.8, 0.9):
        hit: dict[str, list[bool]] = {}
        right = all_ = touched = empty = 0
        for t, each in pairs:
            named = 1 - each[:, 0] > least
            true = np.zeros(len(t.text), bool)
            for start, end, kind in t.spans:
                true[start:end] = True
                if kind in _CLASS:
                    hit.setdefault(kind, []).append(bool(named[start:end].mean() > 0.9))
            right, all_ = right + int((named & true).sum()), all_ + int(named.sum())
            if not t.spans:
                empty, touched = empty + 1, touched + bool(named.any())
        shares = " ".join(f"{kind} {np.mean(found):.3f}" for kind, found in hit.items())
        yield f"over {least}: {shares} precise {right / max(all_, 1):.3f}, nobody's touched {touched} of {empty}"
