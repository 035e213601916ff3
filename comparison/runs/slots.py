"""Slots: what leads to an element of a page, without what is another one in each run.

``aside#around > div.advert > a`` is where an advert stands, whatever it says. The items of a list, and the rows of a table, have one slot; a table's columns have
their numbers. So a slot is found again in other runs, and where something was put in or left out before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast

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
        known = self._known
        found = list(map(known.get, places))
        if None in found:
            above = _Above()
            for number, place in enumerate(places):
                if found[number] is None:
                    document = model.documents.get(place[0])
                    node = document.nodes.get(place[1]) if document is not None else None
                    found[number] = known[place] = above.slot(node)
        return tuple(cast("list[str]", found))


def slot_of(node: Node | None) -> str:
    """Return the slot of an element as it is now."""
    return _Above().slot(node)


class _SlotPath:
    """Steps that lead to an element, and how they go on: the rows of a table all have one."""

    __slots__ = ("_on", "_steps", "said")

    def __init__(self, steps: tuple[str, ...]) -> None:
        self._steps = steps
        self._on: dict[str, _SlotPath] = {}
        self.said = ">".join(steps)

    def to(self, step: str) -> _SlotPath:
        """Return the way that goes one step further."""
        further = self._on.get(step)
        if further is None:
            further = self._on[step] = _SlotPath((*self._steps[1 - _STEPS :], step))
        return further


class _Above:
    """Gives slots at one moment: what leads to an element's parent is read once for all that are in it."""

    def __init__(self) -> None:
        self._leads: dict[int, _SlotPath] = {}
        self._said: dict[str | tuple[str, str | None, str | None], str] = {}

    def slot(self, node: Node | None) -> str:
        if node is None or node.kind != ELEMENT or (node.attrs and "id" in node.attrs):
            return self._leading(node).said
        way = self._leads.get(id(node.parent)) or self._leading(node.parent)
        return way.to(self._step(node)).said

    def _leading(self, node: Node | None) -> _SlotPath:
        """Return what leads to an element, itself included."""
        known = self._leads.get(id(node))
        if known is not None:
            return known
        below: list[Node] = []
        while node is not None and id(node) not in self._leads:
            below.append(node)
            node = node.parent
        way = self._leads[id(node)] if node is not None else self._leads.setdefault(id(None), _SlotPath(()))
        for here in reversed(below):
            if here.kind == ELEMENT:
                named = here.attrs.get("id", "") if here.attrs else ""
                if named and _PLAIN.fullmatch(named) and value_key(named) == named:
                    way = _SlotPath((f"{here.name}#{named}",))
                else:
                    way = way.to(self._step(here))
            self._leads[id(here)] = way
        return way

    def _step(self, node: Node) -> str:
        attrs = node.attrs
        key = (node.name, attrs.get("class"), attrs.get("role")) if attrs else node.name
        said = self._said.get(key)
        if said is None:
            name, named, role = key if isinstance(key, tuple) else (key, None, None)
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
