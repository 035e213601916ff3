"""What is counted: full masks, characters, and what was touched that should not have been."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from bench.redaction.systems import Span


def score(rows: Sequence[dict[str, Any]], predicted: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Full-mask recall in all and by type; recall, precision and F2 by character."""
    types: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    gold_count = masked_count = both = 0
    for row, spans in zip(rows, predicted, strict=True):
        text = row["text"]
        masked = _cover(len(text), spans)
        gold = _cover(len(text), [(s, e) for s, e, _ in row["spans"]])
        for start, end, kind in row["spans"]:
            types[kind][0] += all(masked[i] for i in range(start, end) if text[i].isalnum())
            types[kind][1] += 1
        for i, char in enumerate(text):
            if char.isalnum():
                gold_count += gold[i]
                masked_count += masked[i]
                both += gold[i] and masked[i]
    spans_all = sum(n for _, n in types.values())
    recall, precision = both / max(gold_count, 1), both / max(masked_count, 1)
    return {
        "spans": spans_all,
        "full": sum(ok for ok, _ in types.values()) / max(spans_all, 1),
        "recall": recall,
        "precision": precision,
        "f2": 5 * precision * recall / max(4 * precision + recall, 1e-9),
        "types": {k: {"n": n, "full": ok / n} for k, (ok, n) in sorted(types.items(), key=lambda item: -item[1][1])},
    }


def _cover(length: int, spans: Sequence[Span]) -> list[bool]:
    out = [False] * length
    for start, end in spans:
        out[start:end] = [True] * (end - start)
    return out


def over_masking(texts: Sequence[str], predicted: Sequence[Sequence[Span]]) -> dict[str, float]:
    """The share of strings of user interfaces that were touched, and of their characters."""
    touched = sum(1 for spans in predicted if spans)
    return {
        "strings": len(texts),
        "touched": touched / max(len(texts), 1),
        "characters": sum(e - s for spans in predicted for s, e in spans) / max(sum(map(len, texts)), 1),
    }
