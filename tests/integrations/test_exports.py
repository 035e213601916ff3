"""A recording in other formats tells the same run."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pagereel.integrations import export, shareable
from pagereel.recorder import record


class Shop(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/gone"):
            self.send_error(404)
            return
        body = b"<!doctype html><title>Shop</title><h1>Kettles</h1>" if self.path == "/" else b'{"kettles": 2}'
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def reel(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = tmp_path_factory.mktemp("exports") / "run.reel"
    context = chromium.new_context()
    with record(context, path, agent="shopper") as session:
        page = context.new_page()
        with session.step("Look", reasoning="Nothing is known yet") as step:
            page.goto(f"http://127.0.0.1:{server.server_port}/")
            page.evaluate("fetch('/api?size=large').then(r => r.json()).then(() => fetch('/gone'))")
            session.llm_call(model="m", input_tokens=3, output_tokens=4, response="call ada@example.com")
            call = session.tool_call("count", {"what": "kettles"})
            session.tool_result(call, 2)
            with session.step("Look closer"):
                page.locator("h1").click()
            step.outcome(success=True, message="two kettles")
    context.close()
    yield path
    server.shutdown()
    server.server_close()


def test_the_transcript_reads_as_the_run_went(reel: Path) -> None:
    text = export(reel, "markdown")
    lines = [line for line in text.splitlines() if line]
    assert lines[0] == "# shopper"
    assert [line.split(" (")[0] for line in lines if line.startswith("##")] == ["## Look", "### Look closer"]
    assert "Reasoning: Nothing is known yet" in lines and "Message: two kettles" in lines
    order = [text.index(part) for part in ("Go to", "model m, 3 → 4 tokens", "tool count", 'Click locator("h1")')]
    assert order == sorted(order)


def test_jsonl_holds_one_record_a_line_in_order_of_time(reel: Path) -> None:
    records = [json.loads(line) for line in export(reel, "jsonl").splitlines()]
    times = [record["t"] for record in records]
    assert times == sorted(times)
    assert {"step", "playwright", "model", "tool", "request"} <= {record["kind"] for record in records}


def test_har_holds_every_request_with_its_body(reel: Path) -> None:
    log = json.loads(export(reel, "har"))["log"]
    assert log["version"] == "1.2" and log["pages"][0]["id"] == "page_1"
    entries = {entry["request"]["url"].rpartition("/")[2]: entry for entry in log["entries"]}
    api = entries["api?size=large"]
    assert api["response"]["status"] == 200 and api["response"]["content"]["text"] == '{"kettles": 2}'
    assert api["request"]["queryString"] == [{"name": "size", "value": "large"}]
    assert entries["gone"]["response"]["status"] == 404
    assert all(entry["time"] >= 0 and entry["startedDateTime"].endswith("Z") for entry in log["entries"])
    assert "Kettles" in entries[""]["response"]["content"]["text"]


def test_what_is_redacted_stays_redacted(reel: Path) -> None:
    with shareable(reel, "vendor") as shown:
        for form in ("markdown", "jsonl", "har"):
            assert "ada@example.com" not in export(shown, form)
    assert "ada@example.com" in export(reel, "markdown")
