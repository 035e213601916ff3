"""The bench's command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options

from . import __doc__ as about
from . import report, rrweb
from .cases import all_cases
from .runs import CaseResult, Peer, run

ROOT = Path(__file__).resolve().parents[2]
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
    results: list[CaseResult] = []
    peers = {name: PEERS[name] for name in options.peer}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for case in chosen:
            if not browser.is_connected():
                browser = playwright.chromium.launch(**launch_options())
            result = run(browser, case, options.out / case.name, peers)
            results.append(result)
            print(_line(result), flush=True)
        version = browser.version
        browser.close()
    versions = {"rrweb": rrweb.script()[1].replace("@", " ")} if "rrweb" in peers else {}
    text = report.write(results, version, versions)
    target = options.report or (
        ROOT / "docs" / "fidelity.md" if len(chosen) == len(cases) else options.out / "report.md"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text + report.kept(target), encoding="utf-8")
    print("\n".join(report.summary(results, versions)))
    print(f"The table: {target}")
    return 0 if all(mark.equal for result in results for mark in result.pagereel.marks) else 1


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
