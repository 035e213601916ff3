"""What changed in the pages' trees that nobody reads in their lines: a button that is disabled, a link that leads elsewhere, a picture that is gone.

The two recordings are played side by side, and the trees compared where both pages had come to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pagereel.reading import text_key, url_key
from pagereel.reel import DocumentModel, Event, Node, PageModel, text_content
from pagereel.sources import open_any

from ..matching.pairing import Pair
from ..matching.trees import STABLE, TreeChange, tree_changes
from ..runs.items import Item, Run
from .difference import Found, leaf_pairs, plainly, quoted, shortened

_SEEN: Final = frozenset({"img", "iframe", "video", "audio", "canvas", "embed", "object", "svg|svg", "dialog"})
"""Elements that show something without a text."""
_WORK: Final = 8_000_000
"""Nodes that are looked at in one comparison: about a minute and a half. What comes after that is not compared, which a note says."""
_MOST: Final = 25

Skip = Callable[[Node], bool]


def tree_differences(pairs: Sequence[Pair], a: Run, b: Run, skip: Skip | None = None) -> tuple[list[Found], str | None]:
    """Return attributes, pictures and frames that differ, each once for an address; and a note where there was too much to compare."""
    found: list[Found] = []
    told: set[tuple[object, ...]] = set()
    seen: set[tuple[object, ...]] = set()
    work = 0
    with open_any(Path(a.path)) as reel_a, open_any(Path(b.path)) as reel_b:
        ours, theirs = _Playing(iter(reel_a.timeline())), _Playing(iter(reel_b.timeline()))
        for pair in leaf_pairs(pairs):
            assert pair.a is not None and pair.b is not None
            view_a, view_b = a.views[pair.a.place], b.views[pair.b.place]
            rested = [page for page in view_a.ends if view_a.rests.get(page) and view_b.rests.get(page)]
            for page in rested:
                one, other = ours.at(view_a.moment, page), theirs.at(view_b.moment, page)
                if one is None or other is None or url_key(one.url) != url_key(other.url):
                    continue
                state = (one.d, one.n, other.d, other.n)
                if state in seen or one.root is None or other.root is None:
                    continue
                seen.add(state)
                work += len(one.nodes) + len(other.nodes)
                if work > _WORK:
                    return (
                        found,
                        "The pages are so large and change so often that the later ones were compared by their text alone.",
                    )
                new = (
                    _found(change, page, one, pair.a, pair.b, view_a.moment, view_b.moment)
                    for change in tree_changes(one.root, other.root, skip)
                )
                for each in new:
                    if each is not None and each.identity not in told and len(found) < _MOST * len(a.views):
                        told.add(each.identity)
                        found.append(each)
    return found, None


class _Playing:
    """A recording's page model, which goes on to each moment that is asked for."""

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._next: Event | None = next(events, None)
        self.model = PageModel()

    def at(self, moment: float, page: int) -> DocumentModel | None:
        while self._next is not None and float(str(self._next.get("t") or 0)) < moment:
            if self._next["k"] != "resource":
                self.model.apply(self._next)
            self._next = next(self._events, None)
        state = self.model.pages.get(page)
        return self.model.documents.get(state.document or 0) if state is not None else None


def _found(
    change: TreeChange, page: int, document: DocumentModel, item_a: Item, item_b: Item, t_a: float, t_b: float
) -> Found | None:
    node = change.a or change.b
    assert node is not None
    address = url_key(document.url).partition("?")[0]
    where = f"page {page}, {plainly(address, 'address')}, {plainly(_name(node))}"
    place = ("tree", url_key(document.url), text_key(_name(node)))
    if change.kind == "attribute":
        said = f"{plainly(_name(node))} {_attribute(change)}"
        return Found(
            "page", f"{where}, {change.name}", shortened(change.was), shortened(change.now), said, t_a, t_b, item_a, item_b,
            (*place, change.name), change.now,
        )  # fmt: skip
    if change.kind == "moved" or not _shows(node):
        return None
    came = change.kind == "added"
    said = f"{plainly(_name(node))} {'came' if came else 'is gone'}"
    return Found(
        "page", where, None if came else _name(node), _name(node) if came else None, said, None if came else t_a, t_b if came else None,
        item_a, item_b, (*place, came), came, role="code",
    )  # fmt: skip


def _attribute(change: TreeChange) -> str:
    if change.was is None:
        return f"is {change.name}" if change.now in ("", "true") else f"has {change.name} {quoted(change.now)}"
    if change.now is None:
        return f"is not {change.name}" if change.was in ("", "true") else f"has no {change.name}"
    return f"has {change.name} {quoted(change.now)} instead of {quoted(change.was)}"


def _shows(node: Node) -> bool:
    """Return whether an element that came or went shows something of which no line tells."""
    if text_content(node).strip():
        return False
    return node.name in _SEEN or node.attrs.get("role") in ("dialog", "alertdialog")


def _name(node: Node) -> str:
    """Return an element as people point at it: ``<button> Pay``, ``<img #logo>``."""
    named = next((node.attrs[name] for name in ("alt", *STABLE) if node.attrs.get(name)), "")
    text = " ".join(text_content(node).split())[:60] or named[:60]
    return f"<{node.name}> {text}".strip()
