"""What hosts do to the file: sandboxes without `allow-same-origin`, without scripts, and policies that refuse its scripts and styles."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.player_build import build
from pagereel.player_build.sanitize import Sanitizer

from .conftest import Hand
from .engines import Chromium, Engine, Firefox, opened
from .test_walls import attack

MOMENTS = (300, 957, 2050)
TEXT = "return (document.body?.innerText ?? '').split('\\n').map((line) => line.trim()).filter(Boolean).join('\\n')"
SEEK = (
    "await pagereel.ready; await pagereel.seek({}); await pagereel.ready; return pagereel.frame ? 'there' : 'no frame'"
)
JENKINS = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"
"""Jenkins's policy for files of a build, unless its administrator has another."""

FRAMED = "<!doctype html><iframe style='width:1200px;height:700px' {}></iframe>"
EXPORT = """
  const until = async (found) => { while (!found()) await new Promise(requestAnimationFrame); return found(); };
  document.querySelector("[title^=Export]").click();
  const dialog = await until(() => document.querySelector("dialog[open]"));
  [...dialog.querySelectorAll(".ways button")].at(-1).click();
  await until(() => /Command copied|not allow copying/.test(document.body.innerText));
  return [dialog.innerText, document.body.innerText];
"""
NEEDS = "Its player needs JavaScript: open the file in a browser, not in a preview."
CHANGED = "save it and open it in a browser, or ask for it again as a ZIP archive."


@contextmanager
def served(replay: bytes) -> Iterator[str]:
    """Serve the replay as hosts do: by itself, with a policy, and within pages that frame it."""
    source = escape(replay.decode("windows-1252", "surrogateescape"), quote=True)
    pages: dict[str, tuple[str, bytes]] = {
        "/run": ("", replay),
        "/jenkins": (JENKINS, replay),
        "/jenkins-scripts": (JENKINS.replace("sandbox", "sandbox allow-scripts"), replay),
        "/sandbox": ("", FRAMED.format("sandbox=allow-scripts src=/run").encode()),
        "/preview": ("", FRAMED.format("sandbox src=/run").encode()),
        "/srcdoc": (
            "",
            b"<!doctype html><meta charset=windows-1252>"
            + FRAMED.format(f'sandbox=allow-scripts srcdoc="{source}"').encode("windows-1252", "surrogateescape"),
        ),
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            policy, body = pages.get(self.path, ("", b""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            if policy:
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def within(engine: Engine, depth: int, body: str) -> Any:
    """Run the body of a function in the first frame, or in the first frame of that one."""
    if isinstance(engine, Chromium):
        frame = engine.page.main_frame
        for _ in range(depth):
            frame = frame.child_frames[0]
        return frame.evaluate(f"async () => {{ {body} }}")
    if isinstance(engine, Firefox):
        for _ in range(depth):
            engine.client.switch_to_frame(0)
        try:
            return engine.run(body)
        finally:
            engine.client.switch_to_frame()
    for _ in range(depth):
        engine.driver.switch_to.frame(0)  # type: ignore[attr-defined]
    try:
        return engine.run(body)
    finally:
        engine.driver.switch_to.default_content()  # type: ignore[attr-defined]


def test_a_replay_in_a_sandbox_shows_the_same_text_or_says_why_not(
    engine: Engine, sample: Path, tmp_path: Path
) -> None:
    html = tmp_path / "run.html"
    build(sample, html, redaction=None)
    if isinstance(engine, Chromium):
        engine.page.context.set_offline(False)
    with served(html.read_bytes()) as site:
        opened(engine, f"{site}/run")
        alone = []
        for t in MOMENTS:
            engine.run(SEEK.format(t))
            alone.append(within(engine, 1, TEXT))
        assert len(set(alone)) > 1 and all(alone)
        for host in ("sandbox", "srcdoc"):
            engine.open(f"{site}/{host}")
            for t, text in zip(MOMENTS, alone, strict=True):
                assert within(engine, 1, SEEK.format(t)) == "there", (host, t)
                assert within(engine, 2, TEXT) == text, (host, t)
            assert "keeps scripts out of frames" in within(engine, 1, "return pagereel.info.troubles.join()")
            offered, copied = within(engine, 1, EXPORT)
            assert "in a browser to see and save all" in offered and "Command copied" in copied, host
        for host, depth, words in (("preview", 1, NEEDS), ("jenkins", 0, NEEDS), ("jenkins-scripts", 0, CHANGED)):
            engine.open(f"{site}/{host}")
            assert words in within(engine, depth, TEXT).replace("\n", " "), host


def test_nothing_runs_and_nothing_is_asked_for_in_a_still_picture(
    hand: Hand, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The builder's wall is taken away: what reaches the markup is what the player lets through."""
    monkeypatch.setattr(Sanitizer, "sanitize_ops", lambda self, ops, look: ops)
    attack(hand)
    ends = "p{} </style><img src=https://evil.example/style.png onerror='top.fired=1'><style>"
    hand.script.ops(
        730, 1, ["add", 3, 90_000, ["style", {}, ends], ["textarea", {}, "</textarea><b id=out>"], ["xmp", {}, "</xmp><b id=out>"]],
    )  # fmt: skip
    html = tmp_path / "run.html"
    build(hand.close(), html, redaction=None)
    window, asked = Chromium(browser), []
    window.page.context.set_offline(False)
    window.page.on("request", lambda request: asked.append(request.url))
    with served(html.read_bytes()) as site:
        window.open(f"{site}/sandbox")
        for t in (0, 200, 400, 600, 740):
            assert within(window, 1, SEEK.format(t)) == "there"
        markup = "return [[...document.querySelectorAll('script, #out, [onload], [onerror]')].map((e) => e.outerHTML.slice(0, 150)), window.fired]"
        assert within(window, 2, markup) == [[], None]
        assert [url for url in asked if not url.startswith((site, "about:", "blob:", "data:"))] == []
        assert window.run("return window.fired") is None
