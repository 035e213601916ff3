"""Measures the demo's session and the building of many copies of a recording in several ways, and prints the figures."""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pagereel.integrations import build_many
from pagereel.reel import open_reel

from . import __doc__ as about
from .sessions import measure_sessions


def build_and_time(sources: str, folder: str, **how: Any) -> dict[str, Any]:
    """Build the recordings that `sources` names; return wall and CPU seconds with children, and how many were built and how large."""
    before, began = _measure_cpu_seconds(), time.monotonic()
    outcomes = build_many([sources], folder, **how)
    wall, cpu = time.monotonic() - began, _measure_cpu_seconds() - before
    failed = [outcome.error for outcome in outcomes if outcome.error]
    if failed:
        raise SystemExit(f"a build failed: {failed[0]}")
    return {
        "wall": wall,
        "cpu": cpu,
        "built": sum(outcome.status == "built" for outcome in outcomes),
        "unchanged": sum(outcome.status == "unchanged" for outcome in outcomes),
        "html": sum(outcome.bytes for outcome in outcomes),
        "an hour": 3600 * len(outcomes) / wall,
    }


def _measure_cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main(arguments: list[str]) -> int:
    """Print the figures and return 0; they have no limit."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reel", type=Path, metavar="REEL")
    parser.add_argument("--copies", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sessions", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with open_reel(options.reel) as reel:
        duration = max((float(str(event.get("t", 0))) for event in reel.events()), default=0.0)
    found: dict[str, Any] = {
        "reel": options.reel.stat().st_size,
        "duration": duration,
        "copies": options.copies,
        "load": os.getloadavg()[0],
        "ways": {},
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found["sessions"] = measure_sessions(options.sessions, folder / "sessions")
        print("sessions", json.dumps(found["sessions"]), flush=True)
        (folder / "day").mkdir()
        for number in range(options.copies):
            shutil.copy(options.reel, folder / "day" / f"{number:03}.reel")
        day = str(folder / "day" / "*.reel")
        ways: list[tuple[str, dict[str, Any]]] = [
            (f"{options.jobs} processes", {"jobs": options.jobs}),
            (f"{options.jobs} processes, not redacted", {"jobs": options.jobs, "redaction": None}),
            (f"Dask, {options.jobs} workers", {"jobs": options.jobs, "executor": "dask"}),
            ("one at a time", {"jobs": 1}),
        ]
        for way, how in ways:
            out = str(folder / way.replace(" ", "-").replace(",", ""))
            found["ways"][way] = build_and_time(day, out, **how)
            print(way, json.dumps({k: round(v, 1) for k, v in found["ways"][way].items()}), flush=True)
        way = "nothing changed"
        found["ways"][way] = build_and_time(day, out, jobs=1)
        print(way, json.dumps({k: round(v, 1) for k, v in found["ways"][way].items()}), flush=True)
        way = f"from a store to a store, {options.jobs} processes"
        found["ways"][way] = build_and_time(f"file://{folder}/day/*.reel", f"file://{folder}/store", jobs=options.jobs)
        print(way, json.dumps({k: round(v, 1) for k, v in found["ways"][way].items()}), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
