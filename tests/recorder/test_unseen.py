"""What no event of the page tells: closed and late shadow roots, rules changed through CSSOM, changes to what has left the document."""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from pagereel.recorder.ingest.script_requests import TakeSnapshotCommand

from .support import LAUNCH, Recorded, Site, among, until, watched

SHOP = Path(__file__).resolve().parents[2] / "fixtures" / "shop" / "static"


def recorded(context: BrowserContext, site: Site, reel: Path, html: str, *scripts: str, rest: float = 500) -> Recorded:
    """A recording of a page in which scripts run one after the other, each followed by `rest` ms."""
    url = site.html("/unseen", html)
    with record(context, reel) as session:
        page: Page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(rest)
        for number, script in enumerate(scripts):
            page.evaluate(script)
            page.wait_for_timeout(rest)
            session.mark(str(number))
    return Recorded(reel)


def all_lines(result: Recorded) -> str:
    return "".join(line for document in result.model.documents.values() for line in document.iter_canonical_lines())


CLOSED = """<!doctype html><div id=plain></div><script>
customElements.define("x-inner", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<b>innermost</b>"; }
});
customElements.define("x-outer", class extends HTMLElement {
  constructor() {
    super();
    this.secret = this.attachShadow({mode: "closed"});
    this.secret.innerHTML = "<p>inside</p><x-inner></x-inner>";
  }
});
</script><x-outer></x-outer>"""


def test_closed_shadow_roots_are_recorded_with_what_changes_in_them(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    change = "document.querySelector('x-outer').secret.querySelector('p').textContent = 'changed inside'"
    add = "document.body.append(document.createElement('x-outer'))"
    result = recorded(context, site, reel, CLOSED, change, add)
    result.whole()
    lines = all_lines(result)
    assert lines.count(" closed\n") == 4
    assert lines.count("innermost") == 2 and "changed inside" in lines


def test_a_closed_root_on_a_plain_element_is_found(context: BrowserContext, site: Site, reel: Path) -> None:
    html = "<!doctype html><div><template shadowrootmode=closed><i>declared</i></template></div>"
    script = "document.body.appendChild(document.createElement('p')).attachShadow({mode: 'closed'}).innerHTML = '<u>by code</u>'"
    result = recorded(context, site, reel, html, script, rest=2500)
    result.whole()
    assert "declared" in all_lines(result) and "by code" in all_lines(result)


def test_a_root_attached_to_a_known_plain_element_is_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    late = "document.getElementById('plain').attachShadow({mode: 'open'}).innerHTML = '<i>attached late</i>'"
    result = recorded(context, site, reel, CLOSED, late)
    result.whole()
    assert "attached late" in all_lines(result)


def test_rules_changed_in_place_are_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    site.put("/linked.css", "text/css", ".b { color: red; }")
    html = "<!doctype html><style id=s>.a { color: red; }</style><link rel=stylesheet href=/linked.css><p class='a b'>x</p>"
    result = recorded(
        context,
        site,
        reel,
        html,
        "document.styleSheets[0].cssRules[0].style.color = 'green'",
        "document.styleSheets[1].cssRules[0].selectorText = '.c'",
    )
    result.whole()
    assert ".a { color: green; }" in all_lines(result) and ".c { color: red; }" in all_lines(result)


def test_what_changes_while_it_is_away_is_recorded_when_it_comes_back(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    html = "<!doctype html><div id=el><b>one</b><i id=kid>two</i></div><p id=end></p>"
    away = """async () => {
      const el = document.getElementById("el"), kid = document.getElementById("kid");
      el.remove();
      await null;
      el.setAttribute("data-away", "1");
      el.firstChild.textContent = "changed away";
      kid.append("kid changed");
      await null;
      document.getElementById("end").append(kid);
      document.body.append(el);
    }"""
    result = recorded(context, site, reel, html, away)
    result.whole()
    lines = all_lines(result)
    assert "data-away" in lines and "changed away" in lines and "kid changed" in lines


def test_frames_are_in_their_places_after_the_model_was_healed(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/outer", "<!doctype html><p>outer</p><iframe srcdoc='<p>inner</p>'></iframe>")
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.goto(url)
        until(page, lambda: among(told, "embed"))
        recording = session._recording
        source = next(s for s in recording.list_open_pages()[0].tap.frames.current.values() if s.source.top).source
        recording._send_command_from_writer(source, TakeSnapshotCommand())
        until(page, lambda: among(told, "snapshot", why="heal"))
    result = Recorded(reel)
    outer = result.document(url)["d"]
    healed = result.of("snapshot", d=outer, why="heal")[0]
    embeds = [e for e in result.of("embed", parent=outer) if e["t"] >= healed["t"]]
    assert embeds and embeds[-1]["node"] in result.model.documents[outer].nodes


def test_a_healed_model_has_at_once_what_only_looks_find(context: BrowserContext, site: Site, reel: Path) -> None:
    """A fresh snapshot forgets all; until the next look the page had its own style sheets and no states again."""
    html = """<!doctype html><style id=s>p { color: red }</style><x-sw></x-sw><style>x-sw:state(on) { color: red }</style><script>
      customElements.define("x-sw", class extends HTMLElement {
        constructor() { super(); this.attachInternals().states.add("on"); }
      });
      s.sheet.cssRules[0].style.color = "blue";</script>"""
    url = site.html("/healed", html)
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.goto(url)
        until(page, lambda: {"sheet", "states"} <= {op[0] for e in among(told, "mutation") for op in e["ops"]})
        recording = session._recording
        source = next(s for s in recording.list_open_pages()[0].tap.frames.current.values() if s.source.top).source
        recording._send_command_from_writer(source, TakeSnapshotCommand())
        until(page, lambda: among(told, "snapshot", why="heal"))
    healed = Recorded(reel).one("snapshot", why="heal")
    assert [op[3] for op in healed["ops"] if op[0] == "sheet"] == ["p { color: blue; }"]
    assert [op[2] for op in healed["ops"] if op[0] == "states"] == [["state(on)"]]


def test_dialogs_that_change_places_in_one_task_do_so_in_the_layer(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    html = "<!doctype html><dialog id=one>one</dialog><dialog id=two>two</dialog>"
    swap = "one.close(); two.close(); two.showModal(); one.showModal()"
    result = recorded(context, site, reel, html, "one.showModal(); two.showModal()", swap)
    result.whole()
    ops = [op for event in result.of("mutation") for op in event["ops"] if op[0] == "open"]
    one, two = ops[0][1], ops[1][1]
    assert [(op[1], op[2]) for op in ops] == [
        (one, "modal"),
        (two, "modal"),
        (two, ""),
        (two, "modal"),
        (one, ""),
        (one, "modal"),
    ]


def test_fonts_made_by_script_are_recorded_where_there_is_no_doubt_which_they_are(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    font = (SHOP / "fonts" / "instrument-sans.woff2").read_bytes()
    for path in ("/known.woff2", "/by-address.woff2", "/some.woff2"):
        site.put(path, "font/woff2", font)
    html = "<!doctype html><style>@font-face { font-family: Known; src: url(/known.woff2) } p { font-family: Known }</style><p>x</p>"
    made = "await face.load(); document.fonts.add(face)"
    result = recorded(
        context, site, reel, html,
        f"(async () => {{ const face = new FontFace('By Address', 'url(/by-address.woff2)', {{ weight: '700' }}); {made} }})()",
        f"(async () => {{ const face = new FontFace('Bytes', await (await fetch('/some.woff2')).arrayBuffer()); {made} }})()",
        f"(async () => {{ const face = new FontFace('Inline', 'url(data:font/woff2;base64,{b64encode(font).decode()})'); {made} }})()",
        "document.fonts.forEach((face) => face.family.includes('Address') && document.fonts.delete(face))",
        rest=1500,
    )  # fmt: skip
    result.whole()
    rules = [op[3] for event in result.of("mutation") for op in event["ops"] if op[0] == "sheet"]
    assert (
        rules[0]
        == f'@font-face {{ font-family: "By Address"; src: url("{site.url("/by-address.woff2")}"); font-weight: 700; }}'
    )
    assert [site.url("/some.woff2") in rule for rule in rules] == [False, True, True]
    assert ["By Address" in rule for rule in rules] == [True, True, False]
    assert [event["detail"] for event in result.of("unsupported")] == ["FontFace Inline normal normal"]


def test_states_that_only_pseudo_classes_tell_are_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    html = """<!doctype html><style>x-sw:state(on) { color: red }</style><x-sw></x-sw><form action='javascript:0'><input required></form><script>
      customElements.define("x-sw", class extends HTMLElement {
        constructor() { super(); this.internals = this.attachInternals(); }
      });</script>"""
    switch = "document.querySelector('x-sw').internals.states.add('on')"
    invalid = "document.querySelector('form').requestSubmit()"
    result = recorded(context, site, reel, html, switch, invalid)
    result.whole()
    told = [op[2] for event in result.of("mutation") for op in event["ops"] if op[0] == "states"]
    assert ["state(on)"] in told and ["user-invalid"] in told


def test_a_webgl_canvas_drawn_once_is_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    html = """<!doctype html><canvas id=c width=64 height=32></canvas><script>
      const gl = c.getContext("webgl");
      window.draw = (r, g, b) => { gl.clearColor(r, g, b, 1); gl.clear(gl.COLOR_BUFFER_BIT); };
    </script>"""
    result = recorded(context, site, reel, html, "draw(1, 0, 0)", "draw(0, 0, 1)", rest=1500)
    result.whole()
    colours = []
    for event in result.of("mutation"):
        for op in event["ops"]:
            if op[0] == "canvas":
                picture = next(r for r in result.of("resource") if r["sha256"] == op[2])
                image = Image.open(BytesIO(b64decode(picture["base64"]))).convert("RGB")
                colours.append(max(enumerate(image.getpixel((5, 5))), key=lambda item: item[1])[0])
    assert colours[-1] == 2 and 0 in colours


def test_the_preferences_that_a_page_was_told_are_recorded(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/scheme", "<!doctype html><p>x</p>")
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.emulate_media(color_scheme="dark")
        page.goto(url)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        until(page, lambda: among(told, "viewport", scheme="light", motion="reduce"))
    result = Recorded(reel)
    result.whole()
    assert result.document(url)["scheme"] == "dark" and result.document(url)["motion"] == "no-preference"
    last = result.of("viewport", d=result.document(url)["d"])[-1]
    assert (last["scheme"], last["motion"]) == ("light", "reduce")


@pytest.mark.parametrize("touched", [True, False], ids=["some hold already", "none holds yet"])
def test_the_queries_that_hold_for_few_pages_are_recorded_as_they_come_to_hold(
    browser: Browser, site: Site, reel: Path, touched: bool
) -> None:
    url = site.html("/queries", "<!doctype html><p>x</p>")
    touch = ["(hover: none)", "(any-hover: none)", "(pointer: coarse)", "(any-pointer: coarse)"] if touched else []
    contrast, forced = "(prefers-contrast: more)", "(forced-colors: active)"
    wanted = [[contrast, *touch], [contrast, forced, *touch], ["print", contrast, forced, *touch]]
    context = browser.new_context(has_touch=touched)
    with record(context, reel) as session:
        told = watched(session)
        page = context.new_page()
        page.goto(url)
        for emulated, media in zip(
            ({"contrast": "more"}, {"forced_colors": "active"}, {"media": "print"}), wanted, strict=True
        ):
            page.emulate_media(**emulated)
            until(page, partial(among, told, "viewport", media=media))
    context.close()
    result = Recorded(reel)
    result.whole()
    assert result.document(url)["media"] == touch
    medias = [event["media"] for event in result.of("viewport", d=result.document(url)["d"])]
    assert medias[-3:] == wanted
    assert [event["what"] for event in result.of("unsupported")] == ["forced colours"]


def test_a_frame_without_scripts_says_nothing_in_the_console(context: BrowserContext, site: Site, reel: Path) -> None:
    html = "<!doctype html><iframe sandbox='allow-same-origin' srcdoc='<p id=x>quiet</p><noscript>seen</noscript>'></iframe>"
    change = "frames[0].document.getElementById('x').append(' changed')"
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    result = recorded(context, site, reel, html, change)
    result.whole()
    assert [text for text in said if "404" not in text] == [], "but for the site's missing icon"
    assert "quiet" in all_lines(result) and " changed" in all_lines(result)


def test_pictures_of_revoked_addresses_are_recorded_without_a_word_in_the_console(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    html = """<!doctype html><script>
      let shown;
      const loaded = new Promise((resolve) => (shown = resolve));
      const sheet = new OffscreenCanvas(8, 8);
      sheet.getContext("2d").fillRect(0, 0, 8, 8);
      sheet.convertToBlob().then(async (blob) => {
        const early = new Image(), late = new Image();
        early.src = URL.createObjectURL(blob);
        await early.decode();
        URL.revokeObjectURL(early.src);
        late.src = URL.createObjectURL(blob);
        late.onload = () => (URL.revokeObjectURL(late.src), shown());
        document.body.append(early, late);
      });
    </script>"""
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    result = recorded(context, site, reel, html, "loaded")
    result.whole()
    assert [text for text in said if "404" not in text] == [], "but for the site's missing icon"
    # One that loads before the eyes of the recorder is what its own response brought; the others are drawn, under a name of their own.
    brought = {event["id"] for event in result.of("response") if event.get("body")}
    asked = {event["url"] for event in result.of("request") if event["id"] in brought}
    kept = asked | {event["url"] for event in result.of("alias")}
    assert len({url for url in kept if url.startswith("blob:")}) == 2


REVOKED = """<!doctype html><img id=seen><script>
fetch("/dot.svg").then((answer) => answer.blob()).then((blob) => {
  const image = document.getElementById("seen");
  const url = URL.createObjectURL(blob);
  image.onload = () => { URL.revokeObjectURL(url); document.title = "revoked"; };
  image.src = url;
});
</script>"""


def test_a_blob_that_is_revoked_at_once_is_kept_without_a_request_of_ours(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    site.put("/dot.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>")
    said: list[str] = []
    asked: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    context.on("request", lambda request: asked.append(request.url))
    url = site.html("/revoked", REVOKED)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_function("document.title === 'revoked'")
        page.wait_for_timeout(300)
        session.mark("revoked")
    result = Recorded(reel)
    result.whole()
    (request,) = [one for one in result.of("request") if one["url"].startswith("blob:")]
    assert "body" in result.one("response", id=request["id"])
    assert [one for one in asked if one.startswith("blob:")] == [request["url"]]
    assert [text for text in said if "404" not in text] == [], "but for the site's missing icon"


def test_a_focus_says_whether_it_shows_and_a_script_link_stays_a_link(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    html = "<!doctype html><button>b</button><a href='javascript:ran()'>runs</a><svg><a xlink:href='javascript:ran()'/></svg>"
    by_script = "document.querySelector('button').focus()"
    by_pointer = (
        "document.querySelector('button').blur(), document.querySelector('button').focus({focusVisible: false})"
    )
    result = recorded(context, site, reel, html, by_script, by_pointer, rest=300)
    result.whole()
    focused = [op for event in result.of("mutation") for op in event["ops"] if op[0] == "focus" and op[1]]
    assert [op[2] for op in focused] == [1, 0]
    lines = all_lines(result)
    assert "ran()" not in lines and lines.count("\x1fhref=#\n") == 1 and lines.count("\x1fxlink:href=#\n") == 1


def shown(events: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    """The colours in the middle of the pictures of canvases, rounded to what a lossy picture keeps."""
    bodies = {event["sha256"]: event["base64"] for event in events if event["k"] == "resource" and "base64" in event}
    colours = []
    for op in (op for event in events if event["k"] == "mutation" for op in event["ops"] if op[0] == "canvas"):
        with Image.open(BytesIO(b64decode(bodies[op[2]]))) as picture:
            middle = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
        colours.append(tuple(255 * round(value / 255) for value in middle))
    return colours


def test_a_canvas_that_no_script_may_read_is_cut_out_of_a_picture_of_the_page(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    square = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='red'/></svg>"
    )
    foreign = site.put("/red.svg", "image/svg+xml", square).replace("127.0.0.1", "localhost")
    html = f"""<!doctype html><canvas width=40 height=40 style="margin: 30px"></canvas><img src="{foreign}"><script>
      let resized = 0;
      addEventListener("resize", () => resized++);
      const draw = () => document.querySelector("canvas").getContext("2d").drawImage(document.querySelector("img"), 0, 0);
    </script>"""
    url = site.html("/tainted", html)
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        told: list[dict[str, Any]] = []
        session._recording.kit.writer.watch = told.append
        page.evaluate("draw()")
        for _ in range(200):
            if (255, 0, 0) in shown(told):
                break
            page.wait_for_timeout(100)
        assert page.evaluate("resized") == 0
    result = Recorded(reel)
    result.whole()
    assert shown(result.events)[-1] == (255, 0, 0)
    assert result.of("unsupported") == []


@pytest.mark.slow
def test_checkpoints_have_pictures_when_they_are_wanted(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html("/pictures", "<!doctype html><body style='background: red'><h1>x</h1>")
    with record(context, reel, checkpoint_screenshots=True) as session:
        told = watched(session)
        page = context.new_page()
        page.goto(url)
        for number, colour in enumerate(("red", "blue"), 1):
            page.evaluate(f"document.body.style.background = '{colour}'")
            for _ in range(60):
                session.mark(colour)
                if any(len(among(told, "picture")) >= number or page.wait_for_timeout(100) for _ in range(5)):
                    break
    result = Recorded(reel)
    result.whole()
    assert {event["t"] for event in result.of("picture")} <= {event["t"] for event in result.of("checkpoint")}
    html = reel.with_suffix(".html")
    build(reel, html, redaction=None)
    report = verify_replay(html, launch=LAUNCH)
    assert report.ok and len(report.pictures) >= 2, str(report)


MISSENT = """<div id="box"></div><svg id="drawing"><rect id="shape"/></svg><video id="film"></video><input id="field"><x-own id="own"></x-own><p id="said">none</p>
<script>
const types = ["play", "playing", "pause", "seeked", "ratechange", "volumechange", "ended", "loadedmetadata", "input", "change", "reset", "select",
  "toggle", "close", "cancel", "fullscreenchange", "scroll", "load", "error", "focusin", "focusout", "selectionchange", "animationstart",
  "transitionrun", "transitionend", "slotchange", "resize", "keydown", "pointermove", "mousedown", "mouseup", "click", "visibilitychange", "pagehide"];
const targets = [...document.querySelectorAll("[id]"), document.body, document.documentElement, document, window, shape.firstChild ?? new Text()];
window.send = async () => {
  for (const type of types) {
    for (const target of targets) {
      said.textContent = `${type} ${target.id ?? target}`;
      target.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail: 1 }));
      target.dispatchEvent(new Event(type));
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  said.textContent = "all";
};
</script>"""


def test_events_that_scripts_send_to_elements_they_do_not_belong_to_cost_no_change(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    """Plyr sends `play` and `pause` from the box around its video: every change of that moment was told with what no reader takes."""
    url = site.html("/missent", MISSENT)
    page = context.new_page()
    with record(context, reel) as session:
        page.goto(url)
        page.evaluate("send()")
        session.mark("sent")
    recorded = Recorded(reel)
    recorded.whole()
    numbers = [
        event["n"] for event in recorded.events if "n" in event and event.get("d") == recorded.document(url)["d"]
    ]
    assert numbers == list(range(len(numbers))), "messages that do not follow the format are not read"
    assert [line for line in recorded.lines(url).splitlines() if line.strip().endswith("all")] != [], recorded.lines(
        url
    )[-300:]


CHANGED_AT_ONCE = """<!doctype html><p>x</p><script>
const link = document.createElement("link");
link.rel = "stylesheet"; link.href = "/came.css?link";
link.onload = () => link.sheet.insertRule("p { letter-spacing: 1px }");
setTimeout(() => document.head.append(link), 100);
const found = document.querySelector("p").appendChild(document.createElement("link"));
found.rel = "stylesheet"; found.href = "/came.css?window";
const pi = document.createProcessingInstruction("xml-stylesheet", 'href="/came.css?instruction"');
document.insertBefore(pi, document.documentElement);
addEventListener("load", () => { for (const { sheet } of [pi, found]) sheet.insertRule("p { letter-spacing: 2px }"); });
</script>"""


def test_what_a_page_does_to_a_sheet_as_soon_as_it_has_come_is_recorded(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    """What a sheet from the network is without CSSOM's doing cannot be asked for later."""
    site.put("/came.css", "text/css", "p { color: red }")
    come = "[...document.styleSheets].filter((sheet) => sheet.cssRules.length === 2).length === 3"
    wait = f"new Promise((done) => {{ const look = () => ({come} ? done() : setTimeout(look, 20)); look(); }})"
    result = recorded(context, site, reel, CHANGED_AT_ONCE, wait)
    result.whole()
    rules = sorted(op[3] for event in result.events for op in event.get("ops", ()) if op[0] == "sheet")
    assert [rule.split("\n")[0] for rule in rules] == [
        "p { letter-spacing: 1px; }",
        "p { letter-spacing: 2px; }",
        "p { letter-spacing: 2px; }",
    ], rules
