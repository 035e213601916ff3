"""The pages in three engines, for who has a keyboard alone, and by axe's rules."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

pytest.importorskip("starlette")

from tests.player.engines import ENGINES, Engine

from .server import PATHS, Served
from .test_live_pages import AXE

FITS = "return document.documentElement.scrollWidth <= innerWidth"
AT = "const e = document.activeElement; return [e.name || e.textContent.trim().split(/\\s+/)[0], parseFloat(getComputedStyle(e).outlineWidth) >= 2]"


class Chromium:
    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark").new_page()

    def open(self, address: str) -> None:
        self.page.goto(address)

    def run(self, body: str) -> Any:
        return self.page.evaluate(f"async () => {{ {body} }}")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def picture(self) -> bytes:
        return self.page.screenshot()


@pytest.fixture
def engine(request: pytest.FixtureRequest, other_engine: Callable[[str], Engine]) -> Iterator[Engine]:
    if request.param == "chromium":
        chromium = Chromium(request.getfixturevalue("browser"))
        yield chromium
        chromium.page.context.close()
    else:
        yield other_engine(request.param)


def masked(engine: Engine) -> None:
    """Waits for a run that is being masked: the page that says so asks again by itself."""
    for _ in range(600):
        with contextlib.suppress(Exception):  # each driver has its own word for a document that is being left
            if engine.run("return document.querySelector('h1')?.textContent !== 'One moment'"):
                return
        time.sleep(0.1)
    pytest.fail("the run was never shown")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_everybody_can_use_the_pages(looked_at: Served, engine: Engine, request: pytest.FixtureRequest) -> None:
    site = looked_at
    engine.open(site.address)
    for path in PATHS:
        engine.open(f"http://{site.pages}{path}")
        masked(engine)
        assert engine.run(FITS) is True, path
        if not AXE.exists():  # npm ci
            continue
        found = engine.run(
            f"{AXE.read_text()}; return JSON.stringify((await axe.run(document, {{iframes: false}})).violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target)))"
        )
        assert json.loads(found) == [], path
    if shots := os.environ.get("PAGEREEL_PICTURES"):
        engine.open(f"http://{site.pages}/?q=card")
        (Path(shots) / f"{request.node.callspec.id}.png").write_bytes(engine.picture())
    engine.open(f"http://{site.pages}/?q=declined")
    stops = []
    for _ in range(12):
        engine.press("Tab")
        stops.append(engine.run(AT))
        if str(stops[-1][0]).startswith(("✗", "0:0")):
            break
    assert [stop for stop in stops if not stop[1]] == [], "where the focus is can be seen"
    assert {"To", "pagereel", "Runs", "Figures", "Log", "q", "Search"} <= {stop[0] for stop in stops}, stops
    engine.press("Enter")
    for _ in range(200):
        with contextlib.suppress(Exception):  # each driver has its own word for a document that is being left
            if engine.run("return location.pathname") == "/runs/run-0000":
                return
        time.sleep(0.05)
    pytest.fail("Enter did not open the run")
