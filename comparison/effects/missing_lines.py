"""Decide which lines of one run's page are missing on the other's: neither transient, nor late, nor a notice.

If both pages had settled, a line that one page lacks is missing, unless it appeared and disappeared during the
action. If one of them had not settled, a line is missing only if that run never showed it near the action, and if
it lasts in the other run: a page that loads more slowly, or skips a transient text, counts as the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..matching.pairing import Pair
from ..runs.items import ComparedRun, Item, ShownPage
from .lines import Notice, notices_of
from .page_states import (
    address_key,
    during,
    lasting_lines,
    lines_in,
    near,
    shortly_after,
    since,
    until_settled,
)
from .standing import LineOf, Standing, could_not_come, is_shown_longer, matching_action

_NOTICE: Final = 6_000.0
"""Ms for which a page shows a notice."""
_SLACK: Final = 1.5
"""Factor on the time that a line takes to appear in the first run: a failed action that waited so long gave it enough
time.
"""
_AGAIN: Final = 2
"""Number of appearances in one run from which on a line counts as missing in a run that never shows it, however short
its time was.
"""


class MissingLines:
    """The test of whether a line that one run's page lacks is truly missing, with both whole runs as evidence.

    :param notices: those of other runs.
    :param late: line → the longest time in ms that it took to appear in other runs.
    """

    def __init__(
        self, pairs: Sequence[Pair], a: Standing, b: Standing, notices: Iterable[Notice], late: Mapping[str, float]
    ) -> None:
        self._a, self._b = a.run, b.run
        self._standing = {id(a.run): a, id(b.run): b}
        self._late = late
        places = [(pair.a.place, pair.b.place) for pair in pairs if pair.a and pair.b]
        self._partners = {id(self._a): dict(places), id(self._b): {b: a for a, b in places}}
        """Number of each run's actions → that of the matched action."""
        known, new = {*notices, *notices_of(a.run)}, notices_of(b.run)
        self._notices = known | new
        self._passing = {line for line, _ in known}
        """Lines that disappear by themselves in the expected runs."""
        self._passing_alone = {line for line, _ in new - known}
        """Lines that disappear by themselves only in the second run."""

    def lasting(
        self, lines: set[str], own: ComparedRun, item: Item, other: ComparedRun, twin: Item, page: int, settled: bool
    ) -> set[str]:
        """Return those of `lines` that are missing in the other run: that run never showed them near this action, and
        this run continues to show them.
        """
        if not lines:
            return lines
        address = address_key(other.views[twin.place].ends[page])
        states = during(other, twin, page) if settled else near(other, twin, page)
        shown_there = lines_in(states, address, lines)
        if settled and twin.place and (before := other.views[twin.place - 1].ends.get(page)) is not None:
            shown_there -= before.key_set
        if settled:
            shown_there |= lines_in(shortly_after(other, twin, page), address, lines)
        missing = lines - shown_there - self._past_notices(lines, other, twin, page)
        missing |= {line for line in lines - missing if own is self._a and self._outlasts((address, line), page)}
        missing -= {line for line in missing if self._too_early((address, line), own, item, other, twin, page)}
        if missing and not settled:
            lasting = lasting_lines(own, item, page)
            for shown in until_settled(own, item, page):
                missing &= shown.key_set | lasting
        return missing

    def rarer(self, lines: set[str], run: ComparedRun, item: Item, whole: ShownPage, page: int) -> set[str]:
        """Return the lines that a run shows near an action, but never as many times as `whole`, the other run's page.
        Notices are left out.
        """
        here = run.views[item.place].ends[page]
        lines = {line for line in lines if line in here.key_set} - {line for line, _ in self._notices}
        if not lines:
            return lines
        states = [*during(run, item, page), *near(run, item, page), *shortly_after(run, item, page)]
        states = [shown for shown in states if address_key(shown) == address_key(here)]
        return {line for line in lines if not any(shown.has_line(line, whole.often[line]) for shown in states)}

    def before_failure(self, ours: ShownPage, theirs: ShownPage, failed: Item, page: int) -> set[str]:
        """Return the lines that the first run's page showed before an action, and the second run's page never during
        the whole duration of that action, which failed.
        """
        states = (*during(self._b, failed, page), theirs)
        shown_there = lines_in(states, address_key(ours))
        return {
            line
            for line in set(ours.keys) - shown_there - self._passing
            if self._standing[id(self._a)].late_of(line) < failed.duration / _SLACK
        }

    def _too_early(self, line: LineOf, own: ComparedRun, item: Item, other: ComparedRun, twin: Item, page: int) -> bool:
        """Return whether the other run went on before a line had the time to appear there.

        A line had the time if one that appears together with it is there, or if its element shows another line that
        the first run never showed.
        """
        standing = self._standing[id(own)]
        stay = standing.before(line, page, own.views[item.place].moment)
        if stay is None:
            return False
        if (
            standing.often(line[1]) >= _AGAIN
            and not self._standing[id(other)].often(line[1])
            and line[1] not in self._late
        ):
            return False
        view = other.views[twin.place]
        act = matching_action(stay, other, self._partners[id(own)])
        if not could_not_come(
            stay,
            max(self._late.get(line[1], 0.0), *(each.late_of(line[1]) for each in self._standing.values())),
            act,
            view.moment,
        ):
            return False
        shown = view.ends[page]
        there = shown.key_set
        if any(companion in there for companion in standing.with_it(stay)):
            return False
        return not any(
            slot == stay.slot and (line[0], text) not in standing.stays
            for slot, text in zip(shown.slots, shown.keys, strict=False)
        )

    def _past_notices(self, lines: set[str], run: ComparedRun, item: Item, page: int) -> set[str]:
        """Return those of `lines` that are notices, and that a run showed in the last :data:`_NOTICE` ms before an
        action's end.
        """
        if not self._notices:
            return set()
        here = run.views[item.place].ends[page]
        notices = {
            line for line, elsewhere in self._notices if line in lines and (line in here.key_set or not elsewhere)
        }
        return lines_in(since(run, item, page, item.t - _NOTICE), address_key(here), notices)

    def _outlasts(self, line: LineOf, page: int) -> bool:
        """Return whether a line disappears by itself in the second run only, and stays far longer in the first: then
        it is no notice.
        """
        if line[1] not in self._passing_alone:
            return False
        ours, theirs = (self._standing[id(run)].longest_stay(line, page) for run in (self._a, self._b))
        return is_shown_longer(ours, theirs)
