"""Differences in requests: which were sent, with what address and body, and which response came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from pagereel.reading import sessions_in, value_key

from ..matching.pairing import Pair
from ..matching.requests import couples, wanted
from ..matching.values import changes
from ..runs.folding import folded
from ..runs.items import NOTHING, ComparedRun, RunRequest
from .difference import FoundDifference, at_place, plainly, quoted, shortened

TALKS: Final = frozenset({"document", "xhr", "fetch", "ping"})
"""Types of requests that exchange data; the others load parts of the page."""
_MOST: Final = 12
"""Largest number of paths in one response that are reported separately."""
_SENT_ON: Final = frozenset({301, 302, 303, 307, 308})
_NOT_MODIFIED: Final = 304


def answers_of(a: ComparedRun, b: ComparedRun, pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    """Return for each response that both runs got its time in the first run and in the second, in ms."""
    return [
        (ours.end, theirs.end)
        for ours, theirs in couples(a, b, pairs)[0]
        if ours.type in TALKS and ours.answered and theirs.answered
    ]


def network_differences(pairs: Sequence[Pair], a: ComparedRun, b: ComparedRun, end: int) -> list[FoundDifference]:
    """Return requests that only one run sent, and differences in the requests and responses of both.

    A request that only reads, and was only sent more often, is no difference. `end`: the number of the first run's
    action from which on the second run has no more actions.
    """
    coupled, gone, new = couples(a, b, pairs)
    found: list[FoundDifference] = []
    for ours, theirs in coupled:
        found += _pair(a, b, ours, theirs)
    sent_a, sent_b = Counter(r.key for r in wanted(a)), Counter(r.key for r in wanted(b))
    failed_a, failed_b = (Counter(r.key for r in wanted(run) if _is_failed(r)) for run in (a, b))
    for request in gone:
        if (
            request.place < end
            and request.type in TALKS
            and _is_more(request, sent_a, sent_b)
            and not is_left(a, request)
        ):
            found.append(_alone(a, request, None, f"{request_name(request)} was not sent"))
    for request in new:
        fails = _is_failed(request) and failed_b[request.key] > failed_a[request.key]
        if request.type in TALKS and (fails or _is_more(request, sent_b, sent_a)) and not is_left(b, request):
            sentence = f"{request_name(request)} was sent{' again' if sent_a[request.key] else ''}"
            found.append(_alone(b, None, request, sentence))
        elif request.type not in TALKS and fails:
            found.append(_alone(b, None, request, f"{request_name(request)} {_answer(request)}"))
    return found


def _is_more(request: RunRequest, own: Counter[str], other: Counter[str]) -> bool:
    """Return whether a run sent a request more often than the other; for one that only reads, or is a beacon, whether
    the other run never sent it.

    What both sent equally often, one of them at another time, is no difference: pages that save by a timer do so.
    """
    reads = request.method in ("GET", "HEAD", "OPTIONS") or request.type == "ping"
    return not other[request.key] if reads else own[request.key] > other[request.key]


def is_left(run: ComparedRun, request: RunRequest) -> bool:
    """Return whether a request has no response because its page went to another document."""
    return request.status is None and any(
        other.type == "document" and other.page == request.page and other is not request and other.end >= request.t
        for other in run.requests
    )


def _pair(a: ComparedRun, b: ComparedRun, ours: RunRequest, theirs: RunRequest) -> Iterator[FoundDifference]:
    item_a, item_b = at_place(a, ours.place), at_place(b, theirs.place)
    name = request_name(theirs)
    place = ("network", ours.key)
    talks = ours.type in TALKS
    if talks and value_key(ours.url) != value_key(theirs.url) and _query(ours) != _query(theirs):
        yield FoundDifference(
            "network", f"{name}, address", ours.url, theirs.url, f"{name} asked for {_asked(theirs)} instead of {_asked(ours)}",
            ours.t, theirs.t, item_a, item_b, (*place, "address"), _query(theirs), role="address",
        )  # fmt: skip
    if talks and ours.type != "ping" and ours.sent is not NOTHING and theirs.sent is not NOTHING:
        for number, change in enumerate(changes(ours.sent, theirs.sent)):
            if number < _MOST:
                sentence = f"{name} sent {plainly(change.path.removeprefix('$.'))} {quoted(change.b, 'body')} instead of {quoted(change.a, 'body')}"
                yield FoundDifference(
                    "network", f"{name}, sent {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, ours.t, theirs.t, item_a,
                    item_b, (*place, "sent", change.path), folded(change.b), role="body",
                )  # fmt: skip
    if not (_outcome(ours) and _outcome(theirs)):
        return  # The page aborted one of them, or the run ended: there is no response to compare.
    if _status(ours) != _status(theirs) and (talks or _is_failed(ours) != _is_failed(theirs)):
        yield FoundDifference(
            "network", f"{name}, status", _outcome(ours), _outcome(theirs), f"{name} {_answer(theirs)} instead of {_outcome(ours)}",
            ours.end, theirs.end, item_a, item_b, (*place, "status"), _status(theirs),
        )  # fmt: skip
    elif talks and ours.answer is not NOTHING and theirs.answer is not NOTHING:
        for number, change in enumerate(changes(ours.answer, theirs.answer)):
            if number < _MOST:
                sentence = f"{name} answered {plainly(change.path.removeprefix('$.'))} {quoted(change.b, 'body')} instead of {quoted(change.a, 'body')}"
                yield FoundDifference(
                    "network", f"{name} → {plainly(change.path)}", shortened(change.a), shortened(change.b), sentence, ours.end, theirs.end,
                    item_a, item_b, (*place, "answer", change.path), folded(change.b), role="body",
                )  # fmt: skip


def _alone(run: ComparedRun, ours: RunRequest | None, theirs: RunRequest | None, text: str) -> FoundDifference:
    request = ours or theirs
    assert request is not None
    item = at_place(run, request.place)
    return FoundDifference(
        "network", request_name(request), _outcome(ours) if ours else None, _outcome(theirs) if theirs else None, text,
        ours.t if ours else None, theirs.t if theirs else None, item if ours else None, item if theirs else None,
        ("network", request.key, "sent" if ours else "new"), None if theirs is None else request.key,
    )  # fmt: skip


def request_name(request: RunRequest) -> str:
    """Return a request's method and path, ``POST /cart``, without host and query."""
    path = request.key.partition(" ")[2].partition("?")[0].partition("/")[2]
    return f"{request.method} {plainly('/' + path, 'address')}"


def _asked(request: RunRequest) -> str:
    query = _query(request)
    return quoted(f"?{query}", "address") if query else "no query"


def _query(request: RunRequest) -> str:
    query = request.url.partition("?")[2]
    for session in sessions_in(request.url):
        query = query.replace(session, "{hash}")
    return value_key(query)


def _status(request: RunRequest) -> int | str | None:
    if request.type == "document" and (request.failed == "cancelled" or request.status in _SENT_ON):
        return "sent on"  # By its server, or by the recording that answers in a replayed run.
    if request.failed:
        return request.failed
    return 200 if request.status == _NOT_MODIFIED else request.status


def _is_failed(request: RunRequest) -> bool:
    return bool(request.failed) or (request.status or 0) >= 400


def _outcome(request: RunRequest) -> int | str | None:
    given_up = request.failed == "cancelled" and request.type != "document"
    return None if given_up else request.failed or request.status


def _answer(request: RunRequest) -> str:
    return f"failed ({request.failed})" if request.failed else f"answered {request.status}"
