"""bench/compare/page: how long compare.html takes to write and to show both pages, and how large it is beside a replay.

    python -m bench.compare.page A B

A and B are two recordings; the size is measured against the larger one's replay. The figures are printed beside their floors, and no floor makes it fail.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options
from pagereel.comparison import compare
from pagereel.integrations import write_comparison
from pagereel.player_build import build

ROUNDS = 5
SETTLES = 3000
"""Ms after which a window's own pages, those of its address bar, are loaded: they take a second of both processors."""
LOOKS = """
const points = [60, 150, 240, 330, 420, 510, 600];
const looked = (globalThis.looked = { seen: [], whole: 0, before: '' });
const words = (frame) => points.map((y) => frame.contentDocument?.elementFromPoint(90, y)?.textContent.slice(0, 80) ?? '');
const read = () => JSON.stringify([...document.querySelectorAll('iframe:not(.off)')].map(words));
const look = (now) => {
  if (looked.before) looked.seen.push([now, looked.before]);  // What stood at the frame before has been painted.
  looked.before = document.querySelector('iframe') ? read() : '';
  if (!looked.whole) requestAnimationFrame(look);
};
if (window === top) requestAnimationFrame(look);
"""
SHOWS = """async () => {
  await pagereel.ready;
  const painted = () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  await painted();
  const now = performance.now();
  await painted();
  looked.whole = now;
  return [looked.seen.find(([, words]) => words === looked.before)[0], now];
}"""
SPENT = ("TaskDuration", "LayoutDuration", "RecalcStyleDuration")


def measure_first_frame(browser: Browser, page_file: Path) -> tuple[float, float, dict[str, float]]:
    """Return the medians of two times in ms, and of the CPU ms of the page's main thread until the second one.

    The first time is when the visible part shows its final text, the second when the whole page does, both from the navigation. The page is opened in a new
    tab of a running browser, as a double click on the file does.
    """
    looks, wholes, spent = [], [], []
    context = browser.new_context()
    context.new_page().wait_for_timeout(SETTLES)
    for _ in range(ROUNDS):
        window = context.new_page()
        window.add_init_script(LOOKS)
        session = window.context.new_cdp_session(window)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        window.goto(page_file.as_uri(), wait_until="commit")
        look, whole = window.evaluate(SHOWS)
        told = {each["name"]: each["value"] * 1000 for each in session.send("Performance.getMetrics")["metrics"]}
        looks.append(look)
        wholes.append(whole)
        spent.append({name: told[name] for name in SPENT})
        window.close()
    context.close()
    return median(looks), median(wholes), {name: median(each[name] for each in spent) for name in SPENT}


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__)
        return 2
    a, b = map(Path, arguments)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        began = time.perf_counter()
        result = compare(a, b, redaction=None)
        compared = time.perf_counter() - began
        page = Path(folder) / "compare.html"
        began = time.perf_counter()
        size = write_comparison(result, page, a.name, b.name).size
        written = time.perf_counter() - began
        replay = Path(folder) / "b.html"
        larger = max(build(one, made, redaction=None).size for one, made in ((a, Path(folder) / "a.html"), (b, replay)))
        browser = playwright.chromium.launch(**launch_options())
        shown, alone = measure_first_frame(browser, page), measure_first_frame(browser, replay)
        browser.close()
    calls = sum(pair.kind == "paired" for pair in result.pairs)
    print(
        f"compared in {compared:.2f} s ({calls} steps and calls in both; floors: 56 actions 2 s, two pages of 60,000 elements 3 s)"
    )
    print(f"written in {written:.2f} s, {size:,} bytes: {size / larger:.2f} of the larger replay (floor 1.3)")
    for name, (look, whole, spent) in (("both pages", shown), ("a replay of the second", alone)):
        took = ", ".join(f"{what.removesuffix('Duration')} {ms:.0f}" for what, ms in spent.items())
        print(
            f"{name}: what is in sight shows after {look:.0f} ms, all of it stands after {whole:.0f} ms (medians of {ROUNDS}; floor 500); ms of the page's thread: {took}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
