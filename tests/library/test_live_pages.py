"""A live view in browsers: it follows what happens, goes back over what has come, holds no planted value, and ends as an ordinary replay."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page

pytest.importorskip("starlette")

from pagereel.library import Library
from tests.player.engines import Engine, opened

from .server import MAIL, Served, served, tokens
from .test_live import CANARY, ID, Recorder

ENGINES = ("chromium", "firefox", "webkit")
SHOWN = "pagereel.frame?.contentDocument.querySelector('p')?.textContent"
AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    (tmp_path / "made").mkdir()
    return Recorder(tmp_path / "made" / "run.reel")


@pytest.fixture
def site(tmp_path: Path, recorder: Recorder) -> Iterator[Served]:
    Library(tmp_path / "runs").close()
    with served(
        tmp_path / "runs", "--tokens", str(tokens(tmp_path / "tokens.toml")), "--live", str(tmp_path / "made")
    ) as running:
        yield running


def live(site: Served, context: BrowserContext, role: str, reason: str = "") -> tuple[Page, Frame]:
    """The page of the run while it is recorded, and the player in it."""
    page = context.new_page()
    page.goto(f"http://{site.pages}/login?token={role}")
    page.goto(f"http://{site.pages}/runs/{ID}/live{f'?reason={reason}' if reason else ''}")
    page.wait_for_selector('iframe[name="replay"]')
    frame = page.frame("replay")
    assert frame is not None
    until(frame, "window.pagereel?.ready !== undefined")
    frame.evaluate("pagereel.ready")
    return page, frame


def until(frame: Frame, holds: str, given: Any = None) -> None:
    """Wait for a condition. The frame's policy lets no text be run, as ``wait_for_function`` does."""
    for _ in range(600):
        if frame.evaluate(f"(given) => Boolean({holds})", given):
            return
        time.sleep(0.05)
    raise AssertionError(f"it never held: {holds} {given}")


def shows(frame: Frame, said: str) -> None:
    until(frame, f"{SHOWN} === given", said)


def test_a_viewer_follows_goes_back_and_leads_on_and_the_end_is_a_replay(
    site: Served, recorder: Recorder, browser: Browser
) -> None:
    with browser.new_context() as context:
        elsewhere: list[str] = []
        page, frame = live(site, context, "raw", "look")
        context.on("request", lambda asked: elsewhere.append(asked.url))
        problems: list[str] = []
        page.on("console", lambda line: problems.append(line.text) if line.type == "error" else None)
        shows(frame, f"Orders of {CANARY}")
        began = frame.evaluate("pagereel.time")
        mark = frame.get_by_role("button", name=re.compile("^Live"))
        assert mark.get_attribute("aria-pressed") == "true"
        recorder.put("step", id=1, title="Pay the order")
        recorder.show("one")
        shows(frame, "one")
        assert frame.evaluate("pagereel.playing") is True
        frame.evaluate("(t) => pagereel.seek(t)", began)
        shows(frame, f"Orders of {CANARY}")
        recorder.show("two")
        until(frame, "pagereel.duration > pagereel.time + 20")
        assert frame.evaluate(SHOWN) == f"Orders of {CANARY}", "who went back stays there"
        assert mark.get_attribute("aria-pressed") == "false"
        assert "behind" in mark.inner_text()
        mark.click()
        shows(frame, "two")
        frame.get_by_role("button", name="Pause").click()
        recorder.put("step_end", id=1, success=True)
        recorder.show("three")
        until(frame, "pagereel.steps[0].success === true")
        assert frame.evaluate(SHOWN) == "two"
        frame.get_by_role("button", name="Play", exact=True).click()
        shows(frame, "three")
        recorder.writer.close()
        frame.get_by_text("The recording has ended.").wait_for()
        assert mark.count() == 0
        assert frame.evaluate("pagereel.playing") is False
        assert frame.evaluate("pagereel.info.sealed") is True
        frame.evaluate("(t) => pagereel.seek(t)", began)
        shows(frame, f"Orders of {CANARY}")
        frame.evaluate("pagereel.seek({ step: 1 })")
        assert elsewhere == [], "one stream, and nothing else is asked for"
        assert problems == []


def test_who_reads_sees_no_planted_value_in_any_layer(site: Served, recorder: Recorder, browser: Browser) -> None:
    with browser.new_context() as context:
        page, frame = live(site, context, "reader")
        recorder.put("console", page=1, level="log", text=f"{CANARY} {MAIL}")
        recorder.put("llm", id=5, model="m", prompt=CANARY, response=MAIL)
        recorder.show(f"Still {CANARY}")
        until(frame, f"{SHOWN}?.split(' ').length === 3")
        for tab in ("Story", "Actions", "Console", "Network", "Model", "DOM", "Info"):
            frame.get_by_role("tab", name=tab).click()
            assert not leaks(frame.locator("body").inner_text())
        assert not leaks(frame.content())
        assert not leaks(frame.evaluate("pagereel.frame.contentDocument.documentElement.outerHTML"))
        assert not leaks(json.dumps(frame.evaluate("[pagereel.info, pagereel.steps, pagereel.pages, document.title]")))
        assert not leaks(page.content())


def test_after_a_break_the_viewer_is_told_what_was_missed(tmp_path: Path, recorder: Recorder, browser: Browser) -> None:
    Library(tmp_path / "runs").close()
    with contextlib.ExitStack() as stack:
        pages, replays = stack.enter_context(Line()), stack.enter_context(Line())
        options = ["--tokens", str(tokens(tmp_path / "t.toml")), "--live", str(tmp_path / "made")]
        options += ["--port", str(free_port()), "--frame-port", str(free_port())]
        pages.to, replays.to = int(options[5]), int(options[7])
        options += ["--origin", f"http://127.0.0.1:{pages.port}", "--frame-origin", f"http://127.0.0.1:{replays.port}"]
        running = stack.enter_context(served(tmp_path / "runs", *options))
        context = stack.enter_context(browser.new_context())
        _, frame = live(running, context, "raw", "look")
        shows(frame, f"Orders of {CANARY}")
        replays.cut()
        recorder.put("console", page=1, level="log", text="said meanwhile")
        recorder.show("came meanwhile")
        until(frame, "document.querySelector('.live')?.textContent.includes('Connecting')")
        replays.mend()
        shows(frame, "came meanwhile")
        frame.get_by_role("tab", name="Console").click()
        frame.get_by_text("said meanwhile").wait_for()
        assert frame.get_by_text("said meanwhile").count() == 1
        assert frame.get_by_role("alert").count() == 0, "nothing is missing"
        assert len([line for line in running.log() if line.get("what") == "begin"]) == 2


class Line:
    """A way to a port of this machine that can be cut."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.to = 0
        self._open: list[socket.socket] = []
        self._cut = False
        threading.Thread(target=self._take, daemon=True).start()

    def cut(self) -> None:
        """Break all that goes over it, and let nothing through."""
        self._cut = True
        for each in self._open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let through again."""
        self._cut = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        self._server.close()

    def _take(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                taken, _ = self._server.accept()
                if self._cut:
                    taken.close()
                    continue
                other = socket.create_connection(("127.0.0.1", self.to))
                self._open += [taken, other]
                for one, two in ((taken, other), (other, taken)):
                    threading.Thread(target=self._pass, args=(one, two), daemon=True).start()

    def _pass(self, one: socket.socket, two: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                two.sendall(data)
        with contextlib.suppress(OSError):
            two.shutdown(socket.SHUT_RDWR)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def leaks(said: str) -> bool:
    return any(part.casefold() in said.casefold() for part in (*CANARY.split(), MAIL, "live-bot"))


@pytest.mark.parametrize(
    "name", ["chromium", *(pytest.param(each, marks=pytest.mark.slow) for each in ("firefox", "webkit"))]
)
def test_it_is_followed_in_each_engine(
    site: Served,
    recorder: Recorder,
    name: str,
    request: pytest.FixtureRequest,
    other_engine: Callable[[str], Engine],
    tmp_path: Path,
) -> None:
    address = re.search(r'<iframe[^>]* src="([^"#]+)', site.get(f"/runs/{ID}/live?reason=look", "raw").text)
    assert address
    if name == "chromium":
        browser: Browser = request.getfixturevalue("browser")
        page = browser.new_page()
        page.goto(address[1])
        followed(recorder, lambda body: page.evaluate(f"async () => {{ {body} }}"), None, address[1])
        page.close()
        return
    engine = other_engine(name)
    followed(recorder, engine.run, engine, address[1])
    (tmp_path / f"{name}.png").write_bytes(engine.picture())


def followed(recorder: Recorder, run: Any, engine: Any, address: str) -> None:
    if engine is not None:
        opened(engine, address)
    until = "const end = Date.now() + 20000; while (Date.now() < end) {{ if ({0}) return 'so'; await new Promise((r) => setTimeout(r, 30)); }} return 'not'"
    assert run(until.format(f"window.pagereel && {SHOWN} === 'Orders of {CANARY}'")) == "so"
    recorder.show("now")
    assert run(until.format(f"{SHOWN} === 'now'")) == "so"
    assert run(until.format("document.querySelector('.live[aria-pressed=true]')")) == "so"
    recorder.writer.close()
    assert run(until.format("!document.querySelector('.live')")) == "so"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_page_fits_and_everybody_can_use_it(
    site: Served, recorder: Recorder, browser: Browser, scheme: Any, width: int
) -> None:
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}) as context:
        page, frame = live(site, context, "reader")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.querySelectorAll('script, img, [onerror], [style]').length") == 0
        assert frame.evaluate("document.documentElement.scrollWidth") <= frame.evaluate("innerWidth")
        box = frame.get_by_role("button", name=re.compile("^Live")).bounding_box()
        assert box is not None and box["height"] >= 24 and box["x"] >= 0 and box["x"] + box["width"] <= width
        for of in (page.main_frame, frame) if AXE.exists() else ():  # npm ci
            violations = of.evaluate(
                f"async () => {{ {AXE.read_text()}; return (await axe.run(document, {{iframes: false}})).violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target)) }}"
            )
            assert violations == []
