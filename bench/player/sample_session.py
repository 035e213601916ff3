"""Makes up a session in two forms, as a reel and as rrweb's events: a list in which rows are added, removed and changed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from pagereel.reel import ReelWriter

STYLE = "body{font:14px sans-serif;margin:8px}li{padding:2px 6px}li.on{background:#def;font-weight:bold}"
STARTED = 1_760_000_000_000


class SampleSession:
    """A made-up session of `changes` changes, evenly over `duration` ms, in a list of `rows` rows.

    The same session as rrweb's events is made only with `beside`.
    """

    def __init__(self, changes: int, duration: float, rows: int, seed: int = 7, *, beside: bool = True) -> None:
        self.changes, self.duration, self.rows, self.beside = changes, duration, rows, beside
        self._random = random.Random(seed)
        self.rrweb: list[dict[str, Any]] = []

    def write(self, reel: Path) -> None:
        """Write the reel, and fill `rrweb` with the same session as rrweb's events."""
        header: dict[str, Any] = {
            "started": STARTED, "recorder": {"name": "pagereel", "version": "bench"}, "python": "3", "platform": "bench",
            "browser": {"name": "chromium", "version": "0", "transport": "cdp"}, "agent": "bench", "metadata": {}, "options": {},
        }  # fmt: skip
        with ReelWriter(reel, header) as writer:
            self._write_first_events(writer)
            live: list[tuple[int, int]] = [(6 + 2 * n + 3, 6 + 2 * n + 4) for n in range(self.rows)]
            following = 10 + 2 * self.rows
            for number in range(self.changes):
                t = round(1000 + number * (self.duration - 1000) / self.changes, 1)
                at = self._random.randrange(len(live))
                row, text = live[at]
                what = self._random.random()
                mutation: dict[str, Any] = {"adds": [], "removes": [], "texts": [], "attributes": []}
                ops: list[Any]
                if what < 0.5:
                    words = f"row {row} is {self._random.randrange(10**6)}"
                    ops = [["text", text, words]]
                    mutation["texts"] = [{"id": text, "value": words}]
                elif what < 0.8:
                    name = self._random.choice(("on", "off"))
                    ops = [["attr", row, {"class": name}]]
                    mutation["attributes"] = [{"id": row, "attributes": {"class": name}}]
                else:
                    words = f"new {following}"
                    ops = [["del", row], ["add", 8, following, ["li", {"class": "off"}, words]]]
                    mutation["removes"] = [{"parentId": 8, "id": row}]
                    mutation["adds"] = [
                        {
                            "parentId": 8,
                            "nextId": None,
                            "node": _make_rrweb_element(following, "li", {"class": "off"}, []),
                        },
                        {"parentId": following, "nextId": None, "node": _make_rrweb_text(following + 1, words)},
                    ]
                    live[at] = (following, following + 1)
                    following += 2
                writer.write({"k": "mutation", "t": t, "d": 1, "n": number + 1, "ops": ops})
                self._add_rrweb_event(t, 3, {"source": 0, **mutation})

    def _write_first_events(self, writer: ReelWriter) -> None:
        """Write the page, its document and its first snapshot."""
        viewport = {"w": 1000, "h": 700, "dpr": 1}
        writer.write({"k": "page", "t": 0, "page": 1, "event": "open"})
        writer.write(
            {"k": "document", "t": 0, "d": 1, "page": 1, "frame": "F", "url": "https://bench.example/", "top": True,
             "mode": "CSS1Compat", "viewport": viewport, "title": "bench", "referrer": ""}
        )  # fmt: skip
        items = [["li", {"class": "off"}, f"row {n}"] for n in range(self.rows)]
        tree = [
            "#document",
            {},
            ["#doctype", "html", "", ""],
            ["html", {}, ["head", {}, ["style", {}, STYLE]], ["body", {}, ["ul", {}, *items]]],
        ]
        writer.write({"k": "snapshot", "t": 1, "d": 1, "n": 0, "why": "start", "ops": [["doc", 1, tree]]})  # type: ignore[dict-item]
        lines = [
            _make_rrweb_element(9 + 2 * n, "li", {"class": "off"}, [_make_rrweb_text(10 + 2 * n, f"row {n}")])
            for n in range(self.rows)
        ]
        style = _make_rrweb_element(5, "style", {"_cssText": STYLE}, [])
        html = _make_rrweb_element(
            3,
            "html",
            {},
            [
                _make_rrweb_element(4, "head", {}, [style]),
                _make_rrweb_element(7, "body", {}, [_make_rrweb_element(8, "ul", {}, lines)]),
            ],
        )
        document = {
            "type": 0,
            "id": 1,
            "childNodes": [{"type": 1, "id": 2, "name": "html", "publicId": "", "systemId": ""}, html],
        }
        self._add_rrweb_event(0, 4, {"href": "https://bench.example/", "width": 1000, "height": 700})
        self._add_rrweb_event(1, 2, {"node": document, "initialOffset": {"left": 0, "top": 0}})

    def _add_rrweb_event(self, t: float, kind: int, data: dict[str, Any]) -> None:
        """Add an event of rrweb's, `t` ms after the start, if they are wanted."""
        if self.beside:
            self.rrweb.append({"type": kind, "data": data, "timestamp": STARTED + t})


def _make_rrweb_element(node: int, tag: str, attributes: dict[str, str], children: list[Any]) -> dict[str, Any]:
    return {"type": 2, "id": node, "tagName": tag, "attributes": attributes, "childNodes": children}


def _make_rrweb_text(node: int, text: str) -> dict[str, Any]:
    return {"type": 3, "id": node, "textContent": text}
