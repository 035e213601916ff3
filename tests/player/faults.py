"""Pages of coloured blocks, one for each kind of fault that a replay had: what shows of them is the same in every engine, to the pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.recorder.films import webm
from tests.recorder.support import Site
from tests.reel.sample import png

FRAME = "<style>body { margin: 0 } .b { display: block; width: 80px; height: 40px; background: tan }</style>"


@dataclass(frozen=True)
class Fault:
    """A page, what is done with it, and what is asked of it then: its picture, and the value of an expression over `doc`."""

    html: str | bytes
    act: Callable[[Page], Any] = lambda page: None
    look: str = "0"
    at: tuple[tuple[int, int], ...] = ()
    """Points of the picture that count; without any, all of it does."""
    needs: str = "true"
    """What an engine must know to show it; one that does not know it shows the rest."""
    lacks: str | None = None
    """What Info names where the engine does not know it."""
    kind: str = "text/html; charset=utf-8"


def script(text: str, rest: int = 0) -> Callable[[Page], Any]:
    """Runs a script, and waits so many ms."""

    def act(page: Page) -> None:
        page.evaluate(f"() => {{ {text} }}")
        page.wait_for_timeout(rest)

    return act


def _quick(page: Page) -> None:
    page.mouse.move(700, 500)
    page.wait_for_timeout(300)
    page.mouse.move(40, 60)
    page.mouse.move(40, 140)


def _drag(page: Page) -> None:
    page.drag_and_drop("#from", "#to")


def _into_frame(page: Page) -> None:
    page.mouse.move(40, 20)
    page.wait_for_timeout(300)
    page.mouse.move(40, 60)
    page.wait_for_timeout(500)


def _fullscreen(page: Page) -> None:
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement")


def _wheel(page: Page) -> None:
    page.mouse.move(400, 300)
    for _ in range(10):
        page.mouse.wheel(0, 330)
        page.wait_for_timeout(60)
    page.wait_for_timeout(300)


def _emulate(**media: Any) -> Callable[[Page], Any]:
    return lambda page: page.emulate_media(**media)


MENU = "".join("<p class=row></p>" for _ in range(8))
HOVER = "<style>p, button, iframe { display: block; margin: 0; border: 0; padding: 0; width: 200px; height: 40px; background: silver } :hover { --h: 1 } .row:hover { background: red } button:hover { background: red } button:active { background: blue }</style>"
SCHEMES = """<meta name=color-scheme content='light dark'><style>.a { background: light-dark(rgb(200, 0, 0), rgb(0, 200, 0)) } @media (prefers-color-scheme: dark) { .c { background: navy } }
@media print { .p { background: purple } } @media (prefers-contrast: more) { .m { background: teal } }</style><b class='b a'></b><b class='b c'></b><b class='b p'></b><b class='b m'></b>"""
FACE = """<style>x-f { display: block; width: 80px; height: 20px; background: gray } x-f:invalid { background: red } x-f:disabled { background: blue } input { display: block; border: 0; padding: 0; width: 80px; height: 20px; box-shadow: none }
input:invalid { background: orange } svg { display: block } rect { fill: green }</style><script>customElements.define("x-f", class extends HTMLElement { static formAssociated = true; constructor() { super(); this.internals = this.attachInternals() } });</script>"""
SECTIONS = "".join(
    f"<section><i style='background: rgb({8 * i}, {250 - 8 * i}, {(97 * i) % 256}); height: {200 + 137 * (i % 5)}px'></i></section>" for i in range(30)
)  # fmt: skip
ODD = '<?xml-stylesheet href="/odd.css"?>'
NEST = "let at = document.body; for (let i = 0; i < 2500; i++) { const next = document.createElement('div'); at.append(next); at = next; if (i === 300) next.innerHTML = '<b class=b></b>'; } at.innerHTML = '<b id=bottom class=b></b>';"
DEEP = ((40, 20), (200, 20))
"""Engines lay out only so many levels of any page: what lies below shows in none of theirs."""
RINGS = """<style>@layer base { :focus { outline: 9px solid red } i { display: block; height: 40px } } button, x-host { display: block; width: 80px; height: 40px; border: 0; margin: 20px; background: tan }</style>
<button id=last></button><x-host id=host></x-host><script>host.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<style>:host(:focus) { outline: none; background: lime } button { width: 80px; height: 40px; border: 0; background: navy } @layer x { :focus { outline: 9px solid gold } }</style><button></button>'</script>"""
SCROLLERS = """<style>html { scrollbar-width: none } div { overflow: auto; scrollbar-width: none; width: 200px; height: 120px } #rtl { direction: rtl; white-space: nowrap; font-size: 0 } #snap { scroll-snap-type: y mandatory }
#snap img { display: block; scroll-snap-align: start } button { display: block; border: 0; width: 80px; height: 40px; background: tan } #tall { width: 80px; background: purple } button:focus ~ #tall { height: 2000px }</style>
<button id=first></button><div id=rtl><img src=/red.png><img src=/blue.png></div><div id=snap><img src=/blue.png><img src=/red.png><img src=/blue.png><img src=/red.png></div><div id=tall></div>"""
FIXED = """<style>html { scrollbar-width: none } body { height: 3000px } div { width: 300px; height: 100px; overflow: auto; scrollbar-width: none } i { display: block; height: 900px } b { position: fixed; left: 200px; width: 50px; height: 20px; background: teal }
#fixed { position: fixed; top: 100px } #fixed b { top: 120px } #placed { position: absolute; top: 300px } #placed b { top: 320px }</style><div id=fixed><i></i><b></b></div><div id=placed><i></i><b></b></div>"""
FULL = """<style>body { background: pink } #half { width: 80px; height: 40px; background: rgb(0 255 0 / .5) }</style>
<div style='transform: translate(9px, 9px); overflow: hidden; width: 90px'><div id=half></div></div><script>document.onkeydown = () => half.requestFullscreen()</script>"""
DRIVEN = """<style>body { height: 4000px } #box { position: fixed; top: 100px; left: 0; height: 100px; width: 500px; overflow: auto; scroll-timeline: --named; scrollbar-width: none } #box i { display: block; height: 900px }
html { scrollbar-width: none } @keyframes grow { from { width: 0px } to { width: 400px } } p { position: fixed; left: 200px; height: 20px; margin: 0; background: teal; animation: grow linear both }
#root { top: 0; animation-timeline: scroll(root) } #named { position: sticky; top: 30px; animation-timeline: --named }</style><p id=root></p><div id=box><p id=named></p><i></i></div>"""
BROKEN = "<picture><source srcset=/none.png><img src=/blue.png alt=''></picture><picture><source media=print srcset=/blue.png><img src=/red.png></picture><img src=/none.png alt=''>"
REGISTERED = "<style onload=\"this.sheet.cssRules[0].styleSheet.insertRule('#i { background: red }', 1)\">@import '/imported.css'; #in { height: 40px; width: var(--w); background: teal; font-size: 10px } #at { font-size: 30px; --w: 2em }</style><b id=i class=b></b><div id=at><div id=in></div></div><p id=text style='visibility: hidden'>highlighted</p>"
FILMS = "<style>video { display: block; width: 160px; height: 120px }</style><video id=f muted preload=auto src=/film.webm></video><video poster=/red.png preload=none src=/film.webm style='height: 80px'></video><video poster=/red.png src=/none.webm style='height: 80px'></video>"
BESIDE = tuple((x, y) for x in (10, 150) for y in (10, 60, 110, 130, 190, 210, 270))
"""WebKit draws its button to play in the middle of every film in a frame without scripts, and knows no rule that hides it."""
DRAWN = """<style>canvas { display: block }</style><canvas id=gl width=200 height=100></canvas><canvas id=black width=200 height=100></canvas><canvas id=once width=200 height=100></canvas><canvas id=off width=200 height=100></canvas><script>
const pen = gl.getContext('webgl', { alpha: false }); requestAnimationFrame(() => { pen.clearColor(1, .5, 0, 1); pen.clear(pen.COLOR_BUFFER_BIT) }); black.getContext('2d', { alpha: false });
let n = 0; const flat = once.getContext('2d'); const on = () => { flat.fillStyle = n < 20 ? 'red' : 'lime'; flat.fillRect(0, 0, 200, 100); if (n++ < 20) requestAnimationFrame(on) }; on();
const away = off.transferControlToOffscreen(); new Worker(URL.createObjectURL(new Blob(["onmessage = ({ data }) => { const c = data.getContext('2d'); c.fillStyle = 'purple'; c.fillRect(0, 0, 200, 100) }"]))).postMessage(away, [away]);</script>"""
SHEETS = """<link rel=stylesheet href='data:text/css,%23a%7Bbackground:navy%7D'><link rel=stylesheet charset=windows-1251 href=/legacy.css><b class=b id=a></b><div><style>@scope { .b { background: lime } }</style><b class=b></b></div><b class=b></b><u id=c></u>"""
MANUAL = "<div id=host><b id=one class=b></b><b id=two class=b style='background: purple'></b></div><script>host.attachShadow({ mode: 'open', slotAssignment: 'manual' }).innerHTML = '<slot></slot>'; host.shadowRoot.firstChild.assign(one)</script>"
COVERED = "<input type=password value=secret style='position: absolute; left: 0; top: 0; width: 200px; height: 40px; border: 0'><b class=b style='position: absolute; left: 50px; top: 0; z-index: 3'></b><input autocomplete=new-password role=combobox style='position: absolute; left: 0; top: 100px; width: 200px; height: 40px; border: 0; background: lime'>"
UNSEEN = f"{FACE}<svg width=300 height=40><rect id=r width=10 height=20 /><rect y=20 width=10 height=20><animate attributeName=x from=0 to=100 dur=10s /></rect></svg>{MANUAL}<x-f id=bad></x-f><fieldset id=set style='border: 0; padding: 0; margin: 0'><x-f></x-f></fieldset><input id=own>"
CHANGED = "r.width.baseVal.value = 120; r.ownerSVGElement.pauseAnimations(); r.ownerSVGElement.setCurrentTime(5); host.shadowRoot.firstChild.assign(two); bad.internals.setValidity({ customError: true }, 'no'); document.getElementById('set').disabled = true; own.setCustomValidity('no')"
SKIPPING = "<style>html { scrollbar-width: none } section { content-visibility: auto; contain-intrinsic-size: auto 90px } section i { display: block }</style>"

FAULTS: dict[str, Fault] = {
    "2.1 scrollers": Fault(
        SCROLLERS, script("first.focus({ preventScroll: true }); rtl.scrollLeft = -90; snap.scrollTop = 75; scrollTo(0, 130)", 400),
        "[doc.getElementById('rtl').scrollLeft, doc.getElementById('snap').scrollTop, doc.defaultView.scrollY]",
    ),
    "2.1 fixed in a scroller": Fault(
        FIXED, script("scrollTo(0, 200); for (const each of document.querySelectorAll('div')) each.scrollTop = 200", 300),
        "[doc.defaultView.scrollY, ...[...doc.querySelectorAll('div')].map((each) => each.scrollTop)]",
    ),
    "2.2 films": Fault(FILMS, script("f.currentTime = 1.1", 900), "[...doc.querySelectorAll('video')].map((e) => [e.offsetWidth, e.offsetHeight])", at=BESIDE),
    "2.3 canvases": Fault(DRAWN, script("", 1200), at=tuple((x, y) for x in (10, 100, 190) for y in range(20, 400, 20) if y % 100)),
    "2.4 scrollers": Fault(DRIVEN, script("scrollTo(0, 850); box.scrollTo(0, 200)", 400), "[doc.defaultView.scrollY, doc.getElementById('box').scrollTop]", needs="CSS.supports('animation-timeline', 'scroll()')", lacks="-timeline\""),
    "2.5 imported and registered": Fault(
        REGISTERED,
        script("CSS.registerProperty({ name: '--w', syntax: '<length>', inherits: true, initialValue: '7px' });"
        "const r = new Range(); r.setStart(text.firstChild, 2); r.setEnd(text.firstChild, 5); CSS.highlights.set('found', new Highlight(r))"),
        "[...(doc.defaultView.CSS.highlights?.get('found') ?? [])].map(String)", needs="CSS.highlights && CSS.registerProperty",
    ),
    "2.6 target": Fault("<style>:target { background: red }</style><b class=b id=one></b><b class=b id=two></b>", script("location.hash = 'two'; history.pushState(0, '', '/elsewhere')")),
    "2.6 target in a frame": Fault(
        "<iframe src='/targets#two' style='display: block; border: 0; width: 200px; height: 100px'></iframe>",
        script("const { history, location } = frames[0]; location.hash = 'one'; history.replaceState(0, '', '/targets')", 300),
    ),
    "2.7 rings": Fault(RINGS, script("last.focus()")),
    "2.7 a host": Fault(RINGS, script("last.focus(); host.shadowRoot.firstChild.nextSibling.focus()")),
    "2.8 fullscreen": Fault(FULL, _fullscreen, at=((20, 20), (300, 300), (700, 500))),
    "2.8 pictures": Fault(BROKEN, look="[...doc.images].map((e) => e.naturalWidth)"),
    "2.8 hatching": Fault(COVERED, at=((60, 5), (80, 20), (120, 35), (40, 120), (150, 130))),
    "2.9 depth": Fault("<body>", lambda page: (page.evaluate(NEST), page.wait_for_timeout(900)), "[doc.querySelectorAll('div').length, doc.getElementById('bottom').parentNode.localName]", at=DEEP),
    "2.11 first visit": Fault("<img src=/again.png>"),
    "2.11 second visit": Fault("<img src=/again.png>"),
    "2.12 quick moves": Fault(HOVER + MENU, _quick),
    "2.12 dragged": Fault(HOVER + "<button id=from draggable=true></button><button id=to></button>", _drag),
    "2.12 into a frame": Fault(HOVER + "<button></button><iframe src=/inner></iframe>", _into_frame),
    "2.13 drawing": Fault(f'{ODD}<svg xmlns="http://www.w3.org/2000/svg"><rect width="90" height="90"/></svg>', kind="image/svg+xml"),
    "2.13 tree": Fault(f"{ODD}<root><p></p></root>", kind="text/xml"),
    "2.13 XHTML": Fault(f'{ODD}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><p/><?php x ?></body></html>', kind="application/xhtml+xml"),
    "2.14 dark": Fault(SCHEMES, _emulate(color_scheme="dark"), at=((40, 20), (40, 60), (40, 100), (40, 140))),
    "2.14 print": Fault(SCHEMES, _emulate(color_scheme="light", media="print")),
    "2.14 contrast": Fault(SCHEMES, _emulate(media="screen", contrast="more")),
    "2.15 without a record": Fault(UNSEEN, script(CHANGED, 300)),
    "2.16 sections": Fault(SKIPPING + SECTIONS, _wheel),
    "2.17 a picture": Fault(png(160, 80, (0, 0, 200)), kind="image/png"),
    "2.17 sheets": Fault(SHEETS, look="getComputedStyle(doc.getElementById('c'), '::before').content"),
}  # fmt: skip
"""By the paragraph of what was found, and a name."""


def put(site: Site) -> None:
    """What the pages ask for."""
    visits = iter([(200, 0, 0), (0, 0, 200), (0, 0, 200)])
    site.put("/again.png", "image/png", lambda: png(90, 90, next(visits)))
    site.put("/red.png", "image/png", png(160, 80, (200, 0, 0)))
    site.put("/blue.png", "image/png", png(160, 80, (0, 0, 200)))
    site.put("/film.webm", "video/webm", webm(400_000))
    site.put("/imported.css", "text/css", "#i { background: lime }")
    site.put("/legacy.css", "text/css", b'#c::before { content: "\xe9" } #c { visibility: hidden }')
    site.put("/odd.css", "text/css", "p, rect { display: block; width: 90px; height: 90px; margin: 0; background: green; fill: green }")  # fmt: skip
    site.html(
        "/targets", f"{FRAME}<style>:target {{ background: red }}</style><b class=b id=one></b><b class=b id=two></b>"
    )
    site.html("/inner", f"{HOVER}<style>body {{ margin: 0 }}</style><button></button>")
