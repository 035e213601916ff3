"""A snapshot of a trace as Playwright's viewer renders it, references followed one by one: what an import is measured against."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pagereel.reel import CONTENT, ELEMENT, SHADOW, TEXT, Node

Tree = Any


def snapshots(path: Path) -> Iterator[tuple[dict[str, Any], Tree]]:
    """Each frame snapshot of a trace, and what it shows."""
    frames: dict[str, list[Any]] = {}
    with zipfile.ZipFile(path) as archive:
        for name in sorted(name for name in archive.namelist() if name.endswith(".trace")):
            for line in archive.read(name).decode().splitlines():
                event = json.loads(line)
                if event["type"] == "frame-snapshot":
                    snapshot = event["snapshot"]
                    history = frames.setdefault(snapshot["frameId"], [])
                    history.append(snapshot["html"])
                    yield snapshot, whole(history, len(history) - 1, snapshot["html"])


def whole(history: list[Any], number: int, node: Any) -> Tree:
    """A node with its references followed: text, or tag, attributes, children."""
    if isinstance(node, str):
        return node
    if isinstance(node[0], list):
        ago, index = node[0]
        found = _nodes(history[number - ago])[index]
        return whole(history, number - ago, found)
    attrs = {name: value for name, value in (node[1] if len(node) > 1 else {}).items() if value is not None}
    return [node[0], attrs, *[whole(history, number, child) for child in node[2:]]]


def _nodes(root: Any) -> list[Any]:
    found: list[Any] = []

    def visit(node: Any) -> None:
        if isinstance(node, str):
            found.append(node)
        elif isinstance(node[0], str):
            for child in node[2:]:
                visit(child)
            found.append(node)

    visit(root)
    return found


def plain(tree: Tree) -> Tree:
    """A rendered snapshot without what is no part of a page's tree: tags in lower case, no state, no adopted sheets."""
    if isinstance(tree, str):
        return tree
    tag, attrs, *children = tree
    if "__playwright_shadow_root_" in attrs:
        tag, attrs = "#shadow", {}
    kept = {
        name: value
        for name, value in attrs.items()
        if not name.startswith(("__playwright_", "on")) and not (tag in ("IFRAME", "FRAME") and name == "src")
    }
    if tag == "DIALOG" and "__playwright_dialog_open_" in attrs:
        kept["open"] = ""
    shown = [
        plain(child) for child in children if isinstance(child, str) or "__playwright_style_sheet_" not in child[1]
    ]
    return [tag.lower(), dict(sorted(kept.items())), *shown]


def of_model(node: Node) -> Tree:
    """The same of a reel's node."""
    if node.kind == TEXT:
        return node.data
    tag = "#shadow" if node.kind == SHADOW else node.name.rpartition("|")[2]
    children = [of_model(child) for child in node.children if child.kind in (ELEMENT, TEXT)]
    if node.inner is not None and node.inner.kind != CONTENT:
        children.insert(0, of_model(node.inner))
    return [tag.lower(), dict(sorted(node.attrs.items())) if node.kind == ELEMENT else {}, *children]
