"""Runs another project's browser tests in place twice, plain and with every context recorded, and compares their outcomes.

    python -m bench.fidelity.suite CHECKOUT [--python PYTHON] [TEST …] [-- PYTEST-ARGUMENTS]

CHECKOUT is a copy of the other project (none of it is part of this one), PYTHON an interpreter in which its tests run
and in which pagereel is installed. For Playwright's own tests:

    python -m bench.fidelity.suite ../playwright-python --python venv/bin/python tests/sync -- --browser chromium
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pagereel.reel import compare_checkpoints, open_reel

from . import report
from .suite_plugin import REELS, RESULT

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class SuiteTestRun:
    """The outcomes, errors and recordings of one run of the tests."""

    outcomes: dict[str, str]
    errors: dict[str, str]
    seconds: float = 0.0
    reels: list[Path] = field(default_factory=list)

    def find_tests(self, outcome: str) -> set[str]:
        """Return the tests with this outcome."""
        return {test for test, how in self.outcomes.items() if how == outcome}


def main(arguments: list[str]) -> int:
    """Return 0 when every test has the same outcome in both runs, 1 when not."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    own, passed_on = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity.suite", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path, help="the other project")
    parser.add_argument("test", nargs="*", help="files or folders of tests in it; all by default")
    parser.add_argument("--python", default=sys.executable, help="the interpreter for its tests")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "suite", help="where results and recordings go")
    parser.add_argument("--patience", type=int, default=3600, help="seconds that one run may take")
    parser.add_argument(
        "--again", action="store_true", help="compare the runs that lie in --out; only what differs runs"
    )
    parser.add_argument("--report", type=Path, help="a page whose section on suites is replaced, docs/fidelity.md say")
    options = parser.parse_intermixed_args(own)
    options.out.mkdir(parents=True, exist_ok=True)
    plain = _load_test_run(options.out, "plain") if options.again else _run_tests(options, passed_on, recorded=False)
    recorded = (
        _load_test_run(options.out, "recorded") if options.again else _run_tests(options, passed_on, recorded=True)
    )
    # A test can fail by itself now and then: what differs is tried again, both ways, before it counts.
    doubtful = sorted(_find_differing_tests(plain, recorded))
    if doubtful:
        options.test = doubtful
        for each, again in ((plain, False), (recorded, True)):
            repeated = _run_tests(options, passed_on, recorded=again, name="again")
            each.outcomes.update(repeated.outcomes)
            each.errors.update(repeated.errors)
            each.reels += repeated.reels
    rows = _make_table(options.checkout.name, plain, recorded, doubtful)
    print("\n".join(rows))
    if options.report:
        report.replace_section(options.report, rows, report.SUITES)
    return 1 if _find_differing_tests(plain, recorded) else 0


def _load_test_run(out: Path, name: str) -> SuiteTestRun:
    """Load the results of an earlier run, "plain" or "recorded"."""
    found = json.loads((out / f"{name}.json").read_text("utf-8"))
    reels = sorted((out / "reels").glob("*.reel")) if name == "recorded" else []
    return SuiteTestRun(found["outcomes"], found["errors"], found["seconds"], reels)


def _run_tests(options: argparse.Namespace, passed_on: list[str], *, recorded: bool, name: str = "") -> SuiteTestRun:
    """Run the tests, plain or recorded, and return their outcomes. Raises SystemExit when they do not run to their end."""
    out: Path = options.out.resolve()
    name = name or ("recorded" if recorded else "plain")
    result, reels = out / f"{name}.json", out / "reels"
    result.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), RESULT: str(result)}
    before = set(reels.glob("*.reel"))
    if recorded:
        environment[REELS] = str(reels)
    command = [options.python, "-m", "pytest", "-p", "bench.fidelity.suite_plugin", "-p", "no:cacheprovider", "-q"]
    began = datetime.datetime.now()
    log = out / f"{name}.log"
    with log.open("a") as stream:
        subprocess.run(
            [*command, *options.test, *passed_on],
            cwd=options.checkout,
            env=environment,
            stdout=stream,
            stderr=subprocess.STDOUT,
            timeout=options.patience,
            check=False,
        )
    if not result.exists():
        raise SystemExit(f"The tests did not run to their end: see {log}.")
    found = json.loads(result.read_text("utf-8"))
    seconds = found["seconds"] = (datetime.datetime.now() - began).total_seconds()
    result.write_text(json.dumps(found), encoding="utf-8")
    return SuiteTestRun(found["outcomes"], found["errors"], seconds, sorted(set(reels.glob("*.reel")) - before))


def _find_differing_tests(plain: SuiteTestRun, recorded: SuiteTestRun) -> set[str]:
    """Return the tests whose outcomes differ between the two runs."""
    tests = {*plain.outcomes, *recorded.outcomes}
    return {test for test in tests if plain.outcomes.get(test) != recorded.outcomes.get(test)}


def _make_table(name: str, plain: SuiteTestRun, recorded: SuiteTestRun, doubtful: list[str]) -> list[str]:
    """Return the results as Markdown, each differing test on a line of its own."""
    equal = total = 0
    gaps: Counter[str] = Counter()
    for path in recorded.reels:
        with open_reel(path) as reel:
            found = compare_checkpoints(reel)
            gaps.update(str(event["reason"]) for event in reel.events() if event["k"] == "gap")
        equal, total = equal + found.equal, total + found.total
    differing = _find_differing_tests(plain, recorded)
    rows = [
        f"{datetime.date.today().isoformat()}, {name}: {len(plain.outcomes)} tests, plain and with every context recorded; "
        f"{len(differing)} differ ({len(doubtful)} did so at first, and ran again). {len(recorded.reels)} recordings, "
        f"tree equal at {equal} of {total} checkpoints, gaps: {', '.join(f'{n} {reason}' for reason, n in gaps.items()) or 'none'}.",
        "",
        "| tests | passed | failed | skipped | s |",
        "|---|---|---|---|---|",
    ]
    for label, each in (("plain", plain), ("recorded", recorded)):
        failed = len(each.find_tests("failed") | each.find_tests("error"))
        rows.append(
            f"| {label} | {len(each.find_tests('passed'))} | {failed} | {len(each.find_tests('skipped'))} | {each.seconds:.0f} |"
        )
    differences = sorted(differing)
    rows += [""] if differences else []
    return rows + [
        f"- {test}: plain {plain.outcomes.get(test)}, recorded {recorded.outcomes.get(test)}" for test in differences
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
