"""Serves a kiln's log made with htmx: server-sent events over an EventSource, and an answer that a script reads as it arrives."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

PAGE = """<!doctype html><title>Kiln</title><link rel=icon href="data:,">
<script src="/npm/htmx.org/dist/htmx.min.js"></script><script src="/npm/htmx-ext-sse/dist/sse.min.js"></script>
<h1>Kiln</h1>
<section hx-ext="sse" sse-connect="/log"><h2>Log</h2><ul id=log sse-swap="line" hx-swap="beforeend"></ul><p id=heat sse-swap="heat">cold</p></section>
<form hx-post="/note" hx-target="#noted" hx-on::after-request="this.reset()"><input name=note aria-label=Note><button>Note</button></form><p id=noted></p>
<button hx-post="/fire" hx-target="#state">Fire</button> <button hx-post="/cool" hx-target="#state">Cool</button><p id=state>idle</p>
<button id=ask>Ask</button> <button id=stop hidden>Stop</button><p id=answer></p>
<script>
const ask = document.getElementById("ask"), stop = document.getElementById("stop"), answer = document.getElementById("answer");
let leave;
ask.onclick = async () => {
  leave = new AbortController();
  stop.hidden = false;
  answer.textContent = "";
  try {
    const reader = (await fetch("/answer", { method: "POST", signal: leave.signal })).body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part; !(part = await reader.read()).done; ) answer.textContent += part.value;
    answer.textContent += " (all)";
  } catch (error) {
    answer.textContent += ` (${error.name})`;
  }
  stop.hidden = true;
};
stop.onclick = () => leave.abort();
</script>"""
listeners: set[asyncio.Queue[str]] = set()


def send_to_listeners(name: str, text: str) -> None:
    """Send a server-sent event to all open streams."""
    for queue in listeners:
        queue.put_nowait(f"event: {name}\ndata: {text}\n\n")


async def home(_: Request) -> HTMLResponse:
    return HTMLResponse(PAGE)


async def stream_log(_: Request) -> StreamingResponse:
    async def iter_lines() -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue()
        listeners.add(queue)
        try:
            yield "event: line\ndata: <li>The log begins.</li>\n\n"
            while True:
                yield await queue.get()
        finally:
            listeners.discard(queue)

    return StreamingResponse(iter_lines(), media_type="text/event-stream")


async def add_note(request: Request) -> HTMLResponse:
    said = str((await request.form())["note"])
    send_to_listeners("line", f"<li>Noted: {said}</li>")
    return HTMLResponse(f"{len(said)} letters")


async def start_firing(_: Request) -> HTMLResponse:
    async def heat_kiln() -> None:
        for degrees in range(200, 1300, 200):
            await asyncio.sleep(0.12)
            send_to_listeners("heat", f"{degrees} degrees")
        send_to_listeners("line", "<li>It is hot.</li>")

    burning.add(asyncio.create_task(heat_kiln()))
    return HTMLResponse("firing")


burning: set[asyncio.Task[None]] = set()


async def cool_kiln(_: Request) -> HTMLResponse:
    send_to_listeners("heat", "cold")
    send_to_listeners("line", "<li>It is cold.</li>")
    return HTMLResponse("idle")


async def stream_answer(_: Request) -> StreamingResponse:
    async def iter_words() -> AsyncIterator[str]:
        for word in ("Cool", "it", "slowly,", "then", "look", "at", "the", "foot."):
            yield f"{word} "
            await asyncio.sleep(0.4)

    return StreamingResponse(iter_words(), media_type="text/plain")


app = Starlette(
    routes=[
        Route("/", home),
        Route("/log", stream_log),
        Route("/note", add_note, methods=["POST"]),
        Route("/fire", start_firing, methods=["POST"]),
        Route("/cool", cool_kiln, methods=["POST"]),
        Route("/answer", stream_answer, methods=["POST"]),
        Mount("/npm", StaticFiles(directory=os.environ["MODULES"])),
    ]
)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", timeout_graceful_shutdown=1)
