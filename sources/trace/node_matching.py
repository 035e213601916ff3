"""Matches elements that a snapshot contains in full with nodes of the page, by their references and positions."""

from __future__ import annotations

from typing import Final

from .page_nodes import TracePageNode, get_present_id
from .snapshot_grammar import SHADOW, TEXT

_LOOKED_AT: Final = 64
"""Largest number of children that are searched for a match."""


def match_new_nodes(top: TracePageNode, root: TracePageNode, number: int) -> None:
    """Match the new elements of snapshot `number` with nodes of the page below `root`."""
    stack = [top]
    while stack:
        fresh = stack.pop()
        inside = [node for node in (fresh.inner, *fresh.children) if node is not None and node.id == 0]
        for node in inside:
            if node.twin is None and node.tag != TEXT:
                _match_node(node, _find_old_parent(node), root, number)
        if fresh.twin is not None:
            _match_children(fresh, fresh.twin, root, number)
        stack += [node for node in inside if node.tag != TEXT]


def _find_old_parent(new_node: TracePageNode) -> TracePageNode | None:
    if new_node.inner is not None and new_node.inner.id:
        return new_node.inner.parent
    return next((child.parent for child in new_node.children if child.id), None)


def _match_node(new_node: TracePageNode, page_node: TracePageNode | None, root: TracePageNode, number: int) -> bool:
    """Match a new node with a node of the page if the two are compatible. Return whether they are."""
    if (
        page_node is None
        or page_node.id == 0
        or page_node.taken == number
        or page_node.tag != new_node.tag
        or page_node.frame != new_node.frame
    ):
        return False
    if new_node.tag == SHADOW or page_node is root:
        return False
    if page_node.inner is not None and (new_node.inner is None or new_node.inner.id not in (0, page_node.inner.id)):
        return False
    page_node.taken = number
    new_node.twin = page_node
    return True


def _match_children(new_node: TracePageNode, page_node: TracePageNode, root: TracePageNode, number: int) -> None:
    if new_node.inner is not None and new_node.inner.id == 0 and page_node.inner is not None:
        new_node.inner.twin = page_node.inner
        page_node.inner.taken = number
    place = {child.id: index for index, child in enumerate(page_node.children)}
    named = {(child.tag, child.attrs["id"]): child for child in page_node.children if child.attrs.get("id")}
    for node in new_node.children:
        if node.id == 0 and node.twin is None and (name := node.attrs.get("id")):
            _match_node(node, named.get((node.tag, name)), root, number)
    # A newly written child between two unchanged children matches the next child of the same tag between them.
    limits = [len(page_node.children)] * (len(new_node.children) + 1)
    for index in range(len(new_node.children) - 1, -1, -1):
        limits[index] = place.get(get_present_id(new_node.children[index]), limits[index + 1])
    at = 0
    for index, node in enumerate(new_node.children):
        here = place.get(get_present_id(node))
        if here is not None:
            at = max(at, here + 1)
        elif node.id == 0 and node.twin is None:
            for candidate in range(at, min(limits[index], at + _LOOKED_AT)):
                other = page_node.children[candidate]
                if _have_same_tag_and_id(node, other) and _match_node(node, other, root, number):
                    at = candidate + 1
                    break


def _have_same_tag_and_id(new_node: TracePageNode, page_node: TracePageNode) -> bool:
    return new_node.tag == page_node.tag and new_node.attrs.get("id") == page_node.attrs.get("id")
