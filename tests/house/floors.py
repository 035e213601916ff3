"""Import circles: among the modules of a room, and among its floors."""

from __future__ import annotations

import ast
from pathlib import Path

from .arrows import import_nodes, lines_for_types


def imports_within(room: Path) -> dict[str, set[str]]:
    """Module of a room (``detect/judge``) → the modules of the same room that it imports, also inside functions, but not for types."""
    modules = {str(file.relative_to(room).with_suffix("")): file for file in sorted(room.rglob("*.py"))}
    found: dict[str, set[str]] = {}
    for name, file in modules.items():
        for_types = lines_for_types(file)
        here = list(file.relative_to(room).parent.parts)
        found[name] = set()
        for node in import_nodes(file):
            if not isinstance(node, ast.ImportFrom) or node.lineno in for_types:
                continue
            base = _base(node, here, room.name)
            if base is None:
                continue
            for alias in node.names:
                inner = "/".join([*base, alias.name])
                target = inner if inner in modules else "/".join(base)
                if target in modules and target != name:
                    found[name].add(target)
    return found


def _base(node: ast.ImportFrom, here: list[str], room: str) -> list[str] | None:
    """The folders and module that an import starts from, seen from the room; None for one that leaves it."""
    named = (node.module or "").split(".") if node.module else []
    if not node.level:
        return named[2:] if named[:2] == ["pagereel", room] else None
    if node.level - 1 > len(here):
        return None
    return [*here[: len(here) - node.level + 1], *named]


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of names that can all be reached from each other."""
    found: list[list[str]] = []
    reach = {name: _reached(graph, name) for name in graph}
    seen: set[str] = set()
    for name in sorted(graph):
        group = sorted({name} | {other for other in reach[name] if name in reach.get(other, set())})
        if len(group) > 1 and name not in seen:
            found.append(group)
            seen.update(group)
    return found


def floors_of(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The same graph among floors: a module that stands on none is the roof, which may import all of them."""
    found: dict[str, set[str]] = {}
    for name, imported in graph.items():
        floor = name.rpartition("/")[0] or "roof"
        found.setdefault(floor, set()).update({other.rpartition("/")[0] or "roof" for other in imported} - {floor})
    return found


def _reached(graph: dict[str, set[str]], name: str) -> set[str]:
    found: set[str] = set()
    waiting = list(graph[name])
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += graph.get(here, ())
    return found
