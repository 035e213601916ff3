"""Runs the benches one after the other and writes docs/performance.md.

python -m bench                     # all: less than an hour on two quiet cores
python -m bench --only page         # this one; the other figures stay as they were measured last
python -m bench --report            # none: the page is written anew from the figures in out/bench/
python -m bench --speedometer DIR   # also Speedometer, from a work tree of WebKit/Speedometer (release 3)
python -m bench --six DIR           # also six suites of Speedometer's main branch, twice over, from a work tree of it
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .report import make_performance_page

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "bench"
SIX = (
    "TodoMVC-JavaScript-ES5",
    "TodoMVC-JavaScript-ES5-Complex-DOM",
    "TodoMVC-WebComponents",
    "NewsSite-Next",
    "Editor-CodeMirror",
    "Charts-chartjs",
)
"""Suites of Speedometer's main branch: a list plain, in a large page and as web components, a news site, an editor, a chart."""

DEMO = "out/demo/demo.reel"
TWICE = ("--iterations", "2")


class BenchCommand(NamedTuple):
    """One bench of docs/performance.md: the module that is run, its arguments, and what it cannot run without."""

    module: str
    arguments: Sequence[str] = ()
    needs: str = ""
    rounds: int = 0
    """How many rounds it has; 0 where it has none, or as many as it likes."""


BENCHES = {
    "page": BenchCommand("page", rounds=7),
    "whole": BenchCommand("whole", rounds=3),
    "actions": BenchCommand("actions"),
    "speedometer": BenchCommand("speedometer", needs="a work tree: --speedometer DIR", rounds=7),
    "six": BenchCommand(
        "speedometer", [*TWICE, *(word for name in SIX for word in ("--suite", name))], "a work tree: --six DIR", 7
    ),
    "size": BenchCommand("size", ["--third-party", "swagger-ui", "--third-party", "jupyterlab"]),
    "small": BenchCommand("small"),
    "build": BenchCommand("build"),
    "player": BenchCommand("player", ["--rrweb"]),
    "day": BenchCommand("player", ["--session", "day"]),
    "redaction": BenchCommand("redaction", ["--session"]),
    "soak": BenchCommand("soak"),
    "scale": BenchCommand("scale", [DEMO], "a recording: run 'make demo' first"),
}
#: Seconds after which a bench is given up.
PATIENCE = 3600


def main(arguments: list[str]) -> int:
    """Run the chosen benches and write docs/performance.md; return 0 when each bench met its limits, 1 when one did not or failed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", default=[], choices=list(BENCHES))
    parser.add_argument("--report", action="store_true", help="run nothing, write the page from the last figures")
    parser.add_argument("--speedometer", type=Path, help="a work tree of Speedometer 3")
    parser.add_argument("--six", type=Path, help="a work tree of Speedometer's main branch")
    parser.add_argument("--rounds", type=int, help="of the benches that have rounds: fewer where time is short")
    options = parser.parse_args(arguments)
    worst = 0
    OUT.mkdir(parents=True, exist_ok=True)
    trees = {"speedometer": options.speedometer, "six": options.six}
    for name in [] if options.report else options.only or list(BENCHES):
        bench, tree = BENCHES[name], trees.get(name)
        there = tree is not None if name in trees else not bench.needs or (ROOT / DEMO).is_file()
        if not there:
            print(f"bench.{name} is left out; it needs {bench.needs}", flush=True)
            continue
        print(f"bench.{name}", flush=True)
        load = os.getloadavg()[0]
        given = [str(tree)] if tree is not None else []
        if bench.rounds:
            given += ["--rounds", str(options.rounds or bench.rounds)]
        command = [
            sys.executable,
            "-m",
            f"bench.{bench.module}",
            *given,
            *bench.arguments,
            "--json",
            str(OUT / f"{name}.json"),
        ]
        worst = max(worst, subprocess.run(command, cwd=ROOT, timeout=PATIENCE, check=False).returncode)
        (OUT / f"{name}.load").write_text(f"{load:.1f} {os.getloadavg()[0]:.1f}")
    target = ROOT / "docs" / "performance.md"
    target.write_text(
        make_performance_page(OUT, Path(__file__).with_name("reasons.md").read_text(encoding="utf-8")), encoding="utf-8"
    )
    print(f"The figures: {target}")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
