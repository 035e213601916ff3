"""Draws the page at the left and its replay at the right, one picture for each fault that replays once had.

    python -m bench.fidelity.sides [--out out/sides] [--only WORDS]

To see a fault, run it in a checkout from before the cure, with today's `bench/` and `tests/`. The pages are those of tests/player/faults.py,
in Chromium; the share of differing pixels of each picture is printed.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Browser

from pagereel.player_build import build
from pagereel.recorder import record
from tests.chromium import open_chromium
from tests.player.faults import FAULTS, FRAME, put
from tests.recorder.support import Site

SIZE = (800, 600)
TITLE = 24
NOISE = 24
"""How far a channel of a pixel may be off, of 255: antialiasing."""


def record_faults(browser: Browser, directory: Path, names: list[str]) -> tuple[Path, dict[str, bytes]]:
    """Record the pages of these faults; return the built replay, and a screenshot of each page by name."""
    reel, html = directory / "sides.reel", directory / "sides.html"
    live: dict[str, bytes] = {}
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]})
    with Site() as site, record(context, reel) as session:
        put(site)
        page = context.new_page()
        for number, name in enumerate(names):
            fault = FAULTS[name]
            page.mouse.move(790, 590)
            markup = fault.kind.startswith("text/html")
            text = f"<!doctype html>{FRAME}{fault.html}" if markup else fault.html
            page.goto(site.put(f"/{number}", fault.kind, text))
            fault.act(page)
            page.wait_for_timeout(200)
            session.mark(name)
            live[name] = page.screenshot(caret="initial")
    context.close()
    build(reel, html, redaction=None)
    return html, live


def capture_replay(browser: Browser, html: Path, name: str) -> bytes:
    """Open the replay by the link of a mark in a fresh context, and return a screenshot, also where the player could not open it."""
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, offline=True)
    page = context.new_page()
    page.goto(f"{html.as_uri()}#bare&mark={quote(name)}")
    page.evaluate("Promise.race([window.pagereel?.ready, new Promise((go) => setTimeout(go, 9000))]).catch(() => {})")
    page.wait_for_timeout(400)
    picture = page.screenshot(caret="initial")
    context.close()
    return picture


def draw_side_by_side(live: bytes, replay: bytes, title: str) -> tuple[Image.Image, float]:
    """Return one picture of both screenshots under a title, and the share of the viewport's pixels in which they differ."""
    left, right = (Image.open(io.BytesIO(data)).convert("RGB") for data in (live, replay))
    apart = ImageChops.difference(left, right).convert("L").point(lambda value: 255 * (value > NOISE))
    share = apart.histogram()[255] / (SIZE[0] * SIZE[1])
    both = Image.new("RGB", (2 * SIZE[0] + 2, SIZE[1] + TITLE), "black")
    both.paste(left, (0, TITLE))
    both.paste(right, (SIZE[0] + 2, TITLE))
    draw = ImageDraw.Draw(both)
    draw.text((6, 6), f"{title}: the page", fill="white")
    draw.text((SIZE[0] + 8, 6), f"the replay, {share:.2%} off", fill="white")
    return both, share


def main(arguments: list[str]) -> int:
    """Write the pictures and print the share of differing pixels of each."""
    parser = argparse.ArgumentParser(prog="python -m bench.fidelity.sides", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("out/sides"))
    parser.add_argument("--only", default="", help="faults whose names hold these words")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in FAULTS if options.only in name]
    with open_chromium() as browser, tempfile.TemporaryDirectory() as directory:
        html, live = record_faults(browser, Path(directory), names)
        for name in names:
            both, share = draw_side_by_side(live[name], capture_replay(browser, html, name), name)
            path = options.out / f"{name.replace(' ', '-')}.png"
            both.save(path, optimize=True)
            print(f"{share:8.2%}  {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
