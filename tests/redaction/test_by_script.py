"""Particulars in texts of other scripts that the words around them tell, native digits, and what a key of JSON says of its value."""

from __future__ import annotations

import time

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect.cues.engine import find_by_cues
from tests.redaction.found import assert_masked_whole

WHOLE = {
    "Пациентка, 34 г., поступила вчера; индекс 368300": ["34", "368300"],
    "Дата народження: 3 березня 1999 року": ["3 березня 1999"],
    "Корисник zoka_pecaros тражи повраћај новца": ["zoka_pecaros"],
    "Тест: корисник goce_skopje1, лозинка burek4e!": ["goce_skopje1", "burek4e!"],
    "звоните после шести 8 927 610 33 92": ["8 927 610 33 92"],
    "تاريخ الميلاد: ١٤ / ٠٣ / ١٩٨٧": ["١٤ / ٠٣ / ١٩٨٧"],
    "نقلت الإسعاف الرجل، ٥٨ عاماً، إلى المستشفى": ["٥٨"],
    "המשתמש motke1958 דיווח על תגובה": ["motke1958"],
    "नया नंबर ०७१-५४०१२३ है": ["०७१-५४०१२३"],
    "ठेगाना: काठमाडौँ ४४६००, आयु 52": ["52"],
    "รหัสผ่าน Somtum#4477 อายุ 83": ["Somtum#4477", "83"],
    "마길수(61)씨는 수확을 미뤘다": ["61"],
    "生年月日:昭和42年9月3日": ["昭和42年9月3日"],
    "操作员 admin_tanli 修改了客户，电话 18871406235": ["admin_tanli", "18871406235"],
    "讣闻：七十九岁，邮编是200040": ["七十九岁"],
    "王丽-43岁": ["43"],
    "우리 아이는 5살 입니다": ["5"],
    "他生于1985年7月": ["1985年7月"],
    "1985年12月生": ["1985年12月"],
    "رمز 99120": ["99120"],
}
NOBODYS = (
    "Гарантия 5 лет, опыт 30 лет",
    "За 10 лет ничего не изменилось",
    "适合12岁以上儿童",
    "适合3-6岁",
    "需满18岁",
    "5살 이상",
    "18歳未満の方はご利用いただけません",
    "페이지 3세대 업데이트",
    "Код ошибки: 404",
    "Срок хранения, 3 года",
    "ضمان، 3 سنوات",
    "Termin um 1430",
    "Нажмите кнопку get_user_name()",
    "文件 main_window.py 已保存",
    "Порт 8080 занят",
    '{"age":null,"user":null}',
    '{"zip":"archive"}',
    "{'password':'','kind':'list'}",
    "رمز المنتج: 12345",
    "קוד מוצר 12345",
    "号码 12345",
    "ราคา 25 บาท ต่อ 100 กรัม",
    "만 18세 이상만 가입 가능",
)


@pytest.mark.parametrize("text", WHOLE)
def test_particulars_of_other_scripts_are_masked_whole(text: str) -> None:
    for value in WHOLE[text]:
        assert_masked_whole(text, value)


@pytest.mark.parametrize("text", ["קוד " + "':" * 1_996, "пароль:" * 571, "号 " * 2_000, "1-" * 2_000])
def test_a_hostile_text_takes_no_time(text: str) -> None:
    find_pii([""])
    began = time.process_time()
    list(find_by_cues(text))
    assert time.process_time() - began < 0.25


@pytest.mark.parametrize("text", NOBODYS)
def test_numbers_and_names_of_programs_stay(text: str) -> None:
    found = find_pii([text])[0]
    assert not found, [(text[f.start : f.end], f.entity) for f in found]
