"""What markup names by an address shows, wherever it stands: paints, masks, markers, backgrounds, drawings in other files and in the page itself."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from ..reel.sample import png
from .pictures import Mark, off, pairs

PARTS = """<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"><stop stop-color="lime"/><stop offset="1" stop-color="blue"/></linearGradient>
<pattern id="p" width="9" height="9" patternUnits="userSpaceOnUse"><circle r="6" fill="red"/></pattern><mask id="m"><circle cx="30" cy="30" r="20" fill="white"/></mask>
<clipPath id="c"><path d="M0 0H60L0 60z"/></clipPath><filter id="f"><feGaussianBlur stdDeviation="4"/></filter>
<marker id="a" markerWidth="9" markerHeight="9" refX="4" refY="4"><circle cx="4" cy="4" r="3"/></marker><symbol id="s"><path d="M9 9h20v40z"/></symbol></defs></svg>"""
VALUES = {
    "fill": "g", "stroke": "p", "mask": "m", "clip-path": "c", "filter": "f",
    "marker-start": "a", "marker-mid": "a", "marker-end": "a",
}  # fmt: skip


def drawn(file: str) -> str:
    """Each attribute that may name a part of another file, by itself."""
    paths = "".join(
        f'<svg><path {name}="url({file}#{part})" d="M5 5H50L30 50z" fill="gold" stroke="teal" stroke-width="5"/></svg>'
        for name, part in VALUES.items()
    )
    return f'{paths}<svg><use href="{file}#s"/><use x="9" xlink:href="{file}#s"/></svg>'


def test_what_attributes_of_a_drawing_name_shows(browser: Browser, tmp_path: Path) -> None:
    page = f"""<!doctype html><style>svg {{ width: 60px; height: 60px }}</style><p>{drawn("/parts.svg")}</p><p>{drawn("parts.svg?2")}</p>"""
    site = {
        "/": ("text/html", page.encode()),
        "/parts.svg": ("image/svg+xml", PARTS.encode()),
        "/parts.svg?2": ("image/svg+xml", PARTS.encode()),
    }
    seen = pairs(browser, tmp_path, site)
    assert len(seen["shown"].live.getcolors(99_999) or ()) > 99, "there is something to see"
    assert off(seen) == {}


def test_the_pages_own_address_means_the_page(browser: Browser, tmp_path: Path) -> None:
    page = f"""<!doctype html><base href="/elsewhere/"><style>svg {{ width: 60px; height: 60px }}</style>
    <svg style="position: absolute; width: 0; height: 0">{PARTS}</svg><p class=own></p><script>
    document.querySelector("p").innerHTML = `{drawn("PAGE")}`.replaceAll("PAGE", location.href);
    for (const path of document.querySelectorAll("p path")) path.setAttribute("style", path.outerHTML.match(/(\\S+)="(url\\([^"]*)/).slice(1).join(":"));
    document.head.append(Object.assign(document.createElement("style"), {{ textContent: `p {{ clip-path: url(${{location.href}}#c) }}` }}));</script>"""
    assert off(pairs(browser, tmp_path, page)) == {}


def test_every_part_of_a_table_may_have_a_background(browser: Browser, tmp_path: Path) -> None:
    parts = ["table", "colgroup", "thead", "tr", "th", "td", "tbody", "tfoot"]
    page = "<!doctype html>" + "".join(
        "<table width=90 height=90><colgroup><col><col></colgroup><thead><tr><th>h<th>h<tbody><tr><td>b<td>b<tfoot><tr><td>f<td>f</table>".replace(
            f"<{part}", f"<{part} background=/{part}.png"
        )
        for part in [*parts, "col"]
    )
    site = {
        f"/{part}.png": ("image/png", png(9, 9, (20 * n, 255 - 20 * n, 90))) for n, part in enumerate([*parts, "col"])
    }
    assert off(pairs(browser, tmp_path, {"/": ("text/html", page.encode()), **site})) == {}


def test_an_attribute_that_names_nothing_any_more_shows_what_it_says(browser: Browser, tmp_path: Path) -> None:
    page = f"""<!doctype html><style>svg, p {{ width: 60px; height: 60px }}</style>
    <svg style="position: absolute; width: 0; height: 0">{PARTS.replace('"s"', '"own"')}</svg>
    <p style="background: url(/a.png)"></p><svg><use href="/parts.svg#c"/><use href="/parts.svg#s"/><rect width=60 height=60 fill="url(/parts.svg#g)"/></svg>"""
    site = {
        "/": ("text/html", page.encode()),
        "/a.png": ("image/png", png(40, 20, (0, 0, 255))),
        "/parts.svg": ("image/svg+xml", PARTS.encode()),
    }

    def drive(live: Page, mark: Mark) -> None:
        mark("named")
        live.evaluate("""document.querySelector('p').style = 'background: lime'; document.querySelector('rect').setAttribute('fill', 'pink');
            document.querySelectorAll('use')[1].setAttribute('href', '#own')""")
        mark("said")

    assert off(pairs(browser, tmp_path, site, drive)) == {}
