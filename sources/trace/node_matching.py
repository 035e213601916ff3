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


def _find_old_parent(fresh: TracePageNode) -> TracePageNode | None:
    if fresh.inner is not None and fresh.inner.id:
        return fresh.inner.parent
    return next((child.parent for child in fresh.children if child.id), None)


def _match_node(fresh: TracePageNode, old: TracePageNode | None, root: TracePageNode, number: int) -> bool:
    """Match a new node with a node of the page if the two are compatible. Return whether they are."""
    if old is None or old.id == 0 or old.taken == number or old.tag != fresh.tag or old.frame != fresh.frame:
        return False
    if fresh.tag == SHADOW or old is root:
        return False
    if old.inner is not None and (fresh.inner is None or fresh.inner.id not in (0, old.inner.id)):
        return False
    old.taken = number
    fresh.twin = old
    return True


def _match_children(fresh: TracePageNode, old: TracePageNode, root: TracePageNode, number: int) -> None:
    if fresh.inner is not None and fresh.inner.id == 0 and old.inner is not None:
        fresh.inner.twin = old.inner
        old.inner.taken = number
    place = {child.id: index for index, child in enumerate(old.children)}
    named = {(child.tag, child.attrs["id"]): child for child in old.children if child.attrs.get("id")}
    for node in fresh.children:
        if node.id == 0 and node.twin is None and (name := node.attrs.get("id")):
            _match_node(node, named.get((node.tag, name)), root, number)
    # A newly written child between two unchanged children matches the next child of the same tag between them.
    limits = [len(old.children)] * (len(fresh.children) + 1)
    for index in range(len(fresh.children) - 1, -1, -1):
        limits[index] = place.get(get_present_id(fresh.children[index]), limits[index + 1])
    at = 0
    for index, node in enumerate(fresh.children):
        here = place.get(get_present_id(node))
        if here is not None:
            at = max(at, here + 1)
        elif node.id == 0 and node.twin is None:
            for candidate in range(at, min(limits[index], at + _LOOKED_AT)):
                other = old.children[candidate]
                if _have_same_tag_and_id(node, other) and _match_node(node, other, root, number):
                    at = candidate + 1
                    break


def _have_same_tag_and_id(fresh: TracePageNode, old: TracePageNode) -> bool:
    return fresh.tag == old.tag and fresh.attrs.get("id") == old.attrs.get("id")
