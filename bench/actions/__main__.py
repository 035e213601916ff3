"""Measures how many ms recording and Playwright's tracing add to a click, a fill and a read, and prints them beside the limit."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.recorder import record

from . import __doc__ as about

LIMIT = 3.0
"""Ms that a call may take longer, median."""
VARIANTS = ("plain", "pagereel", "tracing")
PAUSE = 30
"""Ms between two calls."""
PAGE = """<!doctype html><title>Rows</title><label>Filter <input id=filter></label><button id=change>Change</button>
<table><tbody></tbody></table><script>
const rows = Number(location.hash.slice(1)), body = document.querySelector('tbody');
body.innerHTML = Array.from({length: rows}, (_, i) =>
  `<tr class="row ${i % 2 ? 'odd' : 'even'}"><td>${i}</td><td>Kettle ${i}</td><td>${i * 3 % 97}.50</td></tr>`).join('');
let n = 0;
document.querySelector('#change').onclick = () => {
  const row = body.rows[n++ * 37 % rows];
  row.cells[1].textContent = `Kettle changed ${n}`;
  row.classList.toggle('marked');
};
</script>"""


def list_round_calls(turn: int) -> list[tuple[str, Callable[[Page], Any]]]:
    """Return the calls of one round, each with its name; `turn` is the round's number and makes the filled text new."""
    return [
        ("click", lambda page: page.click("#change")),
        ("fill", lambda page: page.fill("#filter", f"kettle {turn}")),
        ("read", lambda page: page.text_content("#change")),
    ]


def open_page(context: BrowserContext, rows: int) -> Page:
    """Open the page of a table with `rows` rows in a new tab of the context."""
    page = context.new_page()
    page.route("http://bench.test/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.goto(f"http://bench.test/#{rows}")
    page.unroute("http://bench.test/")
    return page


def measure_calls(browser: Browser, rows: int, rounds: int, folder: Path) -> dict[str, dict[str, list[float]]]:
    """Return how many ms each call took on each page: variant → call → one figure for each round."""
    contexts = {name: browser.new_context() for name in VARIANTS}
    contexts["tracing"].tracing.start(snapshots=True)
    session = record(contexts["pagereel"], folder / f"{rows}.reel")
    session.start()
    pages = {name: open_page(context, rows) for name, context in contexts.items()}
    taken: dict[str, dict[str, list[float]]] = {
        name: {call: [] for call, _ in list_round_calls(0)} for name in VARIANTS
    }
    for turn in range(rounds + 2):
        order = VARIANTS[turn % 3 :] + VARIANTS[: turn % 3]
        for call, do in list_round_calls(turn):
            for name in order:
                pages["plain"].wait_for_timeout(PAUSE)
                began = time.perf_counter()
                do(pages[name])
                if turn >= 2:
                    taken[name][call].append((time.perf_counter() - began) * 1000)
    session.stop()
    contexts["tracing"].tracing.stop(path=folder / f"{rows}.zip")
    for context in contexts.values():
        context.close()
    return taken


def compute_added_ms(times: dict[str, dict[str, list[float]]], variant: str) -> list[float]:
    """Return by how many ms each call took longer than the same call on the plain page of the same round."""
    return [
        theirs - plain
        for call, figures in times[variant].items()
        for theirs, plain in zip(figures, times["plain"][call], strict=True)
    ]


def summarise_call_times(times: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    """Return the median and the 90th percentile of the added ms by variant, and the median for each call."""
    result: dict[str, Any] = {
        "rounds": len(times["plain"]["click"]),
        "plain": statistics.median(value for figures in times["plain"].values() for value in figures),
    }
    for variant in VARIANTS[1:]:
        figures = compute_added_ms(times, variant)
        result[variant] = {
            "median": statistics.median(figures),
            "p90": statistics.quantiles(figures, n=10)[8],
            "calls": {
                call: statistics.median(a - b for a, b in zip(values, times["plain"][call], strict=True))
                for call, values in times[variant].items()
            },
        }
    return result


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.actions", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rows", type=int, nargs="+", default=[100, 2_000, 20_000])
    parser.add_argument("--rounds", type=int, default=40, help="at 100 rows; fewer where tracing takes long")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    given = parser.parse_args()
    results: dict[int, dict[str, Any]] = {}
    print(f"{'rows':>6} {'rounds':>6} {'plain ms':>9} {'pagereel +ms':>13} {'p90':>7} {'tracing +ms':>12} {'p90':>8}")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_options())
        for rows in given.rows:
            rounds = given.rounds if rows <= 1_000 else max(6, given.rounds // (2 if rows <= 5_000 else 4))
            found = results[rows] = summarise_call_times(measure_calls(browser, rows, rounds, Path(folder)))
            ours, theirs = found["pagereel"], found["tracing"]
            print(
                f"{rows:>6} {found['rounds']:>6} {found['plain']:>9.1f} {ours['median']:>13.2f} {ours['p90']:>7.1f}"
                f" {theirs['median']:>12.1f} {theirs['p90']:>8.1f}   "
                + ", ".join(f"{call} {value:+.1f}" for call, value in ours["calls"].items()),
                flush=True,
            )
        browser.close()
    if given.json:
        given.json.write_text(json.dumps(results, indent=2) + "\n")
    held = all(found["pagereel"]["median"] <= LIMIT for found in results.values())
    print(f"at most {LIMIT:.0f} ms a call, median: {'holds' if held else 'does NOT hold'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
