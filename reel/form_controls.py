"""The state of form controls, with the HTML defaults where no op has set it.

The injector's ``controls.ts`` follows the same rules (docs/format.md, "Checkpoints"), because both must give the same
digest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .nodes import ELEMENT, Node, find_next_node_outside, get_text_content

MASK = "•••••"
"""Replaces a value that was masked when it was read."""

CONTROLS = frozenset({"input", "textarea", "select"})

_SIZE = re.compile(r"[ \t\n\f\r]*\+?([0-9]+)")
_HOLDS_NO_OPTIONS = frozenset({"option", "select", "hr", "datalist"})


def get_input_type(node: Node) -> str:
    """Return the ``type`` attribute of an input in lower case, ``"text"`` if there is none. Unknown types are returned
    unchanged.
    """
    value = node.attrs.get("type", "text")
    return value.lower() if value.isascii() else value


def is_checkable(node: Node) -> bool:
    """Return whether a node is a checkbox or radio button, which has a checked state instead of a value."""
    return node.name == "input" and node.kind == ELEMENT and get_input_type(node) in ("checkbox", "radio")


def get_field_value(node: Node) -> str:
    """Return the value of an input (not checkbox or radio) or textarea."""
    state = node.state
    if state is not None:
        value = state.get("value")
        if isinstance(value, str):
            return value
    default = get_text_content(node) if node.name == "textarea" else node.attrs.get("value", "")
    if default and state is not None and "masked" in state:
        return MASK
    return default


def is_checked(node: Node) -> bool:
    """Return whether a checkbox or radio button is on."""
    if node.state is not None and "checked" in node.state:
        return bool(node.state["checked"])
    return "checked" in node.attrs


def is_indeterminate(node: Node) -> bool:
    """Return whether an input is in the indeterminate state."""
    return node.state is not None and bool(node.state.get("indeterminate"))


def iter_options(select: Node) -> Iterator[Node]:
    """Yield the options of a select in order, as its ``options`` property lists them."""
    node = select.first
    while node is not None:
        if node.kind == ELEMENT:
            if node.name == "option":
                yield node
            if node.name in _HOLDS_NO_OPTIONS:
                node = find_next_node_outside(node, select)
                continue
        node = node.first if node.first is not None else find_next_node_outside(node, select)


def get_selected_indexes(select: Node) -> list[int]:
    """Return the indexes of the selected options of a select."""
    if select.state is not None:
        chosen = select.state.get("selected")
        if isinstance(chosen, list):
            return [index for index in chosen if isinstance(index, int)]
    options = list(iter_options(select))
    selected = [index for index, option in enumerate(options) if "selected" in option.attrs]
    if "multiple" in select.attrs:
        return selected
    if selected:
        return selected[-1:]
    if _get_select_display_size(select) <= 1:
        for index, option in enumerate(options):
            if not _is_disabled(option, select):
                return [index]
    return []


def _get_select_display_size(select: Node) -> int:
    match = _SIZE.match(select.attrs.get("size", ""))
    return int(match[1][:9]) if match else 1


def _is_disabled(option: Node, select: Node) -> bool:
    if "disabled" in option.attrs:
        return True
    group = next((node for node in option.iter_upwards() if node is select or node.name == "optgroup"), select)
    return group is not select and "disabled" in group.attrs


def build_digest_state(node: Node) -> str:
    """Return the state of a form control (of :data:`CONTROLS`), as its canonical line contains it."""
    if node.name == "select":
        return "\x1es" + ",".join(map(str, get_selected_indexes(node)))
    if node.name == "textarea":
        return "\x1ev" + get_field_value(node)
    state = "\x1ec1" if is_checked(node) else "\x1ec0"
    if not is_checkable(node):
        state = "\x1ev" + get_field_value(node)
    return state + "\x1ei1" if is_indeterminate(node) else state
