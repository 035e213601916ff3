"""Serves a glaze book made with Datastar: each action is an event stream that its script reads with fetch."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

PAGE = """<!doctype html><title>Glazes</title><link rel=icon href="data:,">
<script type=module src="/npm/@starfederation/datastar/dist/datastar.js"></script>
<body data-signals="{name: '', count: 0}">
<h1>Glazes</h1><input data-bind="name" aria-label=Name> <button data-on-click="@post('/add')">Add</button>
<ul id=book></ul><p id=total data-text="$count + ' glazes'"></p>
<button data-on-click="@get('/mix')">Mix</button><div id=mix>nothing</div>
<button data-on-click="@post('/clear')">Clear</button>
<section data-on-load="@get('/live')"><p id=live>waiting</p></section></body>"""
book: list[str] = []
changed = asyncio.Event()


def format_fragment(html: str) -> str:
    """Return a server-sent event that replaces a part of the page."""
    return f"event: datastar-merge-fragments\ndata: fragments {html}\n\n"


def format_signals(**values: object) -> str:
    """Return a server-sent event that sets signals of the page."""
    return f"event: datastar-merge-signals\ndata: signals {json.dumps(values)}\n\n"


def make_stream(parts: AsyncIterator[str]) -> StreamingResponse:
    return StreamingResponse(parts, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})


def announce_change() -> None:
    """Wake all streams that wait for a change of the book."""
    global changed
    changed.set()
    changed = asyncio.Event()


def format_glaze_list() -> str:
    return format_fragment("<ul id=book>" + "".join(f"<li>{name}</li>" for name in book) + "</ul>")


async def home(_: Request) -> HTMLResponse:
    return HTMLResponse(PAGE)


async def add_glaze(request: Request) -> StreamingResponse:
    book.append(str((await request.json())["name"]))
    announce_change()

    async def iter_parts() -> AsyncIterator[str]:
        yield format_glaze_list()
        yield format_signals(name="", count=len(book))

    return make_stream(iter_parts())


async def clear_book(_: Request) -> StreamingResponse:
    book.clear()
    announce_change()

    async def iter_parts() -> AsyncIterator[str]:
        yield format_glaze_list()
        yield format_signals(count=0)

    return make_stream(iter_parts())


async def mix_glaze(_: Request) -> StreamingResponse:
    async def iter_parts() -> AsyncIterator[str]:
        for percent in range(0, 101, 20):
            yield format_fragment(f"<div id=mix>{percent} % mixed</div>")
            await asyncio.sleep(0.15)
        yield format_fragment("<div id=mix><b>ready</b></div>")

    return make_stream(iter_parts())


async def stream_count(_: Request) -> StreamingResponse:
    async def iter_parts() -> AsyncIterator[str]:
        while True:
            yield format_fragment(f"<p id=live>the book has {len(book)}</p>")
            await changed.wait()

    return make_stream(iter_parts())


app = Starlette(
    routes=[
        Route("/", home),
        Route("/add", add_glaze, methods=["POST"]),
        Route("/clear", clear_book, methods=["POST"]),
        Route("/mix", mix_glaze),
        Route("/live", stream_count),
        Mount("/npm", StaticFiles(directory=os.environ["MODULES"])),
    ]
)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", timeout_graceful_shutdown=1)
