"""Calls are masked by the place of each argument, and an address in them as it is masked in the page."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from playwright import sync_api

from pagereel.redaction import known_values, redact
from pagereel.redaction.content.format_words import is_format_word
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

SITE = "https://shop.example"
SVG = "http://www.w3.org/2000/svg"


def call(maker: Maker, method: str = "fill", **fields: Any) -> None:
    number = sum(1 for _ in maker.model.documents) + int(maker.t)
    maker.put("call", id=number, step=None, page=1, title="Fill", method=method, duration=1, **fields)


def masked(maker: Maker, folder: Path) -> tuple[list[dict[str, Any]], str]:
    """The calls of the masked reel, and all that it says."""
    redact(maker.done(), folder / "b.reel")
    with open_reel(folder / "b.reel") as reel:
        events = [dict(event) for event in reel.events()]
    return [event for event in events if event["k"] == "call"], str(events)


@pytest.mark.parametrize(
    ("params", "gone"),
    [
        ({"value": "P%41ssw0rd!"}, "P%41ssw0rd!"),
        ({"value": "correct horse"}, "correct horse"),
        ({"text": "a&amp;bC9xQ2"}, "a&amp;bC9xQ2"),
        ({"options": [{"value_or_label": "Zwodarstraat"}]}, "Zwodarstraat"),
        ({"files": ["Zwodar_passport.pdf"]}, "Zwodar_passport"),
        ({"url": "/orders/?customer=kvimelost"}, "kvimelost"),
    ],
)
def test_what_a_call_puts_into_the_page_is_masked_whatever_is_found_in_it(
    params: Any, gone: str, tmp_path: Path
) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "you entered "])
    call(maker, params=params)
    calls, _ = masked(maker, tmp_path)
    assert calls[0]["params"].keys() == params.keys()
    assert gone not in str(calls[0]["params"])


@pytest.mark.parametrize("password", ["P%41ssw0rd!", "a&amp;bC9xQ2", r"AB\x41CDq91", "Zx=41=42q99!", r"\41 bcQ92x!z"])
def test_a_password_that_a_call_typed_is_gone_from_what_the_page_says(password: str, tmp_path: Path) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "echo"])
    call(maker, params={"value": password})
    maker.ops(["add", 4, 900, ["p", {}, "you entered ", ["b", {"title": password}, password]]])
    _, said = masked(maker, tmp_path)
    assert repr(password)[1:-1] not in said


def test_a_segment_that_is_masked_in_addresses_stands_nowhere_in_a_call(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.body(["a", {"href": "/orders/priya-raghunathan"}, "Order"])
    maker.put("document", d=2, page=1, frame="F", url=f"{SITE}/orders/priya-raghunathan", top=True, viewport={"w": 800, "h": 600, "dpr": 1}, mode="CSS1Compat", title="Order")  # fmt: skip
    call(
        maker,
        "goto",
        params={"url": "/orders/priya-raghunathan", "expected_text": ["/orders/priya-raghunathan"]},
        locator="locator(\"a[href='/orders/priya-raghunathan']\")",
        source={"file": "shop.py", "line": 3, "function": "go", "code": ["> 3 page.goto('/orders/priya-raghunathan')"]},
    )
    calls, said = masked(maker, tmp_path)
    assert calls[0]["params"]["url"].startswith("/orders/")
    assert calls[0]["params"]["url"] in calls[0]["source"]["code"][0], "alike in every place"
    assert "raghunathan" not in said


def test_a_namespace_in_the_tests_own_code_is_no_value_of_the_page(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "chart"])
    maker.resource("image/svg+xml", f'<svg xmlns="{SVG}" width="8" height="8"><rect width="8" height="8"/></svg>')
    code = f"document.createElementNS('{SVG}', 'svg')"
    call(maker, "evaluate", params={"expression": f"() => {code}"}, source={"file": "t.py", "line": 1, "code": [f"> 1 page.evaluate(\"{code}\")"]})  # fmt: skip
    call(maker, "fulfill", params={"body": f'<svg xmlns="{SVG}"></svg>'})
    maker.put("console", page=1, level="error", text=f"<svg> wants {SVG}", source="javascript")
    path = maker.done()
    assert SVG not in [value.text for value in known_values(path)]
    redact(path, tmp_path / "b.reel")  # the gate lets it pass
    with open_reel(tmp_path / "b.reel") as reel:
        assert [e for e in reel.events() if e["k"] == "call" and SVG not in str(e)] == []


def test_an_address_of_the_site_is_one_whatever_a_model_calls_it(tmp_path: Path) -> None:
    """The console's sentence about a sandboxed frame made a government's number of the frame's address."""
    maker = Maker(tmp_path / "a.reel")
    inner = "http://127.0.0.1:43587/inner.html"
    maker.body(["iframe", {"src": "/inner.html"}])
    maker.put("document", d=2, page=1, frame="G", url=inner, top=False, viewport={"w": 800, "h": 600, "dpr": 1}, mode="CSS1Compat", title="")  # fmt: skip
    maker.put("console", page=1, level="error", source="security", text=f"Blocked script execution in '{inner}' because the document's frame is sandboxed and the 'allow-scripts' permission is not set.")  # fmt: skip
    _, said = masked(maker, tmp_path)
    assert said.count(inner) == 2


def test_every_method_of_playwright_is_a_word_of_the_format() -> None:
    classes = [
        kind for _, kind in inspect.getmembers(sync_api, inspect.isclass) if kind.__module__.startswith("playwright")
    ]
    names = {name for kind in classes for name in vars(kind) if not name.startswith("_")}
    assert len(names) > 200 and [name for name in sorted(names) if not is_format_word(name)] == []


@pytest.mark.parametrize("name", [("Gregory", "Renthaurmeiro"), ("Samuel", "Velvirthorpe")])
def test_a_name_whose_parts_a_locator_has_one_by_one_is_masked(name: tuple[str, str], tmp_path: Path) -> None:
    locator = f"locator(\"//td[contains(.,'{name[0]}') and contains(.,'{name[1]}')]\")"
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "nobody"])
    error = f"TimeoutError: Locator.click: Timeout 60ms exceeded.\nCall log:\n  - waiting for {locator}\n"
    call(maker, "click", locator=locator, error=error)
    _, said = masked(maker, tmp_path)
    assert name[1] not in said
