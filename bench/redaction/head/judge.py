"""Judges a head: sentences that did not teach it, as they stand, in lower and in upper case, and strings of interfaces, without and with it.

    python -m bench.redaction.head.judge --sentences pii_sentences_dev.jsonl --weights head.npz --packages *.deb

Sums alone. What the head finds passes the same questions as what others find (``sensible``, ``of_interface``); it is not weighed by the texts beside it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.redaction import unseen
from bench.redaction.head.head import Head
from bench.redaction.head.layers import Layers
from bench.redaction.interfaces import strings
from bench.redaction.score import score
from pagereel.redaction import find_pii
from pagereel.redaction.contracts.types import TextContext
from pagereel.redaction.detect.interface import of_interface
from pagereel.redaction.detect.judging.measures import sensible
from pagereel.redaction.detect.judging.prose import harmless

LANGUAGES = ("en", "de", "fr", "es", "it")
Spans = list[list[tuple[int, int]]]


def judged(texts: Sequence[str], head: Head, model: Layers) -> tuple[Spans, Spans]:
    """Return what is found without and with the head."""
    before = [[(f.start, f.end) for f in found] for found in find_pii(texts)]
    after = []
    for text, found, (offsets, numbers) in zip(texts, before, model.read(texts), strict=True):
        more = [] if harmless(text) else head.find(text, offsets, numbers @ head.projection)
        kept = [f for f in more if sensible(text, f) and not of_interface(text, f, TextContext())]
        after.append([*found, *((f.start, f.end) for f in kept)])
    return before, after


def sets(sentences: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that judge: none of them taught the head."""
    rows = [json.loads(line) for line in sentences.read_text("utf-8").splitlines()]
    newer = {"sixth": unseen.SIXTH, "seventh": unseen.SEVENTH, "eighth": unseen.EIGHTH}
    return {
        "held out": [row for row in rows if row["template_id"] % 3 == 0],
        "fourth": unseen.sentences(),
        "fifth": unseen.sentences(unseen.FIFTH),
        **{f"{name}, unread": unseen.sentences(file)[1::2] for name, file in newer.items()},
    }


def _line(rows: Sequence[dict[str, Any]], spans: Spans) -> str:
    result = score(rows, spans)
    kinds = [(k, result["types"][k]["full"]) for k in ("PERSON", "ORGANIZATION", "TITLE") if k in result["types"]]
    told = " ".join(f"{kind} {full:.2f}" for kind, full in kinds)
    return f"{result['full']:.3f} full, {result['precision']:.3f} precise, {told}"


def main() -> None:
    """Print the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs that taught it nothing")
    parser.add_argument("--most", type=int, default=60, help="strings of one program in one language")
    options = parser.parse_args()
    head, model = Head(options.weights), Layers()
    for name, rows in sets(options.sentences).items():
        for case in (str, str.lower, str.upper):
            same = [{**row, "text": case(row["text"])} for row in rows if len(case(row["text"])) == len(row["text"])]
            before, after = judged([row["text"] for row in same], head, model)
            print(f"{name}, {case.__name__}: {_line(same, before)} -> {_line(same, after)}", flush=True)
    counts = [0, 0, 0]
    for package in options.packages:
        for code in LANGUAGES:
            texts = strings(package, code, options.most)
            before, after = judged(texts, head, model)
            counts = [n + len([s for s in found if s]) for n, found in zip(counts, (texts, before, after), strict=True)]
    print(f"of {counts[0]} strings {counts[1]} were touched, {counts[2]} are")


if __name__ == "__main__":
    main()
