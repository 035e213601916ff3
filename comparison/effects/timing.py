"""Differences in time and cost, for each matched action and for the whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from ..matching.item_pairing import ItemPair
from ..matching.request_matching import match_requests
from ..runs.machine_load import estimate_largest_delay, is_machine_steady
from ..runs.run_items import ComparedRun, RunItem, RunRequest
from ..runs.run_reader import is_fixed_wait, is_read_only_call
from .difference import FoundDifference, mark_plain_value, mark_quoted_value, select_action_pairs
from .network import TALKS, format_request_name, is_aborted_by_navigation

Timed = tuple[object, ...]
"""Identifies a timed item: a call by its number, a request by its key and its number."""
FACTOR: Final = 2.0
"""With one expected run, a request counts as slower if it takes at least `FACTOR` times as long and at least `LONGER`
ms more.
"""
LONGER: Final = 500.0
_MODEL_LONGER: Final = 5_000.0
"""Smallest delay of a model call that is reported, in ms, because its time depends on the provider."""
_BEYOND: Final = 1.5
"""With several expected runs, a request counts as slower if it takes `_BEYOND` times as long as the slowest."""
_PLAIN_FACTOR: Final = 4.0
_PLAINLY: Final = 2_500.0
"""A delay by this factor and these ms may be the divergence of the runs; smaller ones usually come from the machine.
For calls, which measure the browser's own time, smaller delays are not reported: on a busy machine, repeats of one
run differ by more than the limits for requests.
"""
_OTHERS: Final = 0.8
"""Share of all timed items in both runs. The largest delay within this share is attributed to the machine: an item is
slow by itself only if its delay is `_BEYOND_OTHERS` times as large.
"""
_BEYOND_OTHERS: Final = 3.0
_NEARLY_ALL: Final = 0.95
_SMALL: Final = 50.0
"""Ms that any item may take: its factor says nothing."""
_STALLED: Final = 1
"""Number of different requests that are slow at the same time from which on the machine or its network counts as
stalled. Then only a delay of more than `_STALL` ms is reported.
"""
_STALL: Final = 3_000.0
_LOADS: Final = frozenset({"document", "xhr", "fetch", "stylesheet", "script", "image", "font"})
"""Types of requests that show whether everything was slow."""
_TIMED: Final = (TALKS | {"script", "stylesheet"}) - {"ping"}
"""Types of requests for whose responses a page waits."""
_COST_FACTOR: Final = 1.5


@dataclass
class BaselineFigures:
    """Figures of a baseline's runs: the durations of each action and request in ms, and the cost and tokens of each
    run.
    """

    times: Mapping[Timed, Sequence[float]] = field(default_factory=dict)
    costs: Sequence[float] = ()
    tokens: Sequence[float] = ()


def measure_durations(pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun) -> dict[Timed, tuple[float, float]]:
    """Map each action and request that both runs have to its duration in the first run and in the second run, in ms."""
    return _measure_actions_and_requests(pairs, a, b, _number_common_requests(a, b, pairs))


def measure_polls(run: ComparedRun) -> dict[str, list[float]]:
    """Map the key of each request that polls to how long its answers took, in ms."""
    found: dict[str, list[float]] = {}
    for request in run.requests:
        if request.key in run.polls and request.answered:
            found.setdefault(request.key, []).append(request.end - request.t)
    return found


def estimate_slowdown(pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, figures: BaselineFigures) -> float:
    """Return the factor by which a busy machine slowed the actions and requests of the second run, the slowest one left
    out.

    It is 1 if the second run's recording has no measurements of the machine.
    """
    taken = measure_durations(pairs, a, b)
    factors = _compute_factors(taken, _compute_delays(taken, figures))
    slowest = max(factors, key=lambda name: factors[name], default=())
    return _estimate_machine_factor(slowest, factors) if b.beats else 1.0


def _measure_actions_and_requests(
    pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, requests: Mapping[int, tuple[RunRequest, RunRequest]]
) -> dict[Timed, tuple[float, float]]:
    found: dict[Timed, tuple[float, float]] = {}
    for pair, last in _join_actions_with_waits(pairs):
        assert pair.a and pair.b and last.a and last.b
        ours, theirs = last.a.end - pair.a.t, last.b.end - pair.b.t
        if pair is last:
            ours, theirs = (
                _get_recorded_duration(pair.a.duration, pair.a.event),
                _get_recorded_duration(pair.b.duration, pair.b.event),
            )
        found["call", pair.a.place] = ours, theirs
    for number, (ours_sent, theirs_sent) in requests.items():
        ended = all(
            sent.answered and not is_aborted_by_navigation(run, sent)
            for run, sent in ((a, ours_sent), (b, theirs_sent))
        )
        if ours_sent.type in _TIMED and ended:
            found["request", ours_sent.key, number] = ours_sent.end - ours_sent.t, theirs_sent.end - theirs_sent.t
    return found


def find_time_differences(
    pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, figures: BaselineFigures
) -> tuple[list[FoundDifference], list[str]]:
    """Return the calls and requests that took longer than usual in the second run, and notes on delays.

    The notes have one sentence if a stalled machine caused delays, which are not reported as differences; else none.
    """
    found: list[FoundDifference] = []
    held: list[tuple[float, float, float]] = []
    """Delays caused by the machine: begin, end and size in ms."""
    requests = _number_common_requests(a, b, pairs)
    taken = _measure_actions_and_requests(pairs, a, b, requests)
    delays = _compute_delays(taken, figures)
    factors = _compute_factors(taken, delays)
    spans = {pair.a.place: (pair, last) for pair, last in _join_actions_with_waits(pairs) if pair.a is not None}
    slow_requests: list[tuple[float, float]] = []
    polls = measure_polls(a)
    for name, (ours, theirs) in sorted(taken.items(), key=lambda each: each[0][0] != "request"):
        known = [ours, *figures.times.get(name, ())]
        waits = name[0] == "call"
        polled = [*polls.get(str(name[1]), ()), *figures.times.get(("poll", name[1]), ())] if not waits else []
        if polled:
            known = polled
            waits = _is_unusually_long(max(known), [min(known)])  # Its server answers when it has something to say.
        if not _is_unusually_long(theirs, known, *((_PLAIN_FACTOR, _PLAINLY) if waits else (FACTOR, LONGER))):
            continue
        steady = False
        if name[0] == "request":
            sent = requests[int(str(name[2]))][1]
            steady = is_machine_steady(b, sent.t, sent.end)
            if not steady and (
                delays[name] <= estimate_largest_delay(b, sent.t, sent.end) + LONGER
                or _is_caused_by_stall(delays[name], sent, list(requests.values()))
            ):
                held.append((sent.t, sent.end, delays[name]))
                continue
        if not steady and (
            delays[name] < _BEYOND_OTHERS * _estimate_machine_delay(name, delays)
            or (b.beats and factors[name] < _BEYOND * _estimate_machine_factor(name, factors))
        ):
            continue
        if name[0] == "request":
            ra, rb = requests[int(str(name[2]))]
            what = format_request_name(rb)
            item_a = a.done[ra.place] if ra.place >= 0 else None
            item_b = b.done[rb.place] if rb.place >= 0 else None
            slow_requests.append((rb.t, rb.end))
            at_a, at_b = ra.t, rb.t
            sentence = f"{what} took {_format_duration(theirs)} instead of {_format_duration(ours)}"
        else:
            pair, last = spans[int(str(name[1]))]
            assert pair.a is not None and pair.b is not None and last.b is not None
            if pair.b.kind == "model" and not _is_unusually_long(theirs, known, _PLAIN_FACTOR, _MODEL_LONGER):
                continue
            if any(start < last.b.end and end > pair.b.t for start, end in slow_requests):
                continue  # it waited for a request that is already reported
            if pair.b.kind == "call" and b.beats and not is_machine_steady(b, pair.b.t, last.b.end):
                continue  # Its time is the browser's own, which had to share the machine.
            if delays[name] <= estimate_largest_delay(b, pair.b.t, last.b.end) + LONGER:
                continue
            if delays[name] <= sum(by for t, end, by in held if t < last.b.end and end > pair.b.t) + LONGER:
                continue  # it waited for a request that the machine delayed
            what, item_a, item_b = mark_plain_value(pair.b.title), pair.a, pair.b
            at_a, at_b = pair.a.t, pair.b.t
            sentence = f"{mark_quoted_value(pair.b.title, 'code')} took {_format_duration(theirs)} instead of {_format_duration(ours)}"
        minor = theirs < ours * _PLAIN_FACTOR or theirs - ours < _PLAINLY
        place = ("time", *name)
        took, takes = round(ours, 1), round(theirs, 1)
        found.append(
            FoundDifference("time", what, took, takes, sentence, at_a, at_b, item_a, item_b, place, None, minor=minor)
        )
    return found, [_describe_stalls(held)] if held else []


def _describe_stalls(delays: Sequence[tuple[float, float, float]]) -> str:
    """Return a sentence that says when the machine first stalled, for how long, and how often."""
    t, _, by = min(delays)
    return (
        f"At {_format_duration(t)} of the second run what was asked for waited for about {_format_duration(by)}: the machine stood still, which is no difference"
        f"{f' (and {len(delays) - 1} times more)' if len(delays) > 1 else ''}."
    )


def find_cost_differences(
    pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, figures: BaselineFigures
) -> list[FoundDifference]:
    """Return the difference in cost of the whole runs, placed at the model call that explains most of it."""
    for what, ours, theirs, others in (
        ("cost", a.cost, b.cost, figures.costs),
        ("tokens", a.tokens, b.tokens, figures.tokens),
    ):
        known = [float(ours), *others]
        if theirs <= max(known) * _COST_FACTOR or not max(known):
            continue
        spent = [
            (_get_call_spending(pair.b, what) - _get_call_spending(pair.a, what), number)
            for number, pair in enumerate(pairs)
            if pair.b
        ]
        more, number = max(spent, key=lambda each: each[0], default=(0.0, -1))
        pair = pairs[number] if more > 0 else ItemPair(None, None)
        sentence = f"the run cost {_format_spending(theirs, what)} instead of {_format_spending(ours, what)}"
        if pair.b is not None and pair.b.enclosing_step is not None:
            sentence += f", {_format_spending(round(more, 6), what)} more in one call of the step {mark_quoted_value(pair.b.enclosing_step.title)}"
        at_a, at_b = (item.t if item is not None else None for item in (pair.a, pair.b))
        return [
            FoundDifference("cost", what, ours, theirs, sentence, at_a, at_b if at_b is not None else b.duration, pair.a, pair.b, ("cost",), None)
        ]  # fmt: skip
    return []


def _format_spending(amount: float, unit: str) -> str:
    return f"{amount:g} USD" if unit == "cost" else f"{amount:,.0f} tokens"


def _get_call_spending(item: RunItem | None, unit: str) -> float:
    """Return the cost of a model call in USD, or the number of its tokens, as `unit` says; 0 for other calls."""
    if item is None or item.kind != "model":
        return 0.0
    names = ("cost_usd",) if unit == "cost" else ("input_tokens", "output_tokens")
    return sum(float(item.event.get(name) or 0) for name in names)


def _join_actions_with_waits(pairs: Sequence[ItemPair]) -> list[tuple[ItemPair, ItemPair]]:
    """Return the groups of pairs that are timed together, each as its first and its last pair.

    An action and the wait right after it are one group, because the wait is short if the action was slow, and long if
    it was quick.
    """
    found: list[tuple[ItemPair, ItemPair]] = []
    for pair in select_action_pairs(pairs):
        assert pair.a and pair.b
        if is_fixed_wait(pair.a) or pair.a.error or pair.b.error or not (pair.a.has_returned and pair.b.has_returned):
            continue
        begun, last = found[-1] if found else (pair, pair)
        follows = (
            last.a is not None
            and last.b is not None
            and (pair.a.place, pair.b.place) == (last.a.place + 1, last.b.place + 1)
        )
        if follows and is_read_only_call(pair.a):
            found[-1] = (begun, pair)
        else:
            found.append((pair, pair))
    return found


def _number_common_requests(
    a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]
) -> dict[int, tuple[RunRequest, RunRequest]]:
    """Map numbers to the requests that both runs sent, each as the first run's request and the second's.

    The number is the position in the first run, so a request has the same number in each comparison with that run.
    """
    number = {id(request): number for number, request in enumerate(a.requests)}
    return {number[id(ours)]: (ours, theirs) for ours, theirs in match_requests(a, b, pairs)[0]}


def _compute_delays(durations: Mapping[Timed, tuple[float, float]], figures: BaselineFigures) -> dict[Timed, float]:
    """Return for each action or request by how many ms the second run took longer than the slowest expected run."""
    return {name: theirs - max(ours, *figures.times.get(name, (0.0,))) for name, (ours, theirs) in durations.items()}


def _compute_factors(
    durations: Mapping[Timed, tuple[float, float]], delays: Mapping[Timed, float]
) -> dict[Timed, float]:
    """Return for each action or request the factor by which it took longer in the second run than in any expected run."""
    return {name: durations[name][1] / max(durations[name][1] - delay, _SMALL) for name, delay in delays.items()}


def _estimate_machine_delay(name: Timed, delays: Mapping[Timed, float]) -> float:
    """Return the delay in ms (0 or more) of an action or request that the machine itself explains.

    A slow machine delays nearly all actions and requests, but a slow response only one request. So the result is the
    delay that most others (the share :data:`_OTHERS`) do not exceed: among all of them, or among those of the same
    kind, whichever is smaller.
    """
    same = {other: delay for other, delay in delays.items() if other[0] == name[0]}
    return max(min(_get_quantile_of_others(name, amounts, _OTHERS, 0.0) for amounts in (delays, same)), 0.0)


def _estimate_machine_factor(name: Timed, factors: Mapping[Timed, float]) -> float:
    """Return the largest factor by which nearly all other actions and requests became slower."""
    return _get_quantile_of_others(name, factors, _NEARLY_ALL, 1.0)


def _get_quantile_of_others(name: Timed, amounts: Mapping[Timed, float], share: float, default: float) -> float:
    """Return the amount below which a share of the other items lies (their quantile); `default` if there are none."""
    others = sorted(amount for other, amount in amounts.items() if other[:2] != name[:2])
    return others[int(len(others) * share)] if others else default


def _is_caused_by_stall(delay: float, slow: RunRequest, requests: Sequence[tuple[RunRequest, RunRequest]]) -> bool:
    """Return whether a stall caused a small delay: other requests at the same time were slow too, and more of them
    than were answered as fast as in the first run.
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
        if (
            longer > LONGER / 2 and beside.end <= slow.end + LONGER
        ):  # Otherwise it waited for something else, as streams do.
            late.add(beside.key)
        elif beside.t > slow.t + LONGER / 2 and beside.end < slow.end - LONGER / 2:
            fast.add(beside.key)  # Requested and answered during the wait for the slow one.
    return len(late) >= _STALLED and len(late) > len(fast)


def _get_recorded_duration(duration: float, event: Mapping[str, object]) -> float:
    value = event.get("duration")
    return float(value) if isinstance(value, int | float) else duration


def _is_unusually_long(
    duration: float, expected_durations: Sequence[float], factor: float = FACTOR, minimum_delay: float = LONGER
) -> bool:
    """Return whether a duration is unusually long compared with the known ones: by the factor, and by `minimum_delay` ms."""
    enough = (
        max(median(expected_durations) * factor, max(expected_durations) * _BEYOND)
        if len(expected_durations) > 2
        else max(expected_durations) * factor
    )
    return duration > enough and duration - max(expected_durations) > minimum_delay


def _format_duration(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"
