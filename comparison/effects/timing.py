"""How long it took, and what it cost: at each thing that both runs did, and as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from ..matching.pairing import Pair
from ..matching.requests import couples
from ..runs.items import ComparedRun, RunRequest
from ..runs.machine import held_up, is_steady
from ..runs.run import changes_nothing, only_waits
from .difference import FoundDifference, leaf_pairs, plainly, quoted
from .network import TALKS, request_name

Timed = tuple[object, ...]
"""Names what is timed: a call by its number, a request by its key and its number."""
FACTOR: Final = 2.0
"""With one run to go by, a request that takes less than so many times as long takes no longer, nor does one that takes not so many ms longer:"""
LONGER: Final = 500.0
_MODEL_LONGER: Final = 5_000.0
"""A model's time is its provider's: it counts from here on."""
_BEYOND: Final = 1.5
"""And of several runs, so many times as long as the slowest."""
_PLAIN_FACTOR: Final = 4.0
_PLAINLY: Final = 2_500.0
"""What takes so many times as long, and so many ms longer, can be where runs part; less is as a rule the machine's. The browser's own time, a call's, counts from here on:
on a machine that does something else beside it, repeats of one run differ by more than a request's limits."""
_OTHERS: Final = 0.8
"""Share of all that is timed in both runs. By what it took longer at most, the machine is judged: only what took so many times as much longer is slow by itself."""
_BEYOND_OTHERS: Final = 3.0
_STALLED: Final = 1
"""Requests of other kinds that are slow at the same moment, from which on the machine or its network stalled: then a request's time counts from here on:"""
_STALL: Final = 3_000.0
_LOADS: Final = frozenset({"document", "xhr", "fetch", "stylesheet", "script", "image", "font"})
"""Types of requests that say of a moment whether all was slow."""
_COST_FACTOR: Final = 1.5
_DEVIATIONS: Final = 4.0


@dataclass
class Usual:
    """What several runs took for the same, in ms."""

    times: Mapping[Timed, Sequence[float]] = field(default_factory=dict)
    costs: Sequence[float] = ()
    tokens: Sequence[float] = ()


def measured(pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun) -> dict[Timed, tuple[float, float]]:
    """Return what is timed in both runs, by what it is in the first: ms in each."""
    return _measured(pairs, a, b, _asked(a, b))


def _measured(
    pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun, requests: Mapping[int, tuple[RunRequest, RunRequest]]
) -> dict[Timed, tuple[float, float]]:
    found: dict[Timed, tuple[float, float]] = {}
    for pair, last in _spans(pairs):
        assert pair.a and pair.b and last.a and last.b
        ours, theirs = last.a.end - pair.a.t, last.b.end - pair.b.t
        if pair is last:
            ours, theirs = _taken(pair.a.duration, pair.a.event), _taken(pair.b.duration, pair.b.event)
        found["call", pair.a.place] = ours, theirs
    for number, (ours_sent, theirs_sent) in requests.items():
        ended = all(sent.answered and not _left(run, sent) for run, sent in ((a, ours_sent), (b, theirs_sent)))
        if ours_sent.type in TALKS and ours_sent.type != "ping" and ended:
            found["request", ours_sent.key, number] = ours_sent.end - ours_sent.t, theirs_sent.end - theirs_sent.t
    return found


def time_differences(
    pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun, usual: Usual
) -> tuple[list[FoundDifference], list[str]]:
    """Return what took longer than usual in the second run; and, in sentences, where the machine stood still and it was that."""
    found: list[FoundDifference] = []
    held: list[tuple[float, float, float]] = []
    """When the machine held a request up, and by how much, in ms."""
    requests = _asked(a, b)
    taken = _measured(pairs, a, b, requests)
    delays = _delays(taken, usual)
    spans = {pair.a.place: (pair, last) for pair, last in _spans(pairs) if pair.a is not None}
    slow_requests: list[tuple[float, float]] = []
    for name, (ours, theirs) in sorted(taken.items(), key=lambda each: each[0][0] != "request"):
        known = [ours, *usual.times.get(name, ())]
        if not (_longer(theirs, known) if name[0] == "request" else _longer(theirs, known, _PLAIN_FACTOR, _PLAINLY)):
            continue
        steady = False
        if name[0] == "request":
            sent = requests[int(str(name[2]))][1]
            steady = is_steady(b, sent.t, sent.end)
            if not steady and (
                delays[name] <= held_up(b, sent.t, sent.end) + LONGER
                or _stalled(delays[name], sent, list(requests.values()))
            ):
                held.append((sent.t, sent.end, delays[name]))
                continue
        if not steady and delays[name] < _BEYOND_OTHERS * _machine(name, delays):
            continue
        if name[0] == "request":
            ra, rb = requests[int(str(name[2]))]
            what = request_name(rb)
            item_a = a.done[ra.place] if ra.place >= 0 else None
            item_b = b.done[rb.place] if rb.place >= 0 else None
            slow_requests.append((rb.t, rb.end))
            at_a, at_b = ra.t, rb.t
            said = f"{what} took {_ms(theirs)} instead of {_ms(ours)}"
        else:
            pair, last = spans[int(str(name[1]))]
            assert pair.a is not None and pair.b is not None and last.b is not None
            if pair.b.kind == "model" and not _longer(theirs, known, _PLAIN_FACTOR, _MODEL_LONGER):
                continue
            if any(start < last.b.end and end > pair.b.t for start, end in slow_requests):
                continue  # it waited for what is told already
            if delays[name] <= held_up(b, pair.b.t, last.b.end) + LONGER:
                continue
            if delays[name] <= sum(by for t, end, by in held if t < last.b.end and end > pair.b.t) + LONGER:
                continue  # it waited for what the machine held up
            what, item_a, item_b = plainly(pair.b.title), pair.a, pair.b
            at_a, at_b = pair.a.t, pair.b.t
            said = f"{quoted(pair.b.title, 'code')} took {_ms(theirs)} instead of {_ms(ours)}"
        minor = theirs < ours * _PLAIN_FACTOR or theirs - ours < _PLAINLY
        place = ("time", *name)
        took, takes = round(ours, 1), round(theirs, 1)
        found.append(
            FoundDifference("time", what, took, takes, said, at_a, at_b, item_a, item_b, place, None, minor=minor)
        )
    return found, [_stall_text(held)] if held else []


def _stall_text(held: Sequence[tuple[float, float, float]]) -> str:
    """Say that the machine stood still, and when first."""
    t, _, by = min(held)
    return (
        f"At {_ms(t)} of the second run what was asked for waited for about {_ms(by)}: the machine stood still, which is no difference"
        f"{f' (and {len(held) - 1} times more)' if len(held) > 1 else ''}."
    )


def cost_differences(a: ComparedRun, b: ComparedRun, usual: Usual) -> list[FoundDifference]:
    """Return by how much the second run cost more, as a whole."""
    for what, ours, theirs, others in (
        ("cost", a.cost, b.cost, usual.costs),
        ("tokens", a.tokens, b.tokens, usual.tokens),
    ):
        known = [float(ours), *others]
        middle = median(known)
        spread = _DEVIATIONS * median(abs(one - middle) for one in known)
        if middle > 0 and theirs > max(middle * (_COST_FACTOR if len(known) < 3 else 1.2), middle + spread):
            shown = (
                (f"{theirs:g} USD instead of {ours:g}") if what == "cost" else f"{theirs:,} tokens instead of {ours:,}"
            )
            said = f"the run cost {shown}"
            return [
                FoundDifference("cost", what, ours, theirs, said, a.duration, b.duration, None, None, ("cost",), None)
            ]
    return []


def _spans(pairs: Sequence[Pair]) -> list[tuple[Pair, Pair]]:
    """Return what was done, from its begin to the end of the last wait for it: how long a wait takes depends on how long the click before it did."""
    found: list[tuple[Pair, Pair]] = []
    for pair in leaf_pairs(pairs):
        assert pair.a and pair.b
        if only_waits(pair.a) or pair.a.error or pair.b.error or not (pair.a.returned and pair.b.returned):
            continue
        begun, last = found[-1] if found else (pair, pair)
        follows = (
            last.a is not None
            and last.b is not None
            and (pair.a.place, pair.b.place) == (last.a.place + 1, last.b.place + 1)
        )
        if follows and changes_nothing(pair.a):
            found[-1] = (begun, pair)
        else:
            found.append((pair, pair))
    return found


def _asked(a: ComparedRun, b: ComparedRun) -> dict[int, tuple[RunRequest, RunRequest]]:
    """Return the requests that both runs sent, each by its number among the first's: the same one has the same number whatever it is held against."""
    number = {id(request): number for number, request in enumerate(a.requests)}
    return {number[id(ours)]: (ours, theirs) for ours, theirs in couples(a, b)[0]}


def _left(run: ComparedRun, request: RunRequest) -> bool:
    """Return whether a request has no answer because its page went on to another document: how long it stood open says nothing then."""
    return request.status is None and any(
        other.type == "document" and other.page == request.page and other is not request and other.end >= request.t
        for other in run.requests
    )


def _delays(taken: Mapping[Timed, tuple[float, float]], usual: Usual) -> dict[Timed, float]:
    """Return how much longer each took in the second run than in any that it is held to, in ms."""
    return {name: theirs - max(ours, *usual.times.get(name, (0.0,))) for name, (ours, theirs) in taken.items()}


def _machine(name: Timed, delays: Mapping[Timed, float]) -> float:
    """Return by how much a busy machine made other things longer, in ms: everything waits for it now and then, an answer that is slow by itself stands alone."""
    others = sorted(max(delay, 0.0) for other, delay in delays.items() if other[:2] != name[:2])
    return others[int(len(others) * _OTHERS)] if others else 0.0


def _stalled(delay: float, slow: RunRequest, requests: Sequence[tuple[RunRequest, RunRequest]]) -> bool:
    """Return whether a request took not much longer while others, for something else, were slow as well: they all waited for the machine. Where others that were asked for
    meanwhile came as fast as ever, it was slow by itself.
    """
    if delay > _STALL:
        return False
    late, fast = set[str](), set[str]()
    for before, beside in requests:
        if beside.key == slow.key or beside.type not in _LOADS or not (beside.t < slow.end and beside.end > slow.t):
            continue
        if before.status is None or beside.status is None:
            continue
        longer = (beside.end - beside.t) - (before.end - before.t)
        if longer > LONGER / 2 and beside.end <= slow.end + LONGER:  # Else it waited for something else, as streams do.
            late.add(beside.key)
        elif beside.t > slow.t + LONGER / 2 and beside.end < slow.end - LONGER / 2:
            fast.add(beside.key)  # Asked for and answered while the other one was waited for.
    return len(late) >= _STALLED and len(late) > len(fast)


def _taken(duration: float, event: Mapping[str, object]) -> float:
    told = event.get("duration")
    return float(told) if isinstance(told, int | float) else duration


def _longer(theirs: float, known: Sequence[float], factor: float = FACTOR, least: float = LONGER) -> bool:
    middle = median(known)
    spread = _DEVIATIONS * median(abs(one - middle) for one in known)
    enough = max(middle * factor, middle + spread, max(known) * _BEYOND) if len(known) > 2 else max(known) * factor
    return theirs > enough and theirs - max(known) > least


def _ms(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"
