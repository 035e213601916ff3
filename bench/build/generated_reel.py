"""Writes a large made-up recording, the same one each time."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from pagereel.reel import FORMAT, ReelWriter

WORDS = [
    "amber",
    "basin",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "larch",
    "marsh",
    "north",
    "ochre",
    "pearl",
    "quarry",
    "ridge",
]
ROWS = 800


def _make_text(rng: random.Random, words: int) -> str:
    """Return `words` words chosen by chance, with spaces between them."""
    return " ".join(rng.choice(WORDS) for _ in range(words))


def _make_row(rng: random.Random, words: int) -> list[Any]:
    """Return a table row of three cells as a snapshot holds it; each cell has `words` words."""
    cells = [["td", {"class": f"c{n}"}, _make_text(rng, words)] for n in range(3)]
    return ["tr", {"class": "row", "title": _make_text(rng, 2)}, *cells]


def write_generated_reel(path: Path, changes: int, megabytes: float) -> int:
    """Write a reel with that many changes of one page, and return the size of its events in bytes.

    The ids of nodes are computed: each row of the table has 7 nodes.
    """
    rng = random.Random(7)
    # A change is a text of about so many words (6 characters each) or a row of three such cells.
    words = max(2, int(megabytes * 1e6 / changes / 7) - 8)
    per_row = 7
    started = 1_750_000_000_000
    header = {
        "k": "reel", "t": 0, "format": FORMAT, "started": started, "recorder": {"name": "bench", "version": "0"},
        "browser": {"name": "chromium", "version": "0", "transport": "cdp"}, "python": "3", "platform": "bench",
        "agent": "bench", "metadata": {}, "options": {},
    }  # fmt: skip
    writer = ReelWriter(path, header)
    writer.write({"k": "page", "t": 0, "page": 1, "event": "open"})
    writer.write(
        {"k": "document", "t": 1, "d": 1, "page": 1, "frame": "f", "url": "https://bench.test/", "top": True,
         "viewport": {"w": 1280, "h": 720, "dpr": 1}, "mode": "CSS1Compat"}
    )  # fmt: skip
    head = ["head", {}, ["title", {}, "bench"]]
    rows = [_make_row(rng, 4) for _ in range(ROWS)]
    tree = [
        "#document",
        {},
        ["#doctype", "html", "", ""],
        ["html", {}, head, ["body", {}, ["table", {}, ["tbody", {}, *rows]]]],
    ]
    writer.write({"k": "snapshot", "t": 2, "d": 1, "n": 0, "why": "start", "ops": [["doc", 1, tree]]})
    # document 1, doctype 2, html 3, head 4, title 5, its text 6, body 7, table 8, tbody 9
    tbody, alive = 9, [10 + per_row * n for n in range(ROWS)]
    following = 10 + per_row * ROWS
    for number in range(changes):
        kind = rng.random()
        at = rng.randrange(len(alive))
        row = alive[at]
        if kind < 0.55:
            ops: list[Any] = [["text", row + 2 + 2 * rng.randrange(3), _make_text(rng, words)]]
        elif kind < 0.8:
            ops = [["attr", row, {"class": f"row s{number % 17}", "title": _make_text(rng, words)}]]
        elif kind < 0.9:
            ops = [["add", -row, following, _make_row(rng, words // 3 + 1)], ["del", alive[at - 1]]]
            alive[at - 1] = following
            following += per_row
        elif kind < 0.95:
            ops = [["move", tbody, row]]
        else:
            ops = [["scroll", 1, 0, rng.randrange(4000)]]
        t = 3 + round(number * 3_600_000 / changes, 1)
        writer.write({"k": "mutation", "t": t, "d": 1, "n": number + 1, "ops": ops})
    writer.close("closed")
    return measure_event_bytes(path)


def measure_event_bytes(path: Path) -> int:
    """Return the size in bytes of a reel's events, each as one line of JSON."""
    import json

    from pagereel.reel import open_reel

    with open_reel(path) as reel:
        return sum(len(json.dumps(event, separators=(",", ":"))) + 1 for event in reel.events())
