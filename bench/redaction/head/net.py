"""Trains the head's network with PyTorch, and exports its weights for the product.

It learns by AdamW from whole texts, so that a word is judged with the words around it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

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
from bench.redaction.head.word_sequences import Array, WordSequences
from pagereel.redaction.detect.filters.model_gating import is_running_text
from pagereel.redaction.detect.models.rampart_head import CLASSES, REACH

HIDDEN, ROUNDS, WORDS = 128, 8, 3000
RATE, DECAY, DROPPED, SMOOTHED = 2e-3, 0.02, 0.25, 0.02
THRESHOLDS = ((0.8, 0.9), (0.8, 0.9))
"""As :class:`Head` reads them."""


class WordNet(nn.Module):
    """The head's network: a layer over each word's features, convolutions over the words around it, and a layer that gives the scores."""

    def __init__(self, mean: torch.Tensor, spread: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.first = nn.Linear(len(mean), HIDDEN)
        self.norms = nn.ModuleList([nn.LayerNorm(HIDDEN) for _ in (*REACH, 0)])
        self.near = nn.ModuleList([nn.Conv1d(HIDDEN, HIDDEN, 3, padding=r, dilation=r) for r in REACH])
        self.out = nn.ModuleList([nn.Linear(HIDDEN, HIDDEN) for _ in REACH])
        self.last = nn.Linear(HIDDEN, len(CLASSES))
        self.dropped, self.thinned = nn.Dropout(DROPPED), nn.Dropout(0.15)

    def forward(self, numbers: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
        """Return each word's scores for :data:`CLASSES`.

        ``numbers`` are features by text and word; ``there`` is 1 where a text has a word, else 0.
        """
        there = there[..., None]
        hidden = torch.tanh(self.first(self.dropped((numbers - self.mean) / self.spread))) * there
        for norm, near, out in zip(self.norms, self.near, self.out, strict=False):
            around = near((norm(hidden) * there).transpose(1, 2)).transpose(1, 2)
            hidden = (hidden + self.thinned(out(torch.relu(around)))) * there
        scores: torch.Tensor = self.last(self.norms[-1](hidden))
        return scores


def train_net(material: Sequence[TrainingText], rows: WordSequences, seed: int) -> WordNet:
    """Train the network on all texts that are not kept back, and return it."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    some = rows.numbers[:: max(1, len(rows.numbers) // 60_000)].astype(np.float32)
    net = WordNet(torch.tensor(some.mean(axis=0)), torch.tensor(some.std(axis=0) + 0.05))
    used = [at for at, index in enumerate(rows.indices) if not material[index].kept_back]
    weights = np.array([material[index].weight for index in rows.indices], np.float32)
    steps = ROUNDS * (len(_make_batches(rows, used, dice)) + 20)
    adam = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, total_steps=steps, pct_start=0.1)
    for round_ in range(ROUNDS):
        losses = []
        for batch in _make_batches(rows, used, dice):
            numbers, classes, there = _make_tensors(rows, batch)
            scores = net(numbers, there)
            loss = compute_loss(scores, classes, torch.from_numpy(weights[batch])[:, None] * there, SMOOTHED)
            losses.append(take_training_step(net, loss, adam, rate))
        print(f"round {round_ + 1} of {ROUNDS}: {np.mean(losses):.4f}", flush=True)
    return net.eval()


def export_weights(net: WordNet) -> dict[str, Array]:
    """Return the network's weights by name, in the form in which the product reads them."""
    every = {name: values.numpy() for name, values in net.state_dict().items()}
    return {
        **{name: every[name] for name in ("mean", "spread")},
        "first": every["first.weight"].T,
        "first_bias": every["first.bias"],
        "near": np.stack([every[f"near.{i}.weight"].transpose(2, 1, 0) for i in range(len(REACH))]),
        **export_shared_layers(every, REACH),
    }


def compute_odds(net: WordNet, rows: WordSequences, indices: Sequence[int]) -> dict[int, Array]:
    """Return the probabilities of :data:`CLASSES` for each word of these texts, by the text's number."""
    found: dict[int, Array] = {}
    with torch.no_grad():
        for batch in _make_batches(rows, indices, None):
            numbers, _, there = _make_tensors(rows, batch)
            said = torch.softmax(net(numbers, there), -1).numpy()
            for row, at in enumerate(batch):
                found[at] = said[row, : rows.begins[at + 1] - rows.begins[at]]
    return found


def describe_errors(material: Sequence[TrainingText], rows: WordSequences, net: WordNet) -> Iterator[str]:
    """Yield for each threshold the share of words found by class, over the texts that were kept back.

    A line also has the share of texts without personal data in which a word is found.
    """
    apart: dict[str, list[int]] = {}
    for at, index in enumerate(rows.indices):
        if material[index].kept_back:
            kind = "sentences" if is_running_text(material[index].text) else "labels"
            apart.setdefault(f"{material[index].kept_back}, {kind}", []).append(at)
    for name, which in apart.items():
        said = compute_odds(net, rows, which)
        for least in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98):
            classes = np.concatenate([rows.classes[rows.begins[at] : rows.begins[at + 1]] for at in which])
            hit = np.concatenate([said[at][:, 1:-1].sum(axis=1) for at in which]) > least
            empty = [at for at in which if not rows.classes[rows.begins[at] : rows.begins[at + 1]].any()]
            touched = np.mean([(said[at][:, 1:-1].sum(axis=1) > least).any() for at in empty])
            shares = " ".join(
                f"{CLASSES[c]} {hit[classes == c].mean():.3f}" for c in range(1, 5) if (classes == c).any()
            )
            right = (classes[hit] > 0).mean() if hit.any() else 1
            yield f"{name}, over {least}: {shares} precise {right:.3f}, nobody's touched {touched:.4f} of {len(empty)}"


def _make_batches(rows: WordSequences, indices: Sequence[int], dice: random.Random | None) -> list[list[int]]:
    return make_batches(indices, lambda at: int(rows.begins[at + 1] - rows.begins[at]), WORDS, 4000, dice)


def _make_tensors(rows: WordSequences, batch: Sequence[int]) -> tuple[Any, Any, Any]:
    sizes = [int(rows.begins[at + 1] - rows.begins[at]) for at in batch]
    shape = len(batch), max(sizes)
    numbers = np.zeros((*shape, rows.numbers.shape[1]), np.float32)
    classes = np.full(shape, OUTSIDE, np.int64)
    there = np.zeros(shape, np.float32)
    for row, (at, size) in enumerate(zip(batch, sizes, strict=True)):
        numbers[row, :size] = rows.numbers[rows.begins[at] : rows.begins[at] + size]
        classes[row, :size] = rows.classes[rows.begins[at] : rows.begins[at] + size]
        there[row, :size] = 1
    return torch.from_numpy(numbers), torch.from_numpy(classes), torch.from_numpy(there)
