"""Measures CPU time and size of building the replays of small tests, with Playwright's traces of the same tests beside them."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options
from pagereel.fixtures.canaries import draw_canaries
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.integrations import build_many
from pagereel.recorder import record

from . import __doc__ as about

LIMITS = {"build": 0.3, "replay": 90_000, "injector": 20_000, "an hour": 4_000}
"""s of processor time for a test after the first, bytes of its replay, bytes of the injector in gzip, replays an hour by two processes."""

IN_TURN = """
import json, sys, time
from pathlib import Path
from pagereel.player_build import build
taken = []
for path in sys.argv[1:]:
    began = time.process_time()
    build(path, Path(path).with_suffix(".html"))
    taken.append(time.process_time() - began)
print(json.dumps(taken))
"""


def make_site(seed: int = 7) -> RoutingTable:
    """Return an application in which each address has a form, and a table of other people."""
    app = RoutingTable()

    @app.route("GET", r"/(?P<number>\d+)")
    def serve_page(request: FixtureRequest) -> FixtureResponse:
        dice = random.Random(seed * 1_000 + int(request.args["number"]))
        people = [draw_canaries(dice) for _ in range(8)]
        rows = "".join(f"<tr><td>{one['name']}<td>{one['email']}<td>{dice.randrange(10**5)}" for one in people)
        return FixtureResponse.html(
            "<!doctype html><title>Customers</title><style>body { font: 14px sans-serif } td { border: 1px solid #ccc }</style><h1>Customers</h1>"
            "<form onsubmit=\"document.querySelector('output').textContent = 'Saved'; return false\"><label>Note <input name=note></label>"
            f"<button>Save</button> <output></output></form><table><tr><th>Name<th>E-mail<th>Orders{rows}</table>"
        )

    return app


def run_test(page: Any, address: str) -> None:
    """Do what each test does: open the page, type a note, save it."""
    page.goto(address)
    page.get_by_label("Note").fill("please call back")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved").wait_for()


def record_tests(folder: Path, count: int) -> tuple[list[Path], list[int]]:
    """Run the test that many times; return the reels, and the sizes of Playwright's traces of the same test."""
    reels, traces = [], []
    with LoopbackServer(make_site()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for number in range(count):
            path, trace = folder / f"{number}.reel", folder / f"{number}.zip"
            with contextlib.closing(browser.new_context()) as context, record(context, path):
                run_test(context.new_page(), f"{server.url}/{number}")
            with contextlib.closing(browser.new_context()) as context:
                context.tracing.start(screenshots=True, snapshots=True)
                run_test(context.new_page(), f"{server.url}/{number}")
                context.tracing.stop(path=trace)
            reels.append(path)
            traces.append(trace.stat().st_size)
        browser.close()
    return reels, traces


def main(arguments: list[str]) -> int:
    """Return 0 when every limit is met, 1 when one is not."""
    parser = argparse.ArgumentParser(prog="python -m bench.small", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--tests", type=int, default=40)
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reels, traces = record_tests(folder, options.tests)
        done = subprocess.run([sys.executable, "-c", IN_TURN, *map(str, reels)], check=True, capture_output=True, text=True, timeout=900)  # fmt: skip
        first, *further = json.loads(done.stdout.splitlines()[-1])
        began = time.monotonic()
        outcomes = build_many([str(folder / "*.reel")], str(folder / "all"), jobs=2)
        wall = time.monotonic() - began
        failed = [outcome.error for outcome in outcomes if outcome.error]
        if failed:
            print(f"a build failed: {failed[0]}", file=sys.stderr)
            return 1
        script = resources.files("pagereel.dist").joinpath("injector.js").read_bytes()
        result: dict[str, Any] = {
            "tests": options.tests,
            "first": first,
            "build": statistics.median(further),
            "an hour": 3600 * len(outcomes) / wall,
            "reel": statistics.median(path.stat().st_size for path in reels),
            "replay": statistics.median(path.with_suffix(".html").stat().st_size for path in reels),
            "trace.zip": statistics.median(traces),
            "injector": len(gzip.compress(script, 9)),
        }
    print(json.dumps(result, indent=1))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))
    met = all(result[key] <= LIMITS[key] for key in ("build", "replay", "injector"))
    return 0 if met and result["an hour"] >= LIMITS["an hour"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
