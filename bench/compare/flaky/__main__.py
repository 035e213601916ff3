"""Runs tests that fail at their first attempt, and counts how often `--replay-compare retries` names the planted cause."""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import __doc__ as about

HERE = Path(__file__).parent
LEAST = 0.8
PATIENCE = 3600
"""Seconds for one run of the tests."""


def read_expected_causes() -> dict[str, list[str]]:
    """Return for each test the words of which one must be named as its cause."""
    found: dict[str, list[str]] = {}
    for each in ast.parse((HERE / "test_apps.py").read_text("utf-8")).body:
        for mark in each.decorator_list if isinstance(each, ast.FunctionDef) else ():
            if isinstance(mark, ast.Call) and mark.args and ast.unparse(mark.func) == "flaw":
                found[each.name] = [ast.literal_eval(word) for word in mark.args]
    return found


def extract_first_cause(comparison_file: Path) -> str:
    """Return the first sentence of a `compare.md` file, with those sentences that begin with "Before it"."""
    lines = [line.partition(". ")[2] for line in comparison_file.read_text("utf-8").replace("\\", "").split("\n") if line[:1].isdigit()]  # fmt: skip
    return " ".join([*lines[:1], *(line for line in lines[1:] if line.startswith("Before it"))])


def main(arguments: list[str]) -> int:
    """Run the tests, print which causes were named, and return 0 when enough were."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare.flaky", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("-k", default="", help="pytest's: only tests whose names fit")
    parser.add_argument("--keep", type=Path, help="what pytest leaves stays here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        work = (options.keep or Path(aside)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        for name in ("shiny_app.py", "test_apps.py"):
            shutil.copy(HERE / name, work)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--reruns", "2", "--replay", "retain-on-failure", "--replay-compare", "retries", "-k", options.k, "test_apps.py"]  # fmt: skip
        done = subprocess.run(command, cwd=work, env={**os.environ, "PYTHONPATH": str(Path.cwd())}, capture_output=True, text=True, timeout=PATIENCE, check=False)  # fmt: skip
        named = compared = 0
        for test, words in read_expected_causes().items():
            told = next(iter(work.glob(f"test-results/*{test.replace('_', '-')}-chromium/compare.md")), None)
            if told is None:
                continue
            said = extract_first_cause(told)
            is_named = any(word in said for word in words)
            named, compared = named + is_named, compared + 1
            print(f"{'named    ' if is_named else 'NOT NAMED'} {test}: {said}")
        print(
            f"causes named: {named} of {compared} (floor {LEAST:.0%}); pytest: {done.stdout.strip().splitlines()[-1]}"
        )
        return 0 if compared and named >= LEAST * compared else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
