"""Find known values that are spread over several text nodes by separate mutations.

An example is a name that a script puts into the page letter by letter, each in an element of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from pagereel.reel import ELEMENT, TEXT, Event, Node, PageModel

from ..contracts.field_roles import INLINE
from ..normalise.spelled_text import may_be_name_or_number

_LONGEST = 400
Finds = Callable[[str], Sequence[tuple[int, int]]]
"""Returns the spans of known values in a text."""


def find_split_value_nodes(timeline: Iterable[Event], find_values: Finds) -> set[tuple[int, int]]:
    """Return (document, node) of each text node that at some time held a part of a known value spread over several
    text nodes.

    Only text that mutations put together counts: a tree that arrives at once is masked as one text elsewhere.
    """
    model = PageModel()
    found: set[tuple[int, int]] = set()
    for event in timeline:
        model.apply(event)
        if event.get("k") != "mutation":
            continue
        d = cast(int, event.get("d"))
        document = model.documents.get(d)
        if document is None:
            continue
        blocks: dict[int, Node] = {}
        for node_id in _iter_changed_nodes(cast(list[Any], event.get("ops") or [])):
            node = document.nodes.get(node_id)
            if node is not None and (block := _find_block(node)) is not None:
                blocks[block.id] = block
        for block in blocks.values():
            for run in _iter_text_runs(block):
                if len(run) > 1:
                    found.update((d, node_id) for node_id in _iter_nodes_of_value(run, find_values))
    return found


def _iter_changed_nodes(ops: Sequence[Any]) -> Iterable[int]:
    for op in ops:
        if op[0] == "text":
            yield op[1]
        elif op[0] in ("add", "move"):
            yield abs(op[1])
            if op[0] == "move":
                yield from op[2:]


def _find_block(node: Node) -> Node | None:
    """Return the nearest block element around a node: one that begins a line of its own."""
    return next((at for at in node.iter_upwards() if not _is_part_of_line(at)), None)


def _is_part_of_line(node: Node) -> bool:
    return node.kind == TEXT or (node.kind == ELEMENT and (node.name in INLINE or _contains_one_letter(node)))


def _contains_one_letter(node: Node) -> bool:
    """Return whether an element contains one letter and nothing else."""
    said = ""
    stack: list[Node | None] = [node.first]
    for _ in range(8):
        at = stack.pop() if stack else None
        if at is None:
            if not stack:
                break
            continue
        stack += [at.next, at.first]
        said += at.data.strip() if at.kind == TEXT else ""
    return len(said) == 1 and said.isalnum()


def _iter_text_runs(block: Node) -> Iterable[list[tuple[int, str]]]:
    """Yield each run of adjacent texts in a block, as (node, text) pairs. A nested block ends a run."""
    run: list[tuple[int, str]] = []
    stack: list[Node | None] = [block.first]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        stack.append(node.next)
        if node.kind == TEXT:
            run.append((node.id, node.data))
        elif node.kind == ELEMENT and (node.name in INLINE or _contains_one_letter(node)):
            stack.append(node.first)
        elif node.kind == ELEMENT:
            yield run
            run = []
    yield run


def _iter_nodes_of_value(run: Sequence[tuple[int, str]], find_values: Finds) -> Iterable[int]:
    text = "".join(t for _, t in run)
    if len(text) > _LONGEST * 50:
        return
    if all(len(t.strip()) < 2 for _, t in run) and may_be_name_or_number("".join(text.split())):
        yield from (node for node, t in run if t.strip())
        return
    starts = []
    at = 0
    for _, piece in run:
        starts.append(at)
        at += len(piece)
    for begin, end in find_values(text):
        inside = [
            i
            for i, (start, (_, piece)) in enumerate(zip(starts, run, strict=True))
            if start < end and begin < start + len(piece)
        ]
        if len(inside) > 1:
            yield from (run[i][0] for i in inside)
