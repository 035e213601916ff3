"""Measures CPU time and memory of building one large recording in a process of its own."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import __doc__ as about
from .generated_reel import write_generated_reel

ONE = """
import cProfile, pstats, sys, time
from pagereel.player_build import build
source, destination, profile, redaction = sys.argv[1:5]
if profile:
    profiler = cProfile.Profile(time.process_time)
    profiler.enable()
build(source, destination, redaction=redaction or None)
if profile:
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)
"""
LIMIT_SECONDS, LIMIT_MEGABYTES = 20.0, 600.0
MASKED_SECONDS = 2.0
"""Of the demo; a session of twenty thousand masked places may take five times as much."""


def main(arguments: list[str]) -> int:
    """Return 0 when CPU time and memory of the build are within their limits, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.build", description=(about or "").split("\n")[0])
    parser.add_argument("--changes", type=int, default=200_000)
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument(
        "--masked", type=Path, help="build this recording as a user does, with the models, and no other"
    )
    parser.add_argument("--profile", action="store_true", help="print where the time goes; it takes longer then")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        path, html = Path(name) / "bench.reel", Path(name) / "bench.html"
        if options.masked:
            path, size = options.masked, 0
        else:
            size = write_generated_reel(path, options.changes, options.megabytes)
            print(
                f"{options.changes:,} changes, {size / 1e6:.1f} MB of events, {path.stat().st_size / 1e6:.1f} MB reel"
            )
        began = time.monotonic()
        command = [
            sys.executable,
            "-c",
            ONE,
            str(path),
            str(html),
            "1" if options.profile else "",
            "vendor" if options.masked else "",
        ]
        process = subprocess.Popen(command, cwd=os.getcwd())
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        if status:
            print("the build failed", file=sys.stderr)
            return 1
        cpu = usage.ru_utime + usage.ru_stime
        memory = usage.ru_maxrss / 1024
        result = {
            "changes": 0 if options.masked else options.changes, "events": size, "reel": path.stat().st_size, "html": html.stat().st_size,
            "seconds": wall, "cpu": cpu, "megabytes": memory,
        }  # fmt: skip
    print(f"built in {wall:.1f} s ({cpu:.1f} s of CPU), {memory:.0f} MB at most, {result['html'] / 1e6:.1f} MB of HTML")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))
    # CPU time, because the machine may be shared; what the builder waits for otherwise is the disk.
    return 0 if cpu <= (MASKED_SECONDS if options.masked else LIMIT_SECONDS) and memory <= LIMIT_MEGABYTES else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
