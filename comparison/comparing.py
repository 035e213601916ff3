"""Compares two recordings: reads them, pairs their actions, finds the differences, and drops those that are usual."""

from __future__ import annotations

import asyncio
import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pagereel.errors import UsageError
from pagereel.garbage import collection_paused
from pagereel.options import Redaction
from pagereel.reel import Node

from .divergence import outcome_difference
from .effects.actions import action_differences, end_of
from .effects.difference import FoundDifference, in_order
from .effects.lines import notices_of
from .effects.network import answers_of, network_differences
from .effects.notices import count_of_other_lines, notice_differences
from .effects.page import page_differences
from .effects.standing import Standing, standing_differences
from .effects.timing import cost_differences, measured, time_differences
from .effects.tree import tree_differences
from .ignore_rules import Ignoring, load_rules
from .masking import JointMasking
from .matching.pairing import Pair, pair_runs
from .result import Comparison
from .runs.folding import remembered
from .runs.items import ComparedRun
from .runs.run import read_run
from .usual import Baseline

SUFFIXES = (".reel", ".html", ".zip", ".json")
"""Endings of recordings' names in a folder."""
PathLike = str | os.PathLike[str]


@collection_paused()
@remembered()
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
    rules = load_rules(ignore) if ignore is not None else Ignoring()
    mapped = dict((hosts or {}).items())
    others = [path for path in files_of(baseline) if path.resolve() not in (Path(a).resolve(), Path(b).resolve())]
    skips = rules.skips
    first, second = read_run(a, mapped, skips), read_run(b, mapped, skips)
    usual = Baseline(durations=[first.duration], costs=[first.cost], tokens=[float(first.tokens)])
    if others:  # One run alone shows nothing to vary.
        usual.varying.learn(first)
        usual.varying.own(second)
    for path in others:
        _learn(usual, first, read_run(path, mapped, skips), skips)
    pairs = pair_runs(first, second)
    found, notes = _all(pairs, first, second, usual, skips)
    kept = usual.beyond([each for each in found if not rules.ignores(each)])
    for run in (first, second):
        run.close()
    return Comparison(
        first, second, pairs, kept, len(found) - len(kept) + count_of_other_lines(first, second), JointMasking(a, b, others, redaction),
        usual.durations, usual.costs, (*_notes(first, second), *notes),
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


def files_of(baseline: PathLike | Iterable[PathLike]) -> list[Path]:
    """Return the recordings that a baseline names by paths, patterns or folders, each once. Raises UsageError for a
    pattern or a folder that has none.
    """
    given = [baseline] if isinstance(baseline, str | os.PathLike) else list(baseline)
    found: dict[Path, None] = {}
    for one in given:
        path = Path(one)
        if path.is_dir():
            files = files_in(path)
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


def files_in(folder: Path) -> list[Path]:
    """Return the recordings that lie in a folder, in the order of their names."""
    return sorted(
        file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES and not file.name.startswith(".")
    )


def _all(
    pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun, usual: Baseline, skips: Callable[[Node], bool] | None
) -> tuple[list[FoundDifference], list[str]]:
    left = [pair.a.place for pair in pairs[end_of(pairs) :] if pair.a is not None and pair.a.place >= 0]
    end = min(left, default=len(a.done))
    standing_a, standing_b = Standing(a), Standing(b)
    trees, note = tree_differences(pairs, a, b, skips)
    slower, stalls = time_differences(pairs, a, b, usual.figures)
    found = [
        *action_differences(pairs),
        *network_differences(pairs, a, b, end),
        *notice_differences(a, b, end),
        *page_differences(pairs, standing_a, standing_b, usual.notices, usual.late),
        *standing_differences(standing_a, standing_b, usual.longest),
        *trees,
        *slower,
        *cost_differences(pairs, a, b, usual.figures),
    ]
    return [*in_order(found, pairs, answers_of(a, b, pairs)), *outcome_difference(a, b)], [
        *([note] if note else []),
        *stalls,
    ]


def _learn(usual: Baseline, first: ComparedRun, other: ComparedRun, skips: Callable[[Node], bool] | None) -> None:
    pairs = pair_runs(first, other)
    for name, (_, taken) in measured(pairs, first, other).items():
        usual.times.setdefault(name, []).append(taken)
    usual.varying.learn(other)
    standing = Standing(other)
    for known, more in ((usual.late, standing.late), (usual.longest, standing.longest)):
        for line, ms in more.items():
            known[line] = max(known.get(line, 0.0), ms)
    usual.durations.append(other.duration)
    usual.costs.append(other.cost)
    usual.tokens.append(float(other.tokens))
    usual.notices |= notices_of(other)
    usual.varying.learn_differences(_all(pairs, first, other, Baseline(), skips)[0])


def _notes(a: ComparedRun, b: ComparedRun) -> tuple[str, ...]:
    said = [*a.notes, *b.notes]
    if a.masked != b.masked:
        said.append("One of the recordings was redacted and the other was not: what was masked differs for that alone.")
    elif a.masked and b.masked:
        said.append(
            "Both recordings were redacted before: what was masked differs if each was masked by itself. Compare the recordings themselves, which are masked as one."
        )
    return tuple(said)
