"""Prints each value of a set that the detector misses, what had found it, and with which span it was dropped.

    python -m bench.redaction.lost eighteenth --case lower

A value that one model or rule had found is lost by another rule, which can be mended; for a value that none had found more rules or lines are needed. Only
the half of a set that was read is printed (:mod:`bench.redaction.sets`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from bench.redaction.sets import READ, split_read_half
from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect import detect

CASES: dict[str, Callable[[str], str]] = {"as": str, "lower": str.lower, "upper": str.upper}
_LEAST = 0.5
"""Score of a word that a reader says over nothing."""


class DetectionWatch:
    """Keeps what the models find in a text, and which findings the detector drops."""

    def __init__(self) -> None:
        self.said: list[Finding] = []
        self.dropped: list[Finding] = []
        self._ask, self._is_not_personal = detect._ask_models, detect.is_not_personal

    def ask_models(self, *arguments: Any) -> Any:
        """Ask the models, and keep their findings."""
        by_model, by_head, odds = self._ask(*arguments)
        for found in (*by_model, *by_head):
            self.said += [f for f in found if f.score > _LEAST]
        return by_model, by_head, odds

    def is_not_personal(self, text: str, f: Finding, context: Any) -> bool:
        """Return whether the detector takes a finding for nobody's, and keep the finding if so."""
        dropped = self._is_not_personal(text, f, context)
        if dropped:
            self.dropped.append(f)
        return dropped


def iter_missed_values(name: str, case: str) -> Iterator[tuple[str, str, str, list[str], list[str]]]:
    """Yield each missed value: its text, its entity, the value, what had found it, and the dropped findings that overlap it."""
    for row in split_read_half(name)[0]:
        text = CASES[case](row["text"])
        if len(text) != len(row["text"]):
            continue
        watched = DetectionWatch()
        with (
            patch.object(detect, "_ask_models", watched.ask_models),
            patch.object(detect, "is_not_personal", watched.is_not_personal),
        ):
            (found,) = detect.detect_personal_data([(text, TextContext())])
        covered = {at for f in found for at in range(f.start, f.end)}
        for start, end, kind in row["spans"]:
            if any(text[at].isalnum() and at not in covered for at in range(start, end)):
                told = [[_describe_finding(text, f) for f in each if f.start < end and start < f.end] for each in (watched.said, watched.dropped)]  # fmt: skip
                yield text, kind, text[start:end], *told


def _describe_finding(text: str, finding: Finding) -> str:
    return f"{text[finding.start : finding.end]!r} {finding.entity} {finding.score:.2f} {finding.source}".rstrip()


def main() -> None:
    """Print each missed value, and how many of them had been found before they were dropped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=READ)
    parser.add_argument("--case", choices=CASES, default="as")
    options = parser.parse_args()
    every = found = 0
    for text, kind, value, said, dropped in iter_missed_values(options.set, options.case):
        every += 1
        found += bool(said or dropped)
        print(
            f"{text[:120]!r}\n  {kind} {value!r}\n  said: {'; '.join(said[:8])}\n  dropped with: {'; '.join(dropped[:5])}"
        )
    print(f"{found} of {every} that are missed had been found by a reader")


if __name__ == "__main__":
    main()
