"""Measures how many ms a live viewer lags behind a recorded page, and how much CPU one and ten viewers cost the server.

python -m bench.live                  # 20 s each; prints floors beside what was measured
python -m bench.live --seconds 60
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Page, async_playwright

from pagereel.browser import launch_options
from pagereel.library import Library
from pagereel.reel import read_unfinished_header
from tests.library.server import served

from ..process import read_cpu_seconds

BEHIND_MS: Final = 500.0
"""The floor: what is shown is no more behind, at the 95th percentile."""
_PAGE: Final = """<!doctype html><title>Orders</title><style>li:nth-child(odd) { background: #eef }</style>
<h1>Orders</h1><input id=name><button id=add>Add</button><ol id=list></ol><div id=ticks></div><table id=table></table>
<script>
  // Each tick is one more element, so that its number says when it came, also where all text is a stand-in.
  const told = (window.told = []);
  setInterval(() => { ticks.append(document.createElement("i")); told.push(performance.timeOrigin + performance.now()); }, 170);
  for (let row = 0; row < 400; row++) table.insertRow().innerHTML = `<td>Order ${row}<td>open<td>${row * 7} euros`;
  add.onclick = () => { const item = document.createElement("li"); item.textContent = `Order for ${document.getElementById("name").value}`; list.append(item); };
</script>"""
_SEEN: Final = """(ms) => new Promise((resolve) => {
  const counted = () => pagereel.frame?.contentDocument.querySelectorAll("i").length ?? 0;
  const seen = {}; let most = counted(); const end = performance.now() + ms; // What was there when the viewer came was not late.
  const look = () => {
    const count = counted();
    if (count > most) { for (let n = most + 1; n <= count; n++) seen[n] = performance.timeOrigin + performance.now(); most = count; }
    if (performance.now() < end) requestAnimationFrame(look); else resolve(seen);
  };
  look();
})"""


@dataclass(frozen=True)
class ProcessCost:
    """CPU seconds of a process and its descendants, and their memory in MB."""

    cpu: float
    memory: float


def main(arguments: list[str]) -> int:
    """Return 0 when the 95th percentile of the viewers' lag is below the floor, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.live", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    told = asyncio.run(measure_viewers(options.seconds))
    for name, figures in told.items():
        print(f"{name:22}" + "  ".join(f"{what} {value:,.1f}" for what, value in figures.items()))
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"load {load} on {os.cpu_count()} cores; the floor: p95 {BEHIND_MS:,.0f} ms")
    if options.json:
        options.json.write_text(json.dumps(told))
    behind = [figures["p95"] for figures in told.values() if "p95" in figures]
    return 1 if max(behind) > BEHIND_MS else 0


async def measure_viewers(seconds: float) -> dict[str, dict[str, float]]:
    """Return lag and cost of the server by title: with no viewer, with a raw one, with a masked one, and with ten masked ones."""
    found: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        (folder / "made").mkdir()
        Library(folder / "runs").close()
        tokens = folder / "tokens.toml"
        rows = [(role, hashlib.sha256(role.encode()).hexdigest()) for role in ("reader", "raw")]
        tokens.write_text(
            "".join(f'[[token]]\nname = "{role}"\nrole = "{role}"\nsha256 = "{digest}"\n' for role, digest in rows)
        )
        site = stack.enter_context(served(folder / "runs", "--tokens", str(tokens), "--live", str(folder / "made")))
        server = _find_server_process(site.pages)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(**launch_options())
            viewers = await playwright.chromium.launch(**launch_options())
            reel = folder / "made" / "run.reel"
            async with _record_agent(browser, reel) as page:
                await asyncio.sleep(2)
                found["nobody watches"] = await _measure_server(server, seconds / 2)
                id = str((read_unfinished_header(reel) or {})["id"])
                for title, role, crowd in (
                    ("one, as it is", "raw", 0), ("one, masked", "reader", 0), ("ten, masked", "reader", 9),
                ):  # fmt: skip
                    with contextlib.ExitStack() as others:
                        for _ in range(crowd):
                            others.enter_context(_read_live_stream(site.pages, f"/api/v1/runs/{id}/live", role))
                        frame = await _open_live_replay(viewers, site.pages, id, role)
                        await asyncio.sleep(1)
                        seen, cost = await asyncio.gather(
                            frame.evaluate(_SEEN, seconds * 1000), _measure_server(server, seconds)
                        )
                        times = await page.evaluate("told")
                        late = sorted(at - times[int(n) - 1] for n, at in seen.items() if int(n) <= len(times))
                        found[title] = {
                            "n": float(len(late)), "median": statistics.median(late), "p95": late[int(len(late) * 0.95) - 1], **cost,
                        }  # fmt: skip
                        await frame.page.context.close()
            await viewers.close()
            await browser.close()
    return found


@contextlib.asynccontextmanager
async def _record_agent(browser: Any, reel: Path) -> Any:
    """Record an agent that fills and clicks in steps until the block ends; give its page."""
    from pagereel.recorder import record

    context = await browser.new_context(viewport={"width": 1000, "height": 700})
    async with record(context, reel, agent="live-bench") as session:
        page: Page = await context.new_page()
        await page.route("**/*", lambda route: route.fulfill(body=_PAGE, content_type="text/html"))
        await page.goto("http://orders.example/")
        over = asyncio.Event()

        async def run_agent() -> None:
            number = 0
            while not over.is_set():
                number += 1
                with session.step(f"Add order {number}", reasoning="One more was asked for") as step:
                    await page.fill("#name", f"Customer {number}")
                    await page.click("#add")
                    session.llm_call(
                        model="m", input_tokens=900, output_tokens=40, prompt="What next?", response="Another order"
                    )
                    step.outcome(success=True)
                await asyncio.sleep(0.7)

        work = asyncio.create_task(run_agent())
        try:
            yield page
        finally:
            over.set()
            await work
    await context.close()


async def _open_live_replay(browser: Any, host: str, id: str, role: str) -> Any:
    """Open the live replay of a run as a viewer with this role, and return its iframe."""
    context = await browser.new_context(viewport={"width": 1300, "height": 900})
    page = await context.new_page()
    await page.goto(f"http://{host}/login?token={role}")
    await page.goto(f"http://{host}/runs/{id}/live?reason=bench")
    await page.wait_for_selector('iframe[name="replay"]')
    frame = page.frame("replay")
    while not await frame.evaluate("typeof window.pagereel?.ready?.then === 'function'"):
        await asyncio.sleep(0.05)
    await frame.evaluate("pagereel.ready")
    return frame


@contextlib.contextmanager
def _read_live_stream(host: str, path: str, role: str) -> Iterator[None]:
    """Read a run's live stream in a thread, without showing it, until the block ends."""
    connection = HTTPConnection(host, timeout=60)
    connection.request("GET", path, headers={"Authorization": f"Bearer {role}"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.status

    def read_lines() -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            while answer.readline():
                pass

    threading.Thread(target=read_lines, daemon=True).start()
    try:
        yield
    finally:
        if connection.sock is not None:
            connection.sock.shutdown(2)
        connection.close()


async def _measure_server(server: int, seconds: float) -> dict[str, float]:
    """Return what the server and its processes take in that many seconds: CPU in % of a core, and memory in MB at the end."""
    before, began = _measure_cost(server), time.monotonic()
    await asyncio.sleep(seconds)
    after, took = _measure_cost(server), time.monotonic() - began
    return {"CPU %": 100 * (after.cpu - before.cpu) / took, "MB": after.memory}


def _measure_cost(pid: int) -> ProcessCost:
    """Return the CPU time and the memory of a process and its descendants."""
    cpu = memory = 0.0
    for each in (pid, *_list_descendants(pid)):
        with contextlib.suppress(OSError):
            cpu += read_cpu_seconds(each)
            told = Path(f"/proc/{each}/smaps_rollup").read_text()
            memory += next(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1024
    return ProcessCost(cpu, memory)


def _list_descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    found = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return [*found, *(below for child in found for below in _list_descendants(child))]


def _find_server_process(host: str) -> int:
    """Return the id of the child process that was started last, which is the server."""
    return _list_descendants(os.getpid())[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
