"""The bench's command."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pagereel.fixtures import thirdparty

from . import __doc__ as about

REQUIREMENTS = ("shiny==1.8.0",)
HERE = Path(__file__).parent
TRIES = 8
PATIENCE = 600
"""Seconds for one run of the suite."""


def run(work: Path, url: str) -> Path | None:
    """Run the suite; give the Markdown of the comparison, or None where the test did not fail first."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--reruns", "3", "--replay", "retain-on-failure", "--replay-compare", "retries", "test_order.py"]  # fmt: skip
    done = subprocess.run(
        command, cwd=work, env={**os.environ, "ORDERS": url}, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    at = done.stdout.find(" comparisons ")
    print(done.stdout[at - 40 if at > 0 else -300 :])
    return next(iter(work.glob("test-results/*/compare.md")), None)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare.flaky", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chance", action="store_true")
    parser.add_argument("--keep", type=Path, help="what pytest leaves stays here")
    options = parser.parse_args(arguments)
    binaries = thirdparty.python_packages("shiny", *REQUIREMENTS)
    with tempfile.TemporaryDirectory() as aside:
        work = (options.keep or Path(aside)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        for name in ("shiny_app.py", "test_order.py"):
            shutil.copy(HERE / name, work)
        port = thirdparty.free_port()
        command = [str(binaries / "shiny"), "run", "--port", str(port), "shiny_app.py"]
        told = None
        slow = {} if options.chance else {"FETCHED": "2500 60 60 60"}
        with thirdparty.program(command, f"http://127.0.0.1:{port}/", {"HOME": str(work), **slow}, work):
            for _ in range(TRIES if options.chance else 1):
                told = told or run(work, f"http://127.0.0.1:{port}/")
        if told is None:
            print("the test did not fail and then pass")
            return 1
        text = told.read_text("utf-8").replace("\\", "")
        print(text)
        return 0 if "did not say “48 EUR each” yet" in text else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
