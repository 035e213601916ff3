"""Writes the state of a recording at one time as initial events, without anything that existed only before.

1. Apply a recording's events up to the time to a :class:`~pagereel.reel.PageModel`.
2. ``build_state_events(model, t)`` returns events that create the same pages in an empty model. They contain nothing that the
   pages no longer hold at that time.
3. The recording's later events can follow unchanged: nodes, sheets and animations keep their ids, messages their
   numbers.
"""

from __future__ import annotations

from collections import deque
from typing import Final, cast

from .document import DocumentModel
from .events import Event, Json
from .model import FLAT, PageModel
from .nodes import ELEMENT, Node, get_text_content, iter_light_nodes
from .serialize import TREE_DEPTH, build_state_ops, serialize_node

_TIME_LIMIT: Final = 1e9
"""Largest time that an op may contain."""
_DEEPEST: Final = 1_000
"""Largest depth of frames."""


def build_state_events(model: PageModel, t: float) -> list[Event]:
    """Return events that create the pages shown in `model`, all with the time `t` (ms, not before the model's own
    time).

    For each open page: ``page``; for each document shown in it: ``document`` with its present address, viewport,
    preferences and title, ``embed``, and a ``snapshot`` with the number of the last message that `model` applied to it.
    Videos, drawings and animations have their state at `t`. The pointer's position is not included.
    """
    events: list[Event] = []
    shown = _list_shown_documents(model)
    open_pages = [page for page in model.pages.values() if page.open]
    for page in open_pages:
        opened: Event = {"k": "page", "t": t, "page": page.number, "event": "open", "url": page.url}
        if page.opener in {other.number for other in open_pages}:
            opened["opener"] = page.opener
        events.append(opened)
    for document in shown:
        width, height, ratio = document.viewport
        begun: Event = {
            "k": "document", "t": t, "d": document.d, "page": document.page, "frame": document.frame, "url": document.url,
            "top": document.top, "viewport": {"w": width, "h": height, "dpr": ratio}, "mode": document.mode,
            **document.preferences,
        }  # fmt: skip
        if title := _read_document_title(document):
            begun["title"] = title
        events.append(begun)
        if document.parent is not None:
            parent, node = document.parent
            events.append({"k": "embed", "t": t, "d": document.d, "parent": parent, "node": node})
        if document.root is not None:
            ops = build_document_ops(document, t)
            events.append({"k": "snapshot", "t": t, "d": document.d, "n": document.n, "why": FLAT, "ops": ops})
    return events


def build_document_ops(document: DocumentModel, t: float, *, depth: int = TREE_DEPTH) -> list[Json]:
    """Return ops that create one document in its state at `t` (ms), with its node ids. Trees nest at most `depth`
    elements deep.
    """
    if document.root is None:
        return []
    state = build_state_ops(document, {number: number for number in document.nodes})
    return [*_TreeOpWriter(depth).write_ops(document.root), *(_advance_op_to(op, document, t) for op in state)]


def _list_shown_documents(model: PageModel) -> list[DocumentModel]:
    """Return the documents that are shown: each open page's own, and those in their iframes."""
    holders = {document.parent: d for d, document in model.documents.items() if document.parent is not None}
    tops = {page.document for page in model.pages.values() if page.open}

    def is_shown(document: DocumentModel) -> bool:
        for _ in range(_DEEPEST):
            if document.parent is None:
                return document.top and document.d in tops
            above, node = model.documents.get(document.parent[0]), document.parent[1]
            if holders[document.parent] != document.d or above is None:
                return False
            if (
                node not in above.nodes and node <= above.last_id
            ):  # a larger id belongs to an iframe that has not been written yet
                return False
            document = above
        return False

    return [document for document in model.documents.values() if is_shown(document)]


def _read_document_title(document: DocumentModel) -> str:
    for node in iter_light_nodes(document.root) if document.root is not None else ():
        if node.kind == ELEMENT and node.name == "title":
            return " ".join(get_text_content(node).split())
    return ""


class _TreeOpWriter:
    """The writer of ops that create a tree in which each node keeps its id.

    The ids in a tree are consecutive, so one tree contains nodes only as long as their ids are consecutive. The other
    nodes, and those deeper than a tree may nest, follow in ``add`` ops of their own.
    """

    def __init__(self, depth: int) -> None:
        self._depth = depth
        self._waiting: deque[tuple[int, list[Node]]] = deque()
        """Pairs of an insertion point and the siblings to insert there."""

    def write_ops(self, root: Node) -> list[Json]:
        form, _ = self._write_tree(root)
        ops: list[Json] = [["doc", root.id, form]]
        while self._waiting:
            at, nodes = self._waiting.popleft()
            while nodes:
                first, expected, count = nodes[0].id, nodes[0].id, 0
                trees: list[Json] = []
                for node in nodes:
                    if node.id != expected:
                        break
                    form, expected = self._write_tree(node)
                    trees.append(form)
                    count += 1
                ops.append(["add", at, first, *trees])
                nodes = nodes[count:]
        return ops

    def _write_tree(self, root: Node) -> tuple[Json, int]:
        """Return the JSON of a node with as many descendants as possible, and the next id."""
        expected = root.id
        out: list[Json] = []
        held: dict[int, list[Node]] = {}
        """Parent → children that must be inserted before the next child in the tree."""
        stack: list[tuple[Node, list[Json], int]] = [(root, out, 1)]
        while stack:
            node, into, level = stack.pop()
            parent = node.parent.id if node.parent is not None else 0
            is_inner = node.parent is not None and node.parent.inner is node
            if node.id != expected or level > self._depth:
                if is_inner:
                    self._waiting.append((parent, [node]))
                else:
                    held.setdefault(parent, []).append(node)
                continue
            expected += 1
            if node is not root and parent in held and not is_inner:
                self._waiting.append((-node.id, held.pop(parent)))
            form = serialize_node(node)
            into.append(form)
            if isinstance(form, list):
                child = node.last
                while child is not None:
                    stack.append((child, form, level + 1))
                    child = child.prev
                if node.inner is not None:
                    stack.append((node.inner, form, level + 1))
        self._waiting.extend(held.items())
        return out[0], expected


def _advance_op_to(op: Json, document: DocumentModel, t: float) -> Json:
    """Return an op with its state advanced to the time `t` (ms), if the state changes by itself: that of an animation,
    a video, a drawing.
    """
    assert isinstance(op, list)
    name = cast(str, op[0])
    if name == "anim":
        _, node, key, state = op
        said = dict(cast("dict[str, Json]", state))
        called = said.pop("name", "")
        passed = t - document.told.get((name, cast(int, key)), t)
        if said.get("running") is not False:
            said["time"] = _advance_time(said.get("time"), passed * _to_number(said.get("rate"), 1), 1)
        return ["anims", key, said, called, node]
    if name in ("media", "drawing"):
        told = cast("dict[str, Json]", op[2])
        stands = told.get("paused") is not False if name == "media" else told.get("paused") is True
        if "time" in told and not stands:
            passed = (t - document.told.get((name, cast(int, op[1])), t)) / 1000
            return [
                name,
                op[1],
                {**told, "time": _advance_time(told["time"], passed * _to_number(told.get("rate"), 1), 3)},
            ]
    if name == "cues":
        now = _compute_video_position(document, cast(int, op[1]), t)
        cues = cast("list[list[Json]]", op[2])
        return [name, op[1], [cast(Json, cue) for cue in cues if _to_number(cue[1], 0) >= now]]
    return op


def _compute_video_position(document: DocumentModel, node: int, t: float) -> float:
    """Return the playing position of a video at `t` (ms), in seconds."""
    state = document.nodes[node].state or {}
    said = _advance_op_to(["media", node, state["media"]], document, t) if "media" in state else ["media", node, {}]
    return _to_number(cast("dict[str, Json]", cast("list[Json]", said)[2]).get("time"), 0)


def _advance_time(time: Json, passed_time: float, digits: int) -> float:
    return round(max(-_TIME_LIMIT, min(_TIME_LIMIT, _to_number(time, 0) + passed_time)), digits)


def _to_number(value: Json, otherwise: float) -> float:
    return value if type(value) is int or type(value) is float else otherwise
