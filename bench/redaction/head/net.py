"""The head's net, in numpy: one hidden layer, trained by Adam, and what it says of strings of programs that did not teach it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench.redaction.head.material import Text
from bench.redaction.head.rows import Array
from pagereel.redaction.detect.head.head import CLASSES
from pagereel.redaction.detect.judging.prose import sentence_like

HIDDEN, ROUNDS, BATCH = 32, 14, 512
RATE, DECAY, DROPPED = 2e-3, 1e-2, 0.25
MASKS = 8192
"""Rows of dropped features, drawn once: to draw them anew takes longer than the rest of a step."""
THRESHOLDS = ((0.95, 0.98), (0.95, 0.98))
"""As :class:`Head` reads them. Chosen with a net that half of the read sentences did not teach, by that half and by strings of eight programs, after ``sensible`` and ``of_interface``."""
Rows = tuple[Array, Array, Array, Array]


def trained(material: Sequence[Text], rows: Rows, seed: int) -> dict[str, Array]:
    """Return the weights after some rounds over the words of all texts that are not kept back."""
    numbers, classes, weights, indices = rows
    used = ~np.array([t.kept_back for t in material])[indices]
    mean, spread = _scale(numbers[used])
    dice = np.random.default_rng(seed)
    net = {
        "first": dice.normal(0, numbers.shape[1] ** -0.5, (numbers.shape[1], HIDDEN)).astype(np.float32),
        "first_bias": np.zeros(HIDDEN, np.float32),
        "second": dice.normal(0, HIDDEN**-0.5, (HIDDEN, len(CLASSES))).astype(np.float32),
        "second_bias": np.zeros(len(CLASSES), np.float32),
    }
    moments = {name: [np.zeros_like(v), np.zeros_like(v)] for name, v in net.items()}
    where = used.nonzero()[0]
    masks = (dice.random((MASKS, numbers.shape[1]), np.float32) > DROPPED) / np.float32(1 - DROPPED)
    step, steps = 0, ROUNDS * (len(where) // BATCH)
    for _ in range(ROUNDS):
        dice.shuffle(where)
        for begin in range(0, len(where) - BATCH + 1, BATCH):
            step += 1
            part = where[begin : begin + BATCH]
            x = (numbers[part].astype(np.float32) - mean) / spread
            first_mask = dice.integers(0, MASKS - BATCH)
            x *= masks[first_mask : first_mask + BATCH]
            slopes = _slopes(net, x, classes[part], weights[part])
            for name, slope in slopes.items():
                first, second = moments[name]
                first += 0.1 * (slope - first)
                second += 0.001 * (slope**2 - second)
                rate = RATE * (1 - step / (steps + 1))
                move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
                net[name] -= rate * (move + (DECAY * net[name] if net[name].ndim == 2 else 0))
    return {**net, "mean": mean, "spread": spread}


def _scale(numbers: Array) -> tuple[Array, Array]:
    some = numbers[:: max(1, len(numbers) // 50_000)].astype(np.float32)
    return some.mean(axis=0), some.std(axis=0) + 0.05


def _slopes(net: dict[str, Array], x: Array, classes: Array, weights: Array) -> dict[str, Array]:
    hidden = np.tanh(x @ net["first"] + net["first_bias"])
    odds = _odds(hidden @ net["second"] + net["second_bias"])
    odds[np.arange(len(classes)), classes] -= 1
    odds *= (weights / weights.sum())[:, None]
    back = odds @ net["second"].T * (1 - hidden**2)
    return {
        "first": x.T @ back,
        "first_bias": back.sum(axis=0),
        "second": hidden.T @ odds,
        "second_bias": odds.sum(axis=0),
    }


def _odds(scores: Array) -> Array:
    odds: Array = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    return odds


def named(rows: Rows, weights: dict[str, Array]) -> Array:
    """Return for each word the probability that it is somebody's name, company, position or place."""
    out = []
    for begin in range(0, len(rows[0]), 8192):
        x = (rows[0][begin : begin + 8192].astype(np.float32) - weights["mean"]) / weights["spread"]
        hidden = np.tanh(x @ weights["first"] + weights["first_bias"])
        out.append(_odds(hidden @ weights["second"] + weights["second_bias"])[:, 1:-1].sum(axis=1))
    return np.concatenate(out)


def touched(material: Sequence[Text], rows: Rows, weights: dict[str, Array]) -> list[float]:
    """Return the shares of running texts and of labels, of programs that were kept back, in which a word is over the threshold."""
    highest = np.zeros(len(material), np.float32)
    np.maximum.at(highest, rows[3], named(rows, weights))
    kept = [i for i, t in enumerate(material) if t.kept_back]
    prose = np.array([sentence_like(material[i].text) for i in kept])
    over = THRESHOLDS[0]
    return [float((highest[kept][group] > least).mean()) for group, least in zip((prose, ~prose), over, strict=True)]
