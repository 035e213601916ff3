"""The expected runs of a comparison: what is usual among them, and where one of them differs from the others unexpectedly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property

from pagereel.reel import Node

from .baseline_statistics import BaselineStatistics
from .divergence import find_outcome_difference
from .effects.actions import count_reached_pairs, find_action_differences
from .effects.browser_messages import find_message_differences
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
from .effects.transient_lines import Notice, find_notices
from .matching.item_pairing import ItemPair, pair_run_items
from .runs.run_items import ComparedRun
from .varying_places import ShownLines, UnsteadyPlaces, get_place_class

IgnoredElementTest = Callable[[Node], bool]
FEWEST = 3
"""Number of expected runs from which on one of them can be held against two others."""


class _ExpectedRun:
    """One expected run, and what is read of it once."""

    def __init__(self, run: ComparedRun) -> None:
        self.run = run

    @cached_property
    def shown(self) -> ShownLines:
        return ShownLines(self.run)

    @cached_property
    def periods(self) -> LinePeriods:
        return LinePeriods(self.run)

    @cached_property
    def notices(self) -> set[Notice]:
        return find_notices(self.run)


class ExpectedRuns:
    """The expected runs: the first is the one that the second run is compared with, the others are its baseline."""

    def __init__(self, runs: Sequence[ComparedRun], is_ignored_element: IgnoredElementTest | None) -> None:
        self._runs = list(map(_ExpectedRun, runs))
        self._is_ignored_element = is_ignored_element
        self._compared: dict[tuple[int, int], tuple[list[ItemPair], list[FoundDifference]]] = {}

    @property
    def periods_of_first(self) -> LinePeriods:
        """Return the periods of the first run's lines."""
        return self._runs[0].periods

    def compute_statistics(self, second_run: ComparedRun) -> BaselineStatistics:
        """Return what is usual among all expected runs, to compare the second run with the first of them."""
        return self._compute_statistics_of(range(len(self._runs)), ShownLines(second_run))

    def find_unsteady_places(self, is_ignored: Callable[[FoundDifference], bool]) -> UnsteadyPlaces:
        """Compare each run with the others, as if it were the second run. Less than :data:`FEWEST` runs show nothing.

        :param is_ignored: returns True for differences to leave out.
        """
        counts: Counter[tuple[Hashable, ...]] = Counter()
        differing_runs = 0
        for number, held_out in enumerate(self._runs) if len(self._runs) >= FEWEST else ():
            first, *others = (other for other in range(len(self._runs)) if other != number)
            usual = self._compute_statistics_of([first, *others], held_out.shown)
            pairs, _ = self._compare(first, number)
            found, _ = find_differences(
                pairs, self._runs[first].periods, held_out.periods, usual, self._is_ignored_element
            )
            kept = usual.drop_usual_differences([each for each in found if not is_ignored(each)])
            places = {get_place_class(each) for each in kept if each.is_sure}
            counts.update(places)
            differing_runs += bool(places)
        return UnsteadyPlaces(counts, differing_runs, len(self._runs))

    def _compute_statistics_of(self, numbers: Sequence[int], second: ShownLines) -> BaselineStatistics:
        runs = [self._runs[number].run for number in numbers]
        statistics = BaselineStatistics(
            durations=[run.duration for run in runs],
            costs=[run.cost for run in runs],
            tokens=[float(run.tokens) for run in runs],
        )
        if len(runs) > 1:  # One run alone shows nothing to vary.
            statistics.varying.set_second_run(second)
            for number in numbers:
                statistics.varying.learn_run(self._runs[number].shown)
            for number in numbers[1:]:
                self._add_run(statistics, numbers[0], number)
        return statistics

    def _add_run(self, statistics: BaselineStatistics, first: int, number: int) -> None:
        """Add one more run to the statistics, by comparing it with the first."""
        expected = self._runs[number]
        pairs, found = self._compare(first, number)
        for name, (_, taken) in measure_durations(pairs, self._runs[first].run, expected.run).items():
            statistics.times.setdefault(name, []).append(taken)
        for key, took in measure_polls(expected.run).items():
            statistics.times.setdefault(("poll", key), []).extend(took)
        periods = expected.periods
        for known, more in ((statistics.late, periods.longest_delays), (statistics.longest, periods.longest_durations)):
            for line, ms in more.items():
                known[line] = max(known.get(line, 0.0), ms)
        statistics.passing |= periods.passing
        statistics.notices |= expected.notices
        statistics.varying.learn_differences(found)

    def _compare(self, first: int, number: int) -> tuple[list[ItemPair], list[FoundDifference]]:
        """Return the pairs of two expected runs, and all their differences."""
        known = self._compared.get((first, number))
        if known is None:
            a, b = self._runs[first], self._runs[number]
            pairs = pair_run_items(a.run, b.run)
            found, _ = find_differences(pairs, a.periods, b.periods, BaselineStatistics(), self._is_ignored_element)
            known = self._compared[first, number] = pairs, found
        return known


def find_differences(
    pairs: Sequence[ItemPair],
    periods_a: LinePeriods,
    periods_b: LinePeriods,
    statistics: BaselineStatistics,
    is_ignored_element: IgnoredElementTest | None,
) -> tuple[list[FoundDifference], list[str]]:
    """Return all differences between two runs, and notes on what was not compared. `is_ignored_element`: returns True for elements
    to leave out.
    """
    a, b = periods_a.run, periods_b.run
    left = [pair.a.place for pair in pairs[count_reached_pairs(pairs) :] if pair.a is not None and pair.a.place >= 0]
    end = min(left, default=len(a.done))
    trees, note = find_tree_differences(pairs, a, b, is_ignored_element)
    slower, stalls = find_time_differences(pairs, a, b, statistics.figures)
    found = [
        *find_action_differences(pairs),
        *find_network_differences(pairs, a, b, end),
        *find_message_differences(a, b, end),
        *find_page_text_differences(
            pairs, periods_a, periods_b, statistics.notices, statistics.late, statistics.varying.is_always_shown
        ),
        *find_overlong_lines(
            periods_a,
            periods_b,
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
