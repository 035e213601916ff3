"""What real applications' masked replays lost without need: tag lines, package names, rulers, searched words, typed dates."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.values.pseudonyms import Pseudonyms
from pagereel.reel import open_reel
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

PLAIN = (
    "All products | Kiln - Pots by post",
    "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5",
    "Settings&hellip;",
    "Stripe Connect: Chave secreta",
    "Ir al contenido principal",
    "Australia/Brisbane",
    "Ships to 3 more towns tomorrow",
    "bill 2",
    "Antarktis/Mawson",
    "Amérique/Argentine/Cordoba",
    "Ln 1, Col 5",
    "Property Inspector",
    "Go to the ticket editor",
    "راجع content checks guide لمزيد من المعلومات حول كيفية حساب مقاييس المحتوى.",
    "The HTML specification is maintained by the W3C.",
    "Born",
    "Bitte geben Sie an, von welchem Bankkonto die Erstattungen ausgeführt werden sollen.",
)
NAMED = {
    "My card is 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1": "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "We stayed in Reading last year": "Reading",
    "Moved from Asia/Beirut to 14 Rose Close, Brisbane": "14 Rose Close, Brisbane",
    "Written by Ren&eacute; Ostrowski": "Ren&eacute; Ostrowski",
    "Anna Born, Kiel": "Anna Born",
    "Anna Weidinger\nDeutsch\nEnglish\nFrançais": "Anna Weidinger",
    "Frau Ostermann hat die Veranstaltung abgesagt": "Ostermann",
}


def test_words_of_interfaces_stay() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


@pytest.mark.parametrize(("text", "value"), NAMED.items())
def test_what_looks_like_them_and_is_personal_is_masked(text: str, value: str) -> None:
    start = text.index(value)
    [found] = find_pii([text])
    assert all(any(f.start <= i < f.end for f in found) for i in range(start, start + len(value)) if text[i].isalnum())


def test_a_searched_word_that_a_hidden_field_repeats_is_no_secret_and_a_credential_there_is(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["input", {"type": "hidden", "name": "q", "value": "teapot"}],
        ["input", {"type": "hidden", "name": "@sort", "value": "-activity"}],
        ["input", {"type": "hidden", "name": "csrf", "value": "Xq7hhb2kkP"}],
        ["h1", {}, "Products matching teapot"],
        ["p", {}, "state Xq7hhb2kkP, no-activity"],
    )
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert "Products matching teapot" in shown and "no-activity" in shown
    assert "Xq7hhb2kkP" not in shown


@pytest.mark.parametrize("written", ["2026-03-10", "10.03.2026", "3/10/2026"])
def test_a_typed_date_becomes_a_day_that_there_is(written: str) -> None:
    stand_in = Pseudonyms(b"k" * 32).make_stand_in(written, "ID")
    parts = [int(p) for p in stand_in.replace("/", "-").replace(".", "-").split("-")]
    year, month, day = parts if parts[0] > 31 else reversed(parts)
    assert datetime.date(year, month, day) and stand_in != written


def test_a_typed_time_is_one_of_a_day() -> None:
    stand_in = Pseudonyms(b"k" * 32).make_stand_in("2026-03-10 13:30", "ID")
    assert datetime.datetime.strptime(stand_in, "%Y-%m-%d %H:%M") and stand_in != "2026-03-10 13:30"


def test_the_tag_line_in_every_title_stays_where_one_title_looks_like_an_address(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    titles = (
        "Basket",
        "Salt bowl",
        "All products",
        "Shipping address | \n    Checkout",
        "Payment details | \n    Checkout",
    )
    m.body(["h1", {}, "Basket"])
    for d, title in enumerate(titles, 2):
        m.put("document", d=d, page=d, frame=f"F{d}", url=f"https://shop.example/{d}", top=True, viewport={"w": 800, "h": 600, "dpr": 1},
              mode="CSS1Compat", title=f"{title} | Kiln - Pots by post")  # fmt: skip
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        shown = [e["title"] for e in reel.events() if e["k"] == "document"]
    assert shown[1:] == [f"{title} | Kiln - Pots by post" for title in titles]


def test_what_was_typed_and_is_shown_in_two_elements_is_cut_at_the_same_word(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["textarea", {"name": "comment"}, "@braymond, Thank you, that helped."],
        ["p", {}, ["a", {"href": "/u/braymond"}, "@braymond"], ", Thank you, that helped."],
    )
    redact(m.done(), tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    assert "braymond" not in shown
    with open_reel(tmp_path / "b.reel") as reel:
        body = next(e for e in reel.events() if e["k"] == "snapshot")["ops"][0][2]
    said = [text for text in _leaves(body) if text.strip()][-2:]
    assert said[0].startswith("@") and said[0][1:].isalpha()
    assert said[1].startswith(", ")


def _leaves(tree: Any) -> list[str]:
    return [tree] if isinstance(tree, str) else [text for child in tree[2:] for text in _leaves(child)]
