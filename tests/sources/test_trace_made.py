"""Traces made by hand: pages that change at random, older and newer versions, damage, and files that mean harm."""

from __future__ import annotations

import json
import zipfile
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import ReelError
from pagereel.reel import Event, PageModel, Reel
from pagereel.sources import open_any
from pagereel.sources.trace import archive

from .making import ChangingPage, as_stream, options, snapshot, trace, zipped
from .rendering import of_model, plain, whole

PLAIN = ["HTML", {}, ["HEAD", {}], ["BODY", {}, ["P", {}, "Moon jar"]]]


def read(path: Path) -> tuple[list[Event], Reel]:
    with open_any(path) as reel:
        return list(reel.timeline()), reel


def shown(events: list[Event]) -> tuple[list[Any], PageModel]:
    """The tree of the page after each message, without those that are the one before."""
    model = PageModel()
    trees = []
    for event in events:
        model.apply(event)
        if event["k"] in ("snapshot", "mutation"):
            document = model.documents[int(str(event["d"]))]
            assert document.root is not None
            trees.append(of_model(next(iter(document.root.children))))
    return [tree for tree, _ in groupby(trees)], model


@pytest.mark.parametrize("seed", range(12))
def test_a_page_that_changes_at_random_is_what_its_snapshots_say(tmp_path: Path, seed: int) -> None:
    page = ChangingPage(seed)
    history = []
    for number in range(60):
        for _ in range(number % 4 + (20 if not number else 0)):
            page.change()
        history.append(page.snapshot())
    path = trace(tmp_path / "t.zip", *[snapshot(html, 2_000 + 10 * n) for n, html in enumerate(history)])
    trees, model = shown(read(path)[0])
    assert model.error_count == 0, model.problem_texts
    wanted = [plain(whole(history, number, html)) for number, html in enumerate(history)]
    assert trees == [tree for tree, _ in groupby(wanted)]
    assert len(model.documents) == 1


def test_a_tree_deeper_than_json_may_nest_comes_in_parts(tmp_path: Path) -> None:
    deep: Any = "at the bottom"
    for _ in range(420):
        deep = ["DIV", {}, deep, "x"]
    html = ["HTML", {}, ["HEAD", {}], ["BODY", {}, deep]]
    events, reel = read(trace(tmp_path / "t.zip", snapshot(html, 2_000)))
    trees, model = shown(events)
    assert reel.invalid == [] and model.error_count == 0
    assert trees == [plain(html)]


def test_versions_six_to_ten_and_the_next(tmp_path: Path) -> None:
    def lines(version: int) -> list[Any]:
        sha1 = "sha1" if version < 9 else "file"
        names = {"beforeSnapshot": "before@call@1"} if version < 9 else {}
        before = {
            "type": "before",
            "callId": "call@1",
            "startTime": 1_010,
            "class": "Page",
            "method": "goto",
            "params": {},
        }
        told = (
            snapshot(PLAIN, 1_012, phase="before")
            if version > 8
            else snapshot(PLAIN, 1_012, snapshotName="before@call@1")
        )
        if version < 9:
            del told["snapshot"]["phase"]
        picture = {
            "type": "screencast-frame",
            "pageId": "page@1",
            sha1: "a.jpeg" if version < 9 else "resources/a.jpeg",
        }
        first = options(version=version) | ({"monotonicTime": None} if version == 6 else {})
        named = {"apiName": "page.goto", "wallTime": 1_700_000_000_010} if version < 8 else {"title": "page.goto"}
        step = {"stepId": "step@7"} if version in (7, 8, 9) else {}
        after = {"type": "after", "callId": "call@1", "endTime": 1_030}
        return [
            first,
            before | named | names | step,
            told,
            picture | {"width": 1, "height": 1, "timestamp": 1_020},
            after,
        ]

    for version in (6, 7, 8, 9, 10, 11):
        path = zipped(tmp_path / f"{version}.zip", {"trace.trace": lines(version), "resources/a.jpeg": b"\xff\xd8\xff"})
        events, reel = read(path)
        kinds = [event["k"] for event in events]
        assert {"document", "snapshot", "picture", "call"} <= set(kinds), version
        call = next(event for event in events if event["k"] == "call")
        at = next(event["t"] for event in events if event["k"] == "snapshot")
        assert call["title"] == "page.goto" and call["duration"] == 20 and at == call["t"], version
        assert [("newer" in warning) for warning in reel.warnings] == ([True] if version == 11 else [])


def test_the_test_runner_and_the_library_are_one_story(tmp_path: Path) -> None:
    click = {
        "type": "before",
        "callId": "pw@3",
        "startTime": 1_100,
        "class": "Frame",
        "method": "click",
        "params": {"selector": "#pay"},
    }
    runner = [
        options(origin="testRunner", wallTime=1_700_000_000_000, monotonicTime=50_000, title="pays"),
        {
            "type": "before",
            "callId": "s@1",
            "startTime": 50_000,
            "class": "Test",
            "method": "test.step",
            "title": "pay",
            "params": {},
        },
        {
            "type": "before",
            "callId": "pw@3",
            "parentId": "s@1",
            "startTime": 50_090,
            "class": "Test",
            "method": "pw:api",
            "title": "Click",
            "params": {},
        },
        {"type": "after", "callId": "pw@3", "endTime": 50_200, "error": {"name": "Error", "message": "Card declined"}},
        {
            "type": "after",
            "callId": "s@1",
            "endTime": 50_210,
            "error": {"message": "Card declined"},
            "attachments": [{"name": "log", "contentType": "text/plain", "base64": "aGVsbG8="}],
        },
        {"type": "stdout", "timestamp": 50_150, "text": "paying\n"},
    ]
    library = [
        options(),
        click,
        {"type": "log", "callId": "pw@3", "time": 1_101, "message": "waiting for #pay"},
        {"type": "after", "callId": "pw@3", "endTime": 1_205},
    ]
    path = zipped(tmp_path / "t.zip", {"test.trace": runner, "0-trace.trace": library})
    events, _ = read(path)
    step, call = (next(event for event in events if event["k"] == kind) for kind in ("step", "call"))
    assert step["title"] == "pay" and call["step"] == step["id"] and call["title"] == "Click"
    assert (step["t"], call["t"], call["duration"]) == (0, 90, 110)
    assert (
        call["error"] == "Error: Card declined\nCall log:\n  - waiting for #pay"
        and call["locator"] == 'locator("#pay")'
    )
    assert [event["text"] for event in events if event["k"] == "note"] == ["paying\n", "hello"]
    assert next(event for event in events if event["k"] == "step_end")["success"] is False


def test_what_is_typed_where_no_snapshot_shows_it_is_masked(tmp_path: Path) -> None:
    def fill(number: int, selector: str, value: str) -> list[Any]:
        call = {
            "type": "before",
            "callId": f"call@{number}",
            "startTime": 1_000 + number,
            "class": "Frame",
            "method": "fill",
        }
        log = {"type": "log", "callId": f"call@{number}", "message": f'fill("{value}")'}
        return [
            call | {"params": {"selector": selector, "value": value}},
            log,
            {"type": "after", "callId": f"call@{number}", "endTime": 1_001 + number},
        ]

    shows = ["HTML", {}, ["BODY", {}, ["INPUT", {"__playwright_value_": "Ada Lovelace", "id": "name"}]]]
    path = trace(
        tmp_path / "t.zip",
        *fill(1, "#name", "Ada Lovelace"),
        snapshot(shows, 1_002),
        *fill(2, "#city", "Paris-la-nuit"),
        *fill(3, "[name=password]", "hunter2-hunter2"),
        *fill(4, "#otp", "7"),
    )
    events, _ = read(path)
    assert "hunter2" not in json.dumps(events) and "Paris" not in json.dumps(events)
    assert [event["params"] for event in events if event["k"] == "call"] == [
        {"value": "Ada Lovelace"},
        {"value": "•••••"},
        {"value": "•••••"},
        {"value": "•••••"},
    ]
    logs = [str(event["log"]) for event in events if event["k"] == "call"]
    assert logs == ['fill("Ada Lovelace")', 'fill("•••••")', 'fill("•••••")', 'fill("•••••")']


def test_secrets_among_the_parameters_of_calls_are_masked(tmp_path: Path) -> None:
    said = {
        "newContext": {
            "httpCredentials": {"username": "ada", "password": "credential-0"},
            "storageState": {
                "cookies": [{"name": "sid", "value": "cookie-1", "domain": "shop.example"}],
                "origins": [{"origin": "o", "localStorage": [{"name": "cart", "value": "storage-2"}]}],
            },
            "clientCertificates": [{"origin": "o", "passphrase": "phrase-3"}],
        },
        "setExtraHTTPHeaders": {"headers": [{"name": "X-Who", "value": "header-4"}]},
        "addCookies": {"cookies": [{"name": "sid", "value": "cookie-5", "domain": "shop.example"}]},
        "fetch": {
            "url": "https://shop.example/?access_token=query-6&page=2",
            "jsonData": '{"user": {"password": "json-7-json"}, "size": "large"}',
            "formData": [{"name": "api_key", "value": "form-8-form"}, {"name": "size", "value": "small"}],
        },
        "evaluateExpression": {
            "expression": "login('ada', {password: 'code-9-code'})",
            "arg": {"value": {"o": [{"k": "token", "v": {"s": "argument-10"}}]}, "handles": []},
        },
    }
    lines: list[Any] = []
    for number, (method, params) in enumerate(said.items()):
        call = {"callId": f"call@{number}", "startTime": number, "class": "BrowserContext", "method": method}
        lines += [
            {"type": "before", **call, "params": params},
            {"type": "log", "callId": f"call@{number}", "time": number, "message": "sent argument-10"},
            {"type": "after", "callId": f"call@{number}", "endTime": number},
        ]
    calls = [event for event in read(trace(tmp_path / "t.zip", *lines))[0] if event["k"] == "call"]
    assert len(calls) == len(said)
    told = json.dumps(calls)
    for secret in [
        "credential-0",
        "cookie-1",
        "storage-2",
        "phrase-3",
        "header-4",
        "cookie-5",
        "query-6",
        "json-7",
        "form-8",
        "code-9",
        "argument-10",
    ]:
        assert secret not in told, secret
    for plain_word in ("shop.example", "page=2", "large", "small", "X-Who"):
        assert plain_word in told, plain_word


def test_a_linked_sheet_that_a_script_changed(tmp_path: Path) -> None:
    link = ["LINK", {"rel": "stylesheet", "href": "/a.css"}]
    html = ["HTML", {}, ["HEAD", {}, ["BASE", {"href": "http://shop.example/"}], link], ["BODY", {}]]
    first = [{"url": "http://shop.example/a.css", "file": "resources/s.css"}]
    again = [{"url": "http://shop.example/a.css", "ref": 1}]
    path = trace(
        tmp_path / "t.zip",
        snapshot(html, 2_000, resourceOverrides=first),
        snapshot([[1, 4]], 2_010, resourceOverrides=again),
        **{"resources/s.css": "p { color: red }"},
    )
    ops = [op for event in read(path)[0] for op in event.get("ops", []) if op[0] == "sheet"]  # type: ignore[union-attr, attr-defined]
    assert [(op[0], op[3]) for op in ops] == [("sheet", "p { color: red }")]


# -- harm and damage -----------------------------------------------------------------------------------------------------


def test_of_a_cut_file_what_stands_before_the_cut_is_read(tmp_path: Path) -> None:
    path = trace(tmp_path / "t.zip", snapshot(PLAIN, 2_000), **{"resources/big.bin": bytes(range(256)) * 2_000})
    for whole_file in (path.read_bytes(), as_stream(path)):
        cut = tmp_path / "cut.zip"
        cut.write_bytes(whole_file[: int(len(whole_file) * 0.8)])
        events, reel = read(cut)
        assert [event["k"] for event in events if event["k"] == "snapshot"] and reel.damage is not None


def test_an_encrypted_trace_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = trace(tmp_path / "t.zip", snapshot(PLAIN, 2_000))
    raw = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = raw.find(mark)
        while at >= 0:
            raw[at + offset] |= 1
            at = raw.find(mark, at + 4)
    path.write_bytes(raw)
    with pytest.raises(ReelError, match="encrypted"):
        read(path)


def test_a_bomb_ends_where_the_limit_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = trace(tmp_path / "t.zip", snapshot(PLAIN, 2_000), " " * 40_000_000)
    monkeypatch.setattr(archive, "TOTAL_BYTES", 10_000_000)
    with pytest.raises(ReelError, match="unpacks to more"):
        read(path)


def test_lines_that_are_too_long_or_too_deep_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LINE_BYTES", 3_000_000)
    bottomless = "[" * 100_000
    path = trace(
        tmp_path / "t.zip",
        '{"type": "log", "message": "' + "x" * 4_000_000 + '"}',
        bottomless,
        snapshot(PLAIN, 2_000),
        "{cut",
    )
    events, reel = read(path)
    assert shown(events)[0] == [plain(PLAIN)]
    assert any("MiB" in warning for warning in reel.warnings) and any("no JSON" in warning for warning in reel.warnings)


def test_references_that_would_multiply_a_page_do_not(tmp_path: Path) -> None:
    lines = [snapshot(["HTML", {}, ["BODY", {}, ["DIV", {}, "a"]]], 2_000)]
    for number in range(40):
        lines.append(snapshot(["HTML", {}, ["BODY", {}]], 2_001 + 2 * number))
        lines.append(
            snapshot(
                ["HTML", {}, ["BODY", {}, ["DIV", {}, [[2, 1]], [[2, 1]], [[0, 0]], [[-3, 2]], [[9_999, 0]]]]],
                2_002 + 2 * number,
            )
        )
    trees, _ = shown(read(trace(tmp_path / "t.zip", *lines))[0])
    assert len(str(trees)) < 100_000


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [[]], {"html": 3}, [[[[[[]]]]]], True, 1e308, -1])
def test_no_wrong_type_ends_the_reading(tmp_path: Path, wrong: Any) -> None:
    good: list[dict[str, Any]] = [
        snapshot(PLAIN, 2_000),
        {"type": "before", "callId": "c", "startTime": 1, "class": "Frame", "method": "fill", "params": {"value": "x", "selector": "#a"}, "stack": [], "parentId": "p", "pageId": "page@1", "title": "t"},
        {"type": "input", "callId": "c", "point": {"x": 1, "y": 1}, "box": {}},
        {"type": "log", "callId": "c", "message": "m"},
        {"type": "after", "callId": "c", "endTime": 2, "error": {"message": "m"}, "attachments": [{"name": "n", "contentType": "text/plain", "base64": "eA=="}]},
        {"type": "console", "time": 1, "pageId": "page@1", "messageType": "log", "text": "t", "args": [{"preview": "p", "value": 1}], "location": {"url": "u", "lineNumber": 1, "columnNumber": 1}},
        {"type": "event", "time": 1, "class": "C", "method": "pageError", "params": {"error": {"error": {"message": "m", "stack": "s"}}}, "pageId": "page@1"},
        {"type": "event", "time": 1, "class": "C", "method": "page", "params": {"pageId": "page@2", "openerPageId": "page@1"}},
        {"type": "screencast-frame", "pageId": "page@1", "file": "resources/a", "timestamp": 1, "width": 1, "height": 1},
        {"type": "stdout", "timestamp": 1, "text": "t", "base64": "eA=="},
        {"type": "error", "message": "m", "stack": []},
    ]  # fmt: skip
    entry = {"type": "resource-snapshot", "snapshot": {"pageref": "page@1", "_frameref": "frame@1", "_monotonicTime": 1, "time": 1, "startedDateTime": "x", "_resourceType": "image", "timings": {"wait": 1}, "request": {"method": "GET", "url": "http://shop.example/a", "headers": [{"name": "a", "value": "b"}], "postData": {"_file": "resources/a", "mimeType": "text/plain"}}, "response": {"status": 200, "statusText": "OK", "headers": [], "content": {"mimeType": "text/css", "_file": "resources/a"}, "_transferSize": 1}}}  # fmt: skip
    lines = [*good, *[bent for line in good for bent in bends(line, wrong)]]
    network = [entry, *bends(entry, wrong), *bends(entry["snapshot"], wrong, entry)]
    path = zipped(
        tmp_path / "t.zip",
        {
            "trace.trace": [options(), *lines],
            "trace.network": network,
            "trace.stacks": json.dumps({"files": wrong, "stacks": [wrong]}),
            "resources/a": b"a",
        },
    )
    events, reel = read(path)
    assert reel.invalid == []
    assert [event["k"] for event in events if event["k"] == "snapshot"]


def bends(line: dict[str, Any], wrong: Any, within: dict[str, Any] | None = None) -> list[Any]:
    """The line with each of its fields, and those of its inner objects, gone wrong."""
    found: list[Any] = []
    for name, value in line.items():
        if name == "type":
            continue
        bent = [line | {name: wrong}]
        if isinstance(value, dict):
            bent += [line | {name: inner} for inner in bends(value, wrong)]
        found += bent if within is None else [within | {"snapshot": each} for each in bent]
    return found


def test_a_trace_without_anything_in_it_is_refused(tmp_path: Path) -> None:
    for files in ({"trace.trace": []}, {"trace.trace": [options(version=10_000)]}, {"trace.network": []}):
        with pytest.raises(ReelError):
            read(zipped(tmp_path / "t.zip", files))  # type: ignore[arg-type]
        (tmp_path / "t.zip").unlink()


def test_scripts_and_handlers_do_not_come_in(tmp_path: Path) -> None:
    html = ["HTML", {}, ["BODY", {"onload": "x()"}, ["SCRIPT", {"src": "a.js"}, "evil()"], ["A", {"href": " java\tscript:evil()"}, "a"], ["IFRAME", {"srcdoc": "<script>", "src": "http://evil.example"}], ["P", {}, "after"]]]  # fmt: skip
    path = trace(tmp_path / "t.zip", snapshot(html, 2_000), snapshot([[1, 8]], 2_001))
    text = json.dumps(read(path)[0])
    assert "evil" not in text and '["a", {"href": "#"}, "a"]' in text and "after" in text


def test_resources_go_by_the_last_answer(tmp_path: Path) -> None:
    def entry(time: float, status: int, file: str | None) -> dict[str, Any]:
        content = {"mimeType": "text/css"} | ({"_file": file} if file else {})
        request = {"method": "GET", "url": "http://shop.example/a.css", "headers": []}
        return {
            "type": "resource-snapshot",
            "snapshot": {
                "pageref": "page@1",
                "_frameref": "frame@1",
                "_monotonicTime": time,
                "time": 2,
                "request": request,
                "response": {"status": status, "headers": [], "content": content},
            },
        }

    path = zipped(
        tmp_path / "t.zip",
        {
            "trace.trace": [options(), snapshot(PLAIN, 2_000)],
            "trace.network": [
                entry(1_500, 200, "resources/1.css"),
                entry(1_600, 304, None),
                entry(1_700, 200, "resources/none.css"),
            ],
            "resources/1.css": "p {}",
        },
    )
    events, _ = read(path)
    answers = [event for event in events if event["k"] == "response"]
    assert [("body" in answer, answer.get("why")) for answer in answers] == [
        (True, None),
        (False, "gone"),
        (False, "gone"),
    ]
    assert [event["text"] for event in events if event["k"] == "resource"] == ["p {}"]
    with zipfile.ZipFile(path) as archive_:
        assert len(archive_.namelist()) == 3


def test_the_colours_of_a_terminal_hide_no_word() -> None:
    from pagereel.sources.trace.actions import read_error

    assert (
        read_error({"error": {"message": "\x1b[31mWelcome \x1b[7mada\x1b[27m@example.com\x1b[0m"}})
        == "Welcome ada@example.com"
    )


def test_a_snapshot_of_more_nodes_than_are_read_is_cut_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("snapshot_grammar", "frame_snapshots", "trace_reader"):
        monkeypatch.setattr(f"pagereel.sources.trace.{module}.MOST_NODES", 100, raising=True)
    page = ["HTML", {}, ["BODY", {}, *[["P", {}, "x"]] * 500]]
    events, reel = read(trace(tmp_path / "a.zip", snapshot(page, 1_100), snapshot(page, 1_200, frameId="other")))
    assert any("more than 100 nodes at a moment" in warning for warning in reel.warnings)
    _, model = shown(events)
    assert sum(len(document.nodes) for document in model.documents.values()) < 210
