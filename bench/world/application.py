"""Defines an application of this bench, and builds the acts that are done in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from ..fidelity.case import Case, ServedSite

Act = Callable[[Any], object]
"""Does one thing to a page of Playwright's sync API."""


@dataclass(frozen=True)
class Application:
    """One application. `acts` has an act for each mark, in order; `loaded` waits until the first act can be done."""

    name: str
    kind: str
    """What it is to a person: map, editor, shop …"""
    framework: str
    """What it is made with, and what draws it where that is not the DOM."""
    version: str
    """Where it comes from: `npm name@version`, say."""
    site: Callable[[], AbstractContextManager[ServedSite]]
    path: str
    acts: Mapping[str, Act]
    loaded: Act
    settle: int = 300
    """ms between an interaction and its mark."""
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def case(self) -> Case:
        """The application as a case of `bench.fidelity`."""
        return Case(
            self.name, self.kind, self.site, self.path, tuple(self.acts), lambda page, mark: self.acts[mark](page),
            settle=self.settle, context=self.context, loaded=self.loaded, version=self.version,
        )  # fmt: skip


def click(selector: str, number: int = 0, **options: Any) -> Act:
    """Return an act that clicks the element with this number among those that the selector finds."""
    return lambda page: page.locator(selector).nth(number).click(**options)


def click_text(words: str, number: int = 0, exact: bool = True) -> Act:
    """Return an act that clicks the element with this text."""
    return lambda page: page.get_by_text(words, exact=exact).nth(number).click()


def click_button(name: str, number: int = 0) -> Act:
    """Return an act that clicks the button with this name."""
    return lambda page: page.get_by_role("button", name=name).nth(number).click()


def fill(selector: str, words: str, number: int = 0) -> Act:
    """Return an act that fills words into a field."""
    return lambda page: page.locator(selector).nth(number).fill(words)


def type_words(words: str) -> Act:
    """Return an act that types words into the focused element."""
    return lambda page: page.keyboard.type(words, delay=10)


def press_keys(*names: str) -> Act:
    """Return a function that presses the named keys on a page, one after the other."""
    return lambda page: [page.keyboard.press(name) for name in names]


def hover(selector: str, number: int = 0) -> Act:
    """Return an act that hovers an element."""
    return lambda page: page.locator(selector).nth(number).hover()


def click_at(x: int, y: int, **options: Any) -> Act:
    """Return an act that clicks at a point of the viewport."""
    return lambda page: page.mouse.click(x, y, **options)


def drag(left: int, top: int, right: int, bottom: int) -> Act:
    """Return an act that drags from one point of the viewport to another."""

    def perform_drag(page: Any) -> None:
        page.mouse.move(left, top)
        page.mouse.down()
        page.mouse.move((left + right) / 2, (top + bottom) / 2, steps=4)
        page.mouse.move(right, bottom, steps=4)
        page.mouse.up()

    return perform_drag


def scroll_wheel(x: int, y: int, distance: int) -> Act:
    """Return an act that moves the pointer to a point and turns the wheel by `distance` px."""

    def perform_scroll(page: Any) -> None:
        page.mouse.move(x, y)
        page.mouse.wheel(0, distance)

    return perform_scroll


def wait_for_selector(selector: str) -> Act:
    """Return an act that waits for an element."""
    return lambda page: page.locator(selector).first.wait_for()


def pause(ms: int) -> Act:
    """Return an act that waits for so many ms."""
    return lambda page: page.wait_for_timeout(ms)


def run_script(source: str) -> Act:
    """Return an act that evaluates JavaScript in the page."""
    return lambda page: page.evaluate(source)


def do_in_order(*acts: Act) -> Act:
    """Return an act that does several acts one after the other."""

    def perform_acts(page: Any) -> None:
        for act in acts:
            act(page)

    return perform_acts


def wait_until_ready(page: Any) -> None:
    """Wait until the page has set `window.ready`. Raises TimeoutError after 30 s."""
    for _ in range(600):
        if page.evaluate("window.ready === true"):
            return
        page.wait_for_timeout(50)
    raise TimeoutError("the page never set window.ready")
