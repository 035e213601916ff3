"""Cases of pages over npm packages: frameworks, components, editors, grids, charts.

They are bundled with esbuild when first run. Each page is a module of ours below pages/ that builds the application in `#app` and leaves an object of
async functions, one for each mark, in `window.marks`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.fixtures.trap_media import make_tone_wav, read_clip_webm
from pagereel.fixtures.trap_site import serve_range

from ..case import Case, ServedSite
from ..third_party_packages import HERE, bundle_module, install_npm_packages, run_node_module

PAGES = HERE.parent / "pages"

PACKAGES = (
    "@angular/common@21.2.26",
    "@angular/compiler@21.2.26",
    "@angular/core@21.2.26",
    "@angular/platform-browser@21.2.26",
    "@codemirror/lang-javascript@6.2.5",
    "@codemirror/search@6.7.2",
    "@emotion/react@11.14.0",
    "@emotion/styled@11.14.1",
    "@fullcalendar/core@6.1.21",
    "@fullcalendar/daygrid@6.1.21",
    "@fullcalendar/timegrid@6.1.21",
    "@material/web@2.5.0",
    "@mui/material@9.5.0",
    "@popperjs/core@2.11.8",
    "@shoelace-style/shoelace@2.20.1",
    "@tiptap/core@3.34.0",
    "@tiptap/pm@3.34.0",
    "@tiptap/starter-kit@3.34.0",
    "ag-grid-community@36.2.0",
    "alpinejs@3.17.5",
    "bootstrap@5.3.9",
    "chart.js@4.6.1",
    "codemirror@6.0.2",
    "d3@7.9.2",
    "echarts@6.1.0",
    "jquery@4.0.0",
    "jquery-ui@1.14.2",
    "katex@0.19.1",
    "leaflet@1.9.4",
    "lit@3.3.3",
    "mermaid@11.17.2",
    "monaco-editor@0.57.0",
    "preact@11.2.0",
    "quill@2.0.3",
    "react@19.3.1",
    "react-dom@19.3.1",
    "rxjs@7.8.2",
    "slickgrid@5.20.2",
    "solid-js@1.9.19",
    "sortablejs@1.15.7",
    "styled-components@6.6.0",
    "svelte@5.57.3",
    "three@0.187.0",
    "tslib@2.9.1",
    "video.js@8.24.1",
    "vue@3.5.45",
)
"""Installed together, once."""


@dataclass(frozen=True)
class BundledPage:
    """A page of `pages/<name>.jsx`; `package` is the npm package that the table names beside it."""

    name: str
    package: str
    marks: tuple[str, ...]


BUNDLED = (
    BundledPage("aggrid", "ag-grid-community", ("scrolled", "across", "sorted", "filtered", "selected")),
    BundledPage("alpine", "alpinejs", ("open", "list", "big")),
    BundledPage("angular", "@angular/core", ("shuffled", "shown", "empty", "grown")),
    BundledPage("bootstrap", "bootstrap", ("dropdown", "tooltip", "collapse", "modal", "offcanvas")),
    BundledPage("chartjs", "chart.js", ("drawn", "changed", "hidden", "pie")),
    BundledPage("codemirror", "codemirror", ("typed", "selected", "scrolled", "jumped", "search")),
    BundledPage("d3", "d3", ("entered", "grown", "shrunk", "tree")),
    BundledPage("echarts", "echarts", ("bars", "lines", "dots", "sized")),
    BundledPage("fullcalendar", "@fullcalendar/core", ("month", "week", "next", "added")),
    BundledPage("jqueryui", "jquery-ui", ("widgets", "opened", "dialog", "effects")),
    BundledPage("katex", "katex", ("fraction", "sum", "matrix", "gone")),
    BundledPage("leaflet", "leaflet", ("shown", "panned", "zoomed", "popup", "canvas")),
    BundledPage("lit", "lit", ("reversed", "wide", "raw", "sheet", "fewer")),
    BundledPage("material", "@material/web", ("states", "select", "dialog", "closed")),
    BundledPage("mermaid", "mermaid", ("flow", "sequence", "pie")),
    BundledPage("monaco", "monaco-editor", ("typed", "selected", "scrolled", "found", "themed")),
    BundledPage("mui", "@mui/material", ("tab", "value", "third", "dialog", "closed")),
    BundledPage("preact", "preact", ("more", "reversed", "none")),
    BundledPage("quill", "quill", ("text", "formatted", "selected", "picture")),
    BundledPage("react", "react", ("shuffled", "typed", "portal", "thrown", "grown")),
    BundledPage("shoelace", "@shoelace-style/shoelace", ("states", "select", "tab", "dialog", "closed")),
    BundledPage("slickgrid", "slickgrid", ("scrolled", "end", "active", "changed")),
    BundledPage("solid", "solid-js", ("more", "tone", "less")),
    BundledPage("sortable", "sortablejs", ("sorted", "again")),
    BundledPage("styled", "styled-components", ("padded", "hot", "dark", "many")),
    BundledPage("svelte", "svelte", ("shuffled", "tone", "html", "grown")),
    BundledPage("three", "three", ("drawn", "turned", "box", "sized")),
    BundledPage("tiptap", "@tiptap/core", ("typed", "bold", "list", "undone", "replaced")),
    BundledPage("videojs", "video.js", ("loaded", "sought", "rate", "played")),
    BundledPage("vue", "vue", ("shuffled", "typed", "hidden", "teleported", "replaced")),
)

HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title><link rel="icon" href="data:,">
{sheet}</head><body><div id="app"></div><script src="/page.js"></script></body></html>"""

SVELTE = """
import {{ readFileSync, writeFileSync }} from "node:fs";
import {{ compile }} from "svelte/compiler";
writeFileSync("{name}.js", compile(readFileSync("{source}", "utf8"), {{ generate: "client" }}).js.code);
"""


def iter_cases() -> Iterator[Case]:
    for page in BUNDLED:
        pinned = next(each for each in PACKAGES if each.rpartition("@")[0] == page.package)
        site = functools.partial(_serve_page, page)
        yield Case(page.name, "npm", site, "/", page.marks, _perform_mark, loaded=_wait_for_marks, version=pinned)


@contextlib.contextmanager
def _serve_page(page: BundledPage) -> Iterator[ServedSite]:
    """Bundle a page's module with esbuild and serve it, with map tiles and media files."""
    folder = install_npm_packages(*PACKAGES)
    if page.name == "svelte":
        run_node_module(folder, SVELTE.format(name="App.svelte", source=PAGES / "App.svelte"))
    script = bundle_module(folder, page.name, (PAGES / f"{page.name}.jsx").read_text(encoding="utf-8"))
    sheet = script.with_suffix(".css")
    app = RoutingTable()

    @app.route("GET", r"/")
    def serve_home(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(
            HTML.format(name=page.name, sheet='<link rel="stylesheet" href="/page.css">' if sheet.exists() else "")
        )

    @app.route("GET", r"/page\.(?P<kind>js|css)")
    def serve_bundle(request: FixtureRequest) -> FixtureResponse:
        path = script if request.args["kind"] == "js" else sheet
        return FixtureResponse.file(path.parent, path.name)

    @app.route("GET", r"/tiles/(?P<z>\d+)/(?P<x>\d+)/(?P<y>\d+)\.svg")
    def serve_tile(request: FixtureRequest) -> FixtureResponse:
        z, x, y = (int(request.args[name]) for name in "zxy")
        text = (
            f"<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256' "
            f"fill='hsl({(x * 47 + y * 83) % 360} 40% 80%)' stroke='#666'/><text x='90' y='130'>{z}/{x}/{y}</text></svg>"
        )
        return FixtureResponse(text.encode(), "image/svg+xml")

    @app.route("GET", r"/(?P<name>clip\.webm|tone\.wav)")
    def serve_media(request: FixtureRequest) -> FixtureResponse:
        return (
            serve_range(request, read_clip_webm(), "video/webm")
            if "clip" in request.path
            else serve_range(request, make_tone_wav(), "audio/wav")
        )

    with LoopbackServer(app) as server:
        yield server


def _perform_mark(page: Any, mark: str) -> None:
    page.evaluate("async (mark) => { await window.marks[mark](); }", mark)


def _wait_for_marks(page: Any) -> None:
    """Wait until the page's script has set `window.marks`. Raises TimeoutError after 20 s."""
    for _ in range(400):
        if page.evaluate("typeof window.marks === 'object'"):
            return
        page.wait_for_timeout(50)
    raise TimeoutError("the page's script never set window.marks")
