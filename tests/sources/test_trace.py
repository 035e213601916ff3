"""Traces of the Playwright that is installed, recorded here, against what its own viewer makes of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import groupby, zip_longest
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, TimeoutError
from websockets.sync.server import ServerConnection, serve

from pagereel import build
from pagereel.fixtures.trap_site import TrapSite
from pagereel.reading import open_recording
from pagereel.reel import ELEMENT, Event, PageModel
from pagereel.sources import open_any
from tests.chromium import open_chromium

from .rendering import of_model, plain, snapshots

SECRET = "correct-horse-battery"


@pytest.fixture(scope="module")
def chromium_here() -> Iterator[Browser]:
    with open_chromium() as chromium:
        yield chromium


def walk(page: Page, site: TrapSite) -> None:
    """What a test does: loads, fills, clicks, fails."""
    page.goto(f"{site.url}/forms.html")
    page.evaluate(
        """() => {
          document.body.insertAdjacentHTML('beforeend', '<p id=one><b>one</b> and <i>two</i></p><ul id=list><li>a</li><li>b</li><li>c</li></ul>'
            + '<form><input id=user><input type=password id=pass></form><input name=cardnumber value=4111111111111111><div id=host></div>');
          const root = document.querySelector('#host').attachShadow({mode: 'open'});
          const sheet = new CSSStyleSheet(); sheet.replaceSync('em { color: red }');
          root.adoptedStyleSheets = [sheet]; document.adoptedStyleSheets = [sheet];
          root.innerHTML = '<em>in the shadow</em><slot></slot>';
        }"""
    )
    page.fill("#user", "ada")
    page.fill("#pass", SECRET)
    page.evaluate(
        "() => { const l = document.querySelector('#list'); l.prepend(l.lastElementChild); l.children[1].remove() }"
    )
    page.evaluate(
        "() => { const p = document.querySelector('#one'), d = document.createElement('section'); p.before(d); d.append(p, ' after') }"
    )
    page.evaluate(
        "() => { window.kept = document.querySelector('#one'); kept.remove(); console.warn('taken out', {n: 1}) }"
    )
    page.evaluate(
        "() => { kept.lastChild.textContent = 'back'; document.body.prepend(kept); setTimeout(() => { throw new Error('late') }) }"
    )
    with pytest.raises(TimeoutError):
        page.locator("#nobody").click(timeout=200)
    page.goto(f"{site.url}/frames.html")
    page.wait_for_timeout(100)
    page.goto(f"{site.url}/layers.html")
    page.mouse.move(5, 5)
    page.evaluate("() => scrollTo(0, 50)")
    page.goto(f"{site.url}/foreign.html")
    page.goto(f"{site.url}/cssom.html")


@pytest.fixture(scope="module")
def trace(chromium_here: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "trace.zip"
    context = chromium_here.new_context()
    context.tracing.start(screenshots=True, snapshots=True, sources=True, title="A walk")
    with TrapSite() as site:
        walk(context.new_page(), site)
    context.tracing.stop(path=path)
    context.close()
    return path


@pytest.fixture(scope="module")
def events(trace: Path) -> list[Event]:
    with open_any(trace) as reel:
        found = list(reel.timeline())
        assert reel.kind == "trace" and reel.damage is None and reel.warnings == () and reel.invalid == []
    return found


def of(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event["k"] == kind]


def test_each_snapshot_is_in_the_reel_as_the_viewer_renders_it(trace: Path, events: list[Event]) -> None:
    states: dict[str, list[object]] = {}
    model = PageModel()
    for event in events:
        model.apply(event)
        if event["k"] in ("snapshot", "mutation"):
            document = model.documents[int(str(event["d"]))]
            root = next(node for node in document.root.children if node.kind == ELEMENT) if document.root else None
            assert root is not None
            states.setdefault(document.frame, []).append(of_model(root))
    assert model.error_count == 0
    rendered: dict[str, list[object]] = {}
    for snapshot, tree in snapshots(trace):
        rendered.setdefault(snapshot["frameId"], []).append(masked(plain(tree)))
    assert states.keys() == rendered.keys()
    for frame, wanted in rendered.items():
        for one, other in zip_longest(changes(states[frame]), changes(wanted)):
            assert one == other
    assert sum(map(len, rendered.values())) > 40


def changes(trees: list[object]) -> list[object]:
    """The trees that are not the one before."""
    return [tree for tree, _ in groupby(trees)]


def masked(tree: list[object]) -> object:
    if isinstance(tree, str):
        return tree
    tag, attrs, *children = tree
    if isinstance(attrs, dict) and attrs.get("name") == "cardnumber" and "value" in attrs:
        attrs = attrs | {"value": "•••••"}
    return [tag, attrs, *[masked(child) for child in children]]  # type: ignore[arg-type]


def test_nodes_that_stay_keep_their_ids(events: list[Event]) -> None:
    ops = [op for event in of(events, "mutation") for op in event["ops"]]  # type: ignore[union-attr]
    assert [op for op in ops if op[0] == "move"]
    assert max(len(str(op)) for op in ops if op[0] in ("add", "move", "del")) < 5_000


def test_calls_say_what_was_called_and_how_it_ended(events: list[Event]) -> None:
    calls = of(events, "call")
    fill = next(call for call in calls if call["method"] == "fill")
    assert fill["params"] == {"value": "ada"} and fill["locator"] == 'locator("#user")' and fill["call"]
    assert fill["source"]["file"].endswith("test_trace.py")  # type: ignore[index]
    assert '    page.fill("#user", "ada")' in fill["source"]["code"]  # type: ignore[index]
    failed = [call for call in calls if "error" in call]
    assert len(failed) == 1 and failed[0]["method"] == "click" and "waiting for locator" in str(failed[0]["error"])
    snapshot = of(events, "snapshot")[1]
    goto = next(call for call in calls if call["method"] == "goto")
    assert snapshot["t"] == round(float(str(goto["t"])) + float(str(goto["duration"])), 1)


def test_what_is_typed_into_a_password_field_is_nowhere(trace: Path, events: list[Event]) -> None:
    assert SECRET not in str(events) and "4111111111111111" not in str([e for e in events if e["k"] != "resource"])
    assert [call["params"] for call in of(events, "call") if call["method"] == "fill"][1] == {"value": "•••••"}
    masks = {op[2] for event in of(events, "mutation") for op in event["ops"] if op[0] == "masked"}  # type: ignore[union-attr]
    assert {"password", "card"} <= masks


def test_state_sheets_frames_and_what_the_browser_said(events: list[Event]) -> None:
    ops = [op for event in events if event["k"] in ("snapshot", "mutation") for op in event["ops"]]  # type: ignore[union-attr]
    assert ["value", "ada"] in [[op[0], op[2]] for op in ops if op[0] == "value"]
    assert len([op for op in ops if op[0] == "adopt" and op[2]]) >= 2
    assert {"scroll", "sheet", "selected"} <= {op[0] for op in ops}
    assert of(events, "embed") and of(events, "picture")
    assert any(event["level"] == "warning" and "taken out" in str(event["text"]) for event in of(events, "console"))
    assert [event["message"] for event in of(events, "error")] == ["Error: late"]
    header = events[0]
    assert header["title"] == "A walk" and header["imported"]["from"] == "trace"  # type: ignore[index]


READY = """async () => {
  while (!(window.pagereel?.ready instanceof Promise)) await new Promise((resolve) => setTimeout(resolve, 20));
  await window.pagereel.ready;
}"""


@pytest.mark.parametrize("redaction", [None, "vendor"])
def test_an_import_plays(
    trace: Path, events: list[Event], chromium_here: Browser, tmp_path: Path, redaction: str | None
) -> None:
    replay = tmp_path / "trace.html"
    build(trace, replay, redaction=redaction)
    assert SECRET not in replay.read_text()
    fill = [event for event in of(events, "call") if event["method"] == "fill"][1]
    page = chromium_here.new_page()
    page.goto(replay.as_uri())
    page.evaluate(READY)
    page.evaluate("(t) => window.pagereel.seek(t)", float(str(fill["t"])) + float(str(fill["duration"])) + 0.1)
    shown = page.evaluate_handle("() => window.pagereel.frame").as_element()
    frame = shown.content_frame() if shown is not None else None
    assert frame is not None
    assert frame.locator("h1").first.inner_text() == "Forms"
    assert frame.locator("#host em").inner_text() == "in the shadow"
    assert frame.locator("#pass").input_value() == "•••••"
    page.close()


def test_an_import_answers(trace: Path, events: list[Event]) -> None:
    recording = open_recording(trace)
    fill = next(event for event in of(events, "call") if event["method"] == "fill")
    assert "Forms" in str(recording.text(at=float(str(fill["t"]))))
    assert any("nobody" in str(error) for error in recording.errors())
    assert len(list(recording.calls())) == len(of(events, "call"))


def test_a_request_belongs_to_the_document_that_asked(events: list[Event]) -> None:
    urls = {event["d"]: event["url"] for event in of(events, "document")}
    asked = [event for event in of(events, "request") if event["type"] in ("stylesheet", "image")]
    assert len(asked) > 3
    for event in asked:
        referrer = str(event["headers"].get("referer", ""))  # type: ignore[union-attr]
        assert not referrer.endswith(".html") or urls[event["d"]] == referrer, event["url"]


def test_what_went_over_a_websocket_is_in_the_reel(chromium_here: Browser, tmp_path: Path) -> None:
    def talk(connection: ServerConnection) -> None:
        for message in connection:
            connection.send(message * 2 if isinstance(message, bytes) else '{"to": "Tamsin Kesselerberg"}')

    path = tmp_path / "trace.zip"
    context = chromium_here.new_context()
    context.tracing.start(snapshots=True)
    with TrapSite() as site, serve(talk, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = context.new_page()
        page.goto(f"{site.url}/forms.html")
        page.evaluate(
            """port => new Promise(done => {
              const socket = new WebSocket(`ws://127.0.0.1:${port}/live`);
              let left = 2;
              socket.onmessage = () => { if (!--left) socket.close(); };
              socket.onclose = done;
              socket.onopen = () => { socket.send("hello"); socket.send(new Uint8Array([1, 2, 250])); };
            })""",
            server.socket.getsockname()[1],
        )
        context.tracing.stop(path=path)
        server.shutdown()
    context.close()
    with open_any(path) as reel:
        events = list(reel.timeline())
    (asked,) = [e for e in of(events, "request") if e["type"] == "websocket"]
    (answer,) = [e for e in of(events, "response") if e["id"] == asked["id"]]
    assert answer["why"] == "messages" and answer["status"] == 101
    over = of(events, "message")
    assert {e["id"] for e in over} == {asked["id"]}
    assert [(e["sent"], e["size"]) for e in over if e["sent"]] == [(True, 5), (True, 3)]
    assert sorted(int(str(e["size"])) for e in over if not e["sent"]) == [6, 29]
    assert all(
        abs(e["t"] - asked["t"]) < 60_000 for e in over
    )  # On one clock; how long it took is the machine's business.
    assert next(m["text"] for m in open_recording(path).messages()) == "hello"
    html = tmp_path / "run.html"
    build(path, html)
    told = str(open_recording(html).messages())
    assert "hello" in told and "Tamsin" not in told
