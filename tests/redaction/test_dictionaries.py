"""People that the segmenters of Chinese and Japanese tell, where they are installed; words of those languages stay."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect.cues import dictionaries
from pagereel.redaction.detect.cues.dictionaries import (
    find_by_dictionary,
    list_installed_dictionaries,
    load_dictionaries_for,
)
from tests.redaction.found import assert_masked_whole

WHOLE = {
    "jieba": {"会议由翟广平主持，请王小丽记录": "翟广平", "昨天钮文倩没来上课": "钮文倩"},
    "janome": {"来週の打ち合わせに佐久間美咲も出ます": "佐久間美咲", "長谷部に電話してください": "長谷部"},
}
NOBODYS = (
    "Редактировать выбранный слой",
    "Встановити мову за замовчуванням",
    "Новая таблица стилей",
    "Откройте Параметры и нажмите Сохранить",
    "正在格式化磁盘",
    "建立索引并保存",
    "選択したビットマップをエンハンスします",
    "ラベルとトークンを編集",
)


@pytest.mark.parametrize(("dictionary", "text"), [(name, text) for name, texts in WHOLE.items() for text in texts])
def test_people_that_a_dictionary_tells_are_masked_whole(dictionary: str, text: str) -> None:
    if dictionary not in list_installed_dictionaries():
        pytest.skip(f"{dictionary} is not installed: pagereel setup")
    assert_masked_whole(text, WHOLE[dictionary][text])


@pytest.mark.parametrize("text", NOBODYS)
def test_words_of_interfaces_are_nobody(text: str) -> None:
    assert not find_pii([text])[0]


@pytest.mark.parametrize(
    "text",
    [
        "." * 2_500 + "Аб Вг " * 400,
        "— " * 1_000 + "Иван Петрович " * 140,
        "пере" * 1_000,
        "а-" * 2_000,
        "の\ud800佐久間",
    ],
    ids=["dots", "dashes", "prefixes", "hyphens", "half a pair"],
)
def test_a_hostile_text_takes_no_time_and_raises_nothing(text: str) -> None:
    load_dictionaries_for([text])
    began = time.process_time()
    list(find_by_dictionary(text))
    assert time.process_time() - began < 1


@pytest.mark.skipif("jieba" not in list_installed_dictionaries(), reason="jieba is not installed: pagereel setup")
def test_jieba_says_nothing_leaves_nothing_and_is_not_loaded_for_a_list_of_languages(tmp_path: Path) -> None:
    code = (
        "import sys; from pagereel.redaction.detect.cues.dictionaries import find_by_dictionary as find\n"
        "list(find('English, 简体中文, 日本語')); assert 'jieba' not in sys.modules\n"
        "list(find('会议由翟广平主持')); assert 'jieba' in sys.modules"
    )
    # Without bytecode its modules are compiled each time, which warns
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPYCACHEPREFIX": str(tmp_path / "pycache")}
    ran = subprocess.run([sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_without_the_dictionaries_nothing_is_found_and_nothing_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    loaders = (dictionaries._load_chinese_segmenter, dictionaries._load_japanese_segmenter)
    with monkeypatch.context() as without:
        without.setattr("importlib.util.find_spec", lambda name: None)
        for loader in loaders:
            loader.cache_clear()
        assert list_installed_dictionaries() == []
        texts = [text for texts in WHOLE.values() for text in texts]
        assert [found for text in texts for found in find_by_dictionary(text)] == []
    for loader in loaders:
        loader.cache_clear()


def test_a_text_in_latin_letters_is_not_asked_about() -> None:
    assert not list(find_by_dictionary("Grüße aus Köln an Jürgen"))
