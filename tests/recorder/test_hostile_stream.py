"""Whatever a page sends in place of our script's messages, the recording of it is read whole."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser

from pagereel.recorder import record
from pagereel.recorder.ingest.documents import RecordedDocuments
from pagereel.recorder.ingest.resources import ResourceStore
from pagereel.recorder.ingest.script_source import ScriptSource
from pagereel.recorder.ingest.writer_thread import WriterThread
from pagereel.recorder.runtime.clock import Clock
from pagereel.reel import PageModel, open_reel, verify

from .support import Site

PAGE = """<style>p { color: red }</style><p id=p>Text</p><input id=i><div id=d style="overflow:auto;height:20px"><p>a<p>b<p>c</div>
<canvas width=9 height=9></canvas><iframe srcdoc="<p>inner"></iframe><script>
d.attachShadow; document.querySelector('canvas').getContext('2d').fillRect(1, 1, 5, 5);
customElements.define('x-y', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<b>s</b>' } });
</script><x-y></x-y>"""
ODD: tuple[Any, ...] = (
    *(None, True, "", 0, -1, 2**53, -(2**63), 1e308, 1e-9, [], {}, [[]], "\x00", "\ud800", '"\\', "k", "#"),
    *("x" * 200_000, ["x"] * 5_000, {str(n): n for n in range(2_000)}, "__proto__", [1, "#text", {}], ["tr", {}, "x"]),
)


@pytest.fixture(scope="module")
def told(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """What our script sends of a page on which somebody types, scrolls and clicks."""
    payloads: list[str] = []
    context, take = browser.new_context(), RecordedDocuments.handle_batch

    def batch(self: RecordedDocuments, source: ScriptSource, payload: str, arrival: float) -> None:
        payloads.append(payload)
        take(self, source, payload, arrival)

    with pytest.MonkeyPatch.context() as patch, Site() as site:
        patch.setattr(RecordedDocuments, "handle_batch", batch)
        with record(context, tmp_path_factory.mktemp("told") / "run.reel"):
            page = context.new_page()
            page.goto(site.html("/told", PAGE))
            page.fill("#i", "typed")
            page.click("#p")
            page.evaluate(
                "() => { d.scrollTop = 9; p.textContent = 'x'; p.title = 'y'; d.append(p); d.firstChild.remove() }"
            )
    context.close()
    assert len(payloads) > 3
    yield payloads


HOSTILE = (
    *(
        "<img src=x onerror=alert(1)>",
        "<svg><script>alert(1)</script><use href='data:,x#x'>",
        "<math><mi xlink:href='javascript:alert(1)'>",
    ),
    *(
        "<table><td><svg><style><img title='</style><b>'>",
        "<x-y is=z \U0001f4a9='\ud800' #=1 \x7f=2>",
        "<template shadowrootmode=open><slot>",
    ),
    *(
        "<select><option><b><table>",
        "<iframe srcdoc='<iframe srcdoc=&quot;<b>&quot;>'>",
        "<form id=body><input name=attributes><input name=children>",
    ),
    *(
        "<!--><b>--!>",
        "<plaintext>",
        "<noscript><p title='</noscript><b>'>",
        "<base href=//x><a href=y>",
        "<body onload=alert(1) style='x:\\0'>",
    ),
    *(
        "<b>" * 900,
        "<p " + " ".join(f"a{n}=x" for n in range(3_000)) + ">",
        f"<p title='{'x' * 300_000}'>",
        "<div popover id=o><dialog open>" * 9,
    ),
)
FLOOD = """() => {
  const names = ['a', 'B', 'svg', '#x', '', '\\ud800', 'x'.repeat(5000), '__proto__', 'a:b', '\\u0000'];
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  const all = () => [...document.querySelectorAll('*')];
  for (let n = 0; n < 1000; n++) {
    try {
      const at = any(all()), name = any(names);
      switch (n % 9) {
        case 0: at.append(document.createElement(name)); break;
        case 1: at.append(document.createElementNS(any([null, 'urn:x', 'http://www.w3.org/2000/svg']), name)); break;
        case 2: at.setAttribute(name, any(names)); break;
        case 3: at.append(any(all())); break;
        case 4: if (at.parentElement?.parentElement) at.remove(); break;
        case 5: at.attachShadow({ mode: any(['open', 'closed']) }).append(any(names)); break;
        case 6: at.append(document.createComment(any(names)), document.createProcessingInstruction('x', any(names))); break;
        case 7: at.scrollTop = 1e9; at.innerHTML = any(names); break;
        default: at.attachInternals?.().states.add(any(names)); at.style.setProperty('--x', any(names));
      }
    } catch {}
  }
}"""


@pytest.mark.filterwarnings("ignore:pagereel could not record everything")
def test_the_recording_of_hostile_pages_is_read_whole(browser: Browser, tmp_path: Path) -> None:
    """What they send is our script's own: markup as it is served, put in later, and nodes and names that no markup makes."""
    context = browser.new_context()
    with Site() as site, record(context, tmp_path / "run.reel") as session:
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.dismiss())
        for number, markup in enumerate(HOSTILE):
            page.goto(site.html(f"/{number}", f"<!doctype html><p>x{markup}".encode("utf-8", "replace").decode()))
            page.evaluate("(html) => { document.body.innerHTML = html; }", markup)
            page.evaluate(FLOOD)
        session.note("the end")
    context.close()
    report = verify(tmp_path / "run.reel")
    assert report.sealed and report.damage is None and not report.invalid_count, report.problems
    assert not report.model_errors, report.model_problems
    assert report.checkpoints.equal == report.checkpoints.total > 0, report.problems
    with open_reel(tmp_path / "run.reel") as reel:
        assert [event["text"] for event in reel.timeline() if event["k"] == "note"] == ["the end"]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a message: what holds it, and its name there."""
    for name, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, name
        if isinstance(inner, dict | list):
            yield from places(inner)


def changed(payload: str, chance: random.Random) -> str:
    """Change a payload as text, or in one of its values."""
    if chance.random() < 0.3:
        at = chance.randrange(len(payload))
        other = chance.choice(["", '"', "}", "[" * 300, "9" * 400, "\x00☃", payload[:200], "\\ud800", ",", "-"])
        return payload[:at] + other + payload[at + chance.choice([0, 1, 20, 10_000]) :]
    message = json.loads(payload)
    for _ in range(chance.choice([1, 1, 3])):
        holder, name = chance.choice(list(places(message)))
        if chance.random() < 0.3 and isinstance(holder, list):
            # Copies, and few of what is long: a change within one that stands 400 times over would make gigabytes of it.
            times = min(chance.choice([1, 3, 400]), max(1, 1_000_000 // len(json.dumps(holder[name]))))
            holder[name:name] = [copy.deepcopy(holder[name]) for _ in range(times)]
        elif chance.random() < 0.2 and isinstance(holder, dict):
            holder[str(chance.choice(ODD))[:300]] = holder.pop(name)
        else:
            holder[name] = copy.deepcopy(chance.choice(ODD))
    return json.dumps(message)


def check(payloads: list[str], path: Path, trusted: bool) -> None:
    clock = Clock()
    writer = WriterThread(path, {"started": clock.started}, clock, 256 << 20)
    documents = RecordedDocuments(writer, clock, ResourceStore(writer, clock, 1 << 30, False), lambda *_: None, trusted)
    source = ScriptSource(1, "F", True, "http://127.0.0.1/")
    writer.start()
    for n, payload in enumerate(payloads):
        writer.enqueue_call(documents.handle_batch, source, payload, float(n), size=len(payload))
    writer.enqueue_event({"k": "note", "t": 1e6, "id": 1, "text": "the end"})
    assert writer.close("closed")
    model = PageModel()
    with open_reel(path) as reel:
        last: dict[str, Any] = {}
        for event in reel.timeline():
            model.apply(event)
            last = event if event["k"] == "note" else last
        assert reel.damage is None and reel.sealed and reel.invalid_count == 0, reel.invalid
        assert last["text"] == "the end"


@pytest.mark.filterwarnings("ignore:pagereel could not record everything")
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), trusted=st.booleans())
def test_the_recording_of_a_stream_that_was_tampered_with_is_read_whole(
    told: list[str], tmp_path: Path, seed: int, trusted: bool
) -> None:
    chance = random.Random(seed)
    stream = [changed(payload, chance) if chance.random() < 0.6 else payload for payload in told]
    check(stream, tmp_path / "run.reel", trusted)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:pagereel could not record everything")
def test_so_are_three_thousand_others(told: list[str], tmp_path: Path) -> None:
    for seed in range(3_000):
        chance = random.Random(seed)
        stream = [changed(payload, chance) if chance.random() < 0.6 else payload for payload in told]
        try:
            check(stream, tmp_path / "run.reel", seed % 2 == 0)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
        (tmp_path / "run.reel").unlink()
