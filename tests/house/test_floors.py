"""No import circle in any room, and the drawing in docs/architecture.md is what the imports say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .arrows import ARROWS, SCRIPT_ROOMS, imported
from .floors import circles, floors_of, imports_within, script_imports

ROOT = Path(__file__).resolve().parents[2]
MOST = 30
"""Modules side by side in one folder: more is a list that tells too little."""


@pytest.mark.parametrize("room", [*ARROWS, "bench", "scripts"])
def test_no_room_has_an_import_circle(room: str) -> None:
    graph = imports_within(ROOT / room)
    assert circles(graph) == []
    if room in ARROWS:
        assert circles(floors_of(without_doors(graph))) == []


def without_doors(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Leave out doors, which give names of other floors as well."""
    inner = {name for name in graph if name.rpartition("/")[2] != "__init__"}
    return {name: imports & inner for name, imports in graph.items() if name in inner}


@pytest.mark.parametrize("room", SCRIPT_ROOMS)
def test_no_circle_among_scripts(room: str) -> None:
    assert circles(script_imports(ROOT / room / "src")) == []


def test_a_circle_among_scripts_is_found_and_types_make_none(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text('import { b, type B } from "./b.ts";\nimport "./c.ts";\n')
    (tmp_path / "b.ts").write_text('export { a } from "./a.ts";\n')
    (tmp_path / "c.ts").write_text('import type { A } from "./a.ts";\nimport { type A2 } from "./a.ts";\n')
    assert circles(script_imports(tmp_path)) == [["a.ts", "b.ts"]]


def test_a_circle_is_found(tmp_path: Path) -> None:
    for name, text in {
        "a": "from .floor import b",
        "floor/b": "def late():\n    from ..c import x",
        "c": "from .a import y",
    }.items():
        (tmp_path / "room" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "room" / f"{name}.py").write_text(text)
    graph = imports_within(tmp_path / "room")
    assert circles(graph) == [["a", "c", "floor/b"]]
    assert circles(floors_of(graph)) == [["floor", "roof"]]


def test_the_drawing_says_what_the_imports_do() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = {m[1]: m[2] for m in re.finditer(r"^\| `(\w+)/` \| .*\| ([^|]*) \|$", text, re.MULTILINE)}
    assert rows.keys() >= set(ARROWS) - {"dist"}
    for room in rows.keys() & ARROWS.keys():
        real = {
            target.partition(".")[0]
            for file in (ROOT / room).rglob("*.py")
            for _, target in imported(file, ROOT, room)
            if target.partition(".")[0] in ARROWS and target.partition(".")[0] != room
        } - {"dist"}
        if room == "front":  # What it gives is imported when it is asked for.
            continue
        drawn = set(re.findall(r"`(\w+)`", rows[room])) & ARROWS.keys()
        assert drawn == real, f"{room}/ imports {sorted(real)}, and docs/architecture.md draws {sorted(drawn)}"


@pytest.mark.parametrize("room", ARROWS)
def test_no_folder_is_a_long_flat_list(room: str) -> None:
    for folder in [ROOT / room, *(path for path in (ROOT / room).rglob("*") if path.is_dir())]:
        modules = [file.name for file in folder.glob("*.py")]
        assert len(modules) <= MOST or folder.name in ("reel", "player_build"), (
            f"{folder.relative_to(ROOT)}: {len(modules)}"
        )


def test_every_folder_of_a_room_stands_in_the_table_of_floors() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    drawn = set(re.findall(r"^\| `(\w+(?:/\w+)+)/` \|", text, re.MULTILINE))
    real = {str(door.parent.relative_to(ROOT)) for room in ARROWS for door in (ROOT / room).glob("*/**/__init__.py")}
    assert drawn == real
