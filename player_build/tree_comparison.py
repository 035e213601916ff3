"""Compares the tree of the player's frame with the expected tree of a document, node for node, and describes differences."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from pagereel.reel import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    PI,
    SHADOW,
    TEXT,
    DocumentModel,
    Node,
    get_field_value,
    get_selected_indexes,
    is_checked,
    is_indeterminate,
    iter_nodes,
)
from pagereel.text_truncation import truncate_text

from .allow_lists import SILENT, canonical_tag

Item = tuple[int, int, str, dict[str, str], str]
"""Depth, kind, name, attributes, and data or state of a node."""

Raw = list[Any]
"""An item from the browser, with attributes as pairs."""

Fit = Callable[[dict[str, str], str], str]
"""A function that returns the value that an input with these attributes keeps of a value."""


def iter_expected_nodes(document: DocumentModel, mode: str) -> Iterator[Item]:
    """Yield the nodes of a document in the page model in the order of the tree, as :data:`Item` tuples, which can be
    compared with nodes read from the browser.
    """
    if document.root is None:
        return
    depths: dict[int, int] = {}
    for node in iter_nodes(document.root):
        depth = depths[node.id] = depths[node.parent.id] + 1 if node.parent else 0
        if node.kind == ELEMENT:
            yield depth, ELEMENT, canonical_tag(node.name), node.attrs, _format_control_state(node)
        elif node.kind == DOCTYPE:
            yield depth, DOCTYPE, node.name, {}, f"{node.attrs['public']}\x1f{node.attrs['system']}"
        elif node.kind == DOCUMENT:
            yield depth, DOCUMENT, "BackCompat" if mode == "BackCompat" else "CSS1Compat", {}, ""
        elif node.kind == PI:  # Painted as a comment, because a real processing instruction could load something.
            yield depth, COMMENT, "", {}, f"?{node.name} {node.data}?"
        elif node.kind in (SHADOW, CONTENT):
            yield depth, node.kind, node.name, {}, node.data
        else:
            yield depth, node.kind, "", {}, "" if _has_omitted_content(node.parent) else node.data


def _format_control_state(node: Node) -> str:
    """Return the state of a form control as text, in the same notation as for nodes read from the browser."""
    if node.name == "select":
        return "\x1es" + ",".join(map(str, get_selected_indexes(node)))
    if node.name == "textarea":
        return "\x1ev" + get_field_value(node)
    if node.name != "input":
        return ""
    checkable = node.attrs.get("type", "").lower() in ("checkbox", "radio")
    state = f"\x1ec{int(is_checked(node))}" if checkable else f"\x1ev{get_field_value(node)}"
    return state + ("\x1ei1" if is_indeterminate(node) else "")


def _has_omitted_content(node: Node | None) -> bool:
    return node is not None and node.kind == ELEMENT and canonical_tag(node.name) in SILENT


def find_tree_difference(
    wanted: Iterable[Item], nodes: Iterable[Raw], sanitize_value: Fit
) -> tuple[str, str, str] | None:
    """Return the first difference of the browser's nodes from the wanted ones; None if they are equal.

    It is the path to the node, the wanted and the found node as text. `sanitize_value`: see :data:`Fit`.
    """
    path: list[str] = []
    counts = [0]
    have = iter(nodes)
    for item in itertools.chain(wanted, (None,)):
        raw = next(have, None)
        found = parse_browser_item(raw) if raw is not None else None
        named = item or found
        if named is None:
            return None
        _advance_path(path, counts, named)
        problem = _compare_items(item, found, sanitize_value)
        if problem:
            return "/".join(path), *problem
    return None


def find_revisit_difference(before: Sequence[Raw], now: Sequence[Raw]) -> tuple[str, str, str] | None:
    """Return the first difference between the nodes that the player showed at two visits of the same time.

    It is the path of the node that differs, and both sides as text; None if all nodes are equal. The player's own
    attributes are compared too, because a page must not depend on how the player got to the time.
    """
    for index, (raw, other) in enumerate(itertools.zip_longest(before, now)):
        if raw == other:
            continue
        item, found = (parse_browser_item(each) if each is not None else None for each in (raw, other))
        if item is None or found is None or item[:3] != found[:3]:
            return format_node_path(now if found else before, index), _describe_item(item), _describe_item(found)
        for key in sorted({*item[3], *found[3]}):
            if item[3].get(key) != found[3].get(key):
                return (
                    format_node_path(now, index),
                    _format_attribute(key, item[3].get(key)),
                    _format_attribute(key, found[3].get(key)),
                )
        if item[4] != found[4]:
            return format_node_path(now, index), repr(item[4]), repr(found[4])
    return None


def format_node_path(nodes: Sequence[Raw], index: int) -> str:
    """Return the path to the node with this index in a document's list of nodes, as text."""
    path: list[str] = []
    counts = [0]
    for raw in nodes[: index + 1]:
        _advance_path(path, counts, parse_browser_item(raw))
    return "/".join(path)


def parse_browser_item(raw: Raw) -> Item:
    """Convert a node that was read from the browser to an :data:`Item`."""
    return raw[0], raw[1], raw[2], dict(raw[3]), raw[4]


def _advance_path(path: list[str], counts: list[int], item: Item) -> None:
    """Change `path` to that of the next node, in the order of the tree."""
    depth = item[0]
    del path[depth:]
    del counts[depth + 1 :]
    while len(counts) <= depth:
        counts.append(0)
    path.append(f"{_format_node_name(item)}[{counts[depth]}]")
    counts[depth] += 1


def _compare_items(wanted: Item | None, found: Item | None, sanitize_value: Fit) -> tuple[str, str] | None:
    """Return both sides as text if two nodes differ; None if they are equal."""
    if wanted is None or found is None or wanted[:3] != found[:3]:
        return _describe_item(wanted), _describe_item(found)
    _, kind, name, attributes, data = wanted
    if kind == ELEMENT and name.rpartition("|")[2].lower() != "script":
        theirs = _restore_recorded_attributes(name, found[3], attributes)
        for key in sorted({*attributes, *theirs}):
            if attributes.get(key) != theirs.get(key):
                return _format_attribute(key, attributes.get(key)), _format_attribute(key, theirs.get(key))
    if data != found[4] and not _control_shows_value(wanted, found[4], sanitize_value):
        return repr(data), repr(found[4])
    return None


def _restore_recorded_attributes(element: str, real: dict[str, str], recorded: dict[str, str]) -> dict[str, str]:
    """Return the attributes of the browser's element as they were recorded: attributes that the player moved to
    ``data-pagereel-was-…`` are moved back.
    """
    prefix = "data-pagereel-was-"
    were = {name.removeprefix(prefix): value for name, value in real.items() if name.startswith(prefix)}
    # A video's poster, or an animation's begin, that the page's element does not have.
    new = real.get("data-pagereel-new", "").split()
    found = {name: value for name, value in real.items() if not name.startswith("data-pagereel") and name not in new}
    if "data-pagereel-framed" in real:  # The player gives an object or embed the empty document that it paints in.
        found.pop("data" if element == "object" else "src", None)
    if "data-pagereel-popover" in real:  # The player shows a fullscreen element as its own popover.
        found.pop("popover", None)
    for name in recorded:
        aside = name.lower().replace(":", "-")
        for key in (aside, name.replace(":", "-")):
            if key in were:
                found[name] = were.pop(key)
                break
    return {**found, **were}


def _control_shows_value(wanted: Item, found: str, sanitize_value: Fit) -> bool:
    """Return whether a form control shows as much of a recorded value as its type allows."""
    _, kind, name, attributes, data = wanted
    if kind != ELEMENT or name != "input" or not data.startswith("\x1ev"):
        return False
    if attributes.get("type", "").lower() == "file":  # Only a user can fill it.
        return True
    value, sign, rest = data[2:].partition("\x1ei")
    return found == f"\x1ev{sanitize_value(attributes, value)}{sign}{rest}"


_NAMES: Final = {
    TEXT: "text",
    CDATA: "cdata",
    PI: "pi",
    COMMENT: "comment",
    DOCUMENT: "document",
    DOCTYPE: "doctype",
    SHADOW: "shadow root",
    CONTENT: "content",
}


def _format_node_name(item: Item) -> str:
    if item[1] != ELEMENT:
        return f"#{_NAMES[item[1]]}"
    identity = item[3].get("id")
    return f"{item[2]}#{identity}" if identity else item[2]


def _describe_item(item: Item | None) -> str:
    if item is None:
        return "nothing"
    _, kind, name, _, data = item
    if kind == ELEMENT:
        return f"<{name}>"
    return " ".join(filter(None, (_NAMES[kind], name, repr(data) if data else "")))


def _format_attribute(name: str, value: str | None) -> str:
    return f"no {name}" if value is None else f'{name}="{value}"'


def shorten_text(text: str, length: int = 120) -> str:
    return truncate_text(text, length)
