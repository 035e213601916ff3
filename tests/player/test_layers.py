"""The claim beyond the tree: what a checkpoint saw of the viewport, held against what the player shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from pagereel.browser import launch_options
from pagereel.player_build import FidelityLayer, ReplayReport, build, headless, unpack_replay, verify_replay
from pagereel.recorder import record
from pagereel.recorder.cdp import network as cdp_network
from pagereel.recorder.ingest import documents
from pagereel.redaction import redact
from pagereel.reel import Event, open_reel
from tests.recorder.support import Site


def png() -> bytes:
    out = BytesIO()
    Image.new("RGB", (60, 40), "teal").save(out, "PNG")
    return out.getvalue()


PAGE = """<style>
  body { margin: 0; font: 16px/1.5 monospace } h1:hover { color: rgb(200, 0, 0) }
  #box { height: 200px; width: 300px; overflow: auto } #box div { height: 1000px; background: linear-gradient(red, blue) }
  h1::before { content: "•" } li::marker { color: teal } ::placeholder { opacity: 0.5 } h1::selection { background: yellow }
  ul, :placeholder-shown { position: absolute; right: 0; top: 60px }
  #tall { height: 3000px } #spin { animation: turn 1s linear infinite; width: 90px; height: 90px } @keyframes turn { to { rotate: 360deg } }
</style><h1>Order for Priya Raghunathan, priya.r@mail.example</h1><div id=box><div></div></div><img src=picture.png alt=""><canvas width=60 height=40></canvas><div id=spin></div>
<input value=x><ul><li>one</ul><input placeholder=here><div id=tall></div><script>document.querySelector('canvas').getContext('2d').fillRect(0, 0, 60, 40)</script>"""


@dataclass
class Run:
    reel: Path
    html: Path

    @property
    def looks(self) -> list[dict[str, Any]]:
        with open_reel(self.reel) as reel:
            return [event["look"] for event in checkpoints(list(reel.events())) if "look" in event]

    @property
    def whole_looks(self) -> list[float]:
        """The times of the checkpoints that saw the most."""
        seen = defaultdict(list)
        with open_reel(self.reel) as reel:
            for event in checkpoints(list(reel.events())):
                if "look" in event:
                    seen[
                        tuple(len(event["look"][part]) for part in ("boxes", "parts", "styles", "media", "scroll"))
                    ].append(event["t"])
        return seen[max(seen)]


def checkpoints(events: list[Event]) -> list[Any]:
    return [event for event in events if event["k"] == "checkpoint"]


def check(html: Path) -> ReplayReport:
    return verify_replay(html, launch=launch_options())


def recorded(
    browser: Browser, reel: Path, act: Callable[[Page, Callable[[str], object]], object], **options: Any
) -> Run:
    """A page with a mark for each thing that `act` does to it."""
    with Site() as site:
        site.put("/picture.png", "image/png", png())
        url = site.html("/", PAGE)
        context = browser.new_context(viewport={"width": 640, "height": 480})
        with record(context, reel, **options) as session:
            page = context.new_page()
            page.goto(url)
            act(page, session.mark)
        context.close()
    html = reel.with_suffix(".html")
    build(reel, html, redaction=None)
    return Run(reel, html)


def scroll(page: Page, mark: Callable[[str], object]) -> None:
    mark("top")
    page.hover("h1")
    mark("hovered")
    page.evaluate("document.querySelector('#box').scrollTop = 333")
    page.focus("input")
    # At once: the event of it is still to come.
    mark("inner")
    page.evaluate("scrollTo(0, 120)")
    mark("outer")


@pytest.fixture(scope="module")
def run(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    yield recorded(browser, tmp_path_factory.mktemp("layers") / "run.reel", scroll)


def test_each_checkpoint_sees_what_shows_and_the_replay_shows_it(run: Run) -> None:
    # On a machine that is too busy a look's time is up before all is seen.
    last = max((look for look in run.looks if look["view"][3] == 120), key=lambda look: len(look["boxes"]))
    assert last["view"] == [640, 480, 0, 120]
    assert [item[1:] for item in last["scroll"]] == [[0, 333]]
    assert [item[1:] for item in last["media"]] == [[60, 40, 1]] * 2, "the picture and the canvas"
    assert all(len(box) == 6 for box in last["boxes"]) and len(last["styles"]) <= len(last["boxes"])
    report = check(run.html)
    count = len(run.looks)
    assert report.fidelity.layout == report.fidelity.tree == FidelityLayer(count, count), report.differences
    assert count >= 3 and f"layout {count} of {count}" in str(report)


def test_what_an_animation_moves_is_left_out(run: Run) -> None:
    with open_reel(run.reel) as reel:
        text = str([event.get("ops") for event in reel.events() if event["k"] in ("snapshot", "mutation")])
    assert "spin" in text
    boxes = [box[2:] for look in run.looks for box in look["boxes"]]
    assert not any(box[2] == 90 for box in boxes)


RULE = "{ const sheet = new window.CSSStyleSheet(); sheet.replaceSync('%s'); document.adoptedStyleSheets.push(sheet) }"
FORGED = [
    ("document.querySelector('#box').scrollTop = 0", "scrolled to 0, 333", "div#box[1]"),
    ("window.scrollTo(0, 0)", "scrolled to 0, 10", "#document[0]"),
    ("document.querySelector('img').src = 'data:,'", "a picture of 60, 40", "img[2]"),
    ("document.querySelector('h1').style.letterSpacing = '3px'", "letter-spacing: normal", "h1[0]"),
    ("document.querySelector('h1').style.color = 'lime'", "color: rgb(200,0,0)", "h1[0]"),
    (RULE % "h1::before{content:none}", "::before display: inline", "h1[0]"),
    (RULE % "li::marker{color:red}", "::marker color: rgb(0,128,128)", "li[0]"),
    (RULE % "::placeholder{opacity:1}", "::placeholder opacity: 0.5", "input[8]"),
    (RULE % "h1::selection{background:none}", "::selection background-color: rgb(255,255,0)", "h1[0]"),
    ("document.querySelector('h1').style.height = '90px'", "a box at ", ""),
    ("document.querySelector('#box div').style.background = 'none'", "background-image: gradient", "div[0]"),
]
"""What a page opened by a checkpoint's link shows otherwise; how the first difference begins, and where it is."""
LINKED = "const linked = Number(/t=([0-9.]+)/.exec(top.location.hash)?.[1]);"


def test_what_no_replay_can_have_is_left_out(browser: Browser, tmp_path: Path) -> None:
    """Where SVG's own animations are at an instant, and what Chromium shows by a style that no longer holds."""
    page_of = """<!doctype html><style>:checked + span { font-weight: bold } p { color: red }</style><label><input type=checkbox><span>Check</span></label><p>x</p>
      <svg width=300 height=40><circle r=10 cy=20><animate attributeName=cx values="10;290" dur="0.3s" repeatCount=indefinite /></circle><rect y=5 width=9 height=9 /></svg>"""
    context = browser.new_context()
    reel, html = tmp_path / "a.reel", tmp_path / "a.html"
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/", page_of))
        box = page.locator("input")
        box.check()
        assert page.locator("span").evaluate("(e) => getComputedStyle(e).fontWeight") == "700"
        box.evaluate("(e) => { e.indeterminate = true }")
        assert page.locator("span").evaluate("(e) => getComputedStyle(e).fontWeight") == "700", "it is stale"
        for n in range(3):
            session.mark(str(n))
    context.close()
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=launch_options())
    assert report.fidelity.layout.equal == report.fidelity.layout.total >= 3, report.differences
    with open_reel(reel) as read:
        looks = [event["look"] for event in checkpoints(list(read.events())) if "look" in event]
    # A look takes 12 ms at most: on a busy machine one may have seen little.
    assert any(len(look["boxes"]) > 4 for look in looks)


def test_what_shows_otherwise_is_named(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(page: Page, mark: Callable[[str], object]) -> None:
        page.hover("h1")
        page.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
        page.evaluate("() => { document.querySelector('#box').scrollTop = 333; scrollTo(0, 10) }")
        for number in range(len(FORGED)):
            page.wait_for_timeout(60)
            mark(str(number))

    run = recorded(browser, tmp_path / "forged.reel", act)
    begin = "const window = document.defaultView;"
    see = headless.SEE
    left = FORGED
    while left:
        # On a machine that is too busy some looks are cut short: what they did not see is forged at others.
        forged = dict(zip(run.whole_looks, left, strict=False))
        left = left[len(forged) :]
        forge = "".join(f"if (linked === {t}) {change};" for t, (change, *_) in forged.items())
        monkeypatch.setattr(headless, "SEE", see.replace(begin, f"{begin} {LINKED} {forge}"))
        report = check(run.html)
        assert report.fidelity.tree.all_equal and not report.ok
        named = {difference.t: difference for difference in report.differences}
        assert list(named) == list(forged), report.differences
        for t, (_, wanted, path) in forged.items():
            assert named[t].wanted.startswith(wanted) and named[t].path.endswith(path), named[t]
            assert named[t].layer == "layout"


@pytest.mark.slow
def test_a_masked_recording_tells_no_lengths_of_texts_and_is_still_looked_at(run: Run, tmp_path: Path) -> None:
    masked = tmp_path / "masked.reel"
    redact(run.reel, masked, redaction="vendor")
    with open_reel(masked) as reel:
        looks = [event["look"] for event in checkpoints(list(reel.events()))]
    assert all(len(box) == 2 for look in looks for box in look["boxes"])
    assert [0, 333] in [item[1:] for look in looks for item in look["scroll"]]
    html = tmp_path / "masked.html"
    build(run.reel, html)
    assert "Priya" not in str(unpack_replay(html.read_bytes()).events)
    report = check(html)
    assert report.fidelity.layout == report.fidelity.tree and report.boxless == len(run.looks), report.differences
    assert "without boxes" in str(report)


def test_where_texts_are_masked_in_the_page_there_are_no_boxes(browser: Browser, tmp_path: Path) -> None:
    # No hover: where the pointer is does not say what it is over when a masked text takes fewer lines.
    run = recorded(browser, tmp_path / "run.reel", lambda page, mark: mark("top"), mask=["h1"])
    assert all(len(box) == 2 for look in run.looks for box in look["boxes"])
    assert check(run.html).ok


def test_a_look_that_leads_nowhere_does_no_harm(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from pagereel.player_build import verify

    real = verify.unpack_replay

    def forged(html: bytes) -> Any:
        unpacked = real(html)
        for event in checkpoints(unpacked.events):
            event["look"]["boxes"] = [[10**9, 10**9], [1, 0, 1], [1, -1, 0, 0, 0, 0]]
            event["look"]["media"] = [[10**9, 1, 1, 1]]
        return unpacked

    monkeypatch.setattr(verify, "unpack_replay", forged)
    report = check(run.html)
    assert report.fidelity.layout is not None and report.fidelity.layout.all_equal, report.differences


def without_ops(*names: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Ops of these names do not reach the recording."""

    def switch_off(patch: pytest.MonkeyPatch) -> None:
        real = documents.RecordedDocuments._handle_event

        def event(self: documents.RecordedDocuments, document: Any, event: Event, arrival: float) -> None:
            if event["k"] in names:
                event = {name: event[name] for name in ("t", "n")} | {"k": "mutation", "ops": []}
            if isinstance(event.get("ops"), list):
                event["ops"] = [op for op in event["ops"] if op[0] not in names]  # type: ignore[index, union-attr]
            real(self, document, event, arrival)

        patch.setattr(documents.RecordedDocuments, "_handle_event", event)

    return switch_off


def without_canvases(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(documents.RecordedDocuments, "_store_canvas_picture", lambda *_: [])


def without_pictures(patch: pytest.MonkeyPatch) -> None:
    real = cdp_network.find_body_limit
    patch.setattr(
        cdp_network, "find_body_limit", lambda kind, *rest: (0, "cap") if kind.lower() == "image" else real(kind, *rest)
    )


@pytest.mark.parametrize(
    ("switch_off", "wanted"),
    [
        pytest.param(without_ops("scroll"), "scrolled to 0, ", id="scrolling"),
        pytest.param(
            without_ops("pointed", "pointer", "mouse"), "color: rgb(200,0,0)", id="the pointer", marks=pytest.mark.slow
        ),
        pytest.param(without_canvases, "a picture of 60, 40", id="canvases", marks=pytest.mark.slow),
        pytest.param(without_pictures, "a picture of 60, 40", id="pictures", marks=pytest.mark.slow),
    ],
)
def test_where_capture_is_switched_off_the_claim_falls(
    browser: Browser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    switch_off: Callable[[pytest.MonkeyPatch], None],
    wanted: str,
) -> None:
    switch_off(monkeypatch)
    run = recorded(browser, tmp_path / "run.reel", scroll)
    report = check(run.html)
    assert report.fidelity.tree.all_equal and report.fidelity.verdict == "short" and not report.ok
    assert any(difference.wanted.startswith(wanted) for difference in report.differences), report.differences
    if switch_off is without_pictures:
        assert [url.rpartition("/")[2] for url in report.missing] == ["picture.png"]
        assert unpack_replay(run.html.read_bytes()).index["info"]["fidelity"]["verdict"] == "short", (
            "also where nobody looked"
        )


def test_a_selection_of_which_the_page_says_nothing_is_not_compared(browser: Browser, tmp_path: Path) -> None:
    """Chromium goes on telling the colour that the element had when what is selected in it was first looked at."""
    style = "<style>button{color:rgb(20,32,28);transition:color .2s} button[aria-pressed=true]{color:rgb(250,240,230);background:green}</style>"
    context = browser.new_context()
    reel, html = tmp_path / "a.reel", tmp_path / "a.html"
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.goto(site.html("/", f"{style}<button>Sea green</button>"))
        page.evaluate("getSelection().selectAllChildren(document.querySelector('button'))")
        session.mark("selected")
        page.evaluate("document.querySelector('button').ariaPressed = 'true'")
        page.wait_for_function("getComputedStyle(document.querySelector('button')).color == 'rgb(250, 240, 230)'")
        session.mark("pressed")
    context.close()
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=launch_options())
    assert report.ok, report.differences
