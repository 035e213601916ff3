"""bench/compare/page: what compare.html takes to make, how large it is beside a replay, and when it first shows both pages.

    python -m bench.compare.page A B

Two recordings, of which the larger one's replay is the measure. Nothing is asserted: the figures are printed beside their floors.
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
SHOWS = """async () => {
  await pagereel.ready;
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  return performance.now();
}"""


def first_frame(browser: Browser, page: Path) -> float:
    """Return ms from the navigation until both pages show, median of several."""
    taken = []
    for _ in range(ROUNDS):
        window = browser.new_page()
        window.goto(page.as_uri(), wait_until="commit")
        taken.append(window.evaluate(SHOWS))
        window.close()
    return median(taken)


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
        larger = max(build(one, Path(folder) / f"{n}.html", redaction=None).size for n, one in enumerate((a, b)))
        browser = playwright.chromium.launch(**launch_options())
        shown = first_frame(browser, page)
        browser.close()
    calls = sum(pair.kind == "paired" for pair in result.pairs)
    print(
        f"compared in {compared:.2f} s ({calls} steps and calls in both; floors: 56 actions 2 s, two pages of 60,000 elements 3 s)"
    )
    print(f"written in {written:.2f} s, {size:,} bytes: {size / larger:.2f} of the larger replay (floor 1.3)")
    print(f"both pages show after {shown:.0f} ms, median of {ROUNDS} (floor 500)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
