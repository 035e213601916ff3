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
from ..material import HERE, bundle, node, npm

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
class Bundled:
    """A page of `pages/<name>.jsx`; `package` is the npm package that the table names beside it."""

    name: str
    package: str
    marks: tuple[str, ...]


BUNDLED = (
    Bundled("aggrid", "ag-grid-community", ("scrolled", "across", "sorted", "filtered", "selected")),
    Bundled("alpine", "alpinejs", ("open", "list", "big")),
    Bundled("angular", "@angular/core", ("shuffled", "shown", "empty", "grown")),
    Bundled("bootstrap", "bootstrap", ("dropdown", "tooltip", "collapse", "modal", "offcanvas")),
    Bundled("chartjs", "chart.js", ("drawn", "changed", "hidden", "pie")),
    Bundled("codemirror", "codemirror", ("typed", "selected", "scrolled", "jumped", "search")),
    Bundled("d3", "d3", ("entered", "grown", "shrunk", "tree")),
    Bundled("echarts", "echarts", ("bars", "lines", "dots", "sized")),
    Bundled("fullcalendar", "@fullcalendar/core", ("month", "week", "next", "added")),
    Bundled("jqueryui", "jquery-ui", ("widgets", "opened", "dialog", "effects")),
    Bundled("katex", "katex", ("fraction", "sum", "matrix", "gone")),
    Bundled("leaflet", "leaflet", ("shown", "panned", "zoomed", "popup", "canvas")),
    Bundled("lit", "lit", ("reversed", "wide", "raw", "sheet", "fewer")),
    Bundled("material", "@material/web", ("states", "select", "dialog", "closed")),
    Bundled("mermaid", "mermaid", ("flow", "sequence", "pie")),
    Bundled("monaco", "monaco-editor", ("typed", "selected", "scrolled", "found", "themed")),
    Bundled("mui", "@mui/material", ("tab", "value", "third", "dialog", "closed")),
    Bundled("preact", "preact", ("more", "reversed", "none")),
    Bundled("quill", "quill", ("text", "formatted", "selected", "picture")),
    Bundled("react", "react", ("shuffled", "typed", "portal", "thrown", "grown")),
    Bundled("shoelace", "@shoelace-style/shoelace", ("states", "select", "tab", "dialog", "closed")),
    Bundled("slickgrid", "slickgrid", ("scrolled", "end", "active", "changed")),
    Bundled("solid", "solid-js", ("more", "tone", "less")),
    Bundled("sortable", "sortablejs", ("sorted", "again")),
    Bundled("styled", "styled-components", ("padded", "hot", "dark", "many")),
    Bundled("svelte", "svelte", ("shuffled", "tone", "html", "grown")),
    Bundled("three", "three", ("drawn", "turned", "box", "sized")),
    Bundled("tiptap", "@tiptap/core", ("typed", "bold", "list", "undone", "replaced")),
    Bundled("videojs", "video.js", ("loaded", "sought", "rate", "played")),
    Bundled("vue", "vue", ("shuffled", "typed", "hidden", "teleported", "replaced")),
)

HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}</title><link rel="icon" href="data:,">
{sheet}</head><body><div id="app"></div><script src="/page.js"></script></body></html>"""

SVELTE = """
import {{ readFileSync, writeFileSync }} from "node:fs";
import {{ compile }} from "svelte/compiler";
writeFileSync("{name}.js", compile(readFileSync("{source}", "utf8"), {{ generate: "client" }}).js.code);
"""


def cases() -> Iterator[Case]:
    for page in BUNDLED:
        pinned = next(each for each in PACKAGES if each.rpartition("@")[0] == page.package)
        site = functools.partial(_site, page)
        yield Case(page.name, "npm", site, "/", page.marks, _act, loaded=_loaded, version=pinned)


@contextlib.contextmanager
def _site(page: Bundled) -> Iterator[ServedSite]:
    """Bundle a page's module with esbuild and serve it, with map tiles and media files."""
    folder = npm(*PACKAGES)
    if page.name == "svelte":
        node(folder, SVELTE.format(name="App.svelte", source=PAGES / "App.svelte"))
    script = bundle(folder, page.name, (PAGES / f"{page.name}.jsx").read_text(encoding="utf-8"))
    sheet = script.with_suffix(".css")
    app = RoutingTable()

    @app.route("GET", r"/")
    def home(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(
            HTML.format(name=page.name, sheet='<link rel="stylesheet" href="/page.css">' if sheet.exists() else "")
        )

    @app.route("GET", r"/page\.(?P<kind>js|css)")
    def built(request: FixtureRequest) -> FixtureResponse:
        path = script if request.args["kind"] == "js" else sheet
        return FixtureResponse.file(path.parent, path.name)

    @app.route("GET", r"/tiles/(?P<z>\d+)/(?P<x>\d+)/(?P<y>\d+)\.svg")
    def tile(request: FixtureRequest) -> FixtureResponse:
        z, x, y = (int(request.args[name]) for name in "zxy")
        text = (
            f"<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256' "
            f"fill='hsl({(x * 47 + y * 83) % 360} 40% 80%)' stroke='#666'/><text x='90' y='130'>{z}/{x}/{y}</text></svg>"
        )
        return FixtureResponse(text.encode(), "image/svg+xml")

    @app.route("GET", r"/(?P<name>clip\.webm|tone\.wav)")
    def media(request: FixtureRequest) -> FixtureResponse:
        return (
            serve_range(request, read_clip_webm(), "video/webm")
            if "clip" in request.path
            else serve_range(request, make_tone_wav(), "audio/wav")
        )

    with LoopbackServer(app) as server:
        yield server


def _act(page: Any, mark: str) -> None:
    page.evaluate("async (mark) => { await window.marks[mark](); }", mark)


def _loaded(page: Any) -> None:
    """Wait until the page's script has set `window.marks`. Raises TimeoutError after 20 s."""
    for _ in range(400):
        if page.evaluate("typeof window.marks === 'object'"):
            return
        page.wait_for_timeout(50)
    raise TimeoutError("the page's script never set window.marks")
