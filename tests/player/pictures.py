"""Pictures of a page while it is recorded, and of its replay, each moment opened by its own link as a new document."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page

from pagereel.player_build import build
from pagereel.recorder import record

from ..recorder.support import Site, until, watched

Told = list[dict[str, Any]]
"""What a recording has written so far."""


class Mark(Protocol):
    def __call__(self, name: str, when: Callable[[Told], object] | None = None) -> None:
        """Sets a mark and takes a picture, as soon as the recording has told what it should have."""


NOISE = 24
"""How far a channel of a pixel may be off, of 255: antialiasing."""


@dataclass(frozen=True)
class Pair:
    """What showed at one mark, live and in the replay."""

    live: Image.Image
    replay: Image.Image

    @property
    def differs(self) -> tuple[int, int, int, int] | None:
        """The box around all pixels that are not the same; None where all are."""
        if self.live.size != self.replay.size:
            return (0, 0, *self.live.size)
        apart = ImageChops.difference(self.live, self.replay).convert("L").point(lambda value: 255 * (value > NOISE))
        return apart.getbbox()


def pairs(
    browser: Browser,
    directory: Path,
    pages: Mapping[str, tuple[str, bytes]] | str,
    drive: Callable[[Page, Mark], None] | None = None,
    *,
    context: Mapping[str, Any] | None = None,
    reader: Mapping[str, Any] | None = None,
) -> dict[str, Pair]:
    """Records `drive` on a site of `pages` (or of one page, by its HTML) and gives the pictures at the marks that it sets.

    `context` and `reader`: options of the contexts in which it is recorded and replayed. Without `drive` there is one
    mark, "shown".
    """
    reel, html = directory / "pictures.reel", directory / "pictures.html"
    live: dict[str, bytes] = {}
    size: dict[str, Any] = {"viewport": {"width": 800, "height": 600}}
    recorded = browser.new_context(**{**size, **(context or {})})
    with Site() as site, record(recorded, reel) as session:
        if isinstance(pages, str):
            site.html("/", pages)
        else:
            site.pages.update(pages)
        told = watched(session)
        page = recorded.new_page()

        def mark(name: str, when: Callable[[Told], object] | None = None) -> None:
            if when:
                until(page, lambda: when(told))
            else:
                page.wait_for_timeout(200)
            session.mark(name)
            live[name] = page.screenshot(caret="initial")

        page.goto(f"http://127.0.0.1:{site.port}/")
        if drive:
            drive(page, mark)
        else:
            mark("shown")
    recorded.close()
    build(reel, html, redaction=None)
    found = {}
    own = browser.new_context(
        offline=True,
        **{**size, **{k: v for k, v in (context or {}).items() if k in ("viewport", "device_scale_factor")}},
        **(reader or {}),
    )
    replay = own.new_page()
    for number, (name, picture) in enumerate(live.items()):
        # With a number, since a link to what is there would be a seek in it.
        replay.goto(f"{html.as_uri()}?{number}#bare&mark={name}")
        replay.evaluate("pagereel.ready")
        found[name] = Pair(_image(picture), _image(replay.screenshot(caret="initial")))
    own.close()
    return found


def off(seen: Mapping[str, Pair]) -> dict[str, tuple[int, int, int, int]]:
    """The marks whose pictures differ, and where."""
    return {name: box for name, pair in seen.items() if (box := pair.differs) is not None}


def _image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")
