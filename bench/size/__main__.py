"""The bench's command."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.page.recorders import rrweb_bundle
from pagereel.browser import launch_options
from pagereel.fixtures.agent import run
from pagereel.fixtures.shop import Shop
from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.reel import open_reel

from . import __doc__ as about

LEVEL = 6
# On the empty page of a new tab, as an init script, rrweb 2.2.2 never returns and takes gigabytes: it starts on real pages.
RRWEB_START = """
;(() => {
  if (location.href === 'about:blank') return;
  const start = () => rrweb.record({emit: (event) => window.__rrwebEvent(JSON.stringify(event))});
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
"""


class Silent:
    """A session that keeps nothing, for the runs that pagereel does not record."""

    def step(self, *_: Any, **__: Any) -> Any:
        return contextlib.nullcontext(self)

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: 0


def deflated(lines: list[bytes]) -> int:
    """Size of the lines in one deflate stream, bytes."""
    packer = zlib.compressobj(LEVEL)
    return sum(len(packer.compress(line + b"\n")) for line in lines) + len(packer.flush())


def errand(context: Any, session: Any) -> None:
    print(".", end="", file=sys.stderr, flush=True)
    with Shop(pace=0.1) as shop:
        run(session, context.new_page(), shop, fast=True)


def of_pagereel(browser: Any, folder: Path) -> dict[str, int]:
    """Sizes of the reel, its page events alone, and the replay; the player's own part of it apart."""
    path, html = folder / "run.reel", folder / "run.html"
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    with contextlib.closing(context), record(context, path) as session:
        errand(context, session)
    page_events: list[bytes] = []
    sheets: list[bytes] = []
    with open_reel(path) as reel:
        for event in reel.events():
            line = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
            if "d" in event and event["k"] not in {"request", "response", "console", "call"}:
                page_events.append(line)
            elif event["k"] == "resource" and event["mime"] == "text/css":
                sheets.append(line)
    build(path, html, redaction=None)
    empty = folder / "empty.html"
    with contextlib.closing(browser.new_context()) as context, record(context, folder / "empty.reel"):
        context.new_page()
    build(folder / "empty.reel", empty, redaction=None)
    return {
        "reel": path.stat().st_size,
        "page events, JSON": sum(map(len, page_events)),
        "page events, deflated": deflated(page_events),
        "page events and style sheets, deflated": deflated(page_events + sheets),
        "replay": html.stat().st_size,
        "player alone": empty.stat().st_size,
    }


def of_rrweb(browser: Any) -> dict[str, int]:
    events: list[bytes] = []
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 800})) as context:
        context.expose_function("__rrwebEvent", lambda event: events.append(event.encode()))
        context.add_init_script(script=rrweb_bundle()[0] + RRWEB_START)
        errand(context, Silent())
    return {"JSON": sum(map(len, events)), "deflated": deflated(events), "events": len(events)}


def of_tracing(browser: Any, folder: Path, *, screenshots: bool) -> int:
    path = folder / f"trace-{screenshots}.zip"
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 800})) as context:
        context.tracing.start(screenshots=screenshots, snapshots=True)
        errand(context, Silent())
        context.tracing.stop(path=path)
    return path.stat().st_size


def main(arguments: list[str]) -> int:
    """0 when every ratio is met, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=(about or "").split("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(**launch_options())
        ours = of_pagereel(browser, folder)
        rrweb = of_rrweb(browser)
        traces = {shots: of_tracing(browser, folder, screenshots=shots) for shots in (True, False)}
        versions = {"chromium": browser.version, "rrweb": rrweb_bundle()[1]}
        browser.close()
    injector = len(gzip.compress(Path(__file__).resolve().parents[2].joinpath("dist/injector.js").read_bytes(), 9))
    ratios = {
        "event stream, rrweb's JSON deflated": (ours["page events, deflated"] / rrweb["deflated"], 0.5),
        "event stream and style sheets, rrweb's JSON deflated": (
            ours["page events and style sheets, deflated"] / rrweb["deflated"],
            0.5,
        ),
        "reel, trace.zip with screenshots": (ours["reel"] / traces[True], 0.1),
        "reel, trace.zip without screenshots": (ours["reel"] / traces[False], 1.0),
        "replay, reel and player": (ours["replay"] / (ours["reel"] + ours["player alone"]), 1.4),
    }
    result = {
        "versions": versions,
        "pagereel": ours,
        "rrweb": rrweb,
        "trace.zip with screenshots": traces[True],
        "trace.zip without screenshots": traces[False],
        "injector, gzip": injector,
        "ratios": {name: {"ratio": ratio, "limit": limit} for name, (ratio, limit) in ratios.items()},
    }
    for group, sizes in (("pagereel", ours), ("rrweb", rrweb)):
        for what, size in sizes.items():
            print(f"{group + ' ' + what:52} {size:12,}")
    print(f"{'trace.zip with screenshots':52} {traces[True]:12,}\n{'trace.zip without':52} {traces[False]:12,}")
    for what, (ratio, limit) in ratios.items():
        print(f"{what:58} {ratio:6.3f}  (at most {limit})")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))
    return 0 if all(ratio <= limit for ratio, limit in ratios.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
