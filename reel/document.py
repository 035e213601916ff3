"""One recorded document at one moment: its tree and everything that ops say about it.

Ops come from pages, so each is taken with distrust: what names a node that is not there, would put a node below itself, or has the
wrong shape is counted in :attr:`DocumentModel.errors` and skipped. Nothing recurses: a tree may be as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, cast

from . import digest as canonical
from .events import Json
from .forms import CONTROLS
from .nodes import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    PI,
    SHADOW,
    TEXT,
    Node,
    contains,
    light,
    link,
    unlink,
    walk,
)

_LEAVES: Final = {"#comment": COMMENT, "#cdata": CDATA, "#pi": PI, "#doctype": DOCTYPE}
_PROBLEMS_KEPT: Final = 20
_NO_ATTRS: Final[dict[str, str]] = {}
_NO_SELECTION: Final = (0, 0, 0, 0)

JsonList = list[Json]


class OpError(Exception):
    """An op that cannot be applied; its text says why."""


class Sheet:
    """A style sheet object that script made or changed: `owner` is the id of its ``<style>`` or ``<link>``, 0 if constructed."""

    __slots__ = ("disabled", "media", "number", "owner", "text")

    def __init__(self, number: int, owner: int, text: str, media: str, disabled: bool) -> None:
        self.number = number
        self.owner = owner
        self.text = text
        self.media = media
        self.disabled = disabled


class DocumentModel:
    """The state of one document. :meth:`apply` changes it; everything else reads it.

    `nodes` maps ids to nodes and holds exactly the nodes of the tree under `root`. Offsets and sizes are CSS px.
    """

    __slots__ = (
        "_ops",
        "adopted",
        "d",
        "ended",
        "errors",
        "focus",
        "frame",
        "last_id",
        "lost",
        "mode",
        "n",
        "nodes",
        "page",
        "parent",
        "pointer",
        "problems",
        "referrer",
        "root",
        "selection",
        "sheets",
        "stateful",
        "title",
        "top",
        "top_layer",
        "url",
        "viewport",
        "visibility",
    )

    def __init__(self, d: int) -> None:
        self.d = d
        self.page = 0
        self.frame = ""
        self.url = ""
        self.top = False
        self.mode = "CSS1Compat"
        self.title = ""
        self.referrer = ""
        self.viewport: tuple[float, float, float] = (0, 0, 1)
        """Width and height in CSS px, device pixel ratio."""
        self.parent: tuple[int, int] | None = None
        """The document and the node id of the iframe that shows this one, or ``None``."""
        self.visibility = "visible"
        self.pointer: tuple[float, float] | None = None
        self.ended = False
        self.n = -1
        """The number of the last message that was applied."""
        self.lost = 0
        """How many messages are missing before :attr:`n`."""
        self.errors = 0
        self.problems: list[str] = []
        """The first of the errors, in words."""
        self.nodes: dict[int, Node] = {}
        self.root: Node | None = None
        self.last_id = 0
        self.stateful: dict[int, Node] = {}
        """The nodes with a :attr:`Node.state`, by id."""
        self.sheets: dict[int, Sheet] = {}
        self.adopted: dict[int, list[int]] = {}
        """Numbers of the adopted sheets of the document node and of shadow roots, by their id."""
        self.focus = 0
        self.selection: tuple[int, int, int, int] = _NO_SELECTION
        self.top_layer: dict[int, str] = {}
        """Id → ``modal``, ``dialog``, ``popover`` or ``fullscreen``, the lowest first."""
        self._ops: dict[str, Callable[[JsonList], None]] = {
            "doc": self._doc,
            "add": self._add,
            "move": self._move,
            "del": self._del,
            "text": self._text,
            "attr": self._attr,
            "value": self._state_text,
            "src": self._state_text,
            "masked": self._state_text,
            "checked": self._state_flag,
            "indeterminate": self._state_flag,
            "selected": self._selected,
            "scroll": self._scroll,
            "focus": self._focus,
            "selection": self._selection,
            "sheet": self._sheet,
            "unsheet": self._unsheet,
            "adopt": self._adopt,
            "open": self._open,
            "canvas": self._canvas,
            "media": self._media,
        }

    # -- reading ---------------------------------------------------------------------------------------------------------

    def walk(self) -> Iterator[Node]:
        """Every node in document order, shadow roots and template contents before the light children."""
        return walk(self.root) if self.root is not None else iter(())

    def element_by_id(self, value: str) -> Node | None:
        """The first element of the document's own tree whose ``id`` attribute is `value` (as ``getElementById``)."""
        if self.root is not None and value:
            for node in light(self.root):
                if node.kind == ELEMENT and node.attrs.get("id") == value:
                    return node
        return None

    def lines(self) -> Iterator[str]:
        """The canonical lines, each with its line end: what :meth:`digest` is the CRC-32 of."""
        if self.root is not None:
            yield from canonical.tree_lines(self.root)
        yield from canonical.sheet_lines({s.number: (s.owner, s.text) for s in self.sheets.values()}, self.adopted)

    def digest(self) -> tuple[str, int]:
        """The digest of docs/format.md, "Checkpoints" (eight hex digits), and the number of nodes."""
        return canonical.digest(self.lines()), len(self.nodes)

    # -- applying --------------------------------------------------------------------------------------------------------

    def apply(self, ops: JsonList) -> None:
        """Applies the ops of one message in order. Wrong ones are counted and skipped."""
        table = self._ops
        for op in ops:
            try:
                apply = table.get(op[0])  # type: ignore[index, arg-type, call-overload, unused-ignore]
                if apply is not None:
                    apply(cast(JsonList, op))
            except OpError as error:
                self.fail(str(error))
            except (TypeError, ValueError, KeyError, IndexError, AttributeError):
                self.fail(f"malformed op {str(op)[:80]}")

    def fail(self, problem: str) -> None:
        """Counts an error."""
        self.errors += 1
        if len(self.problems) < _PROBLEMS_KEPT:
            self.problems.append(problem)

    def _node(self, node_id: Json) -> Node:
        node = self.nodes.get(node_id)  # type: ignore[arg-type]
        if node is None:
            raise OpError(f"there is no node {node_id!r}"[:120])
        return node

    def _doc(self, op: JsonList) -> None:
        first, tree = op[1], op[2]
        if type(first) is not int or type(tree) is not list or tree[0] != "#document":
            raise OpError("the tree of a document begins with #document")
        for (
            node
        ) in self.nodes.values():  # cut the cycles, so that the old tree goes at once and not with the next collection
            node.parent = node.prev = node.next = node.first = node.last = node.inner = None
        self.nodes = {}
        self.stateful = {}
        self.sheets = {}
        self.adopted = {}
        self.top_layer = {}
        self.focus = 0
        self.selection = _NO_SELECTION
        self.last_id = 0
        self.root = root = Node(first, DOCUMENT, "", _NO_ATTRS, "")
        self.nodes[first] = root
        self._fill(root, tree, 2, first + 1)

    def _add(self, op: JsonList) -> None:
        at, next_id = op[1], op[2]
        if type(at) is not int or type(next_id) is not int or next_id < 1:
            raise OpError("an add names a point and a first id")
        parent, before = self._point(at)
        if next_id <= self.last_id:
            self._check_free(next_id, op)
        for position in range(3, len(op)):
            tree = op[position]
            if type(tree) is int:
                placed = self._place(self._node(tree), parent, before)
            else:
                placed, next_id = self._plant(tree, parent, before, next_id)
            if placed.kind < SHADOW:
                before = placed.next

    def _check_free(self, first: int, op: JsonList) -> None:
        """Ids are never used twice: refuses an add that would, before anything is changed."""
        count = 0
        stack = list(op[3:])
        while stack:
            tree = stack.pop()
            if type(tree) is int:
                continue
            count += 1
            if type(tree) is list and tree[0] not in _LEAVES:
                stack.extend(tree[2:])
        if any(node_id in self.nodes for node_id in range(first, first + count)):
            raise OpError(f"the ids from {first} are in use")

    def _point(self, at: int) -> tuple[Node, Node | None]:
        """The parent and the child before which to insert."""
        if at > 0:
            parent = self._node(at)
            before = None
        else:
            before = self._node(-at)
            if before.parent is None or before.kind >= SHADOW:
                raise OpError(f"nothing can stand before node {-at}")
            parent = before.parent
        kind = parent.kind
        if kind != ELEMENT and kind != DOCUMENT and kind < SHADOW:
            raise OpError(f"node {parent.id} cannot have children")
        return parent, before

    def _place(self, node: Node, parent: Node, before: Node | None) -> Node:
        """Moves a node that exists."""
        if node.kind >= SHADOW or node.kind == DOCUMENT:
            raise OpError(f"node {node.id} cannot be moved")
        if (node is parent) or ((node.first is not None or node.inner is not None) and contains(node, parent)):
            raise OpError(f"node {node.id} would stand below itself")
        if before is node:
            before = node.next
        unlink(node)
        link(node, parent, before)
        return node

    def _plant(self, tree: Json, parent: Node, before: Node | None, node_id: int) -> tuple[Node, int]:
        """Makes a new tree at a point; gives its root and the first id after it.

        The root is put in place before its children, so that a tree may take in the very nodes around it.
        """
        if type(tree) is str:
            node = Node(node_id, TEXT, "", _NO_ATTRS, tree)
            link(node, parent, before)
            self.nodes[node_id] = node
            if node_id > self.last_id:
                self.last_id = node_id
            return node, node_id + 1
        assert type(tree) is list
        node = self._make(tree, node_id)
        if node.kind >= SHADOW:
            self._host(node, parent)
        else:
            link(node, parent, before)
        self.nodes[node_id] = node
        if node_id > self.last_id:
            self.last_id = node_id
        node_id += 1
        if len(tree) > 2 and (node.kind == ELEMENT or node.kind >= SHADOW):
            node_id = self._fill(node, tree, 2, node_id)
        return node, node_id

    def _host(self, inner: Node, host: Node) -> None:
        """Gives an element its shadow root or content."""
        if host.inner is not None or host.kind != ELEMENT:
            raise OpError(f"node {host.id} cannot have a shadow root or content")
        inner.parent = host
        host.inner = inner
        if inner.state is not None:
            self.stateful[inner.id] = inner

    def _make(self, tree: JsonList, node_id: int) -> Node:
        tag = cast(str, tree[0])
        kind = _LEAVES.get(tag)
        if kind is not None:
            if kind == PI:
                return Node(node_id, PI, cast(str, tree[1]), _NO_ATTRS, cast(str, tree[2]))
            if kind == DOCTYPE:
                attrs = {"public": cast(str, tree[2]), "system": cast(str, tree[3])}
                return Node(node_id, DOCTYPE, cast(str, tree[1]), attrs, "")
            return Node(node_id, kind, "", _NO_ATTRS, cast(str, tree[1]))
        attrs = cast("dict[str, str]", tree[1])
        if tag == "#shadow":
            node = Node(node_id, SHADOW, str(cast("dict[str, Json]", attrs).get("mode", "open")), _NO_ATTRS, "")
            node.state = {"options": cast(Json, attrs)}
            return node
        if tag == "#content":
            return Node(node_id, CONTENT, "", _NO_ATTRS, "")
        if type(tag) is not str or type(attrs) is not dict or tag[:1] in ("", "#"):
            raise OpError(f"malformed tree {str(tree)[:60]}")
        return Node(node_id, ELEMENT, tag, attrs, "")

    def _fill(self, parent: Node, items: JsonList, index: int, node_id: int) -> int:
        """Makes the children that `items` lists from `index` on; gives the first id after them.

        This is where a recording's nodes are made, so the common cases (text, element) are written out here.
        """
        nodes = self.nodes
        stack: list[tuple[Node, JsonList, int]] = []
        size = len(items)
        while True:
            if node_id > self.last_id:
                self.last_id = node_id - 1
            if index >= size:
                if not stack:
                    break
                parent, items, index = stack.pop()
                size = len(items)
                continue
            item = items[index]
            index += 1
            if type(item) is str:
                node = Node(node_id, TEXT, "", _NO_ATTRS, item)
            elif type(item) is list:
                tag = item[0]
                attrs = item[1]
                if type(tag) is str and type(attrs) is dict and tag[:1] not in ("#", ""):
                    node = Node(node_id, ELEMENT, tag, cast("dict[str, str]", attrs), "")
                else:
                    node = self._make(item, node_id)
                    if node.kind >= SHADOW:
                        if parent.first is not None:
                            raise OpError(f"{tag} of node {parent.id} is not its first child")
                        self._host(node, parent)
            elif type(item) is int:
                existing = nodes.get(item)
                if existing is None:
                    self.fail(f"there is no node {item}")
                    continue
                try:
                    self._place(existing, parent, None)
                except OpError as error:
                    self.fail(str(error))
                continue
            else:
                raise OpError(f"malformed tree {str(item)[:60]}")
            nodes[node_id] = node
            node_id += 1
            if node.kind < SHADOW:  # link(node, parent, None), written out
                node.parent = parent
                last = parent.last
                if last is None:
                    parent.first = node
                else:
                    last.next = node
                    node.prev = last
                parent.last = node
            if node.kind != TEXT and len(item) > 2 and (node.kind == ELEMENT or node.kind >= SHADOW):
                if index < size:
                    stack.append((parent, items, index))
                parent, items, index, size = node, item, 2, len(item)
        return node_id

    def _move(self, op: JsonList) -> None:
        parent, before = self._point(cast(int, op[1]))
        for index in range(2, len(op)):
            try:
                before = self._place(self._node(op[index]), parent, before).next
            except OpError as error:
                self.fail(str(error))

    def _del(self, op: JsonList) -> None:
        for index in range(1, len(op)):
            node = self.nodes.get(op[index])  # type: ignore[arg-type]
            if node is None or node is self.root:
                self.fail(f"there is no node {op[index]!r} to remove"[:120])
                continue
            self._drop(node)

    def _drop(self, top: Node) -> None:
        unlink(top)
        nodes = self.nodes
        if top.first is None and top.inner is None:
            del nodes[top.id]
            self._forget(top)
            return
        gone = list(walk(top))
        for node in gone:
            del nodes[node.id]
            if node.state is not None or node.kind != TEXT:
                self._forget(node)
        for node in gone:  # cut the cycles: a page that changes for hours must not wait for the garbage collector
            node.parent = node.prev = node.next = node.first = node.last = node.inner = None

    def _forget(self, node: Node) -> None:
        """Drops what the document says about a node that is gone."""
        node_id = node.id
        if node.state is not None:
            self.stateful.pop(node_id, None)
            self.top_layer.pop(node_id, None)
        if self.sheets and node.kind == ELEMENT:
            for number in [s.number for s in self.sheets.values() if s.owner == node_id]:
                self._drop_sheet(number)
        if self.adopted:
            self.adopted.pop(node_id, None)
        if self.focus == node_id:
            self.focus = 0
        if node_id in (self.selection[0], self.selection[2]):
            self.selection = _NO_SELECTION

    def _text(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.kind not in (TEXT, CDATA, COMMENT, PI) or type(op[2]) is not str:
            raise OpError(f"node {node.id} holds no text")
        node.data = op[2]

    def _attr(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.kind != ELEMENT:
            raise OpError(f"node {node.id} has no attributes")
        attrs = node.attrs.copy()
        for name, value in cast("dict[str, str | None]", op[2]).items():
            if value is None:
                attrs.pop(name, None)
            else:
                attrs[name] = value
        node.attrs = attrs

    # -- state -----------------------------------------------------------------------------------------------------------

    def _set(self, node: Node, key: str, value: Json) -> None:
        if node.state is None:
            node.state = {}
            self.stateful[node.id] = node
        node.state[key] = value

    def _state_text(self, op: JsonList) -> None:
        key, value = cast(str, op[0]), op[2]
        node = self._node(op[1])
        if (
            type(value) is not str
            or node.kind != ELEMENT
            or (key != "src" and node.name not in CONTROLS and key == "value")
        ):
            raise OpError(f"node {node.id} takes no {key}")
        self._set(node, key, value)

    def _state_flag(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.name != "input" or op[2] not in (0, 1):
            raise OpError(f"node {node.id} is not a checkbox or radio button")
        self._set(node, cast(str, op[0]), int(cast(int, op[2])))

    def _selected(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.name != "select":
            raise OpError(f"node {node.id} is not a select")
        self._set(node, "selected", [index for index in cast(JsonList, op[2]) if type(index) is int])

    def _scroll(self, op: JsonList) -> None:
        self._set(self._node(op[1]), "scroll", [float(cast(float, op[2])), float(cast(float, op[3]))])

    def _focus(self, op: JsonList) -> None:
        self.focus = self._node(op[1]).id if op[1] else 0

    def _selection(self, op: JsonList) -> None:
        anchor, anchor_offset, focus, focus_offset = (int(cast(int, item)) for item in op[1:5])
        if anchor or focus:
            self._node(anchor)
            self._node(focus)
        self.selection = (anchor, anchor_offset, focus, focus_offset)

    def _sheet(self, op: JsonList) -> None:
        number, owner, text = op[1], op[2], op[3]
        if type(number) is not int or type(owner) is not int or type(text) is not str:
            raise OpError("a sheet has a number, an owner and a text")
        if owner:
            self._node(owner)
        options = cast("dict[str, Json]", op[4]) if len(op) > 4 else {}
        self.sheets[number] = Sheet(number, owner, text, str(options.get("media") or ""), bool(options.get("disabled")))

    def _unsheet(self, op: JsonList) -> None:
        for number in op[1:]:
            if number not in self.sheets:
                self.fail(f"there is no sheet {number!r}"[:120])
            else:
                self._drop_sheet(cast(int, number))

    def _drop_sheet(self, number: int) -> None:
        del self.sheets[number]

    def _adopt(self, op: JsonList) -> None:
        node = self._node(op[1])
        if node.kind not in (DOCUMENT, SHADOW):
            raise OpError(f"node {node.id} adopts no sheets")
        numbers: list[int] = []
        for number in cast(JsonList, op[2]):
            if number in self.sheets:
                numbers.append(cast(int, number))
            else:
                self.fail(f"there is no sheet {number!r}"[:120])
        if numbers:
            self.adopted[node.id] = numbers
        else:
            self.adopted.pop(node.id, None)

    def _open(self, op: JsonList) -> None:
        node, how = self._node(op[1]), op[2]
        self.top_layer.pop(node.id, None)
        self._set(node, "open", how)
        if how:
            self.top_layer[node.id] = str(how)

    def _canvas(self, op: JsonList) -> None:
        sha256, width, height = op[2:5]
        self._set(self._node(op[1]), "canvas", [sha256, width, height])

    def _media(self, op: JsonList) -> None:
        self._set(self._node(op[1]), "media", dict(cast("dict[str, Json]", op[2])))
