"""Measures the main-thread CPU time that the whole recorder, or rrweb, adds to workloads, loads and an idle page."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.page.__main__ import WORKLOADS
from bench.page.recorders import read_rrweb_bundle
from pagereel.browser import launch_options
from pagereel.fixtures.loopback_server import LoopbackServer

from . import __doc__ as about
from .measure import make_site, sample_quiet_page, sample_workload
from .recorder_pages import WAYS

LIMIT = 0.25
FIXED_MS, IDLE_SHARE, TASK_MS = 5.0, 0.002, 50.0
BLOCKS = 3
"""In so many turns the loads are done."""


def round_order(number: int) -> list[str]:
    """Return the recorders in the order of a round: forwards in even rounds, backwards in odd ones."""
    return list(WAYS) if number % 2 == 0 else list(reversed(WAYS))


def compute_added_ms(times: dict[str, list[float]], recorder: str) -> dict[str, float]:
    """Return by how many ms a recorder raises the median and the least time of the page alone."""
    return {"median": statistics.median(times[recorder]) - statistics.median(times["none"]), "least": min(times[recorder]) - min(times["none"])}  # fmt: skip


def measure_workload(browser: Any, name: str, rounds: int) -> dict[str, Any]:
    """Run a workload under each recorder, print and return its figures."""
    taken: dict[str, list[float]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in round_order(number):
            taken[way].append(sample_workload(browser, name, way)[0])
    longest = [sample_workload(browser, name, "pagereel", hidden=True)[1] for _ in range(min(rounds, 2))]
    ours, theirs = compute_added_ms(taken, "pagereel"), compute_added_ms(taken, "rrweb")
    ratio = {key: ours[key] / theirs[key] if theirs[key] > 0 else 0.0 for key in ours}
    alone = {"median": statistics.median(taken["none"]), "spread": (max(taken["none"]) - min(taken["none"])) / 2}
    found = {"none": alone, "pagereel": ours, "rrweb": theirs, "ratio": ratio, "longest": min(longest)}
    print(
        f"{name:28} alone {alone['median']:6.0f} ± {alone['spread']:.0f} ms   pagereel {ours['median']:+6.0f} ({ours['least']:+.0f})"
        f"   rrweb {theirs['median']:+6.0f} ({theirs['least']:+.0f})   ratio {ratio['median']:.2f} ({ratio['least']:.2f})"
        f"   longest task {found['longest']:.0f}",
        flush=True,
    )
    return found


def measure_quiet_page(browser: Any, loads: int, idle: float) -> dict[str, Any]:
    """Load a quiet page and leave it idle under each recorder, print and return its figures."""
    taken: dict[str, list[float]] = {way: [] for way in WAYS}
    shares: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    with LoopbackServer(make_site()) as server:
        for number in range(BLOCKS):
            for way in round_order(number):
                times, page, process = sample_quiet_page(
                    browser, server.url, way, max(1, loads // BLOCKS), idle / BLOCKS
                )
                taken[way] += times
                shares[way].append((page, process))
    found: dict[str, Any] = {"loads": len(taken["none"]), "alone": statistics.median(taken["none"])}
    for way in WAYS:
        page, process = (statistics.median(column) for column in zip(*shares[way], strict=True))
        found[way] = {**compute_added_ms(taken, way), "idle": page, "idle, this process": process}
        print(
            f"a page of 100 elements, {way:9} {found['alone']:.1f} ms {found[way]['median']:+.1f} ({found[way]['least']:+.1f})   idle: {page:.3%} of a core, this process {process:.3%}",
            flush=True,
        )
    return found


def main(arguments: list[str]) -> int:
    """Return 0 when every limit is met, 1 when one is not."""
    parser = argparse.ArgumentParser(prog="python -m bench.whole", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--loads", type=int, default=9, help="of the page of 100 elements")
    parser.add_argument("--idle", type=float, default=12, help="s, together")
    parser.add_argument("--workload", action="append", default=[], choices=WORKLOADS, help="only this one")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        quiet = measure_quiet_page(browser, options.loads, options.idle)
        workloads = {name: measure_workload(browser, name, options.rounds) for name in options.workload or WORKLOADS}
        versions = {"chromium": browser.version, "rrweb": read_rrweb_bundle()[1]}
        browser.close()
    result = {"rounds": options.rounds, "quiet page": quiet, "workloads": workloads, "versions": versions}
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))
    met = quiet["pagereel"]["median"] <= FIXED_MS and quiet["pagereel"]["idle"] - quiet["none"]["idle"] <= IDLE_SHARE
    met = met and all(row["ratio"]["median"] <= LIMIT and row["longest"] <= TASK_MS for row in workloads.values())
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
