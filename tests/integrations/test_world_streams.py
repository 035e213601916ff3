"""`route_from_reel`: answers that came bit by bit, that had no end, that their page left, or that were waited for; and what else a script asks for."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pagereel import build, compare, record, redact, route_from_reel
from pagereel.browser import launch_options
from pagereel.fixtures.trap_media import read_clip_webm
from pagereel.reel import open_reel

PAGE = """<!doctype html><title>Flow</title><meta charset=utf-8>
<p id=talk></p><p id=clock></p><p id=poll></p><p id=told></p><p id=made></p>
<script>
const show = (id, text) => { document.getElementById(id).textContent += text + ";"; };
const read = async (address, id, options) => {
  const reader = (await fetch(address, options)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return show(id, "end");
    for (const line of value.split("\\n")) if (line.startsWith("data:")) show(id, line.slice(5).trim());
    if (value.includes("leave")) { await reader.cancel(); return show(id, "left"); }
  }
};
const say = (text) => fetch("/say", { method: "POST", body: text });
</script>"""


class Flow:
    """A server that answers bit by bit: what is posted to /say comes to all who listen."""

    def __init__(self) -> None:
        flow = self
        self.off = threading.Event()
        self.news = threading.Condition()
        self.said: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path, _, query = self.path.partition("?")
                if path == "/":
                    self.whole(200, PAGE.encode(), "text/html")
                elif path in ("/listen", "/listen-too"):
                    self.flows("text/event-stream")
                    self.piece("data: hello\n\n")
                    flow.pass_on(lambda text: self.piece(f"data: {text}\n\n"))
                elif path == "/poll":
                    flow.wait_for(
                        int(query.partition("=")[2]), lambda text: self.whole(200, text.encode(), "text/plain")
                    )
                elif path == "/count":
                    self.flows("application/x-ndjson")
                    for n in range(5):
                        self.piece(json.dumps({"n": n, "é": "ü"}, ensure_ascii=False) + "\n")
                        flow.off.wait(0.08)
                    self.piece("")
                elif path == "/broken":
                    self.flows("text/plain")
                    self.piece("some")
                    flow.off.wait(0.15)
                    self.close_connection = True
                elif path == "/never":
                    flow.off.wait(60)
                elif path == "/empty":
                    self.whole(204, b"", "")
                elif path == "/same":
                    fresh = self.headers.get("If-None-Match") == '"1"'
                    self.whole(
                        304 if fresh else 200,
                        b"" if fresh else b"unchanged",
                        "text/plain",
                        ETag='"1"',
                        Cache_Control="no-cache",
                    )
                elif path == "/clip.webm":
                    film, wanted = (
                        read_clip_webm(),
                        re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", "bytes=0-")),
                    )
                    assert wanted is not None
                    start, end = int(wanted[1]), min(int(wanted[2] or len(film) - 1), len(film) - 1)
                    place = f"bytes {start}-{end}/{len(film)}"
                    self.whole(206, film[start : end + 1], "video/webm", Content_Range=place, Accept_Ranges="bytes")
                elif path == "/part":
                    self.whole(206, bytes(range(10, 20)), "application/octet-stream", Content_Range="bytes 10-19/256")
                elif path == "/old":
                    self.whole(302, b"", "", Location="/new")
                elif path == "/latin":
                    self.whole(200, "Zürich".encode("latin-1"), "text/plain; charset=iso-8859-1")
                elif path == "/gone":
                    self.whole(410, b'{"why": "sold"}', "application/json")
                else:
                    self.whole(200, f"at {path}".encode(), "text/plain")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/say":
                    self.whole(200, b"", "text/plain")
                    with flow.news:
                        flow.said.append(body.decode())
                        flow.news.notify_all()
                else:
                    self.whole(200, bytes(reversed(body[-8:])) + bytes([0, 255]), "application/octet-stream")

            def flows(self, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()

            def piece(self, text: str) -> None:
                data = text.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()

            def whole(self, status: int, body: bytes, kind: str, **headers: str) -> None:
                self.send_response(status)
                self.send_header("Date", self.date_time_string())  # A second one.
                for name, value in {"Content-Type": kind, **headers}.items():
                    if value:
                        self.send_header(name.replace("_", "-"), value)
                if status not in (204, 304):
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign] # A browser that has left.
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_for(self, number: int, give: Any) -> None:
        with self.news:
            while len(self.said) <= number and not self.off.is_set():
                self.news.wait(0.1)
        if len(self.said) > number:
            give(self.said[number])

    def pass_on(self, give: Any) -> None:
        number = 0
        while not self.off.is_set():
            self.wait_for(number, give)
            number += 1

    def switch_off(self) -> None:
        if not self.off.is_set():
            self.off.set()
            self.server.shutdown()
            self.server.server_close()


@pytest.fixture
def flow() -> Iterator[Flow]:
    flow = Flow()
    yield flow
    flow.switch_off()


def again(chromium: Browser, flow: Flow, reel: Path, do: Any) -> tuple[Any, Any]:
    """What is seen without the server, and what was served."""
    flow.switch_off()
    context = chromium.new_context()
    served = route_from_reel(context, reel)
    with record(context, reel.with_name("again.reel")):
        seen = do(context.new_page(), flow.url)
    context.close()
    return seen, served


def listen(page: Page, url: str) -> list[str]:
    """Has a page listen in three ways, and talk. Each word comes after it was said, in all of them."""
    page.goto(url)
    page.evaluate("""() => {
      read("/listen", "talk");
      new EventSource("/listen-too").onmessage = (event) => show("clock", event.data);
      (async () => { for (let n = 0; ; n++) show("poll", await (await fetch("/poll?n=" + n)).text()); })();
    }""")
    expect(page.locator("#talk")).to_have_text("hello;")
    expect(page.locator("#clock")).to_have_text("hello;")
    seen = [page.inner_text("#poll")]
    page.wait_for_timeout(400)
    said = ""
    for word in ("one", "two", "leave"):
        page.evaluate(f"say('{word}')")
        said += f"{word};"
        expect(page.locator("#clock")).to_have_text(f"hello;{said}")
        expect(page.locator("#poll")).to_have_text(said)
        expect(page.locator("#talk")).to_have_text(f"hello;{said}{'left;' if word == 'leave' else ''}")
        page.wait_for_timeout(400)
        seen.append(page.inner_text("body"))
    return seen


@pytest.mark.slow
def test_streams_that_never_end_and_long_polls_come_after_what_they_came_after(
    chromium: Browser, recorded_context: BrowserContext, flow: Flow, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        seen = listen(recorded_context.new_page(), flow.url)
    anew, served = again(chromium, flow, reel, listen)
    assert anew == seen and seen[0] == ""
    assert [(miss.url, miss.why) for miss in served.unmatched] == []
    assert compare(reel, tmp_path / "again.reel", redaction=None).failed("network,page,outcome") == []


@pytest.mark.slow
def test_the_async_api_holds_answers_back_too(recorded_context: BrowserContext, flow: Flow, tmp_path: Path) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        seen = listen(recorded_context.new_page(), flow.url)
    flow.switch_off()

    async def run() -> list[str]:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**launch_options())
            context = await browser.new_context()
            served = await route_from_reel(context, reel)
            page = await context.new_page()
            await page.goto(flow.url)
            await page.evaluate("""() => {
              read("/listen", "talk");
              new EventSource("/listen-too").onmessage = (event) => show("clock", event.data);
              (async () => { for (let n = 0; ; n++) show("poll", await (await fetch("/poll?n=" + n)).text()); })();
            }""")
            await page.wait_for_timeout(700)
            texts = [await page.inner_text("body")]
            for word in ("one", "two", "leave"):
                await page.evaluate(f"say('{word}')")
                await page.wait_for_timeout(700)
                texts.append(await page.inner_text("body"))
            await browser.close()
            assert served.unmatched == []
            return texts

    with ThreadPoolExecutor(1) as beside:  # Here the sync API's own loop runs.
        texts = beside.submit(asyncio.run, run()).result()
    assert texts[0].split() == ["hello;", "hello;"] and texts[1:] == seen[1:]


READS = """async () => {
  const answer = await fetch("/count");
  const copy = answer.clone();
  const began = performance.now();
  const reader = answer.body.getReader({ mode: "byob" });
  let reads = 0, bytes = 0, buffer = new Uint8Array(4000);
  for (;;) {
    const { value, done } = await reader.read(buffer);
    if (done) break;
    reads++;
    bytes += value.length;
    buffer = new Uint8Array(value.buffer);
  }
  return [answer.url.slice(-6), answer.type, bytes, reads > 2, performance.now() - began > 250, await copy.text(), answer instanceof Response];
}"""
ENDS = """async () => {
  const made = [];
  const told = async (name, work) => { try { made.push([name, await work()]); } catch (error) { made.push([name, error.name]); } };
  const leave = new AbortController();
  await told("broken", async () => (await fetch("/broken")).text());
  await told("broken on the way", async () => {
    const reader = (await fetch("/broken")).body.getReader();
    const first = await reader.read();
    return first.value.length + (await reader.read().catch((error) => error.name));
  });
  await told("given up", () => { setTimeout(() => leave.abort(), 100); return fetch("/never", { signal: leave.signal }); });
  await told("given up later", async () => {
    const leave = new AbortController();
    const answer = await fetch(new Request("/listen", { signal: leave.signal }));
    setTimeout(() => leave.abort(), 300);
    return answer.text();
  });
  await told("empty", async () => { const answer = await fetch("/empty"); return [answer.status, await answer.text()]; });
  for (const cache of ["default", "no-cache"])
    await told("same", async () => { const answer = await fetch("/same", { cache }); return [answer.status, await answer.text()]; });
  await told("part", async () => {
    const answer = await fetch("/part", { headers: { Range: "bytes=10-19" } });
    return [answer.status, answer.headers.get("content-range"), [...new Uint8Array(await answer.arrayBuffer())].join()];
  });
  await told("old", async () => { const answer = await fetch("/old"); return [answer.status, answer.redirected, new URL(answer.url).pathname, await answer.text()]; });
  await told("latin", async () => [...new Uint8Array(await (await fetch("/latin")).arrayBuffer())].join());
  await told("latin by xhr", () => new Promise((go) => {
    const asked = new XMLHttpRequest(); asked.open("GET", "/latin"); asked.onload = () => go(asked.responseText); asked.send();
  }));
  await told("gone", async () => { const answer = await fetch("/gone"); return [answer.status, answer.statusText, await answer.json()]; });
  const file = (last) => new Blob([new Uint8Array([250, 251, 252, 253, 254, 255, 0, last])]);
  await told("upload", async () => {
    const form = new FormData(); form.append("name", "jar"); form.append("file", file(1), "jar.bin");
    return (await fetch("/upload", { method: "POST", body: form })).status;
  });
  for (const last of [7, 8, 9])
    await told("bytes", async () => [...new Uint8Array(await (await fetch("/bytes", { method: "POST", body: file(last) })).arrayBuffer())].join());
  return made;
}"""


def visit(page: Page, url: str) -> Any:
    page.goto(url)
    return [page.evaluate(READS), page.evaluate(ENDS)]


def test_whatever_a_script_reads_ends_the_same(
    chromium: Browser, recorded_context: BrowserContext, flow: Flow, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        seen = visit(recorded_context.new_page(), flow.url)
    anew, served = again(chromium, flow, reel, visit)
    assert seen[0][:5] == ["/count", "basic", 105, True, True]
    assert anew[0] == seen[0]
    assert anew[1] == seen[1]
    assert [(miss.url, miss.why) for miss in served.unmatched] == []


def test_what_came_of_a_stream_stands_in_the_recording_with_its_times_and_is_masked(
    recorded_context: BrowserContext, flow: Flow, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel):  # Without world=True: it is text that a script reads.
        page = recorded_context.new_page()
        page.goto(flow.url)
        page.evaluate("void read('/listen', 'talk')")
        page.wait_for_timeout(150)
        page.evaluate("say('Kessel phoned 0151 4711 8822')")
        expect(page.locator("#talk")).to_contain_text("4711")
        page.evaluate("say('leave')")
        expect(page.locator("#talk")).to_contain_text("left")
        page.evaluate("void fetch('/listen').then((answer) => answer.text())")
        page.wait_for_timeout(150)

    def answers(path: Path) -> list[tuple[dict[str, Any], str]]:
        with open_reel(path) as opened:
            events = list(opened.events())
        asked = {e["id"] for e in events if e["k"] == "request" and e["url"].endswith("/listen")}
        texts = {e["sha256"]: str(e.get("text")) for e in events if e["k"] == "resource"}
        return [(e, texts.get(e.get("body", ""), "")) for e in events if e["k"] == "response" and e["id"] in asked]

    (left, text), (waiting, so_far) = answers(reel)
    assert left["error"] == "cancelled" and "4711 8822" in text and "leave" in text
    assert waiting["why"] == "unfinished" and "4711 8822" in so_far
    assert sum(size for _, size in left["chunks"]) == len(text.encode()) and len(left["chunks"]) == 3
    assert left["chunks"][0][0] < left["chunks"][1][0] - 100
    masked = tmp_path / "masked.reel"
    redact(reel, masked)
    for answer, text in answers(masked):
        assert "chunks" not in answer and text.count("data: ") == 3 and "4711 8822" not in text
    html = tmp_path / "run.html"
    build(reel, html)


def test_nothing_is_waited_for_without_end(
    chromium: Browser, recorded_context: BrowserContext, flow: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        page = recorded_context.new_page()
        page.goto(flow.url)
        with page.expect_request("**/never"):
            page.evaluate("void fetch('/never').catch(() => 0)")
        page.evaluate("void read('/listen', 'talk')")
        expect(page.locator("#talk")).to_have_text("hello;")
        page.goto(flow.url.replace("127.0.0.1", "localhost"))  # It leaves.
        with page.expect_request("**/never?2"):
            page.evaluate("void fetch('/never?2').catch(() => 0)")  # The recording ends before the response.
    monkeypatch.setattr("pagereel.integrations.recorded_routing.recorded_network._PATIENCE", 0.2)

    def stays(page: Page, url: str) -> Any:
        page.goto(url)
        return page.evaluate("""async () => {
          const end = async (made) => { try { return await made; } catch (error) { return error.name; } };
          return Promise.all([end(fetch("/never")), end(read("/listen", "talk")), end(fetch("/never?2"))]);
        }""")

    anew, served = again(chromium, flow, reel, stays)
    assert anew == ["TypeError"] * 3
    assert [(miss.url, miss.why) for miss in served.unmatched] == []


FILM = """async () => {
  const film = document.createElement("video");
  film.muted = true;
  film.src = "/clip.webm";
  document.body.append(film);
  const once = (name) => new Promise((go, stop) => { film.addEventListener(name, go, { once: true }); film.onerror = () => stop(new Error(film.error.message)); });
  await once("canplay");
  const loud = once("seeked");
  film.currentTime = film.duration / 2;
  await loud;
  const part = await fetch("/clip.webm", { headers: { Range: "bytes=100-163" } });
  return [film.videoWidth, Math.round(film.currentTime * 10), part.status, (await part.arrayBuffer()).byteLength];
}"""


def test_a_film_is_played_in_parts_and_a_script_gets_its_own(
    chromium: Browser, recorded_context: BrowserContext, flow: Flow, tmp_path: Path
) -> None:
    def play(page: Page, url: str) -> Any:
        page.goto(url)
        return page.evaluate(FILM)

    reel = tmp_path / "run.reel"
    with record(recorded_context, reel, world=True):
        seen = play(recorded_context.new_page(), flow.url)
    assert seen[2:] == [206, 64]
    anew, served = again(chromium, flow, reel, play)
    assert anew == seen and served.unmatched == []
