"""WebSockets and event streams: what went over them, in the reel, masked as bodies are, and shown."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from playwright.sync_api import BrowserContext
from websockets.sync.server import ServerConnection, serve

from pagereel import build, open_recording, record, redact
from pagereel.integrations.exports import export

from .support import Recorded, Site

PAGE = """<p id=said></p><script>
  const socket = new WebSocket("ws://127.0.0.1:%d/live?room=7");
  socket.binaryType = "arraybuffer";
  const say = (text) => { said.textContent += text + " "; };
  socket.onopen = () => { socket.send('{"hello": "Ostenorworth"}'); socket.send(new Uint8Array([1, 2, 250])); };
  socket.onmessage = (e) => say(typeof e.data === "string" ? e.data : "bytes:" + e.data.byteLength);
  const stream = new EventSource("/stream");
  stream.addEventListener("price", (e) => { say("price:" + e.data); if (e.data === "3") stream.close(); });
  stream.onmessage = (e) => say("plain:" + e.data);
</script>"""
STREAM = b"event: price\ndata: 1\n\ndata: Tamsin Kesselerberg\n\nevent: price\ndata: 3\n\n"


@pytest.fixture
def live() -> Iterator[int]:
    """The port of a server that answers each message with two."""

    def talk(connection: ServerConnection) -> None:
        for message in connection:
            if isinstance(message, bytes):
                connection.send(message * 2)
            else:
                connection.send('42["greeted",{"email":"kessel@example.org"}]')
                connection.send("x" * 3000)

    with serve(talk, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.socket.getsockname()[1]
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_what_went_over_open_connections_is_kept_masked_and_told(
    context: BrowserContext, site: Site, reel: Path, live: int, transport: str
) -> None:
    site.pages["/stream"] = ("text/event-stream", STREAM)
    url = site.html("/page", PAGE % live)
    context.add_cookies([{"name": "session", "value": "Kesselpass", "url": url}])
    with record(context, reel, transport=transport, fetch_limit=2000):  # type: ignore[call-overload]
        page = context.new_page()
        page.goto(url)
        for said in ("greeted", "bytes:6", "price:3"):
            page.wait_for_function("said => document.querySelector('#said').textContent.includes(said)", arg=said)
        page.evaluate("socket.close()")
        page.wait_for_timeout(300)
    recorded = Recorded(reel)
    recorded.whole_events()
    socket = recorded.one("request", type="websocket")
    answer = recorded.one("response", id=socket["id"])
    assert socket["url"].endswith("/live?room=7") and answer["why"] == "messages"
    assert "Kesselpass" not in str(recorded.events)
    over = recorded.of("message", id=socket["id"])
    kept = {e["sha256"]: e for e in recorded.of("resource")}
    assert [(m["sent"], m["size"]) for m in over if m["sent"]] == [(True, 25), (True, 3)]
    assert sorted((m["size"], m.get("why")) for m in over if not m["sent"]) == [(6, None), (44, None), (3000, "cap")]
    assert kept[over[0]["body"]]["text"] == '{"hello": "Ostenorworth"}'
    said = [m for m in open_recording(reel).messages() if not m["sent"] and m.get("text")]
    assert any("greeted" in m["text"] for m in said)
    if transport == "cdp":
        assert answer["status"] == 101
        told = [(m.get("name"), kept[m["body"]]["text"]) for m in recorded.of("message") if m["id"] != socket["id"]]
        assert told == [("price", "1"), ("message", "Tamsin Kesselerberg"), ("price", "3")]
    masked = reel.with_name("masked.reel")
    redact(reel, masked)
    texts = "".join(str(e.get("text", "")) for e in Recorded(masked).of("resource"))
    assert "42[" in texts and "Ostenorworth" not in texts and "kessel@" not in texts and "Tamsin" not in texts
    html = reel.with_suffix(".html")
    build(masked, html, redaction=None)
    assert open_recording(html).messages() == open_recording(masked).messages() != []
    archive = orjson.loads(export(reel, "har"))
    entry = next(e for e in archive["log"]["entries"] if e["request"]["url"].startswith("ws:"))
    assert [m["type"] for m in entry["_webSocketMessages"]].count("send") == 2
    assert [m["opcode"] for m in entry["_webSocketMessages"] if m["type"] == "send"] == [1, 2]


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_a_connection_that_says_more_than_is_kept_is_said_to(
    context: BrowserContext, site: Site, reel: Path, live: int, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagereel.recorder.ingest.network_event_writer._MESSAGES", 3)
    url = site.html("/page", PAGE % live)
    site.pages["/stream"] = ("text/event-stream", STREAM)
    with record(context, reel, transport=transport):  # type: ignore[call-overload]
        page = context.new_page()
        page.goto(url)
        for said in ("greeted", "bytes:6", "price:3"):
            page.wait_for_function("said => document.querySelector('#said').textContent.includes(said)", arg=said)
        page.evaluate("socket.close()")
        page.wait_for_timeout(300)
    recorded = Recorded(reel)
    socket = recorded.one("request", type="websocket")
    assert len(recorded.of("message", id=socket["id"])) == 3
    (gap,) = [g for g in recorded.of("gap") if "over one connection" in g.get("detail", "")]
    assert gap["reason"] == "cap" and "/live" in gap["detail"]
    assert recorded.one("response", id=socket["id"])["why"] == "messages"
