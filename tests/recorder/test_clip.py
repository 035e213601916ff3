"""A clip holds nothing from before it or after it, in any layer, and shows what the page showed."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from pagereel import build, open_recording, record
from pagereel.browser import launch_options
from pagereel.errors import UsageError
from pagereel.player_build import unpack_replay
from pagereel.reel import Event, open_reel
from pagereel.sources import write_clip

ORIGIN = "http://clip.example"
PLACES = ("text", "value", "console", "url", "body", "sheet", "resource", "title", "address", "mark", "step", "metadata", "note", "prompt", "answer", "tool", "attribute")  # fmt: skip
"""Where a word is put: in the page, what it says, what it loads and what the agent says."""

CLEAR = """() => {
  document.querySelector('#text').textContent = '-';
  document.querySelector('#attribute').title = '';
  document.querySelector('input').value = '';
  document.querySelector('img').src = 'data:,';
  document.title = 't';
  history.pushState({}, '', '/at/rest');
  document.adoptedStyleSheets = [];
}"""
ACT = """w => {
  document.querySelector('#text').textContent = 'text-' + w;
  document.querySelector('#attribute').title = 'attribute-' + w;
  document.title = 'title-' + w;
  history.pushState({}, '', '/at/address-' + w);
  console.log('console-' + w);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('#text::after { content: "sheet-' + w + '" }');
  document.adoptedStyleSheets = [sheet];
  const image = document.querySelector('img');
  const loaded = new Promise(done => { image.onload = done });
  image.src = '/resource-' + w + '.svg';
  return Promise.all([loaded, fetch('/url-' + w).then(a => a.text())]);
}"""


@pytest.fixture(scope="module")
def acted(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, float, float]]:
    """A run in which the same is done before, within and after a part, each with words of its own; and the part's edges in ms."""
    path = tmp_path_factory.mktemp("clip") / "run.reel"
    context: BrowserContext = browser.new_context()  # type: ignore[attr-defined]

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN)
        word = name.rpartition("-")[2].removesuffix(".svg")
        if name.startswith("/resource-"):
            content = f"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><title>{name}</title><rect width='20' height='20' fill='red'/></svg>"
            route.fulfill(body=content, content_type="image/svg+xml")
        elif name.startswith("/url-"):
            route.fulfill(body=f"body-{word}", content_type="text/plain")
        else:
            route.fulfill(
                body="<!doctype html><title>t</title><p id=text>-</p><p id=attribute>a</p><input><img width=20 height=20><link rel=stylesheet href=/look.css>"
                if name == "/"
                else "p { color: green }",
                content_type="text/html" if name == "/" else "text/css",
            )

    context.route(ORIGIN + "/**", answer)
    with record(context, path, quiet=True) as session:
        page: Page = context.new_page()
        page.goto(ORIGIN + "/")
        for word in ("before", "within", "after"):
            page.wait_for_timeout(20)
            with session.step(f"step-{word}", reasoning=f"metadata-{word}"):
                session.mark(f"mark-{word}")
                page.locator("input").fill(f"value-{word}")
                page.evaluate(ACT, word)
                session.note(f"note-{word}")
                session.llm_call(model="m", prompt=f"prompt-{word}", response=f"answer-{word}")
                session.tool_call("look", {"where": f"tool-{word}"})
                page.wait_for_timeout(200)
                page.evaluate(CLEAR)
            session.mark(f"edge of {word}")  # Waits until all is told.
    context.close()
    recording = open_recording(path)
    yield path, recording.moment("edge of before") + 1, recording.moment("edge of within") - 0.1


def layers(html: Path) -> str:
    """Everything that a built file says, decoded."""
    opened = unpack_replay(html.read_bytes())
    texts = [str(opened.index), str(opened.events), *(pack.decode("utf-8", "replace") for pack in opened.packs)]
    return "\n".join([html.read_text("utf-8"), *texts])


@pytest.mark.parametrize("redaction", [None, pytest.param("vendor", marks=pytest.mark.slow)])
def test_a_clip_holds_nothing_from_before_or_after_it(
    acted: tuple[Path, float, float], tmp_path: Path, redaction: str | None
) -> None:
    path, start, end = acted
    build(path, tmp_path / "clip.html", redaction, start=start, end=end, clip=True)
    said = layers(tmp_path / "clip.html")
    assert [f"{place}-before" for place in PLACES if f"{place}-before" in said] == []
    assert [f"{place}-after" for place in PLACES if f"{place}-after" in said] == []
    masked = ["value"] if redaction else []  # What was typed is masked, whatever it says.
    assert [place for place in PLACES if f"{place}-within" not in said] == masked
    # A part that is only cut says more: what the page held before.
    build(path, tmp_path / "cut.html", None, start=start, end=end)
    assert "text-before" in layers(tmp_path / "cut.html")


def test_the_reel_of_a_clip_has_no_byte_of_the_rest(acted: tuple[Path, float, float], tmp_path: Path) -> None:
    path, start, end = acted
    with open_reel(path) as reel:
        write_clip(reel, tmp_path / "clip.reel", start, end)
    with open_reel(tmp_path / "clip.reel") as clip:
        events: list[Event] = list(clip.events())
        bodies = [base64.b64decode(str(e["base64"])) for e in events if "base64" in e]
        said = "\n".join([str(clip.header), str(events), *map(str, bodies)])
        assert clip.header["clip"]["from"] == round(start, 1)  # type: ignore[index,call-overload]
    assert not [place for place in PLACES for when in ("before", "after") if f"{place}-{when}" in said]


def test_a_clip_shows_what_the_page_showed(acted: tuple[Path, float, float], tmp_path: Path) -> None:
    path, start, end = acted
    report = build(
        path, tmp_path / "clip.html", None, start=start, end=end, clip=True, check=True, launch=launch_options()
    )
    assert report.fidelity.verdict != "short" and report.missing == [], report.fidelity
    assert report.fidelity.tree.total > 0
    assert report.duration == round(end - start, 1), "however long nothing happens before its end"


def test_what_crosses_an_edge_is_cut_there_and_says_so(acted: tuple[Path, float, float], tmp_path: Path) -> None:
    path, start, end = acted
    middle = (start + end) / 2
    later = open_recording(path).steps()[2]
    amid = float(later["t"]) + float(later["duration"]) / 2
    with open_reel(path) as reel:
        write_clip(reel, tmp_path / "clip.reel", middle, amid)
    with open_reel(tmp_path / "clip.reel") as clip:
        steps = [(e["title"], e["t"], e.get("cut")) for e in clip.events(("step",))]
        assert steps[0] == ("step-within", 0.0, "before")
        assert steps[1][2] == "after"
        assert clip.reason == "clip"


def test_a_clip_says_which_part_it_is_of(acted: tuple[Path, float, float], tmp_path: Path) -> None:
    path, _, end = acted
    with pytest.raises(UsageError, match="needs start or end"):
        build(path, tmp_path / "clip.html", None, clip=True)
    with pytest.raises(UsageError, match="is empty"):
        build(path, tmp_path / "clip.html", None, start=end + 1e7, clip=True)
