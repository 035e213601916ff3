"""Hostile recordings by the hundred, made from a grammar, seeded: nothing runs, nothing is asked for, nothing covers the controls.

Three files of each: as it is built; past the builder's wall; and past it with the policy taken out and scripts allowed in the sandbox, so that
the player's own wall stands alone against scripts and requests.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Error, Page

from pagereel.player_build import build
from pagereel.player_build.chunks import compress_raw_deflate
from pagereel.player_build.sanitize import Sanitizer
from pagereel.reel.replay_pieces import build_base64_element, find_pieces
from tests.reel.sample import Script

from .hostile import FIRST, attacks

PAGES = 12
"""Documents of one recording."""

SECONDS = float(os.environ.get("PAGEREEL_FUZZ_SECONDS", "4"))
"""Examples that would begin later are let go: a slow machine tries fewer, and fails no sooner."""

SEED = int(os.environ.get("PAGEREEL_FUZZ_SEED", "4"))

ROUND = 20
"""Examples that are made from one seed: making those that are let go takes time, too."""

ATTACK = """async (links) => {
  const found = [];
  const visit = (doc) => {
    for (const e of doc.querySelectorAll('*')) {
      for (const name of e.getAttributeNames()) if (/^on/i.test(name)) found.push(`${name} on ${e.localName}`);
      // What a script would run is the text right below it: https://html.spec.whatwg.org/#child-text-content
      const text = [...e.childNodes].some((node) => node.nodeType === 3 && node.data !== '');
      if (/script$/i.test(e.localName) && e.localName !== 'noscript' && (text || e.attributes.length)) found.push(`a script with something in it: ${e.outerHTML.slice(0, 90)}`);
      try { if (/^(button|input|details|form)$/.test(e.localName) || (links && /^(a|area)$/.test(e.localName))) e.click(); } catch {}
      if (e.shadowRoot) visit(e.shadowRoot);
      if (e.contentDocument) visit(e.contentDocument);
    }
  };
  const frame = pagereel.frame;
  if (frame?.contentDocument) visit(frame.contentDocument);
  const play = document.querySelector('button.play');
  const box = play.getBoundingClientRect();
  const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!play.contains(hit)) found.push(`the controls are covered by ${hit?.outerHTML.slice(0, 90)}`);
  if (top.fired || frame?.contentWindow.fired) found.push('a script ran');
  return found;
}"""


def record(path: Path, pages: list[Any]) -> None:
    script = Script(path)
    script.run("page", 0, page=1, event="open")
    for number, (trees, ops) in enumerate(pages, 1):
        t = 100.0 * number
        script.run(
            "document", t, d=number, page=1, frame=f"F{number}", url="https://site.example/", top=True, mode="BackCompat",
            viewport={"w": 800, "h": 600, "dpr": 1}, title="", referrer="",
        )  # fmt: skip
        root = ["#document", {}, ["html", {}, ["head", {}], ["body", {}]]]
        script.page("snapshot", t, number, ops=[["doc", 1, root]], why="start")
        first = FIRST
        for tree in trees:
            script.page("mutation", t + 10, number, ops=[["add", 4, first, tree]])
            first += 100
        for n, op in enumerate(ops):
            script.page("mutation", t + 20 + 5 * n, number, ops=[op])
    script.writer.close("done")


class Watch:
    """A page offline that notes what no replay may do."""

    def __init__(self, browser: Browser) -> None:
        self.noted: list[str] = []
        self.context = browser.new_context(viewport={"width": 1000, "height": 700}, offline=True)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        own = re.compile(r"blob:|data:|about:|file://\S*\.html(#|$)")
        self.context.on("request", lambda r: None if own.match(r.url) else self.noted.append(f"request {r.url[:200]}"))
        self.context.on("page", lambda page: None if page is self.page else self.noted.append("a window opened"))
        self.page.on("dialog", lambda dialog: (self.noted.append("a dialog opened"), dialog.dismiss()))
        self.page.on("console", lambda m: self.noted.append("a script wrote") if m.text == "CANARY" else None)

    def look(self, html: Path, pages: int, *, links: bool = True) -> list[str]:
        """What ran, was asked for or covered the controls at each moment. `links`: they are pressed, too."""
        self.noted.clear()
        self.page.goto("about:blank")  # The same address with another fragment would not be read again.
        self.page.goto(html.as_uri() + "#t=0")
        self.page.evaluate("pagereel.ready")
        found: list[str] = []
        for number in range(1, pages + 1):
            for t in (100 * number + 15, 100 * number + 90, 100 * number + 12):
                self.page.evaluate("(t) => pagereel.seek(t)", t)
                found += self.page.evaluate(ATTACK, links)
        assert self.page.url.startswith(html.as_uri()), "the replay went elsewhere"
        return found + self.noted


def open_two_walls(html: Path) -> None:
    """Take the policy out of a file, and let its frame run scripts."""
    data = html.read_bytes()
    shell = next(piece for piece in find_pieces(data) if piece.name == "shell")
    player = zlib.decompress(shell.decode(), -15)
    opened = player.replace(b'"sandbox","allow-same-origin"', b'"sandbox","allow-same-origin allow-scripts"')
    assert opened != player
    data = data[: shell.start] + build_base64_element("shell", compress_raw_deflate(opened)) + data[shell.end :]
    html.write_bytes(re.sub(rb'<meta http-equiv="Content-Security-Policy"[^>]*>', b"", data))


def test_no_hostile_recording_runs_asks_or_covers_anything(browser: Browser, tmp_path: Path) -> None:
    watch = Watch(browser)
    begin = time.monotonic()
    count, failed = 0, False

    @settings(max_examples=ROUND, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        phases=[Phase.generate])  # fmt: skip
    @given(st.lists(attacks, min_size=PAGES, max_size=PAGES))
    def attack(pages: list[Any]) -> None:
        nonlocal count, failed
        if not failed and time.monotonic() - begin > SECONDS:
            return
        count += 1
        failed = True  # Until it has held: what failed is tried again.
        reel, html = tmp_path / "hostile.reel", tmp_path / "hostile.html"
        record(reel, pages)
        build(reel, html, redaction=None)
        assert watch.look(html, len(pages)) == []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Sanitizer, "sanitize_ops", lambda self, ops, look: ops)
            build(reel, html, redaction=None)
        assert watch.look(html, len(pages)) == []
        open_two_walls(html)
        # Without the policy a link leads away when it is pressed, which no reader can.
        assert watch.look(html, len(pages), links=False) == []
        failed = False

    try:
        for number in itertools.count():
            seed(1000 * SEED + number)(attack)()
            if time.monotonic() - begin > SECONDS:
                break
    finally:
        with contextlib.suppress(Error):
            watch.context.close()
    print(f"{count} recordings of {PAGES} pages in {time.monotonic() - begin:.0f} s")
    assert count
