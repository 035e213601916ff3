"""A recording in other formats tells the same run."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pagereel.integrations import export, open_shareable_reel
from pagereel.recorder import record
from pagereel.reel import open_reel

CHANGES = """
const body = document.body, list = body.appendChild(document.createElement('ul'));
body.insertAdjacentHTML('beforeend', '<input id=name><div id=host></div><iframe></iframe><p>old</p>');
for (let i = 0; i < 5; i++) list.appendChild(document.createElement('li')).textContent = `Kettle ${i}`;
document.querySelector('#host').attachShadow({mode: 'open'}).innerHTML = '<b>in the shadow</b>';
document.querySelector('iframe').contentDocument.body.textContent = 'in the frame';
requestAnimationFrame(() => {
  list.prepend(list.lastChild);
  list.children[1].remove();
  body.querySelector('p').textContent = 'new';
  body.querySelector('h1').setAttribute('class', 'moved');
  list.before(body.querySelector('p'));
});
"""


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
            with session.step("Look elsewhere") as failed:
                page.evaluate(CHANGES)
                page.locator("#name").fill("kettle")
                failed.outcome(success=False)
            step.outcome(success=True, message="two kettles")
    context.close()
    yield path
    server.shutdown()
    server.server_close()


def test_the_transcript_reads_as_the_run_went(reel: Path) -> None:
    text = export(reel, "markdown")
    lines = [line for line in text.splitlines() if line]
    assert lines[0] == "# shopper"
    assert [line.split(" (")[0] for line in lines if line.startswith("##")] == [
        "## Look",
        "### Look closer",
        "### Look elsewhere",
    ]
    assert "Reasoning: Nothing is known yet" in lines and "Message: two kettles" in lines
    order = [text.index(part) for part in ("Go to", "model m, 3 → 4 tokens", "tool count", "Click h1 `locator")]
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
    with open_shareable_reel(reel, "vendor") as shown:
        for form in ("markdown", "jsonl", "har", "rrweb", "training", "otlp"):
            assert "ada@example.com" not in export(shown, form)
    assert "ada@example.com" in export(reel, "markdown")


class Rebuilt:
    """What rrweb's Replayer does with full snapshots and mutations, as text: `python -m bench.exports` asks the real one."""

    def __init__(self) -> None:
        self.nodes: dict[int, dict[str, Any]] = {}
        self.values: dict[int, str] = {}
        self.root = 0

    def take(self, event: dict[str, Any]) -> None:
        data = event["data"]
        if event["type"] == 2:
            self.root = self.put(data["node"])
        elif event["type"] == 3 and data["source"] == 5:
            self.values[data["id"]] = data["text"]
        elif event["type"] == 3 and data["source"] == 0:
            for gone in data["removes"]:
                self.nodes[gone["parentId"]]["childNodes"].remove(gone["id"])
            for add in data["adds"]:
                siblings = self.nodes[add["parentId"]]["childNodes"]
                place = len(siblings) if add["nextId"] is None else siblings.index(add["nextId"])
                siblings.insert(place, self.put(add["node"]))
            for text in data["texts"]:
                self.nodes[text["id"]]["textContent"] = text["value"]
            for change in data["attributes"]:
                self.nodes[change["id"]]["attributes"].update(change["attributes"])

    def put(self, node: dict[str, Any]) -> int:
        self.nodes[node["id"]] = node
        if "childNodes" in node:
            node["childNodes"] = [self.put(child) for child in node["childNodes"]]
        return int(node["id"])

    def html(self, number: int) -> str:
        node = self.nodes[number]
        inside = "".join(self.html(child) for child in node.get("childNodes", ()))
        value = f"={self.values[number]}" if number in self.values else ""
        return f"<{node['tagName']}{value}>{inside}</>" if node["type"] == 2 else node.get("textContent", inside)


def test_rrweb_events_rebuild_the_page_that_was_recorded(reel: Path) -> None:
    events = json.loads(export(reel, "rrweb"))
    assert [event["type"] for event in events if event["type"] in (2, 4)][-2:] == [4, 2]
    times = [event["timestamp"] for event in events]
    assert times == sorted(times)
    rebuilt = Rebuilt()
    for event in events:
        rebuilt.take(event)
    items = "".join(f"<li>Kettle {number}</>" for number in (4, 1, 2, 3))
    body = (
        f"<h1>Kettles</><p>new</><ul>{items}</><input=kettle></><div><b>in the shadow</></>"
        "<iframe><html><head></><body>in the frame</></></>"
    )
    assert rebuilt.html(rebuilt.root) == f"<html><head><title>Shop</></><body>{body}</></>"
    (heading,) = (node for node in rebuilt.nodes.values() if node.get("tagName") == "h1")
    assert heading["attributes"]["class"] == "moved"
    assert {"step", "call", "llm"} <= {event["data"]["tag"] for event in events if event["type"] == 5}
    with pytest.raises(LookupError, match="no page 7"):
        export(reel, "rrweb", page=7)


def test_training_pairs_are_the_actions_of_steps_that_ended_well(reel: Path) -> None:
    pairs = [json.loads(line) for line in export(reel, "training").splitlines()]
    did = [(pair["action"].get("method") or pair["action"].get("name"), pair["goal"]) for pair in pairs]
    assert did == [("goto", ["Look"]), ("count", ["Look"]), ("click", ["Look", "Look closer"])]
    (goto, count, click) = pairs
    assert goto["state"]["pages"][0]["url"] == "about:blank"
    assert "Kettles" in click["state"]["pages"][0]["text"]
    assert click["reasoning"] == "Nothing is known yet" and count["action"]["result"] == 2
    assert goto["outcome"] == {"success": True, "message": "two kettles"}


def test_spans_are_one_tree_with_stable_ids_in_nanoseconds(reel: Path) -> None:
    told = json.loads(str(export(reel, "otlp")))
    (resource,) = told["resourceSpans"]
    spans = resource["scopeSpans"][0]["spans"]
    ids = {span["spanId"] for span in spans}
    (root,) = [span for span in spans if "parentSpanId" not in span]
    assert len(ids) == len(spans) > 3
    assert {span["traceId"] for span in spans} == {root["traceId"]}
    assert all(span["parentSpanId"] in ids for span in spans if span is not root)
    assert all(len(span["spanId"]) == 16 and len(span["traceId"]) == 32 for span in spans)
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in spans)
    assert json.loads(str(export(reel, "otlp"))) == told
    with open_reel(reel) as opened:
        assert abs(int(root["startTimeUnixNano"]) / 1e6 - float(str(opened.header["started"]))) < 1


def test_a_transcripts_times_are_links_where_a_replay_is_named(reel: Path) -> None:
    assert "#t=" not in str(export(reel, "markdown"))
    text = str(export(reel, "markdown", replay="https://ci.example/my run.html#t=3"))
    assert "[The replay](https://ci.example/my%20run.html)" in text
    assert "(https://ci.example/my%20run.html#t=" in text
