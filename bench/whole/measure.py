"""Takes one sample of a workload or of a quiet page; times are in ms."""

from __future__ import annotations

import time
from typing import Any

from bench.page.measure import LONG_TASKS, SCRIPT, SNAPSHOT, TABLE
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, RoutingTable

from .main_threads import read_renderers_cpu_ms
from .recorder_pages import open_page

AFTER = 2_000
"""ms after a workload or a load that belong to it. The self-check is in them on small pages; on one of 10,000 elements and more it comes later (2.5 s and more), see bench/notes.md."""
CALM = 1_500


def sample_workload(browser: Any, name: str, recorder: str, *, hidden: bool = False) -> tuple[float, float]:
    """Return the CPU ms of one workload with the 2 s after it, and the longest task in ms after the workload's own.

    `hidden` takes layout out of the page.
    """
    with open_page(browser, recorder) as at:
        at.page.set_content("<!doctype html><body></body>")
        if hidden:
            at.page.evaluate("document.documentElement.style.display = 'none'")
        at.page.evaluate(SCRIPT)
        at.page.evaluate("prepare()")
        if name == SNAPSHOT:
            at.page.evaluate(f"workloads['{TABLE}']()")
        else:
            at.start()
        at.page.wait_for_timeout(CALM)
        at.cdp.send("HeapProfiler.collectGarbage")
        at.page.evaluate(LONG_TASKS)
        at.page.wait_for_timeout(200)
        before, ended = read_renderers_cpu_ms(), at.page.evaluate("performance.now()")
        if name == SNAPSHOT:
            at.start()
        else:
            ended = at.page.evaluate(f"workloads['{name}'](), performance.now()")
        at.page.wait_for_timeout(AFTER)
        taken = read_renderers_cpu_ms() - before
        tasks = at.page.evaluate("longTasks")
        return taken, max((length for start, length in tasks if start > ended - 0.1), default=0.0)


def make_site() -> RoutingTable:
    """Return an application with one page of a hundred elements that does nothing by itself."""
    app = RoutingTable()
    rows = "".join(f"<li class=row id=i{number}>row <b>{number}</b></li>" for number in range(47))
    html = f"<!doctype html><title>Hundred</title><style>li {{ color: #333 }}</style><main><ul>{rows}</ul></main>"

    @app.route("GET", "/.*")
    def serve_page(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.html(html)

    return app


def sample_quiet_page(
    browser: Any, address: str, recorder: str, loads: int, idle: float
) -> tuple[list[float], float, float]:
    """Return the CPU ms of each load, and the shares of a core that the page's main thread and this process take in `idle` idle seconds."""
    with open_page(browser, recorder) as at:
        at.start_with_loads()
        at.page.goto(address)
        at.page.wait_for_timeout(AFTER)
        taken = []
        for number in range(loads):
            before = read_renderers_cpu_ms()
            at.page.goto(f"{address}/{number}")
            at.page.wait_for_timeout(AFTER)
            taken.append(read_renderers_cpu_ms() - before)
        at.page.wait_for_timeout(CALM)
        before, own = read_renderers_cpu_ms(), time.process_time()
        at.page.wait_for_timeout(idle * 1000)
        own = time.process_time() - own
        return taken, (read_renderers_cpu_ms() - before) / idle / 1000, own / idle
