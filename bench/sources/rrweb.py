"""Records third-party pages with rrweb, shows each moment in rrweb's own Replayer and in our replay, and compares the visible text.

python -m bench.sources.rrweb                            # all: some minutes
python -m bench.sources.rrweb --only swagger-ui
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page, sync_playwright

from pagereel import build
from pagereel.browser import launch_options
from pagereel.fixtures.thirdparty import fetch_npm_package

from .pages import list_pages
from .record import walk_page
from .viewers import OUTLINE, SETTLED

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "out" / "bench" / "sources" / "rrweb"
VERSION = "2.2.2"
MOMENTS = 12
REST = 40
"""ms after a moment in which nothing happens, so that both show the same one."""
START = """
if (window === window.top) {
  window.__events = [];
  rrweb.record({ emit: (event) => window.__events.push(event), recordAfter: "DOMContentLoaded", recordCanvas: false });
}
"""
_IMAGE = re.compile(r" (shown|missing)$")


def find_rrweb_script() -> Path:
    """Return the path of rrweb's script for browsers."""
    return fetch_npm_package("rrweb", VERSION) / "umd" / "rrweb.min.js"


def record_events(browser: Browser, address: str, file: Path) -> list[dict[str, Any]]:
    """Record a walk over a page with rrweb, write its events into a file, and return them."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(find_rrweb_script().read_text(encoding="utf-8") + START)
    page = context.new_page()
    walk_page(page, address)
    page.wait_for_timeout(700)
    events: list[dict[str, Any]] = page.evaluate("() => window.__events")
    context.close()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(events), encoding="utf-8")
    return events


def find_quiet_moments(events: list[dict[str, Any]]) -> list[float]:
    """Return up to twelve moments, in ms from the first event, at which the last change is over and the next not begun."""
    times = sorted({float(event["timestamp"]) for event in events if event["type"] in (2, 3)})
    begin = min(float(event["timestamp"]) for event in events)
    full = min(float(event["timestamp"]) for event in events if event["type"] == 2)
    found = [
        a - begin + REST / 2
        for a, b in zip(times, [*times[1:], times[-1] + 1_000], strict=True)
        if b - a > REST and a >= full
    ]
    step = max(1, len(found) // MOMENTS)
    return [*found[::step][: MOMENTS - 1], found[-1]]


@contextmanager
def open_rrweb_player(browser: Browser, events: list[dict[str, Any]]) -> Iterator[Page]:
    """Open rrweb's Replayer with these events; give its page."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.set_content("<!DOCTYPE html><body></body>")
    page.add_script_tag(path=find_rrweb_script())
    page.add_style_tag(path=fetch_npm_package("rrweb", VERSION) / "dist" / "style.css")
    page.evaluate(
        "events => { window.replayer = new rrweb.Replayer(events, { mouseTail: false, showWarning: false, loadTimeout: 0 }) }",
        events,
    )
    yield page
    page.close()


def read_lines(frame: Frame | None) -> list[str]:
    """Return the text that an iframe shows, line by line; whether pictures loaded is left out, as rrweb keeps no bytes."""
    return [_IMAGE.sub("", str(line)) for line in (frame.evaluate(OUTLINE) if frame is not None else [])]


def compare_players(browser: Browser, name: str, events: list[dict[str, Any]], file: Path) -> tuple[int, int, int]:
    """Show each moment in both players; return the numbers of moments, of lines, and of equal lines."""
    html = file.with_suffix(".html")
    began = time.monotonic()
    build(file, html, redaction=None)
    seconds = time.monotonic() - began
    total = same = 0
    chosen = find_quiet_moments(events)
    with open_rrweb_player(browser, events) as theirs:
        ours = browser.new_page(viewport={"width": 1400, "height": 1000})
        ours.goto(html.as_uri())
        ours.evaluate(
            "async () => { while (!(window.pagereel?.ready instanceof Promise)) await new Promise(r => setTimeout(r, 20)); await window.pagereel.ready }"
        )
        for t in chosen:
            theirs.evaluate("t => window.replayer.pause(t)", t)
            ours.evaluate("t => window.pagereel.seek(t)", t)
            theirs.wait_for_timeout(SETTLED * 2)
            ours.wait_for_timeout(SETTLED)
            wanted = read_lines(theirs.evaluate_handle("() => window.replayer.iframe").as_element().content_frame())  # type: ignore[union-attr]
            found = read_lines(ours.evaluate_handle("() => window.pagereel.frame").as_element().content_frame())  # type: ignore[union-attr]
            equal = sum(
                block.size
                for block in difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()
            )
            total += max(len(wanted), len(found))
            same += equal
            if wanted != found:
                change = [
                    line
                    for line in difflib.unified_diff(wanted, found, n=0, lineterm="")
                    if not line.startswith(("---", "+++", "@@"))
                ]
                print(f"    t={t:.0f}: " + " | ".join(line[:100] for line in change[:6]), flush=True)
        theirs.screenshot(path=file.with_suffix(".theirs.png"))
        ours.screenshot(path=file.with_suffix(".ours.png"))
        ours.close()
    share = same / max(total, 1)
    size = file.stat().st_size / 1e6
    print(
        f"{name:30} {len(events):5} events {size:5.1f} MB {len(chosen):3} moments {same:6} of {total:6} lines {share:.3%}, built in {seconds:.1f} s",
        flush=True,
    )
    return len(chosen), total, same


def main(arguments: list[str]) -> int:
    """Record and compare all pages; return 1 when fewer than 99.9 % of the lines are equal, else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.sources.rrweb", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="a page's name")
    parser.add_argument("--again", action="store_true", help="compare the recordings of the last run, record none")
    told = parser.parse_args(arguments)
    sums = [0, 0, 0]
    for name, serve in list_pages().items():
        if told.only and name not in told.only:
            continue
        file = OUT / f"{name.replace('/', '-').replace(' ', '-')}.json"
        with serve() as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**launch_options())
            if told.again and file.exists():
                events = json.loads(file.read_text(encoding="utf-8"))
            else:
                events = record_events(browser, address, file)
            for number, value in enumerate(compare_players(browser, name, events, file)):
                sums[number] += value
            browser.close()
    print(f"{sums[0]} moments, {sums[2]} of {sums[1]} lines equal: {sums[2] / max(sums[1], 1):.3%}")
    return 0 if sums[2] >= 0.999 * sums[1] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
