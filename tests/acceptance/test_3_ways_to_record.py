"""Line 3: the sync API, the async API and the fallback transport record the same pages the same."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import Browser

from pagereel.fixtures.agent import await_if_needed
from pagereel.fixtures.trap_pages import DRIVE, find_trap_page
from pagereel.fixtures.trap_site import TrapSite
from pagereel.recorder import record
from pagereel.reel import PageModel

from .support import LAUNCH, at_marks, canonical, difference, whole

pytestmark = pytest.mark.slow
"""Whole runs: what tests/recorder/test_transports.py and test_async.py say of a page each."""

PAGES = ("forms", "moves", "shadow", "foreign", "layers", "scrollers", "cssom")
"""Trap pages that end alike in every run, whatever the time: what differs between recordings is the recorder's doing."""


async def errand(session: Any, page: Any, site: TrapSite) -> None:
    """One script for both APIs: all traps, and what a person does to a form."""
    for name in PAGES:
        trap = find_trap_page(name)
        await await_if_needed(page.goto(site.url + trap.path))
        await await_if_needed(session.mark(f"{name}: loaded"))
        for mark in trap.marks:
            await await_if_needed(page.evaluate(DRIVE, mark))
            await await_if_needed(session.mark(f"{name}: {mark}"))
    await await_if_needed(page.goto(site.url + find_trap_page("forms").path))
    await await_if_needed(page.locator("input[name=text]").fill("typed"))
    await await_if_needed(page.keyboard.press("Tab"))
    await await_if_needed(page.keyboard.type("and typed on"))
    await await_if_needed(session.mark("typed"))


def in_sync(browser: Browser, reel: Path, site: TrapSite) -> None:
    context = browser.new_context()
    with record(context, reel) as session:
        script = errand(session, context.new_page(), site)
        with pytest.raises(StopIteration):
            script.send(None)
    context.close()


async def in_async(reel: Path, site: TrapSite, **options: Any) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**LAUNCH)
        context = await browser.new_context()
        async with record(context, reel, **options) as session:
            await errand(session, await context.new_page(), site)
        await browser.close()


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Do the work meanwhile, in a thread of its own: the sync API's event loop occupies this one."""
    failure: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        thread.join(150)
    assert not thread.is_alive()
    if failure:
        raise failure[0]


def look(model: PageModel, *, closed: bool) -> str:
    """Everything that the tab shows, frames with it. Blob addresses are random in every run."""
    tab = model.pages[1].document
    lines: list[str] = []
    shown = [tab]
    for document in shown:
        assert document is not None
        lines += [f"document {len(shown)}", *canonical(model.documents[document], closed=closed)]
        inside = [d for d, other in model.documents.items() if (other.parent or (0, 0))[0] == document]
        live = {node.id for node in model.documents[document].walk()}
        shown += [d for d in inside if model.documents[d].parent[1] in live]  # type: ignore[index]
    return re.sub(r"blob:http[^ \x1f]+", "blob:", "\n".join(lines))


@pytest.fixture(scope="module")
def recordings(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("ways")
    reels = {way: folder / f"{way}.reel" for way in ("sync", "async", "binding")}

    async def both(site: TrapSite) -> None:
        await asyncio.gather(in_async(reels["async"], site), in_async(reels["binding"], site, transport="binding"))

    with TrapSite() as site, beside(lambda: asyncio.run(both(site))):
        in_sync(browser, reels["sync"], site)
    return reels


@pytest.mark.parametrize("way", ["sync", "async", "binding"])
def test_each_way_records_the_pages_whole(recordings: dict[str, Path], way: str) -> None:
    assert whole(recordings[way], excused=frozenset({"late"})) > len(PAGES)


@pytest.mark.parametrize("way", ["async", "binding"])
def test_at_every_mark_the_page_model_is_the_one_of_the_sync_api(recordings: dict[str, Path], way: str) -> None:
    # No script of a page's own world can see into a closed shadow root, and the fallback is one.
    closed = way != "binding"
    expected, found = (at_marks(recordings[each], partial(look, closed=closed)) for each in ("sync", way))
    assert list(found) == list(expected) and len(found) > 60
    assert len(set(expected.values())) > 50, "the marks show different things, else this would prove nothing"
    wrong = {mark: difference(expected[mark], found[mark]) for mark in expected if expected[mark] != found[mark]}
    assert not wrong, (
        "\n\n".join(f"{mark}: {what}" for mark, what in list(wrong.items())[:4]) + f"\n({len(wrong)} marks)"
    )
