"""Measures one workload on a fresh page under one recorder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .recorders import RECORDERS, BenchRecorder

SCRIPT = Path(__file__).with_name("workloads.js").read_text(encoding="utf-8")
TABLE = "table of 60,000"
SNAPSHOT = "60,000 elements: snapshot"
# Begun before the measured span; what is longer than 50 ms by the browser's own definition.
LONG_TASKS = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push([entry.startTime, entry.duration]);
}).observe({type: 'longtask'});
"""


@dataclass
class Sample:
    """The figures of one workload: CPU times of the main thread in ms, and sizes in characters."""

    task: float
    size: int
    #: The longest task that began after the workload's own, and the workload's own; 0 where none was above 50 ms.
    longest_after: float
    workload_task: float
    #: CPU time of the idle self-check that followed; None where it was not waited for.
    check: float | None = None


class MachineTooSlow(Exception):
    """Raised where a sample is worthless on a slow machine: a self-check ran in it, or the recorder delivered nothing."""


@contextlib.contextmanager
def open_fresh_page(browser: Any) -> Iterator[tuple[Any, Any]]:
    """Open a page in a new context, and give it with its CDP session until the block ends."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    try:
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, cdp
    finally:
        context.close()


def read_task_ms(cdp: Any) -> float:
    """Return the CPU time of all tasks of the page's main thread so far, in ms."""
    found = {entry["name"]: entry["value"] for entry in cdp.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"]) * 1000


def wait_until_quiet(page: Any, recorder: BenchRecorder, at_most: float = 40.0) -> None:
    """Wait until the recorder delivers nothing more, at most `at_most` seconds.

    It waits by timers of the page itself, which fire after all timers of a recorder that were due before; so a busy page or machine only makes it wait longer.
    """
    calm, last, began = 0, -1, time.monotonic()
    while calm < 2 and time.monotonic() - began < at_most:
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 120))")
        calm = calm + 1 if len(recorder.received) == last else 0
        last = len(recorder.received)


def prepare_workload(page: Any, cdp: Any, workload: str, variant: str, *, hidden: bool = False) -> Any:
    """Prepare the page for a workload, start the recorder, wait until both are at rest, and return the recorder.

    For the snapshot workload the recorder is not started, as its start is what is measured.
    """
    recorder = RECORDERS[variant](cdp)
    page.set_content("<!doctype html><body></body>")
    if hidden:
        page.evaluate("document.documentElement.style.display = 'none'")
    page.evaluate(SCRIPT)
    page.evaluate("prepare()")
    recorder.prepare()
    if workload == SNAPSHOT:
        page.evaluate(f"workloads['{TABLE}']()")
    else:
        recorder.start()
    wait_until_quiet(page, recorder)
    cdp.send("HeapProfiler.collectGarbage")
    return recorder


def measure_sample(browser: Any, workload: str, variant: str, *, hidden: bool = False, check: bool = False) -> Sample:
    """Run one workload and return its figures. `hidden` leaves layout and paint out, so that tasks hold scripts alone."""
    with open_fresh_page(browser) as (page, cdp):
        recorder = prepare_workload(page, cdp, workload, variant, hidden=hidden)
        page.evaluate(LONG_TASKS)
        before, sizes, checks = read_task_ms(cdp), recorder.size, recorder.checkpoints
        started = page.evaluate("performance.now()")
        if workload == SNAPSHOT:
            recorder.start()
            ended = started
        else:
            ended = page.evaluate(f"workloads['{workload}'](), performance.now()")
        wait_until_quiet(page, recorder)
        after = read_task_ms(cdp)
        size = recorder.size - sizes
        if recorder.checkpoints != checks or (size == 0 and variant != "none"):
            raise MachineTooSlow
        tasks = page.evaluate("longTasks")
        result = Sample(
            after - before,
            size,
            max((length for start, length in tasks if start > ended - 0.1), default=0),
            max((length for start, length in tasks if start <= ended - 0.1), default=0),
        )
        if check and variant == "pagereel":
            deadline = time.monotonic() + 20
            while recorder.checkpoints == checks and time.monotonic() < deadline:
                page.wait_for_timeout(50)
            page.wait_for_timeout(100)
            result.check = read_task_ms(cdp) - after
        return result
