"""Recordings of pages that are not ours: documentation in many languages, each page a run of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from bench.redaction.refusals import pages
from pagereel.browser import launch_options
from pagereel.fixtures.serving import App, Request, Response, Server
from pagereel.recorder import record


def recorded(folder: Path, count: int) -> Iterator[Path]:
    """Record up to `count` pages: each is opened and scrolled, in one step."""
    from playwright.sync_api import sync_playwright

    left_out: list[str] = []
    every = list(pages(left_out))[:count]
    with sync_playwright() as playwright, contextlib.closing(playwright.chromium.launch(**launch_options())) as browser:
        for number, (root, path) in enumerate(every):
            app = App()

            @app.route("GET", r"/(?P<path>.+)")
            def file(request: Request, root: Path = root) -> Response:
                return Response.file(root, request.args["path"])

            reel = folder / f"page{number:04}.reel"
            with (
                Server(app) as server,
                contextlib.closing(browser.new_context(viewport={"width": 1000, "height": 700})) as context,
                record(context, reel, agent="reader") as session,
            ):
                page = context.new_page()
                with session.step(f"Read page {number}"):
                    page.goto(f"{server.url}/{path}")
                    page.mouse.wheel(0, 600)
            yield reel
    for reason in left_out:
        print(f"left out: {reason}")
