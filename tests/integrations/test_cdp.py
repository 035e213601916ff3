"""Recording a browser that something else drives: what it drove is in the reel, and it noticed nothing."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from pagereel.errors import UsageError
from pagereel.integrations import record_cdp
from pagereel.reel import PageModel, open_reel

from .browsers import foreign_chromium
from .conftest import events_of

OPEN = "data:text/html,<!doctype html><title>open</title><h1>Was here before</h1>"
NEXT = "data:text/html,<!doctype html><title>next</title><button onclick=\"this.textContent='pressed'\">press</button>"


def lines_of(reel: Path) -> str:
    """The canonical lines of every document, as they were in the end."""
    model = PageModel()
    with open_reel(reel) as opened:
        for event in opened.timeline():
            model.apply(event)
    return "\n".join("".join(document.iter_canonical_lines()) for document in model.documents.values())


def test_open_tabs_and_new_ones_are_recorded_while_the_driver_blocks(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    with foreign_chromium(OPEN) as address, sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(address)
        context = browser.contexts[0]
        before = [page.url for page in context.pages]
        with record_cdp(address, reel, agent="driver") as session:
            assert session.is_connected
            with session.step("Press", reasoning="There is nothing else"):
                page = context.new_page()
                page.goto(NEXT)
                page.click("button")
                assert page.inner_text("button") == "pressed"
            assert session.mark("pressed") > 0
            assert session.screenshot("seen", dom="<button>") > 0
            call = session.tool_call("look")
            session.tool_result(call, "seen")
        assert [page.url for page in context.pages] == [*before, NEXT]
        assert page.evaluate("1 + 1") == 2 and browser.is_connected()
        session.stop()
    lines = lines_of(reel)
    assert "Was here before" in lines and "pressed" in lines
    with open_reel(reel) as opened:
        assert opened.sealed and opened.header["agent"] == "driver"
    checkpoints = events_of(reel, "checkpoint")
    assert checkpoints and all(c["equal"] for c in checkpoints)
    assert [e["title"] for e in events_of(reel, "step")] == ["Press"]
    assert [e["name"] for e in events_of(reel, "mark")] == ["pressed"]
    assert len(events_of(reel, "screenshot")) == len(events_of(reel, "tool_result")) == 1
    assert {e["event"] for e in events_of(reel, "page")} == {"open"}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("pagereel")]


def test_the_driver_sees_no_difference(tmp_path: Path) -> None:
    """Playwright's own defaults (focus, media, downloads) are not laid over a foreign browser."""
    ask = "[document.hasFocus(), matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, navigator.webdriver]"
    with foreign_chromium(OPEN) as address, sync_playwright() as playwright:
        options = {"no_defaults": True}
        try:
            browser = playwright.chromium.connect_over_cdp(address, **options)  # type: ignore[arg-type]
        except TypeError:
            pytest.skip("this Playwright has no no_defaults")
        page = browser.contexts[0].pages[0]
        before = page.evaluate(ask)
        with record_cdp(address, tmp_path / "run.reel"):
            assert page.evaluate(ask) == before
        assert page.evaluate(ask) == before


def test_a_browser_that_goes_ends_the_wait_and_the_reel_is_sealed(tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"

    async def run(address: str) -> None:
        async with record_cdp(address, reel) as session:
            stopper.set()
            assert await asyncio.to_thread(session.wait, 20)

    stopper, ended = threading.Event(), threading.Event()
    with foreign_chromium(OPEN) as address:
        thread = threading.Thread(target=lambda: (asyncio.run(run(address)), ended.set()))
        thread.start()
        assert stopper.wait(30)
    assert ended.wait(40)
    with open_reel(reel) as opened:
        assert opened.sealed
    assert "Was here before" in lines_of(reel)


def test_a_wrong_address_is_said(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(UsageError, match=r"No browser answers at http://127\.0\.0\.1:9 .*remote-debugging-port"):
        record_cdp("http://127.0.0.1:9", tmp_path / "run.reel").start()
    assert time.monotonic() - began < 40
    assert not (tmp_path / "run.reel").exists()
