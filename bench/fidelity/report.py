"""Writes docs/fidelity.md from the results of the cases."""

from __future__ import annotations

import datetime
import platform
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path

from pagereel import __version__
from pagereel.player_build import FidelityLayer

from .case_runs import CaseOutcome, CaseResult, MarkResult
from .page_behaviour import ASPECTS

HEAD = """# Does the replay equal the page?

Written by `python -m bench.fidelity`; do not edit. Each case is a page and a script with marks. At a mark the live page is
serialized (names, attributes, text, shadow roots, closed ones too, frames, form state, scroll offsets, focus, top layer, number of style rules, fonts' left out)
and a screenshot of the viewport is taken; then the recording is built unredacted, opened from its file at the mark,
each by its own link in a fresh page, and looked at in the same way. *Equal* counts marks without any difference in structure. Pixels are compared with pixelmatch at its
default threshold, antialiasing tolerated; a figure is the worst mark's share of the viewport. *Noise* is what two live runs
without a recorder differ by. Peers are held to a milder measure: what it changes by design (sheets' elements, scripts, URLs, inline style, values
as attributes, focus, number of rules) is left out on both sides, and while rrweb replays the site stays up; cases in
which a peer did not come to an end are left out of its totals. It may have run for a part of the cases only, see the table.
*Checkpoints* are those that the recordings carry; *replay* is what `pagereel verify --replay` prints (where the builder took out what no
replay may hold, an animation that writes a script's address, say, the checkpoint is of what is left); *as without* says whether console output, requests
(method, URL, count, as sent and as served) and structure at each mark are those of a run without the recorder; an aspect in which two such
runs differ from each other *varies*. *Said* are the gaps and unsupported things that the recording owns up to.

Playwright's trace (*trace*) has snapshots before and after each call and none in between: at each mark a call that does nothing is made for it, and
that call's snapshot is looked at in the viewer that comes with Playwright. It is held to rrweb's milder measure, with its `<base>` and all comments left out, and texts
joined that stand side by side.

`verify --replay`, `build --check` and the badge tell three layers apart, each at the recording's checkpoints: opened by its own link in a fresh page,
sought to from the one before, and sought back to. *Tree*: names, attributes, text, shadow roots, frames and what form controls hold, node for node.
An attribute that must not stand in a replay under its name (an address to load or go to, `target`, `autofocus` and the like) stands under another, `data-pagereel-was-…`, and counts
as the one that was recorded; other attributes that begin with `data-pagereel` are the player's own (`data-pagereel-hover` for `:hover`) and do not count, but
must be the same whichever way one came. *Layout*: what the checkpoint saw of the viewport (docs/format.md, "Looks"): the size of the viewport, scroll offsets
of it and of elements, boxes within 2 px, 25 computed values, the font that was loaded, natural sizes of pictures, videos and canvases, and where videos stand, of at most
120 elements in the viewport; not what an animation moves (SVG's own too), not what stands beside a checkbox that was made indeterminate (Chromium
goes on showing it by the style that it had), and no boxes where texts are masked. *Picture*: at most 0.5 % of the pixels of a screenshot differ.
A layer that was not looked at is *not checked*, one of which nothing was recorded has *none recorded*, and the claim is full (green) where all three were looked
at and hold; amber where one falls short, or bytes are missing that the page got.

What no replay has whole, and says: colours that the browser forces on a page (`forced-colors: active`: shown as Chromium emulates them, and each
system has a palette of its own), pictures of `<embed>`, PDFs, a plugin's. What it cannot have without a word: the look that a browser gives its own controls while they are
hovered or pressed. Chromium draws it by its own state, which only a pointer sets; no pseudo-class or attribute reaches it. Buttons that are pressed and
the parts of number, search and date fields that show while one is hovered are shown by rules of the player's; the darker face or edge of a hovered button, field, box, slider or select is not:
50 pixels of a check box, 400 of a text field, 1,000 of a button or slider, each by 39 to 55 of 255.

Pictures are taken with `record(checkpoint_screenshots=True)` only. Measured on 2026-11-22 (CPU time, on a busy machine of two cores; a table of 200 by 12 cells in 1280 by 720), one takes 90 ms
of the browser's and the GPU's process as PNG, 150 as WebP, 50 as JPEG, and no time of the page's that shows: at a checkpoint every three seconds that is
1.6 to 5 % of a core, more than the 1 % that a default may cost; they are 85 to 240 kB each. A quarter of the size takes 20 ms and 11 kB, but
the page's own process draws it anew, at an emulated density, which a guest must not do.
"""


def make_report(results: Sequence[CaseResult], peers: dict[str, str]) -> str:
    """Return the whole text of docs/fidelity.md. `peers`: version by name of the peer."""
    packages = f"playwright {metadata.version('playwright')}"
    when = sorted(result.when for result in results if result.when) or [datetime.date.today().isoformat()]
    today = when[0] if when[0] == when[-1] else f"{when[0]} to {when[-1].removeprefix(when[0][:11])}"
    browser = ", ".join(sorted({result.browser for result in results if result.browser}))
    states = list(dict.fromkeys(result.state for result in sorted(results, key=lambda each: each.when) if result.state))
    state = f" ({', '.join(states)})" if states else ""
    versions = ", ".join([f"pagereel {__version__}{state}", f"Chromium {browser}", packages, *peers.values()])
    lines = [
        HEAD,
        f"{today}, {platform.system()} {platform.machine()}: {versions}.",
        "",
        *summarise_marks(results, peers),
        "",
    ]
    lines += make_case_table(results, peers)
    lines += ["", *list_differences(results)]
    return "\n".join(lines).rstrip() + "\n"


BREAKAGES = """## Can it fail?

Capture switched off, one line at a time, by `python -m bench.fidelity.breakages`: marks of the case that is about it, with the injector as
it is and without that line.
"""

SUITES = """## Other projects' tests, recorded

`python -m bench.fidelity.suite` runs a project's own browser tests in place, plain and with every context recorded.
"""

CAPTURED = """## What is captured, and the test that says so

Names in *italics* are claims of `tests/recorder/test_everything.py`; all other tests stand below `tests/`. Cases are the bench's, above.
"""

FALLEN = """## Can the tests fail?

The same lines switched off, by `python -m bench.fidelity.breakages --tests`: browser tests that fall with each of them. Where a checkpoint no longer agrees the page is told anew, and more falls with it.
"""

LAYERS = """## Does the claim fall?

Capture switched off, by `python -m bench.fidelity.breakages --layers`: what `verify --replay` says of the case that is about it, with the recorder as it is and without.
"""

FOUND = """## What was found, and the tests that hold it

Replays once showed it otherwise, or did not say so. Each kind has tests that failed before its cure; *in three engines*: recorded in Chromium, and shown alike in
Chromium, Firefox and WebKit (`tests/player/faults.py`, `test_engines.py`, `test_faults.py`). All tests stand below `tests/`.
"""

KEPT = (CAPTURED, FOUND, BREAKAGES, LAYERS, FALLEN, SUITES)
"""Sections that are written by commands of their own, in their order."""


def replace_section(path: Path, rows: Sequence[str], section: str = BREAKAGES) -> None:
    """Write rows into a report as one of the sections in :data:`KEPT`, in place of its older rows."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = _split_sections(text)
    sections[_get_title(section)] = "\n".join([section, *rows])
    path.write_text(_remove_kept_sections(text) + _join_sections(sections), encoding="utf-8")


def read_kept_sections(path: Path) -> str:
    """Return the sections of :data:`KEPT` that the report at `path` holds, or "" where there is no report."""
    return _join_sections(_split_sections(path.read_text(encoding="utf-8"))) if path.exists() else ""


def _get_title(section: str) -> str:
    """Return the first line of a section."""
    return section.partition("\n")[0]


def _split_sections(text: str) -> dict[str, str]:
    """Return the text of each section of :data:`KEPT` in a report, by its title."""
    found = {f"## {part.partition(chr(10))[0]}": f"## {part}" for part in f"\n{text}".split("\n## ")[1:]}
    return {title: found[title] for title in map(_get_title, KEPT) if title in found}


def _remove_kept_sections(text: str) -> str:
    """Return a report's text without the sections of :data:`KEPT`."""
    for section in _split_sections(text).values():
        text = text.replace(section, "")
    return text.rstrip() + "\n"


def _join_sections(sections: dict[str, str]) -> str:
    """Return the sections as one text, in the order of :data:`KEPT`."""
    return "".join(f"\n{sections[title].rstrip()}\n" for title in map(_get_title, KEPT) if title in sections)


def summarise_marks(results: Sequence[CaseResult], peers: Iterable[str]) -> list[str]:
    """Return the lines that sum up all marks: equal structure, pixels and checkpoints."""
    rows = [
        "| | marks equal in structure | pixels: median | 90th percentile | worst | within noise + 0.1 % |",
        "|---|---|---|---|---|---|",
    ]
    ran = [result for result in results if not result.left_out]
    rows.append(_make_totals_row("pagereel", [result.pagereel for result in ran]))
    rows += [_make_totals_row(name, [result.peers[name] for result in ran if name in result.peers]) for name in peers]
    noise = [mark.noise for result in ran for mark in result.pagereel.marks if mark.noise is not None]
    if noise:
        rows.append(
            f"| live twice | | {_format_share(statistics.median(noise))} | {_format_share(_compute_p90(noise))} | {_format_share(max(noise))} | |"
        )
    equal = sum(result.pagereel.checkpoints[0] for result in ran)
    total = sum(result.pagereel.checkpoints[1] for result in ran)
    marks = sum(len(result.pagereel.marks) for result in ran)
    behaved = {
        aspect: Counter(
            verdict if verdict in ("same", "varies") else "differs"
            for result in ran
            if (verdict := result.pagereel.behaviour.get(aspect))
        )
        for aspect in ASPECTS
    }
    said = "; ".join(
        f"{aspect} same in {counts['same']}, of itself different from run to run in {counts['varies']}, "
        f"changed in {counts['differs']}"
        for aspect, counts in behaved.items()
    )
    return [
        f"{len(ran)} cases, {marks} marks; tree equal at {equal} of {total} checkpoints when they were recorded; "
        f"`verify --replay`: {_describe_verification([result.pagereel for result in ran])}.",
        "",
        f"Pages with the recorder beside pages without: {said}.",
        "",
        *rows,
    ]


def _describe_verification(outcomes: Iterable[CaseOutcome]) -> str:
    """Return in words at how many checkpoints `verify --replay` found tree, layout and picture equal."""
    sums = {name: FidelityLayer() for name in ("tree", "layout", "picture")}
    for outcome in outcomes:
        for name, layer in sums.items():
            found = getattr(outcome.replay, name, None)
            if found is not None:
                layer.equal, layer.total = layer.equal + found.equal, layer.total + found.total
    return ", ".join(f"{name} {layer}" for name, layer in sums.items() if layer.total)


def is_within_noise(mark: MarkResult) -> bool:
    """Return whether a mark's pixels differ by no more than two live runs do, plus 0.1 %."""
    return mark.pixels is not None and mark.pixels <= (mark.noise or 0) + 0.001


def _make_totals_row(name: str, outcomes: list[CaseOutcome]) -> str:
    """Return one row of totals for pagereel or a peer."""
    marks = [mark for outcome in outcomes if not outcome.error or name == "pagereel" for mark in outcome.marks]
    pixels = [1.0 if mark.pixels is None else mark.pixels for mark in marks]
    if not marks:
        return f"| {name} | | | | | |"
    equal = sum(mark.equal for mark in marks)
    close = sum(is_within_noise(mark) for mark in marks)
    figures = f"{_format_share(statistics.median(pixels))} | {_format_share(_compute_p90(pixels))} | {_format_share(max(pixels))}"
    return f"| {name} | {equal} of {len(marks)} ({equal / len(marks):.2%}) | {figures} | {close} of {len(marks)} ({close / len(marks):.2%}) |"


def make_case_table(results: Sequence[CaseResult], peers: Iterable[str]) -> list[str]:
    """Return the table with one row for each case."""
    columns = ["case", "marks", "noise", "pagereel equal", "pixels", "checkpoints", "replay", "as without", "said"]
    for name in peers:
        columns += [f"{name} equal", "pixels"]
    rows = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for result in results:
        label = f"{result.name} ({result.version})" if result.version else result.name
        if result.left_out:
            rows.append(f"| {label} | {result.left_out} |{' |' * (len(columns) - 2)}")
            continue
        own = result.pagereel
        noise = [mark.noise for mark in own.marks if mark.noise is not None]
        said = ", ".join(f"{what} {count}" for what, count in sorted(own.said.items()))
        cells = [label, str(len(own.marks)), _format_share(max(noise)) if noise else "", *_make_cells(own)]
        replay = _describe_verification([own]) or ("error" if own.replay_difference else "")
        cells += ["{} of {}".format(*own.checkpoints), replay, _describe_behaviour(own), said]
        for name in peers:
            cells += _make_cells(result.peers[name]) if name in result.peers else ["", ""]
        rows.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return rows


def _describe_behaviour(outcome: CaseOutcome) -> str:
    """Return `yes`, or the aspects in which the page behaved otherwise with the recorder."""
    changed = [name for name, verdict in outcome.behaviour.items() if verdict not in ("same", "varies")]
    varies = [name for name, verdict in outcome.behaviour.items() if verdict == "varies"]
    words = [f"no: {', '.join(changed)}"] if changed else ["yes"] if outcome.behaviour else []
    return "; ".join([*words, *(f"{name} varies" for name in varies)])


def _make_cells(outcome: CaseOutcome) -> list[str]:
    """Return two cells of an outcome: marks that are equal in structure, and the worst share of pixels."""
    if outcome.error:
        return [f"0 of {len(outcome.marks)}: {outcome.error[:120]}", ""]
    pixels = [mark.pixels for mark in outcome.marks if mark.pixels is not None]
    return [
        f"{sum(mark.equal for mark in outcome.marks)} of {len(outcome.marks)}",
        _format_share(max(pixels)) if pixels else "",
    ]


NOTES = """The browser's own message about an invalid field (case forms) is no part of the page; a replay draws it, full-grown, where a live screenshot may show it
while it grows (1.2 s). Fields that are masked in the page (passwords, cards, one-time codes) show the mask; in structure a mask equals whatever it masks, and their boxes are left out of the pixels.
"""


def list_differences(results: Sequence[CaseResult]) -> list[str]:
    """Return the list of marks at which pagereel's replay differs from the page."""
    lines: list[str] = []
    for result in results:
        for aspect, verdict in result.pagereel.behaviour.items():
            if verdict not in ("same", "varies"):
                lines.append(f"- {result.name}, {aspect} with the recorder: {verdict[:400]}")
        if result.pagereel.replay_difference:
            lines.append(f"- {result.name}, verify --replay: {result.pagereel.replay_difference}")
        by_text: dict[str, list[str]] = {}
        for mark in result.pagereel.marks:
            if mark.difference or mark.error:
                by_text.setdefault(str(mark.difference or mark.error), []).append(mark.mark)
        lines += [f"- {result.name} ({', '.join(marks)}): {text}" for text, marks in by_text.items()]
        far = [mark for mark in result.pagereel.marks if mark.pixels is not None and not is_within_noise(mark)]
        if far:
            shares = ", ".join(
                f"{mark.mark} {_format_share(mark.pixels or 0)} (noise {_format_share(mark.noise or 0)})"
                for mark in far
            )
            lines.append(f"- {result.name}, pixels: {shares}")
    return ["## What differs", "", NOTES, *lines] if lines else []


def _format_share(value: float) -> str:
    return "0" if value == 0 else f"{value:.2%}" if value >= 0.0001 else "<0.01%"


def _compute_p90(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
