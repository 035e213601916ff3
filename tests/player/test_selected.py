"""What is selected has the colours that it had, whatever a page says of them, and however it writes that."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from .pictures import Mark, off, pairs

RULES = {
    "a shorthand of a variable": "::selection { background: var(--back); color: #fff }",
    "one colour by a variable": "b::selection { color: var(--back) }",
    "a colour and a background in two rules": "::selection { background: #f80 } p::selection { color: #fff }",
    "in two layers": "@layer one { p::selection { background: #f80 } } @layer two { p b::selection { color: #fff } }",
    "nested": "@media (width > 1px) { p { & ::selection { background: var(--back) } &::selection { color: #f0f } } }",
    "a list with what is not selected": "p::selection, p { color: #06c }",
    "neither colour": "p::selection { text-shadow: 1px 1px red }",
}


@pytest.fixture(scope="module")
def selected(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int, int, int]]:
    """Where each rule's picture differs from the live one."""

    def drive(page: Page, mark: Mark) -> None:
        for name, css in RULES.items():
            page.evaluate("(css) => { document.querySelector('style').textContent = css }", css)
            page.evaluate("document.activeElement.blur(); getSelection().selectAllChildren(document.body)")
            mark(name)
            page.focus("input")
            page.keyboard.press("Control+a")
            mark(f"{name}, in a field")

    html = """<style></style><style>:root { --back: #024 } body { font: 24px sans-serif } div, input { color: #a00 }</style>
        <p>words <b>in bold</b></p><div>other words <b>in bold</b></div><input value="words in a field">"""
    return off(pairs(browser, tmp_path_factory.mktemp("selected"), html, drive))


@pytest.mark.parametrize("name", RULES)
def test_what_is_selected_has_its_colours(selected: dict[str, tuple[int, int, int, int]], name: str) -> None:
    assert [mark for mark in selected if mark.split(",")[0] == name] == []
