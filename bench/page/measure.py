"""One sample: one workload on one fresh page under one recorder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .recorders import RECORDERS, Recorder

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
    """CPU times of the main thread and sizes. ms, characters."""

    task: float
    size: int
    #: The longest task that began after the workload's own, and the workload's own; 0 where none was above 50 ms.
    longest_after: float
    workload_task: float
    #: CPU time of the idle self-check that followed; None where it was not waited for.
    check: float | None = None


class TooSlow(Exception):
    """The machine was so slow that the sample says nothing: a self-check ran into it, or nothing was delivered."""


@contextlib.contextmanager
def fresh_page(browser: Any) -> Iterator[tuple[Any, Any]]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    try:
        page = context.new_page()
        cdp = context.new_cdp_session(page)
        cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield page, cdp
    finally:
        context.close()


def metrics(cdp: Any) -> float:
    """CPU time of all tasks of the main thread so far, ms."""
    found = {entry["name"]: entry["value"] for entry in cdp.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"]) * 1000


def quiet(page: Any, recorder: Recorder, at_most: float = 40.0) -> None:
    """Waits until nothing more is delivered. The wait is one of the page's own timers, which fires after every timer
    of a recorder that was due before: a busy page or machine only makes it longer.
    """
    calm, last, began = 0, -1, time.monotonic()
    while calm < 2 and time.monotonic() - began < at_most:
        page.evaluate("new Promise((resolve) => setTimeout(resolve, 120))")
        calm = calm + 1 if len(recorder.received) == last else 0
        last = len(recorder.received)


def staged(page: Any, cdp: Any, workload: str, variant: str, *, hidden: bool = False) -> Any:
    """The page ready for a workload and at rest, and its recorder: running, or, for a snapshot of the table, about to."""
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
    quiet(page, recorder)
    cdp.send("HeapProfiler.collectGarbage")
    return recorder


def sample(browser: Any, workload: str, variant: str, *, hidden: bool = False, check: bool = False) -> Sample:
    """Runs one workload. `hidden` takes layout and paint out of the page, so that its tasks are script alone."""
    with fresh_page(browser) as (page, cdp):
        recorder = staged(page, cdp, workload, variant, hidden=hidden)
        page.evaluate(LONG_TASKS)
        before, sizes, checks = metrics(cdp), recorder.size, recorder.checkpoints
        started = page.evaluate("performance.now()")
        if workload == SNAPSHOT:
            recorder.start()
            ended = started
        else:
            ended = page.evaluate(f"workloads['{workload}'](), performance.now()")
        quiet(page, recorder)
        after = metrics(cdp)
        size = recorder.size - sizes
        if recorder.checkpoints != checks or (size == 0 and variant != "none"):
            raise TooSlow
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
            result.check = metrics(cdp) - after
        return result
