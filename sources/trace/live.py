"""The nodes of a document's present page, and queries on them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from .snapshots import Key, WrittenNode


class PageNode:
    """A node of the present page, or a new node of a snapshot, which has no id until it is inserted into the page."""

    __slots__ = (
        "attrs",
        "children",
        "frame",
        "id",
        "inner",
        "key",
        "parent",
        "raw",
        "sheets",
        "state",
        "tag",
        "taken",
        "twin",
    )

    def __init__(self, written: WrittenNode) -> None:
        self.id = 0
        self.key = written.key
        self.tag = written.tag
        self.raw = written.raw
        self.frame = written.frame
        self.attrs = written.attrs
        self.state = written.state
        self.inner: PageNode | None = None
        self.children: list[PageNode] = []
        self.sheets: list[Key] = []
        self.parent: PageNode | None = None
        self.twin: PageNode | None = None
        """For a newly written node: the node of the page that it replaces."""
        self.taken = 0
        """The number of the last snapshot that includes it."""


def present_id(node: PageNode) -> int:
    """Return the id of a node in the page, or of the node that it replaces; 0 for a new node."""
    return node.twin.id if node.twin is not None else node.id


def is_above(node: PageNode, other: PageNode | None) -> bool:
    """Return whether `node` is `other` or one of its ancestors."""
    while other is not None:
        if other is node:
            return True
        other = other.parent
    return False


def below(top: PageNode) -> Iterator[PageNode]:
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children
        if node.inner is not None:
            stack.append(node.inner)


def rising(places: list[int]) -> set[int]:
    """Return the indexes of a longest increasing subsequence of `places`, ignoring negative ones. Nodes at these
    indexes need not move.
    """
    tails: list[int] = []
    tail_at: list[int] = []
    before: list[int] = [-1] * len(places)
    for index, place in enumerate(places):
        if place < 0:
            continue
        spot = bisect_left(tails, place)
        before[index] = tail_at[spot - 1] if spot else -1
        if spot == len(tails):
            tails.append(place)
            tail_at.append(index)
        else:
            tails[spot], tail_at[spot] = place, index
    found: set[int] = set()
    at = tail_at[-1] if tail_at else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found
