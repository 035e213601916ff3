"""Serves the third-party pages on which traces and rrweb's events are recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.fixtures.thirdparty import make_cache_folder, serve_swagger_ui

from ..world.apps.packaged import iter_applications

WORLD = ("calendar", "elementplus", "handsontable", "ckeditor", "tinymce", "reveal")
MINIWOB = ("book-flight", "email-inbox", "login-user", "social-media")
PYTHON = ("library/functions.html", "genindex-A.html")


@contextlib.contextmanager
def serve_folder(root: Path, path: str) -> Iterator[str]:
    """Serve the files below a folder until the block ends; give the address of one of them."""
    app = RoutingTable()

    @app.route("GET", r"/(?P<path>.+)")
    def serve_file(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(root, request.args["path"].partition("?")[0])

    with LoopbackServer(app) as server:
        yield f"{server.url}/{path}"


def list_pages() -> dict[str, Callable[[], AbstractContextManager[str]]]:
    """Return for each page a function that serves it and gives its address; pages whose packages are not in the cache are left out."""
    found: dict[str, Callable[[], AbstractContextManager[str]]] = {"swagger-ui": serve_swagger_ui}
    for application in iter_applications():
        if application.name in WORLD:
            found[application.name] = lambda site=application.site, path=application.path: _serve_site(site, path)  # type: ignore[misc]
    miniwob = next(iter(sorted(make_cache_folder().glob("pypi-miniwob-*"))), None)
    if miniwob is not None:
        html = miniwob / "miniwob" / "html"
        for name in MINIWOB:
            found[f"miniwob {name}"] = lambda html=html, name=name: serve_folder(html, f"miniwob/{name}.html")  # type: ignore[misc]
    for docs in sorted(make_cache_folder().glob("debian-python*-doc")):
        root = next(iter(docs.glob("usr/share/doc/python*/html")), None)
        for path in PYTHON if root is not None else ():
            found[f"python docs {path}"] = lambda root=root, path=path: serve_folder(root, path)  # type: ignore[misc]
    return found


@contextlib.contextmanager
def _serve_site(site: Callable[[], AbstractContextManager[object]], path: str) -> Iterator[str]:
    with site() as served:
        yield f"{served.url}{path}"  # type: ignore[attr-defined]
