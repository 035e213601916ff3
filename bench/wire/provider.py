"""Runs a scripted model provider in a process of its own and prints its port; a request's `turn` or `fail` chooses the answer."""

from __future__ import annotations

import random
import sys
import time

from pagereel.fixtures.providers import Body, ScriptedProviders, ScriptedTurn

WORDS = [
    "basket",
    "checkout",
    "vase",
    "glaze",
    "stock",
    "price",
    "shipping",
    "order",
    "review",
    "kiln",
    "address",
    "postal",
    "delivery",
    "payment",
    "total",
    "discount",
    "page",
    "button",
    "link",
    "heading",
    "field",
    "label",
    "choose",
    "confirm",
    "cancel",
    "between",
    "beneath",
    "against",
    "therefore",
    "however",
    "almost",
    "seldom",
    "never",
    "thirty",
    "seven",
    "early",
    "later",
    "window",
    "table",
]


def make_prose(seed: int, count: int) -> str:
    """Return `count` words by chance; the same text for the same seed."""
    chance = random.Random(seed)
    return " ".join(
        f"{chance.choice(WORDS)}{chance.randrange(100) if chance.random() < 0.2 else ''}" for _ in range(count)
    )


def make_answer(number: int, body: Body) -> ScriptedTurn:
    """Return the answer to a request: the failure that it asks for, or the text of its turn."""
    if "fail" in body:
        return ScriptedTurn("overloaded", status=int(body["fail"]))
    turn = sum(isinstance(m, dict) and m.get("role") in ("assistant", "model") for m in body.get("messages", []))
    return ScriptedTurn(
        make_prose(turn, 60),
        make_prose(1000 + turn, 20),
        (("read_page", {"query": make_prose(2000 + turn, 8)}),),
        900 * (turn + 1),
        800 * turn,
        120,
        40,
    )


if __name__ == "__main__":
    with ScriptedProviders(
        make_answer, pace=float(sys.argv[1]) if len(sys.argv) > 1 else 0.0, keeps=False
    ) as providers:
        print(providers.provider_url("anthropic").rpartition(":")[2], flush=True)
        while True:
            time.sleep(3600)
