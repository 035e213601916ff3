"""A difference between two runs before masking: its record, its order among others, and its sentence."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from pagereel import text_truncation
from pagereel.reel import Json

from ..matching.item_pairing import ItemPair
from ..runs.run_items import NOTHING, ComparedRun, Piece, RunItem

Kind = Literal["outcome", "action", "network", "page", "model", "console", "cost", "time"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The kinds of differences: the words of ``--fail-on`` and of the JSON."""

Role = Literal["text", "outline", "value", "body", "tree", "address", "code"]
"""The role of a value, which decides how it is masked: see :data:`pagereel.redaction.Role`."""
Mask = Callable[[Json, Role], Json]
"""A function that returns a value in a form that may be shown."""

SURE: Final = 0.5
"""Confidence from which on a difference counts: that of one that only one expected run can tell of."""
_LONGEST: Final = 600
"""Longest value in a result, in characters."""
_SHORT: Final = 100
"""Longest value in a sentence, in characters."""
_BEGIN, _END = "\ue000", "\ue001"
_MARK: Final = re.compile(f"{_BEGIN}([^{_BEGIN}{_END}]*){_END}")
_KIND_ORDER: Final = {
    kind: number
    for number, kind in enumerate(("network", "console", "page", "model", "action", "time", "cost", "outcome"))
}
"""Order of kinds at the same time, causes first."""
_SLACK: Final = 50.0
"""Ms by which the end of a response may be recorded late."""


@dataclass(slots=True, eq=False)
class FoundDifference:
    """A difference with unmasked content of the recordings. Times in ms, each on its run's clock."""

    kind: Kind
    where: str
    """The place of the difference: ``GET /api/cart → $.total``, ``the page localhost/cart``."""
    a: Any
    b: Any
    said: str
    """A sentence on the second run without its full stop: ``POST /cart answered 409 instead of 200``."""
    t_a: float | None
    t_b: float | None
    item_a: RunItem | None
    item_b: RunItem | None
    identity: tuple[Hashable, ...]
    """Identifies the place of the difference in the first run, so that the same place is recognized in other runs."""
    value: Hashable
    """The second run's value at this place, normalized, for comparison with usual values."""
    role: Role = "text"
    """The role of `a` and `b`."""
    order: float = 0.0
    """When the difference showed, in ms on the second run's clock, whichever run it showed in."""
    minor: bool = False
    """The difference means little by itself: runs diverge at it only if there is no other."""
    at_a: tuple[int, int] | None = None
    """The element of the first run's page: its document and its id."""
    at_b: tuple[int, int] | None = None
    slots: tuple[str | None, str | None] = (None, None)
    """The slots of a line's elements in the first and second run, see :mod:`..runs.slots`."""
    lines: tuple[str | None, str | None] = (None, None)
    """The normalized texts of the lines in both runs."""
    pieces: tuple[tuple[Piece, ...], tuple[Piece, ...]] = ((), ())
    """The parts of the lines in both runs, if they come from several elements."""
    confidence: float = 1.0
    """How sure it is, from 0 to 1, that this is none of the differences that expected runs have among themselves."""
    until: float | None = None
    """For a text shown too long, when it disappeared, in ms on the second run's clock."""

    @property
    def is_sure(self) -> bool:
        """Return whether the confidence is high enough for the difference to count."""
        return self.confidence >= SURE


_FIELD: Final = re.compile(r"\[(?:input|textarea|select|checkbox|radio)\b")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAYS_WHY: Final = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ure)?|declined|denied|refused|rejected|invalid|wrong|expired|missing|unavailable|unable|cannot|can't|couldn't|could not|not found|sorry)\b",
    re.IGNORECASE,
)


def rank_as_cause(difference: FoundDifference) -> int:
    """Return how well a difference explains the other differences, from 0 (best) to 3.

    0: a line of a page that reports an error. 1: any other difference. 2: a form field, because it only repeats the
    typed text. 3: a line without letters.
    """
    if difference.kind != "page":
        return 1
    said = [value for value in (difference.a, difference.b) if isinstance(value, str)]
    if said and not any(_LETTER.search(value) for value in said):
        return 3
    if said and all(_FIELD.match(value) for value in said):
        return 2
    return 0 if isinstance(difference.b, str) and _SAYS_WHY.search(difference.b) else 1


class RunTimeMapping:
    """A map from the first run's times to the second's, based on matched actions and responses."""

    def __init__(self, pairs: Sequence[ItemPair], answers: Sequence[tuple[float, float]] = ()) -> None:
        """`answers`: when each response arrived, in ms, in the first and second run."""
        together = [
            (p.a.t, p.b.t) for p in pairs if p.a and p.b and p.kind == "paired" and p.present_item.kind != "step"
        ]
        together = sorted((*together, *answers))
        self._a: list[float] = []
        self._b: list[float] = []
        for ta, tb in together:
            if not self._a or (ta >= self._a[-1] and tb >= self._b[-1]):
                self._a.append(ta)
                self._b.append(tb)

    def to_second_run_time(self, t: float) -> float:
        """Convert a time of the first run to one of the second: the same number of ms after the last matched action or
        response, but not past the next one.
        """
        at = bisect_right(self._a, t) - 1
        if at < 0:
            return t if not self._a else max(0.0, self._b[0] - (self._a[0] - t))
        mapped = self._b[at] + (t - self._a[at])
        return min(mapped, self._b[at + 1]) if at + 1 < len(self._b) else mapped


def sort_differences(
    differences: Sequence[FoundDifference],
    pairs: Sequence[ItemPair],
    response_times: Sequence[tuple[float, float]] = (),
) -> list[FoundDifference]:
    """Return differences in the order in which they showed. An effect that is missing because an action failed gets the
    time of the failure.
    """
    clock = RunTimeMapping(pairs, response_times)
    failed = {
        pair.a.place: pair.b.end
        for pair in select_action_pairs(pairs)
        if pair.a and pair.b and pair.b.error and not pair.a.error
    }
    last_failure = max(failed.items(), default=None)
    for each in differences:
        if each.t_b is not None:
            each.order = each.t_b - (_SLACK if each.kind == "network" else 0.0)
            if each.item_b is not None and each.t_b > each.item_b.t:  # What an action sent does not come before it.
                each.order = max(each.order, each.item_b.t + 1)
            continue
        each.order = clock.to_second_run_time(each.t_a or 0.0)
        place = each.item_a.place if each.item_a is not None else -1
        if place in failed and (each.t_a or 0.0) > (each.item_a.t if each.item_a else 0.0):
            each.order = max(each.order, failed[place] + 1)
        elif last_failure is not None and place > last_failure[0] and each.item_b is None:
            each.order = max(each.order, last_failure[1] + 1)
    return sorted(
        differences,
        key=lambda each: (
            each.order,
            _KIND_ORDER[each.kind],
            rank_as_cause(each),
            each.item_b is not None and each.item_b.kind == "step",
        ),
    )


def select_action_pairs(pairs: Sequence[ItemPair]) -> list[ItemPair]:
    """Return the matched pairs of actions, without steps and moved actions."""
    return [pair for pair in pairs if pair.a and pair.b and pair.kind == "paired" and pair.a.kind != "step"]


def select_synchronous_pairs(pairs: Sequence[ItemPair]) -> list[ItemPair]:
    """Return those of :func:`select_action_pairs` at whose beginning both runs had done the same actions.

    Pairs between the old and the new position of a moved action are left out, because only one run has done that action
    by then.
    """
    moved = [
        (pair.a.place, pair.b.place)
        for pair in pairs
        if pair.a and pair.b and pair.kind == "moved" and pair.a.place >= 0
    ]
    return [
        pair
        for pair in select_action_pairs(pairs)
        if pair.a and pair.b and all((x < pair.a.place) == (y < pair.b.place) for x, y in moved)
    ]


def get_action(run: ComparedRun, action_number: int) -> RunItem | None:
    """Return the action of a run with this number; None where there is none."""
    return run.done[action_number] if 0 <= action_number < len(run.done) else None


def shorten_value(value: Any) -> Any:
    """Return a value in the form for the comparison's result: a long text is cut, and a missing value is None."""
    if value is NOTHING:
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return value[: _LONGEST - 1] + "…"
    return value


def mark_quoted_value(value: Any, role: Role = "text") -> str:
    """Wrap a value in marks, to be put into a sentence. Later :func:`mask_marked_values` finds the marked value, masks
    it by `role`, and writes it in quotation marks.
    """
    return _mark_value(value, role, "quoted")


def mark_plain_value(text: str, role: Role = "code") -> str:
    """Return a value marked as :func:`mark_quoted_value` does, but to be shown without quotation marks."""
    return _mark_value(text, role, "plain")


def _mark_value(value: Any, role: Role, form: str) -> str:
    shown = {"nothing": True} if value is NOTHING else {"value": shorten_value(value)}
    return f"{_BEGIN}{json.dumps([role, form, shown], default=str)}{_END}"  # ASCII only, so that a value cannot contain a mark


def mask_marked_values(sentence: str, mask: Mask) -> str:
    """Return a sentence in which each value marked by :func:`mark_quoted_value` or :func:`mark_plain_value` is replaced by its masked
    form.
    """

    def replace_mark(match: re.Match[str]) -> str:
        role, form, held = json.loads(match[1])
        if "nothing" in held:
            return "nothing"
        value = mask(held["value"], role)
        if not isinstance(value, str):
            return text_truncation.truncate_text(json.dumps(value, ensure_ascii=False, default=str), _SHORT)
        text = text_truncation.truncate_text(" ".join(value.split()), _SHORT)
        return f"“{text}”" if form == "quoted" else text

    return _MARK.sub(replace_mark, sentence)
