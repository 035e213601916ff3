"""The bench's command."""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options

from . import __doc__ as about
from . import report, rrweb
from .case import Case
from .cases import all_cases
from .runs import CaseResult, Peer, add_peers, run

ROOT = Path(__file__).resolve().parents[2]
RESULT = "result.pickle"
PEERS: dict[str, Peer] = {"rrweb": rrweb.rrweb}


def main(arguments: list[str]) -> int:
    """0 when every mark is equal in structure, 1 when not."""
    cases = all_cases()
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity", description=(about or "").split("\n")[0])
    parser.add_argument("--case", action="append", default=[], help="only this case; may stand several times")
    parser.add_argument("--group", action="append", default=[], help="only the cases of this group")
    parser.add_argument("--peer", action="append", default=[], choices=list(PEERS), help="run this one beside pagereel")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "fidelity", help="where recordings and pictures go")
    parser.add_argument("--report", type=Path, help="where the table goes; docs/fidelity.md when all cases run")
    parser.add_argument("--beside", action="store_true", help="run only the peers, for results that lie in --out")
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
    peers = {name: PEERS[name] for name in options.peer}
    if not options.again:
        _run(chosen, peers, options.out, beside=options.beside)
    # Cases that were run one by one, or in several processes at once, are one report.
    paths = [options.out / case.name / RESULT for case in (cases.values() if options.again else chosen)]
    results = [CaseResult.load(path) for path in paths if path.exists()]
    versions = {"rrweb": rrweb.script()[1].replace("@", " ")} if any("rrweb" in each.peers for each in results) else {}
    target = options.report or (
        ROOT / "docs" / "fidelity.md" if len(results) == len(cases) else options.out / "report.md"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(report.write(results, versions) + report.kept(target), encoding="utf-8")
    print("\n".join(report.summary(results, versions)))
    print(f"The table: {target}")
    return 0 if all(mark.equal for result in results for mark in result.pagereel.marks) else 1


def _run(chosen: list[Case], peers: dict[str, Peer], out: Path, *, beside: bool) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for case in chosen:
            if not browser.is_connected():
                browser = playwright.chromium.launch(**launch_options())
            kept = out / case.name / RESULT
            if beside:
                if not kept.exists():
                    continue
                result = CaseResult.load(kept)
                add_peers(browser, case, result, out / case.name, peers)
                print(_line(result), flush=True)
                result.save(kept)
                continue
            result = run(browser, case, out / case.name, peers)
            result.when = f"{datetime.datetime.now():%Y-%m-%d %H:%M}"
            result.browser, result.state = browser.version, _state()
            print(_line(result), flush=True)
            result.save(kept)
        browser.close()


def _state() -> str:
    """The commit that is measured, with `+` where files differ from it; "" outside of a checkout."""
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


def _line(result: CaseResult) -> str:
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
    words.append(f"noise {worst_noise:.3%}, checkpoints {result.pagereel.fidelity[0]}/{result.pagereel.fidelity[1]}")
    return " ".join(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
