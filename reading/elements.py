"""Classifies elements for the text of a page: hidden ones, cells of tables, block content, form controls and their state."""

from __future__ import annotations

from pagereel.reel import ELEMENT, TEXT, Node, get_field_value, get_selected_indexes, is_checked, iter_options

SILENT = frozenset({"head", "script", "style", "template", "noscript", "svg|svg", "title", "datalist", "option"})
INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "output",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
    ]
)
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
CONTROLS = frozenset({"input", "textarea", "select"})
_CELLS = frozenset({"td", "th"})
_CELL_ROLES = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_WITHIN_CELL = 4
"""Blocks around the text of a cell that begin no line."""


def is_only_block_of_cell(node: Node) -> bool:
    """Return whether a block is the only content of a table cell; its text then stays on the line of the cell."""
    for _ in range(_WITHIN_CELL):
        parent = node.parent
        if parent is None or not (
            _is_blank_up_to_edge(node.prev, before=True) and _is_blank_up_to_edge(node.next, before=False)
        ):
            return False
        if is_cell(parent):
            return True
        node = parent
    return False


def _is_blank_up_to_edge(sibling: Node | None, *, before: bool) -> bool:
    """Return whether only white space lies between an element and the end of its parent, on the side of this sibling."""
    if sibling is None:
        return True
    return sibling.kind == TEXT and sibling.data.isspace() and (sibling.prev if before else sibling.next) is None


def is_cell(node: Node) -> bool:
    """Return whether an element is a cell of a table, by its name or its role."""
    return node.name in _CELLS or node.attrs.get("role") in _CELL_ROLES


def contains_block_elements(button: Node) -> bool:
    """Return whether a button contains block elements, whose text takes lines of its own."""
    stack = list(button.children)
    while stack:
        node = stack.pop()
        if node.kind == ELEMENT:
            if node.name not in INLINE and node.name not in SILENT and node.name not in ("img", "br"):
                return True
            stack += node.children
    return False


def is_hidden(node: Node) -> bool:
    """Return whether an element's own attributes hide it."""
    attrs = node.attrs
    return (
        "hidden" in attrs
        or attrs.get("aria-hidden") == "true"
        or ("style" in attrs and "display:none" in attrs["style"].replace(" ", "").lower())
        or (node.name == "input" and attrs.get("type", "").lower() == "hidden")
    )


def describe_form_control(node: Node) -> str | None:
    """Return a form control and its state as text; None for other elements."""
    if node.name not in CONTROLS:
        return None
    label = node.attrs.get("aria-label") or node.attrs.get("placeholder") or node.attrs.get("name") or ""
    kind = node.attrs.get("type", "text").lower()
    if node.name == "input" and kind in ("checkbox", "radio"):
        return f"[{kind}{f' {label}' if label else ''}: {'on' if is_checked(node) else 'off'}]"
    if node.name == "input" and kind in ("submit", "button", "reset"):
        return f"[button: {get_field_value(node) or kind}]"
    if node.name in ("input", "textarea"):
        return f"[{node.name}{f' {label}' if label else ''}: {get_field_value(node)}]"
    if node.name == "select":
        options = list(iter_options(node))
        picked = [get_own_text(options[index]) for index in get_selected_indexes(node) if index < len(options)]
        return f"[select{f' {label}' if label else ''}: {', '.join(picked)}]"
    return None


def get_own_text(node: Node) -> str:
    """Return the text that is directly in an element, without the text of its child elements."""
    return " ".join("".join(child.data for child in node.children if child.kind == TEXT).split())
