"""The run's trace in requests of pages to their own servers: only where it was asked for, and with no other difference."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from pagereel import record
from pagereel.errors import UsageError
from pagereel.reel import open_reel

LAST = ("/own.txt", "/set.txt", "/landed.txt", "/third.txt", "/from-third.txt")
"""What the page and its frame ask for each time."""
TRACE = "0af7651916cd43dd8448eb211c80319c"


class Servers:
    """Two origins behind one port, and what each was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        servers = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                host = self.headers["Host"].partition(":")[0]
                servers.asked.append(
                    (f"{self.command} {host}", self.path, {k.lower(): v for k, v in self.headers.items()})
                )
                body = servers.page(self.path).encode()
                self.send_response(302 if self.path == "/away" else 200)
                if self.path == "/away":
                    self.send_header("Location", servers.url("/landed.txt", "localhost"))
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html")
                self.send_header("Cache-Control", "max-age=600" if self.path.endswith(".js") else "no-store")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_OPTIONS = do_GET

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server.server_address[1]}{path}"

    def page(self, path: str) -> str:
        if path == "/":
            third = self.url("/third.txt", "localhost")
            return f"""<!doctype html><script src=/app.js></script><script src="{self.url("/third.js", "localhost")}"></script>
            <iframe src="{self.url("/frame.html", "localhost")}"></iframe>
            <script>
            fetch('/own.txt', {{method: 'POST', body: 'x'}});
            fetch('/set.txt', {{headers: {{traceparent: 'mine'}}}});
            fetch('/away', {{mode: 'cors'}});
            fetch('{third}');
            </script>"""
        if path == "/frame.html":
            return f"<!doctype html><script>fetch('{self.url('/from-third.txt')}')</script>"
        return "0"


@pytest.fixture
def servers() -> Iterator[Servers]:
    made = Servers()
    yield made
    made.server.shutdown()
    made.server.server_close()


def visit(browser: Browser, servers: Servers, reel: Path, **options: Any) -> list[tuple[str, str, str | None]]:
    """Load the page twice; each request with its `traceparent`, sorted."""
    servers.asked.clear()
    context = browser.new_context()
    with record(context, reel, **options):
        page = context.new_page()
        for times in (1, 2):
            page.goto(servers.url("/"))
            for _ in range(600):
                paths = Counter(path for _, path, _ in servers.asked)
                if all(paths[path] >= times for path in LAST):
                    break
                page.wait_for_timeout(50)
    context.close()
    # The icon is the browser's own affair.
    return sorted((how, path, headers.get("traceparent")) for how, path, headers in servers.asked if "icon" not in path)


def test_only_own_requests_carry_it_and_nothing_else_differs(
    browser: Browser, servers: Servers, tmp_path: Path
) -> None:
    reel = tmp_path / "run.reel"
    plain = visit(browser, servers, tmp_path / "plain.reel")
    assert {given for _, _, given in plain} == {None, "mine"}
    traced = visit(browser, servers, reel, trace=TRACE, traceparent_to=[servers.url("")])
    # Cached scripts are asked for as often, no preflight comes, third parties are asked the same.
    assert [(how, path) for how, path, _ in traced] == [(how, path) for how, path, _ in plain]
    assert not [how for how, _, _ in traced if how.startswith("OPTIONS")]
    with open_reel(reel) as opened:
        value = f"00-{TRACE}-{str(opened.header['id'])[:16]}-01"
        assert not [event for event in opened.events({"gap"}) if event["reason"] == "error"]
    given = {path: told for _, path, told in traced}
    assert {path for path, told in given.items() if told == value} == {"/", "/app.js", "/own.txt", "/away"}
    assert given["/set.txt"] == "mine"
    assert {given[path] for path in ("/third.js", "/third.txt", "/frame.html", "/landed.txt", "/from-third.txt")} == {
        None
    }


def test_what_is_no_origin_or_another_transport_is_refused(context: BrowserContext, tmp_path: Path) -> None:
    for wrong in ("https://shop.example", ["shop.example"], ["https://shop.example/path"], [7]):
        with pytest.raises(UsageError, match="origins"):
            record(context, tmp_path / "run.reel", traceparent_to=wrong)  # type: ignore[arg-type]
    with (
        pytest.raises(UsageError, match="transport"),
        record(context, tmp_path / "run.reel", transport="binding", traceparent_to=["https://shop.example"]),
    ):
        pass
