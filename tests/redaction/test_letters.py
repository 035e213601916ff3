"""The net that reads characters: what it finds in other scripts, where its findings end, and what it costs the others nothing."""

from __future__ import annotations

from importlib import resources

import pytest

from pagereel.redaction.detect import detect
from pagereel.redaction.detect.cues.spaced_scripts import look_up_in_name_lists
from pagereel.redaction.detect.models import character_net
from pagereel.redaction.detect.models.character_features import WIDTH, WORD, compute_features, hash_to_buckets
from tests.redaction.found import found_afresh

SOMEBODYS = (
    ("Састанак са Радомиром Вукашиновићем померен је за среду у 11", "Радомиром Вукашиновићем"),
    ("Ο υπεύθυνος αποθήκης Σταμάτης Κουρκούλης θα λείπει μέχρι την Παρασκευή", "Σταμάτης Κουρκούλης"),
    ("שלום אביטל, החשבונית נשלחה אל גדעון שרעבי", "גדעון שרעבי"),
    ("नाम: हेमलता चंदोला, पद: वरिष्ठ लिपिक, निवास: हल्द्वानी", "हल्द्वानी"),
    ("柏葉精機の営業部長、鵜飼さんから折り返しの電話がありました", "鵜飼"),
)
NOBODYS = (
    "Кошик порожній. Перейти до каталогу",
    "결제가 완료되었습니다. 배송은 2~3일 소요됩니다.",
    "Αποθήκευση αλλαγών πριν από το κλείσιμο;",
    "حفظ التغييرات قبل الإغلاق؟",
    "לשמור את השינויים לפני הסגירה?",
    "बंद करने से पहले बदलाव सहेजें?",
    "บันทึกการเปลี่ยนแปลงก่อนปิดหรือไม่",
    "关闭前保存更改吗？",
    "閉じる前に変更を保存しますか?",
)


def _masked(text: str) -> str:
    return " ".join(text[f.start : f.end] for f in found_afresh([text])[0])


@pytest.mark.parametrize(("text", "value"), SOMEBODYS)
def test_people_and_places_that_no_list_has_are_found(text: str, value: str) -> None:
    assert value in _masked(text)


def test_strings_of_interfaces_stay_readable() -> None:
    assert [text for text, found in zip(NOBODYS, found_afresh(NOBODYS), strict=True) if found] == []


def test_a_particle_behind_a_name_stays_outside() -> None:
    text = "어제 노윤서가 전화했다고 들었어요"
    assert [text[f.start : f.end] for f in found_afresh([text])[0]] == ["노윤서"]


def test_no_text_of_latin_letters_asks_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "load_character_net", lambda _: pytest.fail("Latin letters"))
    assert found_afresh(["Dana Okafor signed the lease in Łódź."])[0]
    assert found_afresh(["Save changes before closing? ✓ 5 €"]) == [[]]


def test_features_are_as_many_as_are_told_and_fit_the_text() -> None:
    for text in ("", "Ω", "ПЕТРОВ и ко\nтел. 5", "山田さん 2人", "ก็ 😀 a\u0301"):
        words = list(WORD.finditer(text))
        assert compute_features(text, words, [], look_up_in_name_lists).shape == (len(text), WIDTH)
        assert hash_to_buckets(text).shape == (len(text), 3)


def test_any_text_can_be_read() -> None:
    for text in ("я", "İЯ", "ﷺ\u200f", "가" * 2_000, "\u0e31\u0e31", "𠀋さん", "ßЯ", "\ufffd字"):
        read = character_net.load_character_net(look_up_in_name_lists).classify_text(text)
        assert all(0 <= f.start < f.end <= len(text) for f in read.found)


def test_the_weights_are_small_and_a_part_of_the_package() -> None:
    stored = resources.files("pagereel.redaction.detect.models").joinpath("letters.npz")
    assert stored.is_file() and len(stored.read_bytes()) < 700_000
