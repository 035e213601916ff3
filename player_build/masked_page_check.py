"""Checks whether a masked replay looks like the raw one: style and layout of each element, at each checkpoint and mark.

A masked page has other texts, whose lengths move the elements around them. So the texts and control values of the
masked page are first put into the raw page: remaining differences come from style or layout that the masking lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import orjson

from pagereel.reel import Event, Json, PageModel

from .chunks import unpack_replay
from .headless import DEFAULT, HeadlessPlayer, HeadlessReplay, PageNotShownError, Size
from .tree_comparison import format_node_path

NEAR: Final = 1
"""CSS px that a box may differ, because letters have fractional widths."""
MOST: Final = 20_000
"""Largest number of elements of a document that are compared."""
_KEPT: Final = 100
"""Largest number of differences in a report."""
_TOLD: Final = 20
"""Largest number of differences in the file and in JSON."""

STYLE: Final = """
display visibility opacity position float clear z-index color background-color background-size background-repeat border-top-width border-right-width
border-bottom-width border-left-width border-top-style border-left-style border-top-color border-left-color border-top-left-radius
border-bottom-right-radius outline-style outline-width box-shadow font-size font-style font-weight letter-spacing text-align text-transform
text-decoration-line white-space-collapse overflow-x overflow-y flex-direction flex-wrap align-items justify-content order list-style-type cursor
fill stroke stroke-width transform filter clip-path direction writing-mode vertical-align object-fit text-overflow margin-top margin-left padding-top
padding-left
""".split()  # noqa: SIM905

# Called after LOOK in the world of the frame. Returns for each document and node the readable texts: the text of a
# text node; the control's value and the text attributes of an element.
TEXTS: Final = r"""() => JSON.stringify(globalThis.pagereelSeen.map((nodes) => nodes.map((node) => {
  if (node.nodeType === 3) return ['STYLE', 'SCRIPT', 'style', 'script'].includes(node.parentNode?.nodeName) ? null : node.data;
  if (node.nodeType !== 1) return null;
  const texts = {};
  for (const name of ['placeholder', 'alt', 'label', 'title', 'aria-label']) if (node.hasAttribute(name)) texts[name] = node.getAttribute(name);
  if (['INPUT', 'TEXTAREA'].includes(node.nodeName) && node.type !== 'file') texts[''] = node.value;
  return Object.keys(texts).length ? texts : null;
})))"""

# Puts these texts into another frame with the same tree.
PUT: Final = r"""(texts) => {
  const selects = new Set();
  for (const [number, document] of JSON.parse(texts).entries()) for (const [index, text] of document.entries()) {
    const node = globalThis.pagereelSeen[number]?.[index];
    if (text === null || !node) continue;
    if (typeof text === 'string') {
      if (node.nodeType === 3 && node.data !== text) {
        node.data = text;
        const select = node.parentNode?.closest?.('select');
        if (select) selects.add(select);
      }
    }
    else if (node.nodeType === 1) for (const [name, value] of Object.entries(text)) {
      if (name) { if (node.hasAttribute(name) && node.getAttribute(name) !== value) node.setAttribute(name, value); }
      else if (node.value !== value) try { node.value = value; } catch {}
    }
  }
  // Chromium takes no notice of a choice's width where what another option says changes.
  for (const select of selects) {
    const shown = select.getAttribute('style');
    select.style.display = 'none';
    void select.offsetWidth;
    if (shown === null) select.removeAttribute('style'); else select.setAttribute('style', shown);
  }
  return '';
}"""

# Returns for each element its style, as a number in a table of styles, and its box within the parent element. A
# pseudo-element's style belongs to its element.
SEE: Final = r"""(number, names, most) => {
  const nodes = globalThis.pagereelSeen[number];
  const window = nodes[0].defaultView;
  // A transition that is under way is as far as the machine was fast.
  for (const each of nodes[0].getAnimations()) if (each instanceof window.CSSTransition) each.finish();
  const styles = new Map();
  const image = (value) => value === 'none' ? value : value.includes('url(') ? 'image' : 'gradient';
  const row = (element, pseudo) => {
    const style = window.getComputedStyle(element, pseudo);
    if (pseudo && (style.content === 'none' || style.content === 'normal')) return null;
    return [...names.map((name) => style.getPropertyValue(name)), image(style.backgroundImage), image(style.maskImage)];
  };
  const boxOf = (element) => Element.prototype.getBoundingClientRect.call(element);
  const seen = [];
  for (const [index, element] of nodes.entries()) {
    if (element.nodeType !== 1) continue;
    if (seen.length >= most) break;
    const text = JSON.stringify([row(element), row(element, '::before'), row(element, '::after')]);
    if (!styles.has(text)) styles.set(text, styles.size);
    const {x, y, width, height} = boxOf(element);
    const around = element.parentElement ?? element.parentNode?.host;
    // Where it stands in what is around it: an offset that was scrolled to moves all of a page.
    const [left, top] = around ? [boxOf(around).x - around.scrollLeft, boxOf(around).y - around.scrollTop] : [x, y];
    seen.push([index, styles.get(text), Math.round(x - left), Math.round(y - top), Math.round(width), Math.round(height)]);
  }
  return JSON.stringify({styles: [...styles.keys()].map((text) => JSON.parse(text)), seen});
}"""
_NAMES: Final = (*STYLE, "background-image", "mask-image")
_PARTS: Final = ("", "::before", "::after")


@dataclass(frozen=True, slots=True)
class PageDifference:
    """The first difference of the masked page from the raw one at a time.

    `t` in ms; `frame` is the document's number on its page, 0 for the page's own.
    """

    t: float
    frame: int
    element: str
    what: str

    def to_json(self) -> dict[str, Json]:
        return {"t": self.t, "frame": self.frame, "element": self.element, "what": self.what}

    def __str__(self) -> str:
        where = f", frame {self.frame}" if self.frame else ""
        return f"the masked page differs at {self.t:.0f} ms{where}, {self.element}: {self.what}"


@dataclass(slots=True)
class MaskedPageReport:
    """The number of times at which the masked page looks like the raw one apart from its texts, and the differences at
    the others.
    """

    equal: int = 0
    of: int = 0
    differences: list[PageDifference] = field(default_factory=list)

    @property
    def all_equal(self) -> bool:
        return self.equal == self.of

    def to_json(self) -> dict[str, Json]:
        """Return the result as JSON for ``--json`` and the built file."""
        return {
            "equal": self.equal,
            "of": self.of,
            "differences": [each.to_json() for each in self.differences[:_TOLD]],
        }

    def __str__(self) -> str:
        return f"same page: {self.equal} of {self.of}"


def compare_masked_page(raw: Path, masked: Path, launch: Mapping[str, Any] | None = None) -> MaskedPageReport:
    """Compare two built files of one recording, raw and masked, at each checkpoint and mark, in one headless browser.

    Raises BuildError if one does not open as a replay, and Playwright's error if the browser does not start.
    """
    # In a separate thread, because Playwright's sync API allows one driver in a thread, and none beside an asyncio
    # loop.
    with ThreadPoolExecutor(1, "pagereel-same-page") as thread:
        return thread.submit(_compare_files, raw, masked, launch or {}).result()


def _compare_files(raw: Path, masked: Path, launch: Mapping[str, Any]) -> MaskedPageReport:
    report = MaskedPageReport()
    moments = list(_iter_moments(unpack_replay(raw.read_bytes()).events))
    if not moments:
        return report
    with (
        HeadlessReplay.start(raw, launch) as browser,
        browser.open_player() as one,
        browser.open_other_file(masked).open_player() as other,
    ):
        for page, t, size in moments:
            report.of += 1
            difference = _find_difference_at(one, other, page, t, size)
            if difference is None:
                report.equal += 1
            elif len(report.differences) < _KEPT:
                report.differences.append(difference)
    return report


def _iter_moments(events: list[Event]) -> Iterator[tuple[int, float, Size]]:
    """Yield the page, time and viewport size of each checkpoint, and of each page at each mark, in order of time."""
    events = sorted((e for e in events if isinstance(e.get("t"), int | float)), key=lambda e: cast(float, e["t"]))
    model = PageModel()
    found: dict[tuple[int, float], Size] = {}
    for event in events:
        model.apply(event)
        t = cast(float, event["t"])
        if event["k"] == "checkpoint" and (document := model.documents.get(cast(int, event.get("d")))) is not None:
            pages = [document.page]
        elif event["k"] == "mark":
            pages = [number for number, state in model.pages.items() if state.document is not None]
        else:
            continue
        for page in pages:
            found.setdefault((page, t), _get_page_size(model, page))
    yield from ((page, t, size) for (page, t), size in found.items())


def _get_page_size(model: PageModel, page: int) -> Size:
    state = model.pages.get(page)
    top = model.documents.get(state.document) if state and state.document is not None else None
    return top.viewport if top is not None and top.viewport[0] > 0 else DEFAULT


def _find_difference_at(
    raw_player: HeadlessPlayer, masked_player: HeadlessPlayer, page: int, t: float, size: Size
) -> PageDifference | None:
    """Return the first difference between the pages that two players show at a time; None if they look the same."""
    shown = []
    for player in (raw_player, masked_player):
        try:
            player.seek(page, t, size)
            shown.append(player.read_documents())
        except PageNotShownError as error:
            return PageDifference(t, 0, "the page", f"the player's error: {error}")
    if [len(document["nodes"]) for document in shown[0]] != [len(document["nodes"]) for document in shown[1]]:
        return PageDifference(t, 0, "the page", "other elements than in the raw replay")
    raw_player.call_in_frame(PUT, [masked_player.call_in_frame(TEXTS, [])])
    for number, document in enumerate(shown[1]):
        sides = [
            orjson.loads(player.call_in_frame(SEE, [number, list(STYLE), MOST]))
            for player in (raw_player, masked_player)
        ]
        for index, what in _iter_differences(*sides):
            return PageDifference(t, number, format_node_path(document["nodes"], index), what)
    return None


def _iter_differences(raw: Mapping[str, Any], masked: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    alike: dict[tuple[int, int], str | None] = {}
    for (index, style, *box), (_, other, *found) in zip(raw["seen"], masked["seen"], strict=False):
        if (style, other) not in alike:
            alike[style, other] = _find_changed_property(raw["styles"][style], masked["styles"][other])
        if (what := alike[style, other]) is not None:
            yield index, what
        elif any(abs(a - b) > NEAR for a, b in zip(box, found, strict=True)):
            yield (
                index,
                f"a box at {box[0]}, {box[1]} of {box[2]} × {box[3]} px is at {found[0]}, {found[1]} of {found[2]} × {found[3]}",
            )


def _find_changed_property(raw: list[list[str] | None], masked: list[list[str] | None]) -> str | None:
    """Return a text with the first style property that differs, of an element or its pseudo-elements; None if none
    does.
    """
    for part, wanted, found in zip(_PARTS, raw, masked, strict=True):
        if wanted is None or found is None:
            if wanted is not found:
                return f"{part} is {'not ' if found is None else ''}there"
            continue
        for name, want, have in zip(_NAMES, wanted, found, strict=True):
            if want != have:
                return f"{part and part + ' '}{name}: {want} is {have}"
    return None
