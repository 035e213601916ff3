"""Records third-party applications, opens their replays at each mark, and writes how far they equal the page to docs/world.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options

from . import __doc__ as about
from . import report
from .application import Application
from .application_run import AppResult, run_application
from .apps import all_applications
from .redacted_pairs import describe_totals, record_pair
from .rerun import run_again

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Return 0 when the replay equals the page at every mark, in structure and within the noise in pixels; 1 when not."""
    applications = all_applications()
    parser = argparse.ArgumentParser(prog="python -m bench.world", description=(about or "").split("\n")[0])
    parser.add_argument(
        "--app",
        action="append",
        default=[],
        choices=list(applications),
        metavar="NAME",
        help="only this one; may stand several times",
    )
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "world", help="where recordings and pictures go")
    parser.add_argument("--report", type=Path, help="where the table goes; docs/world.md when all applications ran")
    parser.add_argument("--again", action="store_true", help="write the report of what lies in --out; run nothing")
    parser.add_argument("--no-verify", action="store_true", help="leave out what `pagereel verify --replay` says")
    parser.add_argument(
        "--redacted",
        action="store_true",
        help="only: raw and default builds side by side, pictures and lists of what was masked into --out",
    )
    parser.add_argument(
        "--servers-off",
        action="store_true",
        help="only: record with everything kept, and run again without the servers",
    )
    parser.add_argument("--list", action="store_true", help="name the applications and end")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{each.name:14} {each.kind:24} {each.version}" for each in applications.values()))
        return 0
    chosen = [each for name, each in applications.items() if not options.app or name in options.app]
    if options.redacted:
        return _build_redacted_pairs(chosen, options.out)
    if options.servers_off:
        return _rerun_without_servers(chosen, options.out)
    if not options.again:
        with sync_playwright() as playwright:
            for application in chosen:
                # A browser for each: one that breaks off takes nothing else with it.
                browser = playwright.chromium.launch(**launch_options())
                result = run_application(
                    browser, application, options.out / application.name, verify=not options.no_verify
                )
                browser.close()
                result.save(options.out / application.name / "result.json")
                print(report.describe_result(result), flush=True)
    paths = [
        options.out / name / "result.json"
        for name in applications
        if options.again or name in {each.name for each in chosen}
    ]
    results = [AppResult.load(path) for path in paths if path.exists()]
    target = options.report or (
        ROOT / "docs" / "world.md" if len(results) == len(applications) else options.out / "report.md"
    )
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(report.make_report(results), encoding="utf-8")
    print(f"The table: {target}")
    return 0 if all(not each.error and each.equal == each.close == len(each.marks) for each in results) else 1


def _rerun_without_servers(chosen_applications: list[Application], out: Path) -> int:
    """Record each application and run it again from the recording alone.

    Returns 0 when every application shows the same text at each mark, has no divergence and no request without an answer; 1 when not.
    """
    results = []
    with sync_playwright() as playwright:
        # What an application wants from elsewhere (fonts, mostly) fails at once in both runs.
        options = launch_options()
        options["args"] = [*options.get("args", []), "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        for application in chosen_applications:
            browser = playwright.chromium.launch(**options)
            results.append(run_again(browser, application, out / application.name))
            browser.close()
            print(results[-1].line, flush=True)
    whole = sum(
        not each.error and not each.unmatched and not each.divergence and each.equal == each.marks for each in results
    )
    print(f"{whole} of {len(results)} applications run again with their servers off")
    return 0 if whole == len(results) else 1


def _build_redacted_pairs(chosen_applications: list[Application], out: Path) -> int:
    """Build each application raw and masked and compare both; recordings in `out` are used again.

    Returns 0 when nothing but texts differs, 1 when something does.
    """
    results = []
    with sync_playwright() as playwright:
        for application in chosen_applications:
            browser = playwright.chromium.launch(**launch_options())
            results.append(record_pair(browser, application, out / application.name))
            browser.close()
            (out / application.name / "masked.txt").write_text(f"{results[-1]}\n", encoding="utf-8")
            print(results[-1], flush=True)
    print(describe_totals(results))
    return 0 if all(each.same for each in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
