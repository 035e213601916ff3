"""Learns from a baseline which values vary, and rates the confidence that another value is a difference.

A place is where a value is found: the slot of an element, a path in a response, or the identity of any other
difference. If all runs of the baseline have the same value at a place, any other value is a difference. If their values
vary, a new value is usual if one of the runs has it, or if it is of the same kind as a value of theirs: the same text
with other numbers, a number, or a text of similar length where each run has another one.

A value may also be of a kind that no run has. How likely that is, is estimated by the number of kinds that only one run
has, divided by the number of runs (Good 1953, after Turing).

A single run does not show which values vary. Then only :mod:`.runs.normalization` recognizes values that vary, such as
ids and times, by their form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pagereel.reading import to_text_key, to_url_key

from .effects.difference import FoundDifference
from .effects.line_periods import iter_page_states
from .effects.network import normalize_query
from .matching.json_values import get_values_at_path
from .runs.normalization import normalize_line, normalize_value
from .runs.run_items import NOTHING, ComparedRun, Piece

ENOUGH_RUNS: Final = 6
"""Number of expected runs that show what varies: from then on there are no other values if each was seen in several."""
_OPEN: Final = 0.5
"""How likely an unseen text is at least, at a place of which fewer runs have several."""
_CHANCE: Final = 4.0
"""Factor on the number of varying values that all runs have by chance: such a value is missing in another run sooner or later."""
_LONGER: Final = 2.0
_ROOM: Final = 20
"""A text is of the length of others if it is at most `_LONGER` times as long, and `_ROOM` characters more."""
_NUMBER: Final = re.compile(r"\[\d+\]")
_MARK: Final = re.compile(r"\[(\w+)")
_WORD: Final = re.compile(r"(?<![{\w])[^\W\d_]")
_ANY_ID: Final = r"(?:\{id\}|(?=[\w-]*\d)[\w-]{6,})"
Address = str
Runs = Sequence[Set[Hashable]]
"""The values at a place, for each run of the baseline."""


def compute_confidence(known_values: Runs, missing_value: Hashable | None, new_value: Hashable | None) -> float:
    """Return the confidence, from 0 to 1, that a changed value at a place is a difference.

    :param known_values: the values that each run of the baseline has at the place.
    :param missing_value: the value that the second run lacks; None if it lacks none.
    :param new_value: the new value; None if there is none.
    """
    often = Counter(value for values in known_values for value in values)
    count = len(known_values)
    varying = {value: times for value, times in often.items() if times < count}
    most = count / (count + 1)
    lost = new = 0.0
    if missing_value is not None and missing_value not in varying:
        share = max(varying.values(), default=0) / count
        lost = most * max(0.0, 1 - _CHANCE * len(varying) * share**count)
    if new_value is not None and new_value not in often:
        new = most * (1 - _estimate_likelihood(new_value, [{v for v in values if v in varying} for values in known_values])) if varying else most  # fmt: skip
    return max(lost, new)


def _estimate_likelihood(new_value: Hashable, known_values: Runs) -> float:
    """Return the likelihood, from 0 to 1, that a further expected run has a value that no run has had.

    :param new_value: the new value.
    :param known_values: the values at the place in each run of the baseline, without those that all runs have.
    """
    kinds = Counter(kind for values in known_values for kind in {_get_value_kind(value) for value in values})
    if _get_value_kind(new_value) in kinds:
        often = Counter(value for values in known_values for value in values)
        return float(len(known_values) < ENOUGH_RUNS or 1 in often.values())
    if not any(_are_similar_texts(new_value, value) for values in known_values for value in values):
        return 0.0
    once = sum(times == 1 for times in kinds.values()) / len(known_values)
    return min(1.0, once if len(known_values) >= ENOUGH_RUNS or len(kinds) < 2 else max(once, _OPEN))


def _get_value_kind(value: Hashable) -> Hashable:
    """Return the kind of a value: a text with its numbers folded, the type of any other."""
    if isinstance(value, str):
        return to_text_key(value)
    if isinstance(value, tuple) and len(value) == 2 and value[0] == "":
        return "a number" if isinstance(value[1], str) else value
    return value if value == ("nothing",) else type(value)


def _are_similar_texts(value: Hashable, other: Hashable) -> bool:
    """Return whether two values are both texts of similar elements and lengths."""
    if not isinstance(value, str) or not isinstance(other, str):
        return type(value) is type(other)
    marks = [mark[1] if (mark := _MARK.match(text)) else "" for text in (value, other)]
    return marks[0] == marks[1] and len(value) <= len(other) * _LONGER + _ROOM


@dataclass(frozen=True)
class UnsteadyPlaces:
    """The places at which an expected run differs from the others, though nothing was changed."""

    counts: Counter[tuple[Hashable, ...]]
    """Place (:func:`get_place_class`) → number of the runs that differ there."""
    differing_runs: int
    """Number of the runs that differ from the others anywhere."""
    runs: int


class ShownLines:
    """The lines that a run's pages showed, by the places where they stood. Each form is collected when it is first used."""

    def __init__(self, run: ComparedRun) -> None:
        self.run = run

    @cached_property
    def by_slot(self) -> dict[tuple[Address, str], set[Hashable]]:
        """Map each address and slot to the normalized lines, or parts of lines, that a run ever showed there."""
        places: dict[tuple[Address, str], set[Hashable]] = {}
        for _, shown in iter_page_states(self.run):
            address = to_url_key(shown.url)
            for slot, line in zip(shown.slots, shown.keys, strict=False):
                places.setdefault((address, slot), set()).add(line)
            for pieces in shown.pieces.values():
                for name, text in pieces:
                    places.setdefault((address, name), set()).add(normalize_line(text))
        return places

    @cached_property
    def anywhere(self) -> dict[str, set[Hashable]]:
        """Map each slot to the lines that a run ever showed there, at any address."""
        pooled: dict[str, set[Hashable]] = {}
        for (_, slot), lines in self.by_slot.items():
            pooled.setdefault(slot, set()).update(lines)
        return pooled

    @cached_property
    def rows(self) -> dict[tuple[Address, str], list[dict[str, str]]]:
        """Map each address and slot to the lines that a run ever showed there, of those that consist of several parts."""
        rows: dict[tuple[Address, str], list[dict[str, str]]] = {}
        known: set[int] = set()
        for _, shown in iter_page_states(self.run):
            address = to_url_key(shown.url)
            for number, pieces in shown.pieces.items():
                if id(pieces) not in known and number < len(shown.slots):
                    known.add(id(pieces))
                    rows.setdefault((address, shown.slots[number]), []).append(_normalize_pieces(pieces))
        return rows


class VaryingPlaces:
    """The values that a baseline's runs have at each place. Call :meth:`learn_run` with each run, and
    :meth:`learn_differences` with the differences of each further run from the first.
    """

    def __init__(self) -> None:
        self._visits: Counter[Address] = Counter()
        self._lines: dict[tuple[Address, str], list[set[Hashable]]] = {}
        self._anywhere: dict[str, list[set[Hashable]]] = {}
        """Slot → its lines at any address, in each run that has it."""
        self._values: dict[tuple[Hashable, ...], dict[int, set[Hashable]]] = {}
        """Place → number of a run → its values; 0 is the first."""
        self._own: dict[tuple[Address, str], set[Hashable]] = {}
        self._rows: list[dict[tuple[Address, str], list[dict[str, str]]]] = []
        """For each run: address and slot → the lines of several parts there, each as the slot of a part → its text."""
        self._learnt: list[ComparedRun] = []
        self._answered: dict[tuple[str, str], list[set[Hashable]]] = {}
        """Key of a request and a path in its answers → the values, in each run."""
        self.runs = 1

    def learn_run(self, shown: ShownLines) -> None:
        """Add the lines that an expected run's pages show at each place."""
        self._visits.update({address for address, _ in shown.by_slot})
        self._rows.append(shown.rows)
        self._learnt.append(shown.run)
        for place, lines in shown.by_slot.items():
            self._lines.setdefault(place, []).append(lines)
        for slot, lines in shown.anywhere.items():
            self._anywhere.setdefault(slot, []).append(lines)

    def set_second_run(self, shown: ShownLines) -> None:
        """Set the lines that the second run's pages show at each place."""
        self._own = shown.by_slot

    def learn_differences(self, found: Sequence[FoundDifference]) -> None:
        """Add the differences of one more expected run from the first."""
        for each in found:
            if each.kind not in ("time", "cost"):
                values = self._values.setdefault(_get_difference_place(each), {})
                values.setdefault(0, set()).add(_normalize_first_value(each, each.a))
                values.setdefault(self.runs, set()).add(each.value)
        self.runs += 1

    def doubt_unsteady_places(self, kept: Sequence[FoundDifference], unsteady: UnsteadyPlaces) -> list[str]:
        """Lower the confidence of differences at places where expected runs differ from each other unexpectedly, and
        return a note on it: one sentence, or none where there are no such places.
        """
        for each in kept:
            share = unsteady.counts[get_place_class(each)] / unsteady.runs
            if share:
                doubt = share if unsteady.runs >= ENOUGH_RUNS else max(share, _OPEN)
                each.confidence = min(each.confidence, round(self._highest_confidence * (1 - doubt), 2))
        if not unsteady.counts:
            return []
        kinds = sorted({str(place[0]) for place in unsteady.counts})
        return [
            f"{unsteady.differing_runs} of the {unsteady.runs} expected runs differ{'s' * (unsteady.differing_runs == 1)} from the others as well ({', '.join(kinds)}). "
            f"What differs in the same places is listed as “perhaps”; record {ENOUGH_RUNS} expected runs or more, so that they show what varies."
        ]

    def is_always_shown(self, address: Address, slot: str, line: str) -> bool:
        """Return whether no run is known to lack a line at its place."""
        return all(line in lines for lines in self._lines.get((address, slot), ()))

    @property
    def _highest_confidence(self) -> float:
        return self.runs / (self.runs + 1)

    def rate_confidence(self, found: FoundDifference) -> float:
        """Return the confidence, from 0 to 1, that a difference does not also occur among the baseline's runs."""
        most = self._highest_confidence
        if found.kind in ("time", "cost"):
            return most
        if _differ_in_recognized_id_alone(*found.lines):
            return 0.0
        by_lines = most
        if found.kind == "page" and found.slots != (None, None) and found.identity[0] in ("page", "tree"):
            by_lines = (
                self._rate_line_difference(str(found.identity[1]), found) if found.lines[0] != found.lines[1] else most
            )
        if found.kind == "network" and found.identity[2] == "answer":
            by_lines = self._rate_answered_value(found)
        if found.kind == "network" and found.identity[2] == "address":
            by_lines = self._rate_asked_query(found)
        known = self._values.get(_get_difference_place(found))
        if known is None:
            return by_lines
        runs = [known.get(number, known[0]) for number in range(self.runs)]
        if found.identity[0] == "order" or found.identity[-1] == "number":
            return 0.0
        if found.kind in ("page", "network") and len(found.identity) == 4:
            return min(by_lines, compute_confidence(runs, None, found.value))
        return 0.0 if any(found.value in values for values in runs) else by_lines

    def _rate_line_difference(self, address: Address, found: FoundDifference) -> float:
        parts = _find_differing_pieces(*found.pieces)
        known = self._lines.get((address, found.slots[1] or ""), ())
        if not parts or any(found.lines[1] in lines for lines in known):
            return max(
                (self._rate_line_at_slot(address, slot, gone, came) for slot, gone, came in _split_change_by_slot(found)), default=0.0
            )  # fmt: skip
        sure = 0.0
        rows = self._find_same_table_row(address, found)
        for name, gone, came in parts:
            # A part that is shown at another time beside one that varies: the whole line is never the same.
            late = came is None and len(parts) > 1 and gone in self._own.get((address, name), ())
            if len(rows) > 1:
                one = _rate_part_in_row([{row.get(name) for row in here} for here in rows], gone, came)
            else:
                one = self._rate_line_at_slot(address, name, gone, came)
            sure = max(sure, 0.0 if late else one)
        return sure

    def _find_same_table_row(self, address: Address, found: FoundDifference) -> list[list[dict[str, str]]]:
        """Return for each run the versions of a table row that changed; runs without this row are left out.

        A line at the same slot is the same row if it has all the words that are equal in both versions of the changed
        line.
        """
        ours, theirs = map(_normalize_pieces, found.pieces)
        words = {piece for piece in ours.items() & theirs.items() if _WORD.search(piece[1])}
        place = address, found.slots[0] or ""
        runs = [[row for row in rows.get(place, ()) if words <= row.items()] for rows in self._rows] if words else []
        return [rows for rows in runs if rows]

    def _rate_answered_value(self, found: FoundDifference) -> float:
        """Return the confidence of a changed value in an answer, by the values in all answers to its request: which of
        them has a value depends on when the page asked.
        """
        _, key, _, path = map(str, found.identity)
        if not self._learnt:
            return self._highest_confidence
        path = _NUMBER.sub("[*]", path)
        if (key, path) not in self._answered:
            self._answered[key, path] = [_collect_answered_values(run, key, path) for run in self._learnt]
        return compute_confidence(self._answered[key, path], None, found.value)

    def _rate_asked_query(self, found: FoundDifference) -> float:
        """Return the confidence of a changed query, by all queries of its request where the page polls: which of them
        comes at which place is chance, and so is a number that counts them.
        """
        key = found.identity[1]
        asked = [
            {normalize_query(request.url) for request in run.requests if request.key == key}
            for run in self._learnt
            if key in run.polls
        ]
        return self._highest_confidence * (1 - _estimate_likelihood(found.value, asked))

    def _rate_line_at_slot(
        self, address: Address, slot: str, missing_value: Hashable | None, new_value: Hashable | None
    ) -> float:
        lines = self._lines.get((address, slot))
        if (lines is None or self._visits[address] < 2) and slot in self._anywhere:
            lines = self._anywhere[slot]
            return compute_confidence([*lines, *[set[Hashable]()] * (self.runs - len(lines))], missing_value, new_value)
        lines = lines or []
        return compute_confidence(
            [*lines, *[set[Hashable]()] * (max(self._visits[address], 1) - len(lines))], missing_value, new_value
        )


def _differ_in_recognized_id_alone(line: str | None, other: str | None) -> bool:
    """Return whether two lines are equal but for a word with digits that has the form of an id in one of them alone."""
    if line is None or other is None or "{id}" not in line + other:
        return False
    pattern, text = (line, other) if "{id}" in line else (other, line)
    return (
        _WORD.search(pattern) is not None
        and re.fullmatch(_ANY_ID.join(map(re.escape, pattern.split("{id}"))), text) is not None
    )


def _rate_part_in_row(known_values: Runs, missing_value: Hashable | None, new_value: Hashable | None) -> float:
    """Return the confidence that a changed part of a table row is a difference.

    `known_values`: the texts of this part in each run. A row has one text at a time there, so if the runs differ, a text that
    is missing does not count.
    """
    return compute_confidence(
        known_values, missing_value if all(values == known_values[0] for values in known_values) else None, new_value
    )


def _collect_answered_values(run: ComparedRun, key: str, path: str) -> set[Hashable]:
    """Return the values at a path in all answers to a request."""
    answers = [request.answer for request in run.requests if request.key == key and request.answer is not NOTHING]
    return {normalize_value(value) for answer in answers for value in get_values_at_path(answer, path)}


def _split_change_by_slot(found: FoundDifference) -> list[tuple[str, Hashable | None, Hashable | None]]:
    """Return the slots of a changed line, each with the line that is missing there and the line that is new there.

    There is one slot if the line has the same slot in both runs, else two.
    """
    (slot_a, slot_b), (line_a, line_b) = found.slots, found.lines
    if slot_a == slot_b or slot_a is None or slot_b is None:
        slot = slot_a if slot_a is not None else slot_b
        return [(slot or "", line_a, line_b)]
    return [(slot_a, line_a, None), (slot_b, None, line_b)]


def _get_difference_place(found: FoundDifference) -> tuple[Hashable, ...]:
    """Return the place of a difference, which is the same for all items of a list."""
    what = found.identity
    slot = found.slots[0] or found.slots[1]
    if found.kind == "page" and what[0] in ("order", "tree") and slot:
        return (*what[:2], slot, *what[3:])
    if found.kind == "network" and len(what) == 4:
        return (what[0], str(what[1]).partition("?")[0], what[2], _NUMBER.sub("[*]", str(what[3])))
    return what


def get_place_class(found: FoundDifference) -> tuple[Hashable, ...]:
    """Return what all differences at similar places have in common: their kind, the address of the page or request, and
    the slot of the element or the path in the answer.
    """
    place = _get_difference_place(found)
    slot = found.slots[0] or found.slots[1]
    return (
        found.kind,
        place[0],
        str(place[1]).partition("?")[0] if len(place) > 1 else "",
        *([slot] if slot else place[2:]),
    )


def _normalize_first_value(found: FoundDifference, value: object) -> Hashable:
    """Return the first run's value of a difference, normalized like :attr:`.FoundDifference.value`, so that both can be
    compared.
    """
    if found.kind == "network" and len(found.identity) == 4:
        if found.role == "address":
            return normalize_query(str(value))
        return normalize_value(value) if value is not None else ("nothing",)
    return normalize_line(value) if isinstance(value, str) else str(value)


def _find_differing_pieces(ours: Sequence[Piece], theirs: Sequence[Piece]) -> list[tuple[str, str | None, str | None]]:
    """Return the slot, the first run's text and the second's, of each differing part of a line. Empty where the line
    comes from a single element in one of the runs.
    """
    if not ours or not theirs:
        return []
    one, other = map(_normalize_pieces, (ours, theirs))
    names = dict.fromkeys((*one, *other))
    return [(name, one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)]


def _normalize_pieces(pieces: Sequence[Piece]) -> dict[str, str]:
    """Map the slot of each part of a line to its normalized text."""
    return {name: normalize_line(text) for name, text in pieces}
