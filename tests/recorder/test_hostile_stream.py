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
from pagereel.recorder.ingest.documents import Documents
from pagereel.recorder.ingest.resources import ResourceStore
from pagereel.recorder.ingest.sources import ScriptSource
from pagereel.recorder.ingest.writer import Writer
from pagereel.recorder.runtime.clock import Clock
from pagereel.reel import PageModel, open_reel

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
    context, take = browser.new_context(), Documents.batch

    def batch(self: Documents, source: ScriptSource, payload: str, arrival: float) -> None:
        payloads.append(payload)
        take(self, source, payload, arrival)

    with pytest.MonkeyPatch.context() as patch, Site() as site:
        patch.setattr(Documents, "batch", batch)
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
            holder[name:name] = holder[name : name + 1] * chance.choice([1, 3, 400])
        elif chance.random() < 0.2 and isinstance(holder, dict):
            holder[str(chance.choice(ODD))[:300]] = holder.pop(name)
        else:
            holder[name] = copy.deepcopy(chance.choice(ODD))
    return json.dumps(message)


def check(payloads: list[str], path: Path, trusted: bool) -> None:
    clock = Clock()
    writer = Writer(path, {"started": clock.started}, clock, 256 << 20)
    documents = Documents(writer, clock, ResourceStore(writer, clock, 1 << 30, False), lambda *_: None, trusted)
    source = ScriptSource(1, "F", True, "http://127.0.0.1/")
    writer.start()
    for n, payload in enumerate(payloads):
        writer.put(documents.batch, source, payload, float(n), size=len(payload))
    writer.emit({"k": "note", "t": 1e6, "id": 1, "text": "the end"})
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
