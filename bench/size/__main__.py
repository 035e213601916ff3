"""Measures the bytes of the same errand as reel, replay, rrweb's events and Playwright traces, and prints the ratios."""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zstandard
from playwright.sync_api import sync_playwright

from bench.page.recorders import read_rrweb_bundle
from pagereel.browser import launch_options
from pagereel.fixtures import thirdparty
from pagereel.fixtures.agent import run_agent
from pagereel.fixtures.shop import Shop
from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.reel import open_reel

from . import __doc__ as about

LEVEL = 6
BESIDE = {"request", "response", "console", "call"}
"""Kinds that rrweb does not record."""
# On the empty page of a new tab, as an init script, rrweb 2.2.2 never returns and takes gigabytes: it starts on real pages.
RRWEB_START = """
;(() => {
  if (location.href === 'about:blank') return;
  const start = () => rrweb.record({emit: (event) => window.__rrwebEvent(JSON.stringify(event))});
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
"""


class UnrecordedSession:
    """A session that records nothing, for the runs of other recorders."""

    def step(self, *_: Any, **__: Any) -> Any:
        """Return a context manager that does nothing."""
        return contextlib.nullcontext(self)

    def __getattr__(self, _: str) -> Any:
        return lambda *_, **__: 0


def measure_deflated_bytes(lines: list[bytes]) -> int:
    """Return the bytes of the lines in one deflate stream."""
    packer = zlib.compressobj(LEVEL)
    return sum(len(packer.compress(line + b"\n")) for line in lines) + len(packer.flush())


Errand = Callable[[Any, Any], None]
"""What is done in a context, with a session beside it."""


def run_shop_errand(context: Any, session: Any) -> None:
    """Let the demo's agent do its errand in the shop."""
    print(".", end="", file=sys.stderr, flush=True)
    with Shop(pace=0.1) as shop:
        run_agent(session, context.new_page(), shop, fast=True)


def make_third_party_errand(name: str) -> Errand:
    """Return an errand that does every interaction of a third-party page, in rounds that begin with a load: 50 to 60 interactions."""
    case = thirdparty.CASES[name]

    def run_errand(context: Any, session: Any) -> None:
        print(".", end="", file=sys.stderr, flush=True)
        with case.serve() as address:
            page = context.new_page()
            for _ in range(max(1, 56 // (case.interactions + 1))):
                page.goto(address)
                for step in range(case.interactions):
                    with session.step(f"Interaction {step}"):
                        case.interact(page, step)

    return run_errand


def read_comparable_lines(path: Path) -> tuple[list[bytes], list[bytes]]:
    """Return two lists of lines of a reel: page events with their texts, and style sheets; rrweb records their like."""
    page_events: list[bytes] = []
    sheets: list[bytes] = []
    with open_reel(path) as reel:
        for frame in reel.iter_zstd_frames():
            for line in zstandard.ZstdDecompressor().decompress(frame, max_output_size=1 << 28).split(b"\n")[1:-1]:
                event = json.loads(line)
                if event["k"] == "text" or ("d" in event and event["k"] not in BESIDE):
                    page_events.append(line)
                elif event["k"] == "resource" and event["mime"] == "text/css":
                    sheets.append(line)
    return page_events, sheets


def measure_pagereel(browser: Any, folder: Path, run_errand: Errand) -> dict[str, int]:
    """Record the errand with pagereel; return the bytes of the reel, of its page events alone, of the replay, and of an empty replay."""
    path, html = folder / "run.reel", folder / "run.html"
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    with contextlib.closing(context), record(context, path) as session:
        run_errand(context, session)
    page_events, sheets = read_comparable_lines(path)
    build(path, html, redaction=None)
    empty = folder / "empty.html"
    with contextlib.closing(browser.new_context()) as context, record(context, folder / "empty.reel"):
        context.new_page()
    build(folder / "empty.reel", empty, redaction=None)
    return {
        "reel": path.stat().st_size,
        "page events, JSON": sum(map(len, page_events)),
        "page events, deflated": measure_deflated_bytes(page_events),
        "page events and style sheets, deflated": measure_deflated_bytes(page_events + sheets),
        "replay": html.stat().st_size,
        "player alone": empty.stat().st_size,
    }


def measure_rrweb(browser: Any, run_errand: Errand) -> dict[str, int]:
    """Record the errand with rrweb; return the bytes of its events as JSON and deflated, and their number."""
    events: list[bytes] = []
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 800})) as context:
        context.expose_function("__rrwebEvent", lambda event: events.append(event.encode()))
        context.add_init_script(script=read_rrweb_bundle()[0] + RRWEB_START)
        run_errand(context, UnrecordedSession())
    return {"JSON": sum(map(len, events)), "deflated": measure_deflated_bytes(events), "events": len(events)}


def measure_tracing(browser: Any, folder: Path, run_errand: Errand, *, screenshots: bool) -> int:
    """Record the errand with Playwright's tracing; return the bytes of the trace."""
    path = folder / f"trace-{screenshots}.zip"
    with contextlib.closing(browser.new_context(viewport={"width": 1280, "height": 800})) as context:
        context.tracing.start(screenshots=screenshots, snapshots=True)
        run_errand(context, UnrecordedSession())
        context.tracing.stop(path=path)
    return path.stat().st_size


def measure_recorders(browser: Any, folder: Path, run_errand: Errand) -> dict[str, Any]:
    """Return the sizes of one errand under each recorder, and their ratios with the limits."""
    ours = measure_pagereel(browser, folder, run_errand)
    rrweb = measure_rrweb(browser, run_errand)
    traces = {shots: measure_tracing(browser, folder, run_errand, screenshots=shots) for shots in (True, False)}
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
    return {
        "pagereel": ours,
        "rrweb": rrweb,
        "trace.zip with screenshots": traces[True],
        "trace.zip without screenshots": traces[False],
        "ratios": {name: {"ratio": ratio, "limit": limit} for name, (ratio, limit) in ratios.items()},
    }


def print_sizes(sizes: dict[str, Any]) -> None:
    """Print the sizes and the ratios of one errand."""
    for group in ("pagereel", "rrweb"):
        for what, size in sizes[group].items():
            print(f"{group + ' ' + what:52} {size:12,}")
    for what in ("trace.zip with screenshots", "trace.zip without screenshots"):
        print(f"{what:52} {sizes[what]:12,}")
    for what, entry in sizes["ratios"].items():
        print(f"{what:58} {entry['ratio']:6.3f}  (at most {entry['limit']})")


def main(arguments: list[str]) -> int:
    """Return 0 when every ratio is within its limit, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m bench.size", description=(about or "").split("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument(
        "--third-party",
        action="append",
        default=[],
        choices=list(thirdparty.CASES),
        help="also this page; may be repeated (it is fetched through npm or pip)",
    )
    options = parser.parse_args(arguments)
    errands = {
        "the demo's errand": run_shop_errand,
        **{name: make_third_party_errand(name) for name in options.third_party},
    }
    found: dict[str, dict[str, Any]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        for name, work in errands.items():
            with tempfile.TemporaryDirectory() as folder:
                found[name] = measure_recorders(browser, Path(folder), work)
            print(f"\n{name}")
            print_sizes(found[name])
        versions = {"chromium": browser.version, "rrweb": read_rrweb_bundle()[1]}
        browser.close()
    injector = len(gzip.compress(Path(__file__).resolve().parents[2].joinpath("dist/injector.js").read_bytes(), 9))
    result = {"versions": versions, "injector, gzip": injector, **found.pop("the demo's errand"), "third party": found}
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))
    everything = [result, *found.values()]
    met = all(entry["ratio"] <= entry["limit"] for one in everything for entry in one["ratios"].values())
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
