"""Measures the CPU seconds and bytes of recording a session: this process, Playwright's driver and the browser together."""

from __future__ import annotations

import os
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.size.__main__ import UnrecordedSession
from pagereel.browser import launch_options
from pagereel.fixtures.agent import run_agent
from pagereel.fixtures.shop import Shop
from pagereel.recorder import record

TICKS = os.sysconf("SC_CLK_TCK")


def measure_cpu_seconds() -> float:
    """Return the CPU seconds of this process and all its descendants, with those that have ended and were waited for."""
    parents, times = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(entry.name)] = int(fields[1])
        times[int(entry.name)] = sum(int(field) for field in fields[11:15]) / TICKS
    return sum(time for process, time in times.items() if _is_descendant(process, parents))


def _is_descendant(process: int, parents: dict[int, int]) -> bool:
    while process not in (0, os.getpid()):
        process = parents.get(process, 0)
    return process != 0


def measure_folder_bytes(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure_sessions(rounds: int, folder: Path) -> dict[str, Any]:
    """Return CPU seconds and bytes of the demo's errand, run in turns alone, recorded, and recorded with shared resources."""
    (folder / "shared").mkdir(parents=True)
    seconds: dict[str, list[float]] = {"alone": [], "recorded": [], "recorded, shared": []}
    sizes: list[int] = []
    with sync_playwright() as playwright, Shop(pace=0.1) as shop:
        browser = playwright.chromium.launch(**launch_options())
        for number in range(rounds + 1):
            for way in list(seconds) if number % 2 else reversed(list(seconds)):
                context, before = browser.new_context(), measure_cpu_seconds()
                if way == "alone":
                    run_agent(UnrecordedSession(), context.new_page(), shop, fast=True)  # type: ignore[arg-type]
                else:
                    shared = way != "recorded"
                    path = folder / "shared" / f"{number}.reel" if shared else folder / f"{number}.reel"
                    with record(context, path, share_resources=shared) as session:
                        run_agent(session, context.new_page(), shop, fast=True)
                context.close()
                if number:  # the first of each warms things up
                    seconds[way].append(measure_cpu_seconds() - before)
            sizes.append(measure_folder_bytes(folder / "shared"))
        browser.close()
    return {
        "rounds": rounds,
        "cpu": {way: {"median": statistics.median(found), "least": min(found)} for way, found in seconds.items()},
        "reel": statistics.median(path.stat().st_size for path in folder.glob("*.reel")),
        "shared: first": sizes[0],
        "shared: each further": (sizes[-1] - sizes[0]) / rounds,
    }
