"""Source code on a page is read as code: what is the language's and the program's stays, what somebody may have written into it is looked through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import redact
from pagereel.redaction.detect.source_code import iter_code_passages, looks_like_source_code
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

PROGRAM = (
    "from sklearn.linear_model import LinearRegression",
    "import pandas as pd",
    "customers = pd.read_csv('customers.csv')",
    "# Written by Maria Ostenvik for the studio",
    "paid = customers[customers['name'] == 'Zuberina Ostenvik-Marlowitz']",
    "paid.groupby('city').iloc[0].to_dict()",
)


def texts(path: Path, event: str = "snapshot") -> str:
    with open_reel(path) as reel:
        return json.dumps([e["ops"] for e in reel.events() if e["k"] == event], ensure_ascii=False)


def editor(*lines: str, **attributes: str) -> list[Any]:
    written = [["div", {"class": "cm-line"}, line] for line in lines]
    return ["div", {"class": "cm-content", "contenteditable": "true", "role": "textbox", **attributes}, *written]


@pytest.mark.parametrize(
    "place",
    [
        editor(*PROGRAM),
        editor(*PROGRAM, **{"data-language": "python"}),
        ["pre", {}, ["code", {"class": "language-python"}, "\n".join(PROGRAM)]],
        ["pre", {}, "\n".join(PROGRAM)],
        ["div", {"class": "view-lines"}, *(["div", {"class": "view-line"}, line] for line in PROGRAM)],
    ],
)
def test_a_program_stays_and_the_people_in_it_go(place: list[Any], tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(place)
    redact(m.done(), tmp_path / "b.reel")
    shown = texts(tmp_path / "b.reel")
    for kept in (*PROGRAM[:3], "# Written by ", "paid = customers[customers['name'] == '", PROGRAM[5]):
        assert json.dumps(kept, ensure_ascii=False)[1:-1] in shown
    for name in ("Ostenvik", "Zuberina", "Marlowitz"):
        assert name not in shown


def test_an_editor_of_prose_is_somebodys_and_masked_whole(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(editor("Iron, one to two per cent", "Zvelika has the recipe", **{"data-language": "markdown"}))
    redact(m.done(), tmp_path / "b.reel")
    assert "Iron" not in texts(tmp_path / "b.reel")
    assert "Zvelika has" not in texts(tmp_path / "b.reel")


def test_a_name_that_is_being_written_into_a_program_does_not_show(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(editor("who = 'x'", **{"data-language": "python"}))
    for end in range(4, len("Ostenvik") + 1):
        m.ops(["text", 7, f"who = '{'Ostenvik'[:end]}'"])
    redact(m.done(), tmp_path / "b.reel")
    shown = texts(tmp_path / "b.reel", "mutation")
    assert "who = '" in shown
    assert "Oste" not in shown


def test_what_an_editor_holds_is_not_looked_for_elsewhere_until_somebody_changes_it(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Zvelika glaze"], editor("Zvelika glaze"))
    redact(m.done(), tmp_path / "b.reel")
    assert texts(tmp_path / "b.reel").count("Zvelika") == 1


def test_a_query_is_code_wherever_it_stands(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    query = "select name, phone from student where paid > 0 order by born"
    m.body(["textarea", {"name": "sql"}, query], ["p", {}, "select"], ["p", {}, query])
    redact(m.done(), tmp_path / "b.reel")
    assert texts(tmp_path / "b.reel").count(query) == 2


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("import pandas as pd", []),
        ('x = {"name": "Anna Smith"}', [("name", ""), ("Anna Smith", "name")]),
        ("url = 'http://a.b/c' // by Anna", ["http://a.b/c", "// by Anna"]),
        ("call(a, b); c = d * e", []),
        ("x = 'open", ["open"]),
        ("author: Ostenvik", [("Ostenvik", "author")]),
        ("a = 1 # 顧客", ["# 顧客"]),
    ],
)
def test_strings_comments_and_names_are_read(code: str, read: list[Any]) -> None:
    wanted = [each if isinstance(each, tuple) else (each, None) for each in read]
    found = [(code[p.start : p.end].strip(), p.label) for p in iter_code_passages(code)]
    assert [said for said, _ in found] == [said for said, _ in wanted]
    for (_, label), (_, want) in zip(found, wanted, strict=True):
        assert want is None or label == want


@pytest.mark.parametrize(
    "prose",
    [
        "Dear Anna, please call (089) 123",
        "Select a pot from the shop",
        "Name: Anna Ostenvik\nCity: Galway",
        "I wrote it; then I left.",
    ],
)
def test_prose_is_no_code(prose: str) -> None:
    assert not looks_like_source_code(prose)
