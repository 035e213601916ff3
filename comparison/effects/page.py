"""What a person reads on the pages of two runs, at each thing that both did.

Where both pages had come to rest, a line is missing that is not there, unless it came and went while the same was done. Where one of them had
not, a line is missing only if that run showed it at no time near this one, and if it stays where it is: a page that loads more slowly, or
skips what it would have shown for a moment, is no other page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from pagereel.reading import text_key, url_key, value_key

from ..matching.alignment import align
from ..matching.pairing import Pair
from ..runs.items import Item, Run, Shown
from .difference import Found, leaf_pairs, plainly, quoted, shortened

_LAG: Final = 1500.0
"""Ms that one page may be behind the other where they have not come to rest."""
_AHEAD: Final = 8
"""Things that are done after it, at most, until a page that never rests is taken as it is."""
_ADDRESS: Final = re.compile(r"https?://[^\s\]“”\"']+")
_MOST: Final = 40
"""Lines of one page that are told one by one, at one place."""


class _Folded:
    """Lines without what is never twice the same; each tuple is folded once."""

    def __init__(self) -> None:
        self._line: dict[str, str] = {}
        self._of: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def line(self, line: str) -> str:
        if line not in self._line:
            self._line[line] = value_key(_ADDRESS.sub(lambda match: url_key(match[0]), line))
        return self._line[line]

    def lines(self, shown: Shown) -> tuple[str, ...]:
        known = self._of.get(id(shown.lines))
        if known is None or known[0] is not shown.lines:
            known = self._of[id(shown.lines)] = (shown.lines, tuple(map(self.line, shown.lines)))
        return known[1]


def page_differences(pairs: Sequence[Pair], a: Run, b: Run) -> list[Found]:
    """Return the lines that one run shows and the other does not, each once for an address."""
    return _Pages(a, b).of(leaf_pairs(pairs))


class _Pages:
    def __init__(self, a: Run, b: Run) -> None:
        self._a, self._b = a, b
        self._folded = _Folded()
        self._told: set[tuple[object, ...]] = set()
        self._same: dict[int, tuple[int, int]] = {}

    def of(self, pairs: Sequence[Pair]) -> list[Found]:
        found: list[Found] = []
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
        return found

    def _page(self, page: int, item_a: Item, item_b: Item, ours: Shown, theirs: Shown, settled: bool) -> list[Found]:
        key_a, key_b = url_key(ours.url), url_key(theirs.url)
        if key_a != key_b:
            return self._address(page, item_a, item_b, ours, theirs) if settled else []
        lines_a, lines_b = self._folded.lines(ours), self._folded.lines(theirs)
        if lines_a == lines_b:
            return []
        gone = Counter(lines_a) - Counter(lines_b)
        new = Counter(lines_b) - Counter(lines_a)
        if not gone and not new:
            return self._order(page, item_a, item_b, ours, theirs, key_a) if settled else []
        gone = self._kept(gone, self._a, item_a, self._b, item_b, page, settled)
        new = self._kept(new, self._b, item_b, self._a, item_a, page, settled)
        if not gone and not new:
            return []
        return self._lines(page, item_a, item_b, ours, theirs, gone, new, key_a)

    def _kept(
        self, lines: Counter[str], own: Run, item: Item, other: Run, twin: Item, page: int, settled: bool
    ) -> Counter[str]:
        """Return the lines that are no matter of a moment: the other run showed them at no time near this one, and this one goes on to show them."""
        if not lines:
            return lines
        seen = self._seen(self._meanwhile(other, twin, page) if settled else self._near(other, twin, page))
        if settled and twin.place and (before := other.views[twin.place - 1].ends.get(page)) is not None:
            seen -= set(self._folded.lines(before))
        kept = Counter({line: count for line, count in lines.items() if line not in seen})
        if kept and not settled:
            for shown in self._after(own, item, page):
                still = set(self._folded.lines(shown))
                kept = Counter({line: count for line, count in kept.items() if line in still})
        return kept

    def _seen(self, states: Iterable[Shown]) -> set[str]:
        return {line for shown in states for line in self._folded.lines(shown)}

    def _meanwhile(self, run: Run, item: Item, page: int) -> list[Shown]:
        """Return what a page showed while this was done."""
        return run.views[item.place].between.get(page, [])

    def _near(self, run: Run, item: Item, page: int) -> list[Shown]:
        """Return what a page showed from a little before this was done until it had rested after it."""
        states: list[Shown] = []
        place = item.place
        while place > 0 and (place == item.place or run.views[place].moment > item.t - _LAG):
            place -= 1
            states += [*self._meanwhile(run, run.done[place], page), *_end(run, place, page)]
        for place in range(item.place, self._until(run, item, page)):
            states += [*self._meanwhile(run, run.done[place], page), *_end(run, place, page)]
        return states

    def _after(self, run: Run, item: Item, page: int) -> list[Shown]:
        """Return what a page showed at the same address after this, until it rested."""
        here = run.views[item.place].ends[page]
        states: list[Shown] = []
        for place in range(item.place + 1, self._until(run, item, page)):
            for shown in (*self._meanwhile(run, run.done[place], page), *_end(run, place, page)):
                if url_key(shown.url) != url_key(here.url):
                    return states
                states.append(shown)
        return states

    def _until(self, run: Run, item: Item, page: int) -> int:
        """Return the place behind the one at which a page had rested, at least a little after this."""
        moment = run.views[item.place].moment
        for place in range(item.place, len(run.views)):
            view = run.views[place]
            if view.moment > moment + _LAG and (view.rests.get(page, True) or place > item.place + _AHEAD):
                return place + 1
        return len(run.views)

    def _lines(
        self, page: int, item_a: Item, item_b: Item, ours: Shown, theirs: Shown, gone: Counter[str], new: Counter[str],
        address: str,
    ) -> list[Found]:  # fmt: skip
        found: list[Found] = []
        lines_a, lines_b = self._folded.lines(ours), self._folded.lines(theirs)
        rows = (
            [i for i, line in enumerate(lines_a) if line in gone],
            [j for j, line in enumerate(lines_b) if line in new],
        )
        for x, y in _couples(lines_a, lines_b, *rows):
            line_a, line_b = (ours.lines[x] if x is not None else None), (theirs.lines[y] if y is not None else None)
            folded_a, folded_b = (lines_a[x] if x is not None else None), (lines_b[y] if y is not None else None)
            told = ("line", address, folded_a, folded_b)
            if told in self._told or len(found) >= _MOST:
                continue
            self._told.add(told)
            if line_b is None:
                said = f"the page does not say {quoted(line_a, 'outline')}"
            elif line_a is None:
                said = f"the page says {quoted(line_b, 'outline')}"
            else:
                said = f"the page says {quoted(line_b, 'outline')} instead of {quoted(line_a, 'outline')}"
            name = text_key(line_a) if line_a is not None else f"+{text_key(line_b or '')}"
            found.append(
                Found(
                    "page", _where(page, address), shortened(line_a), shortened(line_b), said,
                    self._since(self._a, item_a, page, folded_a) if folded_a is not None else None,
                    self._since(self._b, item_b, page, folded_b) if folded_b is not None else None,
                    item_a, item_b, ("page", address, name), folded_b, role="outline",
                )
            )  # fmt: skip
        return found

    def _since(self, run: Run, item: Item, page: int, line: str) -> float:
        """Return when a run first showed a line while this was done, in ms."""
        view = run.views[item.place]
        states: Iterable[Shown] = (*view.between.get(page, ()), view.ends[page])
        since = next((shown.t for shown in states if line in self._folded.lines(shown)), view.moment)
        return max(since, item.t)

    def _order(self, page: int, item_a: Item, item_b: Item, ours: Shown, theirs: Shown, address: str) -> list[Found]:
        lines_a, lines_b = self._folded.lines(ours), self._folded.lines(theirs)
        found: list[Found] = []
        for x, y in align(lines_a, lines_b):
            if x is None or y is not None or len(found) >= _MOST:
                continue
            told = ("order", address, lines_a[x])
            if told in self._told:
                continue
            self._told.add(told)
            z = lines_b.index(lines_a[x])
            above_a = ours.lines[x - 1] if x else "the top"
            above_b = theirs.lines[z - 1] if z else "the top"
            said = f"{quoted(ours.lines[x], 'outline')} stands below {quoted(above_b, 'outline')} and not below {quoted(above_a, 'outline')}"
            found.append(
                Found(
                    "page", f"{_where(page, address)}, order", f"below {above_a}", f"below {above_b}", said,
                    ours.t, theirs.t, item_a, item_b, ("order", address, text_key(ours.lines[x])), lines_b[z - 1] if z else "", role="outline",
                )
            )  # fmt: skip
        return found

    def _address(self, page: int, item_a: Item, item_b: Item, ours: Shown, theirs: Shown) -> list[Found]:
        key_a, key_b = url_key(ours.url), url_key(theirs.url)
        told = ("address", key_a, key_b)
        if told in self._told:
            return []
        self._told.add(told)
        said = f"the page is {plainly(_short(key_b), 'address')} instead of {plainly(_short(key_a), 'address')}"
        return [
            Found("page", f"address of page {page}", ours.url, theirs.url, said, max(ours.t, item_a.t), max(theirs.t, item_b.t),
                  item_a, item_b, ("address", key_a, item_a.place), key_b, role="address")
        ]  # fmt: skip


def _couples(
    lines_a: Sequence[str], lines_b: Sequence[str], gone: Sequence[int], new: Sequence[int]
) -> list[tuple[int | None, int | None]]:
    """Return which line that is gone became which new one: those that have words in common, in the same stretch of the page."""
    words = {line: set(line.casefold().split()) for line in (*(lines_a[i] for i in gone), *(lines_b[j] for j in new))}

    def fits(x: int, y: int) -> float:
        if not (lines_a[x] in words and lines_b[y] in words):
            return -9.0
        one, other = words[lines_a[x]], words[lines_b[y]]
        return -1.2 + 2.0 * len(one & other) / max(len(one | other), 1)

    lost, came = set(gone), set(new)
    out: list[tuple[int | None, int | None]] = []
    for x, y in align(lines_a, lines_b, fits):
        x, y = (x if x in lost else None), (y if y in came else None)
        if x is not None or y is not None:
            out.append((x, y))
    return _neighbours(out)


def _neighbours(pairs: list[tuple[int | None, int | None]]) -> list[tuple[int | None, int | None]]:
    """Join a line that is gone with the new one right after it, where each stands alone: one became the other."""
    out: list[tuple[int | None, int | None]] = []
    number = 0
    while number < len(pairs):
        here, after = pairs[number], pairs[number + 1] if number + 1 < len(pairs) else (None, None)
        alone = here[0] is not None and here[1] is None and after[0] is None and after[1] is not None
        lonely = (number == 0 or None not in pairs[number - 1]) and (
            number + 2 >= len(pairs) or None not in pairs[number + 2]
        )
        if alone and lonely:
            out.append((here[0], after[1]))
            number += 2
        else:
            out.append(here)
            number += 1
    return out


def _end(run: Run, place: int, page: int) -> Iterator[Shown]:
    if page in run.views[place].ends:
        yield run.views[place].ends[page]


def _where(page: int, address: str) -> str:
    return f"page {page}, {plainly(_short(address), 'address')}"


def _short(address: str) -> str:
    return address.partition("?")[0] or "about:blank"
