"""Draws a random sample of names and docstrings, for a reader who does not know the code.

    python scripts/draw_names.py --seed 7 [--count 100]
    python scripts/draw_names.py --all [--under recorder]

Names and docstrings that the reader does not understand are improved afterwards. A name is printed as
`path: Class.method(parameters)`, a docstring together with its name. Names of tests, and names that Python or a library
fixes, are left out. `--all` prints every name with its docstring.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
_LEFT_OUT: Final = ("tests/", "docs/", "examples/")
_EXPORTED: Final = re.compile(
    r"^export (?:default )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)", re.MULTILINE
)
_COMMENT_BEFORE: Final = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*\Z", re.DOTALL)


class NamedDefinition(NamedTuple):
    """A definition: its file, its qualified name, and its docstring or comment ("" without one)."""

    path: str
    name: str
    docstring: str


def main(arguments: list[str]) -> int:
    """Print the sample, or with `--all` every name. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--under", default="")
    options = parser.parse_args(arguments)
    if options.seed is None and not options.all:
        parser.error("give --seed N for a draw, or --all for the whole list")
    found = [each for path in list_files(options.under) for each in read_definitions(path)]
    if options.all:
        for each in found:
            print(f"{each.path}: {each.name}" + (f"\n    {' '.join(each.docstring.split())}" if each.docstring else ""))
        print(f"{len(found)} names, {sum(bool(each.docstring) for each in found)} docstrings", file=sys.stderr)
        return 0
    rng = random.Random(options.seed)
    described = [each for each in found if each.docstring]
    print(f"# {options.count} of {len(found)} names, seed {options.seed}")
    for number, each in enumerate(rng.sample(found, min(options.count, len(found))), 1):
        print(f"{number}. {each.path}: {each.name}")
    print(f"\n# {options.count} of {len(described)} docstrings, seed {options.seed}")
    for number, each in enumerate(rng.sample(described, min(options.count, len(described))), 1):
        print(f"{number}. {each.path}: {each.name}\n    {each.docstring}\n")
    return 0


def list_files(under: str) -> list[str]:
    """Return the committed Python and TypeScript files below a folder, without tests."""
    listed = subprocess.run(
        ["git", "ls-files", under or "."], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [
        path
        for path in listed
        if path.endswith((".py", ".ts", ".tsx")) and not path.startswith(_LEFT_OUT) and not path.endswith(".test.ts")
    ]


def read_definitions(path: str) -> Iterator[NamedDefinition]:
    """Yield a file itself and its definitions: in Python all functions, methods and classes, in TypeScript the exported
    names.
    """
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".py"):
        tree = ast.parse(text)
        yield NamedDefinition(path, "(the file)", ast.get_docstring(tree) or "")
        yield from _read_python_body(path, tree, "")
        return
    yield NamedDefinition(path, "(the file)", "")
    for match in _EXPORTED.finditer(text):
        comment = _COMMENT_BEFORE.search(text, 0, match.start())
        yield NamedDefinition(
            path, match[1], re.sub(r"^\s*\* ?", "", comment[1], flags=re.MULTILINE).strip() if comment else ""
        )


def _read_python_body(path: str, parent: ast.AST, prefix: str) -> Iterator[NamedDefinition]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef):
            yield NamedDefinition(path, f"class {prefix}{node.name}", ast.get_docstring(node) or "")
            yield from _read_python_body(path, node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not (node.name.startswith("__") and node.name.endswith("__")):
                parameters = ", ".join(
                    each.arg
                    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                    if each.arg not in ("self", "cls")
                )
                yield NamedDefinition(path, f"{prefix}{node.name}({parameters})", ast.get_docstring(node) or "")
            yield from _read_python_body(path, node, f"{prefix}{node.name}.")
        else:
            yield from _read_python_body(path, node, prefix)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
