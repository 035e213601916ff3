"""One thing that differs between two runs, and the words for it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from pagereel.reel import Json

from ..matching.pairing import Pair
from ..runs.items import NOTHING, ComparedRun, Item, Piece

Kind = Literal["outcome", "action", "network", "page", "model", "console", "cost", "time"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""What can differ: the words of ``--fail-on`` and of the JSON."""

Role = Literal["text", "outline", "value", "body", "tree", "address", "code"]
"""What a value is where it stands, so that it is masked as it would be there: see :data:`pagereel.redaction.Role`."""
Mask = Callable[[Json, Role], Json]
"""Gives a value as it may be shown."""

_LONGEST: Final = 600
"""Characters of a value in a result."""
_SHORT: Final = 100
"""And in a sentence."""
_BEGIN, _END = "\ue000", "\ue001"
_MARK: Final = re.compile(f"{_BEGIN}([^{_BEGIN}{_END}]*){_END}")
_KIND_ORDER: Final = {
    kind: number
    for number, kind in enumerate(("network", "console", "page", "model", "action", "time", "cost", "outcome"))
}
"""Of what shows at one moment, what brings about the others."""
_SLACK: Final = 50.0
"""Ms by which the end of an answer may be told late."""


@dataclass(slots=True, eq=False)
class FoundDifference:
    """A difference as it was found, with what recordings hold. Times in ms, each on its run's clock."""

    kind: Kind
    where: str
    """What differs: ``GET /api/cart → $.total``, ``the page localhost/cart``."""
    a: Any
    b: Any
    said: str
    """A sentence without its full stop, of the second run: ``POST /cart answered 409 instead of 200``."""
    t_a: float | None
    t_b: float | None
    item_a: Item | None
    item_b: Item | None
    identity: tuple[Hashable, ...]
    """Names the place of the first run that differs, so that the same place is known in other runs."""
    value: Hashable
    """What the second run has there, folded; compared with what is usual."""
    role: Role = "text"
    """What `a` and `b` are."""
    order: float = 0.0
    """When it showed, in ms on the second run's clock, whichever run it showed in."""
    minor: bool = False
    """It says little by itself: runs part here only where nothing else differs."""
    at_a: tuple[int, int] | None = None
    """The element of the first run's page that differs: its document and its id."""
    at_b: tuple[int, int] | None = None
    slots: tuple[str | None, str | None] = (None, None)
    """Of lines of a page: the slot of each run's, see :mod:`..runs.slots`."""
    lines: tuple[str | None, str | None] = (None, None)
    """And what they say, folded."""
    pieces: tuple[tuple[Piece, ...], tuple[Piece, ...]] = ((), ())
    """And what several elements say of it, where they say it together."""
    until: float | None = None
    """Of what stood too long: when it went, in ms on the second run's clock."""


class ClockMap:
    """Maps the first run's times to the second's, by what both did and the answers that both got."""

    def __init__(self, pairs: Sequence[Pair], answers: Sequence[tuple[float, float]] = ()) -> None:
        """`answers`: when each came, in ms, in the first run and in the second."""
        together = [(p.a.t, p.b.t) for p in pairs if p.a and p.b and p.kind == "paired" and p.either.kind != "step"]
        together = sorted((*together, *answers))
        self._a: list[float] = []
        self._b: list[float] = []
        for ta, tb in together:
            if not self._a or (ta >= self._a[-1] and tb >= self._b[-1]):
                self._a.append(ta)
                self._b.append(tb)

    def to_b(self, t: float) -> float:
        """Return the moment of the second run that is this far after the same action or answer; not past the one after it."""
        at = bisect_right(self._a, t) - 1
        if at < 0:
            return t if not self._a else max(0.0, self._b[0] - (self._a[0] - t))
        mapped = self._b[at] + (t - self._a[at])
        return min(mapped, self._b[at + 1]) if at + 1 < len(self._b) else mapped


def in_order(
    found: Sequence[FoundDifference], pairs: Sequence[Pair], answers: Sequence[tuple[float, float]] = ()
) -> list[FoundDifference]:
    """Return differences in the order in which they showed; what did not come of an action that failed is missing from the failure on."""
    clock = ClockMap(pairs, answers)
    failed = {
        pair.a.place: pair.b.end
        for pair in leaf_pairs(pairs)
        if pair.a and pair.b and pair.b.error and not pair.a.error
    }
    last_failure = max(failed.items(), default=None)
    for each in found:
        if each.t_b is not None:
            each.order = each.t_b - (_SLACK if each.kind == "network" else 0.0)
            continue
        each.order = clock.to_b(each.t_a or 0.0)
        place = each.item_a.place if each.item_a is not None else -1
        if place in failed and (each.t_a or 0.0) > (each.item_a.t if each.item_a else 0.0):
            each.order = max(each.order, failed[place] + 1)
        elif last_failure is not None and place > last_failure[0] and each.item_b is None:
            each.order = max(each.order, last_failure[1] + 1)
    return sorted(
        found,
        key=lambda each: (each.order, _KIND_ORDER[each.kind], each.item_b is not None and each.item_b.kind == "step"),
    )


def leaf_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of what was done in both runs, without steps and without what moved."""
    return [pair for pair in pairs if pair.a and pair.b and pair.kind == "paired" and pair.a.kind != "step"]


def at_place(run: ComparedRun, place: int) -> Item | None:
    """Return what was being done, by its number."""
    return run.done[place] if 0 <= place < len(run.done) else None


def shortened(value: Any) -> Any:
    """Return a value for a result: long texts are cut, what is not there is None."""
    if value is NOTHING:
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return value[: _LONGEST - 1] + "…"
    return value


def quoted(value: Any, role: Role = "text") -> str:
    """Return a value for a sentence, to be masked by its role before anybody reads it: see :func:`read_out`."""
    return _marked(value, role, "quoted")


def plainly(text: str, role: Role = "code") -> str:
    """As :func:`quoted`, without quotation marks."""
    return _marked(text, role, "plain")


def _marked(value: Any, role: Role, form: str) -> str:
    shown = {"nothing": True} if value is NOTHING else {"value": shortened(value)}
    return f"{_BEGIN}{json.dumps([role, form, shown], default=str)}{_END}"  # ASCII alone: nothing in a value looks like a mark


def read_out(said: str, mask: Mask) -> str:
    """Return a sentence with its values as `mask` lets them be shown."""

    def shown(match: re.Match[str]) -> str:
        role, form, held = json.loads(match[1])
        if "nothing" in held:
            return "nothing"
        value = mask(held["value"], role)
        if not isinstance(value, str):
            return _cut(json.dumps(value, ensure_ascii=False, default=str))
        text = _cut(" ".join(value.split()))
        return f"“{text}”" if form == "quoted" else text

    return _MARK.sub(shown, said)


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"
