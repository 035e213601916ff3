"""Serves pages over npm packages: a page of ours from pages/, the packages' own files, map tiles, and media files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from pagereel.fixtures.loopback_server import TYPES, FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.fixtures.trap_media import read_clip_webm
from pagereel.fixtures.trap_site import serve_range

from ...fidelity.case import ServedSite
from ...fidelity.third_party_packages import (
    ROOT,
    MaterialUnavailable,
    bundle_module,
    install_npm_packages,
    read_npm_version,
)
from .sample_pdf import make_pdf

PAGES = Path(__file__).resolve().parents[1] / "pages"
MORE_TYPES = {
    "mjs": TYPES["js"],
    "wasm": "application/wasm",
    "woff": "font/woff",
    "ttf": "font/ttf",
    "map": TYPES["json"],
}

WORDS = "WEBVTT\n\n00:00.000 --> 00:01.000\nThe clay is wet.\n\n00:01.000 --> 01:00.000\nNow it is dry.\n"

BUNDLED = """<!doctype html><html lang="{language}" dir="{direction}"><head><meta charset="utf-8"><title>{name}</title><link rel="icon" href="data:,">
{sheet}<style>body {{ margin: 0 }} #app {{ height: 100vh }}</style></head><body><div id="app"></div><script src="/page.js"></script></body></html>"""


def _find_modules(packages: tuple[str, ...]) -> Path:
    """Return the folder that holds these packages: the checkout's node_modules where it has them, else the cache's."""
    with contextlib.suppress(OSError):
        if all(read_npm_version(ROOT, package.rpartition("@")[0]) == package for package in packages):
            return ROOT / "node_modules"
    if os.environ.get("PAGEREEL_OFFLINE"):
        raise MaterialUnavailable(f"{packages[0]} is not in node_modules")
    return install_npm_packages(*packages) / "node_modules"


def _serve_file(root: Path, path: str) -> FixtureResponse:
    answer = FixtureResponse.file(root, path)
    answer.type = MORE_TYPES.get(path.rsplit(".", 1)[-1], answer.type)
    return answer


def _draw_tile(request: FixtureRequest) -> FixtureResponse:
    z, x, y = (int(request.args[name]) for name in "zxy")
    return FixtureResponse(
        f"<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256' "
        f"fill='hsl({(x * 47 + y * 83) % 360} 40% 80%)' stroke='#666'/><text x='90' y='130'>{z}/{x}/{y}</text></svg>".encode(),
        TYPES["svg"],
    )


@contextlib.contextmanager
def serve_page(name: str, *packages: str) -> Iterator[ServedSite]:
    """Serve the page `pages/<name>.html` with `packages` below /npm/ until the block ends."""
    app = _make_app(_find_modules(packages))

    @app.route("GET", r"/")
    def serve_home(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(PAGES, f"{name}.html")

    with LoopbackServer(app) as server:
        yield server


@contextlib.contextmanager
def serve_bundle(name: str, language: str, direction: str, *packages: str) -> Iterator[ServedSite]:
    """Bundle the module `pages/<name>.jsx` with its packages and serve its page until the block ends."""
    folder = install_npm_packages(*packages)
    script = bundle_module(folder, name, (PAGES / f"{name}.jsx").read_text(encoding="utf-8"), "--conditions=production")
    sheet = '<link rel="stylesheet" href="/page.css">' if script.with_suffix(".css").exists() else ""
    app = _make_app(folder / "node_modules")

    @app.route("GET", r"/")
    def serve_home(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(BUNDLED.format(name=name, language=language, direction=direction, sheet=sheet))

    @app.route("GET", r"/page\.(?P<kind>js|css)")
    def serve_bundle_file(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(script.parent, f"{name}.{request.args['kind']}")

    with LoopbackServer(app) as server:
        yield server


def _make_app(modules: Path) -> RoutingTable:
    """Return an application that serves the packages' files, map tiles, a film, a PDF file and captions."""
    app = RoutingTable()

    @app.route("GET", r"/npm/(?P<path>[A-Za-z0-9@._/+-]+)")
    def serve_package_file(request: FixtureRequest) -> FixtureResponse:
        return _serve_file(modules, request.args["path"])

    @app.route("GET", r"/tiles/(?P<z>\d+)/(?P<x>-?\d+)/(?P<y>-?\d+)\.svg")
    def serve_tile(request: FixtureRequest) -> FixtureResponse:
        return _draw_tile(request)

    @app.route("GET", r"/clip\.webm")
    def serve_video(request: FixtureRequest) -> FixtureResponse:
        return serve_range(request, read_clip_webm(), "video/webm")

    @app.route("GET", r"/paper\.pdf")
    def serve_pdf(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse(make_pdf(), "application/pdf")

    @app.route("GET", r"/words\.vtt")
    def serve_captions(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse(WORDS.encode(), "text/vtt")

    return app
