"""The nodes of a document's present page, and queries on them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from .snapshot_grammar import Key, SnapshotNode


class TracePageNode:
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

    def __init__(self, written: SnapshotNode) -> None:
        self.id = 0
        self.key = written.key
        self.tag = written.tag
        self.raw = written.raw
        self.frame = written.frame
        self.attrs = written.attrs
        self.state = written.state
        self.inner: TracePageNode | None = None
        self.children: list[TracePageNode] = []
        self.sheets: list[Key] = []
        self.parent: TracePageNode | None = None
        self.twin: TracePageNode | None = None
        """For a newly written node: the node of the page that it replaces."""
        self.taken = 0
        """The number of the last snapshot that includes it."""


def get_present_id(node: TracePageNode) -> int:
    """Return the id of a node in the page, or of the node that it replaces; 0 for a new node."""
    return node.twin.id if node.twin is not None else node.id


def is_same_or_ancestor(node: TracePageNode, other: TracePageNode | None) -> bool:
    """Return whether `node` is `other` or one of its ancestors."""
    while other is not None:
        if other is node:
            return True
        other = other.parent
    return False


def iter_subtree(top: TracePageNode) -> Iterator[TracePageNode]:
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children
        if node.inner is not None:
            stack.append(node.inner)


def find_increasing_subsequence(numbers: list[int]) -> set[int]:
    """Return the indexes of a longest increasing subsequence of `numbers`, ignoring negative ones. Nodes at these
    indexes need not move.
    """
    tails: list[int] = []
    tail_at: list[int] = []
    before: list[int] = [-1] * len(numbers)
    for index, place in enumerate(numbers):
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
