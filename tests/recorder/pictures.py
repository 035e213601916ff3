"""Replays compared with what the page showed: pictures at marks, each mark opened by its own link as a new document."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from PIL import Image, ImageChops
from playwright.sync_api import BrowserContext, Page, ViewportSize

from pagereel.player_build import build
from pagereel.recorder import Session

_STEADY = 0.5
"""Seconds after which a picture that did not change will not."""
_FAR = 40
"""Levels of a channel that a lossy picture may be off by."""


@dataclass
class Album:
    """Pictures of a page at the marks of its recording."""

    session: Session
    page: Page
    live: dict[str, bytes] = field(default_factory=dict)

    def mark(self, name: str, *, settled: float = 0) -> None:
        """Marks the moment; the page's picture is taken `settled` ms after it, when what had loaded by then is painted."""
        self.session.mark(name)
        if settled:
            self.page.wait_for_timeout(settled)
        self.live[name] = self.page.screenshot()


def replayed(
    context: BrowserContext,
    reel: Path,
    album: Album,
    redaction: str | None = None,
    keep: Path | None = None,
    patience: float = 10_000,
) -> dict[str, float]:
    """For each mark of the album, the share of pixels in which the replay opened there differs from the page.

    `keep`: a folder in which both pictures are left. `patience`: ms that the browser may take until a picture that is there is drawn.
    """
    html = reel.with_suffix(".html")
    build(reel, html, redaction=redaction)
    shares = {}
    page = context.new_page()
    if album.page.viewport_size:
        page.set_viewport_size(album.page.viewport_size)
    for name, live in album.live.items():
        page.goto("about:blank")  # Else the link would be a seek in the document that is there.
        shown = _opened(page, f"{html.as_uri()}#bare&mark={quote(name)}", wanted=live, patience=patience)
        if keep is not None:
            (keep / f"{reel.parent.name}-{name}-live.png").write_bytes(live)
            (keep / f"{reel.parent.name}-{name}-replay.png").write_bytes(shown)
        shares[name] = differing(live, shown)
        if shares[name] > 0.01:
            print(f"{name}: {described(live, shown)}")  # All that is seen of a failure on a machine that is gone.
    page.close()
    return shares


def described(one: bytes, other: bytes) -> str:
    """Where two pictures differ, and what each shows in the middle of it."""
    with Image.open(BytesIO(one)) as a, Image.open(BytesIO(other)) as b:
        a, b = a.convert("RGB"), b.convert("RGB")
        box = ImageChops.difference(a, b).point(lambda level: 255 if level > _FAR else 0).getbbox()
        if box is None:
            return "no difference"
        middle = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
        corner = (box[0], box[1])
        shown = [f"{picture.getpixel(middle)}, {picture.getpixel(corner)} in its corner" for picture in (a, b)]
        return f"they differ in {box}, where there is {shown[0]} and {shown[1]}"


def opened(context: BrowserContext, html: Path, fragment: str, size: ViewportSize) -> bytes:
    """The picture of a replay opened by a link, in a page of its own."""
    page = context.new_page()
    page.set_viewport_size(size)
    picture = _opened(page, html.as_uri() + fragment)
    page.close()
    return picture


def _opened(page: Page, address: str, *, wanted: bytes | None = None, patience: float = 300) -> bytes:
    """The page's picture when patience (ms) has ended, or as soon as it is the one that is wanted."""
    page.goto(address)
    page.evaluate("pagereel.ready")
    since = time.monotonic()
    end = since + patience / 1000
    last = b""
    while True:
        picture = page.screenshot()
        if picture != last:
            last, since = picture, time.monotonic()
        share = differing(wanted, picture) if wanted else 1.0
        # A picture with loss is a little off at its edges, and stays so.
        if share < 0.001 or (share < 0.005 and time.monotonic() - since > _STEADY) or time.monotonic() > end:
            return picture
        page.wait_for_timeout(50)


def differing(one: bytes, other: bytes) -> float:
    """The share of pixels that are clearly not the same."""
    with Image.open(BytesIO(one)) as a, Image.open(BytesIO(other)) as b:
        assert a.size == b.size
        bands = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).split()
        far = [band.point(lambda level: 255 if level > _FAR else 0) for band in bands]
        all_far = ImageChops.lighter(ImageChops.lighter(far[0], far[1]), far[2])
        return all_far.histogram()[255] / (a.size[0] * a.size[1])
