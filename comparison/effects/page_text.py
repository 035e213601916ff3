"""Differences in the readable text of two runs' pages, at each matched action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from pagereel.reading import to_text_key

from ..matching.alignment import align_sequences
from ..matching.item_pairing import ItemPair
from ..runs.run_items import ComparedRun, PageTextState, Piece, RunItem
from .difference import FoundDifference, mark_plain_value, mark_quoted_value, select_synchronous_pairs, shorten_value
from .line_matching import PageLine, build_line_name, find_similar_line, get_page_line, match_changed_lines
from .line_periods import LineOf, LinePeriods
from .missing_lines import MissingLines
from .page_states import (
    collect_lines_at_address,
    get_page_address_key,
    get_states_near_action,
    get_states_shortly_after_action,
    iter_state_at_action_end,
)
from .transient_lines import Notice, find_one_sided_lines

_MOST: Final = 40
"""Largest number of lines of one page at one place that are reported separately."""


def find_page_text_differences(
    pairs: Sequence[ItemPair],
    a: LinePeriods,
    b: LinePeriods,
    notices: Iterable[Notice] = (),
    late: Mapping[str, float] | None = None,
    is_always_shown: Callable[[str, str, str], bool] = lambda *_: True,
) -> list[FoundDifference]:
    """Return the lines that only one run's pages show, each once for a page address.

    :param notices: the notices of the baseline's runs.
    :param late: line → the longest time in ms that it took to appear in the baseline's runs.
    :param is_always_shown: returns for an address, a slot and a line whether all runs of the baseline show the line
        there.
    """
    level = select_synchronous_pairs(pairs)
    missing = MissingLines(level, a, b, notices, late or {})
    return _PageTextComparison(level, a, b, missing, is_always_shown).find_differences()


class _PageTextComparison:
    def __init__(
        self,
        pairs: Sequence[ItemPair],
        a: LinePeriods,
        b: LinePeriods,
        missing: MissingLines,
        is_always_shown: Callable[[str, str, str], bool],
    ) -> None:
        self._pairs = pairs
        self._a, self._b = a.run, b.run
        self._standing = {id(a.run): a, id(b.run): b}
        self._missing = missing
        self._is_always_shown = is_always_shown
        self._reported: set[tuple[object, ...]] = set()
        self._same: dict[int, tuple[int, int]] = {}

    def find_differences(self) -> list[FoundDifference]:
        found: list[FoundDifference] = []
        for pair in self._pairs:
            assert pair.a is not None and pair.b is not None
            view_a, view_b = self._a.views[pair.a.place], self._b.views[pair.b.place]
            for page in sorted(view_a.ends.keys() & view_b.ends.keys()):
                ours, theirs = view_a.ends[page], view_b.ends[page]
                settled = view_a.rests.get(page, False) and view_b.rests.get(page, False)
                if self._same.get(page) != (id(ours), id(theirs)):
                    found += self._compare_page_states(page, pair.a, pair.b, ours, theirs, settled)
                if settled:
                    self._same[page] = (id(ours), id(theirs))
            if pair.b.error and not pair.a.error and pair.a.place:
                found += self._report_lines_before_failure(pair.a, pair.b)
        return found

    def _report_lines_before_failure(self, item_a: RunItem, item_b: RunItem) -> list[FoundDifference]:
        """Return the lines that explain an action which failed in the second run: the first run's pages showed them
        before the action, the second run's pages never did while the action waited.
        """
        found: list[FoundDifference] = []
        view = self._b.views[item_b.place]
        for page, ours in self._a.views[item_a.place - 1].ends.items():
            theirs, address = view.ends.get(page), get_page_address_key(ours)
            if theirs is None or get_page_address_key(theirs) != address:
                continue
            lines_a, lines_b = ours.keys, theirs.keys
            missing = self._missing.find_lines_before_failure(ours, theirs, item_b, page)
            gone, new = find_one_sided_lines(lines_a, lines_b)
            lines = [
                (PageLine(lines_a[x], (ours, x)), get_page_line(theirs, y), build_line_name(lines_a[x]))
                for x, y in (match_changed_lines(lines_a, lines_b, gone, new) if missing else ())
                if x is not None and lines_a[x] in missing
            ]
            found += self._report_line_differences(page, item_a, item_b, lines, address)
        for each in found:
            each.t_a = min(each.t_a or 0.0, item_a.t)
        return found

    def _compare_page_states(
        self, page: int, item_a: RunItem, item_b: RunItem, ours: PageTextState, theirs: PageTextState, settled: bool
    ) -> list[FoundDifference]:
        key_a, key_b = get_page_address_key(ours), get_page_address_key(theirs)
        if key_a != key_b:
            is_late = any(
                key in map(get_page_address_key, get_states_shortly_after_action(run, item, page))
                for key, run, item in ((key_a, self._b, item_b), (key_b, self._a, item_a))
            )
            return (
                self._report_address_difference(page, item_a, item_b, ours, theirs) if settled and not is_late else []
            )
        lines_a, lines_b = ours.keys, theirs.keys
        if lines_a == lines_b:
            return []
        gone, new = find_one_sided_lines(lines_a, lines_b)
        moved = self._report_reordered_lines(page, item_a, item_b, ours, theirs, key_a, settled)
        if not gone and not new:
            return moved
        kept_a = self._missing.find_lasting_lines(set(gone), self._a, item_a, self._b, item_b, page, settled)
        kept_b = self._missing.find_lasting_lines(set(new), self._b, item_b, self._a, item_a, page, settled)
        if settled:
            kept_a |= self._missing.find_rarer_lines(set(gone) - kept_a, self._b, item_b, ours, page)
            kept_b |= self._missing.find_rarer_lines(set(new) - kept_b, self._a, item_a, theirs, page)
        if not kept_a and not kept_b:
            return moved
        lines: list[tuple[PageLine | None, PageLine | None, str]] = []
        above = ""
        elsewhere_a: set[str] | None = None
        elsewhere_b: set[str] | None = None
        for x, y in match_changed_lines(lines_a, lines_b, gone, new):
            kept_x, kept_y = x is not None and lines_a[x] in kept_a, y is not None and lines_b[y] in kept_b
            # Beside a line that counts stands what is here instead of it, though the other page says that elsewhere as well.
            stray_x = x is not None and not kept_x and lines_a[x] not in theirs.line_key_set
            stray_y = y is not None and not kept_y and lines_b[y] not in ours.line_key_set
            if stray_x or stray_y or not (kept_x or kept_y):
                continue
            one, other = get_page_line(ours, x), get_page_line(theirs, y)
            if one is None and other is not None:
                if elsewhere_a is None:
                    elsewhere_a = collect_lines_at_address(
                        get_states_near_action(self._a, item_a, page), key_a
                    ).difference(lines_b)
                one = find_similar_line(other, elsewhere_a)
            elif other is None and one is not None:
                if elsewhere_b is None:
                    elsewhere_b = collect_lines_at_address(
                        get_states_near_action(self._b, item_b, page), key_a
                    ).difference(lines_a)
                other = find_similar_line(one, elsewhere_b)
            if one is None:
                name = f"below {above or self._find_name_of_line_above(lines_a, lines_b, y or 0)}"
            else:
                above = name = build_line_name(one.key)
            lines.append((one, other, name))
        return [*moved, *self._report_line_differences(page, item_a, item_b, lines, key_a)]

    def _report_line_differences(
        self,
        page: int,
        item_a: RunItem,
        item_b: RunItem,
        lines: Sequence[tuple[PageLine | None, PageLine | None, str]],
        address: str,
    ) -> list[FoundDifference]:
        """Return the differences for lines, each given as the first run's, the second's, and its name."""
        found: list[FoundDifference] = []
        for one, other, name in lines:
            folded_a, folded_b = one.key if one else None, other.key if other else None
            line_a, at_a, slot_a, parts_a = self._find_original_line(self._a, item_a, page, one)
            line_b, at_b, slot_b, parts_b = self._find_original_line(self._b, item_b, page, other)
            fact = ("line", address, folded_a, folded_b)
            if fact in self._reported or len(found) >= _MOST:
                continue
            self._reported.add(fact)
            if line_a is not None and line_b is not None:
                sentence = (
                    _describe_reordered_parts(parts_a, parts_b)
                    or f"the page says {mark_quoted_value(line_b, 'outline')} instead of {mark_quoted_value(line_a, 'outline')}"
                )
            else:
                ends = (run.views[item.place].ends.get(page) for run, item in ((self._a, item_a), (self._b, item_b)))
                often = [shown.line_counts[folded_a or folded_b or ""] if shown else 0 for shown in ends]
                sentence = _describe_one_sided_line(line_a, line_b, *often)
            found.append(
                FoundDifference(
                    "page", _format_page_name(page, address), shorten_value(line_a), shorten_value(line_b), sentence,
                    self._find_missing_line_time(item_a, item_b, page, (address, folded_a)) if folded_a is not None else None,
                    self._find_first_shown_time(self._b, item_b, page, folded_b) if folded_b is not None else None,
                    item_a, item_b, ("page", address, name), folded_b, role="outline", at_a=at_a, at_b=at_b,
                    slots=(slot_a, slot_b), lines=(folded_a, folded_b), pieces=(parts_a, parts_b),
                )
            )  # fmt: skip
        return found

    def _find_original_line(
        self, run: ComparedRun, item: RunItem, page: int, line: PageLine | None
    ) -> tuple[str | None, tuple[int, int] | None, str | None, tuple[Piece, ...]]:
        """Return a line's original text, its element, its slot, and its parts."""
        if line is None:
            return None, None, None, ()
        states = (
            (*iter_state_at_action_end(run, item.place, page), *get_states_near_action(run, item, page))
            if line.at is None
            else ()
        )
        at = line.at or next(
            ((shown, shown.keys.index(line.key)) for shown in states if line.key in shown.line_key_set), None
        )
        if at is None:
            return line.key, None, None, ()
        shown, number = at
        return (
            shown.lines[number],
            _get_line_element(shown, number),
            _get_line_slot(shown, number),
            shown.pieces.get(number, ()),
        )

    @staticmethod
    def _find_name_of_line_above(lines_a: Sequence[str], lines_b: Sequence[str], y: int) -> str:
        """Return the name of the nearest line above an added one that the first run's page has as well.

        This name identifies the place of the added line, whatever text the line has.
        """
        known = set(lines_a)
        line = next((lines_b[z] for z in range(y - 1, -1, -1) if lines_b[z] in known), None)
        return build_line_name(line) if line is not None else "the top"

    def _find_first_shown_time(self, run: ComparedRun, item: RunItem, page: int, line: str) -> float:
        """Return when a run first showed a line during an action, in ms."""
        view = run.views[item.place]
        states: Iterable[PageTextState] = (*view.between.get(page, ()), view.ends[page])
        since = next((shown.t for shown in states if line in shown.line_key_set), view.moment)
        return max(since, item.t)

    def _find_missing_line_time(self, item_a: RunItem, item_b: RunItem, page: int, line: LineOf) -> float:
        """Return the time in ms at which the first run began to show a line that the second run lacks: within this action,
        or before it if the second run never showed the line.
        """
        since = self._find_first_shown_time(self._a, item_a, page, line[1])
        stay = self._standing[id(self._a)].find_last_period(line, page, since)
        if stay is None or self._standing[id(self._b)].find_last_period(line, page, item_b.t) is not None:
            return since
        return min(since, stay.since)

    def _report_reordered_lines(
        self,
        page: int,
        item_a: RunItem,
        item_b: RunItem,
        ours: PageTextState,
        theirs: PageTextState,
        address: str,
        settled: bool,
    ) -> list[FoundDifference]:
        """Return the lines that both pages have, in another order. On pages that had not settled only lines that came
        at the same time count, and whose order neither run changed.
        """
        placed_a, placed_b = (list(zip(shown.slots, shown.keys, strict=False)) for shown in (ours, theirs))
        often_a, often_b = Counter(placed_a), Counter(placed_b)
        common = {
            line for line, times in often_a.items() if often_b[line] == times and self._is_always_shown(address, *line)
        }
        places_a, places_b = ([n for n, line in enumerate(placed) if line in common] for placed in (placed_a, placed_b))
        lines_a, lines_b = ours.keys, theirs.keys
        order_a, order_b = [placed_a[n] for n in places_a], [placed_b[n] for n in places_b]
        common_lines = {line for _, line in common}
        found: list[FoundDifference] = []
        for number, y in align_sequences(order_a, order_b) if order_a != order_b else ():
            if number is None or y is not None or len(found) >= _MOST:
                continue
            x = places_a[number]
            z = placed_b.index(placed_a[x])
            fact = ("order", address, placed_a[x])
            if fact in self._reported or not (
                settled or self._is_order_fixed(page, address, ours, theirs, (x, z), common_lines)
            ):
                continue
            self._reported.add(fact)
            above_a = ours.lines[x - 1] if x else "the top"
            above_b = theirs.lines[z - 1] if z else "the top"
            sentence = f"{mark_quoted_value(ours.lines[x], 'outline')} stands below {mark_quoted_value(above_b, 'outline')} and not below {mark_quoted_value(above_a, 'outline')}"
            found.append(
                FoundDifference(
                    "page", f"{_format_page_name(page, address)}, order", f"below {above_a}", f"below {above_b}", sentence,
                    ours.t, theirs.t, item_a, item_b, ("order", address, to_text_key(ours.lines[x])), lines_b[z - 1] if z else "", role="outline",
                    at_a=_get_line_element(ours, x), at_b=_get_line_element(theirs, z), slots=(_get_line_slot(ours, x), _get_line_slot(theirs, z)), lines=(lines_a[x], lines_b[z]),
                )
            )  # fmt: skip
        return found

    def _is_order_fixed(
        self,
        page: int,
        address: str,
        ours: PageTextState,
        theirs: PageTextState,
        places: tuple[int, int],
        common_lines: set[str],
    ) -> bool:
        """Return whether a line, which stands at these places in the pages of both runs, has changed places with a line
        that came at the same time, and that always stood on that side of it in each run.

        :param common_lines: the lines that are in both pages.
        """
        x, z = places
        others = common_lines - {ours.keys[x]}
        above, below = others.intersection(ours.keys[:x]), others.intersection(ours.keys[x + 1 :])
        passed = (
            *(key for key in reversed(theirs.keys[:z]) if key in below),
            *(key for key in theirs.keys[z + 1 :] if key in above),
        )
        return bool(passed) and all(
            self._standing[id(run)].has_fixed_order((address, ours.keys[x]), (address, passed[0]), page, shown.t)
            for run, shown in ((self._a, ours), (self._b, theirs))
        )

    def _report_address_difference(
        self, page: int, item_a: RunItem, item_b: RunItem, ours: PageTextState, theirs: PageTextState
    ) -> list[FoundDifference]:
        key_a, key_b = get_page_address_key(ours), get_page_address_key(theirs)
        fact = ("address", key_a, key_b)
        if fact in self._reported:
            return []
        self._reported.add(fact)
        name_a, name_b = _strip_query(key_a), _strip_query(key_b)
        if name_a == name_b:  # they differ in the query alone
            name_a, name_b = key_a, key_b
        sentence = f"the page is {mark_plain_value(name_b, 'address')} instead of {mark_plain_value(name_a, 'address')}"
        return [
            FoundDifference("page", f"address of page {page}", ours.url, theirs.url, sentence, max(ours.t, item_a.t), max(theirs.t, item_b.t),
                  item_a, item_b, ("address", key_a, item_a.place), key_b, role="address")
        ]  # fmt: skip


def _describe_reordered_parts(pieces_a: Sequence[Piece], pieces_b: Sequence[Piece]) -> str | None:
    """Return a sentence about a line whose parts are the same in another order; None for any other line."""
    ours, theirs = ([text for _, text in pieces] for pieces in (pieces_a, pieces_b))
    if ours == theirs or sorted(ours) != sorted(theirs):
        return None
    behind, before = next(both for both in zip(ours, theirs, strict=True) if both[0] != both[1])
    return (
        f"{mark_quoted_value(before, 'outline')} stands before {mark_quoted_value(behind, 'outline')} and not after it"
    )


_TIMES: Final = {1: "once", 2: "twice"}


def _describe_one_sided_line(ours: str | None, theirs: str | None, count_a: int, count_b: int) -> str:
    """Return a sentence about a line that only one of two pages has, or that one has more often."""
    line = mark_quoted_value(ours if theirs is None else theirs, "outline")
    if count_a and count_b:
        return f"the page says {line} {_TIMES.get(count_b, f'{count_b:,} times')} instead of {_TIMES.get(count_a, f'{count_a:,}')}"
    return f"the page does not say {line}" if theirs is None else f"the page says {line}"


def _get_line_element(state: PageTextState, line: int) -> tuple[int, int] | None:
    return state.places[line] if line < len(state.places) else None


def _get_line_slot(state: PageTextState, line: int) -> str | None:
    return state.slots[line] if line < len(state.slots) else None


def _format_page_name(page: int, address: str) -> str:
    return f"page {page}, {mark_plain_value(_strip_query(address), 'address')}"


def _strip_query(address: str) -> str:
    return address.partition("?")[0] or "about:blank"
