"""Builds an application's recording raw and with the default policy, and compares the two replays at each mark.

Only texts may differ: the masked replay must have the same elements with the same styles, and every sheet, font and picture of the raw one. Whether the
page can still be read is for a person to judge, from the pairs of pictures and the list of masked texts.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image, ImageDraw

from pagereel.browser import launch_options
from pagereel.errors import GateError
from pagereel.player_build import build
from pagereel.player_build.masked_page_check import MaskedPageReport, compare_masked_page
from pagereel.recorder import record
from pagereel.reel import open_reel

from ..fidelity.case_runs import PATIENCE, READY, iter_marks, open_context
from .application import Application

WINDOW = {"width": 1360, "height": 860}
SIDE = 900
"""px: how wide each of a pair is drawn."""

LOOK = """() => {
  const properties = ["display", "position", "float", "visibility", "opacity", "color", "background-color", "background-image", "font-family", "font-size", "font-weight",
    "border-top-width", "padding-left", "text-align", "flex-direction", "grid-template-columns"];
  const elements = [], texts = [];
  const look = (root) => {
    for (const node of root.childNodes) {
      if (node.nodeType === 3) { if (node.data.trim() && !/^(?:STYLE|SCRIPT)$/i.test(node.parentNode.nodeName)) texts.push(node.data.trim()); continue; }
      if (node.nodeType !== 1) continue;
      const style = node.ownerDocument.defaultView.getComputedStyle(node), box = node.getBoundingClientRect();
      elements.push([node.localName, properties.map((name) => style.getPropertyValue(name).replace(/(?:blob|data):[^"]*/g, "")).join("|"), Math.round(box.left), Math.round(box.top), Math.round(box.width), Math.round(box.height)]);
      for (const name of ["placeholder", "aria-label", "title", "alt"]) if (node.getAttribute(name)) texts.push(node.getAttribute(name));
      if (node.shadowRoot) look(node.shadowRoot);
      look(node);
      try { if (node.contentDocument) look(node.contentDocument); } catch {}
    }
  };
  look(window.pagereel.frame.contentDocument);
  return [elements, texts, document.body.innerText.split("\\n").map((line) => line.trim()).filter(Boolean)];
}"""


@dataclass
class ReplayLikeness:
    """Counts of what a masked replay has in common with the raw one, over all marks."""

    name: str
    marks: int = 0
    elements: int = 0
    styled: int = 0
    """Elements with the styles of the raw replay's."""
    placed: int = 0
    """Elements whose box has the place of the raw one's, to 12 px. Texts of another length move what stands after them."""
    trees: int = 0
    """Marks at which the two replays do not have the same elements."""
    missing: list[str] = field(default_factory=list)
    """Addresses that only the masked replay does not find."""
    error: str = ""
    """Why there is no default build."""
    page: MaskedPageReport = field(default_factory=MaskedPageReport)
    """What ``pagereel build --check`` says."""
    seconds: float = 0.0
    """Of the processor, for the default build."""

    @property
    def line(self) -> str:
        """The result as one line for the terminal."""
        return f"{self.name}: {self.error or self.page}, {self.seconds:.1f} s of CPU"

    def build_both(self, reel: Path, raw: Path, masked: Path) -> bool:
        """Build the recording raw and masked, and compare both as ``build --check`` does; return False where the gate refused."""
        report = build(reel, raw, redaction=None)
        began = _measure_cpu_seconds()
        try:
            default = build(reel, masked)
        except GateError as error:
            self.error = f"refused: {error}"
            return False
        finally:
            self.seconds = _measure_cpu_seconds() - began
        self.missing = sorted(set(default.missing) - set(report.missing))
        self.page = compare_masked_page(raw, masked, launch_options())
        return True

    def add_mark(self, raw: list[Any], masked: list[Any]) -> None:
        """Add to the counts what the raw and the masked replay show at one mark."""
        self.marks += 1
        self.elements += len(raw[0])
        self.trees += [each[0] for each in raw[0]] != [each[0] for each in masked[0]]
        for a, b in zip(raw[0], masked[0], strict=False):
            self.styled += a[:2] == b[:2]
            self.placed += all(abs(x - y) <= 12 for x, y in zip(a[2:], b[2:], strict=True))


def describe_totals(results: Sequence[ReplayLikeness]) -> str:
    """Return the sums over all applications as one line."""
    equal, of = sum(each.page.equal for each in results), sum(each.page.of for each in results)
    return (
        f"{len(results)} applications: same page {equal} of {of}; {sum(bool(each.error) for each in results)} refused; "
        f"{sum(each.seconds for each in results):.0f} s of CPU"
    )


def _measure_cpu_seconds() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@dataclass
class RedactedPair(ReplayLikeness):
    """The comparison of an application's raw and masked replay, with the texts and the panels' lines that were changed."""

    texts: dict[str, str] = field(default_factory=dict)
    """Texts of the page, raw and masked."""
    story: list[str] = field(default_factory=list)
    """Lines of the panels that differ."""

    @property
    def same(self) -> bool:
        """Whether nothing but texts differs."""
        return not self.error and not self.missing and self.page.all_equal

    def __str__(self) -> str:
        if self.error:
            return self.line
        lines = [
            f"{self.line}; {self.marks} marks, trees that differ {self.trees}, styles equal at {self.styled} of {self.elements} elements, boxes at {self.placed}; "
            f"{len(self.missing)} addresses lost, {len(self.texts)} texts masked"
        ]
        lines += [f"  {difference}" for difference in self.page.differences]
        lines += [f"  lost {address}" for address in self.missing]
        lines += [f"  {raw!r} -> {masked!r}" for raw, masked in self.texts.items()]
        lines += ["  the panels:", *(f"    {line}" for line in self.story)] if self.story else []
        return "\n".join(lines)


def record_pair(browser: Any, application: Application, out: Path) -> RedactedPair:
    """Record the application unless `out` has its recording, and compare its raw and masked replays.

    Pairs of pictures, raw at the left, are written into `out`.
    """
    result = RedactedPair(application.name)
    out.mkdir(parents=True, exist_ok=True)
    reel, raw, masked = out / "run.reel", out / "raw.html", out / "masked.html"
    for old in out.glob("* raw and masked.png"):
        old.unlink()
    if not reel.exists():
        _record_application(browser, application, reel)
    if not result.build_both(reel, raw, masked):
        return result
    story: dict[str, None] = {}
    for number, mark in enumerate(iter_mark_names(reel), 1):
        (one, left), (other, right) = (read_replay_at_mark(browser, file, mark) for file in (raw, masked))
        draw_pair(left, right, f"{application.name}, {mark}: raw at the left, the default at the right").save(
            out / f"{number:02} {mark.replace('/', '-')} raw and masked.png"
        )
        _add_mark(result, one, other)
        story.update(dict.fromkeys(_iter_changed_lines(one[2], other[2])))
    result.story = list(story)
    return result


def _record_application(browser: Any, application: Application, reel: Path) -> None:
    """Record an application with all its marks."""
    with (
        application.site() as site,
        contextlib.closing(open_context(browser, application.case)) as context,
        record(context, reel) as session,
    ):
        context.set_default_timeout(3 * PATIENCE)
        for mark in iter_marks(context.new_page(), application.case, site.url + application.path):
            session.mark(mark)


def iter_mark_names(reel: Path) -> Iterator[str]:
    """Yield the names of a recording's marks; of a mark that was repeated the last name."""
    with open_reel(reel) as read:
        names = [str(event["name"]) for event in read.events() if event["k"] == "mark"]
    yield from {re.sub(r" \(\d+\)\Z", "", name): name for name in names}.values()


def read_replay_at_mark(browser: Any, html: Path, mark: str) -> tuple[list[Any], bytes]:
    """Return what a replay shows at a mark (elements with style and box, texts of the page, lines of the panels), and a screenshot."""
    with contextlib.closing(browser.new_context(viewport=WINDOW, locale="en-GB", timezone_id="UTC")) as context:
        page = context.new_page()
        page.goto(f"{html.absolute().as_uri()}#mark={quote(mark, safe='')}")
        page.evaluate(READY)
        page.get_by_role("tab", name="Actions").click()  # The run told no steps: what it did stands there.
        page.wait_for_timeout(150)
        return page.evaluate(LOOK), page.screenshot(timeout=PATIENCE)


def _add_mark(result: RedactedPair, one: list[Any], other: list[Any]) -> None:
    """Add to the result what the two replays show at one mark, and which texts differ."""
    result.add_mark(one, other)
    if len(one[1]) == len(other[1]):
        result.texts.update({a[:120]: b[:120] for a, b in zip(one[1], other[1], strict=True) if a != b})
    else:
        result.texts.update({f"{len(one[1])} texts": f"{len(other[1])} texts"})


def _iter_changed_lines(one: list[str], other: list[str]) -> Iterator[str]:
    """Yield the lines that only one of two lists has, with + or - before them."""
    for line in difflib.unified_diff(one, other, n=0, lineterm=""):
        if line[:1] in "+-" and not line.startswith(("+++", "---")):
            yield line[:160]


def draw_pair(left: bytes, right: bytes, title: str) -> Image.Image:
    """Return one picture of two screenshots side by side under a title."""
    pictures = [Image.open(io.BytesIO(each)).convert("RGB") for each in (left, right)]
    small = [each.resize((SIDE, round(each.height * SIDE / each.width)), Image.Resampling.LANCZOS) for each in pictures]
    sheet = Image.new("RGB", (2 * SIDE + 10, small[0].height + 20), "white")
    ImageDraw.Draw(sheet).text((4, 4), title, fill="black")
    for number, each in enumerate(small):
        sheet.paste(each, (number * (SIDE + 10), 20))
    return sheet
