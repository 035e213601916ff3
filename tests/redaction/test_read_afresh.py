"""What a fresh reader of the detector's rules found: values that a rule against false finds let out, slow patterns, words of forms."""

from __future__ import annotations

import time

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import Finding
from pagereel.redaction.detect.cues.engine import find_by_cues
from pagereel.redaction.detect.filters.cell_splits import split_number_at_cells
from tests.redaction.found import assert_masked_whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ssn[123-45-6789]", "123-45-6789"),
        ("Age:\n34\n", "34"),
        ("assignee: Born", "Born"),
        ("create table t (a int); Mr Real signed", "Real"),
        ("Ulla Berg, text editor", "text editor"),
        ("He is a source editor at BBC", "source editor"),
    ],
)
def test_a_rule_for_programs_lets_nothing_of_somebody_out(text: str, value: str) -> None:
    assert_masked_whole(text, value)


@pytest.mark.parametrize("text", ["Open the text editor", "sshd[2213]: closed", "create table t (teacher INTEGER)"])
def test_what_a_program_calls_its_own_stays(text: str) -> None:
    assert find_pii([text]) == [[]]


def test_a_number_over_several_cells_beside_an_amount_stays_whole() -> None:
    text = "0161\t496\t0484\t12.50"
    assert split_number_at_cells(text, Finding(0, len(text), "PHONE_NUMBER", 0.9))[0] == Finding(
        0, 13, "PHONE_NUMBER", 0.9
    )


@pytest.mark.parametrize("unit", ["a", "ァ", "漢", "а-", "国籍"])
def test_a_hostile_row_takes_no_time(unit: str) -> None:
    """Of 3,999 letters and a digit single patterns took 100 to 900 ms."""
    text = (unit * 4_000)[:3_999] + "1"
    list(find_by_cues(text[::-1]))
    began = time.process_time()
    list(find_by_cues(text))
    assert time.process_time() - began < 0.4


@pytest.mark.parametrize(
    "text",
    [
        "Гражданство: выберите",
        "国籍：请选择",
        "국적: 선택",
        "الجنسية: اختر",
        "日本人気",
        "システム系の仕事",
        "フレンチ系の料理",
        "昵称：不能为空",
        "ニックネーム：必須",
        "Wi-Fi: 802.11ax",
        "error code some-error-404",
        "密码长度8~20位",
    ],
)
def test_what_a_form_asks_for_is_nobodys(text: str) -> None:
    assert list(find_by_cues(text)) == []


def test_a_people_behind_its_label_is_told_still() -> None:
    for text in (
        "Гражданство: Россия",
        "国籍：越南",
        "국적: 베트남",
        "الجنسية: سوري",
        "ブラジル系、三世",
        "コソボ系の住民",
    ):
        assert any(f.entity == "NRP" for f in find_by_cues(text)), text
