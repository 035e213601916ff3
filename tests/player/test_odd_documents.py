"""Documents that are no ordinary HTML, recorded and shown: each opened by its own link, as a browser shows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from pagereel.browser import launch_options
from pagereel.player_build import verify_replay
from pagereel.recorder import record
from tests.recorder.support import Recorded, Site
from tests.reel.sample import png

from .conftest import Replay
from .pictures import Mark, off, pairs

XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
DOCUMENTS = {
    "xhtml": (
        "application/xhtml+xml",
        f'<?xml-stylesheet href="/odd.css"?><html {XHTML}><head><title>x</title></head><body><p>a<?php b ?></p></body></html>',
    ),
    "xml": (
        "text/xml",
        '<?xml-stylesheet href="/odd.css"?><?xml-stylesheet media="print" href="/no.css"?><root><p>one</p></root>',
    ),
    "two": (
        "text/xml",
        '<?xml-stylesheet href="/odd.css"?><?xml-stylesheet href="/over.css" type="text/css" media="screen"?><root><p>one</p></root>',
    ),
    "alternate": (
        "text/xml",
        '<?xml-stylesheet href="/odd.css"?><?xml-stylesheet href="/no.css" alternate="yes" title="b"?><root><p/></root>',
    ),
    "svg": (
        "image/svg+xml",
        '<?xml-stylesheet href="/odd.css"?><svg xmlns="http://www.w3.org/2000/svg"><p/><rect width="9" height="9"/></svg>',
    ),
    "script": (
        "text/html",
        "<!doctype html><p>a</p><script>const pi = document.createProcessingInstruction('xml-stylesheet', 'href=\"/odd.css\"');"
        "document.insertBefore(pi, document.documentElement);"
        "addEventListener('load', () => { pi.sheet.insertRule('p { letter-spacing: 7px }') })</script>",
    ),
    "gone": (
        "text/html",
        "<!doctype html><p>a</p><script>const pi = document.createProcessingInstruction('xml-stylesheet', 'href=\"/odd.css\"');"
        "document.insertBefore(pi, document.documentElement);addEventListener('load', () => setTimeout(() => pi.remove(), 300))</script>",
    ),
}  # fmt: skip
LOOKS = """(doc) => [...doc.querySelectorAll('*')].filter((e) => !/^(html|head|title|body|script)$/.test(e.localName)).map((e) => {
  const s = doc.defaultView.getComputedStyle(e);
  return [e.localName, s.color, s.fill, s.letterSpacing, s.backgroundImage.replace(/url\\(.*/, 'picture')].join();
})"""


@pytest.mark.slow
def test_the_sheets_of_processing_instructions_apply(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    reel = tmp_path / "odd.reel"
    live: dict[str, list[str]] = {}
    context = browser.new_context()
    with Site() as site, record(context, reel) as session:
        site.put(
            "/odd.css", "text/css", "p, rect { color: rgb(0, 128, 0); fill: rgb(0, 128, 0); background: url(dot.svg) }"
        )
        site.put("/over.css", "text/css", "p { color: rgb(0, 0, 200) }")
        site.put("/no.css", "text/css", "p { color: rgb(200, 0, 0) }")
        site.put("/dot.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>')  # fmt: skip
        pages = {name: context.new_page() for name in DOCUMENTS}
        for name, (kind, body) in DOCUMENTS.items():
            pages[name].goto(site.put(f"/{name}", kind, body))
        pages["gone"].wait_for_timeout(900)
        session.mark("shown")
        live = {name: page.evaluate(f"() => ({LOOKS})(document)") for name, page in pages.items()}
    context.close()
    assert "rgb(0, 128, 0)" in str(live["xhtml"]) and "7px" in str(live["script"])
    for policy in (None, "vendor"):
        replay = open_replay(reel, redaction=policy)
        for number, name in enumerate(DOCUMENTS, 1):
            replay.reopen(f"#bare&mark=shown&page={number}")
            shown = replay.inside(f"({LOOKS})(doc)")
            assert shown == live[name], (name, policy)
            assert replay.requests == [] and replay.problems == []


OWN = {
    "picture": ("image/png", png(120, 80, (200, 0, 0))),
    "film": ("video/webm", (Path(__file__).resolve().parents[2] / "fixtures" / "pages" / "clip.webm").read_bytes()),
    "json": ("application/json", '{"a": [1, 2]}'),
    "tree": ("text/xml", '<root><item a="1">one</item></root>'),
    "text": ("text/plain", "plain"),
}
PLACES = """(doc) => [...doc.querySelectorAll('body, img, video, pre, .html-tag, .html-attribute-value')].map((e) => {
  const { x, y, width, height } = e.getBoundingClientRect(), s = doc.defaultView.getComputedStyle(e);
  return [e.localName, x, y, ...(e.localName === 'body' ? [] : [width, height]), s.color, s.backgroundColor].join();
})"""


def test_documents_that_the_browser_makes_look_as_it_shows_them(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    reel = tmp_path / "own.reel"
    live: dict[str, list[str]] = {}
    context = browser.new_context(viewport={"width": 600, "height": 400})
    with Site() as site, record(context, reel) as session:
        pages = {name: context.new_page() for name in OWN}
        for name, (kind, body) in OWN.items():
            pages[name].goto(site.put(f"/{name}", kind, body))
        pages["film"].wait_for_timeout(700)
        session.mark("shown")
        live = {name: page.evaluate(f"() => ({PLACES})(document)") for name, page in pages.items()}
    context.close()
    replay = open_replay(reel)
    for number, name in enumerate(OWN, 1):
        replay.reopen(f"#bare&mark=shown&page={number}")
        replay.seek({"mark": "shown"})
        assert replay.inside(f"({PLACES})(doc)") == live[name], name


DEEP = """<style>.in { color: rgb(0, 128, 0) }</style><div id=top></div><script>
let at = document.getElementById('top');
for (let i = 0; i < 2500; i++) { const next = document.createElement(i % 500 ? 'div' : 'section'); at.append(next); at = next; }
const host = document.createElement('div'); at.append(host); host.className = 'in'; host.attachShadow({ mode: 'closed' }).innerHTML = '<b>closed</b><slot></slot>';
host.textContent = 'bottom'; host.id = 'bottom';
</script>"""


@pytest.mark.slow
def test_a_page_deeper_than_any_recursion_is_recorded_and_shown(
    browser: Browser, tmp_path: Path, open_replay: Callable[..., Replay], recwarn: pytest.WarningsRecorder
) -> None:
    reel = tmp_path / "deep.reel"
    context = browser.new_context()
    said: list[str] = []
    with Site() as site, record(context, reel) as session:
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(site.html("/deep", DEEP))
        page.wait_for_timeout(900)
        page.evaluate("() => { host.append(' more'); document.getElementById('top').title = 'changed' }")
        page.wait_for_timeout(900)
        session.mark("deep")
        page.evaluate("() => document.getElementById('top').remove()")
        page.wait_for_timeout(900)
        session.mark("flat")
    context.close()
    assert said == [] and [str(warning.message) for warning in recwarn] == []
    recorded = Recorded(reel)
    recorded.whole()
    assert "closed" in str(recorded.events), "the closed root at its bottom is found"
    replay = open_replay(reel, "#bare&mark=deep")
    look = "(({textContent}) => [textContent, doc.defaultView.getComputedStyle(doc.getElementById('bottom')).color])(doc.getElementById('bottom'))"
    assert replay.inside(look) == ["bottom more", "rgb(0, 128, 0)"]
    replay.seek({"mark": "flat"})
    assert replay.inside("doc.getElementById('bottom')") is None
    replay.seek({"mark": "deep"})
    assert replay.inside(look) == ["bottom more", "rgb(0, 128, 0)"]
    assert replay.problems == []
    report = verify_replay(replay.path, launch=launch_options())
    assert not report.differences, report.differences


XSL = b"""<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html" %s/><xsl:template match="/">
<html><head><style>.A { width: 90 }</style></head><body><p class="a" style="margin-top: 200px; background: pink">narrow in quirks mode</p></body></html></xsl:template></xsl:stylesheet>"""
STRICT = b'doctype-public="-//W3C//DTD HTML 4.01//EN" doctype-system="http://www.w3.org/TR/html4/strict.dtd"'


@pytest.mark.parametrize(
    ("doctype", "mode"), [(b"", "BackCompat"), (STRICT, "CSS1Compat")], ids=["quirks", "standards"]
)
def test_what_a_style_sheet_makes_of_xml_has_the_mode_of_its_doctype(
    browser: Browser, tmp_path: Path, doctype: bytes, mode: str
) -> None:
    site = {
        "/": ("text/xml", b'<?xml-stylesheet type="text/xsl" href="/x.xsl"?><r/>'),
        "/x.xsl": ("text/xsl", XSL % doctype),
    }
    live: list[str] = []

    def drive(page: Page, mark: Mark) -> None:
        live.append(page.evaluate("document.compatMode"))
        mark("made")

    assert off(pairs(browser, tmp_path, site, drive)) == {}
    assert live == [mode]


def test_names_in_xml_that_differ_in_their_case_are_two(browser: Browser, tmp_path: Path) -> None:
    page = f"""<?xml version="1.0"?><html {XHTML}><head><style>Div, DIV {{ display: block; background: gold; padding: 10px }} div {{ color: teal }}
        P {{ color: red }} p {{ color: green }} .Cls {{ outline: 3px solid blue }} Div > p {{ background: pink }} div > p {{ margin-left: 40px }}
        Div[style]::before {{ content: "before " }} LI, p:is(P, LI) {{ color: magenta }} linearGradient {{ color: lime }} rect {{ stroke: black }}</style></head>
        <body><Div>Upper</Div><div>lower <P>upper</P><p>lower</p></div><Div style="margin: 30px; width: 200px" class="Cls"><p>in it</p></Div>
        <p Class="Cls">no class</p><ul><li>an item</li></ul><Button>no button</Button><Input value="no input"/><DIV id="late"><p>more</p></DIV>
        <svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><linearGradient id="g"><stop stop-color="currentColor"/></linearGradient>
        <rect width="80" height="40" fill="url(#g)"/></svg></body></html>"""

    def drive(page: Page, mark: Mark) -> None:
        mark("shown")
        page.evaluate(
            "document.styleSheets[0].insertRule('DIV { padding: 40px }', 9); document.querySelector('#late').append(document.createElement('P'), 'by a script')"
        )
        mark("changed")

    assert off(pairs(browser, tmp_path, {"/": ("application/xhtml+xml", page.encode())}, drive)) == {}
    report = verify_replay(tmp_path / "pictures.html", launch=launch_options())
    assert report.fidelity.tree.all_equal and report.fidelity.tree.total >= 2, report.differences
