"""Small recordings for a library, written event by event."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pagereel.library import Library
from pagereel.library.catalogue import LineChunk
from tests.redaction.reels import Maker


def made(
    path: Path,
    *shown: str,
    id: str = "",
    started: float = 1_000.0,
    agent: str | None = None,
    success: bool | None = None,
    said: str = "",
    cost: float = 0.0,
    metadata: Any = None,
    closed: bool = True,
) -> Path:
    """Write a run of one step whose page showed these lines one after the other, half a second each."""
    header = {"started": started, "agent": agent, "metadata": metadata, **({"id": id} if id else {})}
    maker = Maker(path, **header)
    maker.put("step", id=1, title="Buy a book", reasoning=said or None)
    maker.body(["p", {}, shown[0] if shown else "nothing"])
    for line in shown[1:]:
        maker.t += 500
        maker.ops(["text", 6, line])
    maker.put("llm", id=2, step=1, model="Some-Model-1", input_tokens=100, output_tokens=20, cost_usd=cost)
    maker.put("tool_call", id=3, step=1, name="search_web", arguments={"q": "books"})
    maker.put(
        "request", id="r1", page=1, method="GET", url="https://Shop.example/cart/items?x=1", type="fetch", headers={}
    )
    maker.t += 500
    maker.put("step_end", id=1, success=success)
    if closed:
        return maker.done()
    maker.writer.flush()
    return path


def lines_in(library: Library) -> list[str]:
    """Return all lines that a library's catalogue holds: each that a run has, counted rightly, and no other."""
    catalogue = library.catalogue
    runs = [n for (n,) in catalogue.execute("SELECT n FROM run").fetchall()]
    had = Counter(
        line for spans in catalogue.read_spans_of_runs(runs).values() for line in {span.line for span in spans}
    )
    assert dict(catalogue.execute("SELECT n, runs FROM line").fetchall()) == had
    assert {run for (run,) in catalogue.execute("SELECT run FROM shown").fetchall()} == set(runs)
    stored = {}
    for first, count, data in catalogue.execute("SELECT first, count, texts FROM chunk").fetchall():
        texts = LineChunk(bytes(data)).get_lines()
        assert len(texts) == count
        stored |= {first + place: text for place, text in enumerate(texts) if text is not None}
    assert stored.keys() == had.keys()
    assert catalogue.get_texts(had) == stored
    return sorted(stored.values())
