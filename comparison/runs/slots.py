"""Slots: paths to elements of a page that are the same in each run.

``aside#around > div.advert > a`` is the slot of an advert, whatever its text. All items of a list have the same
slot, and so have all rows of a table; a table's columns are numbered. So a slot is found again in other runs, even
if elements before it were added or removed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, cast

from pagereel.reading import to_value_key
from pagereel.reel import ELEMENT, Node, PageModel

_STEPS: Final = 7
"""Largest number of elements in a slot; it begins at the nearest element with an id."""
_CLASSES: Final = 2
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z_-]*")
"""Pattern of stable ids and classes: those with digits are mostly generated."""
_STATES: Final = frozenset({"active", "hover", "focus", "show", "hide", "hidden", "open", "closed", "disabled", "selected", "loading", "in", "fade"})  # fmt: skip
"""Classes that describe an element's present state."""


class SlotCache:
    """A cache of elements' slots. An element keeps the slot that it had when its slot was first computed."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], str] = {}

    def get_slots(self, model: PageModel, elements: Sequence[tuple[int, int]]) -> tuple[str, ...]:
        """Return the slots of elements, given as their documents and their ids; "" for a missing element."""
        known = self._known
        found = list(map(known.get, elements))
        if None in found:
            above = _SlotBuilder()
            for number, place in enumerate(elements):
                if found[number] is None:
                    document = model.documents.get(place[0])
                    node = document.nodes.get(place[1]) if document is not None else None
                    found[number] = known[place] = above.build_slot(node)
        return tuple(cast("list[str]", found))


def compute_slot(node: Node | None) -> str:
    """Return the present slot of an element."""
    return _SlotBuilder().build_slot(node)


class _SlotPath:
    """A path of steps to an element, with its extensions cached, so that equal paths are one object."""

    __slots__ = ("_on", "_steps", "said")

    def __init__(self, steps: tuple[str, ...]) -> None:
        self._steps = steps
        self._on: dict[str, _SlotPath] = {}
        self.said = ">".join(steps)

    def extend_by_step(self, step: str) -> _SlotPath:
        """Return the path extended by one step."""
        further = self._on.get(step)
        if further is None:
            further = self._on[step] = _SlotPath((*self._steps[1 - _STEPS :], step))
        return further


class _SlotBuilder:
    """Computes the slots of elements at one time, and caches the path to each parent."""

    def __init__(self) -> None:
        self._leads: dict[int, _SlotPath] = {}
        self._said: dict[str | tuple[str, str | None, str | None], str] = {}

    def build_slot(self, node: Node | None) -> str:
        if node is None or node.kind != ELEMENT or (node.attrs and "id" in node.attrs):
            return self._build_path_to(node).said
        way = self._leads.get(id(node.parent)) or self._build_path_to(node.parent)
        return way.extend_by_step(self._build_step(node)).said

    def _build_path_to(self, node: Node | None) -> _SlotPath:
        """Return the path to an element, including itself."""
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
                if named and _PLAIN.fullmatch(named) and to_value_key(named) == named:
                    way = _SlotPath((f"{here.name}#{named}",))
                else:
                    way = way.extend_by_step(self._build_step(here))
            self._leads[id(here)] = way
        return way

    def _build_step(self, node: Node) -> str:
        attrs = node.attrs
        key = (node.name, attrs.get("class"), attrs.get("role")) if attrs else node.name
        step = self._said.get(key)
        if step is None:
            name, named, role = key if isinstance(key, tuple) else (key, None, None)
            classes = [each for each in (named or "").split() if _PLAIN.fullmatch(each) and each not in _STATES]
            step = name + "".join(f".{each}" for each in classes[:_CLASSES]) + (f"[{role}]" if role else "")
            self._said[key] = step
        return f"{step}:{_count_columns_before(node)}" if node.name in ("td", "th") else step


def _count_columns_before(node: Node) -> int:
    number, before = 0, node.prev
    while before is not None:
        number += before.kind == ELEMENT
        before = before.prev
    return number
