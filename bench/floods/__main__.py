"""Measures how long an agent takes on flooding pages with and without a recorder, and prints the ratio."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.recorder import record
from pagereel.reel import open_reel

from . import __doc__ as about

LINES = 20_000
CANVASES = """async () => {
  for (let n = 0; n < 6; n++) {
    const canvas = document.body.appendChild(document.createElement('canvas'));
    canvas.width = canvas.height = 6000;
    canvas.style.width = '200px';
    const pen = canvas.getContext('2d');
    for (let i = 0; i < 2000; i++) { pen.fillStyle = `hsl(${i * 7 + n} 80% 50%)`; pen.fillRect((i * 97) % 6000, (i * 61) % 6000, 300, 200); }
  }
}"""
AGAIN = "() => document.querySelectorAll('canvas').forEach((c, n) => { c.getContext('2d').fillRect(n * 100, Math.random() * 6000, 50, 50); })"


def flood_console(page: Page) -> None:
    """Write 20,000 lines to the console, and click ten times meanwhile."""
    for part in range(10):
        page.evaluate(f"() => {{ for (let n = 0; n < {LINES // 10}; n++) console.log('line', {part}, n, 'of many') }}")
        page.click("button")


def flood_canvases(page: Page) -> None:
    """Draw on six large canvases, and click ten times meanwhile."""
    page.evaluate(CANVASES)
    for _ in range(10):
        page.evaluate(AGAIN)
        page.click("button")


FLOODS: dict[str, Callable[[Page], None]] = {"console": flood_console, "canvases": flood_canvases}


def measure_seconds(browser: Browser, flood: Callable[[Page], None], reel: Path | None) -> float:
    """Return the seconds that the work takes on a new page, recorded into `reel`, or without a recorder where it is None."""
    context = browser.new_context()
    with record(context, reel) if reel else nullcontext():
        page = context.new_page()
        page.set_content("<button>Go on</button>")
        began = time.perf_counter()
        flood(page)
        took = time.perf_counter() - began
    context.close()
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="flood", help=", ".join(FLOODS))
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_options())
        for name in asked.names or FLOODS:
            plain, recorded = [], []
            for _ in range(asked.turns):
                reel = Path(folder) / "run.reel"
                plain.append(measure_seconds(browser, FLOODS[name], None))
                recorded.append(measure_seconds(browser, FLOODS[name], reel))
            with open_reel(reel) as read:
                kinds = [event["k"] for event in read.events()]
                ops = [op for event in read.events() for op in event.get("ops", ()) if op[0] == "canvas"]
                gaps = sorted(
                    {
                        f"{event.get('reason') or event.get('what')}: {event.get('detail')}"
                        for event in read.events(("gap", "unsupported"))
                    }
                )
            without, beside = statistics.median(plain), statistics.median(recorded)
            print(
                f"{name}: {without:.2f} s without, {beside:.2f} s with a recorder: {beside / without:.2f} ×; {kinds.count('console')} lines, {len(ops)} pictures; {gaps}"
            )
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
