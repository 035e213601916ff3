"""`route_from_reel`: a run made again from its recording, with the server off."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect
from websockets.sync.server import ServerConnection, serve

from pagereel import build, compare, record, redact, route_from_reel
from pagereel.browser import launch_options
from pagereel.errors import UsageError
from pagereel.integrations.recorded_routing import WorldWarning
from pagereel.reel import open_reel

HOME = """<!doctype html><title>Till</title><link rel=stylesheet href=/look.css><h1>Till</h1>
<p id=total></p><p id=live></p><p id=stream></p><p id=cookie></p><img src=/dot.png>
<button id=add>Add</button> <a id=out href=/old>Old</a> <form method=post action=/pay><button id=pay name=amount value=12>Pay</button></form>
<script src=/app.js></script>"""
APP = """
const show = (id, text) => { document.getElementById(id).textContent = text; };
const total = async () => {
  const answer = await fetch("/total?at=" + Date.now(), { method: "POST", body: JSON.stringify({ nonce: Math.random(), room: 7 }) });
  show("total", (await answer.json()).total);
};
document.getElementById("add").onclick = total;
total();
const socket = new WebSocket("ws://127.0.0.1:PORT/live");
socket.binaryType = "arraybuffer";
const heard = [];
socket.onopen = () => { socket.send(JSON.stringify({ id: Date.now(), ask: "price" })); socket.send(new Uint8Array([7])); };
socket.onmessage = (e) => { heard.push(typeof e.data === "string" ? e.data : e.data.byteLength); show("live", heard.join(" ")); };
const told = [];
const stream = new EventSource("/stream");
stream.addEventListener("tick", (e) => { told.push(e.data); show("stream", told.join(" ")); });
stream.onerror = () => show("stream", "lost");
show("cookie", document.cookie);
"""
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cf50070003810180a5fa3bd80000000049454e44ae426082"
)


class Till:
    """A small shop with everything that goes over a network, until it is switched off."""

    def __init__(self) -> None:
        self.totals = 0
        till = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/old":
                    self.answer(302, b"", location="/between")
                elif self.path == "/between":
                    self.answer(307, b"", location="/new?from=old")
                elif self.path == "/moved":
                    self.answer(301, b"", location="/app.js")
                elif self.path == "/to-part":
                    self.answer(302, b"", location="/paid#part")
                elif self.path == "/stream":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.end_headers()
                    for n in (1, 2):
                        self.wfile.write(f"event: tick\ndata: {n}\n\n".encode())
                        self.wfile.flush()
                    till.off.wait()
                elif self.path == "/look.css":
                    self.answer(200, b"h1 { color: rgb(1, 2, 3) }", "text/css")
                elif self.path == "/app.js":
                    self.answer(200, APP.replace("PORT", str(till.live)).encode(), "text/javascript")
                elif self.path == "/dot.png":
                    self.answer(200, DOT, "image/png")
                elif self.path == "/":
                    self.answer(200, HOME.encode(), "text/html", set_cookie="till=blue; Path=/")
                else:
                    self.answer(200, f"<title>{self.path}</title><h1>Went to {self.path}</h1>".encode(), "text/html")

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/pay":
                    self.answer(303, b"", location="/paid", set_cookie="paid=yes; Path=/")
                else:
                    till.totals += 1
                    self.answer(200, json.dumps({"total": 10 * till.totals}).encode(), "application/json")

            def answer(self, status: int, body: bytes, kind: str = "text/plain", **headers: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.off = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign] # A browser that has left.
        self.sockets = serve(self.talk, "127.0.0.1", 0)
        self.live = self.sockets.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        for serving in (self.server, self.sockets):
            threading.Thread(target=serving.serve_forever, daemon=True).start()

    def talk(self, connection: ServerConnection) -> None:
        connection.send("welcome")
        for message in connection:
            connection.send(bytes(3) if isinstance(message, bytes) else '{"price": 12.5}')

    def switch_off(self) -> None:
        if not self.off.is_set():
            self.off.set()
            self.server.shutdown()
            self.server.server_close()
            self.sockets.shutdown()


@pytest.fixture
def till() -> Iterator[Till]:
    till = Till()
    yield till
    till.switch_off()


def visit(page: Page, url: str) -> list[str]:
    """What a person sees at the end of each step."""
    seen = []
    page.goto(url)
    expect(page.locator("#total")).to_have_text("10")
    page.click("#add")
    expect(page.locator("#total")).to_have_text("20")
    expect(page.locator("#live")).to_have_text('welcome {"price": 12.5} 3')
    expect(page.locator("#stream")).to_have_text("1 2")
    expect(page.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
    seen += [page.inner_text("body"), str(page.evaluate("document.images[0].naturalWidth"))]
    page.click("#out")
    expect(page.locator("h1")).to_have_text("Went to /new?from=old")
    seen.append(page.url)
    page.go_back()
    page.click("#pay")
    expect(page.locator("h1")).to_have_text("Went to /paid")
    # The page leaves only when the answer has come to its end: else the recording may have a request without one.
    seen.append(str(page.evaluate("fetch('/moved').then((answer) => answer.text().then(() => answer.status))")))
    page.evaluate("location.href = '/to-part'")
    page.wait_for_url("**/paid#part")
    return [*seen, page.url, str(page.evaluate("document.cookie"))]


@pytest.fixture
def recording(recorded_context: BrowserContext, till: Till, tmp_path: Path) -> tuple[Path, list[str]]:
    """A run with everything kept, and what was seen in it; the shop is off now."""
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        seen = visit(recorded_context.new_page(), till.url)
    till.switch_off()
    return reel, seen


def test_a_run_is_made_again_with_the_server_off(
    chromium: Browser, till: Till, recording: tuple[Path, list[str]], tmp_path: Path
) -> None:
    reel, seen = recording
    again = chromium.new_context()
    served = route_from_reel(again, reel)
    with record(again, tmp_path / "again.reel"):
        assert visit(again.new_page(), till.url) == seen
    assert (
        compare(reel, tmp_path / "again.reel", redaction=None).failed("network") == []
    )  # Redirects are among what is compared.
    assert [miss.url for miss in served.unmatched] == []
    assert len(served.served) >= 12 and served.served[0].url == till.url
    page = again.new_page()
    with (
        pytest.warns(WorldWarning, match=r"has no answer to GET .*/unknown: it was not made"),
        pytest.raises(Error, match="ERR_CONNECTION_REFUSED"),
    ):
        page.goto(f"{till.url}unknown")
    assert served.unmatched[-1].url == f"{till.url}unknown"
    again.close()


def test_the_async_api_and_the_network_as_the_way_out(till: Till, recording: tuple[Path, list[str]]) -> None:
    reel, _ = recording

    async def run() -> tuple[str, list[str]]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**launch_options())
            context = await browser.new_context()
            await context.route("**/beside", lambda route: route.fulfill(body="another route's"))
            served = await route_from_reel(context, reel, unmatched="network")
            page = await context.new_page()
            await page.goto(till.url)
            await page.wait_for_function("document.querySelector('#live').textContent.endsWith('3')")
            text = await page.evaluate("fetch('/beside').then((answer) => answer.text())")
            await browser.close()
            return text, [miss.url for miss in served.unmatched]

    with pytest.warns(WorldWarning), ThreadPoolExecutor(1) as beside:  # Here the sync API's own loop runs.
        text, missed = beside.submit(asyncio.run, run()).result()
    assert text == "another route's" and missed == [f"{till.url}beside"]


def test_what_a_recording_lacks_is_said_with_the_option_that_keeps_it(
    chromium: Browser, recorded_context: BrowserContext, till: Till, tmp_path: Path
) -> None:
    reel = tmp_path / "plain.reel"
    with record(recorded_context, reel):
        page = recorded_context.new_page()
        page.goto(till.url)
        expect(page.locator("#total")).to_have_text("10")
    till.switch_off()
    again = chromium.new_context()
    served = route_from_reel(again, reel)
    with pytest.warns(WorldWarning, match="world=True"):
        again.new_page().goto(till.url)
    assert [(miss.url, miss.why) for miss in served.unmatched] == [
        (f"{till.url}app.js", "its body was not kept; record with world=True")
    ]
    again.close()


def test_a_world_stays_in_the_raw_recording(recording: tuple[Path, list[str]], tmp_path: Path) -> None:
    reel, _ = recording

    def answers(path: Path) -> tuple[str, str]:
        with open_reel(path) as opened:
            events = list(opened.events())
        headers = "".join(json.dumps(e["headers"]) for e in events if e["k"] == "response").lower()
        return headers, "".join(str(e.get("text", "")) for e in events if e["k"] == "resource")

    headers, bodies = answers(reel)
    assert "till=blue" in headers and "paid=yes" in headers and "EventSource" in bodies
    masked = tmp_path / "masked.reel"
    redact(reel, masked)
    headers, bodies = answers(masked)
    assert "till=blue" not in headers and "EventSource" not in bodies
    html = tmp_path / "raw.html"
    build(reel, html, redaction=None)
    assert "till=blue" not in html.read_text() and "EventSource" not in html.read_text()


@pytest.mark.parametrize(
    ("name", "unmatched", "said"), [("none.reel", "abort", "no recording"), ("", "ask", "neither")]
)
def test_wrong_use_is_said_in_a_sentence(
    recorded_context: BrowserContext, tmp_path: Path, name: str, unmatched: Any, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        route_from_reel(recorded_context, tmp_path / name, unmatched=unmatched)
