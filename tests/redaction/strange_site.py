"""Serves the places on loopback, a dozen to a page, and records a visit to each."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from pagereel import record
from tests.redaction import strange_acts, strange_traffic, stranger_places  # noqa: F401 # They add to the list.
from tests.redaction.strange_places import PLACES, Answer, Place
from tests.redaction.strange_values import Value, value_of

A_PAGE = 12
SCRIPT = """(async () => {
const places = [%s];
for (const place of places) await Promise.race([place().catch(() => 0), new Promise(done => setTimeout(done, 1500))]);
document.documentElement.dataset.done = "1";
})();"""

Visit = list[tuple[Place, Value]]


def planted(seed: str) -> Visit:
    """All places, each with a value of its own."""
    return [(place, value_of(place.kind, random.Random(f"{seed} {place.name}"))) for place in PLACES]


def page_of(number: int, visit: Visit) -> str:
    head = "".join(value.write(place.head) for place, value in visit)
    body = "".join(f"<section>{value.write(place.markup)}</section>\n" for place, value in visit if place.markup)
    return f"<!doctype html><html><head><title>Desk {number}</title>{head}</head><body><h1>Desk</h1>{body}<script src=/js/{number}></script></body></html>"


def script_of(visit: Visit) -> str:
    made = [
        f"async () => {{ const at = new URL('/at/{place.name}', location.origin).href; {value.write(place.script)} }}"
        for place, value in visit
        if place.script
    ]
    return SCRIPT % ",\n".join(made)


def _headers(answer: Answer, value: Value) -> dict[str, str]:
    return {name: value.write(text) for name, text in answer.headers.items()}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers: dict[str, tuple[Answer, Value]]
    pages: dict[str, tuple[str, str]]

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path in self.pages:
            return self._say(Answer(self.pages[path][0], ""), None, self.pages[path][1].encode())
        found = self.answers.get("/".join(path.split("/")[:3]))
        if found is None:
            return self._say(Answer("text/html", "", status=404, reason="Not Found"), None, b"<p>nothing</p>")
        answer, value = found
        if answer.mime == "socket":
            return self._echo()
        body = answer.body(value) if callable(answer.body) else value.write(answer.body).encode()
        return self._say(answer, value, body)

    def _say(self, answer: Answer, value: Value | None, body: bytes) -> None:
        self.send_response(answer.status, value.write(answer.reason) if value else answer.reason)
        self.send_header("Content-Type", value.write(answer.mime) if value else answer.mime)
        for name, text in _headers(answer, value).items() if value else ():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def _echo(self) -> None:
        """Send one frame of a WebSocket back."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        accepted = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        for name, text in (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", accepted)):
            self.send_header(name, text)
        self.end_headers()
        first, length = self.rfile.read(2)
        mask = self.rfile.read(4)
        data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(self.rfile.read(length & 127)))
        self.wfile.write(bytes((first, len(data))) + data)
        self.close_connection = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self.do_GET
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(visits: list[Visit]) -> Iterator[str]:
    """Serve the pages; gives their address."""
    pages = {f"/p/{i}": ("text/html; charset=utf-8", page_of(i, visit)) for i, visit in enumerate(visits)}
    pages |= {f"/js/{i}": ("text/javascript; charset=utf-8", script_of(visit)) for i, visit in enumerate(visits)}
    answers = {f"/at/{place.name}": (place.answer, value) for visit in visits for place, value in visit if place.answer}
    handler = type("Handler", (_Handler,), {"answers": answers, "pages": pages})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign] # A browser that has left.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def recorded(browser: Browser, visit: Visit, reel: Path) -> None:
    """Record a visit to all these places."""
    visits = [visit[i : i + A_PAGE] for i in range(0, len(visit), A_PAGE)]
    context = browser.new_context()
    with served(visits) as at, record(context, reel, agent="stranger", world=True) as session:
        for number, places in enumerate(visits):
            page = context.new_page()
            page.on("dialog", lambda dialog: dialog.accept())
            page.goto(f"{at}/p/{number}")
            page.wait_for_selector("html[data-done]", state="attached", timeout=30_000)
            for place, value in places:
                if place.act:
                    place.act(session, page, value)
            page.close()
    context.close()
