"""Who is greeted in other scripts, by a name that no list has: a program greets who has signed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.values.known_values import KnownValues
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

GREETED = (
    ("欢迎，\n    欣.\n  查看站点", "欣"),
    ("您好，昱！", "昱"),
    ("أهلا، \n   معزّ.\n  عرض الموقع /", "معزّ"),
    ("السيد قاصد", "قاصد"),
    ("Добро пожаловать,\n  Олеандр.\n", "Олеандр"),
    ("Вітаємо, Ждана!", "Ждана"),
    ("Добре дошли,\n Биляна.\n", "Биляна"),
    ("Καλώς ήρθατε,\n  Βύρων.\n", "Βύρων"),
    ("ברוכים הבאים,\n  עידו.\n", "עידו"),
    ("שלום הודיה!", "הודיה"),
    ("नमस्ते कर्ण!", "कर्ण"),
    ("خوش آمدید،\n  بهنوش.\n", "بهنوش"),
    ("ยินดีต้อนรับ,\n  กานต์.\n", "กานต์"),
    ("환영합니다,\n  슬기.\n", "슬기"),
    ("ようこそ\n  汐里.\n", "汐里"),
)
"""Of each the value. The net of letters had never seen some of them, and denied what the rules had found."""
TO_ALL = (
    "欢迎，请登录",
    "您好，管理员！",
    "你好，世界！",
    "欢迎使用",
    "مرحبا بك في الموقع",
    "أهلا، ضيف.",
    "Добро пожаловать, Гость!",
    "Добро пожаловать! Войдите, чтобы продолжить.",
    "Привет, друзья!",
    "שלום עולם",
    "नमस्ते दुनिया",
    "안녕하세요, 고객님",
    "환영합니다,\n 여러분.\n",
    "ようこそ\n ゲスト\n",
    "สวัสดีชาวโลก",
)


@pytest.mark.parametrize(("text", "value"), GREETED)
def test_who_is_greeted_is_masked(text: str, value: str) -> None:
    start = text.index(value)
    [found] = find_pii([text])
    assert any(f.start <= start and start + len(value) <= f.end and f.entity == "PERSON" for f in found)


def test_a_greeting_to_everybody_names_nobody() -> None:
    assert [text for text, found in zip(TO_ALL, find_pii(TO_ALL), strict=True) if found] == []


@pytest.mark.parametrize(("name", "part"), [("معزّ نسيبة", "معزّ"), ("प्रेम भटजी", "प्रेम")])
def test_a_part_of_a_name_keeps_the_marks_of_its_vowels(name: str, part: str) -> None:
    values = KnownValues()
    values.add(name, "PERSON", "dom.text")
    assert part in values.freeze()


def test_a_given_name_with_marks_is_masked_where_it_stands_alone(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["table", {}, ["tr", {}, ["th", {}, "الاسم"]], ["tr", {}, ["td", {}, "معزّ نسيبة"]]],
        ["footer", {}, ["p", {}, "معزّ"]],
    )
    redact(m.done(), tmp_path / "b.reel")
    assert "معزّ" not in text_of(tmp_path / "b.reel")
