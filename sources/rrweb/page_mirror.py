"""A mirror of the present page of one window: rrweb's ids with their nodes, and the reel's events that are still to be emitted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pagereel.reel import SHADOW, DocumentModel, Event, Node, PageModel

from ..reader_interface import ReadReport
from .tree_building import DataAddressStore


class PageMirrorNode(NamedTuple):
    """A node of the mirrored page, and the document that contains it."""

    document: DocumentModel
    node: Node


class PageMirror:
    """The state of one recorded page, which all readers of the page's rrweb events share."""

    def __init__(self, number: int, numbers: Iterator[int], bodies: DataAddressStore, report: ReadReport) -> None:
        """Take the page's number, the counter of document numbers for all pages, and the report."""
        self.number = number
        self.told = report
        self.model = PageModel()
        self.bodies = bodies
        self.top = 0
        """The number of the page's main document; 0 before there is one."""
        self.size = (0.0, 0.0)
        self.t = 0.0
        self.at: dict[int, tuple[int, int]] = {}
        """rrweb's id → the document and the node in it."""
        self.masked: set[tuple[int, int]] = set()
        """Fields whose values are not imported."""
        self.written: set[tuple[int, int]] = set()
        """Iframes whose page is in their ``srcdoc``."""
        self.out: list[Event] = []
        self._numbers = numbers
        self._n: dict[int, int] = {}
        self._ops: dict[int, list[Any]] = {}

    def find_node(self, rrweb_id: Any) -> PageMirrorNode | None:
        """Return the node with an rrweb id; None if it is unknown."""
        d, node = self.at.get(rrweb_id, (0, 0)) if type(rrweb_id) is int else (0, 0)
        document = self.model.documents.get(d)
        found = document.nodes.get(node) if document is not None else None
        return PageMirrorNode(document, found) if document is not None and found is not None else None

    def begin_document(self, url: str, mode: str, *, top: bool, frame: str) -> DocumentModel:
        """Begin a document and return its model."""
        d = next(self._numbers)
        event: Event = {
            "k": "document", "t": self.t, "d": d, "page": self.number, "frame": f"{self.number}-{frame}", "url": url, "top": top,
            "viewport": {"w": self.size[0], "h": self.size[1], "dpr": 1}, "mode": mode,
        }  # fmt: skip
        self.model.apply(event)
        self.out.append(event)
        return self.model.documents[d]

    def apply_op(self, document: DocumentModel, *op: Any) -> bool:
        """Apply an op to a document. If it is valid, queue it for the document's next message. Return whether it is
        valid.
        """
        errors = document.errors
        document.apply([list(op)])
        if document.errors != errors:
            return False
        self._ops.setdefault(document.d, []).append(list(op))
        return True

    def pop_ops(self, document_number: int) -> list[Any]:
        """Remove and return a document's queued ops; the caller emits them."""
        return self._ops.pop(document_number, [])

    def emit_message(self, document_number: int, kind: str, **fields: Any) -> None:
        """Emit a message of a document: give it the document's next number, and add it to the events."""
        n = self._n[document_number] = self._n.get(document_number, -1) + 1
        event: Event = {"k": kind, "t": self.t, "d": document_number, "n": n, **fields}
        if kind not in ("snapshot", "mutation"):
            self.model.apply(event)
        else:
            self.model.documents[document_number].n = n
        self.out.append(event)

    def flush_ops(self) -> None:
        """Emit the queued ops of all documents as messages."""
        for d, ops in self._ops.items():
            if ops:
                self.emit_message(d, "mutation", ops=ops)
        self._ops.clear()

    def pop_events(self) -> list[Event]:
        """Return the events emitted since the last call, after the resources that they need."""
        out = [*self.bodies.pending, *self.out]
        self.bodies.pending.clear()
        self.out = []
        return out

    def get_shadow_root(self, document: DocumentModel, host: Node) -> Node | None:
        """Return the shadow root of an element; create it if there is none."""
        if host.inner is None:
            self.apply_op(document, "add", host.id, document.last_id + 1, ["#shadow", {"mode": "open"}])
        return host.inner if host.inner is not None and host.inner.kind == SHADOW else None


def to_dict_list(value: Any) -> list[dict[str, Any]]:
    """Return the objects (dicts) in a list; an empty list for other values."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def to_offset(value: Any) -> float:
    """Return a value as a coordinate in CSS px that is valid in an event; 0 for other values."""
    return round(value, 1) if type(value) in (int, float) and -1e8 < value < 1e8 else 0


def to_size(value: Any) -> float:
    """Return a value as a width or height in CSS px; 0 for other values."""
    return value if type(value) in (int, float) and 0 < value < 1e6 else 0
