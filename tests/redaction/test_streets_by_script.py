"""Addresses in other scripts: masked whole by the words for a street, a house and a floor; numbers of pages, versions and results stay."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect.cues.engine import find_by_cues

ADDRESSES = [
    ("ส่งที่ 41/2 หมู่ 6 ซอยสวนพลู", "41/2 หมู่ 6 ซอยสวนพลู"),
    ("서울시 강남구 테헤란로 152", "서울시 강남구 테헤란로 152"),
    ("请寄到北京路12号3栋", "北京路12号3栋"),
    ("東京都新宿区西新宿2-8-1", "東京都新宿区西新宿2-8-1"),
    ("पता: दुकान 6, स्टेडियम मार्केट", "दुकान 6, स्टेडियम मार्केट"),
    ("شارع الحمرا، بناية الصباح، ط 1", "شارع الحمرا، بناية الصباح، ط 1"),
    ("Θράκης 61, Νέα Σμύρνη", "Θράκης 61"),
    ("ул. Садовая, 12, кв. 4", "ул. Садовая, 12, кв. 4"),
    ("רחוב הרצל 12, דירה 3", "רחוב הרצל 12, דירה 3"),
]
OF_PROGRAMS = [
    "Страница 12 из 30",
    "Загружено, 30",
    "第12号",
    "共12室",
    "北海道2024年",
    "다운로드 3 개",
    "2026년 11월 3일",
    "Σελίδας 12",
    "Κατηγορίας 5",
    "Παραγγελίας 12",
    "ขั้นตอน 3",
    "पृष्ठ 12",
    "الصفحة 3",
    "שורה 12",
    "Main Street 12",
]


@pytest.mark.parametrize(("text", "said"), ADDRESSES)
def test_an_address_is_masked_whole(text: str, said: str) -> None:
    start = text.index(said)
    masked = {at for f in find_pii([text])[0] for at in range(f.start, f.end)}
    assert all(at in masked for at in range(start, start + len(said)) if text[at].isalnum())


@pytest.mark.parametrize("text", OF_PROGRAMS)
def test_what_programs_count_is_no_address(text: str) -> None:
    assert not [f for f in find_by_cues(text) if f.entity in ("ADDRESS", "ZIP_CODE")]
