"""Writes test code for a person's actions: clicks, typing and choices, with the locators that Playwright recommends."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pagereel.reel import SHADOW, DocumentModel, Node, PageModel, get_text_content, iter_options
from pagereel.sources import open_any

from .literals import list_locator_texts, to_comment, to_literal, to_safe_locator
from .replay_inspector import ReplayInspector
from .source import TestSource

CHANGE: Final = 400
"""Ms after a click in which a change of a checkbox or choice counts as caused by the click."""
BY_ITSELF: Final = 5_000
"""Ms after a person's last action from which on a new page counts as opened by the person in the browser itself."""
_KEYS: Final = frozenset({"Enter", "Escape", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp"})
_MODIFIERS: Final = {"c": "Control", "a": "Alt", "m": "Meta", "s": "Shift"}
_FIELDS: Final = frozenset({"input", "textarea", "select"})
_CHECKED: Final = frozenset({"checkbox", "radio"})
_TICKS: Final = frozenset({"check", "uncheck"})
_CHANGES: Final = _TICKS | {"fill", "select_option"}
_NOWHERE: Final = (0, 0)


@dataclass
class _PersonAction:
    """A click, typed value, choice, key press or navigation of a person."""

    t: float
    page: int
    what: str
    node: tuple[int, int] | None = None
    """The document and the node of the element."""
    value: Any = None
    focused: bool = False
    """Whether the element had the focus: then the person caused the change."""
    path: list[int | str] | None = None
    """The path to the element from the page's document, right before the action."""


def iter_action_lines(path: Path, inspector: ReplayInspector, source: TestSource) -> Iterator[str]:
    """Yield a line of test code for each action of a person. Playwright's :meth:`Locator.normalize` (1.59 and newer)
    chooses the locators.
    """
    names: dict[int, str] = {}
    for action in _merge_actions(_iter_actions_with_paths(path)):
        if action.page not in names:
            names[action.page] = "page" if not names else f"page_{len(names) + 1}"
            if len(names) > 1 and action.what != "goto":
                yield f"{names[action.page]} = page.context.pages[-1]"
            elif len(names) > 1:
                yield f"{names[action.page]} = page.context.new_page()"
        name = names[action.page]
        if action.what == "goto":
            yield f"{name}.goto({source.address_to_code(action.value)})"
            continue
        if action.path is None:
            yield source.record_skipped_action(action.what, "an element that is not there")
            continue
        # Look at the page just before the action: at its own time the page already shows the effect.
        found = to_safe_locator(
            inspector.find_best_locator(max(0.0, action.t - 1), action.page, action.path), source.text_to_code, name
        )
        if found is None:
            yield source.record_skipped_action(action.what, "an element that cannot be told")
            continue
        yield f"{name}.{found}.{_write_action_code(action, found, source)}"


def _write_action_code(action: _PersonAction, locator: str, source: TestSource) -> str:
    if action.what == "fill":
        return f"fill({source.typed_value_to_code(str(action.value), locator, list_locator_texts(locator))})"
    if action.what == "select_option":
        label, index = action.value
        return (
            f"select_option(index={index})  # {to_comment(label)}"
            if source.masked
            else f"select_option({to_literal(label)})"
        )
    if action.what == "press":
        return f"press({to_literal(action.value)})"
    return f"{action.what}()"


def _iter_actions_with_paths(path: Path) -> Iterator[_PersonAction]:
    """Yield each action of a person in order of time, with the path from the page's document to the element of the
    action.
    """
    model = PageModel()
    pressed: dict[int, float] = {}
    last = float(-BY_ITSELF)
    with open_any(path) as reel:
        told: Iterator[dict[str, Any]] = reel.timeline()
        for event in told:
            kind, t = event["k"], float(event.get("t") or 0)
            document = model.documents.get(event.get("d") or 0)
            found: list[_PersonAction] = []
            if kind == "mouse" and document is not None:
                if event["type"] == "down":
                    pressed[document.page] = t
                elif event["type"] in ("click", "dblclick", "contextmenu") and document.page in pressed:
                    what = "click" if event["type"] == "click" else "dblclick" if event["type"] == "dblclick" else ""
                    found = [_PersonAction(t, document.page, what, (document.d, event["node"]))] if what else []
            elif kind == "key" and event["type"] == "down" and document is not None and event["key"] in _KEYS:
                held = "+".join(_MODIFIERS[m] for m in event["mods"] if m in _MODIFIERS)
                value = f"{held}+{event['key']}" if held else event["key"]
                found = [_PersonAction(t, document.page, "press", (document.d, event["node"]), value)]
            elif kind == "mutation" and document is not None:
                found = list(_iter_field_changes(document, event, t))
            elif kind == "document" and event.get("top") and str(event["url"]).startswith("http"):
                first = not any(
                    d.page == event["page"] and d.top and d.url.startswith("http") for d in model.documents.values()
                )
                if (
                    first and model.pages.get(event["page"]) is not None and model.pages[event["page"]].opener is None
                ) or t - last > BY_ITSELF:
                    found = [_PersonAction(t, event["page"], "goto", None, event["url"])]
            for action in found:
                if action.node is not None:
                    action.path = _find_path_to_node(model, *action.node)
                    last = t
                yield action
            model.apply(event)


def _iter_field_changes(document: DocumentModel, event: dict[str, Any], t: float) -> Iterator[_PersonAction]:
    for op in event["ops"]:
        if op[0] not in ("value", "checked", "selected"):
            continue
        node = document.nodes.get(op[1])
        if node is None or node.name not in _FIELDS:
            continue
        at, focused = (document.d, node.id), document.focus == node.id
        if op[0] == "value" and node.attrs.get("type") not in _CHECKED:
            yield _PersonAction(t, document.page, "fill", at, op[2], focused)
        elif op[0] == "checked":
            yield _PersonAction(t, document.page, "check" if op[2] else "uncheck", at, None, focused)
        elif op[0] == "selected" and len(op[2]) == 1:
            label = _read_option_label(node, op[2][0])
            if label:
                yield _PersonAction(t, document.page, "select_option", at, (label, op[2][0]), focused)


def _read_option_label(select: Node, index: int) -> str:
    option = next(itertools.islice(iter_options(select), index, None), None)
    return " ".join(get_text_content(option).split()) if option is not None else ""


def _merge_actions(actions: Iterator[_PersonAction]) -> list[_PersonAction]:
    """Merge actions that have one effect.

    A click that ticks a box or enters a field is dropped, and of all typing in a field only the last value is kept.
    """
    kept: list[_PersonAction] = []
    touched: set[tuple[int, int]] = set()
    early: _PersonAction | None = None
    for action in actions:
        before = kept[-1] if kept and kept[-1].page == action.page else None
        soon = before is not None and action.t - before.t < CHANGE
        if action.what in _CHANGES:
            if (
                before is not None
                and before.what == "click"
                and (before.node == action.node or (soon and action.what != "fill"))
            ):
                kept.pop()
                touched.add(action.node or _NOWHERE)
            elif before is not None and before.what == action.what == "fill" and before.node == action.node:
                before.value = action.value
                continue
            elif not action.focused and action.node not in touched:
                early = action  # a box changes before its click is recorded; without a click the page changed it
                continue
        elif action.what == "click":
            touched.add(action.node or _NOWHERE)
            if early is not None and early.page == action.page and action.t - early.t < CHANGE and early.what != "fill":
                action, early = early, None
            elif before is not None and soon and before.what in _TICKS and before.node == action.node:
                continue  # the click on the label of a box that has changed already
        elif action.what == "dblclick":
            while kept and kept[-1].what == "click" and kept[-1].node == action.node:
                kept.pop()
        elif (
            action.what == "press"
            and before is not None
            and before.what == "select_option"
            and before.node == action.node
        ):
            continue  # the key that chose the option
        kept.append(action)
    return kept


def _find_path_to_node(model: PageModel, document_id: int, node_id: int) -> list[int | str] | None:
    """Return the path from a page's document to a node; None if the node is no longer on the page."""
    way: list[int | str] = []
    for _ in range(50):  # frames inside frames
        document = model.documents.get(document_id)
        node = document.nodes.get(node_id) if document is not None else None
        if document is None or node is None:
            return None
        steps: list[int | str] = []
        while node.parent is not None:
            if node.kind == SHADOW:
                steps.append("shadow")
            else:
                steps.append(_count_previous_siblings(node))
            node = node.parent
        way = [*steps[::-1], *way]
        if document.top or document.parent is None:
            return way
        document_id, node_id = document.parent
        way.insert(0, "frame")
    return None


def _count_previous_siblings(node: Node) -> int:
    index = 0
    while node.prev is not None:
        node = node.prev
        index += 1
    return index
