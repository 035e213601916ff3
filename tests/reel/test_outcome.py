"""How a run ended is decided in one place, by one rule."""

from __future__ import annotations

from typing import Any

import pytest

from pagereel.reel import find_outcome


def run(*told: tuple[Any, ...]) -> list[dict[str, Any]]:
    """``("begin", 1, "Pay", parent)``, ``("end", 1, success)``, ``("call", step, "click", error)``, ``("say", success, reason)``: a second each."""
    events: list[dict[str, Any]] = []
    for t, (what, *rest) in enumerate(told):
        if what == "begin":
            id, title, *parent = rest
            events.append({"k": "step", "t": t, "id": id, "title": title, "parent": parent[0] if parent else None})
        elif what == "end":
            events.append({"k": "step_end", "t": t, "id": rest[0], "success": rest[1]})
        elif what == "call":
            step, method, error = rest
            events.append({"k": "call", "t": t, "step": step, "method": method, "locator": "#pay", "error": error})
        else:
            events.append({"k": "outcome", "t": t, "id": 99, "success": rest[0], "text": rest[1]})
    return events


OK = ("begin", 1, "Open"), ("end", 1, None)
FAILS = ("begin", 2, "Pay"), ("call", 2, "click", "Timeout"), ("end", 2, False)
AGAIN = ("begin", 3, "Pay"), ("end", 3, None)


@pytest.mark.parametrize(
    ("events", "reason", "test", "told"),
    [
        (run(*OK), "closed", None, "passed"),
        (run(*OK), "error", None, "failed"),
        (run(*OK, *FAILS), "closed", None, "failed"),
        (run(*FAILS, *OK), "closed", None, "passed, 1 step recovered"),
        (run(*FAILS, *AGAIN), "closed", None, "passed, 1 step recovered"),
        (run(*FAILS, *AGAIN), "error", None, "failed"),
        (run(*OK, *FAILS, ("call", None, "click", None)), "closed", None, "passed, 1 step recovered"),
        (run(*OK, *FAILS, ("call", None, "hover", None)), "closed", None, "failed"),
        (run(*OK, *FAILS, ("say", True, "paid by hand")), "error", None, "passed, 1 step recovered: paid by hand"),
        (run(*OK, ("say", True, None), ("say", False, "wrong item")), "closed", None, "failed: wrong item"),
        (run(*OK, ("say", True, None)), "closed", "failed", "failed"),
        (run(*OK, *FAILS), "closed", "passed", "passed, 1 step recovered"),
        (run(("begin", 1, "All"), ("begin", 2, "Pay", 1), ("begin", 3, "Card", 2), ("end", 3, False), ("end", 2, False), ("begin", 4, "Pay", 1), ("end", 4, True), ("end", 1, True)), "closed", None, "passed, 1 step recovered"),
        (run(("begin", 1, "All"), ("begin", 2, "Pay"), ("end", 2, False), ("begin", 4, "Pay", 1), ("end", 4, None)), "exit", None, "unknown"),
        (run(("begin", 1, "Open")), None, None, "unknown"),
        (run(("call", None, "click", None)), "closed", None, "passed"),
        (run(("call", None, "click", None)), None, None, "unknown"),
        ([], "closed", None, "unknown"),
    ],
)  # fmt: skip
def test_the_rule(events: list[dict[str, Any]], reason: str | None, test: str | None, told: str) -> None:
    assert str(find_outcome(events, reason, {"outcome": test} if test else None)) == told


def test_the_work_is_in_proportion_to_the_run() -> None:
    deep: list[dict[str, Any]] = [
        {"k": "step", "t": id, "id": id, "title": "x", "parent": id - 1 or None} for id in range(1, 50_000)
    ]
    deep += [{"k": "step_end", "t": 60_000, "id": id, "success": False} for id in range(49_999, 0, -1)]
    deep.append({"k": "outcome", "t": 70_000, "id": 99, "success": True})
    assert str(find_outcome(deep, "closed", None)) == "passed, 1 step recovered"
