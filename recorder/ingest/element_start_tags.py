"""Restores start tags (element names and attributes) in the injector's trees, which hold each start tag only once.

See injector_js/src/encoding/start-tags.ts. In such a tree a number at the beginning of an element's array stands for the
start tag with that number: ``[7, child, …]`` for ``[tag, {…}, child, …]``.
"""

from __future__ import annotations

from typing import Any

from pagereel.reel import Event

KEPT = 10_000
"""Heads remembered of one document. The injector forgets its own after 4,096, and never refers to older ones."""

Head = tuple[str, dict[str, str]]


class ElementStartTags:
    """The start tags (element names and attributes) that one document has sent, by number."""

    def __init__(self) -> None:
        self._known: dict[int, Head] = {}

    def add_start_tags(self, first_number: int, start_tags: list[Head]) -> None:
        for number, head in enumerate(start_tags, first_number):
            self._known[number] = head
            self._known.pop(number - KEPT, None)

    def restore_start_tags(self, event: Event) -> None:
        """Replace each number of a start tag in an event's trees by the start tag's element name and attributes. Raises
        KeyError for an unknown number.
        """
        ops: Any = event.get("ops")
        for op in ops if isinstance(ops, list) else ():
            if op[0] == "add":
                self._expand_start_tags(op[3:])
            elif op[0] == "doc":
                self._expand_start_tags(op[2:])

    def _expand_start_tags(self, trees: list[Any]) -> None:
        waiting = [tree for tree in trees if type(tree) is list]
        while waiting:
            tree = waiting.pop()
            if type(tree[0]) is int:
                tag, attributes = self._known[tree[0]]
                # A separate object for each element, because readers of the event may change it.
                tree[0:1] = (tag, dict(attributes))
            waiting.extend(item for item in tree if type(item) is list)
