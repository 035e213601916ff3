"""Changes without a mutation record show at the mark after them, opened by its link and there and back."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops
from playwright.sync_api import Page

from pagereel.recorder import Session
from tests.recorder.films import webm
from tests.recorder.support import Recorded, Site

from .conftest import Replay

Open = Callable[..., Replay]

Case = tuple[str, str, str]
"""An expression over `doc` that tells what shows, the markup, and what a script does."""


class Cases:
    """Many cases on one page: all scripts run between two marks; what the expressions give live, the replay must give."""

    def __init__(self, **cases: Case) -> None:
        self.cases = cases
        self.html = "".join(f"<div id=case-{name}>{html}</div>" for name, (_, html, _) in cases.items())
        self.said: dict[str, dict[str, Any]] = {}

    def _ask(self, evaluate: Callable[[str], Any]) -> dict[str, Any]:
        asked = ", ".join(f"{name}: (() => {said})()" for name, (said, _, _) in self.cases.items())
        return evaluate(f"({{ {asked} }})")  # type: ignore[no-any-return]

    def __call__(self, page: Page, session: Session) -> None:
        live = lambda asked: page.evaluate(f"() => {{ const doc = document; return {asked}; }}")  # noqa: E731
        page.wait_for_timeout(600)
        self.said["before"] = self._ask(live)
        session.mark("before")
        for _, _, script in self.cases.values():
            page.evaluate(f"() => {{ {script} }}")
        self.said["after"] = self._ask(live)
        session.mark("after")
        page.wait_for_timeout(300)

    def holds(self, reel: Path, open_replay: Open) -> Recorded:
        changed = [name for name in self.cases if self.said["before"][name] == self.said["after"][name]]
        assert changed == [], "a case that changes nothing tests nothing"
        replay = open_replay(reel)
        for name, said in self.said.items():
            replay.reopen(f"#mark={name}")
            assert self._ask(replay.inside) == said, f"{name}, by its link"
        for name in ("before", "after", "before"):
            replay.seek({"mark": name})
            assert self._ask(replay.inside) == self.said[name], f"{name}, there and back"
        result = Recorded(reel)
        result.whole()
        return result


def box(name: str) -> str:
    """Where an element lies, and how large it is."""
    return (
        f"{{ const b = doc.getElementById('{name}').getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height].map((v) => Math.round(v)); }"
    )


def css(name: str, *properties: str) -> str:
    return (
        f"{{ const s = getComputedStyle(doc.getElementById('{name}')); return {list(properties)}.map((p) => s[p]); }}"
    )


def attribute(name: str, attribute: str) -> str:
    return f"doc.getElementById('{name}').getAttribute('{attribute}')"


SVG = "<svg width=90 height=36>"


def test_what_the_svg_dom_writes_is_recorded_without_a_fresh_snapshot(
    recorded: Callable[..., Path], open_replay: Open
) -> None:
    cases = Cases(
        length=(box("length"), f"{SVG}<rect id=length width=10 height=10 /></svg>", "length_.width.baseVal.value = 50"),
        unit=(box("unit"), f"{SVG}<rect id=unit width=9 height=9 /></svg>", "unit_.width.baseVal.newValueSpecifiedUnits(2, 50)"),
        points=(box("points"), f"{SVG}<polygon id=points points='0,0 10,0' /></svg>", "const p = points_.ownerSVGElement.createSVGPoint(); p.x = 9; p.y = 30; points_.points.appendItem(p)"),
        transform=(box("transform"), f"{SVG}<g id=transform><rect width=9 height=9 /></g></svg>", "const t = transform_.ownerSVGElement.createSVGTransform(); t.setTranslate(30, 9); transform_.transform.baseVal.appendItem(t)"),
        matrix=(box("matrix"), f"{SVG}<g id=matrix transform=scale(1)><rect width=9 height=9 /></g></svg>", "matrix_.transform.baseVal.getItem(0).matrix.a = 4"),
        name=(css("name", "fill"), f"<style>.red {{ fill: red }}</style>{SVG}<rect id=name width=9 height=9 /></svg>", "name_.className.baseVal = 'red'"),
        view=(box("view"), "<svg viewBox='0 0 90 36' width=90 height=36><rect id=view width=9 height=9 /></svg>", "view_.ownerSVGElement.viewBox.baseVal.width = 30"),
        aspect=(box("aspect"), "<svg viewBox='0 0 9 9' width=90 height=36><rect id=aspect width=9 height=9 /></svg>", "aspect_.ownerSVGElement.preserveAspectRatio.baseVal.align = 1"),
        used=(box("used"), f"{SVG}<defs><circle id=circle r=9 cx=9 cy=9 /><rect id=square width=5 height=5 /></defs><use id=used href=#square></use></svg>", "used_.href.baseVal = '#circle'"),
        letters=(box("letters"), f"{SVG}<text id=letters y=20 x=1>a</text></svg>", "letters_.x.baseVal.getItem(0).value = 40"),
        spread=(attribute("spread", "spreadMethod"), f"{SVG}<linearGradient id=spread></linearGradient></svg>", "spread_.spreadMethod.baseVal = 2"),
        gone=(attribute("gone", "transform"), f"{SVG}<g id=gone transform='scale(2)'></g></svg>", "gone_.transform.baseVal.clear()"),
        both=(box("both"), f"{SVG}<rect id=both width=9 height=9 /></svg>", "both_.setAttribute('x', 20); both_.width.baseVal.value = 40; both_.y.baseVal.value = 3"),
        new=(box("new"), "<p id=parent></p>", "parent_.innerHTML = '<svg width=90 height=36><rect id=new width=5 height=5 /></svg>'; document.getElementById('new').width.baseVal.value = 60"),
        rooted=("{ const b = doc.getElementById('rooted').shadowRoot.querySelector('rect').getBoundingClientRect(); return b.width }", "<div id=rooted></div><script>rooted.attachShadow({ mode: 'open' }).innerHTML = '<svg width=90><rect width=5 height=5 /></svg>'</script>", "rooted_.shadowRoot.querySelector('rect').width.baseVal.value = 66"),
    )  # fmt: skip
    cases.cases["new"] = ("doc.getElementById('new')?.getBoundingClientRect().width ?? 0", *cases.cases["new"][1:])
    names = "<script>for (const e of document.querySelectorAll('[id]')) window[`${e.id}_`] = e;</script>"
    reel = recorded(cases.html + names, cases)
    result = cases.holds(reel, open_replay)
    assert [event["why"] for event in result.of("snapshot")] in (["start"], ["late", "start"])


def test_what_moves_by_the_svg_dom_is_followed(recorded: Callable[..., Path], open_replay: Open) -> None:
    html = f"""{SVG}<g id=g transform=translate(0)><rect id=r width=9 height=9 /></g></svg><script>
      g.onclick = () => {{
        const [one] = g.transform.baseVal;
        let x = 0;
        const timer = setInterval(() => x++ < 30 ? one.setTranslate(x, 0) : clearInterval(timer), 20);
      }};</script>"""

    def act(page: Page, session: Session) -> None:
        page.wait_for_timeout(1500)
        page.click("#r")
        page.wait_for_timeout(1000)

    result = Recorded(recorded(html, act))
    result.whole()
    told = [op for event in result.of("mutation") for op in event["ops"] if op[0] == "attr" and "transform" in op[2]]
    assert len(told) >= 6, told


FACE = """<style>x-f { display: block; width: 50px; height: 20px; background: gray }
  x-f:invalid { background: red } x-f:valid { color: green } x-f:disabled { background: blue } x-f:enabled { opacity: .5 }
  x-f:state(on) { background: pink } form:invalid, fieldset:invalid { background: orange }
  input:invalid { background: red } input:valid { background: green }</style><script>
  customElements.define("x-f", class extends HTMLElement {
    static formAssociated = true;
    constructor() { super(); this.internals = this.attachInternals(); }
  });</script>"""

MANUAL = """<div id=host><i id=first>first</i><b id=second>second</b></div><script>
  host.attachShadow({ mode: "open", slotAssignment: "manual" }).innerHTML = "<slot></slot>";
  host.shadowRoot.firstChild.assign(first);</script>"""


def test_validity_slots_and_places_that_scripts_set_show(recorded: Callable[..., Path], open_replay: Open) -> None:
    cases = Cases(
        invalid=(css("invalid", "backgroundColor", "color", "opacity"), "<form id=form><fieldset id=set><x-f id=invalid></x-f></fieldset></form>", "invalid.internals.setValidity({ customError: true }, 'no')"),
        around=(css("form", "backgroundColor"), "", ""),
        within=(css("set", "backgroundColor"), "", ""),
        disabled=(css("disabled", "backgroundColor", "color", "opacity"), "<fieldset id=off><x-f id=disabled></x-f></fieldset>", "document.getElementById('off').disabled = true"),
        on=(css("on", "backgroundColor"), "<x-f id=on></x-f>", "document.getElementById('on').internals.states.add('on')"),
        custom=(css("custom", "backgroundColor"), "<form id=around><input id=custom></form>", "custom.setCustomValidity('no')"),
        owner=(css("around", "backgroundColor"), "", ""),
        field=(css("field", "backgroundColor"), "<input id=field required value=x>", "field.value = ''"),
        slot=(box("first"), MANUAL, "host.shadowRoot.firstChild.assign(second)"),
        slotted=(box("second"), "", ""),
        moved=(box("moved"), f"{SVG}<rect id=moved width=10 height=10 /></svg>", "moved.ownerSVGElement.currentTranslate.x = 30"),
        scaled=(box("scaled"), f"{SVG}<rect id=scaled width=10 height=10 /></svg>", "scaled.ownerSVGElement.currentScale = 2"),
    )  # fmt: skip
    cases.holds(recorded(FACE + cases.html, cases), open_replay)


CLOCKS = """<svg id=clock width=300 height=10><rect width=10 height=10><animate attributeName=x from=0 to=100 dur=10s /></rect></svg>
<svg id=other width=300 height=60>
<rect width=10 height=10><animate id=never begin=indefinite attributeName=x from=10 to=60 fill=freeze dur=9s /></rect>
<rect width=10 height=10 y=10><set id=set begin=indefinite attributeName=width to=60 /></rect>
<rect id=clicked width=10 height=10 y=20><set begin=click attributeName=height to=15 /></rect>
<rect width=10 height=10 y=30><set id=ended begin=0s attributeName=width to=60 /></rect>
<rect width=10 height=10 y=40><animate begin="set.begin + 1s" attributeName=x from=100 to=200 dur=9s /></rect></svg>"""


def test_the_clock_of_svg_animations_is_a_function_of_time(recorded: Callable[..., Path], open_replay: Open) -> None:
    ask = "[...doc.querySelectorAll('rect')].map((e) => [e.x.animVal.value, e.width.animVal.value, e.height.animVal.value])"
    said: dict[str, Any] = {}
    since: dict[str, Any] = {}  # After the mark: what runs has gone on.

    def act(page: Page, session: Session) -> None:
        def then(name: str, script: str, rest: int = 150) -> None:
            page.evaluate(f"() => {{ {script} }}")
            page.wait_for_timeout(rest)
            said[name] = page.evaluate(f"() => {{ const doc = document; return {ask}; }}")
            session.mark(name)
            since[name] = page.evaluate(f"() => {{ const doc = document; return {ask}; }}")

        page.wait_for_timeout(700)
        then("running", "")
        then("paused", "clock.pauseAnimations()", 600)
        then("set", "clock.setCurrentTime(5)")
        page.wait_for_timeout(400)
        then("still", "")
        page.click("#clicked")
        then("begun", "never.beginElement(); document.getElementById('set').beginElement()", 400)
        then("stopped", "document.getElementById('ended').endElement(); never.endElement()")
        then("held", "other.pauseAnimations()", 500)
        then("back", "clock.setCurrentTime(2); clock.unpauseAnimations(); other.setCurrentTime(.1)")

    reel = recorded(CLOCKS, act)
    assert said["still"] == said["set"] and said["set"][0][0] == 50
    assert said["begun"][2][1:] == [60, 10] and said["begun"][3][2] == 15 and said["stopped"][4][1] == 10
    Recorded(reel).whole()

    def near(shown: Any, name: str, way: str) -> None:
        for index, (now, *ends) in enumerate(zip(shown, said[name], since[name], strict=True)):
            for value, a, b in zip(now, *ends, strict=True):
                assert min(a, b) - 1.5 < value < max(a, b) + 1.5, f"{name}, {way}: {index} {shown}"

    replay = open_replay(reel)
    for name in said:
        replay.reopen(f"#mark={name}")
        near(replay.inside(ask), name, "by its link")
    for name in (*said, *reversed(said), "begun", "running"):
        replay.seek({"mark": name})
        near(replay.inside(ask), name, "there and back")


def test_registered_properties_highlights_and_changed_fonts_show(
    recorded: Callable[..., Path], site: Site, open_replay: Open
) -> None:
    font = (Path(__file__).resolve().parents[2] / "fixtures/shop/static/fonts/instrument-sans.woff2").read_bytes()
    site.put("/first.woff2", "font/woff2", font)
    highlighted = (
        "[...(doc.defaultView.CSS.highlights.get('found') ?? [])].map((r) => [r.startContainer.data, r.toString()])"
    )
    cases = Cases(
        given=(css("given", "width"), "<style>#given { --w: 2em; width: var(--w); font-size: 30px } #in { width: var(--w); font-size: 10px }</style><div id=given><div id=in>x</div></div>", "CSS.registerProperty({ name: '--w', syntax: '<length>', inherits: true, initialValue: '7px' }); given.style.width = 'calc(var(--w) + 1px)'"),
        inherited=(css("in", "width"), "", ""),
        alone=(css("alone", "width"), "<style>#alone { --v: inherit; height: 9px; width: var(--v) }</style><div id=alone></div>", "CSS.registerProperty({ name: '--v', syntax: '<length>', inherits: false, initialValue: '40px' })"),
        found=(highlighted, "<style>::highlight(found) { background: lime }</style><p id=text>highlighted</p>", "const r = new Range(); r.setStart(text.firstChild, 2); r.setEnd(text.firstChild, 5); CSS.highlights.set('found', new Highlight(r))"),
        renamed=(box("renamed"), "<span id=renamed style='font: 20px Later, monospace'>renamed</span>", "face.family = 'Later'"),
        deleted=(box("deleted"), "<span id=deleted style='font: 20px First, monospace'>deleted</span>", ""),
    )  # fmt: skip
    made = "<script>const face = new FontFace('First', 'url(/first.woff2)'); document.fonts.add(face); face.load()</script>"
    reel = recorded(cases.html + made, cases)
    cases.holds(reel, open_replay)


def test_captions_lie_over_a_video(recorded: Callable[..., Path], site: Site, open_replay: Open) -> None:
    data = f"data:video/webm;base64,{b64encode(webm(20_000)).decode()}"
    site.put("/captions.vtt", "text/vtt", "WEBVTT\n\n00:00.000 --> 00:09.000\nby a <b>track</b>\n")
    film = f"<video id={{}} src={data} width=200 height=150>{{}}</video>"
    html = "<style>body { margin: 0 }</style>" + film.format("made", "")
    html += film.format("track", "<track default kind=captions src=/captions.vtt>")
    boxes = {"made": (0, 0, 200, 150), "track": (204, 0, 404, 150)}
    shots: dict[str, bytes] = {}

    def act(page: Page, session: Session) -> None:
        page.evaluate("() => { for (const video of document.querySelectorAll('video')) video.currentTime = 1 }")
        page.wait_for_timeout(1000)
        for name, script in (
            ("first", ""),
            ("second", "made.addTextTrack('captions').mode = 'showing'; made.textTracks[0].addCue(new VTTCue(0, 9, 'by a script'))"),
            ("third", "track.textTracks[0].mode = 'hidden'; const [one] = made.textTracks; one.removeCue(one.cues[0]); one.addCue(new VTTCue(0, 9, 'another'))"),
        ):  # fmt: skip
            page.evaluate(f"() => {{ {script} }}")
            page.wait_for_timeout(300)
            shots[name] = page.screenshot()
            session.mark(name)

    reel = recorded(html, act)
    Recorded(reel).whole()
    assert len({Image.open(BytesIO(shot)).crop(boxes["made"]).tobytes() for shot in shots.values()}) == 3
    replay = open_replay(reel, "#bare&mark=third")
    for name in ("third", "first", "second", "third", "first"):
        replay.seek({"mark": name})
        replay.page.wait_for_timeout(200)
        shown = replay.page.locator("iframe").first.screenshot()
        for box in boxes.values():
            now, then = (Image.open(BytesIO(shot)).convert("L").crop(box) for shot in (shown, shots[name]))
            off = ImageChops.difference(now, then).point(lambda value: value > 40 and 255)
            assert off.histogram()[255] < 30, f"{name}: {box}"
