"""Recording through Playwright's async API, over CDP."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, async_playwright

from pagereel.errors import UsageError
from pagereel.recorder import record

from .support import LAUNCH, Recorded, Site

pytestmark = pytest.mark.usefixtures("no_sync_playwright")


def in_context(work: Callable[[BrowserContext], Awaitable[None]]) -> None:
    async def main() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**LAUNCH)
            await work(await browser.new_context())
            await browser.close()

    asyncio.run(asyncio.wait_for(main(), 60))


def test_a_click_and_what_it_changes_are_in_the_reel(site: Site, reel: Path) -> None:
    url = site.html("/a", "<button onclick=\"document.body.append('sold')\">Buy</button><iframe src=/aframe></iframe>")
    site.html("/aframe", "<p>framed</p>")

    async def work(context: BrowserContext) -> None:
        async with record(context, reel) as session:
            page = await context.new_page()
            async with session.step("Buy it") as step:
                await page.goto(url)
                await page.click("button")
                step.outcome(success=True)
            moment = await session.mark("after")
            assert moment > 0
            await session.screenshot("seen", boxes=[[0, 0, 10, 10, "button"]], accessibility="- button: Buy")

    in_context(work)
    recorded = Recorded(reel)
    recorded.whole()
    assert "sold" in recorded.lines(url)
    assert recorded.one("embed")["parent"] == recorded.document(url)["d"]
    shot = recorded.one("screenshot")
    assert shot["page"] == 1 and recorded.of("resource", sha256=shot["body"])
    assert shot["attributes"] == {"accessibility": "- button: Buy"}
    mark = recorded.one("mark")
    assert any(abs(c["t"] - mark["t"]) < 1000 for c in recorded.of("checkpoint"))


def test_steps_nest_within_their_task(site: Site, reel: Path) -> None:
    async def work(context: BrowserContext) -> None:
        async with record(context, reel) as session:

            async def job(name: str) -> None:
                async with session.step(name):
                    await asyncio.sleep(0.01)
                    async with session.step(f"inside {name}"):
                        await asyncio.sleep(0.01)
                        session.note(f"note {name}")

            async with session.step("all"):
                await asyncio.gather(*(job(f"job {i}") for i in range(5)))

    in_context(work)
    recorded = Recorded(reel)
    steps = {e["title"]: e for e in recorded.of("step")}
    for i in range(5):
        assert steps[f"job {i}"]["parent"] == steps["all"]["id"]
        assert steps[f"inside job {i}"]["parent"] == steps[f"job {i}"]["id"]
        assert recorded.one("note", text=f"note job {i}")["step"] == steps[f"inside job {i}"]["id"]
    assert len(recorded.of("step_end")) == 11


def test_pages_side_by_side(site: Site, reel: Path) -> None:
    url = site.html("/side", "<p id=p></p>")

    async def work(context: BrowserContext) -> None:
        async with record(context, reel):

            async def visit(i: int) -> None:
                page = await context.new_page()
                await page.goto(f"{url}?{i}")
                await page.evaluate("i => { p.textContent = 'page ' + i }", i)

            await asyncio.gather(*(visit(i) for i in range(6)))

    in_context(work)
    recorded = Recorded(reel)
    recorded.whole()
    for i in range(6):
        assert f"page {i}" in recorded.lines(f"{url}?{i}")


def test_a_cancelled_block_is_sealed(site: Site, reel: Path) -> None:
    url = site.html("/cancel", "<p>long</p>")

    async def work(context: BrowserContext) -> None:
        thinking = asyncio.Event()

        async def agent() -> None:
            async with record(context, reel):
                page = await context.new_page()
                await page.goto(url)
                thinking.set()
                await asyncio.sleep(60)

        task = asyncio.create_task(agent())
        await thinking.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    in_context(work)
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.one("end")["reason"] == "error"


def test_with_instead_of_async_with_says_what_to_write(site: Site, reel: Path) -> None:
    async def work(context: BrowserContext) -> None:
        with pytest.raises(UsageError, match="async with"), record(context, reel):
            pass

    in_context(work)
    assert not reel.exists()
