"""Letters and digits that are drawn otherwise than a keyboard writes them are read as what they show, and numbers that only look so stay."""

from __future__ import annotations

from random import Random

import pytest

from pagereel.redaction import find_pii
from tests.redaction.strange_values import digits, value_of, word

SMALL_CAPITALS = str.maketrans("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ")
RAISED, LOWERED = (str.maketrans("0123456789", signs) for signs in ("⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"))
CHINESE, BANKERS = (str.maketrans("0123456789", signs) for signs in ("零一二三四五六七八九", "零壹贰叁肆伍陆柒捌玖"))
KEYS = {ord(c): f"{c}\ufe0f\u20e3" for c in "0123456789"}


@pytest.mark.parametrize(
    ("before", "drawn"),
    [("电话 ", CHINESE), ("电话 ", BANKERS), ("Ring ", KEYS), ("Ring ", RAISED), ("Ring ", LOWERED)],
)
def test_a_telephone_is_found_in_any_digits(before: str, drawn: dict[int, int]) -> None:
    number = value_of("phone", Random(seed := Random().randrange(10**6))).text
    shown = before + number.translate(drawn)
    (found,) = find_pii([shown])
    left = shown
    for f in reversed(found):
        left = left[: f.start] + left[f.end :]
    assert sum(c in "0123456789".translate(drawn) for c in left if c.isalnum()) < 2, (seed, left)


def test_a_card_is_found_in_raised_digits_and_as_a_program_writes_a_large_number() -> None:
    card = value_of("card", Random()).text
    for text in (card.translate(RAISED), digits(card) + "n", f"{{card: {digits(card)}n}}"):
        assert [f.entity for f in find_pii([text])[0]] == ["CREDIT_CARD"], text


@pytest.mark.parametrize(
    "way", ["**{first}** _{head}_**{tail}**", "*{first}* {head}**{tail}**", "__{first}__ {head}~~{tail}~~"]
)
def test_a_name_with_emphasis_within_it_is_found(way: str) -> None:
    last = word(Random())
    text = f"Asked by {way.format(first='Joaquin', head=last[:4], tail=last[4:])} today"
    (found,) = find_pii([text])
    assert any(f.start <= text.index("Joaquin") and text.index(last[4:]) + len(last[4:]) <= f.end for f in found), text


def test_a_name_in_small_capitals_is_found() -> None:
    shown = f"Ines {word(Random())}".lower().translate(SMALL_CAPITALS)
    (found,) = find_pii([f"Prepared by {shown} today"])
    assert [f"Prepared by {shown} today"[f.start : f.end] for f in found] == [shown]


@pytest.mark.parametrize("text", ["二〇二六年十一月", "10⁻¹² m³", "H₂SO₄ and C₆H₁₂O₆", "width*height*depth", "press 1️⃣ or 2️⃣", "src/**/*.py", "12345n", "一二三四五六七八九十"])  # fmt: skip
def test_what_only_looks_so_stays(text: str) -> None:
    assert [f for f in find_pii([text])[0] if f.entity not in ("DATE_TIME",)] == []
