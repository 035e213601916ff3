"""The periods in which each line stood on a page: when it appeared, how long that took, and how long it stayed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from pagereel.reading import to_url_key

from ..runs.machine_load import is_machine_steady, measure_stalled_time
from ..runs.run_items import ComparedRun, PageTextState, RunItem
from ..runs.run_reader import list_changing_actions
from .difference import FoundDifference, get_action, mark_plain_value, mark_quoted_value, shorten_value
from .line_matching import build_line_name
from .transient_lines import is_spontaneous_change

LineOf = tuple[str, str]
"""Key of a page's address, and a normalized line."""

_LATE: Final = 100.0
"""Ms after an action from which on a new line counts as late."""
_SLACK: Final = 1.5
_MARGIN: Final = 300.0
"""A late line may take `_SLACK` times as long in the other run, plus `_MARGIN` ms."""
_TIMES: Final = 4.0
_LONGER: Final = 1_500.0
"""A line that disappears by itself stayed too long if it stayed at least `_TIMES` times as long, and at least
`_LONGER` ms longer, than in any other run.
"""


@dataclass(slots=True)
class LinePeriod:
    """One period in which a page showed a line. Times in ms."""

    line: LineOf
    raw: str
    page: int
    since: float
    until: float
    act: int
    """Number of the last action before the line appeared; -1: none."""
    late: float
    """Ms from that action to the line's appearance."""
    by_itself: bool = False
    """The line disappeared spontaneously, without a recent action."""
    at: tuple[int, int] | None = None
    slot: str = ""
    """The slot of the line's element."""


class LinePeriods:
    """The periods in which a run's pages showed each line."""

    def __init__(self, run: ComparedRun) -> None:
        self.run = run
        self._acts = list_changing_actions(run)
        self._times = [item.earliest_effect_time for item in self._acts]
        self.stays: dict[LineOf, list[LinePeriod]] = {}
        self.passing: set[str] = set()
        """Lines that disappeared by themselves."""
        for stay in self._read_periods():
            self.stays.setdefault(stay.line, []).append(stay)

    @cached_property
    def longest_delays(self) -> dict[str, float]:
        """Map each line to the longest time, in ms, that it took to appear after an action, at any address."""
        found: dict[str, float] = {}
        for (_, line), stays in self.stays.items():
            for stay in stays:
                if line not in found or found[line] < stay.late:
                    found[line] = stay.late
        return found

    def get_longest_delay(self, line: str) -> float:
        """Return the longest time, in ms, that a line took to appear; 0 for a line that never appeared."""
        return self.longest_delays.get(line, 0.0)

    @cached_property
    def _lines_by_appearance(self) -> dict[tuple[int, float], list[str]]:
        """Map each pair of page and time to the lines that appeared on that page at that time."""
        found: dict[tuple[int, float], list[str]] = {}
        for stays in self.stays.values():
            for stay in stays:
                found.setdefault((stay.page, stay.since), []).append(stay.line[1])
        return found

    @cached_property
    def longest_durations(self) -> dict[str, float]:
        """Map the name of each line to the longest time, in ms, that lines of this name stayed, one after the other, on
        a page, without the time in which the page was stalled.
        """
        found: dict[str, float] = {}
        open_now: dict[tuple[str, int], LinePeriod] = {}
        for stay in sorted((stay for stays in self.stays.values() for stay in stays), key=lambda stay: stay.since):
            name = build_line_name(stay.line[1])
            last = open_now.get((name, stay.page))
            if last is not None and stay.since <= last.until:
                stay = replace(stay, since=last.since, until=max(last.until, stay.until))
            open_now[name, stay.page] = stay
            place = [stay.slot] if stay.by_itself and stay.slot else []
            for known in (name, *place):
                found[known] = max(found.get(known, 0.0), self.measure_unstalled_duration(stay))
        return found

    def measure_unstalled_duration(self, period: LinePeriod) -> float:
        """Return how long a line stayed in one period, in ms, without the time in which the page was stalled."""
        return period.until - period.since - measure_stalled_time(self.run, period.page, period.since, period.until)

    def find_last_period(self, line: LineOf, page: int, t: float) -> LinePeriod | None:
        """Return the last period of a line on a page that began before `t`."""
        return max(
            (s for s in self.stays.get(line, ()) if s.page == page and s.since <= t),
            key=lambda s: s.since,
            default=None,
        )

    def get_longest_period(self, line: LineOf, page: int) -> float:
        """Return the longest period of a line on a page, in ms."""
        return max((stay.until - stay.since for stay in self.stays.get(line, ()) if stay.page == page), default=0.0)

    def iter_simultaneous_lines(self, period: LinePeriod) -> Iterator[str]:
        """Yield the other lines that appeared on the page at the beginning of a period."""
        there = self._lines_by_appearance.get((period.page, period.since), ())
        return (line for line in there if line != period.line[1])

    def has_fixed_order(self, line: LineOf, other: LineOf, page: int, t: float) -> bool:
        """Return whether two lines that a page shows at `t` (ms) came to it at the same time, and stand in one order in
        each of its states in which both are.
        """
        periods = [self.find_last_period(each, page, t) for each in (line, other)]
        if len({period.since if period is not None else None for period in periods}) > 1:
            return False
        orders = {
            shown.keys.index(line[1]) < shown.keys.index(other[1])
            for number, shown in iter_page_states(self.run)
            if number == page and {line[1], other[1]} <= shown.line_key_set
        }
        return len(orders) == 1

    def _read_periods(self) -> Iterator[LinePeriod]:
        open_now: dict[int, dict[str, LinePeriod]] = {}
        last: dict[int, PageTextState] = {}
        for page, shown in iter_page_states(self.run):
            before, lines = last.get(page), shown.keys
            address = to_url_key(shown.url)
            here = open_now.setdefault(page, {})
            same = before is not None and get_document_identity(before) == get_document_identity(shown)
            at = bisect_right(self._times, shown.t) - 1
            calm = same and is_spontaneous_change(self._times, shown.t)
            kept = set(lines) if same else set()
            for line in [line for line in here if line not in kept]:
                stay = here.pop(line)
                stay.until, stay.by_itself = shown.t, calm
                if calm:
                    self.passing.add(line)
                yield stay
            late = shown.t - self._times[at] if at >= 0 else 0.0
            act = self._acts[at].place if at >= 0 else -1
            for number, line in enumerate(lines):
                if line not in here:
                    place = shown.places[number] if number < len(shown.places) else None
                    slot = shown.slots[number] if number < len(shown.slots) else ""
                    here[line] = LinePeriod(
                        (address, line), shown.lines[number], page, shown.t, shown.t, act, late, at=place, slot=slot
                    )
            last[page] = shown
        for stays in open_now.values():
            for stay in stays.values():
                stay.until = self.run.duration
                yield stay


def iter_page_states(run: ComparedRun) -> Iterator[tuple[int, PageTextState]]:
    """Yield the page's number and the state, for each different state of each page."""
    last: dict[int, PageTextState] = {}
    for view in run.views:
        for page in view.ends:
            for shown in (*view.between.get(page, ()), view.ends[page]):
                if last.get(page) is not shown:
                    last[page] = shown
                    yield page, shown


def get_document_identity(state: PageTextState) -> int | str:
    """Return a value that is equal for two states of one document; the address alone may change within a document."""
    return state.places[0][0] if state.places else state.url


def had_no_time_to_appear(late: float, action: RunItem | None, read_time: float) -> bool:
    """Return whether a page was read so soon that a line could not have appeared on it yet, nor a request been sent.

    :param late: the longest time in ms that the line took to appear, or the request to be sent, in the other runs.
    :param action: the action that makes the line appear; None: the beginning of the recording.
    :param read_time: when the page was read, in ms.
    """
    begun = action.earliest_effect_time if action is not None else 0.0
    return late > _LATE and read_time - begun < late * _SLACK + _MARGIN


def find_overlong_lines(
    a: LinePeriods, b: LinePeriods, usual: Mapping[str, float], vanishing_lines: Set[str], slowdown: float
) -> list[FoundDifference]:
    """Return a difference for each line that disappears by itself and stayed far longer in the second run.

    :param usual: name of a line → the longest time in ms that it stayed in the baseline's runs.
    :param vanishing_lines: the lines that disappeared by themselves in those runs.
    :param slowdown: the factor by which a busy machine slowed the second run.
    """
    found: list[FoundDifference] = []
    for line, stays in b.stays.items():
        if line[1] not in a.passing and line[1] not in vanishing_lines:
            continue
        longest = max(stays, key=lambda stay: stay.until - stay.since)
        known = (build_line_name(line[1]), longest.slot)
        most = max(figures.get(place, 0.0) for figures in (a.longest_durations, usual) for place in known)
        took = longest.until - longest.since
        stood = b.measure_unstalled_duration(longest)
        if not most or not is_unusually_long_stay(stood, most):
            continue
        if stood < most * slowdown * _SLACK and not is_machine_steady(b.run, longest.since, longest.until):
            continue
        ours = max(a.stays.get(line, ()), key=lambda stay: stay.until - stay.since, default=None)
        sentence = f"the page says {mark_quoted_value(longest.raw, 'outline')} for {took / 1000:.1f} s instead of {most / 1000:.1f} s"
        item_a = get_action(a.run, ours.act) if ours is not None else None
        item_b = get_action(b.run, longest.act)
        found.append(
            FoundDifference(
                "page", f"page {longest.page}, {mark_plain_value(line[0].partition('?')[0], 'address')}, how long", shorten_value(longest.raw), shorten_value(longest.raw), sentence,
                ours.since if ours is not None else None, longest.since + most, item_a, item_b, ("standing", *line), "long", role="outline",
                at_a=ours.at if ours is not None else None, at_b=longest.at, until=longest.until,
            )
        )  # fmt: skip
    return found


def is_unusually_long_stay(ms: float, usual: float) -> bool:
    """Return whether a line stayed so much longer than usual that this is a difference."""
    return ms >= max(usual * _TIMES, usual + _LONGER)


def find_action_before_line(period: LinePeriod, run: ComparedRun, matched_numbers: Mapping[int, int]) -> RunItem | None:
    """Return the action of `run` that is matched with the action after which a line appeared in the other run.

    None if there is none.

    :param period: the period in which the other run showed the line.
    :param matched_numbers: the number of an action of the other run → the number of the matched action of `run`.
    """
    return get_action(run, matched_numbers.get(period.act, -1))
