"""Reads the imports of every room and says which of them go against the house's arrows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

EVERYBODY = {
    "credentials",
    "durations",
    "errors",
    "garbage_collection",
    "hyperlinks",
    "lazy_imports",
    "options",
    "processes",
    "text_truncation",
    "invisible_characters",
    "user_files",
    "dist",
    "__version__",
}
"""What every room may import from `pagereel` itself."""

OF_THE_FRONT = (EVERYBODY - {"dist", "__version__"}) | {"browser"}

ARROWS: dict[str, set[str]] = {
    "front": set(),
    "dist": set(),
    "reel": set(),
    "recorder": {"reel"},
    "css": set(),
    "sources": {"reel", "css"},
    "redaction": {"reel", "sources", "css"},
    "player_build": {"reel", "sources", "css", "reading", "redaction"},
    "reading": {"reel", "sources"},
    "comparison": {"reel", "sources", "reading", "redaction", "player_build"},
    "library": {"reel", "sources", "reading", "redaction", "comparison", "player_build"},
    "fixtures": {"browser"},
    "integrations": {
        "reel",
        "sources",
        "css",
        "recorder",
        "redaction",
        "player_build",
        "reading",
        "comparison",
        "browser",
    },
    "cli": {
        "reel",
        "sources",
        "recorder",
        "redaction",
        "player_build",
        "reading",
        "comparison",
        "library",
        "integrations",
        "fixtures",
        "browser",
    },
}
"""Which rooms a room may import. Data flows one way: page → recorder → reel → redaction → player_build → HTML."""

ENTRY = "front/__main__.py"
"""``python -m pagereel``: nothing imports it, and it only starts the command line."""

ONE_PLACE = {("player_build", "redaction")}
"""Arrows that may start in one module only; names that stand in types alone load nothing."""

SCRIPT_ROOMS = {"injector_js": "injector_js", "player_build/player": "player_build"}
"""The TypeScript rooms, and the folder that their imports stay in. They share the format, and no code."""

_SCRIPT_IMPORT = re.compile(
    r"""(?:^|[;\s])(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']""", re.MULTILINE
)


@dataclass(frozen=True, order=True)
class Breach:
    """An import that goes against the arrows."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}"


def python_breaches(root: Path) -> list[Breach]:
    """The breaches of all Python rooms under `root`."""
    breaches: list[Breach] = []
    starts: dict[tuple[str, str], set[Path]] = {}
    for room, allowed in ARROWS.items():
        for file in sorted((root / room).rglob("*.py")):
            name = str(file.relative_to(root))
            if name == ENTRY:
                continue
            for_types = lines_for_types(file)
            for line, target in imported(file, root, room):
                top, _, inner = target.partition(".")
                if top == room or (room == "front" and (top in OF_THE_FRONT or line in for_types)):
                    continue
                if top not in allowed | EVERYBODY:
                    breaches.append(Breach(name, line, f"{room} must not import {top}"))
                elif inner and top in ARROWS and top != "fixtures" and not exported(root / top, inner):
                    breaches.append(Breach(name, line, f"{top}.{inner} is private; import it from {top}'s door"))
                if line not in for_types:
                    starts.setdefault((room, top), set()).add(file)
    for arrow in ONE_PLACE:
        if len(files := starts.get(arrow, set())) > 1:
            names = ", ".join(sorted(str(file.relative_to(root)) for file in files))
            breaches.append(Breach(names, 0, f"{arrow[0]} may import {arrow[1]} in one place only"))
    return breaches


def import_nodes(file: Path) -> tuple[ast.Import | ast.ImportFrom | ast.If, ...]:
    """A module's imports, and its blocks `if TYPE_CHECKING:`."""
    return _import_nodes(file.read_text("utf-8"))


@cache
def _import_nodes(text: str) -> tuple[ast.Import | ast.ImportFrom | ast.If, ...]:
    return tuple(
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING")
    )


def imported(file: Path, root: Path, room: str) -> Iterator[tuple[int, str]]:
    """What a module imports from pagereel, as (line, dotted name without `pagereel.`), also inside functions."""
    here = ["pagereel", *([] if room == "front" else [room]), *file.relative_to(root / room).parent.parts]
    for node in import_nodes(file):
        if isinstance(node, ast.Import):
            names: Iterable[str] = (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = here[: len(here) - node.level + 1] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            names = (f"{base}.{alias.name}" for alias in node.names)
        else:
            continue
        for name in names:
            if name.startswith("pagereel."):
                yield node.lineno, name.removeprefix("pagereel.")


def lines_for_types(file: Path) -> set[int]:
    """Lines within `if TYPE_CHECKING:`. The front names the rooms' functions there; it imports them when they are asked for."""
    blocks = [node for node in import_nodes(file) if isinstance(node, ast.If)]
    return {line for block in blocks for node in block.body for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def exported(room: Path, name: str) -> bool:
    """Whether a room's door offers `name`: it is bound in `__init__.py`, or is a public sub-package's name there."""
    return "." not in name and name in _bound((room / "__init__.py").read_text("utf-8"))


@cache
def _bound(door: str) -> set[str]:
    bound: set[str] = set()
    for node in ast.walk(ast.parse(door)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            bound |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.Assign):
            bound |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound.add(node.target.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            bound.add(node.value)  # a lazy door names what it gives in a table
    return bound


def script_breaches(root: Path) -> list[Breach]:
    """The imports of TypeScript rooms that leave their own room; the player shares data with its builder."""
    breaches = []
    for room, folder in SCRIPT_ROOMS.items():
        for file in sorted([*(root / room).rglob("*.ts"), *(root / room).rglob("*.tsx")]):
            text = file.read_text("utf-8")
            for match in _SCRIPT_IMPORT.finditer(text):
                target = match[1] or match[2]
                if target.startswith(".") and not (file.parent / target).resolve().is_relative_to(root / folder):
                    line = text.count("\n", 0, match.start(1) if match[1] else match.start(2)) + 1
                    breaches.append(Breach(str(file.relative_to(root)), line, f"{room} must not import {target}"))
    return breaches
