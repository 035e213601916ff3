"""Makes the pictures of docs/library.md: the list of runs in a browser, the charts, and the deck.

python scripts/make_library_pictures.py out/demo/demo.reel docs

The pictures show a library of invented runs, which are varied copies of the demo's recording.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import orjson
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from pagereel.browser import launch_options
from pagereel.library import Library, render_figures_page
from pagereel.reel import ReelWriter, open_reel, pick_header_fields

RUNS = 40
QUERY = 'seen:"card was declined" after:30d'
PAID, DECLINED = b"Receipt", b"Your card was declined"
DAY = 86_400_000.0


def make_demo_library(folder: Path, demo_reel: Path) -> None:
    """Make a library in `folder` of 40 varied copies of the recording `demo_reel`; the later ones fail more often."""
    dice = random.Random(17)
    folder.mkdir()
    (folder / "library.toml").write_text('index = "off"\n')  # the demo's people are made up
    with open_reel(demo_reel) as reel:
        header = pick_header_fields(reel.header)
        events = [orjson.dumps(event) for event in reel.events() if event["k"] not in ("reel", "end")]
    now = time.time() * 1_000
    with tempfile.TemporaryDirectory() as name, Library(folder) as library:
        for number in range(RUNS):
            late = number >= RUNS * 0.6
            failed = dice.random() < (0.5 if late else 0.08)
            made = Path(name) / f"{number}.reel"
            told = header | {
                "id": f"{dice.getrandbits(128):032x}", "started": now - (RUNS - number) * DAY / 2.2, "agent": dice.choice(["checkout-bot", "checkout-bot", "search-bot"]),
                "metadata": {"version": "v2" if late else "v1"},
            }  # fmt: skip
            with ReelWriter(made, told, flush_ms=60_000) as writer:
                steps = [number for number, event in enumerate(events) if b'"k":"step_end"' in event]
                for place, event in enumerate(events):
                    one = orjson.loads(event.replace(PAID, DECLINED) if failed else event)
                    if one["k"] == "step_end":
                        one |= {"success": True, "error": None}  # of the demo, one step fails and is done again
                    if failed and place == steps[-1]:
                        one |= {"success": False, "error": "Your card was declined"}
                    if one["k"] == "llm" and isinstance(one.get("cost_usd"), float):
                        one["cost_usd"] *= dice.uniform(0.6, 1.4)
                    writer.write({name: value for name, value in one.items() if value is not None})
                writer.close("closed")
            library.add(made)


@contextlib.contextmanager
def serve_library(folder: Path) -> Iterator[tuple[str, str]]:
    """Serve the library in `folder` until the block ends.

    Yield its address, and the cookie that grants access to it.
    """
    command = "import sys; from pagereel.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen([sys.executable, "-P", "-c", command, "serve", str(folder), "--port", "0"], stdout=subprocess.PIPE, text=True)  # fmt: skip
    try:
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().strip())
        connection = http.client.HTTPConnection(address.netloc, timeout=60)
        connection.request("GET", f"{address.path}?{address.query}")
        entered = connection.getresponse()
        yield f"http://{address.netloc}", (entered.getheader("set-cookie") or "").partition(";")[0]
    finally:
        process.terminate()
        process.wait(60)


def take_screenshot(browser: Browser, address: str, target: Path, *, height: int, cookie: str = "") -> None:
    """Save a screenshot of the page at `address` as a PNG of 48 colours; `height` in px."""
    page = browser.new_page(viewport={"width": 1000, "height": height})
    if cookie:
        page.set_extra_http_headers({"Cookie": cookie})
    page.goto(address)
    page.get_by_role("heading", name="One moment").wait_for(state="detached")  # the run is being masked
    page.screenshot(path=str(target))
    page.close()
    Image.open(target).convert("RGB").quantize(48).save(target, optimize=True)


def draw_deck(folder: Path, target: Path) -> None:
    """Save a picture of the deck that shows the library in `folder` to `target`, as SVG."""
    from pagereel.cli.deck.app import DeckApp
    from pagereel.cli.deck.deck_library import DeckLibrary

    async def write_deck_svg() -> None:
        app = DeckApp(DeckLibrary(folder), QUERY)
        async with app.run_test(size=(92, 24)) as pilot:
            for key in ("space", "down", "space", "up"):
                await pilot.press(key)
            await pilot.pause(1)
            target.write_text(app.export_screenshot(title="pagereel deck runs"), "utf-8")

    asyncio.run(write_deck_svg())


def main(demo: Path, docs: Path) -> None:
    """Save the three pictures into the folder `docs`."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        make_demo_library(home / "runs", demo)
        draw_deck(home / "runs", home / "deck.svg")
        with Library(home / "runs") as library:
            figures = library.stats(by=("agent", "version"))
        (home / "figures.html").write_text(render_figures_page(figures, "Figures of runs", f"{RUNS} runs"), "utf-8")
        with (
            sync_playwright() as playwright,
            contextlib.closing(playwright.chromium.launch(**launch_options())) as browser,
        ):
            take_screenshot(browser, (home / "deck.svg").as_uri(), docs / "library-deck.png", height=560)
            take_screenshot(browser, (home / "figures.html").as_uri(), docs / "library-figures.png", height=1060)
            with serve_library(home / "runs") as (address, cookie):
                query = QUERY.replace(" ", "+").replace('"', "%22")
                take_screenshot(browser, f"{address}/?q={query}", docs / "library-list.png", height=620, cookie=cookie)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
