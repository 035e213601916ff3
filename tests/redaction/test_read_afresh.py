"""What a fresh reader of the detector's rules found: values that a rule against false finds let out, slow patterns, words of forms."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.types import Finding
from pagereel.redaction.detect.judging.apart import cells_apart
from pagereel.redaction.detect.passwords import find_passes, find_passwords
from pagereel.redaction.detect.told.ages import find_ages_abroad
from pagereel.redaction.detect.told.by_script import find_particulars_by_script
from pagereel.redaction.detect.told.peoples import find_peoples
from pagereel.redaction.detect.told.streets import find_streets
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
    assert cells_apart(text, Finding(0, len(text), "PHONE_NUMBER", 0.9))[0] == Finding(0, 13, "PHONE_NUMBER", 0.9)


@pytest.mark.parametrize(
    ("find", "unit"),
    [(find_ages_abroad, "a"), (find_streets, "ァ"), (find_streets, "漢"), (find_streets, "а-"), (find_peoples, "国籍")],
)  # fmt: skip
def test_a_hostile_row_takes_no_time(find: Callable[[str], Iterable[Finding]], unit: str) -> None:
    """Of 3,999 letters and a digit these took 100 to 900 ms."""
    text = (unit * 4_000)[:3_999] + "1"
    list(find("Anna 1"))
    began = time.process_time()
    list(find(text))
    assert time.process_time() - began < 0.08


@pytest.mark.parametrize(
    ("find", "text"),
    [
        (find_peoples, "Гражданство: выберите"),
        (find_peoples, "国籍：请选择"),
        (find_peoples, "국적: 선택"),
        (find_peoples, "الجنسية: اختر"),
        (find_peoples, "日本人気"),
        (find_peoples, "システム系の仕事"),
        (find_peoples, "フレンチ系の料理"),
        (find_particulars_by_script, "昵称：不能为空"),
        (find_particulars_by_script, "ニックネーム：必須"),
        (find_passwords, "Wi-Fi: 802.11ax"),
        (find_passwords, "error code some-error-404"),
        (find_passes, "密码长度8~20位"),
    ],
)
def test_what_a_form_asks_for_is_nobodys(find: Callable[[str], Iterable[Finding]], text: str) -> None:
    assert list(find(text)) == []


def test_a_people_behind_its_label_is_told_still() -> None:
    for text in (
        "Гражданство: Россия",
        "国籍：越南",
        "국적: 베트남",
        "الجنسية: سوري",
        "ブラジル系、三世",
        "コソボ系の住民",
    ):
        assert list(find_peoples(text)), text
