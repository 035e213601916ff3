"""What an imported recording only names comes from the hosts that were named, and from no other."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pagereel.cli import main
from pagereel.player_build import build, unpack_replay
from pagereel.reel import open_reel

PIXEL = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"


class Site(ThreadingHTTPServer):
    def __init__(self, elsewhere: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.elsewhere = elsewhere
        self.asked: list[str] = []
        self.host = f"127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        assert "Cookie" not in self.headers
        if self.path == "/leads-away.gif":
            self.send_response(302)
            self.send_header("Location", f"http://{self.server.elsewhere}/hidden.gif")
            self.end_headers()
            return
        found = {"/a.css": b"body { background: url(/deep.gif) }", "/a.gif": PIXEL, "/deep.gif": PIXEL + b"\x00"}
        body = found.get(self.path)
        if body is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/css" if self.path.endswith("css") else "image/gif")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sites() -> Iterator[tuple[Site, Site]]:
    other = Site()
    site = Site(other.host)
    yield site, other
    for each in (site, other):
        each.shutdown()
        each.server_close()


def element(number: int, tag: str, attributes: dict[str, str], *children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 2, "id": number, "tagName": tag, "attributes": attributes, "childNodes": list(children)}


def session(path: Path, site: Site, other: Site) -> Path:
    head = element(3, "head", {}, element(4, "link", {"rel": "stylesheet", "href": f"http://{site.host}/a.css"}))
    pictures = [f"http://{site.host}/{name}.gif" for name in ("a", "gone", "leads-away")] + [
        f"http://{other.host}/b.gif"
    ]
    body = element(5, "body", {}, *(element(6 + n, "img", {"src": src}) for n, src in enumerate(pictures)))
    page = {"type": 0, "id": 1, "childNodes": [element(2, "html", {}, head, body)]}
    path.write_text(
        json.dumps(
            [
                {"type": 4, "timestamp": 1_000, "data": {"href": f"http://{site.host}/", "width": 800, "height": 600}},
                {"type": 2, "timestamp": 1_001, "data": {"node": page, "initialOffset": {"left": 0, "top": 0}}},
            ]
        )
    )
    return path


def test_named_hosts_are_asked_and_no_other(
    sites: tuple[Site, Site], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, other = sites
    source, reel = session(tmp_path / "s.json", site, other), tmp_path / "s.reel"
    assert main(["import", str(source), str(reel)]) == 0
    assert site.asked == other.asked == []
    capsys.readouterr()
    assert main(["import", str(source), str(reel), "--overwrite", "--fetch", site.host, "--json"]) == 0
    assert sorted(site.asked) == ["/a.css", "/a.gif", "/deep.gif", "/gone.gif", "/leads-away.gif"]
    assert other.asked == []
    told = json.loads(capsys.readouterr().out)["fetched"]
    assert told["count"] == 3 and {url.rpartition("/")[2] for url in told["failed"]} == {"gone.gif", "leads-away.gif"}
    with open_reel(reel) as opened:
        assert [e["count"] for e in opened.events({"gap"}) if e["reason"] == "fetched"] == [3]
        assert sum(1 for _ in opened.events({"resource"})) == 3
    build(reel, tmp_path / "s.html", redaction=None)
    packed = unpack_replay((tmp_path / "s.html").read_bytes())
    assert sum(mime == "image/gif" for mime, _ in packed.iter_resources()) == 2


def test_an_address_is_no_host(sites: tuple[Site, Site], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = session(tmp_path / "s.json", *sites)
    assert main(["import", str(source), "--fetch", "http://cdn.example/x"]) == 2
    assert "takes a host" in capsys.readouterr().err
