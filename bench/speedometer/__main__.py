"""Runs Speedometer's suites without a recorder, recorded by pagereel and by rrweb, and prints the ratios of main-thread CPU time."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.page.measure import read_task_ms
from bench.page.recorders import BINDING, RRWEB_START, read_rrweb_bundle
from pagereel.browser import launch_options
from pagereel.recorder import record

from . import __doc__ as about
from .profile import print_profile

VARIANTS = ("none", "pagereel", "rrweb")
LIMIT = 1.05
PATIENCE_MS = 900_000


@dataclass
class SuiteRun:
    """The figures of one run of the suites: times in ms, sent characters or bytes."""

    cpu: float
    score: float
    total: float
    """Speedometer's own: runs a minute, and the time of all steps."""
    recorder_cpu: float = 0.0
    """CPU of the recorder's writer thread."""
    sent: int = 0
    """Characters that rrweb sent, or bytes of the reel."""
    gaps: int = 0


class SpeedometerFileHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on loopback until the block ends; give the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(SpeedometerFileHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def run_suites(browser: Any, address: str, variant: str, suites: list[str], iterations: int = 1) -> SuiteRun:
    """Run the suites once in a fresh context under one recorder, each `iterations` times, and return the figures."""
    query = f"iterationCount={iterations}&{'suites=' + ','.join(suites) if suites else 'tags=default'}"
    with contextlib.ExitStack() as stack:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        stack.callback(context.close)
        session, sent = None, [0]
        if variant == "pagereel":
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            session = stack.enter_context(record(context, folder / "run.reel"))
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"{address}/index.html?{query}")
        page.wait_for_function("globalThis.benchmarkClient !== undefined")
        if variant == "rrweb":
            cdp.on("Runtime.bindingCalled", lambda event: sent.__setitem__(0, sent[0] + len(event["payload"])))
            cdp.send("Runtime.enable")
            cdp.send("Runtime.addBinding", {"name": BINDING})
            cdp.send("Runtime.evaluate", {"expression": read_rrweb_bundle()[0] + "\n;0"})
            cdp.send("Runtime.evaluate", {"expression": RRWEB_START + "\n;0"})
        before = read_task_ms(cdp)
        page.evaluate("benchmarkClient.start(), undefined")
        page.wait_for_function("location.hash === '#summary'", timeout=PATIENCE_MS)
        cpu = read_task_ms(cdp) - before
        found = page.evaluate(
            "({score: benchmarkClient.metrics.Score.mean, total: benchmarkClient.metrics.Total?.mean ?? 0})"
        )
        result = SuiteRun(cpu, found["score"], found["total"], sent=sent[0])
        if session is not None:
            session.stop()
            stats = session.stats
            result.recorder_cpu = stats.writer_cpu * 1000
            result.sent = Path(session.path).stat().st_size
            result.gaps = sum(stats.gaps.values())
        return result


def main(arguments: list[str]) -> int:
    """Return 0 when recording adds no more than the limit, 1 when it adds more."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speedometer", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--suite", action="append", default=[], help="only this suite; may be repeated")
    parser.add_argument("--iterations", type=int, default=1, help="of the suites in one run")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--profile", action="store_true", help="where the injector's share goes: see profile.py")
    options = parser.parse_args(arguments)
    if not (options.checkout / "resources" / "benchmark-runner.mjs").is_file():
        parser.error(f"{options.checkout} is no work tree of Speedometer 3")
    runs: dict[str, list[SuiteRun]] = {variant: [] for variant in VARIANTS}
    load = os.getloadavg()[0]
    with serve_folder(options.checkout) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        if options.profile:
            print_profile(browser, address, options.suite, options.rounds)
            browser.close()
            return 0
        for number in range(options.rounds):
            for variant in VARIANTS if number % 2 == 0 else reversed(VARIANTS):
                took = run_suites(browser, address, variant, options.suite, options.iterations)
                runs[variant].append(took)
                print(
                    f"round {number + 1}  {variant:9} main thread {took.cpu:8.0f} ms   score {took.score:.2f}"
                    f"   recorder {took.recorder_cpu:.0f} ms, {took.sent:,} bytes, {took.gaps} gaps",
                    flush=True,
                )
        version = browser.version
        browser.close()
    cpu = {variant: statistics.median(entry.cpu for entry in runs[variant]) for variant in VARIANTS}
    least = {variant: min(entry.cpu for entry in runs[variant]) for variant in VARIANTS}
    ratios = {
        variant: {"median": cpu[variant] / cpu["none"], "least": least[variant] / least["none"]}
        for variant in VARIANTS[1:]
    }
    for variant, ratio in ratios.items():
        print(f"{variant:9} {ratio['median']:.3f} × not recording (least {ratio['least']:.3f})")
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    "runs": {variant: [asdict(entry) for entry in runs[variant]] for variant in VARIANTS},
                    "ratios": ratios,
                    "suites": options.suite or "default",
                    "iterations": options.iterations,
                    "load": [load, os.getloadavg()[0]],
                    "versions": {"chromium": version, "rrweb": read_rrweb_bundle()[1]},
                },
                indent=1,
            )
        )
    met = ratios["pagereel"]["median"] <= LIMIT
    print("met" if met else f"not met: at most {LIMIT} × not recording")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
