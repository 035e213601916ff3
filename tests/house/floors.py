"""Import circles: among the modules of a room, and among its floors."""

from __future__ import annotations

import ast
import os
import re
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
                inner, whole = "/".join([*base, alias.name]), "/".join(base)
                candidates = (inner, f"{inner}/__init__", whole, "/".join([*base, "__init__"]))
                target = next((each for each in candidates if each in modules), name)
                if target != name:
                    found[name].add(target)
    return found


def _base(node: ast.ImportFrom, here: list[str], room: str) -> list[str] | None:
    """The folders and module that an import starts from, seen from the room; None for one that leaves it."""
    named = (node.module or "").split(".") if node.module else []
    if not node.level:
        if named[:1] == [room]:  # A folder that is no room of the package: bench, scripts.
            return named[1:]
        return named[2:] if named[:2] == ["pagereel", room] else None
    if node.level - 1 > len(here):
        return None
    return [*here[: len(here) - node.level + 1], *named]


_SCRIPT_IMPORT = re.compile(r"""^(?:import|export)\s+(type\s)?([^;'"]*?\sfrom\s*)?["'](\.[^"']+)["']""", re.MULTILINE)
_NAMED = re.compile(r"\{([^}]*)\}\s+from\s*")


def script_imports(folder: Path) -> dict[str, set[str]]:
    """TypeScript file → the files that it imports, but not for types. Tests are left out."""
    files = {str(file.relative_to(folder)): file for file in sorted([*folder.rglob("*.ts"), *folder.rglob("*.tsx")])}
    found: dict[str, set[str]] = {}
    for name, file in files.items():
        found[name] = set()
        for match in _SCRIPT_IMPORT.finditer(file.read_text("utf-8")):
            named = _NAMED.fullmatch(match[2] or "")
            if match[1] or (
                named and all(each.strip().startswith("type ") for each in named[1].split(",") if each.strip())
            ):
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(name), match[3]))
            if target in files:
                found[name].add(target)
    return found


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
