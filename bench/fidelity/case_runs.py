"""Runs one case four ways: twice without a recorder, once recorded and replayed by pagereel, and once by each peer."""

from __future__ import annotations

import contextlib
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pagereel.browser import launch_options
from pagereel.player_build import Fidelity, build, verify_replay
from pagereel.recorder import record
from pagereel.reel import compare_checkpoints, open_reel

from . import page_behaviour, structure
from .case import Case
from .page_behaviour import PageBehaviour
from .page_serializer import Line, PageSerializer
from .pixels import Box, compute_pixel_difference
from .structure import LineDifference

VIEWPORT = {"width": 1000, "height": 700}
PATIENCE = 20_000
"""ms that anything in a page may take."""
RESTLESS = 5
"""How often a page is looked at until it stands still."""


# Until the player's script has run, `window.pagereel` can be an element of its page.
READY = """async () => {
  while (!(window.pagereel?.ready instanceof Promise)) await new Promise((resolve) => setTimeout(resolve, 20));
  await window.pagereel.ready;
}"""


MASKED = """mask => [...window.pagereel.frame.contentDocument.querySelectorAll("input, textarea")].filter((field) => field.value === mask)
  .map((field) => field.getBoundingClientRect()).map(({left, top, right, bottom}) => [left, top, right, bottom])"""


@dataclass(frozen=True)
class PageAtMark:
    """The serialized DOM and a screenshot of a page at one mark."""

    lines: list[Line]
    picture: bytes
    masked: tuple[Box, ...] = ()
    """Where fields show a mask in place of their value."""


@dataclass
class MarkResult:
    """How the replay of one recorder differs from the page at one mark.

    `noise` is the share of pixels in which two live runs differ.
    """

    mark: str
    noise: float | None = None
    difference: LineDifference | None = None
    pixels: float | None = None
    error: str = ""

    @property
    def equal(self) -> bool:
        """Whether the replay has the page's structure at this mark."""
        return self.difference is None and not self.error


@dataclass
class CaseOutcome:
    """The results of one case with one recorder."""

    marks: list[MarkResult] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)
    """Gaps and unsupported things that the recording owns up to, with their number."""
    checkpoints: tuple[int, int] = (0, 0)
    """Checkpoints whose tree was equal when it was recorded, and all."""
    replay: Fidelity | None = None
    """`pagereel verify --replay`: checkpoints that the replay meets, and all, layer by layer."""
    replay_difference: str = ""
    manners: PageBehaviour = field(default_factory=PageBehaviour)
    behaviour: dict[str, str] = field(default_factory=dict)
    """How the page behaved beside two runs without a recorder, by aspect: see :func:`manners.compare_behaviour`."""
    missing: int = 0
    error: str = ""
    seconds: float = 0.0


def open_context(browser: Any, case: Case) -> Any:
    """Open a browser context with the case's options and a fixed viewport, locale and time zone."""
    context = browser.new_context(**{"viewport": VIEWPORT, "locale": "en-GB", "timezone_id": "UTC", **case.context})
    context.set_default_timeout(PATIENCE)
    return context


def capture_page(page: Any, read_lines: Callable[[], list[Line]]) -> PageAtMark:
    """Return the page's lines, as `read_lines` gives them, with a screenshot."""
    return PageAtMark(read_lines(), page.screenshot(timeout=PATIENCE))


def iter_marks(page: Any, case: Case, url: str) -> Iterator[str]:
    """Open the page, do each act, and yield its mark after the case's settling time."""
    page.goto(url)
    if case.loaded:
        case.loaded(page)
    for mark in case.marks:
        case.act(page, mark)
        page.wait_for_timeout(case.settle)
        yield mark


def run_live(browser: Any, case: Case) -> tuple[dict[str, PageAtMark], PageBehaviour]:
    """Run the case without a recorder, and return the page at each mark and its behaviour."""
    seen: dict[str, PageAtMark] = {}
    behaviour = PageBehaviour()
    with case.site() as site:
        with contextlib.closing(open_context(browser, case)) as context:
            behaviour.watch_context(context)
            _capture_marks(context, case, site.url, seen, behaviour, lambda mark: None)
        behaviour.add_served_requests(site)
    return seen, behaviour


def _capture_marks(
    context: Any,
    case: Case,
    url: str,
    seen: dict[str, PageAtMark],
    behaviour: PageBehaviour,
    at_mark: Callable[[str], object],
) -> dict[str, str]:
    """Capture the page at each mark into `seen`, and return the last name that was given to `at_mark` for each mark.

    Where the page changes between the mark and the capture, both are repeated under a new name, up to five times.
    """
    names: dict[str, str] = {}
    page = context.new_page()
    eye = PageSerializer(page)
    for mark in iter_marks(page, case, url + case.path):
        before = eye.serialize_page()
        for attempt in range(1, RESTLESS + 1):
            names[mark] = mark if attempt == 1 else f"{mark} ({attempt})"
            at_mark(names[mark])
            seen[mark] = capture_page(page, eye.serialize_page)
            if seen[mark].lines == before:
                break
            before = seen[mark].lines
        behaviour.add_mark_structure(mark, seen[mark].lines)
    return names


def run_with_pagereel(
    browser: Any, case: Case, out: Path
) -> tuple[CaseOutcome, dict[str, PageAtMark], dict[str, PageAtMark]]:
    """Record a case, build its replay, and return the outcome with the live and the replayed page at each mark."""
    outcome = CaseOutcome()
    seen: dict[str, PageAtMark] = {}
    shown: dict[str, PageAtMark] = {}
    reel, html = out / "run.reel", out / "run.html"
    with case.site() as site:
        with contextlib.closing(open_context(browser, case)) as context, record(context, reel) as session:
            outcome.manners.watch_context(context)
            names = _capture_marks(context, case, site.url, seen, outcome.manners, session.mark)
        outcome.manners.add_served_requests(site)
    with open_reel(reel) as read:
        found = compare_checkpoints(read)
        outcome.checkpoints = (found.equal, found.total)
        for event in read.events():
            if event["k"] in ("gap", "unsupported"):
                what = str(event.get("reason") or event.get("what"))
                outcome.said[what] = outcome.said.get(what, 0) + 1
    report = build(reel, html, redaction=None)
    outcome.missing = len(report.missing)
    with contextlib.closing(open_context(browser, case)) as context:
        for mark in seen:
            shown[mark] = open_replay_at_mark(context, html, names[mark])
    return outcome, seen, shown


def open_replay_at_mark(context: Any, html: Path, mark: str) -> PageAtMark:
    """Open a replay by the link of a mark in a fresh tab, and return the page that it shows.

    The link names page 1 of the recording, which the case is about, whichever popup was opened last.
    """
    page = context.new_page()
    try:
        page.goto(f"{html.absolute().as_uri()}#bare&page=1&mark={quote(mark, safe='')}")
        page.evaluate(READY)
        eye = PageSerializer(page)
        seen = capture_page(page, lambda: eye.serialize_iframe("window.pagereel.frame", replay=True))
        return replace(seen, masked=tuple(tuple(map(round, box)) for box in page.evaluate(MASKED, structure.MASK)))
    finally:
        page.close()


def compare_marks(
    case: Case,
    outcome: CaseOutcome,
    seen: dict[str, PageAtMark],
    shown: dict[str, PageAtMark],
    noise: dict[str, float],
    out: Path,
) -> None:
    """Compare the live and the replayed page at each mark, add the results to the outcome, and write what differs into `out`."""
    for mark in case.marks:
        result = MarkResult(mark, noise.get(mark))
        outcome.marks.append(result)
        if mark not in seen or mark not in shown:
            result.error = "not reached"
            continue
        result.difference = structure.find_first_difference(seen[mark].lines, shown[mark].lines)
        name = "".join(c if c.isalnum() else "-" for c in mark)
        masked = shown[mark].masked
        result.pixels = compute_pixel_difference(
            seen[mark].picture, shown[mark].picture, out / f"{name}.diff.png", masked
        )
        if result.pixels:
            (out / f"{name}.live.png").write_bytes(seen[mark].picture)
            (out / f"{name}.replay.png").write_bytes(shown[mark].picture)
        if result.difference:
            for kind, each in (("live", seen[mark]), ("replay", shown[mark])):
                text = "\n".join(f"{' ' * depth}{line}" for depth, line in each.lines)
                (out / f"{name}.{kind}.txt").write_text(text + "\n", encoding="utf-8", errors="replace")


def measure_noise(one: dict[str, PageAtMark], other: dict[str, PageAtMark]) -> dict[str, float]:
    """Return for each mark the share of pixels in which two live runs differ."""
    return {mark: compute_pixel_difference(one[mark].picture, other[mark].picture) for mark in one if mark in other}


@dataclass
class CaseResult:
    """All results of a case: with pagereel, with the peers, or why the case was left out."""

    name: str
    group: str
    version: str
    pagereel: CaseOutcome
    peers: dict[str, CaseOutcome] = field(default_factory=dict)
    left_out: str = ""
    when: str = ""
    """Day and minute."""
    browser: str = ""
    state: str = ""
    """What was measured: the commit's short hash, with `+` where files differed from it."""

    def save(self, path: Path) -> None:
        """Write the result to a file for :meth:`load`, without the recorded behaviour of the page."""
        for outcome in (self.pagereel, *self.peers.values()):
            outcome.manners = PageBehaviour()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(self))

    @staticmethod
    def load(path: Path) -> CaseResult:
        """Read a result that was saved."""
        result = pickle.loads(path.read_bytes())
        assert isinstance(result, CaseResult)
        return result


Peer = Callable[[Any, Case, Path], tuple[CaseOutcome, dict[str, PageAtMark], dict[str, PageAtMark]]]


def run_case(browser: Any, case: Case, out: Path, peers: dict[str, Peer]) -> CaseResult:
    """Run a case without a recorder, with pagereel and with each peer; errors are kept in the result."""
    result = CaseResult(case.name, case.group, case.version, CaseOutcome())
    noise: dict[str, float] = {}
    try:
        (one, plain), (two, again) = run_live(browser, case), run_live(browser, case)
        noise = measure_noise(one, two)
    except Exception as error:
        result.left_out = f"does not run without a recorder: {_first_line(error)}"
        return result
    result.pagereel = _run_one_way(browser, case, out / "pagereel", run_with_pagereel, noise)
    if not result.pagereel.error:
        result.pagereel.behaviour = page_behaviour.compare_behaviour(plain, again, result.pagereel.manners)
        _verify_replay(result.pagereel, out / "pagereel" / "run.html")
    for name, peer in peers.items():
        result.peers[name] = _run_one_way(browser, case, out / name, peer, noise)
    return result


def add_peers(browser: Any, case: Case, result: CaseResult, out: Path, peers: dict[str, Peer]) -> None:
    """Run a case with the peers alone, and add them to a result that there is already."""
    noise = {mark.mark: mark.noise for mark in result.pagereel.marks if mark.noise is not None}
    for name, peer in peers.items():
        result.peers[name] = _run_one_way(browser, case, out / name, peer, noise)


def _verify_replay(outcome: CaseOutcome, html: Path) -> None:
    """Add to the outcome what `verify --replay` finds in the built replay, or its error."""
    try:
        report = verify_replay(html, launch=launch_options())
    except Exception as error:
        outcome.replay_difference = _first_line(error)
        return
    outcome.replay = report.fidelity
    outcome.replay_difference = str(report.differences[0]) if report.differences else ""


def _run_one_way(browser: Any, case: Case, out: Path, way: Peer, noise: dict[str, float]) -> CaseOutcome:
    """Run a case with one recorder in an emptied folder, and return the outcome with its marks compared."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        old.unlink()
    began = time.monotonic()
    try:
        outcome, seen, shown = way(browser, case, out)
    except Exception as error:
        outcome, seen, shown = CaseOutcome(error=_first_line(error)), {}, {}
    compare_marks(case, outcome, seen, shown, noise, out)
    outcome.seconds = time.monotonic() - began
    return outcome


def _first_line(error: Exception) -> str:
    lines = f"{type(error).__name__}: {error}".splitlines()
    return lines[0][:300]
