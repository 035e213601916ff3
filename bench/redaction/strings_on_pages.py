"""Lays strings of an interface out on pages (buttons, links, labels, headings, items, paragraphs), and finds those that a default build changes.

So strings are read in the context of a page, and a word that is taken for personal data in one string is counted in each string that has it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from pagereel.redaction import redact
from pagereel.reel import ReelWriter, open_reel

_SHORT, _MIDDLE = 3, 9
"""Words up to which a string is on a button, and up to which it is a heading."""
_OF_A_PAGE = 60


def find_changed_strings(strings: Sequence[str], policy: str = "vendor") -> list[tuple[str, str]]:
    """Return the strings that a build with the policy changes, each with its new text."""
    with tempfile.TemporaryDirectory() as folder:
        raw, masked = Path(folder) / "raw.reel", Path(folder) / "masked.reel"
        with ReelWriter(
            raw, {"started": 1, "recorder": {"name": "bench", "version": "0"}, "browser": {}, "options": {}}
        ) as writer:
            for number, begin in enumerate(range(0, len(strings), _OF_A_PAGE), 1):
                for event in _make_page_events(number, strings[begin : begin + _OF_A_PAGE]):
                    writer.write(event)
        redact(raw, masked, policy)
        before, after = (_read_texts(path) for path in (raw, masked))
    return [(was, now) for was, now in zip(before, after, strict=True) if was != now]


def _make_page_events(number: int, strings: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the events of a page that shows the strings."""
    yield {"k": "document", "t": float(number), "d": number, "page": 1, "frame": "F", "url": f"https://app.example/{number}", "top": True,
           "viewport": {"w": 800, "h": 600, "dpr": 1}, "mode": "CSS1Compat", "title": "App"}  # fmt: skip
    tree = ["#document", {}, ["html", {}, ["head", {}], ["body", {}, *_place_strings(strings)]]]
    yield {"k": "snapshot", "t": number + 0.5, "d": number, "n": 0, "why": "start", "ops": [["doc", 1, tree]]}


def _place_strings(strings: Sequence[str]) -> Iterator[list[Any]]:
    """Yield an element for each string, by its length a button, link, label, heading, item, cell or paragraph."""
    small, middle = cycle(["button", "a", "label", "th", "option"]), cycle(["h3", "li", "label", "td"])
    for text in strings:
        words = len(text.split()) if text.isascii() or " " in text else len(text) // 3
        tag = next(small) if words <= _SHORT else next(middle) if words <= _MIDDLE else "p"
        if tag in ("th", "td"):
            yield ["table", {}, ["tbody", {}, ["tr", {}, [tag, {}, text]]]]
        elif tag == "label":
            yield ["div", {}, [tag, {}, text], ["input", {"type": "checkbox"}]]
        elif tag == "option":
            yield ["ul", {"role": "menu"}, ["li", {"role": "menuitem"}, text]]
        else:
            yield [tag, {}, text]


def _read_texts(path: Path) -> list[str]:
    """Return the texts of all snapshots of a reel."""
    with open_reel(path) as reel:
        return [
            text
            for event in reel.events()
            if event["k"] == "snapshot"
            for text in _iter_texts(event["ops"][0][2])  # type: ignore[index]
        ]


def _iter_texts(tree: Any) -> Iterator[str]:
    """Yield the texts of a tree of nodes."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, list):
        for child in tree[2:]:
            yield from _iter_texts(child)
