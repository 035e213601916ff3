"""The bench's command."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import KINDS, Comparison, compare
from pagereel.fixtures.serving import Server
from pagereel.fixtures.shop import Shop
from pagereel.recorder import record

from . import __doc__ as about
from .driver import Driver, work
from .faults import APPS, FAULTS, Bench, plant, planted, words

RIGHT = 0.95
"""Share of the planted differences that is to be named."""
ALARMS = 0.02
"""Share of repeats that may be taken for different."""
BASELINE = 3


@contextmanager
def served(name: str, bench: Bench, fault: str) -> Iterator[str]:
    if name == "shop":
        shop = Shop(pace=0.2)
        planted(shop.shop_app, bench, fault)
        with shop:
            yield shop.url
    else:
        app = bench.make()
        planted(app, bench, fault)
        with Server(app) as server:
            yield server.url + "/"


def run(browser: Browser, name: str, path: Path, fault: str = "") -> Path:
    """Record one run; one that is there already is taken as it is."""
    if path.is_file():
        return path
    bench = APPS[name]
    context = browser.new_context()
    plan = plant(context, bench, fault)
    with served(name, bench, fault) as url:
        with record(context, path.with_suffix(".part"), agent="bench", overwrite=True) as session:
            work(bench.script, Driver(session, context.new_page(), url, plan))
        context.close()
    path.with_suffix(".part").rename(path)
    return path


def verdict(bench: Bench, fault: str, result: Comparison) -> bool:
    """Whether the divergence is what was planted."""
    found = result.divergence
    return (
        found is not None and found.kind in FAULTS[fault] and any(word in found.summary for word in words(bench, fault))
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", choices=list(APPS))
    parser.add_argument("--fault", action="append", choices=list(FAULTS))
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="the runs stay here, and those that are here are not made again")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    faults = options.fault or list(FAULTS)
    table: dict[str, Counter[str]] = {fault: Counter() for fault in faults}
    right, wrong, alarms, repeats, taken = 0, [], [], 0, []
    with tempfile.TemporaryDirectory() as aside, sync_playwright() as playwright:
        folder = options.keep or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        browser = playwright.chromium.launch(**launch_options())
        for name in options.app or APPS:
            good = run(browser, name, folder / f"{name}-good.reel")
            baseline = [run(browser, name, folder / f"{name}-base-{n}.reel") for n in range(BASELINE)]
            if compare(good, baseline[0], redaction=None).outcome["a"] != "passed":
                raise SystemExit(f"{name}: the run to hold against did not pass; look at {good} (--keep)")
            for fault in faults:
                bad = run(browser, name, folder / f"{name}-{fault}.reel", fault)
                began = time.perf_counter()
                result = compare(good, bad, baseline=baseline, redaction=None)
                taken.append(time.perf_counter() - began)
                said = result.divergence.summary if result.divergence else "equal"
                table[fault][result.divergence.kind if result.divergence else "equal"] += 1
                if verdict(APPS[name], fault, result):
                    right += 1
                else:
                    wrong.append(f"{name}, {fault}: {said}")
                print(
                    f"{name:>8} {fault:<9} {'right' if verdict(APPS[name], fault, result) else 'WRONG'}  {said[:150]}",
                    flush=True,
                )
            for number in range(options.repeats):
                again = run(browser, name, folder / f"{name}-again-{number}.reel")
                result = compare(good, again, baseline=baseline, redaction=None)
                repeats += 1
                if not result.equal:
                    alarms.append(f"{name}, repeat {number}: {'; '.join(d.said for d in result.differences[:3])}")
                    print(f"{name:>8} repeat {number} ALARM  {alarms[-1][:200]}", flush=True)
        browser.close()
    return report(table, right, wrong, alarms, repeats, taken, options.json)


def report(
    table: dict[str, Counter[str]],
    right: int,
    wrong: list[str],
    alarms: list[str],
    repeats: int,
    taken: list[float],
    target: Path | None,
) -> int:
    """Print the confusion table and the shares; 0 when both floors are reached."""
    columns = [*KINDS, "equal"]
    print("\nplanted    " + "".join(f"{column:>9}" for column in columns))
    for fault, row in table.items():
        print(f"{fault:<11}" + "".join(f"{row[column] or '·':>9}" for column in columns))
    pairs = right + len(wrong)
    share, alarm = right / max(pairs, 1), len(alarms) / max(repeats, 1)
    print(f"\nfirst divergence right: {right} of {pairs} ({share:.1%}; floor {RIGHT:.0%})")
    print(f"repeats taken for different: {len(alarms)} of {repeats} ({alarm:.1%}; at most {ALARMS:.0%})")
    if taken:
        print(
            f"a comparison with {BASELINE} runs as its baseline took {sorted(taken)[len(taken) // 2] * 1000:.0f} ms, median"
        )
    for line in (*wrong, *alarms):
        print(f"  {line[:240]}")
    if target is not None:
        told: dict[str, Any] = {
            "right": right,
            "pairs": pairs,
            "wrong": wrong,
            "alarms": alarms,
            "repeats": repeats,
            "table": table,
        }
        target.write_text(json.dumps(told, indent=1))
    return 0 if share >= RIGHT and alarm <= ALARMS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
