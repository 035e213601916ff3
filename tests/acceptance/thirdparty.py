"""Line 4, as a program: pages that are not ours, recorded through ten interactions each, live and replay side by side.

    python -m tests.acceptance.thirdparty [name …] [--pictures docs/evidence]

Material comes from npm and PyPI when first wanted, into a cache outside the checkout (`PAGEREEL_CACHE`).
"""

from __future__ import annotations

import argparse
import io
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import Browser

from pagereel.fixtures.thirdparty import CASES, ThirdPartyPage
from pagereel.player_build import build
from pagereel.recorder import record
from pagereel.reel import compare_checkpoints, open_reel

from ..chromium import open_chromium
from .support import LAUNCH, Opened, difference, live, opened, seek, shown

VIEWPORT = {"width": 1280, "height": 800}
TOLERANCE = 16
"""A pixel differs when a channel differs by more than this of 255: text is smoothed with different neighbours."""


@dataclass
class Look:
    """One moment, live and replayed. `pixels`: share of them that differ; `structure`: the first difference, or ""."""

    mark: str
    live: Image.Image
    replay: Image.Image
    pixels: float
    structure: str


@dataclass
class Finding:
    name: str
    checkpoints: str
    equal: int
    total: int
    gaps: dict[str, int]
    unsupported: dict[str, int]
    looks: list[Look] = field(default_factory=list)


def picture(page: Any) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(animations="allow", caret="initial"))).convert("RGB")


def differing(left: Image.Image, right: Image.Image) -> Image.Image:
    """White where a pixel differs."""
    if left.size != right.size:
        return Image.new("L", left.size, 255)
    bands = ImageChops.difference(left, right).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return most.point(lambda value: 255 if value > TOLERANCE else 0)


def share(mask: Image.Image) -> float:
    return mask.histogram()[255] / (mask.width * mask.height)


def run(browser: Browser, case: ThirdPartyPage, folder: Path) -> Finding:
    """Records `case`, builds it, and compares every mark."""
    reel, html = folder / f"{case.name}.reel", folder / f"{case.name}.html"
    context = browser.new_context(viewport=VIEWPORT)
    seen: dict[str, tuple[Image.Image, str]] = {}
    with case.serve() as url:
        page = context.new_page()
        with record(context, reel, agent=case.name) as session:
            page.goto(url)
            for number in range(case.interactions):
                with session.step(f"Interaction {number + 1}"):
                    case.interact(page, number)
                for _ in range(20):
                    before, structure = picture(page), live(page)
                    session.mark(f"{number + 1}")
                    after = picture(page)
                    if structure == live(page) and share(differing(before, after)) == 0:
                        break
                    page.wait_for_timeout(150)
                # The caret may have blinked meanwhile; the later mark of a name counts.
                seen[f"{number + 1}"] = (before, structure)
        context.close()
    build(reel, html, redaction=None)
    with open_reel(reel) as opening:
        checked = compare_checkpoints(opening)
        events = list(opening.events())
    result = Finding(case.name, str(checked), checked.equal, checked.total, {}, {})
    for event in events:
        if event["k"] == "gap":
            result.gaps[str(event["reason"])] = result.gaps.get(str(event["reason"]), 0) + 1
        if event["k"] == "unsupported":
            result.unsupported[str(event["what"])] = result.unsupported.get(str(event["what"]), 0) + 1
    times = {str(event["name"]): event["t"] for event in events if event["k"] == "mark"}
    with opened(browser, html, fragment="#bare") as replay:
        replay.page.set_viewport_size(VIEWPORT)
        for mark, (image, structure) in seen.items():
            seek(replay.page, times[mark])
            result.looks.append(_look(replay, mark, image, structure))
    return result


def _look(replay: Opened, mark: str, image: Image.Image, structure: str) -> Look:
    found = picture(replay.page)
    return Look(
        mark, image, found, share(differing(image, found)), difference(structure, shown(replay.page, plain=True))
    )


def sheet(look: Look) -> Image.Image:
    """Live, replay, and what differs, in one picture."""
    width, height = look.live.size
    out = Image.new("RGB", (width * 3 // 2 + 40, height // 2 + 30), "white")
    draw = ImageDraw.Draw(out)
    for place, (title, image) in enumerate(
        (("live", look.live), ("replay", look.replay), ("differs", differing(look.live, look.replay).convert("RGB")))
    ):
        left = 10 + place * (width // 2 + 10)
        draw.text((left, 8), f"{title} · mark {look.mark} · {look.pixels:.3%} of pixels", fill="black")
        out.paste(image.resize((width // 2, height // 2), Image.Resampling.LANCZOS), (left, 24))
    return out


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.thirdparty", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CASES), help=f"of {', '.join(CASES)}")
    parser.add_argument("--pictures", type=Path, help="a folder for side-by-side pictures")
    parser.add_argument("--marks", default="", help="which marks to draw, joined by commas; else the worst")
    options = parser.parse_args()
    bad = 0
    with open_chromium(LAUNCH) as browser, tempfile.TemporaryDirectory() as work:
        for name in options.names:
            found = run(browser, CASES[name], Path(work))
            print(
                f"{name} ({CASES[name].versions}): {found.checkpoints}; gaps {found.gaps}; unsupported {found.unsupported}"
            )
            for look in found.looks:
                print(
                    f"  mark {look.mark:>2}: {look.pixels:8.4%} of pixels differ; structure {look.structure or 'equal'!r}"
                )
            bad += found.equal != found.total
            if options.pictures:
                options.pictures.mkdir(parents=True, exist_ok=True)
                worst = max(found.looks, key=lambda look: look.pixels)
                for look in found.looks:
                    if look.mark in options.marks.split(",") or (not options.marks and look is worst):
                        sheet(look).save(options.pictures / f"{name}-{look.mark}.png", optimize=True)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
