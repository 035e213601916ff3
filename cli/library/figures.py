"""`pagereel library stats`, `expect` and `parquet`: print and write figures over many runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pagereel.cli.argument_requirements import require_no_existing_file
from pagereel.cli.console import print_json, print_lines, print_written_file
from pagereel.errors import UsageError

if TYPE_CHECKING:
    from pagereel.library import Figures, Library

_ROWS = 12


def print_figures(
    opened: Library, query: str, *, by: str | None, every: str, output: Path | None, force: bool, json: bool
) -> int:
    """Print figures, or write them with charts into an HTML file."""
    from pagereel.library import GROUPS_TOLD, render_figures_page

    if output is not None:
        require_no_existing_file(output, force=force)
    groups = tuple(word.strip() for word in by.split(",")) if by else GROUPS_TOLD
    figures = opened.stats(query, by=groups, every=every)
    if output is not None:
        told = f"{figures.all['runs']:,} runs" + (f" that fit {query}" if query else "")
        page = render_figures_page(figures, f"Figures of {opened.folder.resolve().name}", told)
        try:
            output.write_text(page, "utf-8")
        except OSError as error:
            raise UsageError(f"{output} cannot be written: {error.strerror}.") from None
        if not json:
            print_written_file(output)
    if json:
        share = None if figures.coverage is None else {"share": figures.coverage.share}
        told_all = asdict(figures)
        if share is not None:
            told_all["coverage"] |= share
        print_json(told_all)
    elif output is None:
        print_lines(_iter_figure_lines(figures))
    return 0


def store_expected_runs(opened: Library, lists: list[str], *, name: str | None, json: bool) -> int:
    """Store lists of the runs that should be recorded, and print how many of them the library has."""
    counts = {word: opened.expect(word, name) for word in lists}
    coverage = opened.stats(by=()).coverage
    if json:
        print_json({"expected": counts, "coverage": None if coverage is None else asdict(coverage) | {"share": coverage.share}})  # fmt: skip
        return 0
    for word, count in counts.items():
        print(f"{word}: {count} expected")
    if coverage is not None:
        print(f"{coverage.recorded} of {coverage.expected} are recorded")
    return 0


def write_parquet(opened: Library, place: str | None, *, json: bool) -> int:
    """Write the figures of each day's runs as Parquet files."""
    changed, gone = opened.parquet(place)
    print_json({"written": changed, "removed": gone}) if json else print(
        f"{len(changed)} days written, {len(gone)} removed"
    )
    return 0


def _iter_figure_lines(figures: Figures) -> Iterator[str]:
    from pagereel.library import describe_curve_step, format_figure

    told = figures.all
    names = ("runs", "passed", "failed", "success", "cost", "cost_median", "duration_median", "duration_p95", "tokens", "retries", "with_gaps", "fidelity", "masked")  # fmt: skip
    yield from (f"{name.replace('_', ' '):>16}  {format_figure(name, told[name])}" for name in names)
    yield from (f"{name.replace('_', ' '):>16}  {format_figure(name, figures.storage[name])}" for name in ("recordings", "index", "lines", "distinct_lines"))  # fmt: skip
    if figures.coverage is not None:
        yield f"{'recorded':>16}  {format_figure('share', figures.coverage.share)} of {figures.coverage.expected:,} expected"
    for step in figures.steps or ():
        yield ""
        yield describe_curve_step(step)
    for group, rows in figures.by.items():
        if rows:
            yield ""
            yield f"{group:<28}  {'runs':>7}  {'passed':>8}  {'cost':>10}  {'median':>9}"
        for row in rows[:_ROWS]:
            success, cost, took = (format_figure(name, row[name]) for name in ("success", "cost", "duration_median"))
            yield f"{row['name'][:28]:<28}  {row['runs']:>7,}  {success:>8}  {cost:>10}  {took:>9}"
    if figures.flaky:
        yield ""
        yield from (
            f"flaky: {row['test']}  {row['passed']} passed, {row['failed']} failed, {row['changes']} changes"
            for row in figures.flaky[:_ROWS]
        )
    if figures.errors:
        yield ""
        yield from (
            f"{row['runs']:>5} runs: {row['words'] or row['error']}  (error:{row['error']})"
            for row in figures.errors[:_ROWS]
        )
