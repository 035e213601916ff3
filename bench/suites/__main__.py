"""The bench's command."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from pagereel.reel import open_reel, verify

from . import __doc__ as about
from .lists import SUITES, Suite

MODES: dict[str, tuple[str, ...]] = {
    "plain": (),
    "tracing on": ("--tracing", "on"),
    "replay on": ("--replay", "on"),
}
PATIENCE = 1800
"""Seconds for one run of a suite."""
Outcomes = dict[str, str]


def run(suite: Suite, checkout: Path, python: Path, tests: tuple[str, ...], options: tuple[str, ...], folder: Path,
        extra: dict[str, str]) -> tuple[Outcomes, float, str]:  # fmt: skip
    """Runs tests in the checkout; gives each test's outcome, the wall time in seconds, and what pytest printed."""
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
    began = time.monotonic()
    done = subprocess.run(
        [str(word) for word in command], cwd=checkout / suite.folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    seconds = time.monotonic() - began
    if not junit.exists():
        raise SystemExit(
            f"pytest ended with {done.returncode} and no report:\n{done.stdout[-3000:]}\n{done.stderr[-2000:]}"
        )
    return outcomes(junit), seconds, done.stdout


def outcomes(junit: Path) -> Outcomes:
    """Test → `passed`, or what became of it; a test that passed and broke in its teardown is `error`."""
    found: Outcomes = {}
    for case in ElementTree.parse(junit).iter("testcase"):
        tag = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
        name = f"{case.get('classname')}::{case.get('name')}"
        if found.get(name, "passed") == "passed":
            found[name] = tag
    return found


def recordings(folder: Path) -> dict[str, Any]:
    """What the kept recordings say of themselves."""
    reels = sorted(folder.glob("*.reel"))
    told: Counter[str] = Counter()
    problems: list[str] = []
    equal = total = 0
    for path in reels:
        report = verify(path)
        equal, total = equal + report.fidelity.equal, total + report.fidelity.total
        problems += [f"{path.name}: {problem}" for problem in report.problems]
        with open_reel(path) as reel:
            for event in reel.events():
                if event["k"] in ("gap", "unsupported"):
                    told[f"{event['k']} {event.get('reason') or event.get('what') or ''}".strip()] += 1
    return {"reels": len(reels), "equal": equal, "checkpoints": total, "told": dict(told), "problems": problems,
            "bytes": sum(path.stat().st_size for path in reels)}  # fmt: skip


def compare(suite: Suite, checkout: Path, python: Path, rounds: int, keep: Path, modes: list[str]) -> dict[str, Any]:
    """Runs each of `modes` `rounds` times, in turns."""
    seconds: dict[str, list[float]] = {mode: [] for mode in modes}
    seen: dict[str, list[Outcomes]] = {mode: [] for mode in modes}
    warned = 0
    for turn in range(rounds):
        for mode in modes[turn % len(modes) :] + modes[: turn % len(modes)]:
            folder = keep / f"{mode.replace(' ', '-')}-{turn}"
            folder.mkdir(parents=True)
            extra = {"SUITES_REELS": str(folder / "reels")} if mode == "replay on" else {}
            found, took, said = run(suite, checkout, python, suite.tests, MODES[mode], folder, extra)
            (folder / "pytest.txt").write_text(said)
            seconds[mode].append(took)
            seen[mode].append(found)
            warned += said.count("ReplayWarning: ")
            states = Counter(found.values())
            print(f"{mode:<12} {took:7.1f} s  {dict(states)}", flush=True)
    passed = {mode: {name for one in runs for name, state in one.items() if state == "passed"
                     and all(other.get(name) == "passed" for other in runs)} for mode, runs in seen.items()}  # fmt: skip
    replays = list(keep.glob("replay-on-*/results/**/replay*.html"))
    return {
        "tests": len(seen["plain"][0]),
        "passed": {mode: len(names) for mode, names in passed.items()},
        "differ": sorted(passed["plain"] ^ passed["replay on"]),
        "seconds": seconds,
        "ratio": {mode: statistics.median(a / b for a, b in zip(seconds[mode], seconds["plain"], strict=True)) for mode in modes},
        "warnings": warned,
        "replays": len(replays) // rounds,
        "replay_bytes": sum(path.stat().st_size for path in replays) // rounds,
        "recordings": [recordings(keep / f"replay-on-{turn}" / "reels") for turn in range(rounds)],
    }  # fmt: skip


def report(name: str, found: dict[str, Any]) -> None:
    print(f"\n{name}: {found['tests']} tests")
    print(f"{'':<12} {'passed':>6} {'seconds':>20} {'ratio':>6}")
    for mode in found["seconds"]:
        times = " ".join(f"{second:.1f}" for second in found["seconds"][mode])
        print(f"{mode:<12} {found['passed'][mode]:>6} {times:>20} {found['ratio'][mode]:>6.2f}")
    print("same pass set" if not found["differ"] else f"DIFFER: {', '.join(found['differ'])}")
    print(f"{found['replays']} replays, {found['replay_bytes'] / 1e6:.1f} MB, {found['warnings']} warnings of ours")
    for one in found["recordings"]:
        print(
            f"{one['reels']} recordings, {one['equal']} of {one['checkpoints']} checkpoints equal; {one['told'] or 'no gap'}"
        )
        for problem in one["problems"]:
            print(f"  {problem}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.suites", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("suite", choices=list(SUITES))
    parser.add_argument("checkout", type=Path)
    parser.add_argument("python", type=Path)
    parser.add_argument("--without-tracing", action="store_true", help="leave out Playwright's own tracing")
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
            found, _, said = run(suite, given.checkout.absolute(), python, suite.broken, options, keep, extra)
            print(said[-2000:])
            replays = sorted(keep.glob("results/**/replay*.html"))
            print(*replays, sep="\n")
            return 0 if len(replays) == len(found) == list(found.values()).count("failure") else 1
        figures = compare(
            suite,
            given.checkout.absolute(),
            python,
            given.rounds,
            keep,
            [mode for mode in MODES if not (given.without_tracing and mode == "tracing on")],
        )
    report(given.suite, figures)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    good = (
        not figures["differ"] and not figures["warnings"] and not any(one["problems"] for one in figures["recordings"])
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
