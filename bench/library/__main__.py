"""Measures searches in a library of generated runs, its server, and the intake of real recordings.

python -m bench.library                          # 10,000 runs, 1 million lines, in SQLite
python -m bench.library --postgres               # the same, also with a Postgres server of Debian's package
python -m bench.library --pages 300              # also 300 third-party pages, recorded first; later runs use those recordings again
python -m bench.library --runs 0 --pages 300     # these alone
python -m bench.library --runs 1000 a.reel …     # fewer runs; these recordings for the figures of the intake
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from .measurements import measure_intake, measure_queries, measure_server

FLOORS = {
    "search p95": 50.0, "list p95": 100.0, "list page p95": 100.0, "search p95, CPU": 50.0, "list page mean, CPU": 100.0, "serve idle MB": 150.0, "index share": 0.15, "runs an hour and core": 1_200.0,
}  # fmt: skip
LEAST = ("runs an hour and core",)
"""Floors that a figure is to be above."""


def main(arguments: list[str]) -> int:
    """Return 0 when each figure meets its floor, 1 when one does not."""
    parser = argparse.ArgumentParser(prog="python -m bench.library", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("recordings", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    told: dict[str, dict[str, float]] = {}
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.runs:
            told["SQLite"] = measure_queries(folder / "lite", options.runs) | measure_server(folder / "lite")
            missed += print_figures("SQLite", told["SQLite"])
        if options.postgres:
            from tests.library.postgres import server

            with server(shared_buffers="256MB", synchronous_commit="off") as address:
                told["Postgres"] = measure_queries(folder / "great", options.runs, address) | measure_server(
                    folder / "great"
                )
            missed += print_figures("Postgres", told["Postgres"])
        recordings = options.recordings or [path for path in [Path("out/demo/demo.reel")] if path.is_file()]
        if options.pages:
            from .page_recordings import record_pages

            recordings = record_pages(options.pages)
        if recordings:
            told["taken in"] = measure_intake(folder / "real", recordings)
            missed += print_figures("taken in", told["taken in"])
    if options.json:
        options.json.write_text(json.dumps(told))
    return 1 if missed else 0


def print_figures(title: str, figures: dict[str, float]) -> int:
    """Print figures beside their floors under a title, and return how many miss them."""
    missed = 0
    print(title)
    for name, figure in figures.items():
        floor = FLOORS.get(name)
        met = floor is None or (figure >= floor if name in LEAST else figure <= floor)
        missed += not met
        print(
            f"  {name:<28} {figure:>14,.3f}" + (f"   floor {floor:g}{'' if met else '   MISSED'}" if floor else ""),
            flush=True,
        )
    return missed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
