"""Compares two recordings: reads them, pairs their actions, finds the differences, and drops those that are usual."""

from __future__ import annotations

import asyncio
import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pagereel.errors import UsageError
from pagereel.garbage_collection import pausing_garbage_collection
from pagereel.options import Redaction
from pagereel.reel import Node

from .baseline_statistics import BaselineStatistics
from .divergence import find_outcome_difference
from .effects.actions import count_reached_pairs, find_action_differences
from .effects.browser_messages import count_minor_console_changes, find_message_differences
from .effects.difference import FoundDifference, sort_differences
from .effects.dom_tree import find_tree_differences
from .effects.line_periods import LinePeriods, find_overlong_lines
from .effects.network import find_network_differences, find_response_times
from .effects.page_text import find_page_text_differences
from .effects.timing import (
    estimate_slowdown,
    find_cost_differences,
    find_time_differences,
    measure_durations,
    measure_polls,
)
from .effects.transient_lines import find_notices
from .ignore_rules import IgnoreRules, load_ignore_rules
from .masking import JointMasking
from .matching.item_pairing import ItemPair, pair_run_items
from .result import Comparison
from .runs.normalization import cache_text_keys
from .runs.run_items import ComparedRun
from .runs.run_reader import read_run
from .varying_parameters import drop_varying_parameters

SUFFIXES = (".reel", ".html", ".zip", ".json")
"""Endings of recordings' names in a folder."""
PathLike = str | os.PathLike[str]


@pausing_garbage_collection()
@cache_text_keys()
def compare(
    a: PathLike,
    b: PathLike,
    *,
    baseline: PathLike | Iterable[PathLike] = (),
    ignore: PathLike | None = None,
    hosts: Mapping[str, str] | None = None,
    redaction: Redaction = "vendor",
) -> Comparison:
    """Compare two recordings of any kind: the first is the expected run, the second the one in question.

    :param baseline: more expected runs: paths, patterns (``runs/pay-*.reel``) or folders of reels. Places that vary
    among them are ignored.
    :param ignore: a file of rules for differences to ignore (docs/compare.md).
    :param hosts: host → equivalent host: ``{"staging.example": "shop.example"}``. All loopback addresses are one host
    anyway.
    :param redaction: how the result is masked, jointly for all recordings; None: not at all.
    :raises UsageError: no file matches a pattern, or the rules are invalid.
    :raises ReelError: a file is no recording, or cannot be read; LockedError: its key is not given.
    """
    rules = load_ignore_rules(ignore) if ignore is not None else IgnoreRules()
    mapped = dict((hosts or {}).items())
    others = [
        path
        for path in resolve_baseline_files(baseline)
        if path.resolve() not in (Path(a).resolve(), Path(b).resolve())
    ]
    skips = rules.ignored_element_test
    first, second = read_run(a, mapped, skips), read_run(b, mapped, skips)
    usual = BaselineStatistics(durations=[first.duration], costs=[first.cost], tokens=[float(first.tokens)])
    if others:  # One run alone shows nothing to vary.
        usual.varying.learn_run(first)
        usual.varying.set_second_run(second)
    baseline_runs = [read_run(path, mapped, skips) for path in others]
    drop_varying_parameters([first, *baseline_runs], second)
    for run in baseline_runs:
        _add_baseline_run(usual, first, run, skips)
    pairs = pair_run_items(first, second)
    found, notes = _find_differences(pairs, first, second, usual, skips)
    kept = usual.drop_usual_differences([each for each in found if not rules.is_ignored(each)])
    for run in (first, second):
        run.close()
    return Comparison(
        first, second, pairs, kept, len(found) - len(kept) + count_minor_console_changes(first, second), JointMasking(a, b, others, redaction),
        usual.durations, usual.costs, (*_collect_comparison_notes(first, second), *notes),
    )  # fmt: skip


async def compare_async(
    a: PathLike,
    b: PathLike,
    *,
    baseline: PathLike | Iterable[PathLike] = (),
    ignore: PathLike | None = None,
    hosts: Mapping[str, str] | None = None,
    redaction: Redaction = "vendor",
) -> Comparison:
    """Compare as :func:`compare` does, in a thread, so that the event loop keeps running. The thread finishes its work
    even if the task is cancelled.
    """
    return await asyncio.to_thread(compare, a, b, baseline=baseline, ignore=ignore, hosts=hosts, redaction=redaction)


def resolve_baseline_files(baseline: PathLike | Iterable[PathLike]) -> list[Path]:
    """Return the recordings that a baseline names by paths, patterns or folders, each once. Raises UsageError for a
    pattern or a folder that has none.
    """
    given = [baseline] if isinstance(baseline, str | os.PathLike) else list(baseline)
    found: dict[Path, None] = {}
    for one in given:
        path = Path(one)
        if path.is_dir():
            files = list_recordings(path)
        elif path.exists():
            files = [path]
        else:
            files = sorted(map(Path, glob.glob(os.fspath(one), recursive=True)))
        if not files:
            raise UsageError(
                f"The baseline {os.fspath(one)} does not exist; give a recording, or a folder or pattern of recordings."
            )
        found |= dict.fromkeys(files)
    return list(found)


def list_recordings(folder: Path) -> list[Path]:
    """Return the recordings that lie in a folder, in the order of their names."""
    return sorted(
        file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES and not file.name.startswith(".")
    )


def _find_differences(
    pairs: Sequence[ItemPair],
    a: ComparedRun,
    b: ComparedRun,
    statistics: BaselineStatistics,
    is_ignored_element: Callable[[Node], bool] | None,
) -> tuple[list[FoundDifference], list[str]]:
    """Return all differences between two runs, and notes on what was not compared. `is_ignored_element`: returns True for elements
    to leave out.
    """
    left = [pair.a.place for pair in pairs[count_reached_pairs(pairs) :] if pair.a is not None and pair.a.place >= 0]
    end = min(left, default=len(a.done))
    standing_a, standing_b = LinePeriods(a), LinePeriods(b)
    trees, note = find_tree_differences(pairs, a, b, is_ignored_element)
    slower, stalls = find_time_differences(pairs, a, b, statistics.figures)
    found = [
        *find_action_differences(pairs),
        *find_network_differences(pairs, a, b, end),
        *find_message_differences(a, b, end),
        *find_page_text_differences(
            pairs, standing_a, standing_b, statistics.notices, statistics.late, statistics.varying.is_always_shown
        ),
        *find_overlong_lines(
            standing_a,
            standing_b,
            statistics.longest,
            statistics.passing,
            estimate_slowdown(pairs, a, b, statistics.figures),
        ),
        *trees,
        *slower,
        *find_cost_differences(pairs, a, b, statistics.figures),
    ]
    return [*sort_differences(found, pairs, find_response_times(a, b, pairs)), *find_outcome_difference(a, b)], [
        *([note] if note else []),
        *stalls,
    ]


def _add_baseline_run(
    statistics: BaselineStatistics,
    first: ComparedRun,
    baseline_run: ComparedRun,
    is_ignored_element: Callable[[Node], bool] | None,
) -> None:
    """Add one more expected run to the statistics of a baseline, by comparing it with the first run."""
    pairs = pair_run_items(first, baseline_run)
    for name, (_, taken) in measure_durations(pairs, first, baseline_run).items():
        statistics.times.setdefault(name, []).append(taken)
    for key, took in measure_polls(baseline_run).items():
        statistics.times.setdefault(("poll", key), []).extend(took)
    statistics.varying.learn_run(baseline_run)
    standing = LinePeriods(baseline_run)
    for known, more in ((statistics.late, standing.longest_delays), (statistics.longest, standing.longest_durations)):
        for line, ms in more.items():
            known[line] = max(known.get(line, 0.0), ms)
    statistics.passing |= standing.passing
    statistics.durations.append(baseline_run.duration)
    statistics.costs.append(baseline_run.cost)
    statistics.tokens.append(float(baseline_run.tokens))
    statistics.notices |= find_notices(baseline_run)
    statistics.varying.learn_differences(
        _find_differences(pairs, first, baseline_run, BaselineStatistics(), is_ignored_element)[0]
    )


def _collect_comparison_notes(a: ComparedRun, b: ComparedRun) -> tuple[str, ...]:
    said = [*a.notes, *b.notes]
    if a.masked != b.masked:
        said.append("One of the recordings was redacted and the other was not: what was masked differs for that alone.")
    elif a.masked and b.masked:
        said.append(
            "Both recordings were redacted before: what was masked differs if each was masked by itself. Compare the recordings themselves, which are masked as one."
        )
    return tuple(said)
