"""Records pages with XSS payloads, opens their replays, and counts what scripts and markup do in each."""

from __future__ import annotations

import argparse
import contextlib
import html as markup
import re
import sys
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.player_build import build
from pagereel.recorder import record

from . import __doc__ as about
from .payload_lists import read_payload_lists

WAYS = ("markup", "attribute", "late")
CLICK = """(root) => { for (const e of (root ?? document).querySelectorAll('a,button,input,area,details,form,video,svg *'))
  try { e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); e.focus?.(); } catch {} }"""
PLACES = """(payload) => {
  const scheme = /^\\s*(javascript|vbscript|data):/i.test(payload) ? payload : null;
  const code = /\\b(?:alert|prompt|confirm)\\b[^>]*?(?:\\)|`)/.exec(payload)?.[0] ?? 'alert(1)';
  const make = (tag, attributes) => { const e = document.createElement(tag); for (const [n, v] of Object.entries(attributes)) e.setAttribute(n, v);
    e.append('x'); document.body.append(e); };
  const url = scheme ?? `javascript:${code}`;
  for (const [tag, name] of [['a', 'href'], ['iframe', 'src'], ['embed', 'src'], ['object', 'data'], ['form', 'action'], ['button', 'formaction'], ['base', 'href']])
    make(tag, {[name]: url});
  make('iframe', {srcdoc: payload}); make('div', {style: payload}); make('div', {onclick: code, title: payload});
  make('img', {src: 'x', onerror: code}); make('x-y', {[payload.replace(/[\\s"'<>/=\\0]+/g, '-').slice(0, 40) || 'x']: payload});
}"""
LOOK = """async () => {
  const found = [];
  const visit = (doc) => {
    for (const e of doc.querySelectorAll('*')) {
      if (e.getAttributeNames().some((name) => /^on/i.test(name))) found.push('handler');
      try { if (/^(a|button|input|area|details|form)$/.test(e.localName)) e.click(); } catch {}
      if (e.shadowRoot) visit(e.shadowRoot);
      if (e.contentDocument) visit(e.contentDocument);
    }
  };
  if (pagereel.frame?.contentDocument) visit(pagereel.frame.contentDocument);
  const play = document.querySelector('button.play'), box = play.getBoundingClientRect();
  if (!play.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))) found.push('covered');
  return found;
}"""


class SideEffectCounter:
    """Counts requests to other hosts, new windows and dialogs that a page causes."""

    def __init__(self, context: BrowserContext, page: Page, own: str) -> None:
        self.counts: Counter[str] = Counter()
        self.page = page
        context.on("request", lambda request: self.count_request(request.url, own))
        context.on("page", lambda other: self.count_window(other))
        page.on("dialog", lambda dialog: self.count_dialog(dialog))
        page.on("pageerror", lambda _: None)

    def count_request(self, url: str, own: str) -> None:
        """Count a request unless its URL matches the pattern `own`."""
        if not re.match(own, url):
            self.counts["request"] += 1

    def count_window(self, page: Page) -> None:
        """Count a new window and close it."""
        if page is not self.page:
            self.counts["window"] += 1
            with contextlib.suppress(Error):
                page.close()

    def count_dialog(self, dialog: Any) -> None:
        """Count a dialog as a script that ran, and dismiss it."""
        self.counts["script"] += 1
        with contextlib.suppress(Error):
            dialog.dismiss()

    def take_counts(self) -> Counter[str]:
        """Return the counts so far and begin anew."""
        counts, self.counts = self.counts, Counter()
        return counts


def serve_pages(pages: dict[str, str]) -> ThreadingHTTPServer:
    """Serve the pages, HTML by path, on loopback in a thread; return the server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write((body or "").encode("utf-8", "replace"))

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def record_payloads(browser: Browser, items: list[str], placement: str, reel: Path) -> Counter[str]:
    """Record a page for each payload, and return on how many pages a script ran or a request was made."""
    fired: Counter[str] = Counter()
    blank = "<!doctype html><title>x</title><body><p>x"
    pages = {f"/{n}": blank + (item if placement == "markup" else "") for n, item in enumerate(items)}
    server = serve_pages(pages)
    origin = f"http://127.0.0.1:{server.server_port}"
    context = browser.new_context(viewport={"width": 800, "height": 600})
    context.route(lambda url: not url.startswith(origin), lambda route: route.abort())
    with record(context, reel) as session:
        page = context.new_page()
        watch = SideEffectCounter(context, page, f"{re.escape(origin)}|blob:|data:|about:|chrome")
        page.set_default_timeout(4_000)
        for number, item in enumerate(items):
            try:
                page.goto(f"{origin}/{number}", wait_until="commit")
                with contextlib.suppress(Error):
                    page.wait_for_load_state("domcontentloaded")
                if placement == "attribute":
                    page.evaluate(PLACES, item)
                elif placement == "late":
                    page.evaluate("(html) => { document.body.innerHTML = html; }", item)
                session.mark(f"{number}")
                page.evaluate(CLICK)
                page.wait_for_timeout(40)
            except Error:  # A payload that went elsewhere, or that holds its page up: what was recorded is looked at.
                session.mark(f"{number}")
            counts = watch.take_counts()
            fired["script"] += bool(counts["script"])
            fired["request"] += bool(counts["request"])
        context.close()
    server.shutdown()
    return fired


def probe_replay(browser: Browser, reel: Path) -> tuple[Counter[str], int]:
    """Build and open the replay at each payload's mark and 30 ms later; return the counts of effects and the number of moments."""
    html = reel.with_suffix(".html")
    build(reel, html, redaction=None)
    context = browser.new_context(viewport={"width": 1000, "height": 700}, offline=True)
    page = context.new_page()
    page.set_default_timeout(30_000)
    watch = SideEffectCounter(context, page, f"{re.escape(html.as_uri())}|blob:|data:|about:")
    page.goto(html.as_uri() + "#t=0")
    page.evaluate("pagereel.ready")
    counts: Counter[str] = Counter()
    moments = [mark["time"] + after for mark in page.evaluate("pagereel.marks") for after in (0, 30)]
    for t in moments:
        page.evaluate("(t) => pagereel.seek(Math.min(t, pagereel.duration))", t)
        counts.update(page.evaluate(LOOK))
    page.wait_for_timeout(300)
    counts.update(watch.take_counts())
    if not page.url.startswith(html.as_uri()):
        counts["window"] += 1
    context.close()
    return counts, len(moments)


def main(arguments: list[str]) -> int:
    """Return 0 when no payload had an effect in the player, 1 when one had."""
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=(about or "").split("\n")[0])
    parser.add_argument("--lists", type=Path, required=True, help="a folder with the lists")
    parser.add_argument("--limit", type=int, default=400, help="at most so many of a list")
    options = parser.parse_args(arguments)
    bad = 0
    print(
        "| list | placed by | payloads | fired live | asked live | moments | scripts | requests | windows | handlers | covered |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(**launch_options())
        for name, items in read_payload_lists(options.lists, options.limit).items():
            for way in WAYS:
                reel = Path(folder) / f"{name}-{way}.reel"
                fired = record_payloads(browser, items, way, reel)
                counts, moments = probe_replay(browser, reel)
                cells = [counts[key] for key in ("script", "request", "window", "handler", "covered")]
                bad += sum(cells)
                print(f"| {markup.escape(name)} | {way} | {len(items)} | {fired['script']} | {fired['request']} | {moments} | "
                      + " | ".join(map(str, cells)) + " |", flush=True)  # fmt: skip
        browser.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
