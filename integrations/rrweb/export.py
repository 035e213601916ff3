"""Converts one page of a recording to rrweb's events.

Only one page (tab) is converted, because rrweb has only one. A navigation to a new document becomes a full snapshot;
frames are attached to it; each op of the page model becomes the matching event of rrweb. Steps, calls, model calls and
marks become custom events; console messages become events of rrweb's console plugin.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagereel.integrations.rrweb.events import (
    CUSTOM,
    FULL,
    META,
    MOUSE,
    MOVE,
    PLUGIN,
    RESIZE,
    RrwebEvents,
)  # fmt: skip
from pagereel.integrations.rrweb.nodes import Json, RrwebSerializer
from pagereel.integrations.rrweb.ops import RrwebOpWriter
from pagereel.player_build import ResourceCatalogue
from pagereel.reel import (  # fmt: skip
    CONTENT,
    DOCUMENT,
    ELEMENT,
    SHADOW,
    DocumentModel,
    Node,
    PageModel,
    find_event_kinds,
    iter_nodes,
)
from pagereel.sources import open_any

_MOUSE = {"up": 0, "down": 1, "click": 2, "contextmenu": 3, "dblclick": 4}
_CUSTOM = find_event_kinds(rrweb="custom")


def to_rrweb(path: Path, page: int | None = None) -> list[Json]:
    """Return rrweb's events for the page (tab) number `page` of the reel at `path`, in order of time; by default for
    the page opened first.

    :raises LookupError: there is no such page.
    """
    with open_any(path) as reel:
        started = reel.header.get("started")
        catalogue = ResourceCatalogue.from_reel(reel)
        if page is None:
            tops = (event for event in reel.timeline() if event["k"] == "document" and event.get("top") is True)
            first = next(tops, None)
            page = int(str(first["page"])) if first is not None else 0
        writer = _RrwebWriter(catalogue, page, float(started) if isinstance(started, int | float) else 0.0)
        for event in reel.timeline():
            writer.convert_event(event)
    if not any(event["type"] == FULL for event in writer.events):
        raise LookupError(f"there is no page {page} in this recording")
    return writer.events


class _RrwebWriter:
    def __init__(self, catalogue: ResourceCatalogue, page: int, started: float) -> None:
        self.page = page
        self.model = PageModel()
        self.nodes = RrwebSerializer(catalogue, self.model)
        self._events = RrwebEvents(started)
        self._ops = RrwebOpWriter(self.nodes, self._events)
        self._shown: set[int] = set()
        """Documents that are already in the events."""

    # -- events of the reel -------------------------------------------------------------------------------------------

    def convert_event(self, event: dict[str, Any]) -> None:
        kind = event["k"]
        t = event.get("t")
        if isinstance(t, int | float):
            # A late message of a page describes the time right after the message before it (docs/format.md).
            self._events.t = max(self._events.t, t)
        document = self.model.documents.get(event.get("d") or 0)
        if kind == "mutation" and document is not None and document.d in self._shown:
            if event["n"] > document.n:
                self._write_mutation(document, event["ops"])
                document.n = event["n"]
            return
        self.model.apply(event)
        document = self.model.documents.get(event.get("d") or 0)
        if kind in ("snapshot", "mutation", "embed") and document is not None:
            self._shown.discard(document.d)
            self._write_document(document)
        elif document is not None and document.d in self._shown:
            self._write_interaction(document, kind, event)
        if kind in _CUSTOM and (self._shown or kind in ("step", "mark")):
            about = document.page if document is not None else event.get("page")
            if about in (None, self.page):
                payload = {k: v for k, v in event.items() if k not in ("k", "d", "n")}
                if document is not None and document.root is not None and not document.top:
                    payload["id"] = self._get_rrweb_id(document, document.root.id)
                self._events.add_event(CUSTOM, {"tag": kind, "payload": payload})
        elif kind == "console" and event.get("page") == self.page:
            payload = {"level": event["level"], "trace": [], "payload": [json.dumps(event["text"], ensure_ascii=False)]}
            self._events.add_event(PLUGIN, {"plugin": "rrweb/console@1", "payload": payload})

    def _write_interaction(self, document: DocumentModel, kind: str, event: dict[str, Any]) -> None:
        if kind == "viewport" and document.top:
            self._events.add_incremental_event(RESIZE, width=event["w"], height=event["h"])
        elif kind == "pointer":
            root = self._get_root_element_id(document)
            last = event["points"][-1][0] if event["points"] else 0
            self._events.t += last
            points = [{"x": x, "y": y, "id": root, "timeOffset": dt - last} for dt, x, y in event["points"]]
            self._events.add_incremental_event(MOVE, positions=points)
        elif kind == "mouse" and event["node"] in document.nodes:
            self._events.add_incremental_event(
                MOUSE,
                type=_MOUSE[event["type"]],
                id=self._get_rrweb_id(document, event["node"]),
                x=event["x"],
                y=event["y"],
            )

    def _write_document(self, document: DocumentModel) -> None:
        """Write the full snapshot of a document, and of the documents in its frames."""
        # rrweb's Replayer accepts only documents with an element.
        if document.root is None or document.page != self.page:
            return
        if not any(child.kind == ELEMENT for child in document.root.children):
            return
        if document.parent is None and not document.top:
            return
        if document.top:
            self._shown.clear()
        else:
            assert document.parent is not None
            above = self.model.documents.get(document.parent[0])
            place = above.nodes.get(document.parent[1]) if above is not None and above.d in self._shown else None
            # rrweb attaches documents only to iframes, not to <object>, <embed> or <frame>.
            if place is None or place.name != "iframe" or _is_in_template(place):
                return
        self.nodes.forget_ids(document)
        self._ops.forget_style_sheets(document)
        tree = self.nodes.serialize_document(document, self._events.t)
        if tree is None:
            return
        if document.top:
            width, height, _ = document.viewport
            self._events.add_event(META, {"href": document.url, "width": width, "height": height})
            left, top = _get_scroll_offset(document.root)
            self._events.add_event(FULL, {"node": tree, "initialOffset": {"left": left, "top": top}})
        else:
            assert document.parent is not None and above is not None
            add = {"parentId": self._get_rrweb_id(above, document.parent[1]), "nextId": None, "node": tree}
            self._events.add_mutation(adds=[add], isAttachIframe=True)
        self._shown.add(document.d)
        self._ops.write_node_states(document, document.stateful.values())
        for root in document.adopted:
            self._ops.write_op(document, ["adopt", root])
        if document.focus:
            self._ops.write_op(document, ["focus", document.focus])
        self._write_frames(document)

    def _write_frames(self, document: DocumentModel) -> None:
        """Write the documents in the frames of a document."""
        latest = {inner.parent: inner for inner in self.model.documents.values() if inner.parent is not None}
        for place, inner in latest.items():
            if place[0] == document.d and place[1] in document.nodes and inner.d not in self._shown:
                self._write_document(inner)

    # -- ops ----------------------------------------------------------------------------------------------------------

    def _write_mutation(self, document: DocumentModel, ops: list[Any]) -> None:
        for op in ops:
            name = op[0]
            if name == "doc":
                document.apply([op])
                self._shown.discard(document.d)
                self._write_document(document)
            elif name in ("add", "move", "del"):
                self._write_node_changes(document, op)
            else:
                errors = document.errors
                document.apply([op])
                if document.errors == errors and name in self._ops and not self._changes_unwritten_node(document, op):
                    self._ops.write_op(document, op)

    def _changes_unwritten_node(self, document: DocumentModel, op: list[Any]) -> bool:
        """Return whether an op changes a node that was not written, because rrweb does not have the content of
        templates.
        """
        node = document.nodes.get(op[1]) if isinstance(op[1], int) and op[0] != "sheet" else None
        return node is not None and _is_in_template(node)

    def _write_node_changes(self, document: DocumentModel, op: list[Any]) -> None:
        """Write an op that adds, moves or removes nodes: rrweb removes the old nodes first, and then adds them in their
        new state.
        """
        moved = list(op[1:]) if op[0] == "del" else list(op[2:]) if op[0] == "move" else [*_iter_node_ids(op[3:])]
        nodes = (document.nodes[node] for node in moved if node in document.nodes)
        removes = [self._build_removal(document, node) for node in nodes if not _is_in_template(node)]
        document.apply([op])
        roots: list[Node] = []
        if op[0] == "move":
            roots = [document.nodes[node] for node in moved if node in document.nodes]
        elif op[0] == "add":
            # New nodes have the ids from op[2] on; a tree that is only a number is a moved node.
            new = [document.nodes[node] for node in range(op[2], document.last_id + 1) if node in document.nodes]
            roots = [node for node in new if node.parent is not None and node.parent.id < op[2]]
            roots += [document.nodes[tree] for tree in op[3:] if isinstance(tree, int) and tree in document.nodes]
            roots = _sort_siblings(roots)
        roots = [root for root in roots if not _is_in_template(root)]
        coming = {root.id for root in roots}
        adds: list[Json] = []
        for root in roots:
            after = root.next
            while after is not None and after.id in coming:
                after = after.next
            follower = self._get_rrweb_id(document, after.id) if after is not None else None
            adds += self.nodes.serialize_additions(document, root, follower, self._events.t)
        if removes or adds:
            self._events.add_mutation(adds=adds, removes=removes)
        placed = [node for root in roots for node in iter_nodes(root)]
        self._ops.write_node_states(document, (node for node in placed if node.state))
        if any(node.name in ("iframe", "frame") for node in placed):
            # The content of a moved frame is gone from the replay: attach it again.
            again = {(document.d, node.id) for node in placed}
            self._shown -= {inner.d for inner in self.model.documents.values() if inner.parent in again}
            self._write_frames(document)

    def _build_removal(self, document: DocumentModel, node: Node) -> Json:
        parent = node.parent
        removal: Json = {
            "parentId": self._get_rrweb_id(document, parent.id) if parent is not None else 0,
            "id": self._get_rrweb_id(document, node.id),
        }
        if parent is not None and parent.kind == SHADOW:
            removal["isShadow"] = True
        return removal

    @property
    def events(self) -> list[Json]:
        return self._events.all

    def _get_rrweb_id(self, document: DocumentModel, node: int) -> int:
        return self.nodes.get_rrweb_id(document, node)

    def _get_root_element_id(self, document: DocumentModel) -> int:
        root = document.root
        element = next((child for child in root.children if child.kind == ELEMENT), root) if root is not None else None
        return self._get_rrweb_id(document, element.id) if element is not None else 0


def _is_in_template(node: Node) -> bool:
    current: Node | None = node
    while current is not None and current.kind != CONTENT:
        current = current.parent
    return current is not None


def _iter_node_ids(trees: list[Any]) -> Iterator[int]:
    """Yield the ids of moved nodes in serialized trees: a moved node is in a tree as its id, a number."""
    stack = list(reversed(trees))
    while stack:
        tree = stack.pop()
        if isinstance(tree, int):
            yield tree
        elif isinstance(tree, list):
            stack += reversed([child for child in tree[1:] if isinstance(child, int | list)])


def _sort_siblings(roots: list[Node]) -> list[Node]:
    """Return nodes sorted so that the siblings of each parent are together, in document order."""
    by_parent: dict[int, list[Node]] = {}
    for root in roots:
        by_parent.setdefault(root.parent.id if root.parent is not None else 0, []).append(root)
    found: list[Node] = []
    for family in by_parent.values():
        if len(family) == 1 or family[0].parent is None:
            found += family
            continue
        wanted = {node.id for node in family}
        found += [node for node in family[0].parent.children if node.id in wanted]
    return found


def _get_scroll_offset(root: Node) -> tuple[float, float]:
    scroll = (root.state or {}).get("scroll") if root.kind == DOCUMENT else None
    return (scroll[0], scroll[1]) if isinstance(scroll, list) else (0, 0)  # type: ignore[return-value]
