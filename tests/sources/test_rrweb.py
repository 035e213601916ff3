"""rrweb's events as a recording: what they say of a page, in whatever they are wrapped, and whatever is wrong with them."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pagereel.css import split_rules
from pagereel.errors import ReelError
from pagereel.integrations import export
from pagereel.player_build import build
from pagereel.reading import open_recording
from pagereel.reel import (
    COMMENT,
    CONTENT,
    DOCTYPE,
    ELEMENT,
    KINDS,
    MASK,
    PI,
    SHADOW,
    DocumentModel,
    Event,
    Node,
    PageModel,
    get_field_value,
    get_selected_indexes,
    is_checked,
    iter_options,
)
from pagereel.reel.digest import compute_digest
from pagereel.sources import open_any
from pagereel.sources.rrweb.rule_changes import StyleSheetRules, merge_declarations
from tests.reel import sample

START = 1_760_000_000_000


# -- there and back ---------------------------------------------------------------------------------------------------


_ADDRESSES = ("src", "href", "srcset", "poster", "data", "background", "rel", "sandbox", "open")
"""Attributes that rrweb has in other words."""


def lines(model: PageModel, document: DocumentModel) -> Iterator[str]:
    """What rrweb can say of a document and the frames in it, a line each."""
    frames = {inner.parent: inner for inner in model.documents.values() if inner.parent is not None}
    names: dict[int, str] = {}

    def walk(node: Node, depth: int) -> Iterator[str]:
        names[node.id] = f"{len(names)}"
        yield f"{'>' * depth}{about(node)}"
        inner = frames.get((document.d, node.id))
        if inner is not None and inner.root is not None and node.name == "iframe":
            yield from lines(model, inner)
        if node.inner is not None and node.inner.kind == SHADOW:
            yield from walk(node.inner, depth + 1)
        for child in node.children:
            if child.kind != CONTENT:
                yield from walk(child, depth + 1)

    def about(node: Node) -> str:
        if node.kind == ELEMENT:
            kept = {k: v for k, v in node.attrs.items() if k not in _ADDRESSES and not (k == "style" and "url(" in v)}
            state: list[object] = [node.name, sorted(kept.items())]
            if node.name in ("input", "textarea"):
                checks = node.attrs.get("type", "").lower() in ("checkbox", "radio")
                state.append(is_checked(node) if checks else get_field_value(node))
            elif node.name == "select":
                state.append((get_selected_indexes(node)[:1], len(list(iter_options(node)))))
            state.append([round(float(str(each))) for each in list((node.state or {}).get("scroll") or ())[:2]])  # type: ignore[call-overload]
            return repr(state)
        if node.kind in (COMMENT, PI):
            return f"comment {node.data if node.kind == COMMENT else f'?{node.name} {node.data}?'}"
        if node.kind == DOCTYPE:
            return f"doctype {node.name} {node.attrs}"
        style = node.parent is not None and node.parent.name in ("style", "svg|style")
        return f"{node.kind} {'css' if style else node.data}"

    assert document.root is not None
    yield f"address {document.url}"
    yield from walk(document.root, 0)
    for sheet in document.sheets.values():
        if sheet.owner in document.nodes and document.nodes[sheet.owner].name == "link":
            continue  # rrweb has the text of all of these
        if sheet.owner or any(sheet.number in adopted for adopted in document.adopted.values()):
            yield f"sheet {names.get(sheet.owner)} {split_rules(sheet.text)}"
    for root, adopted in document.adopted.items():
        yield f"adopted {names[root]} {len(adopted)}"
    yield f"focus {names.get(document.focus)} layer {[names[node] for node, how in document.top_layer.items() if how in ('modal', 'dialog')]}"


def said(path: Path, moments: list[float], shift: float = 0) -> list[str]:
    """The digest of what rrweb can say of the first page at each moment."""
    model, found, rest = PageModel(), [], sorted(moments)
    with open_any(path) as recording:
        for event in [*recording.timeline(), {"k": "", "t": 1e12}]:
            while rest and float(str(event.get("t") or 0)) + shift > rest[0] + 0.5:
                rest.pop(0)
                page = next(iter(model.pages.values()), None)
                top = model.documents.get(page.document or 0) if page is not None else None
                found.append(
                    compute_digest(f"{line}\n" for line in lines(model, top)) if top is not None and top.root else ""
                )
            model.apply(event)
    return found


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rrweb") / "sample.reel"
    sample.write_sample(path)
    return path


def test_there_and_back_everything_that_rrweb_can_say_is_the_same(reel: Path, tmp_path: Path) -> None:
    back = tmp_path / "run.rrweb.json"
    back.write_text(str(export(reel, "rrweb")))
    first = json.loads(back.read_text())[0]["timestamp"]
    moments = [100.0, 300, 450, 600, 960, 1_000, 1_430, 1_500, 1_700, 2_500, 9_000]
    before, after = said(reel, moments), said(back, moments, first - START)
    assert len(set(before)) > 6
    assert after == before
    ours, theirs = open_recording(reel), open_recording(back)
    assert theirs.kind == "rrweb"
    for name in ("steps", "notes"):
        told = [each for each in getattr(ours, name)() if KINDS[each["kind"]].rrweb]
        for one, two in zip(told, getattr(theirs, name)(), strict=True):
            assert {k: v for k, v in two.items() if k != "t"} == {k: v for k, v in one.items() if k not in ("t",)}
    assert [line["text"] for line in theirs.console()] == [line["text"] for line in ours.console()]


def test_there_and_back_each_frame_has_the_address_of_what_it_shows(tmp_path: Path) -> None:
    shown = ["about:srcdoc", "https://a.example/after-a-link", "blob:https://a.example/1", "about:blank"]
    script = sample.Script(tmp_path / "frames.reel")
    script.run("page", 0, page=1, event="open", url="about:blank")

    def document(d: int, url: str, *body: Any, **more: Any) -> None:
        view = {"w": 800, "h": 600, "dpr": 1}
        script.run(
            "document", 10 * d, d=d, page=1, frame=f"F{d}", url=url, top=d == 1, viewport=view, mode="BackCompat"
        )
        if d > 1:
            script.run("embed", 10 * d + 1, d=d, parent=1, node=3 + d)
        tree = ["#document", {}, ["html", {}, ["head", {}], ["body", {}, *body]]]
        script.page("snapshot", 10 * d + 2, d, ops=[["doc", 1, tree]], why="start")

    frames = [["iframe", {"src": "/first"} if "link" in url else {}] for url in shown]
    document(1, "https://a.example/", *frames)
    for d, url in enumerate(shown, 2):
        document(d, url, f"at {url}")
    script.page("location", 100, 3, url="https://a.example/pushed")
    script.page("location", 120, 1, url="https://a.example/#top")
    script.writer.close()
    back = written(tmp_path / "back.json", json.loads(str(export(tmp_path / "frames.reel", "rrweb"))))
    moments = [80.0, 110, 200]
    before, after = said(tmp_path / "frames.reel", moments), said(back, moments, 12)
    assert len(set(before)) == 3
    addresses = [document.url for document in model_of(back)[0].documents.values()]
    assert addresses == ["https://a.example/#top", "about:srcdoc", "https://a.example/pushed", *shown[2:]]
    assert after == before


def test_a_frame_of_rrwebs_own_whose_page_stands_in_srcdoc_says_so(tmp_path: Path) -> None:
    def inner(number: int) -> dict[str, Any]:
        return {"type": 0, "id": number, "childNodes": [element(number + 1, "html")]}

    def attach(frame: int, number: int) -> dict[str, Any]:
        return {"source": 0, "adds": [{"parentId": frame, "nextId": None, "node": inner(number)}]}

    def change(number: int, **given: Any) -> dict[str, Any]:
        return {"source": 0, "attributes": [{"id": number, "attributes": given}]}

    with_srcdoc = element(6, "iframe", attributes={"srcdoc": "<p>", "src": "/unused"})
    shop = page(with_srcdoc, element(7, "iframe", attributes={"rr_src": "/frame"}))
    events = recording(shop, (5, attach(6, 100)), (6, attach(7, 200)), (7, change(6, srcdoc=None)), (8, attach(6, 300)), (9, change(7, srcdoc="")), (10, attach(7, 400)))  # fmt: skip
    model, _ = model_of(written(tmp_path / "x.json", events))
    addresses = [document.url for document in model.documents.values() if not document.top]
    assert addresses[-2:] == ["https://a.example/unused", "about:srcdoc"]
    first, _ = model_of(written(tmp_path / "y.json", events[:4]))
    assert [document.url for document in first.documents.values()][1:] == ["about:srcdoc", "https://a.example/frame"]


# -- events by hand ---------------------------------------------------------------------------------------------------


def element(number: int, tag: str, *children: Any, **more: Any) -> dict[str, Any]:
    attributes = more.pop("attributes", {})
    return {"type": 2, "id": number, "tagName": tag, "attributes": attributes, "childNodes": list(children), **more}


def text(number: int, content: str, **more: Any) -> dict[str, Any]:
    return {"type": 3, "id": number, "textContent": content, **more}


def page(*body: Any, head: tuple[Any, ...] = ()) -> dict[str, Any]:
    html = element(3, "html", element(4, "head", *head), element(5, "body", *body))
    return {
        "type": 0,
        "id": 1,
        "childNodes": [{"type": 1, "id": 2, "name": "html", "publicId": "", "systemId": ""}, html],
    }


def recording(node: dict[str, Any], *more: tuple[int, dict[str, Any]], url: str = "https://a.example/x") -> list[Any]:
    events: list[Any] = [
        {"type": 4, "data": {"href": url, "width": 800, "height": 600}, "timestamp": START},
        {"type": 2, "data": {"node": node, "initialOffset": {"top": 7, "left": 0}}, "timestamp": START + 1},
    ]
    events += [{"type": 3, "data": data, "timestamp": START + t} for t, data in more]
    return events


def written(path: Path, events: Any) -> Path:
    path.write_text(json.dumps(events))
    return path


def model_of(path: Path) -> tuple[PageModel, list[Event]]:
    model = PageModel()
    with open_any(path) as opened:
        events = list(opened.timeline())
        assert opened.invalid_count == 0
    for event in events:
        model.apply(event)
    assert model.error_count == 0, model.problem_texts
    return model, events


def outline_of(path: Path) -> str:
    return str(open_recording(path).text()[0]["text"])


def test_a_page_and_what_became_of_it(tmp_path: Path) -> None:
    secret = element(20, "input", attributes={"type": "password", "value": "hunter2"})
    card = element(21, "input", attributes={"autocomplete": "cc-number", "name": "n"})
    shop = page(
        element(6, "p", text(7, "One"), attributes={"onclick": "x()", "style": "color: red; margin: 0px;"}),
        secret, card, element(22, "textarea", attributes={"value": "Ring twice"}),
        element(23, "select", element(24, "option", text(25, "A")), element(26, "option", text(27, "B")), attributes={"value": "A"}),
        element(30, "x-card", element(31, "b", text(32, "within"), isShadow=True), element(33, "slot"), isShadowHost=True, isCustom=True),
        element(40, "svg", element(41, "lineargradient", isSVG=True), isSVG=True),
        element(45, "script", text(46, "alert(1)"), attributes={"src": "x.js"}),
        element(48, "div", attributes={"class": "rr-block", "rr_width": "80px", "rr_height": "20px"}),
    )  # fmt: skip
    nothing: dict[str, Any] = {"source": 0, "adds": [], "removes": [], "texts": [], "attributes": []}
    path = written(
        tmp_path / "x.json",
        recording(
            shop,
            (10, nothing | {"adds": [
                {"parentId": 5, "nextId": 51, "node": element(50, "i")}, {"parentId": 50, "nextId": None, "node": text(52, "early")},
                {"parentId": 5, "nextId": 6, "node": element(51, "u")}]}),
            (11, nothing | {"removes": [{"parentId": 5, "id": 51}], "texts": [{"id": 7, "value": "Two"}],
                            "attributes": [{"id": 6, "attributes": {"style": {"color": ["blue", "important"], "margin": False}, "onclick": None}}]}),
            (12, {"source": 5, "id": 20, "text": "hunter3", "isChecked": False}),
            (13, {"source": 5, "id": 21, "text": "4111 1111", "isChecked": False}),
            (14, {"source": 5, "id": 23, "text": "B", "isChecked": False}),
            (15, {"source": 3, "id": 1, "x": 0, "y": 120}),
            (16, {"source": 1, "positions": [{"x": 1, "y": 2, "id": 6, "timeOffset": -4}, {"x": 3, "y": 4, "id": 6, "timeOffset": 0}]}),
            (17, {"source": 2, "type": 2, "id": 6, "x": 3, "y": 4}), (18, {"source": 2, "type": 5, "id": 21}),
            (19, nothing | {"adds": [{"parentId": 30, "nextId": None, "node": element(60, "em", text(61, "also within"), isShadow=True)}]}),
        ),
    )  # fmt: skip
    model, events = model_of(path)
    document = model.documents[1]
    assert document.root is not None and document.root.state == {"scroll": [0, 120]}
    words = outline_of(path)
    for each in ("Two", "early", "within", "also within", "Ring twice"):
        assert each in words
    assert "hunter" not in json.dumps(events) and "4111" not in json.dumps(events) and "alert" not in json.dumps(events)
    found = {node.name: node for node in document.walk()}
    assert found["p"].attrs == {"style": "color: blue !important;"}
    assert "svg|linearGradient" in found and found["div"].attrs["style"] == "width:80px;height:20px;"
    inputs = [node for node in document.walk() if node.name == "input"]
    assert [get_field_value(node) for node in inputs] == [MASK, MASK] and get_selected_indexes(found["select"]) == [1]
    kinds = [event["k"] for event in events]
    assert {"page", "document", "snapshot", "mutation", "pointer", "mouse", "gap"} <= set(kinds)
    pointer = next(event for event in events if event["k"] == "pointer")
    assert pointer["points"] == [[0, 1, 2], [4, 3, 4]]
    assert document.focus == inputs[1].id
    build(path, tmp_path / "x.html", redaction=None)


def test_a_checkout_is_the_same_document_and_a_load_another(tmp_path: Path) -> None:
    events = recording(page(element(6, "p", text(7, "first"))))
    again = recording(page(element(16, "p", text(17, "again"))), url="https://a.example/x#part")
    later = recording(page(element(26, "p", text(27, "later"))))
    loaded = [{"type": 0, "data": {}, "timestamp": START + 49}]
    for event, t in [*((e, 20) for e in again), *((e, 50) for e in later)]:
        event["timestamp"] = START + t
    model, read = model_of(written(tmp_path / "x.json", events + again + loaded + later))
    assert len(model.documents) == 2 and model.documents[1].url == "https://a.example/x#part"
    assert [event["why"] for event in read if event["k"] == "snapshot"] == ["start", "heal", "start"]
    assert "later" in outline_of(tmp_path / "x.json")


def test_frames_sheets_canvases_and_media(tmp_path: Path) -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="
    inner = {
        "type": 0,
        "id": 100,
        "childNodes": [element(101, "html", element(102, "body", text(103, "in the frame"), rootId=100), rootId=100)],
    }
    link = element(8, "link", attributes={"_cssText": "a{color:red}b{color:blue}"})
    style = element(9, "style", text(10, "p{color:green}", isStyle=True))
    shop = page(
        element(6, "iframe", attributes={"rr_src": "/frame"}), element(7, "canvas", attributes={"rr_dataURL": picture}),
        element(11, "video", attributes={"rr_mediaState": "played", "rr_mediaCurrentTime": 2.5}),
        element(12, "dialog", text(13, "hi"), attributes={"open": True, "rr_open_mode": "modal"}), head=(link, style),
    )  # fmt: skip
    attach = {
        "source": 0,
        "adds": [{"parentId": 6, "nextId": None, "node": inner}],
        "removes": [],
        "texts": [],
        "attributes": [],
        "isAttachIframe": True,
    }
    path = written(
        tmp_path / "x.json",
        recording(
            shop, (5, attach),
            (6, {"source": 8, "id": 8, "adds": [{"rule": "i{color:pink}", "index": 1}], "removes": [{"index": 0}]}),
            (7, {"source": 13, "id": 9, "index": [0], "set": {"property": "color", "value": "black", "priority": ""}}),
            (8, {"source": 15, "id": 1, "styleIds": [5], "styles": [{"styleId": 5, "rules": [{"rule": "q{top:0}", "index": 0}]}]}),
            (9, {"source": 8, "styleId": 5, "adds": [{"rule": "s{top:1px}"}]}),
            (10, {"source": 3, "id": 100, "x": 0, "y": 33}), (11, {"source": 7, "id": 11, "type": 1, "currentTime": 4}),
            (12, {"source": 9, "id": 7, "type": 0, "commands": [{"property": "fillRect", "args": [0, 0, 1, 1]}]}),
        ),
    )  # fmt: skip
    model, events = model_of(path)
    top, frame = model.documents[1], model.documents[2]
    assert frame.parent is not None and frame.url == "https://a.example/frame" and frame.root is not None
    assert frame.root.state == {"scroll": [0, 33]}
    assert "in the frame" in outline_of(path)
    sheets = {sheet.owner: split_rules(sheet.text) for sheet in top.sheets.values()}
    link_id, style_id = (next(node.id for node in top.walk() if node.name == name) for name in ("link", "style"))
    assert sheets[link_id] == ["i{color:pink}", "b{color:blue}"]
    assert [rule.replace(" ", "") for rule in sheets[style_id]] == ["p{color:black;}"]
    assert sheets[0] == ["s{top:1px}", "q{top:0}"] and top.root is not None and top.adopted == {top.root.id: [3]}
    states = {node.name: node.state for node in top.walk() if node.state}
    assert states["video"] == {"media": {"paused": True, "time": 4}} and states["dialog"] == {"open": "modal"}
    assert any(event["k"] == "resource" for event in events) and "canvas" in (states["canvas"] or {})
    with open_any(path) as opened:
        assert any("canvases by commands" in warning for warning in opened.warnings)


def test_what_is_no_change_of_the_page_is_told(tmp_path: Path) -> None:
    events = recording(page(text(6, "x")))
    more = [
        (5, {"tag": "mark", "payload": {"name": "here"}}),
        (5, {"tag": "checkout", "payload": {"step": 3}}),
        (5, {"tag": "location", "payload": {"url": "https://a.example/y"}}),
        (5, {"tag": "breadcrumb", "payload": {"payload": {"category": "console", "level": "error", "message": "boom"}}}),
        (5, {"tag": "step", "payload": {"id": "not a step"}}),
        (6, {"plugin": "rrweb/console@1", "payload": {"level": "warn", "payload": ['"slow"', '{"a":1}']}}),
        (6, {"plugin": "rrweb/network@1", "payload": {"requests": [{"name": "https://a.example/api", "status": 500, "duration": 3}]}}),
    ]  # fmt: skip
    events += [{"type": kind, "data": data, "timestamp": START + 30 + i} for i, (kind, data) in enumerate(more)]
    reading = open_recording(written(tmp_path / "x.json", events))
    assert [(line["level"], line["text"]) for line in reading.console()] == [
        ("error", "boom"),
        ("warning", 'slow {"a":1}'),
    ]
    assert [(each["url"], each["failed"]) for each in reading.requests()] == [("https://a.example/api", "500")]
    notes = reading.notes()
    assert [(note["kind"], note.get("name") or note.get("text")) for note in notes] == [
        ("mark", "here"),
        ("note", "checkout"),
        ("note", "step"),
    ] or notes
    assert reading.text()[0]["url"] == "https://a.example/y"


# -- wrappings --------------------------------------------------------------------------------------------------------


def gz(value: Any) -> str:
    return gzip.compress(json.dumps(value).encode()).decode("latin-1")


def wrappings() -> Iterator[tuple[str, bytes]]:
    events = recording(
        page(element(6, "p", text(7, "One"))),
        (5, {"source": 0, "adds": [], "removes": [], "texts": [{"id": 7, "value": "wrapped"}], "attributes": []}),
    )
    plain = json.dumps(events)
    yield "array", plain.encode()
    yield "pretty", json.dumps(events, indent=1).encode()
    yield "lines", "\n".join(map(json.dumps, events)).encode()
    yield "lines with a mark and blank ones", b"\xef\xbb\xbf" + "\n\n".join(map(json.dumps, [*events, {}])).encode()
    yield "events", json.dumps({"events": events, "id": 5}).encode()
    yield "nested strings", json.dumps({"data": json.dumps({"events": json.dumps(events)})}).encode()
    yield "windows", json.dumps({"snapshot_data_by_window_id": {"w1": events}}).encode()
    meta, full, change = events
    packed = [meta, {**full, "cv": "2024-10", "data": gz(full["data"])},
              {**change, "cv": "2024-10", "data": {**change["data"], "texts": gz(change["data"]["texts"]), "adds": gz([])}}]  # fmt: skip
    yield "PostHog, compressed", json.dumps({"snapshot_data_by_window_id": {"w1": packed}}).encode()
    yield "PostHog, lines", "\n".join(json.dumps(["w1", event]) for event in packed).encode()
    yield "PostHog, blobs", json.dumps({"window_id": "w1", "data": packed}).encode()
    yield "Sentry", b'{"segment_id":0}\n' + plain.encode()
    yield "Sentry, compressed", b'{"segment_id":0}\n' + zlib.compress(plain.encode())
    yield "Sentry, segments", json.dumps([events[:2], events[2:]]).encode()
    yield (
        "rrweb's packer",
        json.dumps(
            [zlib.compress(json.dumps({**event, "v": "v1"}).encode()).decode("latin-1") for event in events]
        ).encode(),
    )


@pytest.mark.parametrize(
    ("name", "content"), list(wrappings()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_wrapping_is_opened(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert "wrapped" in outline_of(tmp_path / "x")
    with open_any(tmp_path / "x") as opened:
        assert opened.damage is None
        imported = opened.header["imported"]
    assert isinstance(imported, dict) and imported["from"] == "rrweb"
    assert imported["name"] == ("PostHog" if name.startswith("PostHog") else "rrweb")


def test_two_windows_are_two_pages(tmp_path: Path) -> None:
    one, two = recording(page(text(6, "one"))), recording(page(text(6, "two")))
    path = written(tmp_path / "x.json", {"snapshot_data_by_window_id": {"w1": one, "w2": two}})
    assert [(each["page"], each["text"]) for each in open_recording(path).text()] == [(1, "one"), (2, "two")]


# -- what is none, or hostile -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"[]", b"{}", b'{"a": [1, 2, {"type": 4}]}', b'[{"type": "4", "data": {}, "timestamp": 1}]', b"[" * 100_000, b"{not json", b'[{"type":2,',
     b'{"type":4,"data":{},"timestamp":1e300}'],
)  # fmt: skip
def test_other_json_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with (
        pytest.raises(ReelError, match=r"x\.json is JSON without rrweb's events") as error,
        open_any(tmp_path / "x.json"),
    ):
        pass
    assert "\n" not in str(error.value)


def test_of_a_file_that_is_cut_off_the_beginning_is_given(tmp_path: Path) -> None:
    whole = json.dumps(
        recording(page(text(6, "still here")), *((n, {"source": 3, "id": 1, "x": 0, "y": n}) for n in range(9)))
    )
    for cut in (len(whole) - 10, len(whole) - 200):
        (tmp_path / "x.json").write_text(whole[:cut])
        assert "still here" in outline_of(tmp_path / "x.json")
        with open_any(tmp_path / "x.json") as opened:
            assert opened.damage is not None and "no JSON" in opened.damage.reason and not opened.sealed
    lines = "\n".join(json.dumps(event) for event in json.loads(whole))
    (tmp_path / "x.json").write_text(lines[:-5])
    with open_any(tmp_path / "x.json") as opened:
        assert opened.damage is not None and "1 of its lines" in opened.damage.reason


def deep(levels: int) -> dict[str, Any]:
    node = text(10_000, "at the bottom")
    for level in range(levels):
        node = element(9_000 - level, "div", node)
    return node


def test_a_deep_page_keeps_its_bottom(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", recording(page(deep(300))))
    assert "at the bottom" in outline_of(path)
    model_of(path)


HOSTILE: list[Any] = [
    {"source": 0, "adds": [{"parentId": 5, "nextId": 6, "node": element(5, "div")}, 7, {"node": []}, {"parentId": "x"}], "removes": [None, {"id": 2**70}],
     "texts": [{"id": 1, "value": "doc"}, {"id": 5, "value": 5}], "attributes": [{"id": 5, "attributes": {"": "x", "a": {}, "style": {"b": [1]}}}, {"id": 1}]},
    {"source": 0, "adds": [{"parentId": 6, "nextId": None, "node": element(3, "html")}], "removes": [{"id": 1}]},
    {"source": 0, "adds": [{"parentId": 900 + n, "nextId": 901 + n, "node": element(899 + n, "p")} for n in range(500)]},
    {"source": 0, "adds": "x", "removes": {}, "texts": 5, "attributes": None}, {"source": 1, "positions": [{"x": "a"}, {"timeOffset": -1e300}]},
    {"source": 2, "type": 99, "id": 5}, {"source": 2, "type": 2, "id": 5, "x": 1e300, "y": None}, {"source": 3, "id": 5, "x": "1"},
    {"source": 4, "width": -1, "height": 1e99}, {"source": 5, "id": 5, "text": 5}, {"source": 5, "id": 6, "text": "not a field"},
    {"source": 7, "id": 6, "currentTime": "x"}, {"source": 8, "id": 5}, {"source": 8, "styleId": 2**80, "adds": [{"rule": 5}]},
    {"source": 9, "id": 6, "commands": [{"args": [{"args": 5}], "property": "drawImage"}]}, {"source": 10, "family": 5},
    {"source": 13, "id": 6, "index": [-1, "x"]}, {"source": 14, "ranges": [{"start": 1}]}, {"source": 15, "id": 6, "styleIds": [None], "styles": [5]},
    {"source": "0"}, {}, {"source": 99},
]  # fmt: skip


def test_hostile_events_are_left_out(tmp_path: Path) -> None:
    shop = page(
        element(6, "p", text(7, "fine"), attributes=5),
        element(-1, "x|y"),
        element(2**70, ""),
        {"type": 77},
        5,
        None,
        {"type": 2, "tagName": "#document"},
    )
    events = recording(shop, *((n + 10, data) for n, data in enumerate(HOSTILE[:1] + HOSTILE[2:])))
    events += [
        {"type": 2, "data": {"node": {"type": 2}}, "timestamp": START + 90},
        {"type": 4, "data": {"href": 5, "width": "x"}, "timestamp": START + 91},
    ]
    events += [
        {"type": 5, "data": {"tag": "mark", "payload": {"name": 5}}, "timestamp": START + 92},
        {"type": 6, "data": {"plugin": 5}, "timestamp": START + 93},
    ]
    path = written(tmp_path / "x.json", events)
    model_of(path)
    assert "fine" in outline_of(path)
    model_of(
        written(tmp_path / "y.json", recording(page(text(7, "x")), *((n, data) for n, data in enumerate(HOSTILE))))
    )
    build(path, tmp_path / "x.html", redaction=None)


def test_rules_are_inserted_removed_and_declared_by_path() -> None:
    sheet = StyleSheetRules("a { color: red } @media print { b { top: 0 } c { left: 0 } }")
    sheet.insert_rule("d { top: 1px }", [1, 1])
    sheet.remove_rule([1, 0])
    sheet.change_declarations([1, 0], {"top": None, "right": "2px !important"})
    sheet.insert_rule("e { x: y }", 0)
    for wrong in (None, [9, 9, 9], "x", -1, [0, 5]):
        sheet.remove_rule(wrong)
    assert [" ".join(rule.split()) for rule in split_rules(sheet.text)] == [
        "e { x: y }", "a { color: red }", "@media print { d { right: 2px !important; } c { left: 0 } }",
    ]  # fmt: skip
    assert (
        merge_declarations('background: url("a;b:c"); --X: {a:b}', {"color": "red"})
        == 'background: url("a;b:c"); --X: {a:b}; color: red;'
    )


def test_a_long_array_of_events_is_read_item_by_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As objects all at once, a hundred megabytes of events take two gigabytes."""
    from pagereel.sources.rrweb import rrweb_files as of_files

    monkeypatch.setattr(of_files, "_PIECE", 10)
    events = [{"type": 3, "data": {"text": 'a "b", [c] \\'}, "timestamp": t} for t in range(1, 6)]
    for text in (json.dumps(events), json.dumps(events, indent=1), json.dumps(events)[:-1] + ", ]"):
        (tmp_path / "a.json").write_text(text)
        told = of_files.ReadReport()
        with (tmp_path / "a.json").open("rb") as file:
            found = [each.event for each in of_files.iter_window_events(tmp_path / "a.json", file, told)]
        assert found == events and told.damage is None
    (tmp_path / "a.json").write_text(json.dumps(events)[:-30])
    with (tmp_path / "a.json").open("rb") as file:
        found = [each.event for each in of_files.iter_window_events(tmp_path / "a.json", file, told)]
    assert found == events[:-1] and "it is no JSON from byte" in str(told.damage)
    monkeypatch.setattr(of_files, "_PARTS", 10)
    (tmp_path / "a.json").write_text(json.dumps({"events": events}))
    with (tmp_path / "a.json").open("rb") as file, pytest.raises(ReelError, match="write its events as lines"):
        list(of_files.iter_window_events(tmp_path / "a.json", file, told))


@pytest.mark.parametrize("text", ["url(" * 100_000, "url(" + " " * 100_000, 'url("' * 100_000, "@import url(" * 50_000])
def test_addresses_in_a_style_sheet_are_looked_for_in_time_that_grows_with_it(text: str) -> None:
    from pagereel.integrations.rrweb import nodes as rrweb_nodes

    began = time.process_time()
    assert rrweb_nodes._IMPORT.sub("", rrweb_nodes._URL.sub("", text)) == text
    assert time.process_time() - began < 2
    assert rrweb_nodes._URL.sub("-", "url( 'a b' ) url(x.png) url(\"\")") == "- - -"
