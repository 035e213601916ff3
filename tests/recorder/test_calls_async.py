"""Playwright's calls on the timeline, async API."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, expect

from pagereel.recorder import record
from pagereel.recorder.hooks import hook_choice as calls_finding

from . import calls_script
from .support import Recorded, Site
from .test_async import in_context

pytestmark = pytest.mark.usefixtures("no_sync_playwright")


@pytest.mark.parametrize("way", ["client", "classes"])
def test_calls_are_on_the_timeline(site: Site, reel: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "classes":
        monkeypatch.setattr(calls_finding, "_choose_hook", lambda connection: None)
    url = site.html("/calls", calls_script.PAGE)

    async def work(context: BrowserContext) -> None:
        async with record(context, reel) as session:
            await calls_script.drive(session, await context.new_page(), url, expect, calls_script.wait)

    in_context(work)
    recorded = Recorded(reel)
    recorded.whole("tree")
    calls_script.check(recorded, url)
    assert not calls_finding._hooks


def test_calls_side_by_side_keep_their_steps(site: Site, reel: Path) -> None:
    url = site.html("/calls", calls_script.PAGE)

    async def work(context: BrowserContext) -> None:
        async with record(context, reel) as session:

            async def visit(number: int) -> None:
                page = await context.new_page()
                async with session.step(f"visit {number}"):
                    await asyncio.gather(page.goto(f"{url}?{number}"), asyncio.sleep(0.01))
                    assert await page.title() == ""

            await asyncio.gather(*(visit(number) for number in range(4)))

    in_context(work)
    recorded = Recorded(reel)
    steps = {step["title"]: step["id"] for step in recorded.of("step")}
    gotos = {call["params"]["url"]: call for call in recorded.of("call", method="goto")}
    assert len(gotos) == 4 and len({call["page"] for call in gotos.values()}) == 4
    for number in range(4):
        assert gotos[f"{url}?{number}"]["step"] == steps[f"visit {number}"]


def test_a_cancelled_call_ends(site: Site, reel: Path) -> None:
    async def work(context: BrowserContext) -> None:
        async with record(context, reel):
            page = await context.new_page()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(page.evaluate("() => new Promise(() => {})"), 0.2)

    in_context(work)
    assert Recorded(reel).one("call", method="evaluate")["duration"] > 0, "without one, it would be under way still"
