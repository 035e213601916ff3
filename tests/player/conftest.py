"""Replays in a real Chromium, opened from disk, with everything that they ask for or run noted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pagereel.player_build import build
from pagereel.recorder import Session, record
from pagereel.reel import Json
from tests.checks import in_one_browser
from tests.chromium import open_chromium
from tests.recorder.support import Site
from tests.reel.sample import Script, write_sample

from .engines import ENGINES, Chromium, Engine, firefox, webkit

# What of the shown page can be seen from outside: every node with its attributes and state, frames and shadow roots
# too.
SERIALIZE = """() => {
  const lines = [];
  const visit = (node, depth) => {
    const pad = ' '.repeat(depth);
    if (node.nodeType === 1) {
      const names = [...node.attributes].map((a) => a.name + '=' + a.value.replace(/blob:\\S+?(?=["'\\s)]|$)/g,
      'blob'));
      let state = '';
      if ('value' in node && /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)) state += ' v:' + node.value;
      if (node.tagName === 'INPUT') state += ' c:' + node.checked + node.indeterminate;
      if (node.scrollTop || node.scrollLeft) state += ` s:${Math.round(node.scrollLeft)},${Math.round(node.scrollTop)}`;
      if (node.matches(':modal,:popover-open')) state += ' top';
      lines.push(pad + node.namespaceURI.slice(-5) + ':' + node.localName + ' ' + names.sort().join(' ') + state);
      if (node.shadowRoot) visit(node.shadowRoot, depth + 1);
      if (node.localName === 'template') visit(node.content, depth + 1);
      if (node.contentDocument) visit(node.contentDocument, depth + 1);
    } else lines.push(pad + node.nodeType + ' ' + (node.data ?? node.mode ?? node.compatMode ?? ''));
    if (node.adoptedStyleSheets) lines.push(pad + node.adoptedStyleSheets
      .map((s) => [...s.cssRules].map((r) => r.cssText.replace(/blob:[^"]+/g, 'blob')).join()).join('|'));
    for (const child of node.childNodes) visit(child, depth + 1);
  };
  visit(pagereel.frame.contentDocument, 0);
  return lines.join('\\n');
}"""


@dataclass
class Replay:
    """An opened replay."""

    page: Page
    path: Path
    requests: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _opened: int = 0

    def seek(self, target: float | dict[str, Any]) -> None:
        self.page.evaluate("(target) => pagereel.seek(target)", target)

    def reopen(self, fragment: str) -> None:
        """Opens the file again by a link: another document in the same page."""
        self._opened += 1
        self.page.goto(f"{self.path.as_uri()}?{self._opened}{fragment}")
        self.page.evaluate("pagereel.ready")

    def until(self, condition: str) -> None:
        """Waits until an expression holds. (`wait_for_function` needs eval, which the file's policy forbids.)"""
        for _ in range(200):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"not within 5 s: {condition}")

    def serialize(self) -> str:
        return str(self.page.evaluate(SERIALIZE))

    def inside(self, script: str) -> Any:
        """The value of an expression over `doc`, the document that is shown."""
        return self.page.evaluate(f"() => {{ const doc = pagereel.frame.contentDocument; return {script}; }}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with open_chromium() as browser:
        yield browser


@pytest.fixture(scope="session", autouse=True)
def checks() -> Iterator[None]:
    with in_one_browser():
        yield


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    if request.param == "chromium":
        browser: Browser = request.getfixturevalue("browser")
        yield Chromium(browser)
    elif request.param == "firefox":
        with firefox(tmp_path_factory.mktemp("gecko") / "gecko.log") as window:
            yield window
    else:
        with webkit() as other:
            yield other


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def recorded(browser: Browser, site: Site, tmp_path: Path) -> Callable[..., Path]:
    """``recorded(html, act)`` records a page at 800 x 600 while ``act(page, session)`` uses it."""

    def record_(html: str, act: Callable[[Page, Session], None]) -> Path:
        url = site.html("/state", html)
        reel = tmp_path / "state.reel"
        context = browser.new_context(viewport={"width": 800, "height": 600})
        with record(context, reel) as session:
            page = context.new_page()
            page.goto(url)
            act(page, session)
        context.close()
        return reel

    return record_


@pytest.fixture
def open_replay(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Replay]]:
    """``open_replay(reel)`` builds the reel raw and opens it from disk, offline."""
    contexts = []

    def open_(
        reel: Path, fragment: str = "", *, width: int = 1280, dark: bool = False, redaction: str | None = None
    ) -> Replay:
        html = tmp_path / f"{reel.stem}.html"
        build(reel, html, redaction=redaction)
        context = browser.new_context(
            viewport={"width": width, "height": 800}, offline=True, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        replay = Replay(context.new_page(), html)
        replay.page.set_default_timeout(15_000)

        def note(url: str) -> None:
            if not url.startswith(("blob:", "data:", "about:")) and url.split("#")[0].split("?")[0] != html.as_uri():
                replay.requests.append(url)

        context.on("request", lambda request: note(request.url))
        context.on("page", lambda page: replay.problems.append("a window opened") if page != replay.page else None)
        replay.page.on("pageerror", lambda error: replay.problems.append(str(error)))
        replay.page.on("dialog", lambda dialog: (replay.problems.append("a dialog opened"), dialog.dismiss()))
        replay.page.goto(html.as_uri() + fragment)
        replay.page.evaluate("pagereel.ready")
        return replay

    yield open_
    for context in contexts:
        context.close()


@dataclass
class Hand:
    """A recording made by hand: one page, one document."""

    script: Script
    path: Path

    def start(self, *body: Json, head: list[Json] | None = None, mode: str = "CSS1Compat", **preferences: Json) -> Hand:
        self.script.run("page", 0, page=1, event="open")
        self.script.run(
            "document", 0, d=1, page=1, frame="F", url="https://site.example/a/", top=True, mode=mode,
            viewport={"w": 800, "h": 600, "dpr": 1}, title="", referrer="", **preferences,
        )  # fmt: skip
        tree: list[Json] = ["#document", {}]
        if mode == "CSS1Compat":
            tree.append(["#doctype", "html", "", ""])
        tree.append(["html", {}, ["head", {}, *(head or [])], ["body", {}, *body]])
        self.script.page("snapshot", 1, 1, ops=[["doc", 1, tree]], why="start")
        return self

    def close(self) -> Path:
        self.script.writer.close("done")
        return self.path


@pytest.fixture
def hand(tmp_path: Path) -> Hand:
    path = tmp_path / "hand.reel"
    return Hand(Script(path), path)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.reel"
    write_sample(path)
    return path
