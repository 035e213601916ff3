"""CONTRIBUTING.md's recipes are enough: their blocks are applied to a copy of the code, and what they promise is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from .test_floors import MOST as MODULES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PACKAGES: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"][
    "package-dir"
]
MOST = {"A new kind of event": 4, "A recognizer": 2, "An exporter": 2, "A panel": 3}
"""Files that a recipe may touch, beside docs and tests."""


@dataclass(frozen=True)
class Block:
    """A fenced block of the page that names a file: the whole of a new one, or a change."""

    kind: str
    file: str
    text: str

    def apply(self, root: Path) -> None:
        path = root / self.file
        if self.kind != "diff":
            assert not path.exists(), f"{self.file} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text, "utf-8")
            return
        lines = self.text.splitlines()
        assert all(line[:1] in (" ", "+", "-", "") for line in lines)
        before = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
        after = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
        code = path.read_text("utf-8")
        assert code.count(before) == 1, f"{self.file} does not have this once:\n{before}"
        path.write_text(code.replace(before, after), "utf-8")


def recipes() -> dict[str, list[Block]]:
    found = {}
    for section in PAGE.split("## Recipes")[1].split("\n## ")[0].split("\n### ")[1:]:
        title, _, text = section.partition("\n")
        blocks = re.findall(r"(?ms)^```(\w+) (\S+)\n(.*?)^```$", text)
        found[title] = [Block(kind, file, inside) for kind, file, inside in blocks]
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code with all recipes in it, and beside it the package that it makes."""
    root = tmp_path_factory.mktemp("recipes")
    rooms = [*PACKAGES.values(), "injector_js", "docs", "tests/house"]
    for room in rooms:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__", "pages", "*.png"))
    (root / "tests" / "__init__.py").touch()
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(ROOT / name, root)
    for blocks in recipes().values():
        for block in blocks:
            block.apply(root)
    site = root / "site"
    shutil.copytree(root / PACKAGES["pagereel"], site / "pagereel")
    for package, room in PACKAGES.items():
        if package != "pagereel":
            (site / package.replace(".", "/")).symlink_to(root / room)
    return root


def run(copy: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy / "site"), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_module_of_a_recipe_has_room_in_its_folder() -> None:
    for blocks in recipes().values():
        for block in blocks:
            if block.kind != "diff" and block.file.endswith(".py"):
                assert len(list((ROOT / block.file).parent.glob("*.py"))) < MODULES, block.file


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_touches_few_files(recipe: str) -> None:
    files = {
        block.file
        for block in recipes()[recipe]
        if not block.file.startswith(("docs/", "tests/")) and ".test." not in block.file
    }
    assert 0 < len(files) <= MOST[recipe]


WALK = """
import json, sys
from pathlib import Path
import pagereel
from pagereel import redact
from pagereel.cli import main
from pagereel.player_build import built_replay
from pagereel.recorder.agent import Agent, AgentLog
from pagereel.redaction import find_pii
from pagereel.reel import ReelWriter, open_reel, find_event_problem

assert Path(pagereel.__file__).is_relative_to(Path.cwd()), pagereel.__file__
folder = Path(sys.argv[1])
said = []
Agent(AgentLog(said.append, lambda: 5.0, lambda: None)).remark("Ada Miller, ada@example.com, waited at ///filled.count.soap")
[remark] = said
assert find_event_problem(remark) is None and find_event_problem({**remark, "text": 7})
with ReelWriter(folder / "run.reel", {"started": 0}) as writer:
    writer.write({"k": "document", "t": 0, "d": 1, "page": 1, "frame": "F", "url": "https://shop.example/cart", "top": True,
                  "viewport": {"w": 800, "h": 600, "dpr": 1}, "mode": "CSS1Compat"})
    writer.write(remark)
redact(folder / "run.reel", folder / "masked.reel")
with open_reel(folder / "masked.reel") as reel:
    [masked] = [event for event in reel.events() if event["k"] == "remark"]
assert "waited at" in masked["text"], masked
assert not any(value in masked["text"] for value in ("Ada", "ada@", "filled.count.soap")), masked
assert "remark" in built_replay.RUN_KINDS
assert [f.entity for f in find_pii(["at ///filled.count.soap"])[0]] == ["COORDINATES"]
assert find_pii(["at //filled.count.soap"]) == [[]]
assert main(["export", str(folder / "run.reel"), str(folder / "run.links.txt"), "--redaction", "off"]) == 0
assert (folder / "run.links.txt").read_text() == "https://shop.example/cart\\n"
"""


def test_the_recipes_do_what_they_say(copy: Path, tmp_path: Path) -> None:
    run(copy, "-c", WALK, str(tmp_path))


def test_a_new_kind_is_in_every_list_of_kinds(copy: Path) -> None:
    assert " passed" in run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_kinds.py")


BUNDLE = """
import { build } from "esbuild";
await build({
  entryPoints: process.argv.slice(1), outdir: "out", outbase: ".", outExtension: { ".js": ".mjs" }, bundle: true, format: "esm",
  platform: "node", packages: "external", target: "node22", jsx: "automatic", jsxImportSource: "preact",
});
"""
NODE_MODULES = ROOT / "node_modules"


@pytest.mark.skipif(
    not (NODE_MODULES / ".made").exists(), reason="npm has not installed what the scripts are built with"
)
def test_the_panel_is_drawn_and_stands_in_the_table(copy: Path) -> None:
    (copy / "node_modules").symlink_to(NODE_MODULES)
    panels = "player_build/player/src/panels"
    tests = [f"{panels}/marks/panel.test.tsx", f"{panels}/table.test.tsx"]
    node = [str(ROOT / "scripts" / "run_node.py"), "node"]
    run(copy, *node, "--input-type=module", "-e", BUNDLE, *tests)
    told = run(copy, *node, "--test", *(f"out/{name.removesuffix('.tsx')}.mjs" for name in tests))
    assert re.search(r"(?m)^\S+ pass 3$", told), told
    run(copy, *node, str(NODE_MODULES / "typescript" / "bin" / "tsc"), "--noEmit", "-p", str(copy))
