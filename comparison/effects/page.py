"""Differences in the readable text of two runs' pages, at each matched action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pagereel.reading import text_key

from ..matching.alignment import align
from ..matching.pairing import Pair
from ..runs.items import ComparedRun, Item, Piece, ShownPage
from .coupling import PageLine, line_couples, line_name, line_of, near_to
from .difference import FoundDifference, level_pairs, plainly, quoted, shortened
from .lines import Notice, only_in
from .missing_lines import MissingLines
from .page_states import address_key, at_end, lines_in, near
from .standing import LineOf, Standing

_MOST: Final = 40
"""Largest number of lines of one page at one place that are reported separately."""


def page_differences(
    pairs: Sequence[Pair],
    a: Standing,
    b: Standing,
    notices: Iterable[Notice] = (),
    late: Mapping[str, float] | None = None,
) -> list[FoundDifference]:
    """Return the lines that only one run shows, each once for an address.

    `notices`: those of other runs. `late`: line → the longest time in ms that it took to appear in the baseline's runs.
    """
    level = level_pairs(pairs)
    missing = MissingLines(level, a, b, notices, late or {})
    return _Pages(level, a, b, missing).differences()


class _Pages:
    def __init__(self, pairs: Sequence[Pair], a: Standing, b: Standing, missing: MissingLines) -> None:
        self._pairs = pairs
        self._a, self._b = a.run, b.run
        self._standing = {id(a.run): a, id(b.run): b}
        self._missing = missing
        self._reported: set[tuple[object, ...]] = set()
        self._same: dict[int, tuple[int, int]] = {}

    def differences(self) -> list[FoundDifference]:
        found: list[FoundDifference] = []
        for pair in self._pairs:
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
        """Return the lines that explain an action which failed in the second run: the first run's pages showed them
        before the action, the second run's pages never did while the action waited.
        """
        found: list[FoundDifference] = []
        view = self._b.views[item_b.place]
        for page, ours in self._a.views[item_a.place - 1].ends.items():
            theirs, address = view.ends.get(page), address_key(ours)
            if theirs is None or address_key(theirs) != address:
                continue
            lines_a, lines_b = ours.keys, theirs.keys
            missing = self._missing.before_failure(ours, theirs, item_b, page)
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
        key_a, key_b = address_key(ours), address_key(theirs)
        if key_a != key_b:
            return self._address(page, item_a, item_b, ours, theirs) if settled else []
        lines_a, lines_b = ours.keys, theirs.keys
        if lines_a == lines_b:
            return []
        gone, new = only_in(lines_a, lines_b)
        moved = self._order(page, item_a, item_b, ours, theirs, key_a) if settled else []
        if not gone and not new:
            return moved
        kept_a = self._missing.lasting(set(gone), self._a, item_a, self._b, item_b, page, settled)
        kept_b = self._missing.lasting(set(new), self._b, item_b, self._a, item_a, page, settled)
        if settled:
            kept_a |= self._missing.rarer(set(gone) - kept_a, self._b, item_b, ours, page)
            kept_b |= self._missing.rarer(set(new) - kept_b, self._a, item_a, theirs, page)
        if not kept_a and not kept_b:
            return moved
        lines: list[tuple[PageLine | None, PageLine | None, str]] = []
        above = ""
        elsewhere_a: set[str] | None = None
        elsewhere_b: set[str] | None = None
        for x, y in line_couples(lines_a, lines_b, gone, new):
            kept_x, kept_y = x is not None and lines_a[x] in kept_a, y is not None and lines_b[y] in kept_b
            # Beside a line that counts stands what is here instead of it, though the other page says that elsewhere as well.
            stray_x = x is not None and not kept_x and lines_a[x] not in theirs.key_set
            stray_y = y is not None and not kept_y and lines_b[y] not in ours.key_set
            if stray_x or stray_y or not (kept_x or kept_y):
                continue
            one, other = line_of(ours, x), line_of(theirs, y)
            if one is None and other is not None:
                if elsewhere_a is None:
                    elsewhere_a = lines_in(near(self._a, item_a, page), key_a).difference(lines_b)
                one = near_to(other, elsewhere_a)
            elif other is None and one is not None:
                if elsewhere_b is None:
                    elsewhere_b = lines_in(near(self._b, item_b, page), key_a).difference(lines_a)
                other = near_to(one, elsewhere_b)
            if one is None:
                name = f"below {above or self._above(lines_a, lines_b, y or 0)}"
            else:
                above = name = line_name(one.key)
            lines.append((one, other, name))
        return [*moved, *self._lines(page, item_a, item_b, lines, key_a)]

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
            fact = ("line", address, folded_a, folded_b)
            if fact in self._reported or len(found) >= _MOST:
                continue
            self._reported.add(fact)
            if line_a is not None and line_b is not None:
                sentence = f"the page says {quoted(line_b, 'outline')} instead of {quoted(line_a, 'outline')}"
            else:
                ends = (run.views[item.place].ends.get(page) for run, item in ((self._a, item_a), (self._b, item_b)))
                often = [shown.often[folded_a or folded_b or ""] if shown else 0 for shown in ends]
                sentence = _one_sided(line_a, line_b, *often)
            found.append(
                FoundDifference(
                    "page", _where(page, address), shortened(line_a), shortened(line_b), sentence,
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
        states = (*at_end(run, item.place, page), *near(run, item, page)) if line.at is None else ()
        at = line.at or next(
            ((shown, shown.keys.index(line.key)) for shown in states if line.key in shown.key_set), None
        )
        if at is None:
            return line.key, None, None, ()
        shown, number = at
        return shown.lines[number], _place(shown, number), _slot(shown, number), shown.pieces.get(number, ())

    @staticmethod
    def _above(lines_a: Sequence[str], lines_b: Sequence[str], y: int) -> str:
        """Return the name of the nearest line above an added one that the first run has as well: it identifies the
        place of the added line, whatever that line says.
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
        """Return since when the first run has shown a line that the second run lacks, in ms: the time within this
        action, or an earlier one if the second run never showed the line.
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
            fact = ("order", address, lines_a[x])
            if fact in self._reported:
                continue
            self._reported.add(fact)
            z = lines_b.index(lines_a[x])
            above_a = ours.lines[x - 1] if x else "the top"
            above_b = theirs.lines[z - 1] if z else "the top"
            sentence = f"{quoted(ours.lines[x], 'outline')} stands below {quoted(above_b, 'outline')} and not below {quoted(above_a, 'outline')}"
            found.append(
                FoundDifference(
                    "page", f"{_where(page, address)}, order", f"below {above_a}", f"below {above_b}", sentence,
                    ours.t, theirs.t, item_a, item_b, ("order", address, text_key(ours.lines[x])), lines_b[z - 1] if z else "", role="outline",
                    at_a=_place(ours, x), at_b=_place(theirs, z), slots=(_slot(ours, x), _slot(theirs, z)), lines=(lines_a[x], lines_b[z]),
                )
            )  # fmt: skip
        return found

    def _address(
        self, page: int, item_a: Item, item_b: Item, ours: ShownPage, theirs: ShownPage
    ) -> list[FoundDifference]:
        key_a, key_b = address_key(ours), address_key(theirs)
        fact = ("address", key_a, key_b)
        if fact in self._reported:
            return []
        self._reported.add(fact)
        name_a, name_b = _short(key_a), _short(key_b)
        if name_a == name_b:  # they differ in the query alone
            name_a, name_b = key_a, key_b
        sentence = f"the page is {plainly(name_b, 'address')} instead of {plainly(name_a, 'address')}"
        return [
            FoundDifference("page", f"address of page {page}", ours.url, theirs.url, sentence, max(ours.t, item_a.t), max(theirs.t, item_b.t),
                  item_a, item_b, ("address", key_a, item_a.place), key_b, role="address")
        ]  # fmt: skip


_TIMES: Final = {1: "once", 2: "twice"}


def _one_sided(ours: str | None, theirs: str | None, often_a: int, often_b: int) -> str:
    """Return a sentence about a line that only one of two pages has, or that one has more often."""
    line = quoted(ours if theirs is None else theirs, "outline")
    if often_a and often_b:
        return f"the page says {line} {_TIMES.get(often_b, f'{often_b:,} times')} instead of {_TIMES.get(often_a, f'{often_a:,}')}"
    return f"the page does not say {line}" if theirs is None else f"the page says {line}"


def _place(shown: ShownPage, line: int) -> tuple[int, int] | None:
    return shown.places[line] if line < len(shown.places) else None


def _slot(shown: ShownPage, line: int) -> str | None:
    return shown.slots[line] if line < len(shown.slots) else None


def _where(page: int, address: str) -> str:
    return f"page {page}, {plainly(_short(address), 'address')}"


def _short(address: str) -> str:
    return address.partition("?")[0] or "about:blank"
