"""Runs another project's end-to-end tests plain, traced and recorded, and compares outcomes, wall time and CPU time."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from pagereel.reel import open_reel, verify

from . import __doc__ as about
from .command_cost import CommandCost
from .command_cost import measure_command as effort
from .lists import SUITES, Suite

MODES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "tracing on": ("--tracing", "on"),
    "retain-on-failure": ("--replay", "retain-on-failure"),
    "replay on": ("--replay", "on"),
}
PATIENCE = 1800
"""Seconds for one run of a suite."""
Outcomes = dict[str, str]


def run_tests(suite: Suite, checkout: Path, python: Path, tests: tuple[str, ...], options: tuple[str, ...], folder: Path,
        extra: dict[str, str]) -> tuple[Outcomes, CommandCost]:  # fmt: skip
    """Run tests of a suite in its checkout; return the outcome of each test, and the command's times and output.

    Raises SystemExit when pytest wrote no report.
    """
    junit = folder / "junit.xml"
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parent),
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONSAFEPATH": "1",
        **extra,
    }
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "suites_guest", *suite.options, "--timeout", "300",
               "--output", folder / "results", f"--junitxml={junit}", *options, *tests]  # fmt: skip
    took = effort([str(word) for word in command], checkout / suite.folder, environment, PATIENCE)
    if not junit.exists():
        raise SystemExit(f"pytest wrote no report:\n{took.said[-4000:]}")
    return read_outcomes(junit), took


def read_outcomes(junit: Path) -> Outcomes:
    """Return for each test `passed`, `failure`, `error` or `skipped`; a test that passed and failed in its teardown is `error`."""
    found: Outcomes = {}
    for case in ElementTree.parse(junit).iter("testcase"):
        tag = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
        name = f"{case.get('classname')}::{case.get('name')}"
        if found.get(name, "passed") == "passed":
            found[name] = tag
    return found


def summarise_recordings(folder: Path) -> dict[str, Any]:
    """Return the checkpoints, gaps, problems and bytes of the recordings in a folder, summed up."""
    reels = sorted(folder.glob("*.reel"))
    told: Counter[str] = Counter()
    problems: list[str] = []
    equal = total = 0
    for path in reels:
        report = verify(path)
        equal, total = equal + report.checkpoints.equal, total + report.checkpoints.total
        problems += [f"{path.name}: {problem}" for problem in report.problems]
        with open_reel(path) as reel:
            for event in reel.events():
                if event["k"] in ("gap", "unsupported"):
                    told[f"{event['k']} {event.get('reason') or event.get('what') or ''}".strip()] += 1
    return {"reels": len(reels), "equal": equal, "checkpoints": total, "told": dict(told), "problems": problems,
            "bytes": sum(path.stat().st_size for path in reels)}  # fmt: skip


def sum_build_seconds(folder: Path) -> dict[str, float]:
    """Return the seconds that building the replays took, from what the plugin wrote into `sum_build_seconds.jsonl`."""
    path = folder / "sum_build_seconds.jsonl"
    told = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {name: sum(one[name] for one in told) for name in ("wall", "cpu", "redaction")}


def compare_modes(
    suite: Suite, checkout: Path, python: Path, rounds: int, keep: Path, modes: list[str]
) -> dict[str, Any]:
    """Run the suite in each mode `rounds` times, in turns, and return all figures."""
    efforts: dict[str, list[CommandCost]] = {mode: [] for mode in modes}
    seen: dict[str, list[Outcomes]] = {mode: [] for mode in modes}
    warned = 0
    for turn in range(rounds):
        for mode in modes[turn % len(modes) :] + modes[: turn % len(modes)]:
            folder = keep / f"{mode.replace(' ', '-')}-{turn}"
            folder.mkdir(parents=True)
            extra = {"SUITES_REELS": str(folder / "reels")} if mode == "replay on" else {}
            found, took = run_tests(suite, checkout, python, suite.tests, MODES[mode], folder, extra)
            (folder / "pytest.txt").write_text(took.said)
            efforts[mode].append(took)
            seen[mode].append(found)
            warned += took.said.count("ReplayWarning: ")
            load = os.getloadavg()[0]
            states = dict(Counter(found.values()))
            print(f"{mode:<18} {took.seconds:7.1f} s, CPU {took.cpu:7.1f} s, load {load:.1f}  {states}", flush=True)
    passed = {mode: {name for one in runs for name, state in one.items() if state == "passed"
                     and all(other.get(name) == "passed" for other in runs)} for mode, runs in seen.items()}  # fmt: skip
    plain = efforts["plain"]
    replays = list(keep.glob("replay-on-*/results/**/replay*.html"))
    turns = [keep / f"replay-on-{turn}" / "reels" for turn in range(rounds)]
    return {
        "tests": len(seen["plain"][0]),
        "passed": {mode: len(names) for mode, names in passed.items()},
        "differ": {mode: sorted(passed["plain"] ^ names) for mode, names in passed.items()},
        "seconds": {mode: [one.seconds for one in runs] for mode, runs in efforts.items()},
        "cpu": {mode: [one.cpu for one in runs] for mode, runs in efforts.items()},
        "ratio": {mode: statistics.median(a.seconds / b.seconds for a, b in zip(runs, plain, strict=True))
                  for mode, runs in efforts.items()},
        "cpu_ratio": {mode: statistics.median(a.cpu / b.cpu for a, b in zip(runs, plain, strict=True))
                      for mode, runs in efforts.items()},
        "warnings": warned,
        "replays": len(replays) // rounds,
        "replay_bytes": sum(path.stat().st_size for path in replays) // rounds,
        "builds": [sum_build_seconds(turn) for turn in turns],
        "recordings": [summarise_recordings(turn) for turn in turns],
    }  # fmt: skip


def print_report(name: str, found: dict[str, Any]) -> None:
    """Print the figures of a suite."""
    print(f"\n{name}: {found['tests']} tests")
    print(f"{'':<18} {'passed':>6} {'seconds':>16} {'ratio':>6} {'CPU seconds':>16} {'ratio':>6}")
    for mode in found["seconds"]:
        times, cpu = (" ".join(f"{second:.1f}" for second in found[what][mode]) for what in ("seconds", "cpu"))
        print(
            f"{mode:<18} {found['passed'][mode]:>6} {times:>16} {found['ratio'][mode]:>6.2f} {cpu:>16} {found['cpu_ratio'][mode]:>6.2f}"
        )
    for mode, names in found["differ"].items():
        if mode != "plain":
            print(f"{mode}: {'same pass set' if not names else 'DIFFER: ' + ', '.join(names)}")
    print(f"{found['replays']} replays, {found['replay_bytes'] / 1e6:.1f} MB, {found['warnings']} warnings of ours")
    for one in found["builds"]:
        print(f"building them: {one['wall']:.1f} s, CPU {one['cpu']:.1f} s, of it redaction {one['redaction']:.1f} s")
    for one in found["recordings"]:
        print(
            f"{one['reels']} recordings, tree equal at {one['equal']} of {one['checkpoints']} checkpoints; {one['told'] or 'no gap'}"
        )
        for problem in one["problems"]:
            print(f"  {problem}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.suites", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("suite", choices=list(SUITES))
    parser.add_argument("checkout", type=Path)
    parser.add_argument("python", type=Path)
    parser.add_argument(
        "--modes", nargs="+", choices=list(MODES), default=list(MODES), metavar="MODE",
        help=f"beside plain, which always runs: {', '.join(list(MODES)[1:])}",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument(
        "--break", dest="broken", action="store_true", help="make three tests fail and keep their replays"
    )
    parser.add_argument("--keep", type=Path, help="leave everything that was made here")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    given = parser.parse_args()
    suite = SUITES[given.suite]
    python = given.python.absolute()
    with tempfile.TemporaryDirectory(prefix="suites-") as temporary:
        keep = (given.keep or Path(temporary)).absolute()
        keep.mkdir(parents=True, exist_ok=True)
        if given.broken:
            options = ("--replay", "retain-on-failure")
            extra = {"SUITES_BREAK": "1"}
            found, took = run_tests(suite, given.checkout.absolute(), python, suite.broken, options, keep, extra)
            print(took.said[-2000:])
            replays = sorted(keep.glob("results/**/replay*.html"))
            print(*replays, sep="\n")
            return 0 if len(replays) == len(found) == list(found.values()).count("failure") else 1
        figures = compare_modes(
            suite,
            given.checkout.absolute(),
            python,
            given.rounds,
            keep,
            ["plain", *(mode for mode in given.modes if mode != "plain")],
        )
    print_report(given.suite, figures)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    good = (
        not any(figures["differ"].values())
        and not figures["warnings"]
        and not any(one["problems"] for one in figures["recordings"])
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
