"""Products, interface words and Playwright's own words are no persons; cells of a column are treated alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pagereel.redaction import find_pii, redact
from pagereel.redaction.contracts.findings import Finding
from pagereel.redaction.detect.public_names import find_site_names, is_public_name
from pagereel.redaction.passes.knowledge_builder import trim_site_name
from pagereel.redaction.words.playwright_words import VALUES, is_playwright_word
from pagereel.reel import PageModel, open_reel
from tests.redaction.oracle import text_of
from tests.redaction.reels import Maker

PLAIN = (
    "Gradio",
    "Built with Gradio",
    "ECharts",
    "Apache ECharts",
    "Muuri",
    "TablerIcon",
    "MuiButton",
    "Sensor 1",
    "Draw an ellipse",
    "Draw Ellipse",
    "on a Mac",
    "Use Ctrl on Windows, Cmd on a Mac",
    "View site",
    "Hexagon",
    "Humidity Sensor",
    "November 2026",
    "novembre 2026",
    "Ноябрь 2026",
    "2026年11月",
    "Rose gold",
    "Dark salmon",
    "Teal",
    "npm install @ostenvik/kesseler-grid",
    "@ostenvik/kesseler-grid",
    "pip install ostenvik",
    "Verdana",
    "Tahoma",
)
PERSONAL = {
    "Rose Kesselerberg": "Rose Kesselerberg",
    "Mark Ostenvik drew an ellipse": "Mark Ostenvik",
    "Assigned to Violet Ostenvik": "Violet Ostenvik",
    "@maria/ostenvik is Maria Ostenvik": "Maria Ostenvik",
    "She was born in November 2006": "November 2006",
}


def test_products_and_words_of_interfaces_are_no_persons() -> None:
    touched = {t: [t[f.start : f.end] for f in found] for t, found in zip(PLAIN, find_pii(PLAIN), strict=True) if found}
    assert touched == {}


def test_people_who_are_called_like_colours_and_months_are_found_still() -> None:
    for (text, value), found in zip(PERSONAL.items(), find_pii(list(PERSONAL)), strict=True):
        start = text.rindex(value)
        masked = {i for f in found for i in range(f.start, f.end)}
        assert all(i in masked for i in range(start, start + len(value)) if text[i].isalnum()), (text, found)
    assert find_pii(["November 1961"], ["Date of birth"])[0], "a label is believed"


FOREIGN = (
    "Keine Vorgänge",
    "Spaltenfelder",
    "Zusammengeklappte Zeile",
    "Datei ist zu klein",
    "Ausgewählte Zeilen",
    "Insertar columna a la derecha",
    "Eliminar tabla",
    "Alinear a la izquierda",
    "Année précédente",
    "Liste ordonnée",
    "Carregar ficheiros",
    "Cabeçalho da coluna",
    "Modifica intestazione",
    "执行已在进行中，请稍候。",
)
FOREIGN_PERSONAL = {
    "Kundin: Wiebke Hasselbach": "Wiebke Hasselbach",
    "Bonjour, je m'appelle Maëlys Quéméneur.": "Maëlys Quéméneur",
    "Asignado a Begoña Arrieta": "Begoña Arrieta",
    "Pedido de Rafaela Dias": "Rafaela Dias",
    "Ordine di Loredana Bianchi": "Loredana Bianchi",
}


def test_words_of_interfaces_in_other_languages_are_no_persons_and_people_beside_them_are() -> None:
    touched = {
        t: [t[f.start : f.end] for f in found] for t, found in zip(FOREIGN, find_pii(FOREIGN), strict=True) if found
    }
    assert touched == {}
    for (text, value), found in zip(FOREIGN_PERSONAL.items(), find_pii(list(FOREIGN_PERSONAL)), strict=True):
        start = text.index(value)
        masked = {i for f in found for i in range(f.start, f.end)}
        assert all(i in masked for i in range(start, start + len(value)) if text[i].isalnum()), (text, found)


def _masked(m: Maker, tmp_path: Path) -> Path:
    redact(m.done(), tmp_path / "b.reel")
    return tmp_path / "b.reel"


def test_playwrights_words_stay_in_calls_and_an_address_in_them_does_not(tmp_path: Path) -> None:
    own: dict[str, Any] = {
        "state": "attached",
        "wait_until": "networkidle",
        "button": "right",
        "modifiers": ["Control", "Shift"],
        "role": "treeitem",
        "color_scheme": "dark",
        "key": "Control+Shift+ArrowLeft",
        "expression": "to.have.accessible.name",
        "permissions": ["clipboard-read"],
        "service_workers": "block",
        "polling": "raf",
    }
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "Ship it to Tamsin Ostenvik"])
    m.put("call", id=1, step=None, page=1, method="wait_for", title="Wait for", params=own, duration=1)
    m.put(
        "call",
        id=2,
        step=None,
        page=1,
        method="evaluate",
        title="Evaluate",
        params={"arg": {"state": "Ostenmark"}},
        duration=1,
    )
    m.put(
        "call", id=3, step=None, page=1, method="wait_for", title="Wait for", params={"state": "Ostenmark"}, duration=1
    )
    with open_reel(_masked(m, tmp_path)) as reel:
        calls = [e["params"] for e in reel.events() if e["k"] == "call"]
    assert calls[0] == own
    assert "Ostenmark" not in str(calls[1:])


def test_the_list_knows_the_words_of_the_installed_playwright() -> None:
    """Each literal of a parameter in Playwright's own signatures."""
    import inspect
    import typing

    from playwright import sync_api

    missing: dict[str, set[str]] = {}
    for thing in (
        sync_api.Page,
        sync_api.Locator,
        sync_api.Frame,
        sync_api.Browser,
        sync_api.BrowserContext,
        sync_api.Route,
    ):
        for _, method in inspect.getmembers(thing, inspect.isfunction):
            for name, hint in getattr(method, "__annotations__", {}).items():
                for word in _literals(typing, hint):
                    if name not in ("return", "event") and not is_playwright_word(name, word):
                        missing.setdefault(name, set()).add(word)
    assert missing == {}
    assert VALUES["state"] >= {"attached", "detached", "visible", "hidden"}


def _literals(typing: Any, hint: Any) -> set[str]:
    if typing.get_origin(hint) is typing.Literal:
        return {a for a in typing.get_args(hint) if isinstance(a, str)}
    return {w for a in typing.get_args(hint) for w in _literals(typing, a)}


def _text(path: Path) -> list[str]:
    model = PageModel()
    with open_reel(path) as reel:
        for event in reel.events():
            model.apply(event)
    return [n.data for n in model.documents[1].walk() if n.parent and n.parent.name == "td"]


def _table(m: Maker, header: str, cells: list[str], *more: Any) -> None:
    rows = [["tr", {}, ["td", {}, cell]] for cell in cells]
    m.body(["table", {}, ["thead", {}, ["tr", {}, ["th", {}, header]]], ["tbody", {}, *rows]], *more)


def test_the_cells_of_a_column_are_treated_alike(tmp_path: Path) -> None:
    cities = ["Berlin", "Porto", "Nice", "Oslo", "Bath", "Lima", "Kyoto", "Reading"]
    m = Maker(tmp_path / "a.reel")
    _table(m, "Warehouse", cities)
    shown = _text(_masked(m, tmp_path))
    assert len({a == b for a, b in zip(cities, shown, strict=True)}) == 1, shown


def test_what_a_page_calls_its_program_is_public(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["div", {"class": "kvandor-app"}, ["div", {"class": "kvandor-row kvandor-cell"}, "Kvandor"]],
        ["p", {}, "Welcome to Kvandor, the planner that Mr. Kvandor never had"],
        ["p", {}, "Hello, my name is Maria Ostenvik."],
    )
    model = PageModel()
    with open_reel(_masked(m, tmp_path)) as reel:
        for event in reel.events():
            model.apply(event)
    said = [n.data for n in model.documents[1].walk() if n.data]
    assert "Kvandor" in said
    assert not any("Ostenvik" in s for s in said)


def test_columns_that_a_style_sheet_keeps_apart_are_read_apart(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    rows = [
        ["div", {}, ["span", {}, when], ["span", {}, size], ["span", {}, subject]]
        for when, size, subject in (
            ("2026-12-05 11:06", "781 B", "Clay by the tonne"),
            ("2026-12-04 11:06", "1 KB", "Minutes of the meeting"),
            ("2026-12-03 11:06", "946 B", "The kiln is booked"),
        )
    ]
    m.body(*rows, ["div", {}, ["b", {}, "4111 1111"], ["b", {}, "1111 1111"]], ["div", {}, ["b", {}, "Os"], ["i", {}, "tenvik"], " owes it"], ["p", {}, "Paid by Tamsin Ostenvik"])  # fmt: skip
    m.done()
    redact(tmp_path / "a.reel", tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel")
    for kept in ("781 B", "1 KB", "946 B", "Clay by the tonne", "Minutes of the meeting", "The kiln is booked"):
        assert kept in shown, kept
    for gone in ("4111 1111", "tenvik", "2026-12-0"):
        assert gone not in shown, gone


def test_first_words_numbered_things_and_the_tag_line_of_a_shop_are_nobodys() -> None:
    texts = ["pot 1", "pot 27"]
    assert [f for found in find_pii(texts) for f in found] == []
    titles = [f"{name} | \n  Kiln - Pots by post" for name in ("Bowls", "Basket", "All products")]
    names = find_site_names(titles)
    assert all(is_public_name(value, names) for value in ("Kiln", "Pots", "Pots by", "Pots by post"))
    of_a_person = [f"{name} | Priya Raman | Acme" for name in ("Orders", "Basket")] + [
        "Help | Acme",
        "Home | Jo Li | Acme",
    ]
    assert not is_public_name("Priya Raman", find_site_names(of_a_person))


def test_the_place_of_a_call_within_its_project_stays(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "x"])
    for number, file in enumerate(("bench/fidelity/case_runs.py", "/home/ostenvik/tests/runs.py")):
        source = {"file": file, "line": 3, "function": "see"}
        maker.put("call", id=number + 200, step=None, page=1, title="click", method="click", params={}, source=source)
    redact(maker.done(), tmp_path / "b.reel")
    with open_reel(tmp_path / "b.reel") as reel:
        files = [event["source"]["file"] for event in reel.events() if event["k"] == "call"]
    assert files == ["bench/fidelity/case_runs.py", "tests/runs.py"]


def test_a_package_in_an_address_is_a_programs_name_and_the_scope_of_a_profile_is_somebodys(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["link", {"rel": "stylesheet", "href": "/npm/@jspreadsheet/formula/dist/index.css"}],
        ["a", {"href": "/@ostenquill/posts"}, "Posts"],
        ["p", {}, "Jspreadsheet CE"],
    )
    redact(m.done(), tmp_path / "b.reel")
    said = text_of(tmp_path / "b.reel")
    assert "/npm/@jspreadsheet/formula/dist/index.css" in said and "Jspreadsheet CE" in said
    assert "ostenquill" not in said


def test_a_route_in_a_fragment_is_read_as_a_path_is(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["a", {"href": "#studio/model/party.party/6"}, "x"], ["a", {"href": "#people/Ostenquill/edit"}, "y"])
    redact(m.done(), tmp_path / "b.reel")
    said = text_of(tmp_path / "b.reel")
    assert "#studio/model/party.party/6" in said
    assert "Ostenquill" not in said and "#people/" in said


def test_of_a_finding_with_the_sites_name_the_rest_alone_is_masked() -> None:
    site = find_site_names(["Experiments - Kilnboard", "Runs - Kilnboard"])
    text = "Ask Kilnboard Priya Raghunathan Kilnboard"
    finding = Finding(4, len(text), "ORGANIZATION", 0.9)
    trimmed = trim_site_name(text, finding, site)
    assert text[trimmed.start : trimmed.end] == "Priya Raghunathan"
    assert trim_site_name("Kilnboard", Finding(0, 9, "ORGANIZATION", 0.9), site).end == 9
