"""What agents read out of a recording: queries, text at a moment, and the MCP server."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext

from pagereel.integrations import open_shareable_reel
from pagereel.integrations.mcp import McpServer
from pagereel.reading import QUERIES, RecordedRun, filter_records, to_text_line
from pagereel.recorder import record
from pagereel.redaction import redact

PAGE = """<!doctype html><title>Shop</title><h1>Kettles</h1><p hidden>secret offer</p><style>p { color: red }</style>
<ul><li>Red <b>kettle</b></li><li>Blue kettle</li></ul>
<label>Email <input name=email placeholder=Email></label><label><input type=checkbox name=news checked> News</label>
<select name=size><option>Small<option selected>Large</select><iframe srcdoc="<p>framed words"></iframe>
<a href="#1"><b>A vase for Anna</b><small>Tomasz</small></a><p><i>M</i><i>A</i><b>ke</b><b>ttle</b> <s>5</s><u>cups</u></p><div id=host></div><button onclick="console.error('sold out'); fetch('data:,x')">Buy</button>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<p>shadowed</p><slot></slot>'</script>"""


@pytest.fixture(scope="module")
def reel(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reading") / "run.reel"
    context: BrowserContext = chromium.new_context()
    with record(context, path, agent="reader", metadata={"ticket": "T-1"}) as session:
        page = context.new_page()
        with session.step("Open", reasoning="First things first"):
            page.set_content(PAGE)
        session.mark("opened")
        with session.step("Buy") as step:
            page.get_by_placeholder("Email").fill("ada@example.com")
            page.get_by_role("button", name="Buy").click()
            session.llm_call(model="m", input_tokens=10, output_tokens=5, cost_usd=0.5)
            with pytest.raises(Exception, match="Timeout"):
                page.locator("#checkout").click(timeout=100)
            step.outcome(success=False, message="sold out")
        page.set_content("<!doctype html><p>gone")
        session.note("the end")
    context.close()
    return path


def test_the_overview_and_the_lists_tell_the_run(reel: Path) -> None:
    reading = RecordedRun(reel)
    told = reading.overview()
    assert (told["agent"], told["steps"], told["tokens"], told["cost_usd"]) == ("reader", 2, 15, 0.5)
    assert told["metadata"] == {"ticket": "T-1"} and [m["name"] for m in told["marks"]] == ["opened"]
    first, second = reading.steps()
    assert first["reasoning"] == "First things first" and second["success"] is False
    # People count steps; ids are shared with calls and notes.
    assert (first["number"], second["number"], second["id"]) == (1, 2, 4) and told["failed_steps"] == [4]
    assert to_text_line(first).endswith("[step 1] Open done")
    kinds = [call["kind"] for call in reading.calls()]
    assert kinds.count("model") == 1 and kinds.count("playwright") >= 5
    errors = {error["kind"]: error for error in reading.errors()}
    assert "sold out" in errors["console"]["message"] and "Timeout" in errors["call"]["message"]
    assert errors["step"]["message"] == "sold out" and errors["call"]["source"]["file"].endswith("test_reading.py")
    assert [n["text"] for n in reading.notes() if n["kind"] == "note"] == ["the end"]


def test_the_text_of_a_moment_is_what_one_read_then(reel: Path) -> None:
    reading = RecordedRun(reel)
    (page,) = reading.text(reading.moment("opened"))
    assert page["title"] == "Shop"
    assert page["text"].split("\n") == [
        "# Kettles",
        "- Red kettle",
        "- Blue kettle",
        "Email",
        "[input Email: ]",
        "[checkbox news: on]",
        "News",
        "[select size: Large]",
        "[frame about:srcdoc]",
        "  framed words",
        "A vase for Anna Tomasz",
        "MAkettle 5 cups",
        "shadowed",
        "[button: Buy]",
    ]
    assert "[input Email: ada@example.com]" in reading.text(reading.moment("step 2"))[0]["text"]
    assert reading.text()[0]["text"] == "gone"
    with pytest.raises(LookupError, match="no time 'never'"):
        reading.moment("never")
    with pytest.raises(LookupError, match=r"no time 'step 4'.*\(N from 1 to 2\)"):
        reading.moment("step 4")


def test_records_are_chosen_and_read_as_lines(reel: Path) -> None:
    calls = RecordedRun(reel).calls()
    fills = filter_records(calls, grep="FILL")
    assert [call["method"] for call in fills] == ["fill"] and 'Fill Email "' in to_text_line(fills[0])
    assert filter_records(calls, start=fills[0]["t"], limit=1) == fills
    assert to_text_line(RecordedRun(reel).steps()[1]).split()[1:] == ["[step", "2]", "Buy", "FAILED"]
    assert all("\n" not in to_text_line(record) for query in QUERIES.values() for record in query(RecordedRun(reel)))


def test_what_is_shared_is_redacted_once(reel: Path, tmp_path: Path) -> None:
    with open_shareable_reel(reel, None) as raw:
        assert raw == reel
    masked = tmp_path / "masked.reel"
    redact(reel, masked, "vendor")
    assert "ada@example.com" not in json.dumps(RecordedRun(masked).calls())
    with open_shareable_reel(masked, "vendor") as again:
        assert again == masked
    with open_shareable_reel(reel, "vendor") as shown:
        assert shown != reel and "ada@example.com" not in str(RecordedRun(shown).text())
    assert not shown.exists()


def talk(server: McpServer, *messages: object) -> list[dict[str, Any]]:
    out = io.StringIO()
    server.serve([m if isinstance(m, str) else json.dumps({"jsonrpc": "2.0", **m}) for m in messages], out)  # type: ignore[dict-item]
    return [json.loads(line) for line in out.getvalue().splitlines()]


def call(number: int, tool: str, **arguments: object) -> dict[str, object]:
    return {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def test_a_coding_agent_reads_a_replay_over_mcp(reel: Path) -> None:
    replies = talk(
        McpServer(reel, None),
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        call(3, "replay_overview"),
        call(4, "replay_calls", grep="checkout", limit=5),
        call(5, "replay_text", at="opened"),
        call(6, "replay_screenshot", at="opened"),
        call(7, "replay_text", at="nonsense"),
        call(8, "replay_steps", reel="/no/such.reel"),
        call(9, "delete_everything"),
        {"id": 10, "method": "resources/list"},
        "{nonsense",
        call(12, "replay_steps", grep="("),
        call(13, "replay_steps", limit="few"),
        {"id": 11, "method": "ping"},
    )
    by_id = {reply["id"]: reply for reply in replies}
    assert len(replies) == 14 and by_id[1]["result"]["protocolVersion"] == "2025-03-26"
    tools = {tool["name"]: tool for tool in by_id[2]["result"]["tools"]}
    assert {f"replay_{name}" for name in QUERIES} < set(tools)
    assert all(tool["inputSchema"]["type"] == "object" and tool["description"] for tool in tools.values())
    data = by_id[3]["result"]["content"][0]["text"].split("\n")
    assert json.loads("\n".join(data[data.index(data[-1]) + 1 : -1]))["steps"] == 2
    assert by_id[4]["result"]["content"][0]["text"].startswith("1 of ")
    assert "# Kettles" in by_id[5]["result"]["content"][0]["text"]
    picture = by_id[6]["result"]["content"][1]
    assert picture["mimeType"] == "image/png" and picture["data"].startswith("iVBOR")
    assert all(by_id[number]["result"]["isError"] for number in (7, 8, 12, 13))
    assert by_id[9]["error"]["code"] == -32602 and by_id[10]["error"]["code"] == -32601
    assert by_id[None]["error"]["code"] == -32700 and by_id[11]["result"] == {}
