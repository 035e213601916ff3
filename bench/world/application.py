"""What an application of the bench is: where it comes from, and what is done with it."""

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
    """One application. `acts` has an interaction for each mark, in their order; `loaded` waits until the first can begin."""

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
        """The application as a case of bench/fidelity."""
        return Case(
            self.name, self.kind, self.site, self.path, tuple(self.acts), lambda page, mark: self.acts[mark](page),
            settle=self.settle, context=self.context, loaded=self.loaded, version=self.version,
        )  # fmt: skip


def click(selector: str, number: int = 0, **options: Any) -> Act:
    return lambda page: page.locator(selector).nth(number).click(**options)


def text(words: str, number: int = 0, exact: bool = True) -> Act:
    return lambda page: page.get_by_text(words, exact=exact).nth(number).click()


def button(name: str, number: int = 0) -> Act:
    return lambda page: page.get_by_role("button", name=name).nth(number).click()


def fill(selector: str, words: str, number: int = 0) -> Act:
    return lambda page: page.locator(selector).nth(number).fill(words)


def write(words: str) -> Act:
    return lambda page: page.keyboard.type(words, delay=10)


def keys(*names: str) -> Act:
    return lambda page: [page.keyboard.press(name) for name in names]


def hover(selector: str, number: int = 0) -> Act:
    return lambda page: page.locator(selector).nth(number).hover()


def at(x: int, y: int, **options: Any) -> Act:
    return lambda page: page.mouse.click(x, y, **options)


def drag(left: int, top: int, right: int, bottom: int) -> Act:
    def do(page: Any) -> None:
        page.mouse.move(left, top)
        page.mouse.down()
        page.mouse.move((left + right) / 2, (top + bottom) / 2, steps=4)
        page.mouse.move(right, bottom, steps=4)
        page.mouse.up()

    return do


def wheel(x: int, y: int, down: int) -> Act:
    def do(page: Any) -> None:
        page.mouse.move(x, y)
        page.mouse.wheel(0, down)

    return do


def wait(selector: str) -> Act:
    return lambda page: page.locator(selector).first.wait_for()


def pause(ms: int) -> Act:
    return lambda page: page.wait_for_timeout(ms)


def script(source: str) -> Act:
    return lambda page: page.evaluate(source)


def then(*acts: Act) -> Act:
    def do(page: Any) -> None:
        for act in acts:
            act(page)

    return do


def ready(page: Any) -> None:
    """Waits for `window.ready`, which a page of ours sets when its application stands."""
    for _ in range(600):
        if page.evaluate("window.ready === true"):
            return
        page.wait_for_timeout(50)
    raise TimeoutError("the page never set window.ready")
