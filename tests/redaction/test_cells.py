"""What a table's headers and a form's labels say of the values under them, as the applications of bench/redaction/apps have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagereel.redaction import find_pii, redact
from pagereel.redaction.contracts.findings import TextContext
from pagereel.reel import open_reel
from tests.redaction.reels import Maker


def texts(tree: Any) -> list[str]:
    if isinstance(tree, str):
        return [tree.strip()] if tree.strip() else []
    return [text for child in tree[2:] for text in texts(child)] if isinstance(tree, list) else []


def shown(tmp_path: Path, *children: Any) -> list[str]:
    m = Maker(tmp_path / "a.reel")
    m.body(*children)
    redact(m.done(), tmp_path / "b.reel", "vendor")
    with open_reel(tmp_path / "b.reel") as reel:
        return texts(next(e for e in reel.events() if e["k"] == "snapshot")["ops"][0][2])


def table(headers: list[str], *rows: list[str]) -> list[Any]:
    """A list as Django's admin draws it: the first cell of a row is its header."""
    head = ["thead", {}, ["tr", {}, *[["th", {"scope": "col"}, h] for h in headers]]]
    body = [["tr", {}, ["th", {"scope": "row"}, ["a", {"href": "#"}, r[0]]], *[["td", {}, c] for c in r[1:]]] for r in rows]  # fmt: skip
    return ["table", {}, head, ["tbody", {}, *body]]


@pytest.mark.parametrize(
    ("headers", "row"),
    [
        (["الاسم", "الحالة"], ["كتوم الخزرج", "نشط"]),
        (["公司", "状态"], ["佳禾科技有限公司", "有效"]),
        (["城市", "状态"], ["婷县", "有效"]),
        (["Company", "State"], ["Manning-Saunders", "active"]),
        (["Name", "State"], ["Ostenvik Marlowitz", "active"]),
    ],
)
def test_the_header_of_a_row_is_a_value_of_its_column(headers: list[str], row: list[str], tmp_path: Path) -> None:
    said = shown(tmp_path, table(headers, row))
    assert said[:2] == headers
    assert said[3] == row[1]
    assert row[0] not in said


def test_a_grid_whose_head_scrolls_apart_names_its_columns_and_their_number_counts(tmp_path: Path) -> None:
    """DevExtreme and ag-Grid: the head is a table of its own, which ARIA calls presentation, and rows begin with the second column."""

    def part(row: list[Any]) -> list[Any]:
        body = ["tbody", {"role": "presentation"}, row]
        return ["div", {}, ["div", {}, ["div", {}, ["table", {"role": "presentation"}, body]]]]

    def cells(role: str, *said: str) -> list[Any]:
        cells = [["td", {"role": role, "aria-colindex": str(n)}, text] for n, text in enumerate(said, 1) if text]
        return ["tr", {"role": "row"}, *cells]

    head = part([*cells("columnheader", "الحالة", "الاسم", "Phone"), ["td", {"role": "gridcell"}, ""]])
    rows = part(cells("gridcell", "", "معزّ المهيدب", "+1-492-217-4218x0967"))
    within, apart = ["div", {"role": "grid"}, head, rows], ["div", {}, head, ["div", {"role": "grid"}, rows]]
    for grid in (within, apart):
        said = shown(tmp_path, grid)
        assert said[:3] == ["الحالة", "الاسم", "Phone"]
        assert "المهيدب" not in said[3] and "555-01" in said[4]
        for left in tmp_path.iterdir():
            left.unlink()


def test_plain_cells_in_a_head_name_their_columns(tmp_path: Path) -> None:
    head = ["thead", {}, ["tr", {}, ["td", {}, ""], ["td", {}, "Company"], ["td", {}, "Phone"]]]
    row = ["tr", {}, ["td", {}, "1"], ["td", {}, "Porter-Bates"], ["td", {}, "001-516-514-6100"]]
    said = shown(tmp_path, ["table", {}, head, ["tbody", {}, row]])
    assert said[:3] == ["Company", "Phone", "1"]
    assert "555-01" in said[4]
    assert said[3] != "Porter-Bates"


def test_headers_of_rows_that_name_settings_stay(tmp_path: Path) -> None:
    rows = [["Max connections", "100"], ["Listen address", "all"], ["Company", "none"]]
    assert shown(tmp_path, table(["Setting", "Value"], *rows))[2:] == [cell for row in rows for cell in row]


def test_a_label_of_a_select_is_not_what_the_select_offers(tmp_path: Path) -> None:
    options = [["option", {"value": ""}, "---------"], ["option", {"value": "delete_selected"}, "Delete selected customers"]]  # fmt: skip
    said = shown(tmp_path, ["label", {}, "Action: ", ["select", {"name": "action"}, *options]])
    assert said == ["Action:", "---------", "Delete selected customers"]


def test_a_choice_of_addresses_of_the_site_is_no_account(tmp_path: Path) -> None:
    options = [["option", {"value": f"http://127.0.0.1:44401/list?page_size={n}"}, n] for n in ("10", "25", "50")]
    assert shown(tmp_path, ["select", {"aria-label": "Page size"}, *options]) == ["10", "25", "50"]


def test_states_that_a_program_names_are_told_in_any_language(tmp_path: Path) -> None:
    states = {"new": "新建", "active": "有效", "closed": "已关闭"}
    options = [["option", {"value": value}, said] for value, said in states.items()]
    assert shown(tmp_path, ["label", {"for": "s"}, "状态"], ["select", {"id": "s"}, *options])[1:] == list(
        states.values()
    )


def test_an_entry_of_a_menu_under_a_name_is_no_position() -> None:
    said = "\n  Welcome,\n  Alison.\n\n\n   View site /\n   Change password"
    assert [said[f.start : f.end] for f in find_pii([said])[0]] == ["Alison"]


def test_no_half_of_a_pair_of_parentheses_stays() -> None:
    said = "(0161) 496 0484"
    assert [(f.start, f.end) for f in find_pii([said])[0]] == [(0, len(said))]


def test_words_of_interfaces_under_company_stay() -> None:
    assert find_pii(["All companies", "Not set", "3"], ["Company"] * 3) == [[], [], []]


def test_amounts_of_money_are_no_part_of_an_address() -> None:
    lines = [f"\n  Income:Stock\n  {amount}\n " for amount in ("-103.50 EUR", "-201.50 EUR", "€ 1.240,00", "47.50 USD", "1 240 kr")]  # fmt: skip
    assert [[line[f.start : f.end] for f in found] for line, found in zip(lines, find_pii(lines), strict=True)] == [[]] * len(lines)  # fmt: skip
    said = "24 Cedarwick Lane, Harbourton"
    assert find_pii([said])[0][0].start == 0


def test_the_age_of_a_change_is_a_time_and_who_wrote_it_is_no_secret() -> None:
    """Mercurial's log: columns *age* and *author*."""
    texts = ["6 months ago", "No more entries", "41", "Zervin Ostenvik", "Anonymous"]
    labels = ["age", "age", "age", "author", "author"]
    found = find_pii(texts, [TextContext(label=label) for label in labels])
    assert [[f.entity for f in each] for each in found] == [[], [], ["AGE"], ["PERSON"], []]


def test_numbers_of_rows_are_no_values_of_the_column_beside_them(tmp_path: Path) -> None:
    """jspreadsheet: one digit alone waits for what the digits spell together, and is then what it was where it stood."""
    head = ["thead", {}, ["tr", {}, ["td", {}, ""], ["td", {}, "Customer"]]]
    rows = [["tr", {}, ["td", {}, str(n)], ["td", {}, f"Zervin{n} Ostenvik"]] for n in range(1, 4)]
    said = shown(tmp_path, ["table", {}, head, ["tbody", {}, *rows]])
    assert said[1::2] == ["1", "2", "3"]


def test_what_a_thing_is_in_is_no_place_and_a_place_under_the_same_header_is_one() -> None:
    states = ["overdue", "Overdue", "in transit", "Shipped"]
    assert find_pii(states, ["State"] * len(states)) == [[]] * len(states)
    assert all(find_pii(["Ohio", "New York", "Bavaria"], ["State"] * 3))


def test_a_company_of_two_words_of_interfaces_is_one_under_its_header() -> None:
    said = ["White Group", "Blue Systems", "All companies", "Select Group"]
    found = find_pii(said, ["Company"] * len(said))
    assert [[f.entity for f in each] for each in found] == [["ORGANIZATION"], ["ORGANIZATION"], [], []]


def test_numbers_of_a_column_are_treated_alike(tmp_path: Path) -> None:
    """Django's admin, orders: one of twenty numbers begins as telephones do."""
    numbers = ["0877827", "2980944", "1979571", "5221231", "3330111", "6667674"]
    said = shown(tmp_path, table(["Number", "State"], *[[number, "paid"] for number in numbers]))
    assert said[2::2] == numbers
    phones = ["0877827", "0877828", "0877829", "0877830"]
    assert not set(phones) & set(shown(tmp_path, table(["Telephone", "State"], *[[p, "paid"] for p in phones])))


def test_a_caption_of_a_thing_stays_whole_and_who_is_called_by_its_word_is_masked(tmp_path: Path) -> None:
    rows = [["Reed bowl", "paid"], ["Black ewer", "paid"], ["Salt jug", "paid"], ["Tern bottle vase", "new"]]
    said = shown(tmp_path, table(["Product", "State"], *rows), ["p", {}, "Written by Marlow Ostenvik"])
    assert said[2:10] == [cell for row in rows for cell in row]
    assert "Ostenvik" not in said[-1]
    said = shown(tmp_path, table(["Product", "Customer"], ["Reed bowl", "Zervin Reed"], ["Salt jug", "Ada Reed"]))
    assert not any("Reed" in cell for cell in said)


def test_a_class_that_says_payee_names_one_and_its_plain_words_stay(tmp_path: Path) -> None:
    """Fava's journal: companies beside each other, of which models know most."""
    payees = ["Ecorys", "De Ostenheus Vlierboek", "Groceries", "Opening balance", "Posted by"]
    said = shown(tmp_path, *[["li", {}, ["span", {"class": "payee"}, payee]] for payee in payees])
    assert said[2:] == payees[2:]
    assert not set(payees[:2]) & set(said)


def test_how_many_there_are_of_each_place_stays_and_the_place_does_not(tmp_path: Path) -> None:
    """Datasette's facets, in which a town and its count are read as a house."""
    counts = {"Carterburgh": 1, "Chanfort": 1, "Powersmouth": 3, "Christophermouth": 12}
    facets = [["li", {}, ["a", {"href": "#"}, town], f" {number}"] for town, number in counts.items()]
    said = shown(tmp_path, ["ul", {}, *facets])
    assert said[1::2] == [str(number) for number in counts.values()]
    assert not set(counts) & set(said)
    homes = ["Keizersgracht 12", "Mozartstraße 3", "Lindenstraße 7", "Prinsengracht 101"]
    said = shown(tmp_path, ["ul", {}, *[["li", {}, home] for home in homes]])
    # As a word, for another number may have the digit in it.
    assert not any(number in text.split() for text, number in zip(said, ("12", "3", "7", "101"), strict=True))
    assert not {street.split()[0] for street in homes} & {word for text in said for word in text.split()}


def test_a_label_of_an_author_is_no_position_and_the_administrator_is_nobody() -> None:
    for said, who in (
        ("Author: btresidder", "btresidder"),
        ("committer: ngaio", "ngaio"),
        ("uploader: mkessel", "mkessel"),
    ):
        assert [said[f.start : f.end] for f in find_pii([said])[0]] == [who]
    said = "Probation officer: Derek Osgoode"
    assert [said[f.start : f.end] for f in find_pii([said])[0]] == ["Probation officer", "Derek Osgoode"]
    nobody = ["owner: root", "author: unknown", "assignee: everyone", "maintainer: upstream", "author: json"]
    assert find_pii(nobody) == [[]] * len(nobody)
    assert find_pii(["admin", "anonymous"], ["User", "User"]) == [[], []]
    assert all(find_pii(["btresidder"], ["User"]))


def test_the_name_of_a_table_is_nobodys_position_and_under_its_header_it_is_one() -> None:
    assert find_pii(["student", "teacher"]) == [[], []]
    assert all(find_pii(["student", "Kiln technician"], ["Occupation", "Occupation"]))


def test_a_few_names_in_a_long_list_of_what_a_program_offers_say_nothing_of_the_others(tmp_path: Path) -> None:
    kinds = [f"{a} {b}" for a in ("Austrian", "Danish", "Dutch", "Finnish", "French", "German", "Greek", "Irish", "Italian", "Polish") for b in ("Tax Number", "Company Number", "Identity Number")]  # fmt: skip
    listed = table(["selection", "no"], *[[kind, str(n)] for n, kind in enumerate([*kinds, "Ostenvik Marlowitz"])])
    said = shown(tmp_path, ["p", {}, "Written by Ostenvik Marlowitz"], listed)
    assert [kind for kind in kinds if kind not in said] == []
    assert not any("Marlowitz" in text for text in said)


def test_a_column_of_numbers_is_no_telephone_where_a_label_of_its_row_says_one(tmp_path: Path) -> None:
    numbers = ["0702635", "2980944", "0183794", "1979571", "5221231", "3330111", "0009142"]
    rows = [["tr", {}, ["td", {}, ["input", {"type": "checkbox", "aria-label": f"Select this object for an action - {n}"}]], ["th", {}, n]] for n in numbers]  # fmt: skip
    said = shown(
        tmp_path, ["table", {}, ["thead", {}, ["tr", {}, ["th", {}], ["th", {}, "Number"]]], ["tbody", {}, *rows]]
    )
    assert [n for n in numbers if n not in said] == []


def test_what_describes_a_field_and_a_program_with_its_release_are_nobody_under_a_label_of_people() -> None:
    texts = ["attn", "Python 3 (ipykernel)", "Ostermann", "Tamsin 3"]
    labels = ["attn name", "display_name", "attn name", "display_name"]
    assert [bool(found) for found in find_pii(texts, labels)] == [False, False, True, True]


def test_what_is_put_into_a_table_of_a_database_is_somebodys() -> None:
    put = "INSERT INTO student (name, city) VALUES ('Ines Halloran', 'Peine')"
    [found] = find_pii([put])
    assert "Ines Halloran" in [put[f.start : f.end] for f in found]


ROWS = "id\tname\tbalance\tjoined\n1\tAnna Weidinger\t764.88\t2026-01-02\n2\tOle Brandt\t3327.65\t2026-10-01\n"


def test_an_amount_and_a_day_in_neighbouring_cells_of_a_prompt_are_no_number_of_somebodys() -> None:
    [found] = find_pii([f"customers.head()\n[1]:\n{ROWS}"])
    said = [f"customers.head()\n[1]:\n{ROWS}"[f.start : f.end] for f in found]
    assert {"Anna Weidinger", "2026-01-02", "Ole Brandt", "2026-10-01"} <= set(said)
    assert not any("." in value or "\t" in value for value in said)


def test_the_number_of_a_row_in_a_line_of_its_own_is_nobody_and_a_telephone_there_is_one() -> None:
    rows = "\n".join(f"{n}\n\t\n{name}\n\t\n" for n, name in ((23, "Акулина Дементьев"), (7, "Ананий Волков"), (14, "ОАО «Щукина»"), (9, "+49 30 9018203")))  # fmt: skip
    [found] = find_pii([f"The page says:\nКод\n\t\nНаименование\n\t\n{rows}"])
    said = [f"The page says:\nКод\n\t\nНаименование\n\t\n{rows}"[f.start : f.end] for f in found]
    assert not {"23", "7", "14", "9"} & set(said)
    assert {"Акулина Дементьев", "Ананий Волков", "+49 30 9018203"} <= set(said)
