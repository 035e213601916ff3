"""Judges the head that is built in: sentences that did not teach it, as they stand, in lower and in upper case, and strings of interfaces, without and with it.

    python -m bench.redaction.head.judge --sentences pii_sentences_dev.jsonl --packages *.deb

Sums alone, of what the product masks in page text, and the detector's processor time. A program that was looked at once is no judge any more.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.redaction import unseen
from bench.redaction.interfaces import strings
from bench.redaction.score import score
from pagereel.redaction.detect.detect import find_pii  # the one that neither remembers nor forks
from pagereel.redaction.detect.head.head import Head, Reading

LANGUAGES = ("en", "de", "fr", "es", "it")
Spans = list[list[tuple[int, int]]]


class Clock:
    """Processor time without and with the head."""

    def __init__(self) -> None:
        self.spent = {False: 0.0, True: 0.0}

    def judged(self, texts: Sequence[str]) -> tuple[Spans, Spans]:
        """Return what is found without and with the head."""
        with patch.object(Head, "read", lambda *_: Reading([], {})):
            before = self._found(texts, headed=False)
        return before, self._found(texts, headed=True)

    def _found(self, texts: Sequence[str], *, headed: bool) -> Spans:
        begun = time.process_time()
        found = [[(f.start, f.end) for f in of_text] for of_text in find_pii(texts)]
        self.spent[headed] += time.process_time() - begun
        return found


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
    parser.add_argument("--packages", type=Path, nargs="*", default=[], help="programs that taught it nothing")
    parser.add_argument("--most", type=int, default=60, help="strings of one program in one language")
    options = parser.parse_args()
    clock = Clock()
    clock.judged(["Warm."])
    for name, rows in sets(options.sentences).items():
        for case in (str, str.lower, str.upper):
            same = [{**row, "text": case(row["text"])} for row in rows if len(case(row["text"])) == len(row["text"])]
            before, after = clock.judged([row["text"] for row in same])
            print(f"{name}, {case.__name__}: {_line(same, before)} -> {_line(same, after)}", flush=True)
    for package in options.packages:
        counts = [0, 0, 0]
        for code in LANGUAGES:
            texts = strings(package, code, options.most)
            found = (texts, *clock.judged(texts)) if texts else ()
            counts = [n + len([s for s in which if s]) for n, which in zip(counts, found or ([],) * 3, strict=True)]
        print(f"{package.name}: of {counts[0]} strings {counts[1]} were touched, {counts[2]} are", flush=True)
    print(f"processor time: {clock.spent[False]:.1f} s without, {clock.spent[True]:.1f} s with")


if __name__ == "__main__":
    main()
