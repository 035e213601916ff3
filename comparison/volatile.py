"""Places that vary by themselves: texts of pages and values in responses that change although no action changes anything.

There are three signs. Runs of a baseline have texts there that others of them lack. One run loads a page twice, or
makes a request twice, without a changing request in between. Or a page repeatedly replaces the text without an
action. A line that all runs have at such a place still counts: if it is missing or different, that is a difference.
So does a new text at a place that is not known to vary. If several elements form one line, each is a place of its
own: an advert next to a price does not make the price vary.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

from pagereel.reading import text_key, url_key

from .effects.difference import FoundDifference
from .effects.lines import by_itself
from .effects.standing import states_of
from .matching.values import changes
from .runs.folding import line_key
from .runs.items import NOTHING, ComparedRun, Piece, RunRequest, ShownPage
from .runs.run import acts_of

Slot = tuple[str, str]
"""Key of a page's address, and the slot of an element; for a part of a line with its number there, see
:data:`.items.Piece`.
"""
_Text = tuple[str, int, str]
"""The slot of an element, its document, and its normalized text."""
Beside = tuple[str | None, str | None]
"""The texts in the first and second run; None where there is none."""

_LIVE: Final = 3
"""Number of spontaneous replacements from which on a slot is live."""
_SHAPES: Final = 2
"""Largest number of shapes of a live place's texts that counts as complete, for example of figures in a sentence."""
_ENOUGH: Final = 6
"""Number of runs in which each line must be seen again before no others are expected."""
_FEW: Final = 4
_CHANCE: Final = 0.12
"""Expected number of a place's varying lines that are in each run by chance, below which a line in each run counts as
constant.
"""
_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_NUMBER: Final = re.compile(r"\[\d+\]")
_ADVERT: Final = re.compile(
    r"(?:[.#]|[.#-])(?:ads?|adv(?:ert\w*)?|adsense|adsbygoogle|sponsor\w*)(?![\w])", re.IGNORECASE
)
_ADVERTS: Final = re.compile(r"/(?:ads?|adserver|advert\w*|sponsored)(?:[/.?]|$)", re.IGNORECASE)
"""Names of adverts, as elements and as addresses."""
_ANSWERS: Final = 40
"""Largest number of responses to one request that are compared with each other."""


@dataclass
class _SlotLines:
    """The lines of one slot: those of each run; and those of each load of a page between two changing requests."""

    runs: list[set[str]] = field(default_factory=list)
    loads: list[list[frozenset[str]]] = field(default_factory=list)

    @property
    def varies(self) -> bool:
        return any(_other(a, b) for a, b in combinations(self.runs, 2)) or any(
            _other(a, b) for loads in self.loads for a, b in combinations(loads, 2)
        )

    def always(self, line: str) -> bool:
        """Return whether a line was there each time, and not by chance: if four of nine lines are in each run, one of
        them is soon in three runs.
        """
        seen = [*self.runs, *(load for loads in self.loads if len(loads) > 1 for load in loads)]
        if len(seen) < 2 or not all(line in lines for lines in seen):
            return False
        often = Counter(each for lines in seen for each in lines)
        passing = [times for times in often.values() if times < len(seen)]
        if not passing or max(passing) == 1:
            return True
        share = sum(passing) / len(passing) / len(seen)
        return len(passing) * share ** len(seen) < _CHANCE

    def all_known(self) -> bool:
        """Return whether no other lines are expected: each varying line was seen again, in enough runs (Good 1953); if
        there are many, several times.
        """
        often = Counter(line for lines in self.runs for line in lines)
        again = 1 if len(often) <= _FEW else 2
        return len(self.runs) >= _ENOUGH and all(times > again for times in often.values())

    def lines(self) -> set[str]:
        return set().union(*self.runs)


class VolatilePlaces:
    """The places that vary, learnt from runs: call :meth:`learn` with each expected run, then :meth:`own` with the run
    in question.
    """

    def __init__(self) -> None:
        self._places: dict[Slot, _SlotLines] = {}
        self._anywhere: dict[str, _SlotLines] = {}
        """Slot → its lines, at any address."""
        self._live: dict[str, set[str]] = {}
        self._passing: set[Slot] = set()
        """Parts of lines that are present only at some times."""
        self._answers: set[tuple[str, str, str]] = set()
        self._free: dict[Slot, bool] = {}

    def learn(self, run: ComparedRun) -> None:
        """Learn from an expected run."""
        self._look(run, True)

    def own(self, run: ComparedRun) -> None:
        """Learn from the run in question only which places vary within it."""
        self._look(run, False)

    def page(self, found: FoundDifference) -> bool:
        """Return whether a difference of lines is at places that vary."""
        if found.kind != "page" or found.identity[0] not in ("page", "order", "tree") or found.slots == (None, None):
            return False
        address = str(found.identity[1])
        if self._is_known(address, found.slots, found.lines):
            return True
        parts = _differing(*found.pieces)
        if parts:
            both = [part for part in parts if None not in part[1]]
            # A part that comes and goes next to a varying part: the whole line is never the same, so only the part
            # shows it.
            rest = [(name, said) for name, said in parts if not both or not self._comes((address, name), said[1])]
            return all(self._may_differ(address, (name, name), said) for name, said in rest)
        return self._may_differ(address, found.slots, found.lines)

    def answer(self, found: FoundDifference) -> bool:
        """Return whether a difference is in a value that varies in a request's responses, or in its bodies."""
        if found.kind != "network" or len(found.identity) != 4:
            return False
        _, key, what, path = map(str, found.identity)
        return (key, what, _NUMBER.sub("[*]", path)) in self._answers or (
            what == "answer" and bool(_ADVERTS.search(key.partition("?")[0]))
        )

    # -- learning --------------------

    def _look(self, run: ComparedRun, counts: bool) -> None:
        changed = sorted(r.t for r in run.requests if r.method not in _READS and r.type != "ping")
        times = [act.felt for act in acts_of(run)]
        loads: dict[Slot, dict[tuple[int, str, int], set[str]]] = {}
        replaced: dict[str, list[set[str]]] = {}
        last: dict[int, tuple[str, int, set[_Text]]] = {}
        for page, shown in states_of(run):
            address, era, texts = url_key(shown.url), bisect_right(changed, shown.t), _page_lines(shown)
            url, time, before = last.get(page, ("", 0, set()))
            last[page] = shown.url, era, texts
            fresh = texts - before if (url, time) == (shown.url, era) else texts
            for (slot, document), lines in _by_place(fresh).items():
                load = loads.setdefault((address, slot), {})
                load.setdefault((era, shown.url, document), set()).update(lines)
            if before and url == shown.url and by_itself(times, shown.t):
                _replace(before, texts, replaced)
        if counts:
            self._parts(run)
        for slot, turns in replaced.items():
            if len(turns) >= _LIVE:
                self._live.setdefault(slot, set()).update(*turns)
        for where, found in loads.items():
            place = self._places.setdefault(where, _SlotLines())
            if counts:
                place.runs.append(set().union(*found.values()))
            eras: dict[tuple[int, str], list[frozenset[str]]] = {}
            for (era, url, _), held in found.items():
                eras.setdefault((era, url), []).append(frozenset(held))
            place.loads += [each for each in eras.values() if len(each) > 1]
        pooled: dict[str, set[str]] = {}
        for (_, path), each_load in loads.items():
            pooled.setdefault(path, set()).update(*each_load.values())
        for path, said in pooled.items() if counts else ():
            self._anywhere.setdefault(path, _SlotLines()).runs.append(said)
        self._asked(run, changed)
        self._free.clear()

    def _parts(self, run: ComparedRun) -> None:
        """Record which parts of a line are present only at some times, for lines that are alone in their slot."""
        ever: dict[Slot, set[str]] = {}
        always: dict[Slot, set[str]] = {}
        for _, shown in states_of(run):
            if not shown.pieces:
                continue
            often, address = Counter(shown.slots), url_key(shown.url)
            for number, pieces in shown.pieces.items():
                slot = shown.slots[number]
                if often[slot] == 1:
                    names = {name for name, _ in pieces}
                    ever.setdefault((address, slot), set()).update(names)
                    always.setdefault((address, slot), names).intersection_update(names)
        for slot_of, seen in ever.items():
            self._passing.update((slot_of[0], name) for name in seen - always[slot_of])

    def _asked(self, run: ComparedRun, changed: list[float]) -> None:
        """Record values that differ between two responses to one request, or two of its bodies, without a changing
        request in between.
        """
        same: dict[str, list[RunRequest]] = {}
        for request in run.requests:
            if request.method in _READS or request.type == "ping":
                same.setdefault(request.key, []).append(request)
        for key, requests in same.items():
            for one, other in pairwise(requests[:_ANSWERS]):
                if bisect_right(changed, one.t) != bisect_right(changed, other.t):
                    continue
                for what, a, b in (("answer", one.answer, other.answer), ("sent", one.sent, other.sent)):
                    if a is not NOTHING and b is not NOTHING:
                        self._answers.update((key, what, _NUMBER.sub("[*]", change.path)) for change in changes(a, b))

    # -- queries --------------------

    def _comes(self, slot: Slot, now: str | None) -> bool:
        """Return whether a part of a line is present only at some times, and has been seen with this text."""
        place = self._places.get(slot)
        return slot in self._passing and (now is None or (place is not None and now in place.lines()))

    def _is_known(self, address: str, slots: Beside, lines: Beside) -> bool:
        """Return whether the first run's line may vary at its place, and the second's has been seen there."""
        slot_a, slot_b = slots
        line_a, line_b = lines
        if slot_a is None or slot_b is None or line_a is None or line_b is None:
            return False
        place = self._places.get((address, slot_b))
        return place is not None and line_b in place.lines() and self._is_free((address, slot_a), line_a)

    def _may_differ(self, address: str, slots: Beside, lines: Beside) -> bool:
        """Return whether each of two lines is at a place that varies."""
        free = (
            slot is None or line is None or self._is_free((address, slot), line)
            for slot, line in zip(slots, lines, strict=True)
        )
        return self._is_known(address, slots, lines) or all(free)

    def _is_free(self, slot: Slot, line: str) -> bool:
        if _ADVERT.search(slot[1]):
            return True
        if slot[1] in self._live and _fits(self._live[slot[1]], line):
            return True
        place = self._places.get(slot)
        if place is not None and place.always(line):
            return False
        if place is not None and place.varies:
            return line in place.lines() or not place.all_known()
        return (
            ("#" in slot[1] or "." in slot[1])
            and (place is None or line not in place.lines() or len(place.runs) < 2)
            and self._elsewhere(slot)
        )

    def _elsewhere(self, slot: Slot) -> bool:
        """Return whether the same slot varies at another address, or across addresses, as parts do that all pages of a
        site share.
        """
        if slot not in self._free:
            self._free[slot] = self._anywhere.get(slot[1], _SlotLines()).varies or any(
                place.varies
                for (address, path), place in self._places.items()
                if path == slot[1] and address != slot[0]
            )
        return self._free[slot]


def _page_lines(shown: ShownPage) -> set[_Text]:
    """Return the normalized lines of a page, and the parts of lines from several elements."""
    said = set(zip(shown.slots, [document for document, _ in shown.places], shown.keys, strict=False))
    for number, pieces in shown.pieces.items():
        document = shown.places[number][0]
        said.update((name, document, line_key(text)) for name, text in pieces)
    return said


def _replace(before: set[_Text], said: set[_Text], replaced: dict[str, list[set[str]]]) -> None:
    """Record texts that replaced others in the same slot, in any document."""
    gone, new = _by_slot(_left(before, said)), _by_slot(_left(said, before))
    for slot in gone.keys() & new.keys():
        replaced.setdefault(slot, []).append(gone[slot] | new[slot])


def _left(texts: set[_Text], others: set[_Text]) -> set[tuple[str, str]]:
    """Return slots and lines of `texts` that are in none of the documents of `others`."""
    left = {(slot, line) for slot, _, line in texts - others}
    lines = {line for _, line in left}
    return left - {(slot, line) for slot, _, line in others if line in lines} if left else left


def _by_place(texts: Iterable[_Text]) -> dict[tuple[str, int], set[str]]:
    """Return (slot, document) → lines."""
    found: dict[tuple[str, int], set[str]] = {}
    for slot, document, line in texts:
        lines = found.get((slot, document))
        if lines is None:
            lines = found[slot, document] = set()
        lines.add(line)
    return found


def _differing(ours: Sequence[Piece], theirs: Sequence[Piece]) -> list[tuple[str, Beside]]:
    """Return the parts of a line that differ in the second run; empty where one run has the line from a single
    element.
    """
    if not ours or not theirs:
        return []
    one, other = ({name: line_key(text) for name, text in pieces} for pieces in (ours, theirs))
    names = dict.fromkeys((*one, *other))
    return [(name, (one.get(name), other.get(name))) for name in names if one.get(name) != other.get(name)]


def _by_slot(said: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for slot, line in said:
        found.setdefault(slot, set()).add(line)
    return found


def _other(a: Iterable[str], b: Iterable[str]) -> bool:
    """Return whether each has an item that the other lacks."""
    one, two = set(a), set(b)
    return bool(one - two) and bool(two - one)


def _fits(known: set[str], line: str) -> bool:
    """Return whether a line may replace the known ones: any may, unless all known ones have few shapes."""
    shapes = {text_key(each) for each in known}
    return len(shapes) > _SHAPES or text_key(line) in shapes
