"""Escapes in long texts are undone only around them, and nothing is overlooked by that."""

from __future__ import annotations

import json
import random
from urllib.parse import quote, quote_plus

import pytest

from pagereel.redaction import KnownValues, gate_html
from pagereel.redaction.gate.escape_windows import WHOLE

NAME = "Priya Raghunathan-Élan"
PLAIN = 'plain words of a page, with a "quote" and a line\n'


def _filler() -> str:
    return PLAIN * (WHOLE // len(PLAIN) + 1)


DISGUISES = {
    "json": lambda t: "".join(f"\\u{ord(c):04x}" for c in t),
    "half json": lambda t: t[:7] + f"\\u{ord(t[7]):04x}" + t[8:],
    "json of json": lambda t: json.dumps(json.dumps(t)),
    "css": lambda t: "".join(f"\\{ord(c):06x}" for c in t),
    "percent": lambda t: "".join(f"%{b:02x}" for b in t.encode()),
    "percent twice": lambda t: quote(quote(t)),
    "form": quote_plus,
    "entities": lambda t: "".join(f"&#{ord(c)};" for c in t),
    "entities in json": lambda t: json.dumps("".join(f"&#x{ord(c):x};" for c in t)).replace("&", "\\u0026"),
    "percent in json": lambda t: "".join(f"\\u0025{b:02X}" for b in t.encode()),
}  # fmt: skip


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguised_value_in_a_long_text_is_found(name: str) -> None:
    known = KnownValues.of([NAME, "some other value"], "PERSON")
    body = _filler() + "x = " + DISGUISES[name](NAME) + ";" + json.dumps(_filler())
    assert not gate_html(body.encode(), known, check=False).clean


def test_a_long_text_without_values_is_clean_whatever_its_escapes_are() -> None:
    dice = random.Random(7)
    known = KnownValues.of(["Zubera", "ghp_9Qw2Lr7Tz4Xn8Vb1Mk6Jp3Hs5Dg0Fa2Yc", "41 Ombrellix Road"])
    words = ["page", "\\u00e9t\\u00e9", "%20", "&amp;", "\\26 x", "a+b", "\\\\n", '\\"', "Zuberas", "azubera"]
    body = " ".join(dice.choice(words) for _ in range(40_000))
    assert gate_html(body.encode(), known, check=False).clean


def test_a_number_with_other_separators_is_found() -> None:
    known = KnownValues.of(["4111 1111 1111 1111"], "CREDIT_CARD")
    assert not gate_html(b"card 4111-1111-1111-1111 of", known, check=False).clean


def test_each_place_has_the_readings_that_it_has_itself() -> None:
    """Read together, one place with a rare way of writing would have all others read once more, and use up how often a text is read."""
    known = KnownValues.of([NAME], "PERSON")
    places = [f"{way('Someone else')}{' plain words' * 40}" for way in DISGUISES.values()]
    body = (_filler() + " ".join(places)).encode()
    assert gate_html(body, known, check=False).bytes - len(body) < 2 * sum(map(len, places))
