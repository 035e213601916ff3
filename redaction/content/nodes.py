"""What a document's walk knows of its nodes, and what stands beside each: its label, its column, its select, the user's rule.

This is no page model: it is filled while a tree is read, so that a cell knows the header before it and not the one behind it, and it keeps
what it knew of nodes that are gone, because an op that names one is hostile or wrong and is masked by what the node was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..contracts.policy import Policy
from .controls import Choices


@dataclass(slots=True)
class NodeInfo:
    """What the book knows of a node."""

    tag: str
    attrs: dict[str, str]
    parent: int
    headers: list[str] | None = None
    """Of a table: its column headers."""
    said: str = ""
    """Of a label: its text; of a cell: the header of its column."""
    cells: int = 0
    """Of a row: its cells so far; of an option: which one it is, from 1."""
    choices: Choices | None = None
    """Of a select: what it offers."""


class Nodes(dict[int, NodeInfo]):
    """The nodes of one document by their id."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy
        self._labels: dict[str, str] = {}
        self.term = ""
        """The last ``<dt>``."""

    def parent_at(self, point: int) -> int:
        """Return the id of the parent at an insertion point; 0 where it is not known."""
        return point if point > 0 else (self[-point].parent if -point in self else 0)

    def label(self, info: NodeInfo | None) -> str:
        """Return what a control is for: autocomplete, label, name, placeholder, type."""
        if info is None:
            return ""
        a = info.attrs
        words = [
            a.get("autocomplete", ""),
            self._labels.get(a.get("id", ""), ""),
            a.get("aria-label", ""),
            a.get("name", ""),
            a.get("id", ""),
            a.get("placeholder", ""),
        ]
        kind = a.get("type", "").lower()
        if kind in ("email", "tel", "password"):
            words.insert(0, {"tel": "phone"}.get(kind, kind))
        parent = self.get(info.parent)
        for _ in range(3):
            if parent is None:
                break
            if parent.tag == "label":
                words.insert(1, parent.said)
                break
            parent = self.get(parent.parent)
        return " ".join(w for w in words if w and w not in ("on", "off"))[:120]

    def learn_labels(self, tree: Any) -> None:
        stack = [tree]
        while stack:
            node = stack.pop()
            if not isinstance(node, list) or len(node) < 2 or not isinstance(node[1], dict):
                continue
            if node[0] == "label" and node[1].get("for"):
                self._labels[node[1]["for"]] = text_of(node)
            stack.extend(c for c in node[2:] if isinstance(c, list))

    def row(self, tree: list[Any], info: NodeInfo) -> None:
        cells = [c for c in tree[2:] if isinstance(c, list) and c[0] in ("th", "td")]
        if cells and all(c[0] == "th" for c in cells) and (table := self._table(info)) is not None:
            table.headers = [text_of(c) for c in cells]

    def cell(self, info: NodeInfo) -> None:
        row = self.get(info.parent)
        if row is None:
            return
        column = row.cells
        row.cells += 1
        table = self._table(row)
        if table is not None and table.headers and column < len(table.headers):
            info.said = table.headers[column]

    def _table(self, info: NodeInfo) -> NodeInfo | None:
        up: NodeInfo | None = info
        for _ in range(4):
            if up is None:
                return None
            if up.tag == "table":
                return up
            up = self.get(up.parent)
        return None

    def cell_label(self, node: int) -> str:
        """Return the column header of a cell, the term of a ``<dd>``, the header of a row."""
        for _ in range(4):
            info = self.get(node)
            if info is None:
                return ""
            if info.tag == "dd":
                return self.term
            if info.tag == "td":
                return info.said
            node = info.parent
        return ""

    def editable(self, node: int) -> bool:
        for _ in range(40):
            info = self.get(node)
            if info is None:
                return False
            editable = info.attrs.get("contenteditable")
            if editable is not None and editable.lower() != "false":
                return True
            if info.attrs.get("role") == "textbox":
                return True
            node = info.parent
        return False

    def choices(self, info: NodeInfo | None) -> Choices | None:
        """Return what the select around an option offers."""
        for _ in range(3):
            if info is None:
                return None
            if info.tag == "select":
                return info.choices
            info = self.get(info.parent)
        return None

    def ruled(self, node: int) -> str | None:
        """Return what the user's selectors say of a node: the nearest element around it that one names counts."""
        if not any(r.kind == "selector" for r in self._policy.rules):
            return None
        for _ in range(200):
            info = self.get(node)
            if info is None:
                return None
            for name in selectors_of(info.tag, info.attrs):
                if (action := self._policy.rule("selector", name)) is not None:
                    return action
            node = info.parent
        return None


def selectors_of(tag: str, attrs: dict[str, str]) -> list[str]:
    """Return the ways in which a rule may name an element: ``#id``, ``.class``, ``[name=value]``, the tag."""
    classes = [f".{name}" for name in attrs.get("class", "").split()]
    named = [f"[{name}={value}]" for name, value in attrs.items()] + [f"[{name}]" for name in attrs]
    return [*([f"#{attrs['id']}"] if attrs.get("id") else []), *classes, *named, tag]


def text_of(tree: Any) -> str:
    """Return the text of a tree, at most 80 characters."""
    if isinstance(tree, str):
        return tree
    if not isinstance(tree, list):
        return ""
    return " ".join(" ".join(text_of(c) for c in tree[2:]).split())[:80]
