"""Both transports give the same recording."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel.recorder import record

from .support import Recorded, Site

TRANSPORTS = ["cdp", "binding"]


def shop(site: Site) -> str:
    site.html("/pay", "<label>Card <input id=c></label>")
    site.put("/shop.css", "text/css", "button { color: green }")
    site.put("/stock", "application/json", '{"left": 3}')
    return site.html(
        "/shop",
        "<link rel=stylesheet href=/shop.css><h1>Shop</h1><ul id=list></ul><button>more</button>"
        "<iframe src=/pay></iframe><script>let i = 0; console.warn('hello', 1);"
        "document.querySelector('button').onclick = () => fetch('/stock').then(r => r.json()).then(j => {"
        "const li = document.createElement('li'); li.textContent = `item ${++i} of ${j.left}`; list.prepend(li) });"
        "setTimeout(() => { throw new TypeError('broken') }, 1)</script>",
    )


def visit(context: BrowserContext, url: str) -> None:
    page = context.new_page()
    page.goto(url)
    for i in (1, 2, 3):
        page.click("button")
        page.get_by_text(f"item {i} of 3").wait_for()
    page.frame_locator("iframe").locator("input").fill("4111")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_run_is_whole(context: BrowserContext, site: Site, reel: Path, transport: str) -> None:
    url = shop(site)
    with record(context, reel, transport=transport) as session:
        visit(context, url)
        session.mark("end")
    recorded = Recorded(reel)
    recorded.whole()
    assert recorded.header["browser"]["transport"] == transport
    assert recorded.one("embed")["parent"] == recorded.document(url)["d"]
    assert "4111" in recorded.lines(site.url("/pay"))
    assert "hello 1" in recorded.one("console", level="warning")["text"]
    assert "broken" in recorded.one("error")["message"]
    css = recorded.one("request", url=site.url("/shop.css"))
    body = recorded.one("response", id=css["id"])["body"]
    assert recorded.one("resource", sha256=body)["text"] == "button { color: green }"
    stock = recorded.of("request", url=site.url("/stock"))
    assert len(stock) == 3
    answers = [recorded.one("response", id=r["id"]) for r in stock]
    assert {a["status"] for a in answers} == {200} and len({a["body"] for a in answers}) == 1
    assert all(r["t"] <= a["t"] <= a["end"] for r, a in zip(stock, answers, strict=True))


def test_the_models_at_the_end_are_equal(browser: Browser, site: Site, tmp_path: Path) -> None:
    url = shop(site)
    states = []
    for transport in TRANSPORTS:
        context = browser.new_context()
        path = tmp_path / f"{transport}.reel"
        with record(context, path, transport=transport):
            visit(context, url)
        context.close()
        recorded = Recorded(path)
        states.append([plain(recorded.lines(address)) for address in (url, site.url("/pay"))])
    assert states[0] == states[1]


def plain(lines: str) -> list[str]:
    """Lines without ids: those depend on when the first snapshot was taken."""
    out = []
    for line in lines.split("\n"):
        head, _, rest = line.partition(" ")
        out.append(f"{head[:1]} {rest}")
    return out


def test_an_open_page_is_joined_over_the_binding(context: BrowserContext, site: Site, reel: Path) -> None:
    url = shop(site)
    page = context.new_page()
    page.goto(url)
    with record(page, reel, transport="binding"):
        page.click("button")
        page.get_by_text("item 1 of 3").wait_for()
        page.goto(f"{url}?again")
    recorded = Recorded(reel)
    recorded.whole()
    assert "item 1 of 3" in recorded.lines(url)
    assert recorded.of("document", url=f"{url}?again")


FORGER = """<body>{rows}<script>
const name = Object.getOwnPropertyNames(window).find((name) => /^b[0-9a-f]{{16}}$/.test(name));
const forge = (n, events) => window[name](JSON.stringify({{doc: "forged", b: n, e: events}}));
window.begin = () => {{
  forge(0, [{{k: "document", t: Date.now(), url: location.href, top: true, viewport: {{w: 1, h: 1, dpr: 1}}, mode: "CSS1Compat"}},
            {{k: "snapshot", t: Date.now(), n: 0, why: "start", ops: []}}]);
  for (let n = 1; n < 300; n++)
    forge(n, [{{k: "shoot", t: 0}}, {{k: "hosts", t: 0, all: true}}, {{k: "fonts", t: 0}}, {{k: "wanted", t: 0, url: "blob:x"}}]);
  // A hole in the numbers, and then the snapshot that mends it, over and over.
  for (let n = 300, hole = 2; n < 900; n += 2, hole += 3) {{
    forge(n, [{{k: "unload", t: Date.now(), n: hole}}]);
    forge(n + 1, [{{k: "snapshot", t: Date.now(), n: hole + 1, why: "heal", ops: []}}]);
  }}
}};
</script>"""


def test_a_page_that_forges_messages_is_serialized_anew_no_more_often_than_the_ration_says(
    context: BrowserContext, site: Site, reel: Path
) -> None:
    with record(context, reel, transport="binding") as session:
        page = context.new_page()
        page.goto(site.html("/forger", FORGER.format(rows="<p>row</p>" * 50)))
        page.evaluate("begin()")
        page.evaluate("new Promise((done) => setTimeout(done, 500))")
        session.mark("end")
    recorded = Recorded(reel)
    honest = {event["d"] for event in recorded.of("mutation")} | {recorded.of("document")[0]["d"]}
    anew = [e for e in recorded.of("snapshot", why="heal") if e["ops"]]
    assert honest and len(anew) <= 15, f"{len(anew)} snapshots"
    assert "Snapshot" in " ".join(str(e.get("detail")) for e in recorded.of("gap", reason="cap"))
    assert not [e for e in recorded.of("gap", reason="error") if "unknown kind" not in str(e.get("detail"))]
