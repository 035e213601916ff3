"""Records traces with several Playwright releases, shows each snapshot in Playwright's viewer and in our replay, and compares the visible text.

python -m bench.sources                                  # all: about half an hour; writes docs/sources.md
python -m bench.sources --only swagger-ui --version 1.60.0
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import venv
from dataclasses import dataclass, field
from importlib.metadata import version as installed
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from pagereel.browser import launch_options
from pagereel.fixtures.thirdparty import make_cache_folder

from .pages import list_pages
from .report import write_table
from .viewers import OUTLINE, SETTLED, open_playwright_viewer, open_replay, read_snapshot_moments

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "out" / "bench" / "sources"
VERSIONS = ("1.49.1", "1.52.0", "1.56.0", "1.60.0", installed("playwright"))


@dataclass
class TraceResult:
    """How many lines of text are equal between Playwright's viewer and our replay of one trace."""

    version: str
    name: str
    snapshots: int = 0
    lines: int = 0
    equal: int = 0
    different: list[str] = field(default_factory=list)
    zip: int = 0
    reel: int = 0
    seconds: float = 0.0


def make_environment(version: str) -> Path:
    """Return the Python of an environment with one release of Playwright; the environment is made when it is not there."""
    if version == installed("playwright"):
        return Path(sys.executable)
    folder = make_cache_folder() / f"venv-playwright-{version}"
    python = folder / "bin" / "python"
    if not (folder / ".done").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", f"playwright=={version}"], check=True)
        (folder / ".done").touch()
    return python


def record_trace(version: str, name: str, address: str) -> Path:
    """Record a trace of a page with one release of Playwright, and return its path."""
    out = OUT / version / f"{name.replace('/', '-').replace(' ', '-')}.zip"
    out.parent.mkdir(parents=True, exist_ok=True)
    options = launch_options()
    command = [
        make_environment(version),
        Path(__file__).with_name("record.py"),
        address,
        out,
        options["executable_path"],
        *options["args"],
    ]
    subprocess.run([str(part) for part in command], check=True, timeout=240)
    return out


def read_lines(page: Page, *, ours: bool) -> list[str]:
    """Return the text that a viewer shows now, line by line. `ours`: the viewer is our replay."""
    if ours:
        frame = page.evaluate_handle("() => window.pagereel.frame").as_element()
        inner = frame.content_frame() if frame is not None else None
        found = inner.evaluate(OUTLINE) if inner is not None else []
    else:
        found = page.evaluate(OUTLINE)
    return [str(line) for line in found]


def compare_viewers(browser: Browser, trace: Path, result: TraceResult, pictures: Path) -> None:
    """Show each snapshot of a trace in both viewers, and add the numbers of lines and of equal lines to the result."""
    with open_playwright_viewer(browser, trace) as (theirs, url_of), open_replay(browser, trace, trace.parent) as ours:
        for number, moment in enumerate(read_snapshot_moments(trace)):
            theirs.set_viewport_size({"width": moment.size[0], "height": moment.size[1]})
            try:
                theirs.goto(url_of(moment))
            except Error as error:
                result.different.append(f"{moment.call} {moment.phase}: the viewer: {error.message.splitlines()[0]}")
                continue
            ours.evaluate(
                "([page, t]) => { window.pagereel.show(page); return window.pagereel.seek(t) }", [moment.page, moment.t]
            )
            ours.wait_for_timeout(SETTLED)
            wanted, found = read_lines(theirs, ours=False), read_lines(ours, ours=True)
            same = sum(
                block.size
                for block in difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()
            )
            result.snapshots += 1
            result.lines += max(len(wanted), len(found))
            result.equal += same
            if wanted != found:
                change = [
                    line
                    for line in difflib.unified_diff(wanted, found, "viewer", "replay", n=0, lineterm="")
                    if not line.startswith(("---", "+++", "@@"))
                ]
                result.different.append(
                    f"{moment.call} {moment.phase} t={moment.t}: " + " | ".join(line[:120] for line in change[:6])
                )
            if number % 8 == 4:
                pictures.mkdir(parents=True, exist_ok=True)
                theirs.screenshot(path=pictures / f"{result.version}-{trace.stem}-{number}-viewer.png")
                frame = ours.evaluate_handle("() => window.pagereel.frame").as_element()
                if frame is not None:
                    frame.screenshot(path=pictures / f"{result.version}-{trace.stem}-{number}-replay.png")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.sources", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="a page's name")
    parser.add_argument("--version", action="append", default=[])
    parser.add_argument("--again", action="store_true", help="compare the traces of the last run, record none")
    told = parser.parse_args(arguments)
    results: list[TraceResult] = []
    for name, serve in list_pages().items():
        if told.only and name not in told.only:
            continue
        with serve() as address:
            for version in told.version or VERSIONS:
                stem = name.replace("/", "-").replace(" ", "-")
                trace = OUT / version / f"{stem}.zip"
                if not told.again or not trace.exists():
                    trace = record_trace(version, name, address)
                result = TraceResult(version, name, zip=trace.stat().st_size)
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(**launch_options())
                    compare_viewers(browser, trace, result, OUT / "pictures")
                    browser.close()
                results.append(result)
                share = result.equal / result.lines if result.lines else 1
                print(
                    f"{version:8} {name:30} {result.snapshots:3} snapshots {result.equal:6} of {result.lines:6} lines {share:.3%}",
                    flush=True,
                )
                for line in result.different[:4]:
                    print(f"    {line}", flush=True)
    (OUT / "results.json").write_text(json.dumps([vars(result) for result in results], indent=1), encoding="utf-8")
    if not told.only and not told.version:
        write_table(results, ROOT / "docs" / "sources.md")
    lines, equal = sum(result.lines for result in results), sum(result.equal for result in results)
    print(f"{len(results)} traces, {equal} of {lines} lines equal: {equal / max(lines, 1):.3%}")
    return 0 if equal >= 0.999 * lines else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
