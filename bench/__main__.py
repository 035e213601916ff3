"""Runs the benches one after the other and writes docs/performance.md.

python -m bench                     # all: about half an hour on two quiet cores
python -m bench --only page         # one; the other figures stay as they were measured last
python -m bench --report            # none: the page anew from the figures in out/bench/
python -m bench --speedometer DIR   # with Speedometer, from a work tree of WebKit/Speedometer
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from .report import write

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "bench"
BENCHES = {
    "page": ["--rounds", "7"],
    "actions": [],
    "size": ["--third-party", "swagger-ui", "--third-party", "jupyterlab"],
    "build": [],
    "soak": [],
    "scale": ["out/demo/demo.reel"],
    "speedometer": [],
}
#: What cannot run without a thing that is not here.
NEEDS = {"scale": "a recording: run 'make demo' first", "speedometer": "a work tree: --speedometer DIR"}
#: Seconds after which a bench is given up.
PATIENCE = 3600


def main(arguments: list[str]) -> int:
    """0 when every figure is met, 1 when one is not or a bench failed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", default=[], choices=list(BENCHES))
    parser.add_argument("--report", action="store_true", help="run nothing, write the page from the last figures")
    parser.add_argument("--speedometer", type=Path, help="a work tree of Speedometer 3")
    options = parser.parse_args(arguments)
    worst = 0
    OUT.mkdir(parents=True, exist_ok=True)
    given = {**BENCHES, "speedometer": [str(options.speedometer)]} if options.speedometer else BENCHES
    there = {"scale": (ROOT / "out/demo/demo.reel").is_file(), "speedometer": options.speedometer is not None}
    for name in [] if options.report else options.only or list(BENCHES):
        if not there.get(name, True):
            print(f"bench.{name} is left out; it needs {NEEDS[name]}", flush=True)
            continue
        print(f"bench.{name}", flush=True)
        load = os.getloadavg()[0]
        command = [sys.executable, "-m", f"bench.{name}", *given[name], "--json", str(OUT / f"{name}.json")]
        worst = max(worst, subprocess.run(command, cwd=ROOT, timeout=PATIENCE, check=False).returncode)
        (OUT / f"{name}.load").write_text(f"{load:.1f} {os.getloadavg()[0]:.1f}")
    target = ROOT / "docs" / "performance.md"
    target.write_text(write(OUT, Path(__file__).with_name("reasons.md").read_text(encoding="utf-8")), encoding="utf-8")
    print(f"The figures: {target}")
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
