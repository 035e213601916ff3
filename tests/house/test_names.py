"""A name says one thing: no class stands twice, retired words stay away, and each module says in its first line what it is."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = re.compile(r"bench/.*/programs/")
"""Applications that benches record; frameworks ask for the names in them."""
RETIRED = re.compile(
    r"_*(told|tell|telling|retold|said|take|taking|beside|stands|settled?|unheard|later|unseen|who_asks|is_nobodys|hinted|heard_by_nobody|coined"
    r"|aside|apart|came|brought|lifted|whose|look|\w+_told|told_\w+)"
)
"""Words that meant many things; docs/glossary.md has the field's."""


@cache
def modules() -> dict[str, ast.Module]:
    names = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    kept = [
        name for name in names if not name.startswith("tests/") and not PROGRAMS.match(name) and (ROOT / name).is_file()
    ]
    return {name: ast.parse((ROOT / name).read_text("utf-8")) for name in kept}


def test_no_class_has_the_name_of_another() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_retired_words_do_not_come_back() -> None:
    found = [
        f"{module}:{node.lineno} {node.name}"
        for module, tree in modules().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and RETIRED.fullmatch(node.name.lower())
    ]
    assert found == []
    assert [module for module in modules() if RETIRED.fullmatch(Path(module).stem)] == []


def test_each_module_says_in_its_first_line_what_it_is() -> None:
    silent = []
    for module, tree in modules().items():
        first = (ast.get_docstring(tree) or "").partition("\n")[0]
        if not re.fullmatch(r"\S.{14,}[.:…]`*\)?", first) and tree.body:
            silent.append(f"{module}: {first}")
    assert silent == []


SCRIPTS = ("injector_js/src", "player_build/player/src")
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|class|interface|type|const) (\w+)", re.M)


@cache
def scripts(program: str) -> dict[str, str]:
    listed = subprocess.run(["git", "ls-files", program], cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split() if name.endswith((".ts", ".tsx")) and ".test." not in name]
    return {name: (ROOT / name).read_text("utf-8") for name in names if (ROOT / name).is_file()}


@pytest.mark.parametrize("program", SCRIPTS)
def test_names_of_scripts_say_one_thing(program: str) -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for module, text in scripts(program).items():
        for name in EXPORT.findall(text):
            homes[name].append(module)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
    assert [name for name in homes if RETIRED.fullmatch(name.lower())] == []
    assert [module for module in scripts(program) if RETIRED.fullmatch(Path(module).stem)] == []


@pytest.mark.parametrize("program", SCRIPTS)
def test_each_script_says_in_its_first_line_what_it_is(program: str) -> None:
    assert [
        module for module, text in scripts(program).items() if not re.match(r"(?://|/\*\*) [`\w].{14,}", text)
    ] == []
