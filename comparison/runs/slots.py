"""Slots: what leads to an element of a page, without what is another one in each run.

``aside#around > div.advert > a`` is where an advert stands, whatever it says. The items of a list, and the rows of a table, have one slot; a table's columns have
their numbers. So a slot is found again in other runs, and where something was put in or left out before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pagereel.reading import value_key
from pagereel.reel import ELEMENT, Node, PageModel

_STEPS: Final = 7
"""Elements of a slot, at most; it begins at the nearest one that has an id."""
_CLASSES: Final = 2
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z_-]*")
"""Ids and classes with digits are mostly made by a program."""
_STATES: Final = frozenset(
    {
        "active",
        "hover",
        "focus",
        "show",
        "hide",
        "hidden",
        "open",
        "closed",
        "disabled",
        "selected",
        "loading",
        "in",
        "fade",
    }
)
"""Classes that say how an element is just now."""


class Slots:
    """Gives slots; what an element's is when it is first asked for, it stays."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], str] = {}

    def of(self, model: PageModel, places: Sequence[tuple[int, int]]) -> tuple[str, ...]:
        """Return the slots of elements, given as their documents and their ids; empty for one that is not there."""
        known, above = self._known, _Above()
        for place in places:
            if place not in known:
                document = model.documents.get(place[0])
                node = document.nodes.get(place[1]) if document is not None else None
                known[place] = above.slot(node)
        return tuple([known[place] for place in places])


def slot_of(node: Node | None) -> str:
    """Return the slot of an element as it is now."""
    return _Above().slot(node)


class _Above:
    """Gives slots at one moment: what leads to an element's parent is read once for all that are in it."""

    def __init__(self) -> None:
        self._steps: dict[int, tuple[tuple[str, ...], str]] = {}
        self._said: dict[tuple[str, str | None, str | None], str] = {}

    def slot(self, node: Node | None) -> str:
        if node is None or node.kind != ELEMENT or (node.attrs and "id" in node.attrs):
            return self._leading(node)[1]
        steps, above = self._leading(node.parent)
        if not steps:
            return self._step(node)
        return f"{above}>{self._step(node)}" if len(steps) < _STEPS else ">".join((*steps[1:], self._step(node)))

    def _leading(self, node: Node | None) -> tuple[tuple[str, ...], str]:
        """Return the steps that lead to an element, itself included, and the same in one."""
        below: list[Node] = []
        while node is not None and id(node) not in self._steps:
            below.append(node)
            node = node.parent
        steps, said = self._steps[id(node)] if node is not None else ((), "")
        for here in reversed(below):
            if here.kind == ELEMENT:
                named = here.attrs.get("id", "") if here.attrs else ""
                if named and _PLAIN.fullmatch(named) and value_key(named) == named:
                    steps = (f"{here.name}#{named}",)
                else:
                    steps = (*steps[1 - _STEPS :], self._step(here))
                said = ">".join(steps)
            self._steps[id(here)] = steps, said
        return steps, said

    def _step(self, node: Node) -> str:
        attrs = node.attrs
        key = (node.name, attrs.get("class"), attrs.get("role")) if attrs else (node.name, None, None)
        said = self._said.get(key)
        if said is None:
            name, named, role = key
            classes = [each for each in (named or "").split() if _PLAIN.fullmatch(each) and each not in _STATES]
            said = name + "".join(f".{each}" for each in classes[:_CLASSES]) + (f"[{role}]" if role else "")
            self._said[key] = said
        return f"{said}:{_column(node)}" if node.name in ("td", "th") else said


def _column(node: Node) -> int:
    number, before = 0, node.prev
    while before is not None:
        number += before.kind == ELEMENT
        before = before.prev
    return number
