"""Opens every page of the documentation's site in a browser, after `make docs`.

python scripts/open_site.py HTML

Fails where a page asks another host for something, has an error, is wider than a phone, breaks a rule of axe, or has a replay that does not play; where a
link leads nowhere, and where the search finds nothing.
"""

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from pagereel.browser import launch_options

AXE = Path(__file__).resolve().parent.parent / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = (("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390))
RULES = """axe.run({iframes: false, resultTypes: ["violations"]}).then(({violations}) => violations.map(
    (found) => `${found.id}: ${found.nodes[0].target} ${found.nodes[0].failureSummary.split("\\n")[1]}`))"""
PLAYS = """async () => {
    const { pagereel } = window; await pagereel.ready; await pagereel.seek(pagereel.duration);
    return Boolean(pagereel.frame && pagereel.frame.contentDocument.body.innerText.trim()) }"""


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def problems(site: Path) -> Iterator[str]:
    """Yield a line for each thing that is wrong with the site."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    pages = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")) if path.parent.name != "live"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for number, (scheme, width) in enumerate(VIEWS):
            yield from _opened(browser, home, pages, scheme, width, links=number == 0)
        yield from _searched(browser.new_page(), home)
        browser.close()
    server.shutdown()


def _opened(browser: Browser, home: str, pages: list[str], scheme: str, width: int, *, links: bool) -> Iterator[str]:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page, said = context.new_page(), list[str]()
    ours = (home, "data:", "blob:", "about:")
    page.on("request", lambda it: None if it.url.startswith(ours) else said.append(f"asks for {it.url}"))
    page.on("response", lambda it: said.append(f"{it.status} of {it.url}") if it.status >= 400 else None)
    page.on("console", lambda it: said.append(f"console: {it.text}") if it.type == "error" else None)
    page.on("pageerror", lambda it: said.append(f"error: {it}"))
    anchors, targets = dict[str, list[str]](), dict[str, set[str]]()
    for name in pages:
        page.goto(home + name)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            said.append("is wider than the window")
        page.evaluate(AXE.read_text("utf-8"))
        said += page.evaluate(RULES)
        said += _frames(page)
        anchors[name] = page.evaluate("[...document.querySelectorAll('a[href]')].map((it) => it.href)")
        targets[name] = set(page.evaluate("[...document.querySelectorAll('[id]')].map((it) => it.id)"))
        yield from (f"{name} ({scheme}, {width} px): {line}" for line in said)
        said.clear()
    context.close()
    for name in pages if links else ():
        for link in anchors[name]:
            path, _, anchor = link.removeprefix(home).partition("#")
            there = path + "index.html" if path == "" or path.endswith("/") else path
            if link.startswith(home) and there.endswith(".html") and not there.startswith("live/") and (there not in targets or (anchor and anchor not in targets[there])):  # fmt: skip
                yield f"{name}: {link} leads nowhere"


def _frames(page: Page) -> Iterator[str]:
    for element in page.query_selector_all("iframe.live"):
        element.scroll_into_view_if_needed()
        frame, source = element.content_frame(), element.get_attribute("src")
        if frame is None:
            yield f"{source} is not shown"
        elif "figures" in str(source):
            if not frame.locator("svg, img").count():
                yield f"{source} shows no figure"
        else:
            frame.wait_for_function("window.pagereel && window.pagereel.ready")
            if not frame.evaluate(PLAYS):
                yield f"{source} shows no page at its end"


def _searched(page: Page, home: str) -> Iterator[str]:
    page.goto(home)
    try:
        page.get_by_role("button", name="Search").first.click()
        page.get_by_role("textbox").or_(page.get_by_role("combobox")).first.fill("vault")
        page.get_by_text("The vault").first.wait_for()
    except Exception as error:
        yield f"the search finds nothing for “vault”: {error}"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1]).resolve()))
    print("\n".join(found) or "every page opens, and every replay plays")
    sys.exit(bool(found))
