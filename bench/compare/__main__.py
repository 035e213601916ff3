"""Records runs of six small applications, with and without a planted difference, and counts how often `compare` names it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import KINDS, Comparison, compare
from pagereel.fixtures.loopback_server import LoopbackServer
from pagereel.fixtures.shop import Shop
from pagereel.recorder import record

from . import __doc__ as about
from .faults import APPS, FAULTS, FaultyApp, list_expected_words, plant_in_pages, plant_in_server
from .scripted_agent import ScriptedAgent, run_script

RIGHT = 0.95
"""Share of the planted differences that is to be named."""
ALARMS = 0.02
"""Share of repeats that may be taken for different."""
BASELINE = 3


@dataclass
class CompareTally:
    """Counts of a bench run: which kind of divergence was found for each planted difference, and which repeats were taken for different."""

    table: dict[str, Counter[str]]
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    repeats: int = 0
    alone: int = 0
    """Repeats that were taken for different without a baseline."""
    taken: list[float] = field(default_factory=list)


@contextmanager
def serve_app(name: str, faulty_app: FaultyApp, fault: str) -> Iterator[str]:
    """Serve an application, with the difference planted in its answers if there is one, and give its address."""
    if name == "shop":
        shop = Shop(pace=0.2)
        plant_in_server(shop.shop_app, faulty_app, fault)
        with shop:
            yield shop.url
    else:
        app = faulty_app.make()
        plant_in_server(app, faulty_app, fault)
        with LoopbackServer(app) as server:
            yield server.url + "/"


def record_run(browser: Browser, name: str, path: Path, fault: str = "") -> Path:
    """Record one run of an application to `path` and return the path; a recording that is already there is kept."""
    if path.is_file():
        return path
    bench = APPS[name]
    context = browser.new_context()
    plan = plant_in_pages(context, bench, fault)
    with serve_app(name, bench, fault) as url:
        with record(context, path.with_suffix(".part"), agent="bench", overwrite=True) as session:
            run_script(bench.script, ScriptedAgent(session, context.new_page(), url, plan))
        context.close()
    path.with_suffix(".part").rename(path)
    return path


def is_fault_named(faulty_app: FaultyApp, fault: str, result: Comparison) -> bool:
    """Return whether the divergence is of the planted kind and its summary names the planted difference."""
    found = result.divergence
    return (
        found is not None
        and found.kind in FAULTS[fault]
        and any(word in found.summary for word in list_expected_words(faulty_app, fault))
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--app", action="append", choices=list(APPS))
    parser.add_argument("--fault", action="append", choices=list(FAULTS))
    parser.add_argument(
        "--rounds", type=int, default=2, help="so many times all of it, with other runs to hold against"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="the runs stay here, and those that are here are not made again")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    faults = options.fault or list(FAULTS)
    found = CompareTally({fault: Counter() for fault in faults})
    with tempfile.TemporaryDirectory() as aside, sync_playwright() as playwright:
        folder = options.keep or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        browser = playwright.chromium.launch(**launch_options())
        for number in range(options.rounds):
            for name in options.app or APPS:
                compare_app_runs(browser, name, folder, number, faults, options.repeats, found)
        browser.close()
    return print_report(found, options.json)


def compare_app_runs(
    browser: Browser, name: str, folder: Path, round_number: int, faults: list[str], repeats: int, tally: CompareTally
) -> None:
    """Record an application's runs of one round, compare them, and add the results to the tally."""
    head = f"{name}-{round_number}"
    good = record_run(browser, name, folder / f"{head}-good.reel")
    baseline = [record_run(browser, name, folder / f"{head}-base-{n}.reel") for n in range(BASELINE)]
    if compare(good, baseline[0], redaction=None).outcome["a"] != "passed":
        raise SystemExit(f"{name}: the run to hold against did not pass; look at {good} (--keep)")
    for fault in faults:
        bad = record_run(browser, name, folder / f"{head}-{fault}.reel", fault)
        began = time.perf_counter()
        result = compare(good, bad, baseline=baseline, redaction=None)
        tally.taken.append(time.perf_counter() - began)
        said = result.divergence.summary if result.divergence else "equal"
        tally.table[fault][result.divergence.kind if result.divergence else "equal"] += 1
        is_right = is_fault_named(APPS[name], fault, result)
        tally.right += is_right
        if not is_right:
            tally.wrong.append(f"{head}, {fault}: {said}")
        print(f"{head:>10} {fault:<9} {'right' if is_right else 'WRONG'}  {said[:150]}", flush=True)
    for nth in range(repeats):
        again = record_run(browser, name, folder / f"{head}-again-{nth}.reel")
        tally.repeats += 1
        tally.alone += not compare(good, again, redaction=None).equal
        result = compare(good, again, baseline=baseline, redaction=None)
        if not result.equal:
            tally.alarms.append(f"{head}, repeat {nth}: {'; '.join(d.said for d in result.differences[:3])}")
            print(f"{head:>10} repeat {nth} ALARM  {tally.alarms[-1][:200]}", flush=True)


def print_report(tally: CompareTally, json_file: Path | None) -> int:
    """Print the table of planted and found kinds with their shares; return 0 when both shares meet their floors, 1 when not."""
    columns = [*KINDS, "equal"]
    print("\nplanted    " + "".join(f"{column:>9}" for column in columns))
    for fault, row in tally.table.items():
        print(f"{fault:<11}" + "".join(f"{row[column] or '·':>9}" for column in columns))
    pairs = tally.right + len(tally.wrong)
    share, alarm = tally.right / max(pairs, 1), len(tally.alarms) / max(tally.repeats, 1)
    print(f"\nfirst divergence right: {tally.right} of {pairs} ({share:.1%}; floor {RIGHT:.0%})")
    print(
        f"repeats taken for different: {len(tally.alarms)} of {tally.repeats} ({alarm:.1%}; at most {ALARMS:.0%}); without a baseline {tally.alone}"
    )
    if tally.taken:
        middle = sorted(tally.taken)[len(tally.taken) // 2] * 1000
        print(f"a comparison with {BASELINE} runs as its baseline took {middle:.0f} ms, median")
    for line in (*tally.wrong, *tally.alarms):
        print(f"  {line[:240]}")
    if json_file is not None:
        told: dict[str, Any] = {
            "right": tally.right, "pairs": pairs, "wrong": tally.wrong, "alarms": tally.alarms, "repeats": tally.repeats,
            "alone": tally.alone, "table": tally.table,
        }  # fmt: skip
        json_file.write_text(json.dumps(told, indent=1))
    return 0 if share >= RIGHT and alarm <= ALARMS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
