"""Slots: what leads to an element of a page, without what is another one in each run.

``aside#around > div.advert > a`` is where an advert stands, whatever it says. The items of a list, and the rows of a table, have one slot; a table's columns have
their numbers. So a slot is found again in other runs, and where something was put in or left out before it.
"""

from __future__ import annotations

import re
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

    def of(self, model: PageModel, place: tuple[int, int]) -> str:
        """Return the slot of an element, given as its document and its id; empty for one that is not there."""
        known = self._known.get(place)
        if known is None:
            document = model.documents.get(place[0])
            node = document.nodes.get(place[1]) if document is not None else None
            known = self._known[place] = slot_of(node)
        return known


def slot_of(node: Node | None) -> str:
    """Return the slot of an element as it is now."""
    steps: list[str] = []
    here = node
    while here is not None and len(steps) < _STEPS:
        if here.kind == ELEMENT:
            named = here.attrs.get("id", "")
            if named and _PLAIN.fullmatch(named) and value_key(named) == named:
                steps.append(f"{here.name}#{named}")
                break
            steps.append(_step(here))
        here = here.parent
    return ">".join(reversed(steps))


def _step(node: Node) -> str:
    classes = [name for name in node.attrs.get("class", "").split() if _PLAIN.fullmatch(name) and name not in _STATES]
    role = node.attrs.get("role")
    said = node.name + "".join(f".{name}" for name in classes[:_CLASSES]) + (f"[{role}]" if role else "")
    return f"{said}:{_column(node)}" if node.name in ("td", "th") else said


def _column(node: Node) -> int:
    number, before = 0, node.prev
    while before is not None:
        number += before.kind == ELEMENT
        before = before.prev
    return number
