"""Measures CPU time, memory and disk of a recording in which nothing happens for an hour."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagereel.browser import launch_options
from pagereel.recorder import record
from pagereel.reel import open_reel, verify

from . import __doc__ as about

PAGE = "<!doctype html><title>Idle</title><button onclick=\"this.textContent = 'clicked'\">wait</button>"


def measure_resident_mb() -> float:
    """Return the resident memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.idle", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--minutes", type=float, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="idle-") as folder, sync_playwright() as playwright:
        reel = Path(folder) / "run.reel"
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context()
        with record(context, reel) as session:
            page = context.new_page()
            page.set_content(PAGE)
            cdp = context.new_cdp_session(page)
            cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

            def read_task_seconds() -> float:
                """Return the CPU seconds of the page's main thread so far."""
                found = cdp.send("Performance.getMetrics")["metrics"]
                return next(float(one["value"]) for one in found if one["name"] == "TaskDuration")

            page.wait_for_timeout(5_000)
            before = (time.process_time(), read_task_seconds(), reel.stat().st_size, measure_resident_mb())
            time.sleep(given.minutes * 60)
            after = (time.process_time(), read_task_seconds(), reel.stat().st_size, measure_resident_mb())
            with session.step("Click") as step:
                page.click("button")
                step.outcome(success=page.inner_text("button") == "clicked")
        browser.close()
        report = verify(reel)
        with open_reel(reel) as opened:
            ends = [event for event in opened.timeline() if event["k"] == "step_end"]
            gaps = [event for event in opened.events() if event["k"] == "gap"]
    python, main_thread, size, memory = (b - a for a, b in zip(before, after, strict=True))
    hours = given.minutes / 60
    print(f"{given.minutes:g} minutes: CPU of the process {python:.1f} s ({python / hours:.1f} s an hour), of the page's main thread "
          f"{main_thread:.2f} s; the reel grew by {size} bytes, the process by {memory:.1f} MB")  # fmt: skip
    print(
        f"afterwards: {report.checkpoints}, {len(gaps)} gaps, step {ends[0]['success']}; {'sealed' if report.ok else report.problems}"
    )
    return 0 if report.ok and ends[0]["success"] and not gaps else 1


if __name__ == "__main__":
    sys.exit(main())
