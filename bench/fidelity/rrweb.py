"""Records and replays a case with rrweb from npm, as a peer of pagereel."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from .case import Case
from .case_runs import CaseOutcome, PageAtMark, capture_page, iter_marks, open_context
from .page_serializer import PageSerializer
from .third_party_packages import install_npm_packages, read_npm_version

RRWEB = "rrweb@2.2.2"
# Everything that it can do is on.
RECORD = """
(() => {
  const start = () => rrweb.record({
    emit: (event) => window.__rrwebEvent(JSON.stringify(event)),
    inlineStylesheet: true, inlineImages: true, collectFonts: true, recordCanvas: true, recordCrossOriginIframes: true,
    sampling: {canvas: 15}, dataURLOptions: {type: 'image/png'},
  });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
  else start();
})();
"""
REPLAY = """
({events, offset}) => new Promise((resolve) => {
  document.body.replaceChildren();
  const replayer = new rrweb.Replayer(events, {
    root: document.body, mouseTail: false, showWarning: false, UNSAFE_replayCanvas: true, liveMode: false,
  });
  replayer.pause(offset);
  setTimeout(resolve, 600);
})
"""
FRAME = "document.querySelector('.replayer-wrapper iframe')"
STYLE = "html, body { margin: 0 } .replayer-wrapper { position: absolute; left: 0; top: 0 } iframe { border: 0 } .replayer-mouse, .replayer-mouse-tail { display: none }"


def read_rrweb_bundle() -> tuple[str, str]:
    """Return rrweb's bundle as text, and `rrweb@version` as it is installed."""
    folder = install_npm_packages(RRWEB)
    dist = folder / "node_modules" / "rrweb" / "dist"
    path = next(
        p
        for p in (dist / "run_with_rrweb.umd.min.cjs", dist / "run_with_rrweb.umd.cjs", dist / "rrweb.umd.min.js")
        if p.exists()
    )
    return path.read_text(encoding="utf-8"), read_npm_version(folder, "rrweb")


def run_with_rrweb(
    browser: Any, case: Case, out: Path
) -> tuple[CaseOutcome, dict[str, PageAtMark], dict[str, PageAtMark]]:
    """Record a case with rrweb, replay it, and return the outcome with the live and the replayed page at each mark.

    The site is served while the replay runs, as rrweb loads from it what it did not inline.
    """
    code, _ = read_rrweb_bundle()
    outcome, seen, shown = CaseOutcome(), {}, {}
    events: list[Any] = []
    times: dict[str, float] = {}
    with case.site() as site:
        with contextlib.closing(open_context(browser, case)) as context:
            page = context.new_page()
            page.expose_function("__rrwebEvent", lambda event: events.append(json.loads(event)))
            page.add_init_script(script=f"{code}\n;{RECORD}")
            eye = PageSerializer(page)
            for mark in iter_marks(page, case, site.url + case.path):
                page.wait_for_timeout(150)
                times[mark] = page.evaluate("Date.now()")
                seen[mark] = capture_page(page, lambda: eye.serialize_page(peer=True))
        events.sort(key=lambda event: event["timestamp"])
        with contextlib.closing(open_context(browser, case)) as context:
            page = context.new_page()
            page.set_content(f"<!doctype html><style>{STYLE}</style><body>")
            page.add_script_tag(content=code)
            eye = PageSerializer(page)
            for mark, moment in times.items():
                offset = moment - events[0]["timestamp"]
                page.evaluate(REPLAY, {"events": events, "offset": offset})
                shown[mark] = capture_page(page, lambda: eye.serialize_iframe(FRAME, peer=True))
    return outcome, seen, shown
