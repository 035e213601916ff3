"""The tree of one recorded document, and the ops that change it.

Nothing here is recursive, so a tree may have any depth. A page of 250,000 nodes is built in a third of a second.
"""

from __future__ import annotations

import itertools
from typing import Any, Final, cast

from .events import Json
from .limits import LIVE_NODES
from .nodes import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    LEAVES,
    PI,
    SHADOW,
    TEXT,
    Node,
    contains_node,
    insert_node,
    remove_node,
)

_PROBLEMS_KEPT: Final = 20
_NO_ATTRS: Final[dict[str, str]] = {}

JsonList = list[Json]


class InvalidOpError(Exception):
    """An op cannot be applied; the text says why."""


class OpTooLargeError(InvalidOpError):
    """An op would make the page model too large for the memory."""


class DocumentTree:
    """The nodes of a document and the ops that change them. :class:`~pagereel.reel.document.DocumentModel` adds the
    rest of a document's state.
    """

    __slots__ = ("_touched", "errors", "last_id", "nodes", "problems", "room", "root", "stateful")

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}
        """Exactly the nodes of the tree under :attr:`root`, by id."""
        self.root: Node | None = None
        self.last_id = 0
        """The highest id so far."""
        self.stateful: dict[int, Node] = {}
        """The nodes with a :attr:`Node.state`, by id."""
        self.room = LIVE_NODES
        """Largest number of nodes; further ones are refused."""
        self.errors = 0
        """Number of invalid ops, or parts of them, that were skipped."""
        self.problems: list[str] = []
        """Descriptions of the first errors."""
        self._touched: dict[object, set[int]] = {}
        """Reader → ids of the nodes that changed, or whose children changed, since its last call of :meth:`pop_changed_nodes`.
        Readers that never called it for this tree are missing.
        """

    def count_error(self, problem: str) -> None:
        """Count an error, and keep the first few descriptions."""
        self.errors += 1
        if len(self.problems) < _PROBLEMS_KEPT:
            self.problems.append(problem)

    def list_nodes_added_since(self, last_id: int) -> list[Node]:
        """Return the nodes with ids above `last_id`, in their order: those added since :attr:`last_id` had this value.
        The work is proportional to the nodes found, whatever ids a hostile recording gives.
        """
        newer = list(itertools.takewhile(lambda node: node.id > last_id, reversed(self.nodes.values())))
        return newer[::-1]

    def pop_changed_nodes(self, reader: object) -> list[Node] | None:
        """Return the nodes that changed since the last call by the same reader, and their ancestors; None if the whole
        tree is new to the reader.

        This is for readers that cache results.
        """
        touched, self._touched[reader] = self._touched.get(reader), set()
        if touched is None:
            return None
        found: dict[int, Node] = {}
        for node_id in touched:
            node = self.nodes.get(node_id)
            while node is not None and node.id not in found:
                found[node.id] = node
                node = node.parent
        return list(found.values())

    def _mark_changed(self, node: Node | None) -> None:
        if self._touched and node is not None:
            for touched in self._touched.values():
                touched.add(node.id)

    def _get_node(self, node_id: Json) -> Node:
        node = self.nodes.get(node_id)  # type: ignore[arg-type]
        if node is None:
            raise InvalidOpError(f"there is no node {node_id!r}"[:120])
        return node

    def _apply_document(self, op: JsonList) -> None:
        first, tree = op[1], op[2]
        if type(first) is not int or type(tree) is not list or tree[0] != "#document":
            raise InvalidOpError("the tree of a document begins with #document")
        for node in (
            self.nodes.values()
        ):  # break reference cycles, so that the old tree is freed at once and not by the next garbage collection
            node.parent = node.prev = node.next = node.first = node.last = node.inner = None
        self.nodes = {}
        self.stateful = {}
        self._touched.clear()
        self._drop_all_state()
        self.root = root = Node(first, DOCUMENT, "", _NO_ATTRS, "")
        self.nodes[first] = root
        self._create_children(root, tree, 2, first + 1)

    def _apply_add(self, op: JsonList) -> None:
        at, next_id = op[1], op[2]
        if type(at) is not int or type(next_id) is not int or next_id < 1:
            raise InvalidOpError("an add names a point and a first id")
        if len(self.nodes) >= self.room:
            raise OpTooLargeError(f"the pages have more than {LIVE_NODES:,} nodes")
        parent, before = self._find_insertion_point(at)
        if next_id <= self.last_id:
            self._require_free_ids(next_id, op)
        if before is None and all(map(_is_text_or_element, op[3:])):
            self._mark_changed(parent)
            self._create_children(parent, op, 3, next_id)
            return
        for position in range(3, len(op)):
            tree = op[position]
            if type(tree) is int:
                placed = self._move_node(self._get_node(tree), parent, before)
            else:
                placed, next_id = self._insert_tree(tree, parent, before, next_id)
            if placed.kind < SHADOW:
                before = placed.next

    def _require_free_ids(self, first: int, op: JsonList) -> None:
        """Raise InvalidOpError for an `add` that would use an id twice, before anything is changed."""
        count = 0
        stack = list(op[3:])
        while stack:
            tree = stack.pop()
            if type(tree) is int:
                continue
            count += 1
            if type(tree) is list and tree[0] not in LEAVES:
                stack.extend(tree[2:])
        if any(node_id in self.nodes for node_id in range(first, first + count)):
            raise InvalidOpError(f"the ids from {first} are in use")

    def _find_insertion_point(self, position: int) -> tuple[Node, Node | None]:
        """Return the parent into which an op inserts nodes, and the child before which it inserts them (None: after the
        last). `position`: the parent's id, or the negative id of the child.
        """
        if position > 0:
            parent = self._get_node(position)
            before = None
        else:
            before = self._get_node(-position)
            if before.parent is None or before.kind >= SHADOW:
                raise InvalidOpError(f"nothing can stand before node {-position}")
            parent = before.parent
        kind = parent.kind
        if kind != ELEMENT and kind != DOCUMENT and kind < SHADOW:
            raise InvalidOpError(f"node {parent.id} cannot have children")
        return parent, before

    def _move_node(self, node: Node, parent: Node, before: Node | None) -> Node:
        """Move an existing node to a new position."""
        if node.kind >= SHADOW or node.kind == DOCUMENT:
            raise InvalidOpError(f"node {node.id} cannot be moved")
        if (node is parent) or ((node.first is not None or node.inner is not None) and contains_node(node, parent)):
            raise InvalidOpError(f"node {node.id} would stand below itself")
        if before is node:
            before = node.next
        self._mark_changed(node.parent)
        self._mark_changed(parent)
        remove_node(node)
        insert_node(node, parent, before)
        return node

    def _insert_tree(self, tree: Json, parent: Node, before: Node | None, node_id: int) -> tuple[Node, int]:
        """Insert a new tree at a position. Return its root and the first id after it.

        The root is inserted before its children, so that a tree may include existing nodes around it.
        """
        self._mark_changed(parent)
        if type(tree) is str:
            node = Node(node_id, TEXT, "", _NO_ATTRS, tree)
            insert_node(node, parent, before)
            self.nodes[node_id] = node
            if node_id > self.last_id:
                self.last_id = node_id
            return node, node_id + 1
        assert type(tree) is list
        node = self._create_node(tree, node_id)
        if node.kind >= SHADOW:
            self._attach_inner_root(node, parent)
        else:
            insert_node(node, parent, before)
        self.nodes[node_id] = node
        node_id += 1
        if len(tree) > 2 and (node.kind == ELEMENT or node.kind >= SHADOW):
            node_id = self._create_children(node, tree, 2, node_id)
        elif node_id > self.last_id:
            self.last_id = node_id - 1
        return node, node_id

    def _attach_inner_root(self, inner_root: Node, host: Node) -> None:
        """Attach a shadow root or template content to its element."""
        if host.inner is not None or host.kind != ELEMENT:
            raise InvalidOpError(f"node {host.id} cannot have a shadow root or content")
        inner_root.parent = host
        host.inner = inner_root
        if inner_root.state is not None:
            self.stateful[inner_root.id] = inner_root

    def _create_node(self, tree: JsonList, node_id: int) -> Node:
        tag: Any = tree[0]
        attrs: Any = tree[1]
        if type(tag) is str and type(attrs) is dict and tag and tag[0] != "#":
            return Node(node_id, ELEMENT, tag, attrs, "")
        kind = LEAVES.get(tag)
        if kind is not None:
            if kind == PI:
                return Node(node_id, PI, attrs, _NO_ATTRS, cast(str, tree[2]))
            if kind == DOCTYPE:
                ids = {"public": cast(str, tree[2]), "system": cast(str, tree[3])}
                return Node(node_id, DOCTYPE, attrs, ids, "")
            return Node(node_id, kind, "", _NO_ATTRS, attrs)
        if tag == "#shadow":
            node = Node(node_id, SHADOW, str(attrs.get("mode", "open")), _NO_ATTRS, "")
            node.state = {"options": attrs}
            return node
        if tag == "#content":
            return Node(node_id, CONTENT, "", _NO_ATTRS, "")
        raise InvalidOpError(f"malformed tree {str(tree)[:60]}")

    def _create_children(self, parent: Node, items: JsonList, index: int, node_id: int) -> int:
        """Create the children that `items` lists from `index` on. Return the first id after them.

        All nodes of a recording are created here, so the common cases (text, element) are inlined.
        """
        nodes = self.nodes
        stack: list[tuple[Node, JsonList, int]] = []
        size = len(items)
        try:
            while True:
                if index >= size:
                    if not stack:
                        return node_id
                    parent, items, index = stack.pop()
                    size = len(items)
                    continue
                item = items[index]
                index += 1
                if type(item) is str:
                    node = Node(node_id, TEXT, "", _NO_ATTRS, item)
                elif type(item) is list:
                    tag: Any = item[0]
                    attrs: Any = item[1]
                    if type(tag) is str and type(attrs) is dict and tag and tag[0] != "#":
                        node = Node(node_id, ELEMENT, tag, attrs, "")
                    else:
                        node = self._create_node(item, node_id)
                        if node.kind >= SHADOW:
                            if parent.first is not None:
                                raise InvalidOpError(f"{tag} of node {parent.id} is not its first child")
                            self._attach_inner_root(node, parent)
                elif type(item) is int:
                    existing = nodes.get(item)
                    if existing is None:
                        self.count_error(f"there is no node {item}")
                        continue
                    try:
                        self._move_node(existing, parent, None)
                    except InvalidOpError as error:
                        self.count_error(str(error))
                    continue
                else:
                    raise InvalidOpError(f"malformed tree {str(item)[:60]}")
                nodes[node_id] = node
                node_id += 1
                if node.kind < SHADOW:  # link(node, parent, None), inlined
                    node.parent = parent
                    last = parent.last
                    if last is None:
                        parent.first = node
                    else:
                        last.next = node
                        node.prev = last
                    parent.last = node
                if node.kind != TEXT and len(item) > 2 and (node.kind == ELEMENT or node.kind >= SHADOW):
                    if len(item) == 3 and type(item[2]) is str:  # only a text, as in most elements of a large page
                        text = nodes[node_id] = Node(node_id, TEXT, "", _NO_ATTRS, item[2])
                        node_id += 1
                        text.parent = node
                        node.first = node.last = text
                        continue
                    if index < size:
                        stack.append((parent, items, index))
                    parent, items, index, size = node, cast(JsonList, item), 2, len(item)
        finally:
            self.last_id = max(self.last_id, node_id - 1)

    def _apply_move(self, op: JsonList) -> None:
        parent, before = self._find_insertion_point(cast(int, op[1]))
        for index in range(2, len(op)):
            try:
                before = self._move_node(self._get_node(op[index]), parent, before).next
            except InvalidOpError as error:
                self.count_error(str(error))

    def _apply_removal(self, op: JsonList) -> None:
        for index in range(1, len(op)):
            node = self.nodes.get(op[index])  # type: ignore[arg-type]
            if node is None or node is self.root:
                self.count_error(f"there is no node {op[index]!r} to remove"[:120])
                continue
            self._remove_subtree(node)

    def _remove_subtree(self, top: Node) -> None:
        self._mark_changed(top.parent)
        remove_node(top)
        nodes = self.nodes
        gone = [top]
        for node in gone:  # those below it follow while it is walked
            del nodes[node.id]
            if node.inner is not None:
                gone.append(node.inner)
            child = node.first
            while child is not None:
                gone.append(child)
                child = child.next
        self._drop_state_of_nodes(gone)
        for (
            node
        ) in gone:  # break reference cycles: a page that changes for hours must not wait for the garbage collector
            node.parent = node.prev = node.next = node.first = node.last = node.inner = None

    def _drop_state_of_nodes(self, removed_nodes: list[Node]) -> None:
        """Drop the state of a removed subtree's nodes; the base class has none."""

    def _drop_all_state(self) -> None:
        """Drop the state of all nodes when the whole tree is replaced; the base class has none."""

    def _apply_text(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.kind not in (TEXT, CDATA, COMMENT, PI) or type(op[2]) is not str:
            raise InvalidOpError(f"node {node.id} holds no text")
        self._mark_changed(node)
        node.data = op[2]

    def _apply_attributes(self, op: JsonList) -> None:
        node = self._get_node(op[1])
        if node.kind != ELEMENT:
            raise InvalidOpError(f"node {node.id} has no attributes")
        attrs = node.attrs.copy()
        for name, value in cast("dict[str, str | None]", op[2]).items():
            if value is None:
                attrs.pop(name, None)
            else:
                attrs[name] = value
        self._mark_changed(node)
        node.attrs = attrs
        if node.state and "style" in cast("dict[str, str | None]", op[2]):
            node.state.pop("exact", None)  # The state belonged to the previous picture.


def _is_text_or_element(tree: Json) -> bool:
    """Return whether a tree is a text or an element, judged by its first item."""
    return type(tree) is str or (type(tree) is list and bool(tree) and type(tree[0]) is str and tree[0][:1] != "#")
