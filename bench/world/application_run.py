"""Records one application, opens its replay at each mark, and compares it with the live page."""

from __future__ import annotations

import contextlib
import io
import json
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from pagereel.browser import launch_options
from pagereel.player_build import build, verify_replay
from pagereel.recorder import record
from pagereel.reel import open_reel

from ..fidelity import structure
from ..fidelity.case_runs import (
    PATIENCE,
    RESTLESS,
    PageAtMark,
    capture_page,
    iter_marks,
    open_context,
    open_replay_at_mark,
)
from ..fidelity.page_serializer import PageSerializer
from ..fidelity.pixels import compute_pixel_difference
from .application import Application

CLOSE = 0.001
"""Share of the picture that may differ beside the noise."""


@dataclass
class ReplayMark:
    """How far the replay equals the page at one mark.

    `noise` and `pixels` are shares of the viewport's pixels; `noise` is between two live screenshots.
    """

    name: str
    noise: float
    pixels: float
    difference: str = ""
    """The first difference in structure."""

    @property
    def close(self) -> bool:
        """Whether the pixels differ by no more than the noise plus 0.1 %."""
        return self.pixels <= self.noise + CLOSE


@dataclass
class AppResult:
    """The results of one application at all its marks."""

    name: str
    kind: str
    framework: str
    version: str
    marks: list[ReplayMark] = field(default_factory=list)
    claim: str = ""
    """What `pagereel verify --replay` says of the built file."""
    said: dict[str, int] = field(default_factory=dict)
    """Gaps, unsupported things and missing resources that the recording owns up to, with their number."""
    error: str = ""
    seconds: float = 0.0

    @property
    def equal(self) -> int:
        """The number of marks that are equal in structure."""
        return sum(not mark.difference for mark in self.marks)

    @property
    def close(self) -> int:
        """The number of marks whose pixels are close to the page's."""
        return sum(mark.close for mark in self.marks)

    @property
    def worst(self) -> ReplayMark | None:
        """The mark that is farthest beyond its noise, None without marks."""
        return max(self.marks, key=lambda mark: mark.pixels - mark.noise, default=None)

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> AppResult:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**kept, "marks": [ReplayMark(**mark) for mark in kept["marks"]]})


def run_application(browser: Any, application: Application, out: Path, *, verify: bool = True) -> AppResult:
    """Record an application and compare its replay; errors are kept in the result.

    The replay, and pictures of marks that differ, stay in `out`.
    """
    result = AppResult(application.name, application.kind, application.framework, application.version)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        old.unlink()
    began = time.monotonic()
    try:
        _record_and_compare(browser, application, out, result)
        if verify:
            result.claim = _describe_claim(out / "run.html")
    except Exception as error:
        result.error = f"{type(error).__name__}: {error}".splitlines()[0][:300]
    result.seconds = round(time.monotonic() - began, 1)
    return result


def _record_and_compare(browser: Any, application: Application, out: Path, result: AppResult) -> None:
    """Record the application, then compare the replay at the marks that were reached, also where an interaction failed."""
    reel, html = out / "run.reel", out / "run.html"
    seen: dict[str, tuple[str, float, PageAtMark]] = {}
    try:
        with (
            application.site() as site,
            contextlib.closing(open_context(browser, application.case)) as context,
            record(context, reel) as session,
        ):
            _capture_marks(context, application, site.url + application.path, session, seen)
    finally:
        if seen:  # An interaction that failed leaves the marks before it.
            _compare_replay(browser, application, reel, html, seen, result, out)


def _capture_marks(
    context: Any, application: Application, url: str, session: Any, seen: dict[str, tuple[str, float, PageAtMark]]
) -> None:
    """Do all interactions, and put into `seen` for each mark its last name, the noise, and the page."""
    context.set_default_timeout(3 * PATIENCE)  # Some bring megabytes of script, and the machine may be busy.
    page = context.new_page()
    eye = PageSerializer(page)
    for mark in iter_marks(page, application.case, url):
        before = capture_page(page, eye.serialize_page)
        for attempt in range(1, RESTLESS + 1):
            name = mark if attempt == 1 else f"{mark} ({attempt})"
            session.mark(name)
            after = capture_page(page, eye.serialize_page)
            noise = compute_pixel_difference(before.picture, after.picture)
            seen[mark] = (name, noise, after)
            if after.lines == before.lines and noise <= CLOSE:
                break
            before = after


def _compare_replay(
    browser: Any,
    application: Application,
    reel: Path,
    html: Path,
    seen: dict[str, tuple[str, float, PageAtMark]],
    result: AppResult,
    out: Path,
) -> None:
    """Build the replay, compare it with the page at each mark, and add the marks to the result."""
    with open_reel(reel) as read:
        for event in read.events():
            if event["k"] in ("gap", "unsupported"):
                what = str(event.get("reason") or event.get("what"))
                result.said[what] = result.said.get(what, 0) + 1
    report = build(reel, html, redaction=None)
    if report.missing:
        result.said["missing"] = len(report.missing)
    with contextlib.closing(open_context(browser, application.case)) as context:
        for number, (mark, (name, noise, live)) in enumerate(seen.items(), 1):
            shown = open_replay_at_mark(context, html, name)
            difference = structure.find_first_difference(live.lines, shown.lines)
            pixels = compute_pixel_difference(live.picture, shown.picture, ignored_boxes=shown.masked)
            found = ReplayMark(mark, noise, pixels, str(difference or ""))
            result.marks.append(found)
            if not found.close or difference:
                _draw_side_by_side(live, shown, f"{application.name} {mark}: {pixels:.2%}, noise {noise:.2%}").save(
                    out / f"{number:02} {mark}.png"
                )
            if difference:
                for kind, each in (("live", live), ("replay", shown)):
                    lines = "\n".join(f"{' ' * depth}{line}" for depth, line in each.lines)
                    (out / f"{number:02} {mark}.{kind}.txt").write_text(
                        lines + "\n", encoding="utf-8", errors="replace"
                    )


def _draw_side_by_side(live: PageAtMark, shown: PageAtMark, title: str) -> Image.Image:
    """Return one picture of the live page and the replay."""
    left, right = (Image.open(io.BytesIO(each.picture)).convert("RGB") for each in (live, shown))
    sheet = Image.new("RGB", (left.width + right.width + 10, max(left.height, right.height) + 20), "white")
    ImageDraw.Draw(sheet).text((4, 4), f"{title}; live at the left, replay at the right", fill="black")
    sheet.paste(left, (0, 20))
    sheet.paste(right, (left.width + 10, 20))
    return sheet


def _describe_claim(html: Path) -> str:
    """Return what `verify --replay` says of a replay, or its error."""
    try:
        report = verify_replay(html, launch=launch_options())
    except Exception as error:
        return f"error: {error}".splitlines()[0][:120]
    return str(report)
