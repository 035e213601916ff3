"""Records a busy page for some minutes, samples the recorder's memory, and prints whether it stays flat."""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.recorder import record
from pagereel.reel import compare_checkpoints, open_reel

from . import __doc__ as about

SAMPLE_S = 10.0
PAGE_S = 6.0
"""Seconds on one page: a minute of the day that this is a tenth of."""
SCRIPT = """
const feed = document.querySelector('#feed'), ticker = document.querySelector('#ticker');
let n = 0;
setInterval(() => {
  for (let i = 0; i < 4; i += 1) {
    const row = document.createElement('tr');
    n += 1;
    row.innerHTML = `<td>${n}</td><td class="c${n % 9}">Order ${n * 7919 % 100003}</td><td><a href="#${n}">open</a></td>`;
    feed.prepend(row);
  }
  while (feed.rows.length > 200) feed.lastElementChild.remove();
}, 50);
setInterval(() => { ticker.textContent = new Date().toISOString(); }, 10);
document.querySelector('#more').addEventListener('click', () => console.log('more', n));
"""


def make_site() -> RoutingTable:
    """Return an application whose pages change many times a second."""
    app = RoutingTable()

    @app.route("GET", r"/(?P<number>\d+)")
    def serve_page(request: FixtureRequest) -> FixtureResponse:
        number = int(request.args["number"])
        rows = "".join(f"<li class='i{i % 5}'>Item {number}-{i}</li>" for i in range(300))
        return FixtureResponse.html(
            f"<!doctype html><title>Page {number}</title><style>body {{ background: hsl({number * 37 % 360} 30% 96%) }}</style>"
            f"<h1>Page {number}</h1><p id=ticker></p><input aria-label=Search><button id=more>More</button>"
            f"<ul>{rows}</ul><table><tbody id=feed></tbody></table><script>{SCRIPT}</script>"
        )

    return app


def measure_resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def work_on_page(page: Page, address: str, number: int, until: float) -> None:
    """Open a page, then type and click in it until the time `until`."""
    page.goto(f"{address}/{number}")
    field = page.get_by_label("Search")
    while time.monotonic() < until:
        field.fill(f"order {number} {time.monotonic():.0f}")
        page.locator("#more").click()
        page.mouse.move(100 + number % 300, 120)
        page.wait_for_timeout(250)


def run_soak(minutes: float, folder: Path) -> dict[str, Any]:
    """Record a busy page for so many minutes; return the samples, and whether the recording is sealed and its checkpoints are equal."""
    samples = []
    path = folder / "run.reel"
    with LoopbackServer(make_site()) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, path) as session:
            page = context.new_page()
            cdp = context.new_cdp_session(page)
            cdp.send("Performance.enable")
            began = time.monotonic()
            number, next_sample = 0, began
            while (now := time.monotonic()) < began + minutes * 60:
                if now >= next_sample:
                    next_sample = now + SAMPLE_S
                    heap = {m["name"]: m["value"] for m in cdp.send("Performance.getMetrics")["metrics"]}
                    stats = session.stats
                    gc.collect()
                    samples.append(
                        {
                            "second": round(now - began, 1),
                            "resident": round(measure_resident_mb(), 1),
                            "heap": round(heap["JSHeapUsedSize"] / 1e6, 1),
                            "reel": path.stat().st_size,
                            "events": stats.events,
                            "queue": stats.queue_peak,
                            "writer_share": round(stats.writer_cpu / max(now - began, 1), 4),
                            "gaps": sum(stats.gaps.values()),
                        }
                    )
                    print(json.dumps(samples[-1]), flush=True)
                number += 1
                work_on_page(page, server.url, number, now + PAGE_S)
        browser.close()
    with open_reel(path) as reel:
        sealed, checked = reel.sealed, compare_checkpoints(reel)
    return {"samples": samples, "sealed": sealed, "checkpoints": str(checked)}


def compute_early_and_late_mb(samples: list[dict[str, Any]]) -> tuple[float, float]:
    """Return the median resident memory of the second and of the last fifth of the samples, in MB."""
    taken = [entry["resident"] for entry in samples]
    fifth = max(1, len(taken) // 5)
    return statistics.median(taken[fifth : 2 * fifth] or taken), statistics.median(taken[-fifth:])


def main(arguments: list[str]) -> int:
    """Return 0 when memory stayed flat, 1 when it grew."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        found = run_soak(options.minutes, Path(folder))
    early, late = compute_early_and_late_mb(found["samples"])
    flat = late <= early * 1.05 + 8
    found |= {"early": early, "late": late, "flat": flat}
    print(
        f"resident memory {early:.0f} MB early, {late:.0f} MB late: {'flat' if flat else 'NOT flat'}; {found['checkpoints']}"
    )
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
