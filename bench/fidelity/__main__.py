"""Records cases, opens their replays, and writes how far replay and page are equal to docs/fidelity.md."""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options

from . import __doc__ as about
from . import report, rrweb, trace
from .case import Case
from .case_runs import CaseResult, Peer, add_peers, run_case
from .cases import all_cases

ROOT = Path(__file__).resolve().parents[2]
RESULT = "result.pickle"
PEERS: dict[str, Peer] = {"rrweb": rrweb.run_with_rrweb, "trace": trace.run_with_trace}
VERSIONS: dict[str, Callable[[], str]] = {
    "rrweb": lambda: rrweb.read_rrweb_bundle()[1].replace("@", " "),
    "trace": lambda: f"Playwright's trace {metadata.version('playwright')}",
}
TRIES = 3
"""How often a case is run whose browser, or Playwright's driver, broke off."""
PATIENCE = 1800
"""Seconds that a case may take, all its runs together."""
BROKEN = 75
"""Exit status of a process whose browser or driver broke off."""


def main(arguments: list[str]) -> int:
    """Return 0 when the replay equals the page in structure at every mark, 1 when not."""
    cases = all_cases()
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity", description=(about or "").split("\n")[0])
    parser.add_argument("--case", action="append", default=[], help="only this case; may stand several times")
    parser.add_argument("--group", action="append", default=[], help="only the cases of this group")
    parser.add_argument("--peer", action="append", default=[], choices=list(PEERS), help="run this one beside pagereel")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "fidelity", help="where recordings and pictures go")
    parser.add_argument("--report", type=Path, help="where the table goes; docs/fidelity.md when all cases run")
    parser.add_argument("--beside", action="store_true", help="run only the peers, for results that lie in --out")
    parser.add_argument(
        "--jobs", type=int, default=1, help="how many cases run at a time, each in a process of its own"
    )
    parser.add_argument("--here", action="store_true", help="run in this process; what --jobs starts")
    parser.add_argument("--again", action="store_true", help="write the report of what lies in --out; run nothing")
    parser.add_argument("--list", action="store_true", help="name the cases and end")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{case.group:10} {case.name}" for case in cases.values()))
        return 0
    unknown = sorted(set(options.case) - set(cases))
    if unknown:
        parser.error(f"there is no case {', '.join(unknown)}; --list names them")
    chosen = [
        case
        for case in cases.values()
        if (not options.case and not options.group) or case.name in options.case or case.group in options.group
    ]
    if options.here:
        return _run_in_this_process(
            chosen, {name: PEERS[name] for name in options.peer}, options.out, peers_only=options.beside
        )
    if not options.again:
        handed = [f"--out={options.out.absolute()}", *(f"--peer={name}" for name in options.peer)]
        _run_in_processes(chosen, [*handed, "--beside"] if options.beside else handed, options.jobs)
    # Cases that were run one by one, or in several processes at once, are one report.
    paths = [options.out / case.name / RESULT for case in (cases.values() if options.again else chosen)]
    results = [CaseResult.load(path) for path in paths if path.exists()]
    ran = {name for each in results for name in each.peers}
    versions = {name: VERSIONS[name]() for name in PEERS if name in ran}
    target = options.report or (
        ROOT / "docs" / "fidelity.md" if len(results) == len(cases) else options.out / "report.md"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(report.make_report(results, versions) + report.read_kept_sections(target), encoding="utf-8")
    print("\n".join(report.summarise_marks(results, versions)))
    print(f"The table: {target}")
    return 0 if all(mark.equal for result in results for mark in result.pagereel.marks) else 1


def _run_in_processes(cases: list[Case], arguments: list[str], jobs: int) -> None:
    """Run each case in a process of its own, `jobs` at a time, so that a crash of a browser ends no other case."""
    os.environ["PAGEREEL_BENCH_COMMIT"] = _describe_commit()

    def run_alone(case: Case) -> None:
        """Run one case in a new process, up to three times when its browser or driver breaks off."""
        command = [sys.executable, "-m", "bench.fidelity", "--here", f"--case={case.name}", *arguments]
        for left in reversed(range(TRIES)):
            try:
                said, status = _run_process(command)
            except subprocess.TimeoutExpired:
                said, status = "", f"not done after {PATIENCE} s"
            print(said, end="", flush=True)
            if status == 0:
                return
            print(f"{case.name}: broke off ({status}); {left} tries left", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run_alone, cases))


def _run_process(command: list[str]) -> tuple[str, int]:
    """Run a command and return its output and exit status.

    Raises TimeoutExpired, and kills the whole process group, when it takes too long.
    """
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            said, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return said, process.returncode


def _run_in_this_process(cases: list[Case], peers: dict[str, Peer], out: Path, *, peers_only: bool) -> int:
    """Run cases in this process and save their results. Returns :data:`BROKEN` when the browser broke off, else 0."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for case in cases:
            kept = out / case.name / RESULT
            if peers_only and not kept.exists():
                continue
            if peers_only:
                result = CaseResult.load(kept)
                add_peers(browser, case, result, out / case.name, peers)
            else:
                kept.unlink(missing_ok=True)
                result = run_case(browser, case, out / case.name, peers)
                result.when = f"{datetime.datetime.now():%Y-%m-%d %H:%M}"
                result.browser, result.state = browser.version, _describe_commit()
            print(_describe_result(result), flush=True)
            result.save(kept)
            try:
                browser.new_context().close()
            except Exception:
                return BROKEN
        browser.close()
    return 0


def _describe_commit() -> str:
    """Return the commit that is measured, with `+` where files differ from it; "" outside of a checkout."""
    known = os.environ.get("PAGEREEL_BENCH_COMMIT")
    if known:
        return known
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        changed = subprocess.run(
            ["git", "status", "--porcelain", "-uno"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return commit.stdout.strip() + ("+" if changed.stdout.strip() else "")


def _describe_result(result: CaseResult) -> str:
    """Return a case's result as one line for the terminal."""
    if result.left_out:
        return f"{result.name}: left out, {result.left_out}"
    words = [f"{result.name}:"]
    for name, outcome in {"pagereel": result.pagereel, **result.peers}.items():
        equal = sum(mark.equal for mark in outcome.marks)
        worst = max((mark.pixels or 0 for mark in outcome.marks), default=0)
        words.append(f"{name} {equal}/{len(outcome.marks)} equal, pixels {worst:.3%}, {outcome.seconds:.0f} s;")
        if outcome.error:
            words.append(f"({outcome.error})")
    worst_noise = max((mark.noise or 0 for mark in result.pagereel.marks), default=0)
    words.append(
        f"noise {worst_noise:.3%}, checkpoints {result.pagereel.checkpoints[0]}/{result.pagereel.checkpoints[1]}"
    )
    return " ".join(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
