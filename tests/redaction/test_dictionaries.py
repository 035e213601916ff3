"""People that the dictionaries of Russian, Chinese and Japanese tell, where they are installed; words of those languages stay."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect.told.dictionaries import find_by_dictionary, installed
from tests.redaction.found import assert_masked_whole

WHOLE = {
    "pymorphy3 ru": {
        "вчера звонил Тимофей Загребельный, ждёт ответа": "Тимофей Загребельный",
        "Договор подписан Авдотьей Чернопятовой": "Авдотьей Чернопятовой",
        "с вопросами к Кривошееву И. О., он в отпуске": "Кривошееву И. О.",
    },
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
    if dictionary not in installed():
        pytest.skip(f"{dictionary} is not installed: pagereel setup")
    assert_masked_whole(text, WHOLE[dictionary][text])


@pytest.mark.parametrize("text", NOBODYS)
def test_words_of_interfaces_are_nobody(text: str) -> None:
    assert not find_pii([text])[0]


def test_a_text_in_latin_letters_is_not_asked_about() -> None:
    assert not list(find_by_dictionary("Grüße aus Köln an Jürgen"))
