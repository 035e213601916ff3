"""Documents that are no ordinary HTML, and pages that hide the DOM behind names: they are recorded whole, and no error of ours reaches them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel.recorder import record

from .support import Recorded, Site

XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
SVG = 'xmlns="http://www.w3.org/2000/svg"'
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
CLIP = Path(__file__).resolve().parents[2] / "fixtures" / "pages" / "clip.webm"

DOCUMENTS: dict[str, tuple[str, str | bytes]] = {
    "xhtml": (
        "application/xhtml+xml",
        f'<?xml version="1.0"?><?xml-stylesheet href="/odd.css"?><!DOCTYPE html [<!ENTITY e "entity">]><html {XHTML}><head><title>x</title></head>'
        "<body><p>&e;<?php inside ?></p><![CDATA[cut]]></body></html>",
    ),
    "xml": ("text/xml", '<?xml version="1.0"?><root><item a="1">one</item><!-- two --></root>'),
    "xml with a sheet": (
        "application/xml",
        '<?xml-stylesheet type="text/css" href="/odd.css"?><?xml-stylesheet href="data:text/css,item{color:red}"?><root><item>one</item></root>',
    ),
    "xml that is broken": ("text/xml", "<root><item>one</root>"),
    "xml with a transformation": (
        "text/xml",
        '<?xml-stylesheet href="/odd.xsl" type="text/xsl"?><root><item>one</item></root>',
    ),
    "svg": ("image/svg+xml", f'<?xml-stylesheet href="/odd.css"?><svg {SVG} width="90" height="90"><rect width="9"/></svg>'),
    "a body without html": ("application/xhtml+xml", f"<body {XHTML}><p>no root</p></body>"),
    "a root of no namespace": ("application/xhtml+xml", "<html><body>plain</body></html>"),
    "text": ("text/plain", "plain <b>text</b>"),
    "json": ("application/json", '{"a": [1, 2]}'),
    "a style sheet": ("text/css", "body { color: red }"),
    "a script": ("text/javascript", "let a = 1;"),
    "a picture": ("image/png", PICTURE),
    "a video": ("video/webm", CLIP.read_bytes()),
    "nothing": ("text/html", b""),
    "frames": ("text/html", '<frameset cols="*,*"><frame src="/odd/svg"><frame src="/odd/xml with a sheet"></frameset>'),
    "instructions in markup": ("text/html", '<?xml version="1.0"?><?xml-stylesheet href="/odd.css"?><!doctype html><p>a<?php b ?>'),
    "instructions by script": (
        "text/html",
        "<!doctype html><p id=p>text</p><script>const pi = document.createProcessingInstruction('xml-stylesheet', 'href=\"/odd.css\"');"
        "document.insertBefore(pi, document.documentElement); p.append(document.createProcessingInstruction('a', 'b'));"
        "addEventListener('mousedown', () => { pi.data = 'href=\"data:text/css,p{}\"'; pi.setAttribute?.('media', 'print') });"
        "addEventListener('click', () => setTimeout(() => pi.remove()))</script>",
    ),
    "no root any more": ("text/html", "<!doctype html><p>x<script>setTimeout(() => document.documentElement.remove(), 100)</script>"),
    "another root": (
        "text/html",
        "<!doctype html><p>x<script>setTimeout(() => document.documentElement.replaceWith(document.createElementNS('urn:a', 'a:b')), 100)</script>",
    ),
}  # fmt: skip


@pytest.fixture
def odd(site: Site) -> Site:
    site.put("/odd.css", "text/css", "p, item, rect { color: rgb(0, 128, 0); fill: rgb(0, 128, 0) }")
    site.put(
        "/odd.xsl", "text/xsl",
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body><?note inside?>'
        '<xsl:value-of select="//item"/></body></html></xsl:template></xsl:stylesheet>',
    )  # fmt: skip
    for name, (kind, body) in DOCUMENTS.items():
        site.put(f"/odd/{name.replace(' ', '%20')}", kind, body)
    return site


def visit(
    context: BrowserContext, reel: Path, urls: list[str], wait: int = 500, at_a_time: int = 5
) -> dict[str, list[str]]:
    """Records these addresses, some side by side, and presses the mouse in each; what each page was thrown."""
    thrown: dict[str, list[str]] = {}
    with record(context, reel):
        for start in range(0, len(urls), at_a_time):
            pages = []
            for url in urls[start : start + at_a_time]:
                page = context.new_page()
                pages.append(page)
                said = thrown[url] = []
                page.on("pageerror", lambda error, said=said: said.append(str(error)))
                # Chromium's own load event does not come where an instruction changes under way.
                page.goto(url, wait_until="commit")
            page.wait_for_timeout(wait)
            for page in pages:
                page.mouse.click(5, 5)
            page.wait_for_timeout(50)
            for page in pages:
                page.close()
    return thrown


@pytest.mark.slow
def test_nothing_is_thrown_into_a_document_of_any_kind(context: BrowserContext, odd: Site, reel: Path) -> None:
    urls = [odd.url(f"/odd/{name.replace(' ', '%20')}") for name in DOCUMENTS]
    thrown = visit(context, reel, urls)
    assert {url: said for url, said in thrown.items() if said} == {}
    recorded = Recorded(reel)
    recorded.whole("late")
    assert {url for url in urls if not recorded.lines(url)} == set()
    sheet = odd.url("/odd.css")
    told = [op for event in recorded.events for op in event.get("ops", ()) if op[0] == "src" and op[2] == sheet]
    assert len(told) == 6, "xhtml, xml and svg, these two in frames, and by script"


CLOBBERING = """<!doctype html><body><script>
const names = new Set();
for (const type of [Document, Node, EventTarget, Element, HTMLElement, HTMLFormElement, HTMLInputElement])
  for (const name of Object.getOwnPropertyNames(type.prototype)) names.add(name);
const add = (parent, tag, attributes) => {
  const element = Document.prototype.createElement.call(Node.prototype.getRootNode.call(parent), tag);
  for (const name in attributes) Element.prototype.setAttribute.call(element, name, attributes[name]);
  return Node.prototype.appendChild.call(parent, element);
};
const { body } = document;
const form = add(body, 'form', { id: 'held', style: 'overflow: auto; height: 20px', popover: '' });
const field = add(form, 'input', { value: 'typed' });
add(form, 'div', { style: 'height: 100px' }); add(form, 'x-custom', {});
const show = () => { HTMLElement.prototype.showPopover.call(form); field.focus(); field.select(); Element.prototype.scrollTo.call(form, 0, 9);
  Element.prototype.animate.call(form, [{ opacity: 0 }, { opacity: 1 }], 9000); };
const shown = new Promise((resolve) => setTimeout(() => {
  for (const name of names) {
    add(form, 'input', { name, type: 'hidden' });
    add(body, 'img', { name, alt: '' }); add(body, 'form', { name }); add(body, 'object', { id: name });
  }
  show();
  resolve();
}, 60));
EventTarget.prototype.addEventListener.call(window, 'keydown', () => {
  add(form, 'p', { class: 'late' }); field.value = 'by script'; Element.prototype.setAttribute.call(form, 'title', 't');
}, { once: true });
</script>"""


@pytest.mark.parametrize("transport", ["cdp", "binding"])
def test_names_that_hide_the_dom_hide_nothing_from_us(browser: Browser, site: Site, reel: Path, transport: str) -> None:
    url = site.html("/clobbering", CLOBBERING)
    context = browser.new_context()
    said: list[str] = []
    with record(context, reel, transport=transport) as session:
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(url)
        page.evaluate("() => shown")
        page.wait_for_timeout(1200)
        session.mark("selected")  # The new value takes the selection away: it has to be told by then.
        page.keyboard.press("Shift")
        page.mouse.move(20, 20)
        page.set_viewport_size({"width": 700, "height": 500})
        page.wait_for_timeout(700)
        session.mark("end")
    context.close()
    assert said == []
    recorded = Recorded(reel)
    recorded.whole("late")
    lines = recorded.lines(url)
    assert "class=late" in lines and "by script" in lines
    kinds = {op[0] for event in recorded.events for op in event.get("ops", ())}
    assert {"focus", "selection", "open", "scroll", "anims", "value"} <= kinds


def test_what_is_registered_for_style_sheets_is_told_and_asking_leaves_no_trace(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    url = site.html(
        "/registered",
        "<style>@property --sheet { syntax: '<length>'; inherits: false; initial-value: 1px } p { width: var(--width); height: var(--sheet);"
        " margin: var(--plain); background: paint(x) } ::highlight(found) { color: red }</style><p id=p>text</p>",
    )
    probe = "() => { try { CSS.registerProperty({ name: '--plain', syntax: '*', inherits: false }); return 'free' } catch (e) { return e.name } }"
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        page.wait_for_timeout(600)
        page.evaluate(
            "() => { CSS.registerProperty({ name: '--width', syntax: '<length>', inherits: false, initialValue: '9px' });"
            " const range = new Range(); range.selectNodeContents(p); CSS.highlights.set('found', new Highlight(range)) }"
        )
        session.mark("registered")
        assert page.evaluate(probe) == "free", "asking leaves no trace"
    result = Recorded(reel)
    result.whole()
    assert [(event["what"], event["detail"]) for event in result.of("unsupported")] == [("paint", "paint()")]
    ops = [op for event in result.of("mutation") for op in event["ops"]]
    rule, *_ = [op[3] for op in ops if op[0] == "sheet" and op[2] == 0]
    assert (
        " ".join(rule.split())
        == '@property --width { syntax: "<length-percentage>"; inherits: false; initial-value: 9px; }'
    )
    ((_, name, _, ranges),) = [op for op in ops if op[0] == "highlight"]
    assert name == "found" and ranges[1::2] == [0, 1] and ranges[0] == ranges[2]


# Everything that the script calls in its world fails, one after the other, as a bug of ours or a change of the browser's would have it.
SABOTAGE = """() => {
  const types = ['Document', 'Element', 'Node', 'CharacterData', 'CSSStyleSheet', 'HTMLInputElement', 'Animation', 'ShadowRoot', 'FontFaceSet', 'KeyframeEffect'];
  for (const type of types) {
    const { prototype } = globalThis[type];
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (name === 'constructor' || name === 'nodeType') continue;
      const had = Object.getOwnPropertyDescriptor(prototype, name);
      if (!had.configurable) continue;
      const fail = function () { throw new Error(`sabotage of ${type}.${name}`); };
      Object.defineProperty(prototype, name, 'value' in had ? { ...had, value: fail } : { get: fail, set: had.set, configurable: true });
    }
  }
}"""


def test_a_bug_of_ours_stays_ours_and_is_told(context: BrowserContext, site: Site, reel: Path) -> None:
    url = site.html(
        "/sabotaged",
        "<style>p { color: red }</style><p id=p>text</p><input id=i><script>setInterval(() => {"
        "p.append('x'); i.value += 'y'; p.title += 'z'; p.animate([], 500); i.focus() }, 100)</script>",
    )
    said: list[str] = []
    with record(context, reel) as session:
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(url)
        page.wait_for_timeout(300)
        cdp = context.new_cdp_session(page)
        worlds: list[int] = []
        ours = re.compile("w[0-9a-f]{16}").fullmatch
        cdp.on(
            "Runtime.executionContextCreated",
            lambda event: worlds.append(event["context"]["id"]) if ours(event["context"]["name"]) else None,
        )
        cdp.send("Runtime.enable")
        page.wait_for_timeout(50)
        assert worlds
        for world in worlds:
            cdp.send("Runtime.callFunctionOn", {"functionDeclaration": SABOTAGE, "executionContextId": world})
        cdp.send("Runtime.disable")
        page.wait_for_timeout(1500)
        page.keyboard.press("Tab")
        page.mouse.click(20, 20)
        page.set_viewport_size({"width": 700, "height": 500})
        page.wait_for_timeout(300)
        session.mark("end")
    assert said == []
    gaps = [gap for gap in Recorded(reel).of("gap", reason="error") if "sabotage" in str(gap.get("detail"))]
    assert gaps, "it is told once that the script failed"


def odd_tree(choose: random.Random, depth: int) -> str:
    """XML that a browser shows: everything that a tree can hold, in any place."""
    if depth == 0 or choose.random() < 0.2:
        return choose.choice(
            ("text", "<!-- a -->", "<![CDATA[b]]>", "<?c d?>", "<?xml-stylesheet href='/odd.css'?>", "&#10;")
        )
    name = choose.choice(
        (
            "p",
            "a:b",
            "style",
            "template",
            "svg",
            "math",
            "input",
            "script",
            "iframe",
            "x-y",
            "body",
            "head",
            "title",
            "link",
            "select",
            "option",
        )
    )
    space = choose.choice((XHTML, SVG, 'xmlns=""', 'xmlns:a="urn:a"', "", "", ""))
    attributes = choose.choice(
        (
            "",
            'xml:lang="de"',
            'a:c="d"',
            'Value="x"',
            'href="/odd.css" rel="stylesheet"',
            'popover=""',
            'xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"',
        )
    )
    if (":" in name or "a:" in attributes) and "xmlns:a" not in space:
        space += ' xmlns:a="urn:a"'
    inner = "".join(odd_tree(choose, depth - 1) for _ in range(choose.randint(0, 4)))
    inert = 'type="text/x"' if name == "script" else ""
    return f"<{name} {space} {attributes} {inert}>{inner}</{name}>"


MUTATING = """<script xmlns="http://www.w3.org/1999/xhtml">//<![CDATA[
let seed = 7; const pick = (list) => list[(seed = (seed * 16807) % 2147483647) % list.length];
const all = () => { const walker = document.createTreeWalker(document); const found = []; while (walker.nextNode()) found.push(walker.currentNode); return found; };
const acts = [
  (n) => n.parentNode.insertBefore(document.createProcessingInstruction('xml-stylesheet', 'href="/odd.css"'), n),
  (n) => n.appendChild(document.createCDATASection ? document.createCDATASection('late') : document.createTextNode('t')), (n) => n.remove(),
  (n) => n.appendChild(pick(all())), (n) => n.setAttribute('xml:space', 'preserve'), (n) => { n.data = 'changed' }, (n) => n.attachShadow({ mode: 'open' }).append('s'),
  (n) => n.setAttributeNS('urn:z', 'z:z', '1'), (n) => n.replaceWith(document.createElementNS('urn:q', 'q:r')), (n) => n.showPopover(), (n) => n.focus(),
  (n) => n.sheet.insertRule('p { color: blue }'), (n) => n.animate([{ opacity: 0 }, { opacity: 1 }], 900), () => document.normalize(),
];
for (let i = 0; i < 400; i++) setTimeout(() => { try { pick(acts)(pick(all())) } catch {} }, i);
//]]></script>"""


@pytest.mark.parametrize(
    "kind",
    [
        "application/xhtml+xml",
        pytest.param("text/xml", marks=pytest.mark.slow),
        pytest.param("image/svg+xml", marks=pytest.mark.slow),
        "text/html",
    ],
)
def test_no_tree_makes_the_script_fail(context: BrowserContext, odd: Site, reel: Path, kind: str) -> None:
    choose = random.Random(f"seed of {kind}")
    urls = []
    for number in range(4):
        tree = "".join(odd_tree(choose, 4) for _ in range(4))
        root = "svg" if kind == "image/svg+xml" else "html"
        space = SVG if root == "svg" else XHTML
        text = f"<?xml-stylesheet href='/odd.css'?><{root} {space}>{tree}{MUTATING}</{root}>"
        urls.append(odd.put(f"/fuzz/{kind[-3:]}{number}", kind, text))
    thrown = visit(context, reel, urls, wait=500)
    assert {url: said for url, said in thrown.items() if said} == {}
    assert [gap["detail"] for gap in Recorded(reel).of("gap") if gap["reason"] in ("error", "fidelity")] == []
