"""Differences in the text that a person reads on the pages of two runs, at each matched action.

If both pages had settled, a line that one page lacks is missing, unless it appeared and disappeared during the
action. If one of them had not settled, a line is missing only if that run never showed it near the action, and if
it lasts in the other run: a page that loads more slowly, or skips a transient text, counts as the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from pagereel.reading import text_key, url_key

from ..matching.alignment import align
from ..matching.pairing import Pair
from ..runs.items import ComparedRun, Item, Piece, ShownPage
from ..runs.run import changes_nothing
from .coupling import PageLine, line_couples, line_name, line_of, near_to
from .difference import FoundDifference, level_pairs, plainly, quoted, shortened
from .lines import Notice, Place, notices_of, only_in
from .standing import LineOf, Standing, could_not_come, document_of, is_shown_longer, matching_action

_LAG: Final = 1500.0
"""Ms by which one page may be behind the other while they have not settled."""
_NOTICE: Final = 6_000.0
"""Ms for which a page shows a notice."""
_WHILE: Final = 200.0
"""Ms after which a text no longer counts as transient."""
_AHEAD: Final = 8
"""Largest number of later actions until a page that never settles is used as it is."""
_SLACK: Final = 1.5
"""Factor on the time that a line takes to appear in the first run: a failed action that waited so long gave it enough
time.
"""
_AGAIN: Final = 2
"""Number of appearances in one run from which on a line counts as missing in a run that never shows it, however short
its time was.
"""
_MOST: Final = 40
"""Largest number of lines of one page at one place that are reported separately."""


def page_differences(
    pairs: Sequence[Pair],
    a: Standing,
    b: Standing,
    notices: Iterable[Notice] = (),
    stood: Mapping[Place, Set[str]] | None = None,
    late: Mapping[str, float] | None = None,
) -> list[FoundDifference]:
    """Return the lines that only one run shows, each once for an address.

    `notices`: those of other runs. `stood`: lines that unsettled pages of the baseline showed at a place, see
    :func:`.lines.stood_of`. `late`: line → the longest time in ms that it took to appear in the baseline's runs.
    """
    return _Pages(a, b, notices, stood or {}, late or {}).of(level_pairs(pairs))


class _Pages:
    def __init__(
        self, a: Standing, b: Standing, notices: Iterable[Notice], stood: Mapping[Place, Set[str]],
        late: Mapping[str, float],
    ) -> None:  # fmt: skip
        self._a, self._b = a.run, b.run
        self._standing = {id(a.run): a, id(b.run): b}
        self._late = late
        self._beside: dict[int, dict[int, int]] = {}
        self._stood_elsewhere = stood
        self._told: set[tuple[object, ...]] = set()
        self._same: dict[int, tuple[int, int]] = {}
        self._keys: dict[str, str] = {}
        known, theirs = {*notices, *notices_of(a.run)}, notices_of(b.run)
        self._notices = known | theirs
        self._passing = {line for line, _ in known}
        """Lines that disappear by themselves in the expected runs."""
        self._passing_alone = {line for line, _ in theirs - known}
        """Lines that disappear by themselves only in the second run."""

    def of(self, pairs: Sequence[Pair]) -> list[FoundDifference]:
        found: list[FoundDifference] = []
        places = [(pair.a.place, pair.b.place) for pair in pairs if pair.a and pair.b]
        self._beside = {id(self._a): dict(places), id(self._b): {b: a for a, b in places}}
        for pair in pairs:
            assert pair.a is not None and pair.b is not None
            view_a, view_b = self._a.views[pair.a.place], self._b.views[pair.b.place]
            for page in sorted(view_a.ends.keys() & view_b.ends.keys()):
                ours, theirs = view_a.ends[page], view_b.ends[page]
                settled = view_a.rests.get(page, False) and view_b.rests.get(page, False)
                if self._same.get(page) != (id(ours), id(theirs)):
                    found += self._page(page, pair.a, pair.b, ours, theirs, settled)
                if settled:
                    self._same[page] = (id(ours), id(theirs))
            if pair.b.error and not pair.a.error and pair.a.place:
                found += self._missing_before_failure(pair.a, pair.b)
        return found

    def _missing_before_failure(self, item_a: Item, item_b: Item) -> list[FoundDifference]:
        """Return the lines on the first run's pages before an action that the second run's pages never showed although
        they had the whole duration of the action: the action failed there, because its target, or something that the
        target depends on, was missing.
        """
        found: list[FoundDifference] = []
        view, waited = self._b.views[item_b.place], item_b.duration / _SLACK
        for page, ours in self._a.views[item_a.place - 1].ends.items():
            theirs, address = view.ends.get(page), self._key(ours)
            if theirs is None or self._key(theirs) != address:
                continue
            lines_a, lines_b = ours.keys, theirs.keys
            said = self._seen((*self._meanwhile(self._b, item_b, page), theirs), address)
            missing = {
                line
                for line in set(lines_a) - said - self._passing
                if self._standing[id(self._a)].late_of(line) < waited
            }
            gone, new = only_in(lines_a, lines_b)
            lines = [
                (PageLine(lines_a[x], (ours, x)), line_of(theirs, y), line_name(lines_a[x]))
                for x, y in (line_couples(lines_a, lines_b, gone, new) if missing else ())
                if x is not None and lines_a[x] in missing
            ]
            found += self._lines(page, item_a, item_b, lines, address)
        for each in found:
            each.t_a = min(each.t_a or 0.0, item_a.t)
        return found

    def _page(
        self, page: int, item_a: Item, item_b: Item, ours: ShownPage, theirs: ShownPage, settled: bool
    ) -> list[FoundDifference]:
        key_a, key_b = url_key(ours.url), url_key(theirs.url)
        if key_a != key_b:
            return self._address(page, item_a, item_b, ours, theirs) if settled else []
        lines_a, lines_b = ours.keys, theirs.keys
        if lines_a == lines_b:
            return []
        gone, new = only_in(lines_a, lines_b)
        moved = self._order(page, item_a, item_b, ours, theirs, key_a) if settled else []
        if not gone and not new:
            return moved
        kept_a = self._kept(set(gone), self._a, item_a, self._b, item_b, page, settled)
        usual = self._stood_elsewhere.get((item_a.place, page, key_a), frozenset())
        kept_b = self._kept(set(new) - usual, self._b, item_b, self._a, item_a, page, settled)
        if settled:
            kept_a |= self._fewer(set(gone) - kept_a, self._b, item_b, ours, page)
            kept_b |= self._fewer(set(new) - usual - kept_b, self._a, item_a, theirs, page)
        if not kept_a and not kept_b:
            return moved
        lines: list[tuple[PageLine | None, PageLine | None, str]] = []
        above = ""
        elsewhere_a: set[str] | None = None
        elsewhere_b: set[str] | None = None
        for x, y in line_couples(lines_a, lines_b, gone, new):
            if (x is not None and lines_a[x] not in kept_a) or (y is not None and lines_b[y] not in kept_b):
                continue
            one, other = line_of(ours, x), line_of(theirs, y)
            if one is None and other is not None:
                if elsewhere_a is None:
                    elsewhere_a = self._seen(self._near(self._a, item_a, page), key_a).difference(lines_b)
                one = near_to(other, elsewhere_a)
            elif other is None and one is not None:
                if elsewhere_b is None:
                    elsewhere_b = self._seen(self._near(self._b, item_b, page), key_a).difference(lines_a)
                other = near_to(one, elsewhere_b)
            if one is None:
                name = f"below {above or self._above(lines_a, lines_b, y or 0)}"
            else:
                above = name = line_name(one.key)
            lines.append((one, other, name))
        return [*moved, *self._lines(page, item_a, item_b, lines, key_a)]

    def _kept(
        self, lines: set[str], own: ComparedRun, item: Item, other: ComparedRun, twin: Item, page: int, settled: bool
    ) -> set[str]:
        """Return the lines that are not transient: the other run never showed them near this action, and this run
        continues to show them.
        """
        if not lines:
            return lines
        address = self._key(other.views[twin.place].ends[page])
        states = self._meanwhile(other, twin, page) if settled else self._near(other, twin, page)
        seen = self._seen(states, address, lines)
        if settled and twin.place and (before := other.views[twin.place - 1].ends.get(page)) is not None:
            seen -= before.key_set
        if settled:
            seen |= self._seen(self._soon(other, twin, page), address, lines)
        kept = lines - seen - self._passed(lines, other, twin, page)
        kept |= {line for line in lines - kept if own is self._a and self._outlasts((address, line), page)}
        kept -= {line for line in kept if self._too_early((address, line), own, item, other, twin, page)}
        if kept and not settled:
            stood = self._stood(own, item, page)
            for shown in self._after(own, item, page):
                still = shown.key_set
                kept &= still | stood
        return kept

    def _fewer(self, lines: set[str], run: ComparedRun, item: Item, whole: ShownPage, page: int) -> set[str]:
        """Return the lines that a run also shows, but never as often as the other run's page near this action. Notices
        are not counted.
        """
        here = run.views[item.place].ends[page]
        lines = {line for line in lines if line in here.key_set} - {line for line, _ in self._notices}
        if not lines:
            return lines
        states = [*self._meanwhile(run, item, page), *self._near(run, item, page), *self._soon(run, item, page)]
        states = [shown for shown in states if self._key(shown) == self._key(here)]
        return {line for line in lines if not any(shown.has_line(line, whole.often[line]) for shown in states)}

    def _too_early(self, line: LineOf, own: ComparedRun, item: Item, other: ComparedRun, twin: Item, page: int) -> bool:
        """Return whether the other run continued before a line could appear. Lines that appear together belong
        together: if one of them is there, the others are not late. A line is not late either if another one is in
        its place that the first run never showed.
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
        begun = twin.place
        while begun > 0 and (changes_nothing(other.done[begun]) or other.done[begun].kind in ("model", "tool")):
            begun -= 1
        earlier = other.views[begun - 1].ends.get(page) if begun else None
        is_new = earlier is None or document_of(earlier) != document_of(view.ends[page])
        if (
            is_new
            and not view.rests.get(page, True)
            and self._is_half(own.views[item.place].ends[page], view.ends[page], line[1])
        ):
            return True
        act = matching_action(stay, other, self._beside[id(own)])
        if not could_not_come(
            stay,
            max(self._late.get(line[1], 0.0), *(each.late_of(line[1]) for each in self._standing.values())),
            act,
            view.moment,
        ):
            return False
        shown = view.ends[page]
        there = shown.key_set
        if any(beside in there for beside in standing.with_it(stay)):
            return False
        return not any(
            slot == stay.slot and (line[0], text) not in standing.stays
            for slot, text in zip(shown.slots, shown.keys, strict=False)
        )

    def _is_half(self, whole: ShownPage, shown: ShownPage, line: str) -> bool:
        """Return whether a page was left while it was parsed: all its lines come before this one."""
        lines = whole.keys
        here = shown.key_set
        return line in lines and len(here) > 1 and not any(after in here for after in lines[lines.index(line) :])

    def _passed(self, lines: set[str], run: ComparedRun, item: Item, page: int) -> set[str]:
        """Return which lines are notices that a run showed not long before: notices come and go at their own time."""
        if not self._notices:
            return set()
        states: list[ShownPage] = []
        place = item.place
        while place >= 0 and run.views[place].moment >= item.t - _NOTICE:
            states += [*self._meanwhile(run, run.done[place], page), *_end(run, place, page)]
            place -= 1
        still = run.views[item.place].ends[page].key_set
        notices = {line for line, elsewhere in self._notices if line in lines and (line in still or not elsewhere)}
        return self._seen(states, self._key(run.views[item.place].ends[page]), notices)

    def _outlasts(self, line: LineOf, page: int) -> bool:
        """Return whether a line that disappears by itself in the second run lasts far longer in the first: then it is
        no notice.
        """
        if line[1] not in self._passing_alone:
            return False
        ours, theirs = (self._standing[id(run)].longest_stay(line, page) for run in (self._a, self._b))
        return is_shown_longer(ours, theirs)

    def _stood(self, run: ComparedRun, item: Item, page: int) -> frozenset[str]:
        """Return the lines that a page had shown for a while by the end of an action."""
        moment = run.views[item.place].moment
        lines: frozenset[str] | None = None
        for place in range(item.place, -1, -1):
            for shown in (*_end(run, place, page), *reversed(self._meanwhile(run, run.done[place], page))):
                here = shown.key_set
                lines = here if lines is None else lines & here
                if not lines or shown.t <= moment - _WHILE:
                    return lines
        return frozenset()

    def _seen(self, states: Iterable[ShownPage], address: str, lines: set[str] | None = None) -> set[str]:
        """Return the lines (of `lines`, if given) that a page showed while it was at an address; the same line on the
        next page does not count.
        """
        said = {id(shown): shown.key_set for shown in states if self._key(shown) == address}.values()
        if lines is not None:
            return {line for line in lines if any(line in here for here in said)}
        return set[str]().union(*said)

    def _key(self, shown: ShownPage) -> str:
        if shown.url not in self._keys:
            self._keys[shown.url] = url_key(shown.url)
        return self._keys[shown.url]

    def _meanwhile(self, run: ComparedRun, item: Item, page: int) -> list[ShownPage]:
        """Return the states of a page during an action."""
        return run.views[item.place].between.get(page, [])

    def _near(self, run: ComparedRun, item: Item, page: int) -> list[ShownPage]:
        """Return the states of a page from a little before an action until it settled after it."""
        states: list[ShownPage] = []
        place = item.place
        while place > 0 and (place == item.place or run.views[place].moment > item.t - _LAG):
            place -= 1
            states += [*self._meanwhile(run, run.done[place], page), *_end(run, place, page)]
        for place in range(item.place, self._until(run, item, page)):
            states += [*self._meanwhile(run, run.done[place], page), *_end(run, place, page)]
        return states

    def _soon(self, run: ComparedRun, item: Item, page: int) -> list[ShownPage]:
        """Return the states of a page shortly after an action: it may have paused for a moment without being ready."""
        until = run.views[item.place].moment + _LAG
        states: list[ShownPage] = []
        for place in range(item.place + 1, len(run.views)):
            if run.done[place].t > until:
                break
            shown = (*self._meanwhile(run, run.done[place], page), *_end(run, place, page))
            states += [each for each in shown if each.t <= until]
        return states

    def _after(self, run: ComparedRun, item: Item, page: int) -> list[ShownPage]:
        """Return the states of a page at the same address after an action, until it settled."""
        here = run.views[item.place].ends[page]
        states: list[ShownPage] = []
        for place in range(item.place + 1, self._until(run, item, page)):
            for shown in (*self._meanwhile(run, run.done[place], page), *_end(run, place, page)):
                if url_key(shown.url) != url_key(here.url):
                    return states
                states.append(shown)
        return states

    def _until(self, run: ComparedRun, item: Item, page: int) -> int:
        """Return the number after that of the action at which a page had settled, at least a little after this action."""
        moment = run.views[item.place].moment
        for place in range(item.place, len(run.views)):
            view = run.views[place]
            if view.moment > moment + _LAG and (view.rests.get(page, True) or place > item.place + _AHEAD):
                return place + 1
        return len(run.views)

    def _lines(
        self,
        page: int,
        item_a: Item,
        item_b: Item,
        lines: Sequence[tuple[PageLine | None, PageLine | None, str]],
        address: str,
    ) -> list[FoundDifference]:
        """Return the differences for lines, each given as the first run's, the second's, and its name."""
        found: list[FoundDifference] = []
        for one, other, name in lines:
            folded_a, folded_b = one.key if one else None, other.key if other else None
            line_a, at_a, slot_a, parts_a = self._raw(self._a, item_a, page, one)
            line_b, at_b, slot_b, parts_b = self._raw(self._b, item_b, page, other)
            told = ("line", address, folded_a, folded_b)
            if told in self._told or len(found) >= _MOST:
                continue
            self._told.add(told)
            if line_a is not None and line_b is not None:
                said = f"the page says {quoted(line_b, 'outline')} instead of {quoted(line_a, 'outline')}"
            else:
                ends = (run.views[item.place].ends.get(page) for run, item in ((self._a, item_a), (self._b, item_b)))
                often = [shown.often[folded_a or folded_b or ""] if shown else 0 for shown in ends]
                said = _one_sided(line_a, line_b, *often)
            found.append(
                FoundDifference(
                    "page", _where(page, address), shortened(line_a), shortened(line_b), said,
                    self._shown_since(item_a, item_b, page, (address, folded_a)) if folded_a is not None else None,
                    self._since(self._b, item_b, page, folded_b) if folded_b is not None else None,
                    item_a, item_b, ("page", address, name), folded_b, role="outline", at_a=at_a, at_b=at_b,
                    slots=(slot_a, slot_b), lines=(folded_a, folded_b), pieces=(parts_a, parts_b),
                )
            )  # fmt: skip
        return found

    def _raw(
        self, run: ComparedRun, item: Item, page: int, line: PageLine | None
    ) -> tuple[str | None, tuple[int, int] | None, str | None, tuple[Piece, ...]]:
        """Return a line's original text, its element, its slot, and its parts."""
        if line is None:
            return None, None, None, ()
        states = (*_end(run, item.place, page), *self._near(run, item, page)) if line.at is None else ()
        at = line.at or next(
            ((shown, shown.keys.index(line.key)) for shown in states if line.key in shown.key_set), None
        )
        if at is None:
            return line.key, None, None, ()
        shown, number = at
        return shown.lines[number], _place(shown, number), _slot(shown, number), shown.pieces.get(number, ())

    @staticmethod
    def _above(lines_a: Sequence[str], lines_b: Sequence[str], y: int) -> str:
        """Return the line of the first run above an added line, which identifies the place in other runs, whatever the
        added line says.
        """
        known = set(lines_a)
        line = next((lines_b[z] for z in range(y - 1, -1, -1) if lines_b[z] in known), None)
        return line_name(line) if line is not None else "the top"

    def _since(self, run: ComparedRun, item: Item, page: int, line: str) -> float:
        """Return when a run first showed a line during an action, in ms."""
        view = run.views[item.place]
        states: Iterable[ShownPage] = (*view.between.get(page, ()), view.ends[page])
        since = next((shown.t for shown in states if line in shown.key_set), view.moment)
        return max(since, item.t)

    def _shown_since(self, item_a: Item, item_b: Item, page: int, line: LineOf) -> float:
        """Return since when the first run has shown a line that the second run lacks, in ms. For a line that the second
        run never showed, times before the action count as well.
        """
        since = self._since(self._a, item_a, page, line[1])
        stay = self._standing[id(self._a)].before(line, page, since)
        if stay is None or self._standing[id(self._b)].before(line, page, item_b.t) is not None:
            return since
        return min(since, stay.since)

    def _order(
        self, page: int, item_a: Item, item_b: Item, ours: ShownPage, theirs: ShownPage, address: str
    ) -> list[FoundDifference]:
        """Return the lines that both pages have, in another order."""
        common = {line for line in ours.key_set & theirs.key_set if ours.often[line] == theirs.often[line]}
        places_a, places_b = ([n for n, line in enumerate(shown.keys) if line in common] for shown in (ours, theirs))
        lines_a, lines_b = ours.keys, theirs.keys
        order_a, order_b = [lines_a[n] for n in places_a], [lines_b[n] for n in places_b]
        found: list[FoundDifference] = []
        for number, y in align(order_a, order_b) if order_a != order_b else ():
            if number is None or y is not None or len(found) >= _MOST:
                continue
            x = places_a[number]
            told = ("order", address, lines_a[x])
            if told in self._told:
                continue
            self._told.add(told)
            z = lines_b.index(lines_a[x])
            above_a = ours.lines[x - 1] if x else "the top"
            above_b = theirs.lines[z - 1] if z else "the top"
            said = f"{quoted(ours.lines[x], 'outline')} stands below {quoted(above_b, 'outline')} and not below {quoted(above_a, 'outline')}"
            found.append(
                FoundDifference(
                    "page", f"{_where(page, address)}, order", f"below {above_a}", f"below {above_b}", said,
                    ours.t, theirs.t, item_a, item_b, ("order", address, text_key(ours.lines[x])), lines_b[z - 1] if z else "", role="outline",
                    at_a=_place(ours, x), at_b=_place(theirs, z), slots=(_slot(ours, x), _slot(theirs, z)), lines=(lines_a[x], lines_b[z]),
                )
            )  # fmt: skip
        return found

    def _address(
        self, page: int, item_a: Item, item_b: Item, ours: ShownPage, theirs: ShownPage
    ) -> list[FoundDifference]:
        key_a, key_b = url_key(ours.url), url_key(theirs.url)
        told = ("address", key_a, key_b)
        if told in self._told:
            return []
        self._told.add(told)
        said = f"the page is {plainly(_short(key_b), 'address')} instead of {plainly(_short(key_a), 'address')}"
        return [
            FoundDifference("page", f"address of page {page}", ours.url, theirs.url, said, max(ours.t, item_a.t), max(theirs.t, item_b.t),
                  item_a, item_b, ("address", key_a, item_a.place), key_b, role="address")
        ]  # fmt: skip


_TIMES: Final = {1: "once", 2: "twice"}


def _one_sided(ours: str | None, theirs: str | None, often_a: int, often_b: int) -> str:
    """Return a sentence on a line that only one page has, or has more often."""
    line = quoted(ours if theirs is None else theirs, "outline")
    if often_a and often_b:
        return f"the page says {line} {_TIMES.get(often_b, f'{often_b:,} times')} instead of {_TIMES.get(often_a, f'{often_a:,}')}"
    return f"the page does not say {line}" if theirs is None else f"the page says {line}"


def _place(shown: ShownPage, line: int) -> tuple[int, int] | None:
    return shown.places[line] if line < len(shown.places) else None


def _slot(shown: ShownPage, line: int) -> str | None:
    return shown.slots[line] if line < len(shown.slots) else None


def _end(run: ComparedRun, place: int, page: int) -> Iterator[ShownPage]:
    if page in run.views[place].ends:
        yield run.views[place].ends[page]


def _where(page: int, address: str) -> str:
    return f"page {page}, {plainly(_short(address), 'address')}"


def _short(address: str) -> str:
    return address.partition("?")[0] or "about:blank"
