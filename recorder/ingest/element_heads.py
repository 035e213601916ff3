"""Puts back what the script left out of its trees: the heads of elements, tag and attributes, which it sends once each.

See injector_js/src/encoding/heads.ts. In a tree on its way here a number at the beginning of an element's array stands
for the head that was sent under it: ``[7, child, …]`` for ``[tag, {…}, child, …]``.
"""

from __future__ import annotations

from typing import Any

from pagereel.reel import Event

KEPT = 10_000
"""Heads remembered of one document. The script forgets its own after 4,096, and never goes back before that."""

Head = tuple[str, dict[str, str]]


class Heads:
    """The heads of one document."""

    def __init__(self) -> None:
        self._known: dict[int, Head] = {}

    def learn(self, first: int, heads: list[Head]) -> None:
        for number, head in enumerate(heads, first):
            self._known[number] = head
            self._known.pop(number - KEPT, None)

    def restore(self, event: Event) -> None:
        """Write out the heads in the trees of an event. Raises KeyError for one that was never sent."""
        ops: Any = event.get("ops")
        for op in ops if isinstance(ops, list) else ():
            if op[0] == "add":
                self._write_out(op[3:])
            elif op[0] == "doc":
                self._write_out(op[2:])

    def _write_out(self, trees: list[Any]) -> None:
        waiting = [tree for tree in trees if type(tree) is list]
        while waiting:
            tree = waiting.pop()
            if type(tree[0]) is int:
                tag, attributes = self._known[tree[0]]
                # An object of its own for each element: who reads the event may change it.
                tree[0:1] = (tag, dict(attributes))
            waiting.extend(item for item in tree if type(item) is list)
