"""What a word is: the same in both databases, in any script."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.library import Library
from pagereel.library.word_splitting import normalize_words

from .runs import made

SHOWN = {
    "thai": "ที่นี่มีของขาย",
    "hindi": "हिन्दी में कार्ड अस्वीकृत",
    "arabic": "مُحَمَّد رفض البطاقة",
    "hebrew": "שָׁלוֹם עולם",
    "korean": "카드가 거절되었습니다",
    "japanese": "パートがコーヒーabc",
    "vietnamese": "Thẻ bị từ chối",
    "russian": "Приём ещё идёт",
    "wide": "Ｃａｒｄ ｶｰﾄﾞ",
    "chinese": "結帳失敗了",
}
FOUND = {
    "มี": "thai",
    "ม": "",
    "हिन्दी": "hindi",
    "हिन्दू": "",
    "कार": "",
    "محمد": "arabic",
    "שלום": "hebrew",
    "카드": "korean",
    "거절": "korean",
    "コーヒー": "japanese",
    "ハート": "",
    "abc": "japanese",
    "tu choi": "vietnamese",
    "ПРИЕМ еще": "russian",
    "card カード": "wide",
    "帳失": "chinese",
    "失帳": "",
}


@pytest.mark.parametrize("database", ["SQLite", "Postgres"])
def test_words_of_any_script_are_found_and_told_apart(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "runs").mkdir()
    at = f'catalogue = "{request.getfixturevalue("postgres")}"\nschema = "words"\n' if database == "Postgres" else ""
    (tmp_path / "runs" / "library.toml").write_text(f'index = "off"\n{at}')
    with Library(tmp_path / "runs") as library:
        for name, line in SHOWN.items():
            library.add(made(tmp_path / "x.reel", line, id=name.ljust(6, "0")))
        for asked, name in FOUND.items():
            runs = library.search(f'seen:"{asked}"').runs
            assert [run.id.rstrip("0") for run in runs] == ([name] if name else []), asked
            assert all(run.hits for run in runs), "who finds a run is shown the line"


def test_what_stands_between_lines_is_no_word() -> None:
    assert normalize_words("one\ue000two\x00three_four") == " one two three four "
    assert normalize_words("e\u0301te\u0301 ÉTÉ ﬁn") == " ete ete fin "
