"""Holds the parts that the trainings of both nets share: batches, the loss, one training step, and the export of layers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

OUTSIDE = -100
"""The class of what is beside a text of a batch, and of what is not to be learnt."""
Array = np.ndarray[Any, Any]


def make_batches(
    indices: Iterable[int], size: Callable[[int], int], most: int, sorted_at_once: int, dice: random.Random | None
) -> list[list[int]]:
    """Return batches of texts of similar length, each of about ``most`` rows with padding.

    ``sorted_at_once``: how many texts are sorted by length at a time. With a generator ``dice`` texts and batches are shuffled.
    """
    order = list(indices)
    if dice:
        dice.shuffle(order)
    out: list[list[int]] = []
    for begin in range(0, len(order), sorted_at_once):
        batch: list[int] = []
        for at in sorted(order[begin : begin + sorted_at_once], key=size):
            if batch and (len(batch) + 1) * size(at) > most:
                out.append(batch)
                batch = []
            batch.append(at)
        out.append(batch)
    if dice:
        dice.shuffle(out)
    return out


def compute_loss(scores: torch.Tensor, classes: torch.Tensor, weights: torch.Tensor, smoothed: float) -> torch.Tensor:
    """Return the mean cross-entropy loss, in which each row counts by its weight."""
    lost = nn.functional.cross_entropy(
        scores.flatten(0, 1), classes.flatten(), reduction="none", ignore_index=OUTSIDE, label_smoothing=smoothed
    )
    counts = weights.flatten()
    return (lost * counts).sum() / counts.sum()


def take_training_step(net: nn.Module, loss: torch.Tensor, adam: torch.optim.Optimizer, rate: Any) -> float:
    """Take one training step against a loss, and return the loss."""
    adam.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    adam.step()
    rate.step()
    return float(loss.item())


def export_shared_layers(every: dict[str, Array], reach: Sequence[int]) -> dict[str, Array]:
    """Return the weights of norms, output layers and the last layer by name; convolutions are exported by each net itself."""
    layers = range(len(reach))
    return {
        "norms": np.stack([[every[f"norms.{i}.weight"], every[f"norms.{i}.bias"]] for i in (*layers, len(reach))]),
        "near_bias": np.stack([every[f"near.{i}.bias"] for i in layers]),
        "out": np.stack([every[f"out.{i}.weight"].T for i in layers]),
        "out_bias": np.stack([every[f"out.{i}.bias"] for i in layers]),
        "last": every["last.weight"].T,
        "last_bias": every["last.bias"],
    }
