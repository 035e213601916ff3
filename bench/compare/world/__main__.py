"""bench/compare/world: how often `compare` names a difference planted in applications from PyPI that it was not tuned on.

    python -m bench.compare.world [--set second|third|fourth|fifth] [--app NAME …] [--fault NAME …] [--repeats 8] [--keep FOLDER] [--json FILE]

A proxy before each application adds a network's latencies and the noise of real sites: adverts, recommendations in any order, live figures, notices, late
parts. For each application there are one run that all others are compared with, six more as baselines, one run for each planted difference, and repeats
without one. A pair is right where the divergence is of the kind that was planted and names it; it is compared with a baseline of three runs. Each repeat
is compared three times: without a baseline, with three runs, and with six.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import KINDS, Comparison, compare
from pagereel.recorder import record

from ..scripted_agent import PlannedAgent, run_script
from . import __doc__ as _about  # noqa: F401
from .fault_proxy import FaultProxy
from .faults import BY_SERVER, FAULTS, list_expected_words, make_proxy_plan, plant_in_page
from .fourth_fifth_sets import FIFTH, FOURTH
from .sites import SECOND, THIRD, CompareSite, run_site, undo_last_run

RIGHT, ALARMS = 0.95, 0.02
BASELINES = (0, 3, 6)
"""Runs beside the first that a repeat is held against; pairs are held against the middle one."""
HERE_ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Nothing but this machine is asked: some applications would fetch fonts from elsewhere."""
SETS = {"second": SECOND, "third": THIRD, "fourth": FOURTH, "fifth": FIFTH}


@dataclass
class WorldTally:
    """Counts of a bench run: which kind of divergence was found for each planted difference, and which repeats were taken for different."""

    table: dict[str, Counter[str]]
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    repeats: int = 0
    alarms: dict[int, list[str]] = field(default_factory=lambda: {size: [] for size in BASELINES})
    gated: Counter[int] = field(default_factory=Counter)
    """Repeats that differ in more than what pages say and how long it took, by the size of the baseline."""
    unplanted: list[str] = field(default_factory=list)
    """Pairs without a difference, which are none: what was to bring it never came."""
    taken: list[float] = field(default_factory=list)


class FaultNotPlanted(Exception):
    """Raised where a run ended before its difference was planted."""


class AppRunRecorder:
    """Records the runs of one application; its program starts with the first run."""

    def __init__(self, browser: Browser, site: CompareSite, folder: Path) -> None:
        self._browser, self._site, self._folder = browser, site, folder
        self._program: Any = None
        self._port = 0

    def record_run(self, name: str, fault: str = "") -> Path:
        """Record a run and return its path; a recording that is already there is kept. Raises an error where the fault was never planted."""
        path = self._folder / f"{self._site.name}-{name}.reel"
        if path.is_file():
            return path
        if self._program is None or self._site.again == "new":
            self.stop_program()
            self._program = run_site(self._site)
            self._port = self._program.__enter__()
        undo_last_run(self._site, self._port)
        context = self._browser.new_context(viewport={"width": 1280, "height": 900})
        doing = plant_in_page(context, self._site, fault)
        part = path.with_suffix(".part")
        planned = make_proxy_plan(self._site, fault)
        with FaultProxy(self._port, planned) as proxy:
            with record(context, part, agent="bench", overwrite=True) as session:
                agent = PlannedAgent(session, context.new_page(), proxy.url + self._site.path, doing)
                run_script(self._site.script, agent)
            context.close()
        if fault in BY_SERVER and not planned.came:
            part.unlink()
            raise FaultNotPlanted(f"{self._site.name}, {fault}")
        part.rename(path)
        return path

    def stop_program(self) -> None:
        """Stop the application's program if it runs."""
        if self._program is not None:
            self._program.__exit__(None, None, None)
            self._program = None


def is_fault_named(site: CompareSite, fault: str, result: Comparison) -> bool:
    """Return whether the divergence is of the planted kind and its summary names the planted difference."""
    found = result.divergence
    return (
        found is not None
        and found.kind in FAULTS[fault]
        and any(word in found.summary for word in list_expected_words(site, fault))
    )


def compare_site_runs(
    browser: Browser, site: CompareSite, folder: Path, faults: list[str], repeats: int, tally: WorldTally
) -> None:
    """Record an application's runs, compare them, and add the results to the tally."""
    runs = AppRunRecorder(browser, site, folder)
    try:
        good = runs.record_run("good")
        others = [runs.record_run(f"base-{n}") for n in range(max(BASELINES))]
        if compare(good, others[0], redaction=None).outcome != {"a": "passed", "b": "passed"}:
            raise SystemExit(f"{site.name}: the run to hold against did not pass; look at {good} (--keep)")
        for fault in (fault for fault in faults if fault not in site.without):
            try:
                bad = runs.record_run(fault, fault)
            except FaultNotPlanted as nothing:
                tally.unplanted.append(str(nothing))
                continue
            began = time.perf_counter()
            result = compare(good, bad, baseline=others[: BASELINES[1]], redaction=None)
            tally.taken.append(time.perf_counter() - began)
            said = f"{result.divergence.kind}: {result.divergence.summary}" if result.divergence else "equal"
            tally.table[fault][result.divergence.kind if result.divergence else "equal"] += 1
            is_right = is_fault_named(site, fault, result)
            tally.right += is_right
            if not is_right:
                tally.wrong.append(f"{site.name}, {fault}: {said}")
            print(f"{site.name:>15} {fault:<10} {'right' if is_right else 'WRONG'}  {said[:170]}", flush=True)
        for nth in range(repeats):
            again = runs.record_run(f"again-{nth}")
            tally.repeats += 1
            for size in BASELINES:
                result = compare(good, again, baseline=others[:size], redaction=None)
                tally.gated[size] += bool(result.failed("outcome,action,network,model,console"))
                if not result.equal:
                    said = "; ".join(f"{d.kind}: {d.said}" for d in result.differences[:4])
                    tally.alarms[size].append(f"{site.name}, repeat {nth}, {1 + size} runs: {said}")
                    print(f"{site.name:>15} repeat {nth}, {1 + size} runs ALARM  {said[:200]}", flush=True)
    finally:
        runs.stop_program()


def print_report(tally: WorldTally, json_file: Path | None) -> int:
    """Print the table of planted and found kinds with their shares; return 0 when all shares meet their floors, 1 when not."""
    columns = [*KINDS, "equal"]
    print("\nplanted    " + "".join(f"{column:>9}" for column in columns))
    for fault, row in tally.table.items():
        print(f"{fault:<11}" + "".join(f"{row[column] or '·':>9}" for column in columns))
    pairs = tally.right + len(tally.wrong)
    share = tally.right / max(pairs, 1)
    print(
        f"\nfirst divergence right: {tally.right} of {pairs} ({share:.1%}; floor {RIGHT:.0%}); load {os.getloadavg()[0]:.0f}"
    )
    if tally.unplanted:
        print(f"not planted, and no pairs: {'; '.join(tally.unplanted)}")
    worst = 0.0
    for size, alarms in tally.alarms.items():
        part = len(alarms) / max(tally.repeats, 1)
        worst = max(worst, part)
        print(
            f"repeats taken for different, {1 + size} runs to hold against: {len(alarms)} of {tally.repeats} ({part:.1%}; at most {ALARMS:.0%}), "
            f"in more than pages and times {tally.gated[size]}"
        )
    if tally.taken:
        middle = sorted(tally.taken)[len(tally.taken) // 2] * 1000
        print(f"a comparison with {BASELINES[1]} runs as its baseline took {middle:.0f} ms, median")
    for line in (*tally.wrong, *(line for alarms in tally.alarms.values() for line in alarms)):
        print(f"  {line[:300]}")
    if json_file is not None:
        told: dict[str, Any] = {
            "right": tally.right, "pairs": pairs, "wrong": tally.wrong, "alarms": tally.alarms, "gated": tally.gated,
            "repeats": tally.repeats, "table": tally.table,
        }  # fmt: skip
        json_file.write_text(json.dumps(told, indent=1))
    return 0 if share >= RIGHT and worst <= ALARMS else 1


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.compare.world", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=list(SETS), default="second")
    parser.add_argument("--app", action="append")
    parser.add_argument("--fault", action="append", choices=list(FAULTS))
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--keep", type=Path, help="the runs stay here, and those that are here are not made again")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    sites = [site for site in SETS[options.set] if not options.app or site.name in options.app]
    faults = options.fault or list(FAULTS)
    found = WorldTally({fault: Counter() for fault in faults})
    with tempfile.TemporaryDirectory() as aside, sync_playwright() as playwright:
        folder = options.keep or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        given = launch_options()
        given["args"] = [*given["args"], HERE_ALONE]
        browser = playwright.chromium.launch(**given)
        for site in sites:
            compare_site_runs(browser, site, folder, faults, options.repeats, found)
        browser.close()
    return print_report(found, options.json)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
