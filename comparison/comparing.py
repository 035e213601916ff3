"""Compares two recordings: reads them, pairs their actions, finds the differences, and drops those that are usual."""

from __future__ import annotations

import asyncio
import glob
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pagereel.errors import UsageError
from pagereel.garbage_collection import pausing_garbage_collection
from pagereel.options import Redaction

from .effects.browser_messages import count_minor_console_changes
from .effects.line_periods import LinePeriods
from .expected_runs import ExpectedRuns, find_differences
from .ignore_rules import IgnoreRules, load_ignore_rules
from .masking import JointMasking
from .matching.item_pairing import pair_run_items
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
    first, second, *baseline_runs = (read_run(path, mapped, skips) for path in (a, b, *others))
    drop_varying_parameters([first, *baseline_runs], second)
    expected = ExpectedRuns([first, *baseline_runs], skips)
    usual = expected.compute_statistics(second)
    pairs = pair_run_items(first, second)
    found, notes = find_differences(pairs, expected.periods_of_first, LinePeriods(second), usual, skips)
    kept = usual.drop_usual_differences([each for each in found if not rules.is_ignored(each)])
    if any(each.is_sure for each in kept):
        notes += usual.varying.doubt_unsteady_places(kept, expected.find_unsteady_places(rules.is_ignored))
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


def _collect_comparison_notes(a: ComparedRun, b: ComparedRun) -> tuple[str, ...]:
    said = [*a.notes, *b.notes]
    if a.masked != b.masked:
        said.append("One of the recordings was redacted and the other was not: what was masked differs for that alone.")
    elif a.masked and b.masked:
        said.append(
            "Both recordings were redacted before: what was masked differs if each was masked by itself. Compare the recordings themselves, which are masked as one."
        )
    return tuple(said)
