"""Writes docs/world.md from the results of the applications."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Sequence
from importlib import metadata

from pagereel import __version__

from .application_run import AppResult

HEAD = """# Applications that are not ours

Written by `python -m bench.world`; do not edit. Each application was recorded as the README says, with a mark after each of ten interactions, built
without redaction and opened at each mark by the mark's own link in a fresh page. *Structure* counts marks where the document that shows is the
page's, node for node (see [fidelity.md](fidelity.md)); *picture* those whose screenshot differs from the live one by no more than 0.1 % of the viewport's pixels
beside the noise, which is what two live screenshots around the mark differ by. *Worst* is the mark that is farthest from it. *Claim* is what
`pagereel verify --replay` says of the built file, *said* the gaps, unsupported things and missing resources that the recording owns up to.
"""


def make_report(results: Sequence[AppResult]) -> str:
    """Return the whole text of docs/world.md."""
    marks = [mark for result in results for mark in result.marks]
    equal, close = sum(not mark.difference for mark in marks), sum(mark.close for mark in marks)
    total = len(marks) or 1
    lines = [
        HEAD,
        f"{datetime.date.today()}, {platform.system()} {platform.machine()}: pagereel {__version__}, playwright {metadata.version('playwright')}.",
        "",
        f"{len(results)} applications, {len(marks)} marks: structure equal at {equal} ({equal / total:.1%}), picture within noise + 0.1 % at {close} ({close / total:.1%}).",
        "",
        "| application | kind | made with | marks | structure | picture | worst | claim | said |",
        "|---|---|---|---|---|---|---|---|---|",
        *map(_make_row, results),
    ]
    differ = [
        f"- {result.name}, {mark.name}: {_describe_difference(mark.difference, mark.pixels, mark.noise)}"
        for result in results
        for mark in result.marks
        if mark.difference or not mark.close
    ]
    differ += [f"- {result.name}: {result.error}" for result in results if result.error]
    if differ:
        lines += ["", "## What differs", "", *differ]
    return "\n".join(lines) + "\n"


def describe_result(result: AppResult) -> str:
    """Return an application's result as one line for the terminal."""
    total = len(result.marks)
    words = f"{result.name}: structure {result.equal}/{total}, picture {result.close}/{total}, worst {_describe_worst_mark(result)}, {result.seconds:.0f} s; {result.claim}"
    return words + (f" ({result.error})" if result.error else "")


def _make_row(result: AppResult) -> str:
    total = len(result.marks)
    said = ", ".join(f"{what} {count}" for what, count in sorted(result.said.items()))
    cells = [
        f"{result.name} ({result.version})",
        result.kind,
        result.framework,
        str(total),
        f"{result.equal} of {total}",
        f"{result.close} of {total}",
        _describe_worst_mark(result),
        result.claim,
        said,
    ]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _describe_worst_mark(result: AppResult) -> str:
    worst = result.worst
    if worst is None:
        return ""
    return f"{_format_share(worst.pixels)} ({worst.name})" if worst.pixels else "0"


def _describe_difference(difference: str, pixels: float, noise: float) -> str:
    picture = f"picture {_format_share(pixels)}, noise {_format_share(noise)}"
    return f"{picture}; {difference}" if difference else picture


def _format_share(value: float) -> str:
    return "0" if value == 0 else f"{value:.2%}" if value >= 0.0001 else "<0.01%"
