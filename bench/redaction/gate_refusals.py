"""Counts how often the gate refuses a default build of pages that hold no personal data.

The pages are documentation in eleven languages, a suite of tasks, and our own. A person reads why a page was refused: where the gate found a word that
stands in the page by right, it refused without a leak, and the aim is that it never does.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fidelity.third_party_packages import MaterialUnavailable, unpack_debian_packages, unpack_pypi_package
from pagereel.browser import launch_options
from pagereel.errors import GateError, PagereelError
from pagereel.fixtures.loopback_server import TYPES, FixtureRequest, FixtureResponse, LoopbackServer, RoutingTable
from pagereel.player_build import build
from pagereel.recorder import record

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = {
    "python3.11-doc": 90, "debian-reference-en": 20, "debian-reference-de": 15, "debian-reference-es": 15, "debian-reference-fr": 15, "debian-reference-it": 15, "debian-reference-ja": 20,
    "debian-reference-pt": 10, "debian-reference-zh-cn": 20, "debian-reference-zh-tw": 15, "debian-faq-ru": 12, "debian-faq-ko": 10, "debian-faq-zh-cn": 8, "debian-faq-ja": 8, "gimp-help-el": 15, "gimp-help-ru": 15,
    "gimp-help-ko": 15,
}  # fmt: skip
"""Debian packages of documentation, and how many of their pages."""
LARGEST = 40_000
"""Bytes of a page of documentation: larger ones say nothing new and take minutes."""
TOGETHER = 10
"""Pages of a recording. What is known from one is searched for in the others too."""
MINIWOB, TASKS = "miniwob==1.1.0", 85
SEED = 20261122
"""Always the same pages."""


@dataclass
class RefusalCounts:
    """How many pages were built, and which were refused, failed or lost a resource."""

    built: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Page, and what the gate said."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """Pages that ended otherwise."""
    lost: list[tuple[str, str]] = field(default_factory=list)
    """Pages whose masked replay has not every sheet, font and picture of the raw one."""
    left_out: list[str] = field(default_factory=list)


def iter_test_pages(left_out: list[str]) -> Iterator[tuple[Path, str]]:
    """Yield folder and path of each page; packages that cannot be fetched are added to `left_out`."""
    choose = random.Random(SEED)
    for package, number in DOCUMENTS.items():
        try:
            folder = unpack_debian_packages(package)
        except MaterialUnavailable as error:
            left_out.append(f"{package}: {error}")
            continue
        found = sorted(path for path in folder.rglob("*.html") if path.stat().st_size < LARGEST)
        for path in sorted(choose.sample(found, min(number, len(found)))):
            yield folder, path.relative_to(folder).as_posix()
    try:
        folder = unpack_pypi_package(MINIWOB) / "miniwob" / "html"
        tasks = sorted((folder / "miniwob").glob("*.html"))
        for path in sorted(choose.sample(tasks, min(TASKS, len(tasks)))):
            yield folder, path.relative_to(folder).as_posix()
    except MaterialUnavailable as error:
        left_out.append(f"{MINIWOB}: {error}")
    for own in ("fixtures/pages", "bench/fidelity/pages"):
        for path in sorted((ROOT / own).rglob("*.html")):
            yield ROOT / own, path.relative_to(ROOT / own).as_posix()


def count_refusals(reels: Sequence[Path] = (), first: int = 0, last: int | None = None) -> RefusalCounts:
    """Record pages, ten in a recording, build each recording as `pagereel build` does by default, and return the counts.

    The recordings in `reels` are built too. Where a recording is refused, each of its pages is recorded and built alone. `first`, `last`: the range of pages.
    """
    from playwright.sync_api import sync_playwright

    result = RefusalCounts()
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        folder = Path(work)
        for reel in reels:
            _build_replay([str(reel)], reel, folder, result)
        browser = stack.enter_context(sync_playwright()).chromium.launch(**launch_options())
        every = list(iter_test_pages(result.left_out))[first:last]
        for start in range(0, len(every), TOGETHER):
            some = every[start : start + TOGETHER]
            if not _record_and_build(browser, some, folder, result):
                for each in some:
                    _record_and_build(browser, [each], folder, result)
            print(f"{result.built} of {len(every) + len(reels)} built", flush=True)
        browser.close()
    return result


def _record_and_build(
    browser: Any, chosen_pages: Sequence[tuple[Path, str]], folder: Path, result: RefusalCounts
) -> bool:
    """Record these pages and build the recording; return whether it was built."""
    names = [f"{root.name}/{path}" for root, path in chosen_pages]
    try:
        _record(browser, chosen_pages, folder / "run.reel")
    except Exception as error:
        if len(chosen_pages) == 1:
            result.failed.append((names[0], f"{type(error).__name__}: {error}".splitlines()[0]))
        return False
    return _build_replay(names, folder / "run.reel", folder, result)


def _record(browser: Any, chosen_pages: Sequence[tuple[Path, str]], reel: Path) -> None:
    """Record a person who reads the pages: opens each one, scrolls, and hovers a link."""
    app = RoutingTable()

    @app.route("GET", r"/(?P<number>\d+)/(?P<path>.+)")
    def serve_file(request: FixtureRequest) -> FixtureResponse:
        answer = FixtureResponse.file(chosen_pages[int(request.args["number"])][0], request.args["path"])
        if answer.type == TYPES["html"]:  # What the document says of its charset counts.
            answer.type = "text/html"
        return answer

    reel.unlink(missing_ok=True)
    with (
        LoopbackServer(app) as server,
        contextlib.closing(browser.new_context(viewport={"width": 1000, "height": 700})) as context,
        record(context, reel) as session,
    ):
        page = context.new_page()
        for number, (_, path) in enumerate(chosen_pages):
            page.goto(f"{server.url}/{number}/{path}")
            page.mouse.wheel(0, 600)
            links = page.locator("a:visible")
            if links.count():
                links.first.hover(timeout=3000, force=True)
            session.mark(f"read {number}")


def _build_replay(names: Sequence[str], reel: Path, work: Path, result: RefusalCounts) -> bool:
    """Build a recording and return whether that succeeded; the reason is added to the result where the recording holds one page."""
    alone = names[0] if len(names) == 1 else ""
    try:
        report = build(reel, work / "run.html")
    except (GateError, PagereelError) as error:
        if alone:
            (result.refused if isinstance(error, GateError) else result.failed).append((alone, str(error)))
            print(f"REFUSED {alone}: {error}", flush=True)
        else:
            print(f"refused together: {', '.join(names)}: {error}", flush=True)
        return False
    result.built += len(names)
    if lost := getattr(report.redaction, "lost", None):
        result.lost.append((", ".join(names), str(list(lost)[:3])))
        print(f"LOST {', '.join(names)}: {list(lost)[:3]}", flush=True)
    return True


def describe_refusals(result: RefusalCounts) -> str:
    """Return the counts, and a line for each page that was refused, failed, lost a resource or was left out."""
    every = result.built + len(result.refused) + len(result.failed)
    lines = [f"{every} pages: {result.built} built, {len(result.refused)} refused by the gate, {len(result.failed)} failed, {len(result.lost)} lost an address"]  # fmt: skip
    lines += [f"  {kind} {name}: {why}" for kind, found in (("refused", result.refused), ("failed", result.failed), ("lost", result.lost)) for name, why in found]  # fmt: skip
    lines += [f"  left out: {why}" for why in result.left_out]
    return "\n".join(lines)
