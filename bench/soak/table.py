"""Writes, reads, replays and builds the recording of a table whose rows are all redrawn ten times a second for hours.

    python -m bench.soak.table --hours 8 --rows 500 --rate 10

The page's events are made here, without a browser; writer, reader, page model and builder are those of the product. Each part runs in a process
of its own and prints its peak of memory early (after a tenth) and at its end.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pagereel.reel import Event, PageModel, ReelWriter, open_reel

PARTS = ("write", "read", "model", "build")


def read_peak_mb() -> float:
    """Return the peak of this process's resident memory in MB."""
    told = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(told.split()[1]) / 1024


def iter_events(hours: float, rows: int, rate: float) -> Any:
    """Yield the events of such a page."""
    row: Any = ["tr", {}, *[["td", {"class": "c"}, "ok"]] * 4]
    yield {"k": "page", "t": 0, "page": 1, "event": "open"}
    yield {"k": "document", "t": 0, "d": 1, "page": 1, "frame": "F", "url": "http://127.0.0.1/", "top": True,
           "viewport": {"w": 1280, "h": 720, "dpr": 1}, "mode": "CSS1Compat"}  # fmt: skip
    tree: Any = ["#document", {}, ["html", {}, ["head", {}], ["body", {}, ["table", {}, ["tbody", {}]]]]]
    yield {"k": "snapshot", "t": 0, "d": 1, "n": 0, "why": "start", "ops": [["doc", 1, tree]]}
    before, first, body = 6, 7, ["tbody", {}, *[row] * rows]
    for n in range(1, round(hours * 3600 * rate) + 1):
        ops = [["del", before], ["add", 5, first, body]]
        before, first = first, first + 1 + 9 * rows
        yield {"k": "mutation", "t": round(n * 1000 / rate, 1), "d": 1, "n": n, "ops": ops}
    yield {"k": "note", "t": hours * 3.6e6, "id": 1, "text": "the end"}


def run_part(part: str, path: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Run one part (write, read, model or build) on the recording, and return its figures."""
    total = round(options.hours * 3600 * options.rate)
    began, early, count = time.process_time(), 0.0, 0
    last: Event = {}
    if part == "write":
        with ReelWriter(path, {"started": 0}) as writer:
            for count, event in enumerate(iter_events(options.hours, options.rows, options.rate)):
                writer.write(event)
                early = read_peak_mb() if count == total // 10 else early
            live = read_peak_mb()
        return {"events": count + 1, "early": early, "end": live, "closed": read_peak_mb(), "cpu": time.process_time() - began, "bytes": path.stat().st_size}  # fmt: skip
    if part == "build":
        from pagereel.player_build import build

        report = build(path, path.with_suffix(".html"), redaction=None)
        return {
            "events": report.events,
            "end": read_peak_mb(),
            "cpu": time.process_time() - began,
            "bytes": report.size,
        }
    model = PageModel()
    with open_reel(path) as reel:
        for count, event in enumerate(reel.timeline()):
            if part == "model":
                model.apply(event)
            early = read_peak_mb() if count == total // 10 else early
            last = event if event["k"] == "note" else last
        whole = reel.damage is None and reel.sealed and not reel.invalid_count and last.get("text") == "the end"
    return {"events": count + 1, "whole": whole, "errors": model.error_count, "early": early, "end": read_peak_mb(), "cpu": time.process_time() - began}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Return 0 when every event was read and memory stayed flat, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak.table", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--rate", type=float, default=10.0, help="redraws a second")
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=PARTS)
    parser.add_argument("--reel", type=Path, help="where it is kept; else nowhere")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.part:
        print(json.dumps(run_part(options.part, options.reel, options)))
        return 0
    good = True
    with tempfile.TemporaryDirectory() as folder:
        path = options.reel or Path(folder) / "run.reel"
        for part in options.parts:
            words = [sys.executable, "-m", "bench.soak.table", "--part", part, "--reel", str(path)]
            words += ["--hours", str(options.hours), "--rows", str(options.rows), "--rate", str(options.rate)]
            done = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
            flat = done["end"] <= done.get("early", done["end"]) * 1.25 + 32
            good = good and done.get("whole", True) and not done.get("errors") and flat
            figures = ", ".join(f"{k} {v:,.0f}" if isinstance(v, float) else f"{k} {v:,}" for k, v in done.items())
            print(f"{part}: {figures} (MB, seconds of the processor): {'flat' if flat else 'NOT flat'}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
