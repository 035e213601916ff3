"""Writes a document of the page model as a JSON tree, as ops that create it, or as HTML, without recursion."""

from __future__ import annotations

from html import escape
from typing import Final, cast

from .document import PLACED, DocumentModel
from .events import Json
from .form_controls import get_field_value, get_selected_indexes, is_checkable, is_checked, iter_options
from .nodes import CDATA, COMMENT, CONTENT, DOCTYPE, ELEMENT, PI, SHADOW, TEXT, Node

TREE_DEPTH: Final = 96
"""Largest depth of a tree in ops; deeper nodes follow in ops of their own (docs/format.md, "Nodes and trees")."""

_VOID: Final = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]  # https://html.spec.whatwg.org/#void-elements
)
_RAW: Final = frozenset({"style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"})
_STATE_OPS: Final = (
    "exact",
    "masked",
    "value",
    "typed",
    "src",
    "checked",
    "indeterminate",
    "selected",
    "states",
    "cues",
)


def serialize_tree(node: Node) -> tuple[Json, list[int]]:
    """Return the JSON tree of a node and everything below it, and the ids of its nodes in the tree's order."""
    form, nodes, _ = _serialize_tree(node, None)
    return form, [each.id for each in nodes]


def _serialize_tree(root: Node, depth: int | None) -> tuple[Json, list[Node], list[Node]]:
    """Return the JSON tree of a node, its nodes in order, and the nodes at `depth` whose children were left out."""
    order: list[Node] = []
    cut: list[Node] = []
    out: list[Json] = []
    stack: list[tuple[Node, list[Json], int]] = [(root, out, 1)]
    while stack:
        node, into, level = stack.pop()
        order.append(node)
        form = serialize_node(node)
        into.append(form)
        if not isinstance(form, list) or (node.first is None and node.inner is None):
            continue
        if depth is not None and level >= depth:
            cut.append(node)
            continue
        child = node.last
        while child is not None:
            stack.append((child, form, level + 1))
            child = child.prev
        if node.inner is not None:
            stack.append((node.inner, form, level + 1))
    return out[0], order, cut


def serialize_node(node: Node) -> Json:
    """Return the JSON of a node, without its children."""
    kind = node.kind
    if kind == TEXT:
        return node.data
    if kind == ELEMENT:
        return [node.name, dict(node.attrs)]
    if kind == COMMENT:
        return ["#comment", node.data]
    if kind == CDATA:
        return ["#cdata", node.data]
    if kind == PI:
        return ["#pi", node.name, node.data]
    if kind == DOCTYPE:
        return ["#doctype", node.name, node.attrs["public"], node.attrs["system"]]
    if kind == SHADOW:
        options = (node.state or {}).get("options")
        return ["#shadow", dict(options) if isinstance(options, dict) else {"mode": node.name}]
    return ["#content", {}] if kind == CONTENT else ["#document", {}]


def build_snapshot_ops(document: DocumentModel, *, depth: int = TREE_DEPTH) -> tuple[list[Json], dict[int, int]]:
    """Return ops that create the present document in an empty model, and a map of old to new node ids.

    The first op is ``doc``; new ids count from 1, because ids in a tree follow from their order. Trees nest at most
    `depth` elements deep.
    """
    if document.root is None:
        return [], {}
    form, order, cut = _serialize_tree(document.root, depth)
    ops: list[Json] = [["doc", 1, form]]
    ids = {node.id: number for number, node in enumerate(order, 1)}
    for host in cut:  # the list grows during the loop
        first = len(ids) + 1
        trees: list[Json] = []
        for child in (host.inner, *host.children):
            if child is not None:
                form, order, deeper = _serialize_tree(child, depth)
                trees.append(form)
                for node in order:
                    ids[node.id] = len(ids) + 1
                cut.extend(deeper)
        ops.append(["add", ids[host.id], first, *trees])
    ops.extend(build_state_ops(document, ids))
    return ops, ids


def build_state_ops(document: DocumentModel, ids: dict[int, int]) -> list[Json]:
    """Return ops that set all state of a document besides its tree, with new node ids (`ids`: old → new)."""
    ops: list[Json] = []
    for number in sorted(document.sheets):
        sheet = document.sheets[number]
        options: dict[str, Json] = {}
        if sheet.media:
            options["media"] = sheet.media
        if sheet.disabled:
            options["disabled"] = True
        op: list[Json] = ["sheet", number, ids.get(sheet.owner, 0), sheet.text]
        ops.append([*op, options] if options else op)
    for root, numbers in document.adopted.items():
        held: list[Json] = [number for number in numbers if number in document.sheets]
        ops.append(["adopt", ids[root], held])
    for node_id, node in document.stateful.items():
        state = node.state or {}
        ops.extend([key, ids[node_id], state[key]] for key in _STATE_OPS if key in state)
        for key in ("scroll", "canvas"):
            values = state.get(key)
            if key == "scroll" and isinstance(values, list) and len(values) > 2:
                anchor = ids.get(cast(int, values[2]))  # The node may have been removed.
                values = values[:2] + ([anchor, values[3]] if anchor else [])
            if isinstance(values, list):
                ops.append([key, ids[node_id], *values])
        if "media" in state:
            ops.append(["media", ids[node_id], state["media"]])
        if isinstance(drawing := state.get("drawing"), dict):
            placed = {name: drawing[name] for name in PLACED if name in drawing}
            timed = {name: value for name, value in drawing.items() if name not in PLACED}
            ops.extend(["drawing", ids[node_id], cast(Json, told)] for told in (timed, placed) if told)
        if isinstance(assigned := state.get("assign"), list):
            nodes: list[Json] = [ids[item] for item in assigned if item in ids]  # type: ignore[index]
            ops.append(["assign", ids[node_id], nodes])
    ops.extend(["anim", ids[node_id], key, dict(state)] for key, (node_id, state) in document.animations.items())
    ops.extend(["open", ids[node_id], how] for node_id, how in document.top_layer.items())
    for name, (priority, ranges) in document.highlights.items():
        held = []
        for start, offset, end, end_offset in zip(*[iter(ranges)] * 4, strict=True):
            if start in ids and end in ids:
                held += [ids[start], offset, ids[end], end_offset]
        ops.append(["highlight", name, priority, held])
    if document.focus:
        visible: list[Json] = [] if document.focus_visible is None else [document.focus_visible]
        ops.append(["focus", ids[document.focus], *visible])
    if document.pointed:
        ops.append(["pointed", *(ids.get(item, 0) for item in document.pointed)])
    if document.bubble:
        field, *said = document.bubble
        ops.append(["bubble", ids[cast(int, field)], *said])
    if any(document.selection):
        anchor, anchor_offset, focus, focus_offset, composed = document.selection
        ops.append(
            ["selection", ids[anchor], anchor_offset, ids[focus], focus_offset, *([composed] if composed else [])]
        )
    return ops


def serialize_to_html(root: Node) -> str:
    """Return the HTML of a node with the present values of its form controls, for reading or comparing. It is not
    sanitized, and the player shows something else: never open it in a browser.
    """
    parts: list[str] = []
    stack: list[Node | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        opening, closing = _build_html_tags(node)
        parts.append(opening)
        if closing:
            stack.append(closing)
        if node.name == "textarea" and node.kind == ELEMENT:
            stack.append(escape(get_field_value(node), quote=False))
            continue
        child = node.last
        while child is not None:
            stack.append(child)
            child = child.prev
        if node.inner is not None:
            stack.append(node.inner)
    return "".join(parts)


def _build_html_tags(node: Node) -> tuple[str, str]:
    """Return a node's HTML before and after its children."""
    kind = node.kind
    if kind == TEXT:
        parent = node.parent
        if parent is not None and parent.kind == ELEMENT and parent.name in _RAW:
            return node.data.replace("</", "<\\/"), ""
        return escape(node.data, quote=False), ""
    if kind == ELEMENT:
        name = node.name.rpartition("|")[2]
        attrs = "".join(f' {key}="{escape(value)}"' for key, value in _build_shown_attributes(node).items())
        return f"<{name}{attrs}>", "" if node.name in _VOID else f"</{name}>"
    if kind == COMMENT:
        return f"<!--{node.data.replace('--', '- -')}-->", ""
    if kind == CDATA:
        return f"<![CDATA[{node.data.replace(']]>', ']] >')}]]>", ""
    if kind == PI:
        return f"<?{node.name} {node.data.replace('>', '&gt;')}?>", ""
    if kind == DOCTYPE:
        public, system = node.attrs["public"], node.attrs["system"]
        identifiers = f' PUBLIC "{escape(public)}"' if public else " SYSTEM" if system else ""
        return f"<!DOCTYPE {escape(node.name)}{identifiers}" + (f' "{escape(system)}">' if system else ">"), ""
    if kind == SHADOW:
        return f'<template shadowrootmode="{escape(node.name)}">', "</template>"
    return "", ""


def _build_shown_attributes(node: Node) -> dict[str, str]:
    """Return an element's attributes, with the present state of a form control in them."""
    attrs = dict(node.attrs)
    if node.name == "input":
        if is_checkable(node):
            attrs.pop("checked", None)
            if is_checked(node):
                attrs["checked"] = ""
        elif get_field_value(node) or "value" in attrs:
            attrs["value"] = get_field_value(node)
    elif node.name == "option":
        select = next((above for above in node.iter_upwards() if above.name == "select"), None)
        if select is not None:
            attrs.pop("selected", None)
            chosen = set(get_selected_indexes(select))
            if any(option is node for index, option in enumerate(iter_options(select)) if index in chosen):
                attrs["selected"] = ""
    return attrs
