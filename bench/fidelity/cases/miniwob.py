"""Cases from MiniWoB++ (PyPI `miniwob`, MIT): small tasks that agents are trained on, with a fixed seed and without their countdown."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable

from ..case import Case, ServedSite
from ..third_party_packages import unpack_pypi_package

PACKAGE = "miniwob==1.1.0"

# No countdown: what it shows differs from run to run.
BEGIN = """() => {
  core.EPISODE_MAX_TIME = 1e8;
  core.countdownTimer = () => {};
  Math.seedrandom("pagereel");
  core.startEpisodeReal();
}"""

Act = Callable[[Any], object]


def _do_all(*acts: Act) -> Act:
    """Return an act that does several acts one after the other."""

    def perform_acts(page: Any) -> None:
        for act in acts:
            act(page)

    return perform_acts


def _click(selector: str, number: int = 0) -> Act:
    return lambda page: page.locator(selector).nth(number).click()


def _press(key: str) -> Act:
    return lambda page: page.keyboard.press(key)


def _fill(selector: str, text: str, number: int = 0) -> Act:
    return lambda page: page.locator(selector).nth(number).fill(text)


def _type(selector: str, text: str) -> Act:
    return lambda page: page.locator(selector).first.press_sequentially(text)


TASKS: dict[str, tuple[Act, Act]] = {
    "book-flight": (
        _do_all(
            _type("#flight-from", "ANC"),
            _click(".ui-menu-item:visible"),
            _type("#flight-to", "Bir"),
            _click(".ui-menu-item:visible"),
        ),
        _click("#datepicker"),
    ),
    "choose-date": (_click("#datepicker"), _do_all(_click(".ui-datepicker-prev"), _click(".ui-state-default", 11))),
    "click-checkboxes": (_click("#boxes input"), _do_all(_click("#boxes input", 1), _click("#boxes input"))),
    "click-collapsible-2": (_click(".ui-accordion-header"), _click(".ui-accordion-header", 1)),
    "click-tab-2": (_click(".ui-tabs-anchor", 1), _click(".ui-tabs-anchor", 2)),
    "drag-items": (
        lambda page: page.locator("#sortable li").first.drag_to(page.locator("#sortable li").nth(3)),
        _press("Escape"),
    ),
    "email-inbox": (_click(".email-thread", 1), _do_all(_click(".email-reply"), _fill("textarea", "Yes, at noon."))),
    "enter-text": (_fill("#tt", "kiln"), _do_all(_click("#tt"), _press("Control+a"))),
    "search-engine": (_do_all(_fill("#search-text", "Ada"), _click("#search")), _click("#pagination a:visible", 1)),
    "social-media": (_click(".more"), _click(".like", 1)),
    "terminal": (
        lambda page: page.keyboard.type("ls"),
        _do_all(_press("Enter"), lambda page: page.keyboard.type("rm x")),
    ),
    "text-editor": (_do_all(_click(".ql-editor"), _press("Control+a")), _click(".ql-bold")),
    "tic-tac-toe": (_click("#ttt-0"), lambda page: page.locator("#area").hover()),
    "use-autocomplete": (_type("#tags", "Au"), _do_all(_press("ArrowDown"), _press("ArrowDown"))),
    "use-slider": (_click(".ui-slider-handle"), _do_all(*[_press("ArrowRight")] * 6)),
}


def iter_cases() -> Iterator[Case]:
    for name in TASKS:
        act = functools.partial(_perform_task, name)
        path = f"/miniwob/{name}.html"
        yield Case(f"miniwob {name}", "miniwob", _serve_site, path, ("begun", "one", "two"), act, version=PACKAGE)


def _perform_task(name: str, page: Any, mark: str) -> None:
    """Begin a task at the mark `begun`, else do the act that leads to the mark."""
    if mark == "begun":
        page.evaluate(BEGIN)
    else:
        TASKS[name][mark == "two"](page)


@contextlib.contextmanager
def _serve_site() -> Iterator[ServedSite]:
    folder = unpack_pypi_package(PACKAGE) / "miniwob" / "html"
    app = RoutingTable()

    @app.route("GET", r"/(?P<path>[A-Za-z0-9._/ -]+)")
    def serve_file(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(folder, request.args["path"])

    with LoopbackServer(app) as server:
        yield server
