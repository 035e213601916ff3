"""Opens every page of the documentation's website in a browser and checks it, as the last step of `make docs`.

    python scripts/check_docs_site.py HTML                     # each page once, wide or narrow, light or dark, in turn
    python scripts/check_docs_site.py HTML --pictures FOLDER   # each page in all four variants, with a screenshot

Exit status 1: a page loads something from another host, reports an error, is wider than a phone or breaks a rule of axe
(accessibility); an embedded replay does not play; a link is dead; or the search finds nothing.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from folder_server import serve_folder
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pagereel.browser import launch_options

AXE = Path(__file__).resolve().parent.parent / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = (("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390))
RULES = """axe.run({iframes: false, resultTypes: ["violations"]}).then(({violations}) => violations.map(
    (found) => `${found.id}: ${found.nodes[0].target} ${found.nodes[0].failureSummary.split("\\n")[1]}`))"""
PLAYS = """async () => {
    const { pagereel } = window; await pagereel.ready; await pagereel.seek(pagereel.duration);
    return Boolean(pagereel.frame && pagereel.frame.contentDocument.body.innerText.trim()) }"""


def iter_site_problems(site: Path, pictures: Path | None) -> Iterator[str]:
    """Yield a line for each problem of the website in the folder `site`; save screenshots into `pictures`, if given."""
    pages = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")) if path.parent.name != "live"]
    links, targets = dict[str, list[str]](), dict[str, set[str]]()
    with serve_folder(site) as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        views = [(scheme, width, _open_browser_context(browser, scheme, width)) for scheme, width in VIEWS]
        for number, name in enumerate(pages):
            for scheme, width, view in views if pictures else [views[number % len(views)]]:
                page = view.new_page()
                yield from (f"{name} ({scheme}, {width} px): {line}" for line in _check_page(page, home, name))
                if pictures:
                    picture = f"{name.removesuffix('.html').replace('/', '_')}-{scheme}-{width}.png"
                    page.screenshot(path=pictures / picture, full_page=True)
                links[name] = page.evaluate("[...document.querySelectorAll('a[href]')].map((it) => it.href)")
                targets[name] = set(page.evaluate("[...document.querySelectorAll('[id]')].map((it) => it.id)"))
                page.close()
        yield from _iter_dead_links(home, links, targets)
        yield from _check_search(browser.new_page(), home)
        browser.close()


def _open_browser_context(browser: Browser, scheme: str, width: int) -> BrowserContext:
    return browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]


def _check_page(page: Page, home: str, name: str) -> list[str]:
    """Open the page `name` of the website at `home`, and return a line for each problem of it."""
    said = list[str]()
    ours = (home, "data:", "blob:", "about:")
    page.on("request", lambda it: None if it.url.startswith(ours) else said.append(f"asks for {it.url}"))
    page.on("response", lambda it: said.append(f"{it.status} of {it.url}") if it.status >= 400 else None)
    page.on("console", lambda it: said.append(f"console: {it.text}") if it.type == "error" else None)
    page.on("pageerror", lambda it: said.append(f"error: {it}"))
    page.goto(home + name)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        said.append("is wider than the window")
    if AXE.exists():
        page.evaluate(AXE.read_text("utf-8"))
        said += page.evaluate(RULES)
    said += _iter_embedded_replay_errors(page)
    return said


def _iter_dead_links(home: str, links: dict[str, list[str]], targets: dict[str, set[str]]) -> Iterator[str]:
    """Yield a line for each link to a missing page or anchor.

    `links`, `targets`: the links and ids of each page, by name.
    """
    for name, leads in links.items():
        for link in leads:
            path, _, anchor = link.removeprefix(home).partition("#")
            there = path + "index.html" if path == "" or path.endswith("/") else path
            if not link.startswith(home) or not there.endswith(".html") or there.startswith("live/"):
                continue
            if there not in targets or (anchor and anchor not in targets[there]):
                yield f"{name}: {link} leads nowhere"


def _iter_embedded_replay_errors(page: Page) -> Iterator[str]:
    """Yield a line for each embedded replay or chart that is not shown."""
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


def _check_search(page: Page, home: str) -> Iterator[str]:
    """Yield a line if the website's search does not find the word “vault”."""
    page.goto(home)
    try:
        page.get_by_role("button", name="Search").first.click()
        page.get_by_role("textbox").or_(page.get_by_role("combobox")).first.fill("vault")
        page.get_by_text("The vault").first.wait_for()
    except Exception as error:
        yield f"the search finds nothing for “vault”: {error}"


def main() -> int:
    """Print the problems. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, metavar="HTML")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    found = list(iter_site_problems(options.site.resolve(), options.pictures))
    print("\n".join(found) or "every page opens, and every replay plays")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
