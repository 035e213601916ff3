"""Line 6: a page that breaks every native and calls every global neither disturbs the recording nor sees the recorder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Error as PlaywrightError

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.recorder import record

from .support import at_marks, canonical, difference, whole

SABOTEUR = (Path(__file__).parent / "saboteur.js").read_text(encoding="utf-8")
HEAD = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'>"
BODY = (
    "<style>p { color: green }</style><p>{name}</p><input aria-label=Field><button>go</button><div id=stage></div>"
    "<div><template shadowrootmode=open><b>in the shadow</b></template></div><script src=/saboteur.js></script>"
)


@dataclass
class Outcome:
    """What an agent's script got of each call: values, and the first lines of errors."""

    results: list[object]
    looks: dict[str, tuple[list[str], list[str]]]
    """Frame → what its script saw at first, and after the agent had used the page."""


@contextmanager
def site() -> Iterator[str]:
    """The address of a page with three frames: of its origin, of another site, and without an address."""
    app, other = RoutingTable(), RoutingTable()
    for served in (app, other):

        @served.route("GET", r"/saboteur\.js")
        def script(request: FixtureRequest) -> FixtureResponse:
            return FixtureResponse(SABOTEUR.encode(), "text/javascript")

        @served.route("GET", r"/(?P<name>inner|far)")
        def inner(request: FixtureRequest) -> FixtureResponse:
            return FixtureResponse.html(HEAD + BODY.replace("{name}", request.args["name"]))

    with LoopbackServer(app) as near, LoopbackServer(other, host="localhost") as far:

        @app.route("GET", "/")
        def page(request: FixtureRequest) -> FixtureResponse:
            frames = (
                f"<iframe src='/inner'></iframe><iframe src='{far.url}/far'></iframe>"
                f'<iframe srcdoc="{(HEAD + BODY.replace("{name}", "srcdoc")).replace(chr(34), "&quot;")}"></iframe>'
            )
            # The script looks before the parser goes on: whether a frame had loaded by then would be chance.
            return FixtureResponse.html(HEAD + BODY.replace("{name}", "main") + frames)

        yield near.url + "/"


def attempt(results: list[object], call: Callable[[], object]) -> None:
    try:
        results.append(call())
    except PlaywrightError as error:
        results.append(str(error).splitlines()[0])


def agent(context: BrowserContext, url: str, mark: Callable[[str], object], *, breaks: bool = True) -> Outcome:
    """Uses every frame, looks around in it, breaks it, and uses it again."""
    context.set_default_timeout(10_000)
    results: list[object] = []
    page = context.new_page()
    page.goto(url, wait_until="load")
    frames = sorted(page.frames, key=lambda frame: frame.locator("p").first.inner_text())
    looks = {}
    for frame in frames:
        name = frame.locator("p").first.inner_text()
        frame.locator("input").fill("before")
        frame.locator("button").click()
        looks[name] = (frame.evaluate("window.first"), frame.evaluate("window.look()"))
    mark("looked around")
    if not breaks:
        return Outcome(results, looks)
    for frame in frames:
        attempt(results, lambda frame=frame: frame.evaluate("window.sabotage()"))
        attempt(results, lambda frame=frame: frame.locator("button").get_attribute("title"))
        attempt(results, lambda frame=frame: frame.locator("button").click())
        attempt(results, lambda frame=frame: frame.locator("p[title=clicked]").wait_for())
        attempt(results, lambda frame=frame: frame.locator("input").fill("after"))
        attempt(results, lambda frame=frame: frame.locator("input").input_value())
        attempt(results, lambda frame=frame: frame.evaluate("'still here'"))
    mark("all broken")
    attempt(results, lambda: page.locator("body").inner_text())
    attempt(results, page.content)
    return Outcome(results, looks)


@dataclass
class Runs:
    plain: Outcome
    recorded: Outcome
    seen_by_fallback: Outcome
    reel: Path


@pytest.fixture(scope="module")
def runs(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    reel = tmp_path_factory.mktemp("hostile") / "run.reel"
    outcomes: list[Outcome] = []
    with site() as url:
        context = browser.new_context()
        outcomes.append(agent(context, url, lambda name: None))
        context.close()
        context = browser.new_context()
        with record(context, reel) as session:
            outcomes.append(agent(context, url, session.mark))
        context.close()
        context = browser.new_context()
        with record(context, reel.with_name("fallback.reel"), transport="binding") as session:
            # Garbage in its binding would take Playwright's driver down: why it is the fallback.
            outcomes.append(agent(context, url, session.mark, breaks=False))
        context.close()
    return Runs(*outcomes, reel)


@pytest.mark.slow
def test_the_agents_script_ends_as_without_the_recorder(runs: Runs) -> None:
    assert runs.plain.results.count("called true") == 4, "every frame was broken: this test can fail"
    assert runs.plain.results.count("after") == 4
    assert runs.recorded.results == runs.plain.results


@pytest.mark.parametrize("frame", ["main", "inner", "far", "srcdoc"])
@pytest.mark.parametrize("when", [0, 1], ids=["at first", "after use"])
def test_the_page_sees_no_trace(runs: Runs, frame: str, when: int) -> None:
    expected, found = runs.plain.looks[frame][when], runs.recorded.looks[frame][when]
    assert len(expected) > 5000, "it looks closely"
    assert difference("\n".join(expected), "\n".join(found)) == ""


def test_who_looks_would_see_a_recorder_in_the_pages_own_world(runs: Runs) -> None:
    """The control: the fallback works with functions of the page's world."""
    assert runs.seen_by_fallback.looks["main"] != runs.plain.looks["main"]


def test_the_recording_is_whole(runs: Runs) -> None:
    # A frame that keeps its first window, or has a process of its own, may be met late: the reel says so, nothing is lost.
    assert whole(runs.reel, excused=frozenset({"late"})) >= 8


def test_what_happened_after_the_sabotage_is_recorded(runs: Runs) -> None:
    def look(model: Any) -> list[str]:
        return [line for document in model.documents.values() for line in canonical(document)]

    lines = at_marks(runs.reel, look)["all broken"]
    assert sum("title=clicked" in line for line in lines) == 4
    assert sum("\x1evafter" in line for line in lines) == 4
