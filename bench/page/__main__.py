"""Measures the main thread's CPU time that recording adds to workloads, for pagereel and rrweb, and prints the ratio."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options

from . import __doc__ as about
from .measure import SNAPSHOT, TABLE, MachineTooSlow, Sample, measure_sample
from .recorders import RECORDERS, read_rrweb_bundle

WORKLOADS = (
    "add 1000 x 10",
    "add and remove",
    "add and move",
    "attributes",
    "deep nested",
    "descendants one by one",
    SNAPSHOT,
    TABLE,
)
LIMIT = 0.25


def compute_added_cost(samples: dict[str, list[Sample]], variant: str) -> dict[str, float]:
    """Return the CPU ms that a recorder adds to a workload: median and minimum of the rounds, less those without a recorder."""
    taken = [entry.task for entry in samples[variant]]
    plain = [entry.task for entry in samples["none"]]
    return {
        "median": statistics.median(taken) - statistics.median(plain),
        "least": min(taken) - min(plain),
        "spread": (max(taken) - min(taken)) / 2,
    }


def summarise_samples(samples: dict[str, list[Sample]], hidden: dict[str, list[Sample]]) -> dict[str, Any]:
    """Return a workload's figures for each recorder and their ratios. `hidden` are samples of pages without layout."""
    result: dict[str, Any] = {"rounds": len(samples["none"])}
    result["plain"] = statistics.median(entry.task for entry in samples["none"])
    result["plain_spread"] = (max(e.task for e in samples["none"]) - min(e.task for e in samples["none"])) / 2
    for variant in ("pagereel", "rrweb"):
        if variant not in samples:
            continue
        taken = samples[variant]
        result[variant] = {
            "task": compute_added_cost(samples, variant),
            "size": statistics.median(entry.size for entry in taken),
            "longest_after": min((entry.longest_after for entry in hidden[variant]), default=None),
            "workload_task": min((entry.workload_task for entry in hidden[variant]), default=None),
        }
        checks = [entry.check for entry in hidden[variant] if entry.check is not None]
        if checks:
            result[variant]["check"] = min(checks)
    if "rrweb" in samples:
        ours, theirs = result["pagereel"], result["rrweb"]
        result["ratio"] = {
            "median": ours["task"]["median"] / theirs["task"]["median"],
            "least": ours["task"]["least"] / theirs["task"]["least"],
            "size": ours["size"] / theirs["size"],
        }
    return result


def describe_workload(name: str, found: dict[str, Any]) -> str:
    """Return a workload's figures as one line for the terminal."""
    ours = found["pagereel"]
    text = (
        f"{name:28} pagereel {ours['task']['median']:7.1f} (least {ours['task']['least']:.1f},"
        f" ± {ours['task']['spread']:.0f}) ms"
    )
    if "rrweb" in found:
        theirs, ratio = found["rrweb"], found["ratio"]
        text += (
            f"  rrweb {theirs['task']['median']:7.1f} (least {theirs['task']['least']:.1f}) ms"
            f"  ratio {ratio['median']:.3f} (least {ratio['least']:.3f})  size {ratio['size']:.2f}"
        )
        text += f"  longest task {ours['longest_after']} / {theirs['workload_task']}+{theirs['longest_after']}"
    if "check" in ours:
        text += f"  self-check {ours['check']:.0f} ms"
    return text


def measure_workloads(browser: Any, names: tuple[str, ...], rounds: int, variants: tuple[str, ...]) -> dict[str, Any]:
    """Return the figures of each workload; recorders and workloads take turns, so that a slow minute affects all of them."""
    samples: dict[str, dict[str, list[Sample]]] = {name: {v: [] for v in variants} for name in names}
    hidden: dict[str, dict[str, list[Sample]]] = {name: {v: [] for v in variants} for name in names}
    for number in range(rounds):
        for name in names:
            print(f"\rround {number + 1} of {rounds}: {name:30}", end="", file=sys.stderr, flush=True)
            order = variants if number % 2 == 0 else variants[::-1]
            for variant in order:
                for _ in range(3):
                    try:
                        samples[name][variant].append(measure_sample(browser, name, variant))
                        break
                    except MachineTooSlow:
                        continue
                if number < min(3, rounds) and variant != "none":
                    try:
                        hidden[name][variant].append(
                            measure_sample(browser, name, variant, hidden=True, check=number == 0)
                        )
                    except MachineTooSlow:
                        continue
    print(file=sys.stderr)
    return {name: summarise_samples(samples[name], hidden[name]) for name in names}


def main(arguments: list[str]) -> int:
    """Return 0 when pagereel adds at most 0.25 of what rrweb adds to every workload, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.page", description=(about or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workload", action="append", default=[], choices=WORKLOADS)
    parser.add_argument("--alone", action="store_true", help="without rrweb: for work on the injector")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args(arguments)
    names = tuple(options.workload) or WORKLOADS
    variants = tuple(RECORDERS) if not options.alone else ("none", "pagereel")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        versions = {"chromium": browser.version} | ({} if options.alone else {"rrweb": read_rrweb_bundle()[1]})
        results = measure_workloads(browser, names, options.rounds, variants)
        browser.close()
    for name, found in results.items():
        print(describe_workload(name, found))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"versions": versions, "workloads": results}, indent=1))
    return 0 if all(found.get("ratio", {}).get("median", 0) <= LIMIT for found in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
