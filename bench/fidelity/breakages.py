"""Proves that the bench can fail: one line of the injector is switched off at a time, and the case that is about it must get worse.

    python -m bench.fidelity.breakages [NAME …]
    python -m bench.fidelity.breakages --tests [NAME …]
    python -m bench.fidelity.breakages --layers [NAME …]

The injector's sources are copied, one text in them is replaced, and the case is recorded with the injector that is built from them. It is compared with
the same case recorded with the unchanged injector. With `--tests` the browser tests that are about the line are run in place of the case: at least one
must fail. With `--layers` the claim must get worse: `verify --replay` finds fewer checkpoints equal in some layer, or more bytes missing, than with
the unchanged recorder; there the bytes of pictures, media, sheets or fonts are switched off, too.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options
from pagereel.player_build import ReplayReport, build, verify_replay
from pagereel.recorder import record
from pagereel.recorder.ingest.body_limits import find_body_limit

from . import report
from .broken_plugin import INJECTOR
from .case_runs import CaseOutcome, compare_marks, iter_marks, open_context, run_with_pagereel
from .cases import all_cases
from .injector_breakages import BREAKAGES, LAYERS, Breakage

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Return 0 when each switched-off line of the injector makes its case, its tests or its layers worse, 1 when not."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.fidelity.breakages", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("name", nargs="*", help="only breakages with this in their name")
    parser.add_argument("--tests", action="store_true", help="run the browser tests in place of the cases")
    parser.add_argument("--layers", action="store_true", help="hold the replay's layers against each other")
    parser.add_argument("--report", type=Path, default=ROOT / "docs" / "fidelity.md", help="where the table goes")
    options = parser.parse_args(arguments)
    chosen = [each for each in BREAKAGES if not options.name or any(name in each.name for name in options.name)]
    if options.tests:
        return _run_tests(chosen, options.report if not options.name else None)
    if options.layers:
        return _compare_layers(options.name, options.report if not options.name else None)
    rows = ["| switched off | case | as it is | switched off |", "|---|---|---|---|"]
    told = True
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(**launch_options())
        for breakage in chosen:
            whole = _record_case(browser, breakage.case, Path(work))
            with patch(
                "pagereel.recorder.runtime.injector_script.read_bundle",
                functools.partial(str, _build_broken_injector(breakage)),
            ):
                broken = _record_case(browser, breakage.case, Path(work))
            told = told and (
                _count_equal_marks(broken) < _count_equal_marks(whole) or broken.checkpoints[0] < broken.checkpoints[1]
            )
            rows.append(
                f"| {breakage.name} | {breakage.case} | {_describe_outcome(whole)} | {_describe_outcome(broken)} |"
            )
            print(rows[-1], flush=True)
        browser.close()
    if not options.name:
        report.replace_section(options.report, [f"{datetime.date.today().isoformat()}:", "", *rows])
    return 0 if told else 1


def _run_tests(chosen: list[Breakage], report_to: Path | None) -> int:
    """Run the browser tests with each line switched off; return 0 when at least one test fails each time."""
    rows = ["| switched off | browser tests that fall | of |", "|---|---|---|"]
    told = True
    for breakage in chosen:
        with tempfile.TemporaryDirectory() as work:
            script = Path(work) / "injector.js"
            script.write_text(_build_broken_injector(breakage), encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=no", "-p", "bench.fidelity.broken_plugin"]
            done = subprocess.run(
                [*command, *(f"tests/{each}" for each in breakage.tests)],
                cwd=ROOT, capture_output=True, text=True, timeout=900, env={**os.environ, INJECTOR: str(script)},
            )  # fmt: skip
        found = re.findall(r"^(PASSED|FAILED|ERROR) tests/(.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
        results = {name: verdict for verdict, name in found}
        fallen = [_shorten_test_name(name) for name, verdict in results.items() if verdict != "PASSED"]
        told = told and bool(fallen)
        rows.append(f"| {breakage.name} | {'; '.join(fallen) or 'none'} | {len(results)} |")
        print(rows[-1], flush=True)
    if report_to is not None:
        report.replace_section(report_to, [f"{datetime.date.today().isoformat()}:", "", *rows], report.FALLEN)
    return 0 if told else 1


def _compare_layers(names: list[str], report_to: Path | None) -> int:
    """Compare `verify --replay` with and without each part of the capture.

    Returns 0 when each part that is switched off makes fewer checkpoints equal or more bytes missing, 1 when one does not.
    """
    rows = ["| switched off | case | as it is | switched off | first difference |", "|---|---|---|---|---|"]
    told = True
    injected = {each.name: each for each in BREAKAGES}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as work:
        browser = playwright.chromium.launch(**launch_options())
        for name, case in LAYERS:
            if names and not any(part in name for part in names):
                continue
            whole = _record_and_verify(browser, case, Path(work))
            if name in injected:
                target, broken = (
                    "pagereel.recorder.runtime.injector_script.read_bundle",
                    functools.partial(str, _build_broken_injector(injected[name])),
                )
            else:
                target, broken = (
                    "pagereel.recorder.cdp.network.find_body_limit",
                    functools.partial(_find_reduced_body_limit, name.partition("'")[0]),
                )
            with patch(target, broken):
                short = _record_and_verify(browser, case, Path(work))
            pairs = [
                (getattr(whole.fidelity, layer), getattr(short.fidelity, layer))
                for layer in ("tree", "layout", "picture")
            ]
            fell = any(one and two and two.total - two.equal > one.total - one.equal for one, two in pairs)
            told = told and (fell or short.fidelity.missing > whole.fidelity.missing)
            first = str(short.differences[0]).replace("|", "\\|") if short.differences else ""
            rows.append(f"| {name} | {case} | {whole.fidelity} | {short.fidelity} | {first} |")
            print(rows[-1], flush=True)
        browser.close()
    if report_to is not None:
        report.replace_section(report_to, [f"{datetime.date.today().isoformat()}:", "", *rows], report.LAYERS)
    return 0 if told else 1


def _find_reduced_body_limit(switched_off: str, kind: str, mime: str, status: int, options: Any) -> tuple[int, str]:
    """Return the recorder's limit for a body, or 0 where its kind of resource is the one switched off."""
    return (0, "cap") if kind.lower() == switched_off else find_body_limit(kind, mime, status, options)


def _record_and_verify(browser: Any, name: str, folder: Path) -> ReplayReport:
    """Record a case, build its replay, and return what `verify --replay` reports."""
    case = all_cases()[name]
    reel, html = folder / "run.reel", folder / "run.html"
    reel.unlink(missing_ok=True)
    with (
        case.site() as site,
        contextlib.closing(open_context(browser, case)) as context,
        record(context, reel, checkpoint_screenshots=True) as session,
    ):
        page = context.new_page()
        for mark in iter_marks(page, case, site.url + case.path):
            session.mark(mark)
            page.wait_for_timeout(500)  # for the picture, which nobody waits for
    build(reel, html, redaction=None)
    with ThreadPoolExecutor(1) as thread:  # Playwright has one driver a thread.
        return thread.submit(verify_replay, html, launch=launch_options()).result()


def _shorten_test_name(test: str) -> str:
    """Return a test's name as docs/fidelity.md prints it: its claim in italics where it has one, else its function."""
    claim = re.search(r"::test_it_is_recorded\[chromium-(.*)\]$", test)
    return f"*{claim[1]}*" if claim else f"`{test.rpartition('::')[2].partition('[')[0]}`"


def _build_broken_injector(breakage: Breakage) -> str:
    """Return the injector's bundle, built without one line of its sources.

    Raises SystemExit when the line is not found exactly once.
    """
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "src"
        shutil.copytree(ROOT / "injector_js" / "src", source)
        path = source / breakage.file
        text = path.read_text(encoding="utf-8")
        if text.count(breakage.text) != 1:
            raise SystemExit(f"{breakage.file} has not once {breakage.text!r}: the breakage needs a new one")
        path.write_text(text.replace(breakage.text, breakage.instead), encoding="utf-8")
        esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
        command = [str(esbuild), str(source / "main.ts"), "--bundle", "--format=iife", "--charset=ascii"]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def _record_case(browser: Any, name: str, folder: Path) -> CaseOutcome:
    """Record and replay a case and return the outcome with its marks compared; the noise of the live page is not measured."""
    case = all_cases()[name]
    outcome, seen, shown = run_with_pagereel(browser, case, folder)
    compare_marks(case, outcome, seen, shown, {}, folder)
    return outcome


def _count_equal_marks(outcome: CaseOutcome) -> int:
    """Return the number of marks equal in structure plus the number of marks equal in pixels."""
    return sum(mark.equal for mark in outcome.marks) + sum(report.is_within_noise(mark) for mark in outcome.marks)


def _describe_outcome(outcome: CaseOutcome) -> str:
    """Return an outcome's equal marks and checkpoints in words for the table."""
    equal = sum(mark.equal for mark in outcome.marks)
    close = sum(report.is_within_noise(mark) for mark in outcome.marks)
    return f"{equal} of {len(outcome.marks)} equal, pixels of {close} close; checkpoints {'{} of {}'.format(*outcome.checkpoints)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
