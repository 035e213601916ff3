"""One node of a recorded document, and walks over its tree without recursion.

Siblings are a doubly linked list, as in browsers: inserting, removing and moving cost the same whether a parent has two
children or a hundred thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .events import Json

# The numbers are those of the DOM's `nodeType`; a shadow root and a template's content are both document fragments
# there.
ELEMENT: Final = 1
TEXT: Final = 3
CDATA: Final = 4
PI: Final = 7
COMMENT: Final = 8
DOCUMENT: Final = 9
DOCTYPE: Final = 10
SHADOW: Final = 11
CONTENT: Final = 12


class NodeKind(NamedTuple):
    """One kind of node, and how the format writes such nodes."""

    tag: str
    """The first item of its tree; empty for an element, whose tree begins with its name, and for a text, which is a
    string.
    """
    parts: int
    """Number of items of its tree, all strings, if it cannot have children; else 0."""
    line: str
    """The beginning of its line in a digest."""


NODE_KINDS: Final = {
    ELEMENT: NodeKind("", 0, "E"),
    TEXT: NodeKind("", 0, "T"),
    CDATA: NodeKind("#cdata", 2, "X"),
    PI: NodeKind("#pi", 3, "P"),
    COMMENT: NodeKind("#comment", 2, "C"),
    DOCUMENT: NodeKind("#document", 0, "D"),
    DOCTYPE: NodeKind("#doctype", 4, "O"),
    SHADOW: NodeKind("#shadow", 0, "S"),
    CONTENT: NodeKind("#content", 0, "F"),
}
LEAVES: Final = {kind.tag: number for number, kind in NODE_KINDS.items() if kind.parts}
"""Tag → kind, for the nodes that are written as a list of strings."""


class Node:
    """A node of a :class:`~pagereel.reel.DocumentModel`. Other code may read it; only the model changes it.

    * ``kind``: one of the constants of this module.
    * ``name``: an element's tag as the format writes it (``"div"``, ``"svg|path"``), a doctype's name, a processing
      instruction's target, a shadow root's mode; ``""`` for other nodes.
    * ``attrs``: an element's attributes; a doctype's ``public`` and ``system``. Never changed in place: an op
    replaces
      the dict, so a reference to it keeps the state of its time.
    * ``data``: the text of a text, comment, CDATA section or processing instruction.
    * ``inner``: the shadow root of a host or the content of a template, whose ``parent`` is that element.
    * ``state``: state from ops, besides the tree: ``value``, ``checked``, ``indeterminate``, ``selected``,
      ``scroll`` (``[x, y]``), ``masked``, ``open``, ``canvas``, ``media``, ``src``; for a shadow root ``options``;
    or
      ``None``.
    """

    __slots__ = ("attrs", "data", "first", "id", "inner", "kind", "last", "name", "next", "parent", "prev", "state")

    def __init__(self, node_id: int, kind: int, name: str, attrs: dict[str, str], data: str) -> None:
        self.id = node_id
        self.kind = kind
        self.name = name
        self.attrs = attrs
        self.data = data
        self.parent: Node | None = None
        self.first: Node | None = None
        self.last: Node | None = None
        self.prev: Node | None = None
        self.next: Node | None = None
        self.inner: Node | None = None
        self.state: dict[str, Json] | None = None

    def __repr__(self) -> str:
        return f"<Node {self.id} kind={self.kind} {self.name or self.data[:20]!r}>"

    @property
    def children(self) -> Iterator[Node]:
        """Yield the light children in order (not ``inner``)."""
        child = self.first
        while child is not None:
            yield child
            child = child.next

    def iter_upwards(self) -> Iterator[Node]:
        """Yield the node and its ancestors, also through shadow roots and template contents."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    @property
    def host(self) -> Node | None:
        """Return the element that a shadow root or template content belongs to; ``None`` for other nodes."""
        return self.parent if self.kind >= SHADOW else None


def find_next_node(node: Node, root: Node) -> Node | None:
    """Return the node after `node` in pre-order below `root`, with `inner` before the light children; ``None`` at the
    end.
    """
    if node.inner is not None:
        return node.inner
    if node.first is not None:
        return node.first
    return find_next_node_outside(node, root)


def find_next_node_outside(node: Node, root: Node) -> Node | None:
    """Return the next node in pre-order that is not below `node`; ``None`` at the end of `root`."""
    current = node
    while current is not root:
        parent = current.parent
        if current.kind >= SHADOW:
            if parent is None:
                return None
            if parent.first is not None:
                return parent.first
        elif current.next is not None:
            return current.next
        if parent is None:
            return None
        current = parent
    return None


def iter_nodes(root: Node) -> Iterator[Node]:
    """Yield `root` and everything below it in document order: each node, then its shadow root or template content, then
    its children.
    """
    node: Node | None = root
    while node is not None:
        yield node
        node = find_next_node(node, root)


def iter_light_nodes(root: Node) -> Iterator[Node]:
    """Yield `root` and its descendants, without shadow roots and template contents (but `root` itself may be one)."""
    node: Node | None = root
    while node is not None:
        yield node
        node = node.first if node.first is not None else find_next_node_outside(node, root)


def contains_node(ancestor: Node, node: Node) -> bool:
    """Return whether `ancestor` is `node` or contains it, also through shadow roots and template contents."""
    current: Node | None = node
    while current is not None:
        if current is ancestor:
            return True
        current = current.parent
    return False


def get_text_content(root: Node) -> str:
    """Return the text of `root` like the DOM's ``getTextContent``: text and CDATA of its light descendants, or its own
    data.
    """
    if root.kind in (TEXT, CDATA, COMMENT, PI):
        return root.data
    child = root.first
    if child is not None and child.next is None and child.kind == TEXT:  # by far the most common case
        return child.data
    return "".join(node.data for node in iter_light_nodes(root) if node.kind in (TEXT, CDATA))


def insert_node(node: Node, parent: Node, before: Node | None) -> None:
    """Insert a detached node among the children of `parent`: before the child `before`, or last."""
    node.parent = parent
    if before is None:
        last = parent.last
        node.prev = last
        node.next = None
        parent.last = node
        if last is None:
            parent.first = node
        else:
            last.next = node
        return
    previous = before.prev
    node.prev = previous
    node.next = before
    before.prev = node
    if previous is None:
        parent.first = node
    else:
        previous.next = node


def remove_node(node: Node) -> None:
    """Remove a node from its parent (from its host, if it is a shadow root or template content)."""
    parent = node.parent
    if parent is None:
        return
    if parent.inner is node:
        parent.inner = None
    else:
        if node.prev is None:
            parent.first = node.next
        else:
            node.prev.next = node.next
        if node.next is None:
            parent.last = node.prev
        else:
            node.next.prev = node.prev
    node.parent = node.prev = node.next = None
