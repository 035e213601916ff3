"""Parses a frame's snapshot in Playwright's JSON: its nodes, and the state in their attributes.

``text | [[snapshots ago, index]] | [NAME, attributes, …children]``, where `index` counts a snapshot's own nodes in
post-order (written by Playwright's ``snapshotterInjected.ts``). A reference is a subtree that did not change.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Final

import zstandard

Key = tuple[int, int]
"""A node's key in the trace: the number of its frame's snapshot, and its index there."""

SHADOW: Final = "#shadow"
SHEET: Final = "#sheet"
SCRIPT: Final = "#script"
"""The tag of a script element, which only counts for indexes."""
TEXT: Final = ""

_STATE: Final = "__playwright_"
_NAMES: Final = {
    "__playwright_value_": "value",
    "__playwright_checked_": "checked",
    "__playwright_selected_": "selected",
    "__playwright_scroll_top_": "top",
    "__playwright_scroll_left_": "left",
    "__playwright_popover_open_": "popover",
    "__playwright_dialog_open_": "dialog",
    "__playwright_custom_elements__": "defined",
    "__playwright_current_src__": "chosen",
    "__playwright_target__": "target",
}
_SHADOW_MARK: Final = "__playwright_shadow_root_"
_SHEET_MARK: Final = "__playwright_style_sheet_"
_FRAME_SOURCES: Final = ("src", "__playwright_src__")
_FRAME_PREFIX: Final = "/snapshot/"
_SVG: Final = "svg|"
_MATH: Final = "math|"
_LEAVES_SVG: Final = frozenset({"svg|foreignObject", "svg|desc", "svg|title"})
_REMEMBERED: Final = 4
"""Number of snapshots whose nodes are kept unpacked."""
MOST_NODES: Final = 200_000
"""Largest number of nodes of one snapshot, of those kept unpacked, and of all frames together: some 900 bytes each.
Further nodes are left out.
"""


class SnapshotNode:
    """A node that a snapshot contains in full."""

    __slots__ = ("attrs", "children", "frame", "inner", "key", "raw", "state", "tag")

    def __init__(self, key: Key, tag: str) -> None:
        self.key = key
        self.tag = tag
        """The tag as in a reel; :data:`TEXT`, :data:`SHADOW`, :data:`SHEET`."""
        self.raw = ""
        """The data of a text node, or the text of a sheet."""
        self.attrs: dict[str, str] = {}
        self.state: dict[str, str] = {}
        """State of the element, by the names of :data:`_NAMES`."""
        self.frame = ""
        """The frame that an iframe shows."""
        self.inner: SnapshotNode | Key | None = None
        self.children: list[SnapshotNode | Key] = []
        """Children and references; a shadow root comes first, adopted sheets come last."""


class SnapshotHistory:
    """All nodes in the snapshots of one frame. Nodes that left the page are kept in compressed form, because a later
    reference may bring them back.
    """

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._open: OrderedDict[int, list[SnapshotNode]] = OrderedDict()
        self._compressor = zstandard.ZstdCompressor(level=1)
        self._decompressor = zstandard.ZstdDecompressor()
        self.nodes = 0
        """Number of nodes that the last snapshot wrote."""
        self.cut = False
        """Whether a snapshot had more nodes than are read."""

    def __len__(self) -> int:
        return len(self._packed)

    def add_snapshot(self, html: Any) -> SnapshotNode | Key | None:
        """Add the nodes of the next snapshot. Return its root."""
        number = len(self._packed)
        root, nodes = parse_snapshot(html, number)
        self.nodes = len(nodes)
        self.cut = self.cut or self.nodes >= MOST_NODES
        self._packed.append(self._compressor.compress(marshal.dumps(html)) if nodes else b"")
        return root

    def skip_snapshot(self) -> None:
        """Count a snapshot that could not be read."""
        self._packed.append(b"")

    def get_node(self, key: Key) -> SnapshotNode | None:
        """Return the node to which a reference points, as its snapshot contains it; None if there is no such node."""
        number, index = key
        if not 0 <= number < len(self._packed) or not self._packed[number]:
            return None
        nodes = self._open.get(number)
        if nodes is None:
            packed = self._decompressor.decompress(self._packed[number])
            nodes = parse_snapshot(marshal.loads(packed), number)[1]
            self._cache_nodes(number, nodes)
        return nodes[index] if 0 <= index < len(nodes) else None

    def _cache_nodes(self, number: int, nodes: list[SnapshotNode]) -> None:
        self._open[number] = nodes
        while len(self._open) > _REMEMBERED or (
            len(self._open) > 1 and sum(map(len, self._open.values())) > MOST_NODES
        ):
            self._open.popitem(last=False)


def parse_snapshot(html: object, number: int) -> tuple[SnapshotNode | Key | None, list[SnapshotNode]]:
    """Parse the nodes of snapshot `number`. Return its root, and the nodes in the order of their index."""
    nodes: list[SnapshotNode] = []
    root = _parse_reference(html, number)
    if root is not None:
        return root, nodes
    top = _parse_element(html, "", number)
    if top is None:
        return None, nodes
    stack: list[tuple[SnapshotNode, Iterator[Any]]] = [(top, _iter_children(html))]
    while stack:
        parent, rest = stack[-1]
        item = next(rest, stack) if len(nodes) + len(stack) < MOST_NODES else stack
        if item is stack:
            parent.key = (number, len(nodes))
            nodes.append(parent)
            stack.pop()
            continue
        if type(item) is str:
            text = SnapshotNode((number, len(nodes)), TEXT)
            text.raw = item
            nodes.append(text)
            parent.children.append(text)
        elif (reference := _parse_reference(item, number)) is not None:
            parent.children.append(reference)
        elif (element := _parse_element(item, parent.tag, number)) is not None:
            if element.tag == SHEET:
                parent.children.append(element)
            elif element.tag == SHADOW and parent.inner is None and not parent.children:
                parent.inner = element
            elif element.tag not in (SHADOW, SCRIPT):
                parent.children.append(element)
            stack.append((element, _iter_children(item)))
    return top, nodes


def _iter_children(item: Any) -> Iterator[Any]:
    return iter(item[2:])


def _parse_reference(item: object, number: int) -> Key | None:
    if type(item) is list and len(item) == 1 and type(pair := item[0]) is list and len(pair) == 2:
        ago, index = pair
        if type(ago) is int and type(index) is int:
            return number - ago, index
    return None


def _parse_element(item: object, parent: str, number: int) -> SnapshotNode | None:
    if type(item) is not list or not item or type(name := item[0]) is not str or not name or name[0] == "#":
        return None
    attrs = item[1] if len(item) > 1 and type(item[1]) is dict else {}
    if name.lower() == "script":
        return SnapshotNode((number, 0), SCRIPT)
    if _SHADOW_MARK in attrs:
        return SnapshotNode((number, 0), SHADOW)
    if _SHEET_MARK in attrs:
        sheet = SnapshotNode((number, 0), SHEET)
        sheet.raw = _to_text(attrs[_SHEET_MARK])
        return sheet
    node = SnapshotNode((number, 0), _to_reel_tag(name, parent))
    _read_attributes(node, attrs)
    return node


def _read_attributes(node: SnapshotNode, attrs: dict[Any, Any]) -> None:
    frame = node.tag in ("iframe", "frame")
    for name, value in attrs.items():
        text = _to_text(value)
        if frame and name in _FRAME_SOURCES:
            if text.startswith(_FRAME_PREFIX):
                node.frame = text[len(_FRAME_PREFIX) :].partition("?")[0]
        elif name.startswith(_STATE):
            if (known := _NAMES.get(name)) is not None:
                node.state[known] = text
        elif name:
            node.attrs[name] = text
    if "dialog" in node.state:
        node.attrs["open"] = ""


def _to_reel_tag(name: str, parent: str) -> str:
    """Return the tag in the reel's form. HTML elements have upper-case names in a snapshot; other names are from XML,
    SVG or MathML.
    """
    if name.isupper():
        return "x-noscript" if name == "NOSCRIPT" else name.lower()
    if name in ("svg", "math"):
        return f"{name}|{name}"
    if parent.startswith(_SVG) and parent not in _LEAVES_SVG:
        return _SVG + name
    if parent.startswith(_MATH):
        return _MATH + name
    return name.lower() if "|" not in name else "html|" + name


def _to_text(value: object) -> str:
    return value if type(value) is str else "" if value is None or isinstance(value, list | dict) else str(value)
