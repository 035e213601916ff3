"""Words of the program are nobody's: what a translation file holds stays on the page, what an editor held on the way is no value, and who is called so is masked."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import known_values, redact
from pagereel.redaction.detect.cross_text.translation_files import iter_translation_files
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

SHOWN = ("下方插入单元格 (B)", "剪切这 1 个单元格 (X)", "单元格类型", "笔记本处于 命令 模式")
CATALOGUE: dict[str, Any] = {
    "cell": {"type": "单元格类型", "below": "下方插入单元格", "run": "运行所有单元格", "add": "点击添加单元格。"},
    "several": {
        "cut": "剪切这 %1 个单元格",
        "copy": "复制这 %1 个单元格",
        "mode": "笔记本处于 %1 模式",
        "of": "%1 个中的 %2 个",
    },
    "notebook": {
        "trusted": "受信任的笔记本：%1",
        "other": "笔记本 <b>%1</b>",
        "close": "关闭 %1",
        "kernel": "更改 %1 的内核",
    },
    **{f"word{chr(97 + at)}": f"文件{at}" for at in range(24)},
}


def answered(m: Maker, body: Any) -> None:
    m.put("request", id="r", method="GET", url="https://shop.example/locale", headers={}, type="fetch")
    sha = m.resource("application/json", json.dumps(body, ensure_ascii=False))
    m.put("response", id="r", status=200, end=m.t, size=1, body=sha, mime="application/json", headers={})


def page(reel: Path) -> str:
    redact(reel, masked := reel.with_name("masked.reel"))
    with open_reel(masked) as read:
        return json.dumps([e for e in read.events() if e["k"] in ("snapshot", "mutation")], ensure_ascii=False)


def test_what_a_translation_file_holds_stays_on_the_page(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(*(["button", {"title": text}, text] for text in SHOWN), ["p", {}, "王秀英 13812345678"])
    answered(m, CATALOGUE)
    said = page(m.done())
    assert [text for text in SHOWN if said.count(f'"{text}"') != 2] == []
    assert "王秀英" not in said
    assert "13812345678" not in said


def test_an_option_that_a_translation_file_holds_is_shown(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    choices = (
        ["option", {"value": value}, text] for value, text in (("c", "文件3"), ("t", "单元格类型"), ("m", "文件7"))
    )
    m.body(["select", {"aria-label": "单元格类型"}, *choices])
    answered(m, CATALOGUE)
    assert "Option" not in (said := page(m.done()))
    assert "文件7" in said


def test_a_language_is_nobodys_name_wherever_it_is_called_so(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    tongues = ("Bulgarian", "Català", "Indonesian", "Lao", "Lithuanian")
    m.body(
        [
            "select",
            {"aria-label": "Language"},
            *(["option", {"value": str(at)}, each] for at, each in enumerate(tongues)),
        ]
    )
    answered(m, [{"name": each, "rec_name": each} for each in tongues])
    said = page(m.done())
    assert [each for each in tongues if each not in said] == []


@pytest.mark.parametrize("name", ["Jane Ostenvik", "Rose"])
def test_who_is_called_as_a_string_of_it_is_masked(name: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["p", {}, f"Assigned to {name}, please call back."],
        ["label", {}, "Full name ", ["input", {"name": "name", "value": name}]],
    )
    answered(m, {**CATALOGUE, "rose": name})
    said = page(m.done())
    assert name not in said


def test_a_map_of_people_or_messages_is_no_translation_file() -> None:
    people = {f"{at}": {"name": f"Jane {at}", "says": "See {{count}} <b>pots</b>"} for at in range(40)}
    assert list(iter_translation_files({"people": people})) == []
    assert list(iter_translation_files({"people": list(people.values())})) == []
    assert list(iter_translation_files({f"jane{at}@pots.example": "Hi %s" for at in range(40)})) == []
    assert len(list(iter_translation_files({"messages": CATALOGUE, "user": {"name": "Jane Ostenvik", "id": 1}}))) == 1


def test_a_structure_without_end_is_soon_read() -> None:
    deep: Any = {"a": "b"}
    for _ in range(3_000):
        deep = {"a": deep, "b": "%s"}
    assert list(iter_translation_files(deep)) == []


def test_what_stood_in_an_editor_on_the_way_is_no_value_of_its_own(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["div", {"contenteditable": "true"}, "x"])
    whole = "Zwoplin gartenverk ostenvik"
    for at in range(1, len(whole) + 1):
        typed = whole[:at]
        m.ops(["text", 6, typed[:-1] + "\xa0" if typed.endswith(" ") else typed])
    known = known_values(m.done())
    assert [value.text for value in known if value.whole == value.text] == [whole]
    assert whole[:10] in known
    assert "ostenvik" not in page(tmp_path / "a.reel")


@pytest.mark.parametrize(
    "body", [{"tab_name": "PR Curves"}, {"text/html": "<td>eshao@yanghu.cn</td><td>3420.91</td><td>2026-08-17</td>"}]
)
def test_the_name_of_a_tab_and_a_sum_are_no_values(body: dict[str, str], tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x"])
    answered(m, body)
    assert {value.text for value in known_values(m.done())} <= {"eshao@yanghu.cn", "eshao"}


@pytest.mark.parametrize("text", ["名称: customers.ipynb\n路径: customers.ipynb", "关闭 customers.ipynb"])
def test_a_file_is_nobody_in_chinese_too(text: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {"title": text}, "x"], ["p", {}, text])
    assert page(m.done()).count(json.dumps(text, ensure_ascii=False)) == 2


@pytest.mark.parametrize("name", ["summer.kelthu", "jane.miller"])
def test_a_user_s_name_with_a_point_is_no_file(name: str, tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, f"logged in as {name}"], ["p", {}, f"User name: {name}"])
    assert name not in page(m.done())


def test_an_amount_in_a_hidden_field_is_not_looked_for(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["input", {"type": "hidden", "name": "bill", "value": "11.0"}],
        ["input", {"type": "hidden", "name": "t", "value": "9f8e7d6c5b4a"}],
    )
    known = {value.text for value in known_values(m.done())}
    assert known == {"9f8e7d6c5b4a"}


def test_a_hash_that_the_recording_has_itself_refuses_no_build(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    empty, other = hashlib.sha256(b"[]").hexdigest(), hashlib.sha256(b"Ostenvik").hexdigest()
    m.body(["p", {}, f"rev {empty}"], ["p", {}, f"rev {other}"])
    answered(m, [])
    said = page(m.done())
    assert (empty in said, other in said) == (False, False)
    assert {value.text for value in known_values(tmp_path / "a.reel")} == {other}


def test_how_long_a_call_waited_is_nobodys_number(tmp_path: Path) -> None:
    waits = [192.03482713, 1200, 114.15]
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Call 0612345678 after 192 ms"])
    for number, wait in enumerate([*waits, 612345678], 1):
        m.put("call", id=number, title="Wait", method="wait_for_timeout", params={"wait_timeout": wait}, duration=1)
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        kept = [call["params"]["wait_timeout"] for call in reel.events({"call"})]
    assert kept[:3] == waits and kept[3] != 612345678
