"""Decides which lines of one run's page are missing on the other's: neither transient, nor late, nor a notice.

If both pages had settled, a line that one page lacks is missing, unless it appeared and disappeared during the action.
If one of them had not settled, a line is missing only if that run never showed it near the action, and if it lasts in
the other run: a page that loads more slowly, or skips a transient text, counts as the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..matching.item_pairing import ItemPair
from ..runs.run_items import ComparedRun, PageTextState, RunItem
from .line_periods import LineOf, LinePeriods, find_action_before_line, had_no_time_to_appear, is_unusually_long_stay
from .page_states import (
    collect_lines_at_address,
    find_long_shown_lines,
    get_page_address_key,
    get_states_during_action,
    get_states_near_action,
    get_states_shortly_after_action,
    get_states_since_moment,
    get_states_until_settled,
)
from .transient_lines import Notice, find_notices

_NOTICE: Final = 6_000.0
"""Ms for which a page shows a notice."""
_SLACK: Final = 1.5
"""Factor on the time that a line takes to appear in the first run: a failed action that waited so long gave it enough
time.
"""


class MissingLines:
    """Decides whether a line that only one run's page shows is truly missing in the other run, by what both runs showed
    at any time.

    :param notices: the notices (lines that disappear by themselves) of the other runs.
    :param late: line → the longest time in ms that it took to appear in the other runs.
    """

    def __init__(
        self,
        pairs: Sequence[ItemPair],
        a: LinePeriods,
        b: LinePeriods,
        notices: Iterable[Notice],
        late: Mapping[str, float],
    ) -> None:
        self._a, self._b = a.run, b.run
        self._standing = {id(a.run): a, id(b.run): b}
        self._late = late
        places = [(pair.a.place, pair.b.place) for pair in pairs if pair.a and pair.b]
        self._partners = {id(self._a): dict(places), id(self._b): {b: a for a, b in places}}
        """Number of each run's actions → that of the matched action."""
        known, new = {*notices, *find_notices(a.run)}, find_notices(b.run)
        self._notices = known | new
        self._passing = {line for line, _ in known}
        """Lines that disappear by themselves in the expected runs."""
        self._passing_alone = {line for line, _ in new - known}
        """Lines that disappear by themselves only in the second run."""

    def find_lasting_lines(
        self,
        lines: set[str],
        own_run: ComparedRun,
        action: RunItem,
        other_run: ComparedRun,
        matched_action: RunItem,
        page: int,
        settled: bool,
    ) -> set[str]:
        """Return those of `lines` that the run `other_run` lacks, and that the run `own_run` continues to show after its action
        `action`.

        `other_run` lacks a line if it never shows the line near `matched_action`, its action that is matched with `action`.
        """
        if not lines:
            return lines
        address = get_page_address_key(other_run.views[matched_action.place].ends[page])
        states = (
            get_states_during_action(other_run, matched_action, page)
            if settled
            else get_states_near_action(other_run, matched_action, page)
        )
        shown_there = collect_lines_at_address(states, address, lines)
        if (
            settled
            and matched_action.place
            and (before := other_run.views[matched_action.place - 1].ends.get(page)) is not None
        ):
            shown_there -= before.line_key_set
        if settled:
            shown_there |= collect_lines_at_address(
                get_states_shortly_after_action(other_run, matched_action, page), address, lines
            )
        missing = lines - shown_there - self._find_past_notices(lines, other_run, matched_action, page)
        missing |= {
            line
            for line in lines - missing
            if own_run is self._a and self._lasts_longer_in_first_run((address, line), page)
        }
        missing -= {
            line
            for line in missing
            if self._had_no_time_for_line((address, line), own_run, action, other_run, matched_action, page)
        }
        if missing and not settled:
            lasting = find_long_shown_lines(own_run, action, page)
            for shown in get_states_until_settled(own_run, action, page):
                missing &= shown.line_key_set | lasting
        return missing

    def find_rarer_lines(
        self, lines: set[str], run: ComparedRun, item: RunItem, other_page: PageTextState, page: int
    ) -> set[str]:
        """Return those of `lines` that a run shows near an action, but never as often as `other_page`, the other run's page,
        does.

        Notices are left out.
        """
        here = run.views[item.place].ends[page]
        lines = {line for line in lines if line in here.line_key_set} - {line for line, _ in self._notices}
        if not lines:
            return lines
        states = [
            *get_states_during_action(run, item, page),
            *get_states_near_action(run, item, page),
            *get_states_shortly_after_action(run, item, page),
        ]
        states = [shown for shown in states if get_page_address_key(shown) == get_page_address_key(here)]
        return {
            line for line in lines if not any(shown.has_line(line, other_page.line_counts[line]) for shown in states)
        }

    def find_lines_before_failure(
        self, ours: PageTextState, theirs: PageTextState, failed: RunItem, page: int
    ) -> set[str]:
        """Return the lines that the first run's page showed before an action, and that the second run's page never
        showed while the same action waited and failed. Leave out lines that may appear later than the action waited.
        """
        states = (*get_states_during_action(self._b, failed, page), theirs)
        shown_there = collect_lines_at_address(states, get_page_address_key(ours))
        return {
            line
            for line in set(ours.keys) - shown_there - self._passing
            if self._standing[id(self._a)].get_longest_delay(line) < failed.duration / _SLACK
        }

    def _had_no_time_for_line(
        self,
        line: LineOf,
        own_run: ComparedRun,
        action: RunItem,
        other_run: ComparedRun,
        matched_action: RunItem,
        page: int,
    ) -> bool:
        """Return whether the other run went on before a line could appear there.

        The line could appear if another line is there that appears together with it, or if its element shows a line
        that the first run never showed.
        """
        standing = self._standing[id(own_run)]
        stay = standing.find_last_period(line, page, own_run.views[action.place].moment)
        if stay is None:
            return False
        view = other_run.views[matched_action.place]
        act = find_action_before_line(stay, other_run, self._partners[id(own_run)])
        if not had_no_time_to_appear(
            max(
                stay.late,
                self._late.get(line[1], 0.0),
                *(each.get_longest_delay(line[1]) for each in self._standing.values()),
            ),
            act,
            view.moment,
        ):
            return False
        shown = view.ends[page]
        there = shown.line_key_set
        if any(companion in there for companion in standing.iter_simultaneous_lines(stay)):
            return False
        return not any(
            slot == stay.slot and (line[0], text) not in standing.stays
            for slot, text in zip(shown.slots, shown.keys, strict=False)
        )

    def _find_past_notices(self, lines: set[str], run: ComparedRun, item: RunItem, page: int) -> set[str]:
        """Return those of `lines` that are notices, and that a run showed in the last :data:`_NOTICE` ms before an
        action's end.
        """
        if not self._notices:
            return set()
        here = run.views[item.place].ends[page]
        notices = {
            line for line, elsewhere in self._notices if line in lines and (line in here.line_key_set or not elsewhere)
        }
        return collect_lines_at_address(
            get_states_since_moment(run, item, page, item.t - _NOTICE), get_page_address_key(here), notices
        )

    def _lasts_longer_in_first_run(self, line: LineOf, page: int) -> bool:
        """Return whether a line disappears by itself in the second run only, and stays far longer in the first: then
        it is no notice.
        """
        if line[1] not in self._passing_alone:
            return False
        ours, theirs = (self._standing[id(run)].get_longest_period(line, page) for run in (self._a, self._b))
        return is_unusually_long_stay(ours, theirs)
