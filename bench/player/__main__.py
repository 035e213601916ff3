"""Measures how fast pagereel's player and rrweb's Replayer open and seek the same sessions, and prints the figures."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.fidelity.third_party_packages import install_npm_packages
from bench.page.recorders import RRWEB as RRWEB_PACKAGE
from pagereel.browser import launch_options
from pagereel.cli.demo import record_demo_run
from pagereel.integrations.rrweb import to_rrweb
from pagereel.player_build import build
from pagereel.reel import open_reel

from . import __doc__ as about
from .sample_session import SampleSession

SESSIONS = {
    "minute": (2_000, 60_000.0, 200),
    "20,000 events": (20_000, 600_000.0, 500),
    "hour": (200_000, 3_600_000.0, 500),
    "day": (1_600_000, 8 * 3_600_000.0, 500),
}
"""Changes, ms, rows of the table."""
ALONE = ("day",)
"""Only when asked for, and without rrweb: its page would hold 300 MB of JSON."""
USUAL = (*(name for name in SESSIONS if name not in ALONE), "demo")
KINDS = ("first frame", "forward", "backward", "random", "scrub", "memory")
SEEKS = 40
FETCHED = Path()
"""`--rrweb` without a folder."""
PATIENCE = 25_000
"""ms that one kind of seeks may take; what is not done by then is left out, and the number done is printed."""

DRIVE = """
async ({times, patience}) => {
  const taken = [], began = performance.now();
  for (const t of times) {
    if (performance.now() - began > patience) break;
    const start = performance.now();
    await window.benchSeek(t);
    taken.push(performance.now() - start);
  }
  return taken;
}
"""
SCRUB = """
async ({times, patience}) => {
  const frame = () => new Promise(requestAnimationFrame);
  const taken = [], began = performance.now();
  let last = await frame();
  for (const t of times) {
    if (performance.now() - began > patience) break;
    void window.benchSeek(t);
    const now = await frame();
    taken.push(now - last);
    last = now;
  }
  return taken;
}
"""
# Both note the time in the page: asking from outside takes longer than the frame.
READY = """{
  const look = () => { if (window.pagereel) window.shown = pagereel.ready.then(() => performance.now()); else setTimeout(look, 1); };
  if (top === window) look();
}"""
# pagereel's seek() is done when the moment is painted, two frames after its work; with rrweb the bench waits for that.
PAGEREEL = "() => { window.benchSeek = (t) => pagereel.seek(t); }"
RRWEB = """<!doctype html><meta charset=utf-8><style>{style}</style><body><script>{code}</script>
<script type="application/json" id="events">{events}</script>
<script>
const events = JSON.parse(document.getElementById("events").textContent);
const replayer = new rrweb.Replayer(events, {{ root: document.body, mouseTail: false, showWarning: false }});
const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.benchSeek = (t) => {{ replayer.pause(t); return painted(); }};
replayer.pause(1);
window.shown = painted().then(() => performance.now());
</script>"""


@contextlib.contextmanager
def open_player(browser: Browser, html: Path, *, pagereel: bool) -> Iterator[tuple[Page, float]]:
    """Open a replay in a fresh page; give the page, and the ms until its first frame was painted."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    with contextlib.closing(context):
        page = context.new_page()
        page.set_default_timeout(180_000)
        if pagereel:
            page.add_init_script(READY)
        page.goto(html.as_uri() + ("#t=1" if pagereel else ""), wait_until="commit")
        # Not "load": what rrweb asks of addresses that are gone may never be answered.
        while not page.evaluate("window.shown !== undefined"):
            page.wait_for_timeout(20)
        yield page, page.evaluate("window.shown")


def measure_seeks(page: Page, duration: float, *, pagereel: bool) -> dict[str, Any]:
    """Return the ms of each seek, forward, backward, at random and scrubbing, and the memory after them in MB."""
    if pagereel:
        page.evaluate(PAGEREEL)
    steps = [1000 + (duration - 2000) * n / SEEKS for n in range(SEEKS)]
    jumps = [steps[(n * 17) % SEEKS] for n in range(SEEKS)]
    result: dict[str, Any] = {}
    for name, times in (("forward", steps), ("backward", steps[::-1]), ("random", jumps)):
        result[name] = page.evaluate(DRIVE, {"times": times, "patience": PATIENCE})
    sweep = [duration / 2 + n * duration / 2000 for n in range(90)]
    result["scrub"] = page.evaluate(SCRUB, {"times": sweep, "patience": PATIENCE})
    result["memory"] = [measure_heap_mb(page)]
    return result


def measure_players(browser: Browser, files: dict[str, Path], duration: float, opens: int) -> dict[str, dict[str, Any]]:
    """Return the figures of each player on one session; the players take turns."""
    found: dict[str, dict[str, Any]] = {
        way: {"first frame": [], "file": path.stat().st_size} for way, path in files.items()
    }
    for number in range(opens):
        for way, path in files.items():
            pagereel = way == "pagereel"
            with open_player(browser, path, pagereel=pagereel) as (page, first):
                found[way]["first frame"].append(first)
                if number == 0:
                    found[way] |= measure_seeks(page, duration, pagereel=pagereel)
    return found


def measure_heap_mb(page: Page) -> float:
    """Return the size of the page's JavaScript heap in MB after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {item["name"]: item["value"] for item in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["JSHeapUsedSize"]) / 1e6


def format_times(values: list[float]) -> str:
    """Return the median and the 95th percentile of times as text."""
    if not values:
        return "none in time"
    if len(values) < 10:
        return f"{statistics.median(values):,.0f}"
    ordered = sorted(values)
    at95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    few = f" (of {len(values)})" if len(values) < SEEKS else ""
    return f"{statistics.median(values):,.0f} / {at95:,.0f}{few}"


def prepare_session(name: str, reel: Path, demo: Path, *, with_rrweb: bool) -> tuple[Path, float, list[Any]]:
    """Return the reel of a session, its duration in ms, and the same session as rrweb's events if they are wanted."""
    if name == "demo":
        reel = demo
        with open_reel(reel) as opened:
            duration = max((float(str(event.get("t", 0))) for event in opened.events()), default=0.0)
        return reel, duration, list(to_rrweb(reel)) if with_rrweb else []
    changes, duration, count = SESSIONS[name]
    session = SampleSession(changes, duration, count, beside=with_rrweb)
    session.write(reel)
    return reel, duration, session.rrweb


def write_rrweb_page(folder: Path, events: list[Any], page: Path) -> None:
    """Write one HTML file that holds rrweb's Replayer with these events."""
    dist = folder / "node_modules" / "rrweb" / "dist"
    code = (dist / "rrweb.umd.min.cjs").read_text("utf-8").replace("</script", "<\\/script")
    style = (dist / "style.min.css").read_text("utf-8")
    data = json.dumps(events, separators=(",", ":")).replace("</", "<\\/")
    page.write_text(RRWEB.format(style=style, code=code, events=data), "utf-8")


def main(arguments: list[str]) -> int:
    """Print the figures of each session and return 0; they have no limit."""
    parser = argparse.ArgumentParser(prog="python -m bench.player", description=(about or "").split("\n")[0])
    parser.add_argument(
        "--rrweb",
        type=Path,
        nargs="?",
        const=FETCHED,
        help="a folder whose node_modules holds rrweb; none named: npm fetches it",
    )
    parser.add_argument("--opens", type=int, default=3, help="how often each file is opened")
    parser.add_argument("--session", action="append", default=[], choices=[*SESSIONS, "demo"], help="only this one")
    parser.add_argument("--demo", type=Path, metavar="REEL", help="a recording of the demo; else it is recorded now")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure there")
    options = parser.parse_args(arguments)
    if options.rrweb == FETCHED:
        options.rrweb = install_npm_packages(RRWEB_PACKAGE)
    rows: list[str] = []
    found: dict[str, Any] = {"load": [os.getloadavg()[0]], "sessions": {}}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if options.demo is None and "demo" in (options.session or USUAL):
            # Recorded first: its Playwright cannot start inside another one.
            options.demo = Path(folder) / "recorded.reel"
            record_demo_run(options.demo, headed=False)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(**launch_options())
        found["browser"] = f"Chromium {browser.version}"
        for name in options.session or USUAL:
            beside = options.rrweb is not None and name not in ALONE
            reel, duration, events = prepare_session(
                name, Path(folder) / f"{name}.reel", options.demo, with_rrweb=beside
            )
            html, other = Path(folder) / "run.html", Path(folder) / "rrweb.html"
            build(reel, html, redaction=None)
            ways = {"pagereel": html}
            if beside:
                write_rrweb_page(options.rrweb, events, other)
                ways["rrweb"] = other
            del events
            found["sessions"][name] = measure_players(browser, ways, duration, options.opens)
            for way, figures in found["sessions"][name].items():
                cells = [format_times(figures[key]) for key in KINDS]
                rows.append(f"| {name} | {way} | {figures['file'] / 1e6:.1f} | " + " | ".join(cells) + " |")
                print(rows[-1], flush=True)
        browser.close()
    found["load"].append(os.getloadavg()[0])
    load = " to ".join(f"{value:.1f}" for value in found["load"])
    print(
        f"\n{found['browser']}; median / 95th percentile, ms; sizes and memory in MB; load of {os.cpu_count()} cores {load}\n"
    )
    print("| session | player | file | first frame | forward | backward | random | scrub frame | memory |")
    print("|---|---|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
