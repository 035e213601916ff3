"""Everything that shows, in one recording: each line of what is captured has its claim here, and falls with its tracker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.recorder import record
from pagereel.reel import open_reel

from ..reel.flat import check_moment
from .support import Recorded, Site

DOT = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle r='4'/></svg>"
PAGE = """<!doctype html><title>All</title><link rel="stylesheet" href="/late.css">
<style id="own">@layer a, b; @layer a { .deep { color: red; & b { color: blue } } } @container (width > 1px) { .c { color: red } }
@media print { .d { color: red } } @keyframes go { to { opacity: .5 } } #still { animation: go 90s linear paused } #eased { transition: width 90s }</style>
<p id="still">still</p><p id="eased" style="width: 10px">eased</p>
<div id="host"><template shadowrootmode="open" shadowrootdelegatesfocus><slot></slot><i>declared</i></template>slotted</div>
<x-made></x-made><template><b>inert</b></template><math><mi>x</mi></math>
<input id="text"><input id="secret" type="password" value="hidden"><input id="range" type="range"><input id="check" type="checkbox"><input id="file" type="file" multiple>
<select id="many" multiple><option>a<option>b<option>c</select><textarea id="area">as written</textarea>
<div id="edit" contenteditable>edit me</div><details id="more"><summary>more</summary>less</details>
<dialog id="modal">modal</dialog><div id="pop" popover>pop</div>
<div id="box" style="width: 60px; height: 40px; overflow: scroll"><div style="width: 300px; height: 300px"></div></div>
<canvas id="flat" width="8" height="8"></canvas><canvas id="off" width="8" height="8"></canvas><canvas id="bitmap" width="8" height="8"></canvas>
<picture><source media="(width > 1px)" srcset="/dot.svg?chosen"><img src="/dot.svg?fallback"></picture>
<audio id="sound" src="/clip.webm" preload="auto" muted></audio>
<iframe id="frame" srcdoc="<p>in the frame</p><iframe srcdoc='<p>nested</p>'></iframe>"></iframe><iframe id="gone" srcdoc="<p>removed</p>"></iframe>
<object id="object" data="/inner"></object><object data="/none">instead</object><embed src="/dot.svg"><embed src="data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="><h2 id="target">target</h2><div style="height: 3000px"></div>
<script>
customElements.define("x-made", class extends HTMLElement { connectedCallback() { this.textContent = "upgraded"; } });
const get = (id) => document.getElementById(id);
const made = new CSSStyleSheet();
const steps = {
  sheets() {
    made.replaceSync(".made { color: red }");
    document.adoptedStyleSheets.push(made);
    get("host").shadowRoot.adoptedStyleSheets = [made];
    made.insertRule(".shared { color: green }");
    const { sheet } = get("own");
    sheet.cssRules[1].cssRules[0].style.setProperty("color", "teal");
    sheet.cssRules[3].media.mediaText = "screen";
    sheet.insertRule(".inserted { margin: var(--gap) }");
    get("secret").focus(); get("secret").select();
  },
  state() {
    get("text").focus(); get("text").value = "by script"; get("text").setSelectionRange(3, 9); get("range").value = 70; get("check").indeterminate = true;
    get("many").options[1].selected = get("many").options[2].selected = true; get("area").value = "changed";
    get("edit").textContent = "edited"; get("more").open = true; get("box").scrollTo(20, 30); scrollTo(0, 200);
  },
  selection() { getSelection().selectAllChildren(get("still")); },
  layer() { get("modal").showModal(); get("pop").showPopover(); },
  pixels() {
    get("flat").getContext("2d").fillRect(0, 0, 4, 4);
    const away = get("off").transferControlToOffscreen();
    away.getContext("2d").fillRect(0, 0, 4, 4);
    const sheet = new OffscreenCanvas(8, 8);
    sheet.getContext("2d").fillRect(2, 2, 4, 4);
    get("bitmap").getContext("bitmaprenderer").transferFromImageBitmap(sheet.transferToImageBitmap());
    get("sound").playbackRate = 2;
  },
  motion() {
    get("eased").style.width = "90px";
    get("host").animate([{ opacity: 0 }, { opacity: 1 }], { duration: 90000, id: "made" });
  },
  frames() { get("gone").remove(); document.body.append(get("frame")); },
  history() { history.pushState(null, "", "?pushed"); location.hash = "target"; },
};
</script>"""


@pytest.fixture(scope="module")
def everything(browser: Browser, site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    clip = Path(__file__).resolve().parents[2] / "fixtures" / "pages" / "clip.webm"
    site.put("/dot.svg", "image/svg+xml", DOT)
    site.put("/late.css", "text/css", ".late { color: red }")
    site.put("/clip.webm", "video/webm", clip.read_bytes())
    site.html("/inner", "<p>in the object</p>")
    url = site.html("/everything", PAGE)
    reel = tmp_path_factory.mktemp("everything") / "run.reel"
    context = browser.new_context()
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        for step in ("sheets", "state", "selection", "layer", "pixels", "motion", "frames", "history"):
            page.evaluate(f"steps.{step}()")
            page.wait_for_timeout(400)
            session.mark(step)
        page.set_input_files("#file", [{"name": "one.txt", "mimeType": "text/plain", "buffer": b"1"}])
        page.wait_for_timeout(1500)
        session.mark("end")
        popup = context.new_page()
        popup.set_content("<!doctype html><p>set content</p>")
        popup.wait_for_timeout(400)
        popup.evaluate("document.open(); document.write('<p>written again'); document.close()")
        popup.wait_for_timeout(400)
    context.close()
    yield Recorded(reel)


def ops(result: Recorded, kind: str) -> list[list[Any]]:
    told = [event for event in result.events if event["k"] in ("snapshot", "mutation")]
    return [op for event in told for op in event["ops"] if op[0] == kind]


def lines(result: Recorded) -> str:
    return "".join(line for document in result.model.documents.values() for line in document.iter_canonical_lines())


def values(result: Recorded, kind: str) -> list[Any]:
    return [op[2] for op in ops(result, kind)]


def selections(result: Recorded) -> list[list[int]]:
    """Offsets of what was selected within one node."""
    return [op[2::2] for op in ops(result, "selection") if op[1] and op[1] == op[3]]


CLAIMS: dict[str, Callable[[Recorded], bool]] = {
    "constructed sheets, shared between roots": lambda r: sum(bool(op[2]) for op in ops(r, "adopt")) >= 2,
    "rules changed through CSSOM": lambda r: all(
        text in lines(r) for text in (".shared", "color: teal", "@media screen", ".inserted { margin: var(--gap); }")
    ),
    "layers, nesting, container queries": lambda r: all(
        text in lines(r) for text in ("@layer a, b", "& b", "@container")
    ),
    "sheets from the network": lambda r: any(".late" in str(e.get("text")) for e in r.of("resource", mime="text/css")),
    "declarative shadow roots and slots": lambda r: "S" in lines(r) and " slot\n" in lines(r) and "declared" in lines(r),
    "custom elements, templates, MathML": lambda r: all(
        text in lines(r) for text in ("upgraded", "inert", "math|mi")
    ),
    "doctype": lambda r: "html\x1f\x1f\n" in lines(r),
    "frames, nested ones too": lambda r: "in the frame" in lines(r) and "nested" in lines(r),
    "a frame that was removed": lambda r: any("removed" in str(op) for op in ops(r, "add") + ops(r, "doc")),
    "the document of an object": lambda r: "in the object" in lines(r),
    "what objects and embeds show is said": lambda r: [e["detail"] for e in r.of("unsupported")] == ["its content"],
    "set_content and document.open": lambda r: "set content" in str(r.events) and "written again" in lines(r),
    "values": lambda r: {"by script", "70", "changed"} <= set(values(r, "value")),
    "names of files": lambda r: "one.txt" in values(r, "value"),
    "indeterminate and selected": lambda r: values(r, "indeterminate") == [1] and [1, 2] in values(r, "selected"),
    "contenteditable": lambda r: "edited" in lines(r),
    "selection": lambda r: [0, 1] in selections(r),
    "selection within a field": lambda r: [3, 9] in selections(r),
    "selection within a masked field is not told": lambda r: len(selections(r)) == 2,
    "focus": lambda r: any(op[1:] and op[1] and op[2] == 1 for op in ops(r, "focus")),
    "scrollers and the viewport": lambda r: {(20, 30), (0, 200)} <= {tuple(op[2:]) for op in ops(r, "scroll")},
    "details": lambda r: "\x1fid=more\x1fopen=" in lines(r),
    "top layer in its order": lambda r: [op[2] for op in ops(r, "open")] == ["modal", "popover"],
    "canvas: 2D, offscreen, bitmap": lambda r: len({op[1] for op in ops(r, "canvas")}) == 3,
    "what a picture chose": lambda r: any(op[2].endswith("?chosen") for op in ops(r, "src")),
    "media": lambda r: any(op[2].get("rate") == 2 and op[2].get("muted") for op in ops(r, "media")),
    "animations of all kinds": lambda r: {"css", "transition", "script"} <= {op[2]["type"] for op in ops(r, "anims")},
    "history and fragment": lambda r: [e["url"].partition("?")[2] for e in r.of("location")][-1] == "pushed#target",
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_it_is_recorded(everything: Recorded, claim: str) -> None:
    assert CLAIMS[claim](everything)


def test_the_recording_of_it_is_whole(everything: Recorded) -> None:
    everything.whole("late")


def test_every_moment_can_be_made_a_beginning(everything: Recorded) -> None:
    with open_reel(everything.path) as reel:
        events = list(reel.timeline())
    for moment in range(5, len(events), max(1, len(events) // 40)):
        check_moment(events, moment)
