"""Reads ARIA snapshots and locators at given times from a recording's replay, in a headless browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from pagereel.errors import BuildError, SetupError, UsageError
from pagereel.integrations.replay_browser import PATIENCE, SEEK, open_replay_page

from .literals import find_by_locator, to_literal

MOST: Final = 3
"""Largest number of lines of a page that are checked at the end of a step."""
_TELLING: Final = re.compile(r'^\s*- (heading|alert|dialog|alertdialog)\b(?: "((?:[^"\\]|\\.)*)")?( \[level=\d\])?:?$')
_NUMBER: Final = re.compile(r"\d")

_FIND: Final = """([path, name]) => {
  let node = window.pagereel.frame.contentDocument;
  for (const step of path) {
    if (step === 'shadow') node = node.shadowRoot;
    else if (step === 'frame') node = node.contentDocument;
    else node = node.childNodes[step];
    if (!node) return false;
  }
  for (; node && node.nodeType !== 1; node = node.parentNode);
  if (!node) return false;
  node.setAttribute(name, '');
  window.pagereelPicked = node;
  return true;
}"""
_FORGET: Final = "(mark) => { window.pagereelPicked?.removeAttribute(mark); delete window.pagereelPicked; }"
_CHOSEN: Final = "(select) => select.selectedOptions && [...select.selectedOptions].map((option) => option.index)"
_LOOK: Final = 1_000
"""Ms that an element may take to be found: the replay stands still."""
_PICKED: Final = "data-pagereel-picked"


class ReplayInspector:
    """A recording's replay in a headless browser, of which ARIA snapshots and locators are read.

    It opens on first use.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = ExitStack()
        self._page: Any = None
        self._shown = 0
        self._number = 0
        self.why = ""
        """Why the replay cannot be opened; "" while it can."""

    def __enter__(self) -> ReplayInspector:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    def read_aria_lines(self, t: float, page: int, is_stand_in: Callable[[str], bool] = lambda _: False) -> list[str]:
        """Return the headings, dialogs and alerts that a page showed at `t` ms, as Python literals of ARIA snapshot
        lines.

        Lines with digits or stand-ins are left out, because they differ in the next run.
        """
        frame = self.open_page_iframe_at(t, page)
        if frame is None:
            return []
        from playwright.sync_api import Error

        try:
            lines = frame.locator("body").aria_snapshot(timeout=PATIENCE).splitlines()
        except Error:
            return []
        found: list[str] = []
        for line in lines:
            match = _TELLING.match(line)
            if (
                match
                and match[2]
                and not _NUMBER.search(match[2])
                and len(match[2]) <= 80
                and not is_stand_in(_unescape_aria_text(match[2]))
            ):
                found.append(to_literal(f'- {match[1]} "{match[2]}"{match[3] or ""}'))
        return list(dict.fromkeys(found))[:MOST]

    def read_selected_options(self, t: float, page: int, code: str) -> list[int] | None:
        """Return the indexes of the selected options of a `<select>` at `t` ms, found by the locator `code`; None if it
        is not found.
        """
        frame = self.open_page_iframe_at(t, page)
        if frame is None:
            return None
        from playwright.sync_api import Error

        try:
            places: list[int] | None = find_by_locator(frame, code).evaluate(_CHOSEN, timeout=_LOOK)
        except Error:
            return None
        return places or None

    def find_best_locator(self, t: float, page: int, path: list[int | str]) -> str | None:
        """Return the locator that Playwright recommends for an element at `t` ms, as code; None if the element is not
        found.

        `path`: the way from the page's document to the element. It consists of indexes of children, and of ``shadow``
        or ``frame`` where it enters a shadow root or an iframe.
        """
        frame = self.open_page_iframe_at(t, page)
        if frame is None:
            return None
        from playwright.sync_api import Error

        ways = [path[:index] for index, step in enumerate(path) if step == "frame"]
        try:
            for way in ways:
                with self._mark_element(way) as picked:
                    frame = frame.locator(picked).element_handle(timeout=PATIENCE).content_frame()
            with self._mark_element(path) as picked:
                text = str(frame.locator(picked).normalize())
        except (Error, AttributeError, LookupError):
            return None
        return text.partition(".content_frame.")[2] or None  # the first frame is the player's own

    @contextmanager
    def _mark_element(self, path: list[int | str]) -> Iterator[str]:
        """Set a temporary attribute on the element at the end of `path`, and yield a selector for it.

        :raises LookupError: there is no such element.
        """
        self._number += 1
        mark = f"{_PICKED}-{self._number}"
        if not self._page.evaluate(_FIND, [path, mark]):
            raise LookupError(mark)
        try:
            yield f"[{mark}]"
        finally:
            self._page.evaluate(_FORGET, mark)

    def open_page_iframe_at(self, t: float, page: int) -> Any:
        """Seek the replay to `t` ms, and return the iframe that shows a page, as Playwright's frame.

        None: the replay cannot be opened, or does not show the page at that time.
        """
        if self.why:
            return None
        from playwright.sync_api import Error

        try:
            if self._page is None:
                self._page = self._stack.enter_context(open_replay_page(self._path))
            if page != self._shown:
                self._page.evaluate("(page) => window.pagereel.show(page)", page)
                self._shown = page
            self._page.evaluate(SEEK, t)
            shown = self._page.evaluate_handle("window.pagereel.frame").as_element()
            return shown.content_frame() if shown is not None else None
        except (BuildError, SetupError, UsageError) as error:
            self.why = str(error)
        except Error as error:
            if self._page is None:
                self.why = f"The replay could not be looked at: {error.message.splitlines()[0]}"
        return None


def _unescape_aria_text(quoted: str) -> str:
    """Return a quoted name of an ARIA snapshot without its backslash escapes."""
    return re.sub(r"\\(.)", r"\1", quoted)
