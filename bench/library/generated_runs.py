"""Fills a catalogue with made-up runs, and makes queries for them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

from pagereel.library.catalogue import Catalogue, CatalogueEntry
from pagereel.library.run_facts import IndexedRunFacts, UsageFigures
from pagereel.reading import TimedTextLine

LINES = 100
"""Of a run; forty of them stand in no other."""
AGENTS = ("checkout-bot", "search-bot", "ada", "bob")
MODELS = ("m-large", "m-small", "n-1")


class WordGenerator:
    """Makes words and lines by a fixed seed: 20,000 words, the first ones most frequent, and 3,000 lines that many runs share."""

    def __init__(self) -> None:
        self.dice = random.Random(17)
        self.words = [
            "".join(self.dice.choices("abcdefghijklmnoprstuvwy", k=self.dice.randrange(3, 10))) for _ in range(20_000)
        ]
        self.weights = list(accumulate(1 / (place + 10) for place in range(len(self.words))))
        self.usual = [
            " ".join(self.dice.choices(self.words, cum_weights=self.weights, k=self.dice.randrange(2, 9)))
            for _ in range(3_000)
        ]

    def draw_words(self, count: int = 1) -> str:
        """Return `count` words drawn by their frequency, with spaces between them."""
        return " ".join(self.dice.choices(self.words, cum_weights=self.weights, k=count))


def write_runs(catalogue: Catalogue, runs: int, words: WordGenerator) -> None:
    """Write that many made-up runs into a catalogue."""
    for number in range(runs):
        entry = CatalogueEntry(
            f"run{number:08}",
            f"{number:064x}",
            f"recordings/run{number:08}.reel",
            f"masked/run{number:08}.reel",
            bytes=300_000,
        )
        catalogue.write_run(entry, make_run_facts(number, words))
    catalogue.compact_storage()


def make_run_facts(number: int, words: WordGenerator) -> IndexedRunFacts:
    """Make up the facts and the lines of one run."""
    dice = words.dice
    outcome = dice.choices(["passed", "failed", "unknown"], [8, 1, 1])[0]
    agent, model, cost = dice.choice(AGENTS), dice.choice(MODELS), dice.random()
    made = IndexedRunFacts(
        started=1_760_000_000_000 + number * 60_000, duration=dice.random() * 60_000, agent=agent, outcome=outcome, sealed=True, kind="reel",
        steps=dice.randrange(1, 9), calls=20, model_calls=3, tokens=dice.randrange(9_000), cost=cost, errors=0, gaps=0, checkpoints=9, equal=9, policy="vendor",
    )  # fmt: skip
    made.used = {
        ("agent", agent): UsageFigures(1), ("outcome", outcome): UsageFigures(1), ("tool", dice.choice(words.words[:50])): UsageFigures(2, 80.0), ("host", "shop.example"): UsageFigures(9),
        ("model", model): UsageFigures(3, 900.0, 0, made.tokens, cost), ("path", f"/orders/{dice.randrange(5_000)}"): UsageFigures(1), ("test", f"t::{number % 500}"): UsageFigures(1),
    }  # fmt: skip
    texts = dice.sample(words.usual, 60) + [f"{words.draw_words(5)} n{number}x{n}" for n in range(40)]
    kinds = ["page", "page", "page", "reasoning", "console"]
    made.lines = [
        TimedTextLine(dice.choice(kinds), text, n * 100.0, n * 100.0 + 500, 1) for n, text in enumerate(texts[:LINES])
    ]
    return made


def iter_queries(words: WordGenerator) -> Iterator[str]:
    """Yield two hundred queries of four kinds."""
    dice = words.dice
    for _ in range(50):
        yield words.draw_words()
        yield f'seen:"{" ".join(dice.choice(words.usual).split()[:2])}" outcome:failed'
        yield f"agent:{dice.choice(AGENTS)} cost:>{dice.random():.2f} -outcome:passed path:/orders/{dice.randrange(500)}"
        yield f"said:{words.draw_words()} after:2025-10-10 duration:>30s"
