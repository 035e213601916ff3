"""Records pages of documentation in many languages, each as a run of its own, and keeps the recordings in the benches' cache."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from bench.fidelity.third_party_packages import get_cache_folder
from bench.redaction.gate_refusals import iter_test_pages
from pagereel.browser import launch_options
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.recorder import record

AT_ONCE = 4
"""Contexts of the browser: a page waits for its recorder's quiet more than it works."""


def record_pages(count: int) -> list[Path]:
    """Return recordings of up to `count` pages, each opened and scrolled in one step; recordings in the cache are used again."""
    left_out: list[str] = []
    every = list(iter_test_pages(left_out))[:count]
    for reason in left_out:
        print(f"left out: {reason}")
    kept = get_cache_folder() / "library-pages"
    kept.mkdir(exist_ok=True)
    reels = [kept / f"{_hash_page(root, path)}.reel" for root, path in every]
    missing = [number for number, reel in enumerate(reels) if not reel.exists()]
    if missing:
        asyncio.run(_record_missing(every, reels, missing))
    return reels


def _name_root(root: Path) -> str:
    return f"{root.parent.name}-{root.name}"


def _hash_page(root: Path, path: str) -> str:
    """Return a short hash of a page's name and content, which names its recording."""
    content = hashlib.sha256((root / path).read_bytes())
    content.update(f"{_name_root(root)}/{path}".encode())
    return content.hexdigest()[:16]


async def _record_missing(pages: Sequence[tuple[Path, str]], reels: Sequence[Path], missing: list[int]) -> None:
    """Record those pages whose numbers stand in `missing`, four at a time."""
    from playwright.async_api import Browser, async_playwright

    app = RoutingTable()

    roots = {_name_root(root): root for root, _ in pages}

    @app.route("GET", r"/(?P<root>[^/]+)/(?P<path>.+)")
    def serve_file(request: FixtureRequest) -> FixtureResponse:
        root = roots.get(request.args["root"])
        return FixtureResponse.file(root, request.args["path"]) if root is not None else FixtureResponse(status=404)

    todo = iter(missing)

    async def read_pages(browser: Browser, url: str) -> None:
        """Record one page after the other until none is left."""
        for number in todo:
            made = reels[number].with_suffix(".new")
            made.unlink(missing_ok=True)
            context = await browser.new_context(viewport={"width": 1000, "height": 700})
            async with record(context, made, agent="reader") as session:
                page = await context.new_page()
                async with session.step(f"Read page {number}"):
                    await page.goto(f"{url}/{_name_root(pages[number][0])}/{pages[number][1]}")
                    await page.mouse.wheel(0, 600)
            await context.close()
            made.replace(reels[number])

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(**launch_options())
        with LoopbackServer(app) as server:
            await asyncio.gather(*(read_pages(browser, server.url) for _ in range(AT_ONCE)))
        await browser.close()
