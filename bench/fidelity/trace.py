"""Records a case with Playwright's own tracing, as a peer, and shows it in Playwright's trace viewer.

A trace has snapshots before and after each call only. So the bench makes a call that does nothing at each mark, and looks at that call's snapshot.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import re
import shutil
import threading
import urllib.parse
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import playwright

from .case import Case
from .case_runs import CaseOutcome, PageAtMark, capture_page, iter_marks, open_context
from .page_serializer import Line, PageSerializer

VIEWER = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "vite" / "traceViewer"
FRAME = "document.querySelector('iframe')"
SHOWN = """async () => {
  for (let left = 100; left > 0; left--) {
    const inner = document.querySelector("iframe").contentDocument;
    if (inner && inner.location.href !== "about:blank" && inner.readyState === "complete") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
}"""


_EXPLAINED = re.compile(r' title="Canvas content[^"]*"')


class _SilentFileHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def _serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder on loopback until the block ends, and give the address."""
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_SilentFileHandler, directory=folder)
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def run_with_trace(
    browser: Any, case: Case, out: Path
) -> tuple[CaseOutcome, dict[str, PageAtMark], dict[str, PageAtMark]]:
    """Trace a case, show it in Playwright's viewer, and return the outcome with the live and the shown page at each mark."""
    outcome, seen, shown = CaseOutcome(), {}, {}
    archive = out / "run_with_trace.zip"
    with case.site() as site, contextlib.closing(open_context(browser, case)) as context:
        context.tracing.start(snapshots=True, screenshots=True)
        page = context.new_page()
        eye = PageSerializer(page)
        for mark in iter_marks(page, case, site.url + case.path):
            context.tracing.group(mark)
            page.evaluate("0")
            context.tracing.group_end()
            seen[mark] = capture_page(page, lambda: _drop_trace_artifacts(eye.serialize_page(peer=True)))
        context.tracing.stop(path=archive)
    calls = _read_mark_calls(archive)
    shutil.copytree(VIEWER, out / "viewer", dirs_exist_ok=True)
    shutil.copy(archive, out / "viewer" / "run_with_trace.zip")
    with _serve_folder(out / "viewer") as url, contextlib.closing(open_context(browser, case)) as context:
        page = context.new_page()
        eye = PageSerializer(page)
        for mark in seen:
            # As its own window for one snapshot does; canvases from pictures is its setting for more.
            given = {"trace": f"{url}/trace.zip", "phase": "after", "shouldPopulateCanvasFromScreenshot": "1"}
            inner = f"{url}/snapshot/{urllib.parse.quote(calls[mark])}?{urllib.parse.urlencode(given)}"
            page.goto(f"{url}/snapshot.html?{urllib.parse.urlencode({'r': inner, 'trace': given['trace']})}")
            page.evaluate(SHOWN)
            shown[mark] = capture_page(page, lambda: _drop_trace_artifacts(eye.serialize_iframe(FRAME, peer=True)))
    shutil.rmtree(out / "viewer")
    return outcome, seen, shown


def _drop_trace_artifacts(lines: list[Line]) -> list[Line]:
    """Return the lines without what a trace or its viewer changes by design.

    These are a <base>, comments, titles of canvases, and texts that stand side by side where a script was.
    """
    mild: list[Line] = []
    for depth, line in lines:
        if line.startswith(("<base", "comment ")):
            continue
        line = _EXPLAINED.sub("", line)
        if mild and line.startswith('text "') and mild[-1][0] == depth and mild[-1][1].startswith('text "'):
            line = f"text {json.dumps(json.loads(mild.pop()[1][5:]) + json.loads(line[5:]), ensure_ascii=False)}"
        mild.append((depth, line))
    return mild


def _read_mark_calls(archive: Path) -> dict[str, str]:
    """Return for each mark the id of the call that was made there, from a trace archive."""
    groups: dict[str, str] = {}
    calls: dict[str, str] = {}
    with zipfile.ZipFile(archive) as opened:
        for line in filter(None, opened.read("run_with_trace.trace").decode("utf-8").split("\n")):
            event = json.loads(line)
            if event["type"] == "before" and event.get("method") == "tracingGroup":
                groups[event["callId"]] = event["title"]
            elif event["type"] == "before" and event.get("parentId") in groups:
                calls[groups[event["parentId"]]] = event["callId"]
    return calls
