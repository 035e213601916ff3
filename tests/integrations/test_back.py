"""Going back in a browser that something else launched: its pages come back from the back/forward cache as they were, and the recorder sees them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from pagereel.integrations import record_cdp
from pagereel.reel import PageModel, open_reel
from tests.recorder.support import Site, until

from .browsers import foreign_chromium
from .conftest import events_of

SHOWN = "<p id=shown></p><script>addEventListener('pageshow', (e) => { shown.textContent = e.persisted })</script>"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        site.html("/inner", "<h2>Inside</h2><input style='width: 100%; height: 99px'>")
        site.html("/two", "<title>two</title><h1>Two</h1>")
        frames = f"<iframe src=/inner></iframe><iframe src={site.url('/inner', 'localhost')}></iframe>"
        site.html("/one", f"<title>one</title><h1>One</h1><input id=field>{SHOWN}{frames}")
        yield site


@pytest.fixture
def address() -> Iterator[str]:
    with foreign_chromium("about:blank") as address:
        yield address


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        page = playwright.chromium.connect_over_cdp(address).contexts[0].pages[0]
        page.set_default_timeout(15_000)
        yield page


def go(page: Page, where: str, title: str) -> None:
    """Goes back or forward as a person does; the cache's pages fire no event that Playwright waits for."""
    page.evaluate(f"setTimeout(() => history.{where}(), 0)")
    until(page, lambda: page.title() == title)


def shown(reel: Path) -> tuple[str, dict[str, object]]:
    """The lines of the document that the page shows in the end, with those of the frames in it, and how it began."""
    model = PageModel()
    begun: dict[int, dict[str, object]] = {}
    with open_reel(reel) as opened:
        for event in opened.timeline():
            model.apply(event)
            if event["k"] == "document":
                begun[event["d"]] = event  # type: ignore[index]
    top = max(d for d, event in begun.items() if event["top"])
    frames = [d for d, document in model.documents.items() if (document.parent or (0, 0))[0] == top]
    return "".join(line for d in (top, *sorted(frames)) for line in model.documents[d].iter_canonical_lines()), begun[
        top
    ]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_page_that_comes_back_is_there_with_its_frames_of_any_origin(
    address: str, page: Page, site: Site, tmp_path: Path, host: str
) -> None:
    reel = tmp_path / "run.reel"
    with record_cdp(address, reel) as session:
        page.goto(site.url("/one"))
        page.fill("#field", "typed before")
        page.goto(site.url("/two", host))
        session.mark("two")  # What asks the frames of a page that lies in the cache throws it out.
        for turn in ("first", "second"):
            go(page, "back", "one")
            assert page.text_content("#shown") == "true"
            assert page.input_value("#field") == ("typed before" if turn == "first" else "typed first")
            page.fill("#field", f"typed {turn}")
            session.mark(turn)
            if turn == "first":
                go(page, "forward", "two")
        # Playwright's own frames are the ones from before.
        x, y = page.evaluate(
            "(({ x, bottom }) => [x + 60, bottom - 68])(document.querySelectorAll('iframe')[1].getBoundingClientRect())"
        )
        page.mouse.click(x, y)
        page.keyboard.type("typed within")
    lines, begun = shown(reel)
    assert "\x1evtyped second" in lines and lines.count("Inside") == 2 and "\x1evtyped within" in lines
    assert begun["url"] == site.url("/one") and begun["viewport"] != {"w": 0, "h": 0, "dpr": 1}
    checkpoints = events_of(reel, "checkpoint")
    assert checkpoints and all(c["equal"] for c in checkpoints)
    assert events_of(reel, "gap") == []


def test_a_page_that_lay_in_the_cache_when_the_recording_began_is_met_when_it_comes_back(
    address: str, page: Page, site: Site, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    site.html("/one", f"<title>one</title><h1>One</h1><input id=field>{SHOWN}<iframe src=/inner></iframe>")
    page.goto(site.url("/one"))
    page.goto(site.url("/two"))
    with record_cdp(address, reel) as session:
        go(page, "back", "one")
        assert page.text_content("#shown") == "true"
        page.fill("#field", "typed")
        session.mark("back")
    lines, begun = shown(reel)
    assert "\x1evtyped" in lines and "Inside" in lines and begun["url"] == site.url("/one")
    assert {(gap["reason"], gap["d"]) for gap in events_of(reel, "gap")} == {
        ("late", document["d"]) for document in events_of(reel, "document")[1:]
    }


def test_a_page_that_was_frozen_goes_on(address: str, page: Page, site: Site, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    with record_cdp(address, reel) as session:
        page.goto(site.url("/one"))
        session.mark("before")
        cdp = page.context.new_cdp_session(page)
        cdp.send("Page.enable")
        for state in ("frozen", "active"):
            cdp.send("Page.setWebLifecycleState", {"state": state})
        page.fill("#field", "typed after")
        session.mark("after")
    lines, _ = shown(reel)
    assert "\x1evtyped after" in lines and lines.count("Inside") == 2
    assert all(c["equal"] for c in events_of(reel, "checkpoint")) and events_of(reel, "gap") == []
