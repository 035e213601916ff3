"""Pages to record, and the reel as the tests ask it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Page

from pagereel.recorder import Session
from pagereel.reel import PageModel, find_event_problem, open_reel

from ..chromium import apart

LAUNCH = apart()


class Site:
    """Serves what tests put into ``pages``, while its block runs: path to (content type, body or function giving it). Films and sounds
    also in ranges.
    """

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, bytes | Callable[[], bytes]]] = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                found = site.pages.get(self.path.partition("?")[0])
                kind, body = found or ("text/plain", b"")
                content = body() if callable(body) else body
                asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                if found and asked and kind.startswith(("video/", "audio/")):
                    start, total = int(asked[1]), len(content)
                    content = content[start : int(asked[2] or total) + 1]
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{start + len(content) - 1}/{total}")
                else:
                    self.send_response(200 if found else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign] # A browser that has left.
        self.port = self.server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def html(self, path: str, text: str) -> str:
        """Serve a page; its address."""
        return self.put(path, "text/html; charset=utf-8", "<!doctype html>" + text)

    def put(self, path: str, kind: str, body: str | bytes | Callable[[], bytes]) -> str:
        self.pages[path] = (kind, body.encode() if isinstance(body, str) else body)
        return self.url(path)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


def until(page: Page, holds: Callable[[], object]) -> None:
    """Wait, while the page and its recording go on, until something holds."""
    for _ in range(1200):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("not within a minute")


def watched(session: Session) -> list[dict[str, Any]]:
    """What is written from now on, as it comes."""
    told: list[dict[str, Any]] = []
    session._recording.kit.writer.watch = told.append
    return told


def among(events: list[dict[str, Any]], kind: str, **fields: object) -> list[dict[str, Any]]:
    return [e for e in events if e["k"] == kind and all(e.get(n) == v for n, v in fields.items())]


class Recorded:
    """A reel, read back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_reel(path) as reel:
            self.sealed = reel.sealed
            self.header = reel.header
            self.events: list[dict[str, Any]] = list(reel.events())
            self.model = PageModel()
            for event in reel.timeline():
                self.model.apply(event)

    def of(self, kind: str, **fields: object) -> list[dict[str, Any]]:
        return among(self.events, kind, **fields)

    def one(self, kind: str, **fields: object) -> dict[str, Any]:
        found = self.of(kind, **fields)
        assert len(found) == 1, found
        return found[0]

    @property
    def gaps(self) -> list[str]:
        return [str(e["reason"]) for e in self.of("gap")]

    def document(self, url: str) -> dict[str, Any]:
        return self.one("document", url=url)

    def lines(self, url: str) -> str:
        """The canonical lines of the last document with this address."""
        return "".join(self.model.documents[self.of("document", url=url)[-1]["d"]].iter_canonical_lines())

    def whole_events(self) -> None:
        """All events follow the format."""
        assert [wrong for event in self.events if (wrong := find_event_problem(event)) is not None] == []

    def whole(self, *excused: str) -> None:
        """Sealed, nothing missed (but for gaps of these reasons), and every checkpoint equal."""
        assert self.sealed
        assert set(self.gaps) <= set(excused), self.of("gap")
        self.whole_events()
        checkpoints = self.of("checkpoint")
        assert checkpoints and all(c["equal"] for c in checkpoints), checkpoints
