"""Films of ordinary size: WebM whose frames differ in colour, padded with noise, and a site that serves them with or without ranges, fast or slow."""

from __future__ import annotations

import re
import threading
import time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Self

from PIL import Image

from pagereel.fixtures.draw_video import build_ebml_element, build_webm, extract_vp8_frame

SIZE = (160, 120)
STEP = 0.25
"""Seconds that each frame shows."""
COLOURS = [(30 + 40 * (n % 5), 40 * (n % 4), 200 - 30 * (n % 6)) for n in range(40)]


@cache
def webm(size: int) -> bytes:
    """Ten seconds of film of about so many bytes, most of them in elements that players skip."""
    noise = Random(1).randbytes(size // len(COLOURS))
    frames = [extract_vp8_frame(Image.new("RGB", SIZE, colour)) for colour in COLOURS]
    return build_webm(frames, frame_ms=int(STEP * 1000), padding=build_ebml_element("EC", noise), index_last=True)


class Films:
    """Serves `/page` and films: `/<anything>?size=…&ranges=0|1&pace=<bytes a second>`."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        films = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path, _, query = self.path.partition("?")
                page = films.pages.get(path)
                given = dict(part.partition("=")[::2] for part in query.split("&") if part)
                whole = page.encode() if page is not None else webm(int(given.get("size", "0") or 0)) if given else b""
                start, end = 0, len(whole)
                asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                if asked and given.get("ranges") == "1":
                    start, end = int(asked[1]), int(asked[2]) + 1 if asked[2] else len(whole)
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(whole)}")
                else:
                    self.send_response(200 if whole else 404)
                if given.get("ranges") == "1":
                    self.send_header("Accept-Ranges", "bytes")
                    self.send_header("ETag", '"one"')
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header(
                    "Content-Type",
                    "text/html; charset=utf-8" if page is not None else "video/webm" if whole else "text/plain",
                )
                self.send_header("Content-Length", str(end - start))
                self.end_headers()
                pace = int(given.get("pace", "0") or 0)
                step = max(1, pace // 20) if pace else 1 << 20
                try:
                    for at in range(start, end, step):
                        self.wfile.write(whole[at : min(at + step, end)])
                        if pace:
                            time.sleep(0.05)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                pass  # The browser broke off.

        self.server = Server(("127.0.0.1", 0), Handler)

    def page(self, path: str, html: str, host: str = "127.0.0.1") -> str:
        self.pages[path] = "<!doctype html>" + html
        return self.url(path, host)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server.server_address[1]}{path}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


__all__ = ["COLOURS", "SIZE", "STEP", "Films", "webm"]
