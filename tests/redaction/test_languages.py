"""Names, addresses and labels in other scripts and languages; what English models say of such texts does not count."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import TextContext
from pagereel.redaction.detect.cues.non_latin_names import find_non_latin_people

PEOPLE = {
    "Chinese, label": ("姓名：韩雪莹", "韩雪莹"),
    "Chinese, honorific": ("我们已通知韩雪莹女士。", "韩雪莹"),
    "Chinese, prose": ("报告由钱宇航提交。", "钱宇航"),
    "Japanese, label": ("氏名：黒木 遥", "黒木 遥"),
    "Japanese, honorific": ("きのう黒木さんが来ました。", "黒木"),
    "Japanese, prose": ("担当は荒木 翔太です。", "荒木 翔太"),
    "Korean, label": ("이름: 나은채", "나은채"),
    "Korean, honorific": ("안녕하세요 나은채님", "나은채"),
    "Korean, prose": ("도지훈이 파일을 올렸습니다.", "도지훈"),
    "Russian, label": ("Имя: Ульяна Бессонова", "Ульяна Бессонова"),
    "Russian, honorific": ("Передайте г-же Бессоновой.", "Бессоновой"),
    "Russian, case": ("Мы говорили с Ульяной Бессоновой.", "Ульяной Бессоновой"),
    "Russian, initials": ("Подпись: У. П. Бессонова", "У. П. Бессонова"),
    "Greek, label": ("Όνομα: Μελίνα Καψάλη", "Μελίνα Καψάλη"),
    "Greek, honorific": ("Αγαπητή κυρία Καψάλη, γεια.", "Καψάλη"),
    "Greek, case": ("Μιλήσαμε με τον Ορέστη Καψάλη.", "Ορέστη Καψάλη"),
    "Arabic, label": ("الاسم: وداد السقا", "وداد السقا"),
    "Arabic, honorific": ("اتصل السيد مازن السقا اليوم", "مازن السقا"),
    "Hebrew, label": ("שם: ענבל כרמי", "ענבל כרמי"),
    "Hebrew, honorific": ("שלחנו למר גדעון כרמי", "גדעון כרמי"),
    "Hindi, label": ("नाम: पल्लवी दीक्षित", "पल्लवी दीक्षित"),
    "Hindi, honorific": ("श्रीमती पल्लवी दीक्षित को भेजा", "पल्लवी दीक्षित"),
    "Thai, label": ("ชื่อ: จุฑารัตน์ พูนผล", "จุฑารัตน์ พูนผล"),
    "Thai, honorific": ("คุณจุฑารัตน์ พูนผล", "จุฑารัตน์ พูนผล"),
    "Spanish, label": ("Nombre: Ainhoa Larrazábal", "Ainhoa Larrazábal"),
    "German, label": ("Empfänger: Wiebke Tönnies", "Wiebke Tönnies"),
    "German, honorific": ("Der Vertrag liegt bei Frau Holtzwart im Büro.", "Holtzwart"),
    "German, kin": ("Meine Kollegin Swantja fragt nach der Rechnung.", "Swantja"),
    "French, self": ("Bonjour, je m'appelle Ysoline Garrandel.", "Ysoline Garrandel"),
    "Italian, greeting": ("Ciao Ermelinda, la tua prenotazione è confermata.", "Ermelinda"),
    "Portuguese, prose": ("Recebemos o pedido de Quitéria Valdovinos ontem.", "Quitéria Valdovinos"),
    "Dutch, honorific": ("De brief is voor mevrouw Oosterveen bestemd.", "Oosterveen"),
    "user name": ("用户名：xiaoxue_77", "xiaoxue_77"),
}  # fmt: skip
ADDRESSES = {
    "Chinese": ("寄到广州市天河区体育西路103号5楼", "广州市天河区体育西路103号5楼"),
    "Japanese": ("京都府京都市左京区吉田町5-12", "京都府京都市左京区吉田町5-12"),
    "Korean": ("대전광역시 유성구 대학로 99", "대전광역시 유성구 대학로 99"),
    "Russian": ("Отправьте на ул. Лесная, д. 9, кв. 4", "ул. Лесная, д. 9, кв. 4"),
    "Greek": ("Οδός Σταδίου 17", "Οδός Σταδίου 17"),
    "Arabic": ("شارع الزهور 17", "شارع الزهور 17"),
    "Hebrew": ("רחוב הגפן 17, דירה 4", "רחוב הגפן 17, דירה 4"),
    "Thai": ("99/1 ถนนพระราม แขวงสีลม เขตบางรัก กรุงเทพฯ 10500", "99/1 ถนนพระราม แขวงสีลม เขตบางรัก กรุงเทพฯ 10500"),
}  # fmt: skip
PLAIN = (
    "加入购物车", "高级设置", "文件名：报告", "项目名称：高清摄像头", "用户总数", "皆様へ", "お客様の声", "仕様について", "たくさんの商品", "장바구니에 담기", "이미지를 선택하세요", "채우기 도구로 칠합니다", "여기서 무늬를 고릅니다", "Имя файла: отчёт",
    "Российская Федерация", "Добро пожаловать, гость", "Όνομα αρχείου: έκθεση", "العميل غير موجود", "اسم الملف: تقرير", "שם קובץ: דוח", "फ़ाइल का नाम: रिपोर्ट", "ชื่อไฟล์: รายงาน", "คุณสมบัติของสินค้า",
    "本网站由多个部分组成，用户可以在设置页面中更改语言、时区和通知方式。修改后请点击保存按钮，新的设置会立即生效。",
)  # fmt: skip


def _open(text: str, value: str, spans: list[tuple[int, int]]) -> str:
    start = text.index(value)
    return "".join(c for i, c in enumerate(value, start) if c.isalnum() and not any(a <= i < b for a, b in spans))


def test_people_and_addresses_are_masked_whole() -> None:
    cases = {**PEOPLE, **{f"address, {k}": v for k, v in ADDRESSES.items()}}
    found = find_pii([text for text, _ in cases.values()])
    missed = {k: _open(*case, [f[:2] for f in spans]) for (k, case), spans in zip(cases.items(), found, strict=True)}
    assert {k: rest for k, rest in missed.items() if rest} == {}


def test_words_of_interfaces_in_other_languages_are_left_alone() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


@pytest.mark.parametrize(
    ("label", "value", "masked"),
    [
        ("姓名", "韩雪莹", True),
        ("氏名", "黒木 遥", True),
        ("이름", "나은채", True),
        ("Имя", "Ульяна", True),
        ("Όνομα", "Μελίνα Καψάλη", True),
        ("الاسم", "وداد السقا", True),
        ("שם", "ענבל כרמי", True),
        ("नाम", "पल्लवी", True),
        ("ชื่อ", "จุฑารัตน์ พูนผล", True),
        ("Contraseña", "mariposa", True),
        ("パスワード", "kaede", True),
        ("Телефон", "448 27", True),
        ("文件名", "报告", False),
        ("Имя файла", "Отчёт", False),
    ],
)
def test_a_label_in_another_language_says_what_a_value_is(label: str, value: str, masked: bool) -> None:
    found = find_pii([value], [TextContext(label)])[0]
    assert bool(found) is masked
    assert not masked or _open(value, value, [f[:2] for f in found]) == ""


def test_rules_for_scripts_cost_nothing_where_there_is_none() -> None:
    assert find_non_latin_people("Add to cart") == []


INTERFACES = (
    "выбор столбцов",  # a noun's case ends as family names do
    "Naar beneden verplaatsen",
    "Geplande boeken",
    "Zugriffsrechte werden geprüft",
    "Beschriftungen in der Rasteransicht",
    "Erreur lors de l'affichage de la corbeille",
    "errore in scrittura",
    "Insira a localização do ficheiro que deseja abrir:",
    "Zaznacz wszystkie wiersze",
    "Tüm satırları seç",
    "Visa alla ändringar",
    "ISO-8859-13",
    "La contraseña es obligatoria",
)


def test_words_of_interfaces_in_other_languages_are_nobodys() -> None:
    touched = {
        t: [t[f.start : f.end] for f in found] for t, found in zip(INTERFACES, find_pii(list(INTERFACES)), strict=True)
    }
    assert {t: found for t, found in touched.items() if found} == {}
