"""What a page did not get, or was not allowed to use, does not show in its replay, whatever another load got for the same address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from pagereel.recorder import record
from tests.recorder.support import Recorded, Site

from .conftest import Replay
from .pictures import Mark, off, pairs

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>'
)
DATA = "data:image/svg+xml," + SQUARE.replace("#", "%23").replace('"', "'")
ALL = """<title>page</title><link rel=stylesheet href=/own.css><link rel=stylesheet href="OTHER/other.css">
<link rel=stylesheet href="data:text/css,h1{font-style:italic}"><style>h1 { font-size: 60px }</style><h1 style="color: orange">Head</h1>
<svg width=50 height=50><style>rect { fill: lime }</style><rect width=50 height=50 style="stroke: red; stroke-width: 9"/></svg>
<img src="DATA" alt=a><img src="OTHER/square.svg" alt=b><p id=later>later</p><p id=put style="color: red">x</p><script src=/act.js></script>"""
ACT = """later.setAttribute('style', 'font-size: 40px'); put.style.color = 'green'; document.head.append(document.createElement('style'));
document.head.lastChild.textContent = '#later { background: yellow }';"""
LOOK = """[...doc.querySelectorAll('h1, rect, p')].map((e) => { const s = getComputedStyle(e);
  return [s.fontSize, s.fontStyle, s.color, s.backgroundColor, s.letterSpacing, s.textDecorationLine, s.fill, s.strokeWidth].join() })
  .concat([...doc.images].map((i) => i.naturalWidth))"""


def looks(page: Page) -> object:
    return page.evaluate(f"() => {{ const doc = document; return {LOOK} }}")


def test_what_a_policy_of_the_page_refused_stays_refused(
    browser: Browser, site: Site, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    reel = tmp_path / "run.reel"
    site.put("/own.css", "text/css", "h1 { letter-spacing: 4px }")
    site.put("/other.css", "text/css", "h1 { text-decoration: underline }")
    site.put("/square.svg", "image/svg+xml", SQUARE)
    site.put("/act.js", "text/javascript", ACT)
    body = ALL.replace("OTHER", site.url("", "localhost")).replace("DATA", DATA)
    site.html("/free", body)
    site.html("/strict", f"<meta http-equiv=Content-Security-Policy content=\"default-src 'self'\">{body}")
    live: dict[str, object] = {}
    context = browser.new_context(viewport={"width": 800, "height": 600})
    with record(context, reel) as session:
        page = context.new_page()
        for name in ("free", "strict"):
            page.goto(site.url(f"/{name}"))
            live[name] = looks(page)
            session.mark(name)
        page.evaluate("later.style.cssText = 'color: blue'")
        live["cssom"] = looks(page)
        session.mark("cssom")
    context.close()
    assert live["free"] != live["strict"]
    replay = open_replay(reel)
    for name, there in live.items():
        replay.reopen(f"#mark={name}")
        assert replay.inside(LOOK) == there, name
    assert all(event["equal"] for event in Recorded(reel).of("checkpoint"))


def test_each_visit_has_what_it_got_itself(
    browser: Browser, site: Site, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    reel = tmp_path / "run.reel"
    site.html(
        "/visit",
        "<link rel=stylesheet href=/late.css><link rel=stylesheet href=/has.css><h1>Visit</h1><img src=/late.svg alt=c>",
    )
    site.put("/has.css", "text/css", "h1 { width: 40px; height: 40px; background: url(/late.svg) tan }")
    live: dict[str, object] = {}
    context = browser.new_context(viewport={"width": 800, "height": 600})
    shots: dict[str, bytes] = {}
    with record(context, reel) as session:
        page = context.new_page()
        for name in ("missing", "there", "gone"):
            if name == "there":
                site.put("/late.css", "text/css", "h1 { color: green }")
                site.put("/late.svg", "image/svg+xml", SQUARE)
            elif name == "gone":
                del site.pages["/late.css"], site.pages["/late.svg"]
            page.goto(site.url(f"/visit?{name}"))
            live[name], shots[name] = looks(page), page.screenshot()
            session.mark(name)
    context.close()
    assert live["missing"] == live["gone"] != live["there"] and shots["missing"] == shots["gone"] != shots["there"]
    replay = open_replay(reel, "#bare", width=800)
    replay.page.set_viewport_size({"width": 800, "height": 600})
    for name, there in live.items():
        replay.reopen(f"#bare&mark={name}")
        assert replay.inside(LOOK) == there, name
        assert replay.page.screenshot() == shots[name], name


def test_what_stands_in_for_scripts_shows_where_they_are_off(
    browser: Browser, site: Site, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    """In a page without scripts, and in a sandboxed frame; with scripts it does not show, whatever it holds."""
    reel = tmp_path / "run.reel"
    stands_in = "<noscript><p style='height: 50px; margin: 0'>Scripts are off</p></noscript><p id=end>end</p>"
    url = site.html("/page", f'<body>{stands_in}<iframe sandbox=allow-same-origin srcdoc="<body>{stands_in}"></iframe>')
    where = "doc.querySelector('#end').getBoundingClientRect().top"
    for scripts in (True, False):
        context = browser.new_context(viewport={"width": 800, "height": 600}, java_script_enabled=scripts)
        with record(context, reel, overwrite=True) as session:
            page = context.new_page()
            page.goto(url)
            tops = [frame.locator("#end").bounding_box()["y"] for frame in page.frames]  # type: ignore[index]
            session.mark("there")
        context.close()
        replay = open_replay(reel, "#mark=there")
        assert replay.inside(where) == tops[0] and (tops[0] > 50) is not scripts
        assert "Scripts are off" in Recorded(reel).lines("about:srcdoc")
        assert replay.inside("doc.querySelector('iframe').contentDocument.querySelector('p').offsetHeight") == 50
        assert all(event["equal"] for event in Recorded(reel).of("checkpoint"))


def test_a_base_that_comes_later_leaves_what_has_loaded_alone(
    browser: Browser, site: Site, tmp_path: Path, open_replay: Callable[..., Replay]
) -> None:
    reel = tmp_path / "run.reel"
    site.put("/one/a.svg", "image/svg+xml", SQUARE)
    site.put("/two/a.svg", "image/svg+xml", SQUARE.replace('"40"', '"70"'))
    url = site.html("/page", "<base href=/one/><img src=a.svg>")
    context = browser.new_context(viewport={"width": 800, "height": 600})
    with record(context, reel) as session:
        page = context.new_page()
        page.goto(url)
        session.mark("one")
        page.evaluate("""() => {
          document.querySelector('base').href = '/two/';
          const image = new Image();
          image.src = 'a.svg';
          document.body.append(image);
          return image.decode();
        }""")
        session.mark("two")
    context.close()
    replay = open_replay(reel, "#mark=two")
    assert replay.inside("[...doc.images].map((image) => image.naturalWidth)") == [40, 70]


def test_what_comes_after_a_base_has_gone_starts_from_the_pages_own_address(browser: Browser, tmp_path: Path) -> None:
    pages = {
        f"{folder}a.svg": ("image/svg+xml", SQUARE.replace("red", colour).encode())
        for folder, colour in (("/", "lime"), ("/one/", "red"), ("/two/", "blue"))
    }
    page = """<!doctype html><head><base href=/one/></head><img src=a.svg><iframe srcdoc="<p>in it</p>"></iframe>
        <script>const held = document.querySelector('base'); const add = () => Promise.all([document.body, document.querySelector('iframe').contentDocument.body].map((body) => {
          const image = body.ownerDocument.createElement('img'); image.src = 'a.svg'; body.append(image); return image.decode() }))</script>"""

    def drive(page: Page, mark: Mark) -> None:
        page.evaluate("add()")
        mark("one")
        for name, change in (
            ("gone", "held.remove()"),
            ("two", "held.href = '/two/'; document.head.append(held)"),
            ("its head gone", "document.head.remove()"),
        ):
            page.evaluate(f"{change}; add()")
            mark(name)

    assert off(pairs(browser, tmp_path, {"/": ("text/html", page.encode()), **pages}, drive)) == {}
