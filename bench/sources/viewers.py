"""Opens the two viewers of one trace: Playwright's own, which its wheel holds, and our replay of the imported trace."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import playwright
from playwright.sync_api import Browser, Page

from pagereel import build
from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.sources import open_any

OUTLINE = (Path(__file__).parent / "outline.js").read_text(encoding="utf-8")
SETTLED = 150
"""ms after a page has loaded."""
_PHASES = {"before": "before", "input": "action", "action": "action", "after": "after"}


@dataclass(frozen=True)
class SnapshotMoment:
    """A snapshot of a page's main frame in a trace: its call, its phase, its time in our replay in ms, its page and its size."""

    call: str
    phase: str
    t: float
    page: int
    size: tuple[int, int]


def read_snapshot_moments(trace: Path) -> list[SnapshotMoment]:
    """Return the snapshots of main frames that differ from the one before, each with its time in our reel."""
    found: list[SnapshotMoment] = []
    with open_any(trace) as reel:
        events = list(reel.timeline())
    calls = {str(event["call"]): event for event in events if event["k"] == "call"}
    pages = {
        str(event["frame"]): int(str(event["page"])) for event in events if event["k"] == "document" and event["top"]
    }
    steps: dict[str, str] = {}
    shift = 0.0
    with zipfile.ZipFile(trace) as archive:
        lines = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
    for line in lines:
        if line["type"] == "context-options":
            shift = line["wallTime"] - line["monotonicTime"] - float(str(events[0]["started"]))
        if line["type"] == "before" and line.get("stepId"):
            steps[line["callId"]] = line["stepId"]
        if line["type"] != "frame-snapshot" or not line["snapshot"]["isMainFrame"]:
            continue
        snapshot = line["snapshot"]
        call = steps.get(snapshot["callId"], snapshot["callId"])
        phase = snapshot.get("phase") or _PHASES[snapshot["snapshotName"].partition("@")[0]]
        known = calls.get(call)
        if isinstance(snapshot["html"][0], list) or known is None or snapshot["frameId"] not in pages:
            continue
        begin = float(str(known["t"]))
        end = begin + float(str(known.get("duration") or 0))
        at = {"before": begin, "after": end}.get(phase, max(begin, snapshot["timestamp"] + shift))
        size = (int(snapshot["viewport"]["width"]), int(snapshot["viewport"]["height"]))
        # The reel rounds to tenths of a ms: a little later, the snapshot is there for certain.
        found.append(SnapshotMoment(call, phase, round(at + 0.1, 1), pages[snapshot["frameId"]], size))
    return found


@contextlib.contextmanager
def open_playwright_viewer(browser: Browser, trace: Path) -> Iterator[tuple[Page, Callable[[SnapshotMoment], str]]]:
    """Open Playwright's viewer on loopback; give its page, and a function that returns the address of a snapshot in it."""
    files = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "vite" / "traceViewer"
    app = RoutingTable()

    @app.route("GET", r"/trace/(?P<path>[^?]+)")
    def serve_viewer_file(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.file(files, request.args["path"])

    @app.route("GET", r"/recorded\.zip")
    def serve_trace(request: FixtureRequest) -> FixtureResponse:
        return FixtureResponse(trace.read_bytes(), "application/zip")

    with LoopbackServer(app) as server:
        name = quote(f"{server.url}/recorded.zip", safe="")
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"{server.url}/trace/index.html?trace={name}")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=30_000)
        yield (
            page,
            lambda moment: (
                f"{server.url}/trace/snapshot/{quote(moment.call, safe='')}?trace={name}&phase={moment.phase}"
            ),
        )
        page.close()


@contextlib.contextmanager
def open_replay(browser: Browser, trace: Path, folder: Path, redaction: str | None = None) -> Iterator[Page]:
    """Build our replay of a trace and open it; give its page."""
    file = folder / f"{trace.stem}.html"
    build(trace, file, redaction=redaction)
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto(file.as_uri())
    page.evaluate(
        "async () => { while (!(window.pagereel?.ready instanceof Promise)) await new Promise(r => setTimeout(r, 20)); await window.pagereel.ready }"
    )
    yield page
    page.close()
