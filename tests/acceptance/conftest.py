"""One browser for all, and the recordings that several tests look at. Everything is real: browser, shop, files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from pagereel.fixtures.agent import run_agent
from pagereel.fixtures.shop import Shop
from pagereel.player_build import build
from pagereel.recorder import record

from ..chromium import open_chromium
from .support import LAUNCH, live


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with open_chromium(LAUNCH) as browser:
        yield browser


@dataclass
class Errand:
    """The demo's run in the shop: its reel, two builds, and what the live pages showed at each mark."""

    reel: Path
    order: str
    live: dict[str, list[str]] = field(default_factory=dict)
    """Mark → each page's DOM as the page itself gave it, in the order of the pages."""

    @cached_property
    def raw(self) -> Path:
        build(self.reel, self.reel.with_name("raw.html"), redaction=None)
        return self.reel.with_name("raw.html")

    @cached_property
    def redacted(self) -> Path:
        build(self.reel, self.reel.with_name("redacted.html"))
        return self.reel.with_name("redacted.html")


class Watching:
    """A session that marks the end of each step as well, and writes the live pages down at every mark."""

    def __init__(self, session: Any, context: Any, seen: dict[str, list[str]]) -> None:
        self._session, self._context, self._seen = session, context, seen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    @contextmanager
    def step(self, title: str, **attributes: Any) -> Iterator[Any]:
        try:
            with self._session.step(title, **attributes) as step:
                yield step
        finally:
            self.mark(f"after {title}")

    def mark(self, name: str) -> float:
        """Marks a moment at which the pages hold still: what they show before and after is the same."""
        for _ in range(20):
            before = self._look()
            moment = self._session.mark(name)
            after = self._look()
            if before == after:
                self._seen[name] = after
                return float(moment)
            name += "."
            self._context.pages[-1].wait_for_timeout(150)
        raise AssertionError(f"the pages do not come to rest at {name!r}")

    def _look(self) -> list[str]:
        return [live(page) for page in self._context.pages]


@pytest.fixture(scope="package")
def errand(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Errand:
    folder = tmp_path_factory.mktemp("errand")
    reel = folder / "errand.reel"
    seen: dict[str, list[str]] = {}
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(15_000)
    with Shop(pace=0.3) as shop:
        with record(context, reel, agent="errand-bot") as session:
            order = run_agent(Watching(session, context, seen), context.new_page(), shop, fast=True)
        context.close()
    return Errand(reel, order, seen)
