"""Differences in requests: which were sent, with what address and body, and which response came."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Final

from pagereel.reading import find_session_values, to_value_key

from ..matching.item_pairing import ItemPair
from ..matching.json_values import iter_value_changes
from ..matching.request_matching import match_requests, select_page_requests
from ..runs.normalization import normalize_value
from ..runs.run_items import NOTHING, ComparedRun, RunItem, RunRequest
from ..runs.run_reader import list_changing_actions
from .difference import FoundDifference, get_action, mark_plain_value, mark_quoted_value, shorten_value
from .line_periods import had_no_time_to_appear

TALKS: Final = frozenset({"document", "xhr", "fetch", "ping"})
"""Types of requests that exchange data; the others load parts of the page."""
_MOST: Final = 12
"""Largest number of paths in one response that are reported separately."""
_SENT_ON: Final = frozenset({301, 302, 303, 307, 308})
_NOT_MODIFIED: Final = 304
_NUMBER: Final = re.compile(r"\d+")


def find_response_times(a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]) -> list[tuple[float, float]]:
    """Return for each response that both runs got its time in the first run and in the second, in ms."""
    return [
        (ours.end, theirs.end)
        for ours, theirs in match_requests(a, b, pairs)[0]
        if ours.type in TALKS and ours.answered and theirs.answered
    ]


def find_network_differences(
    pairs: Sequence[ItemPair], a: ComparedRun, b: ComparedRun, end: int
) -> list[FoundDifference]:
    """Return requests that only one run sent, and differences in the requests and responses of both.

    A request that only reads, and was only sent more often, is no difference. `end`: the number of the first run's
    action from which on the second run has no more actions.
    """
    coupled, gone, new = match_requests(a, b, pairs)
    found: list[FoundDifference] = []
    renamed = _collect_renamed_ids(coupled)
    for ours, theirs in coupled:
        found += _compare_requests(a, b, ours, theirs, renamed)
    sent_a, sent_b = Counter(r.key for r in select_page_requests(a)), Counter(r.key for r in select_page_requests(b))
    failed_a, failed_b = (Counter(r.key for r in select_page_requests(run) if _is_failed_request(r)) for run in (a, b))
    actions_a = _list_timed_matches(a, {p.a.place: p.b for p in pairs if p.a and p.b})
    actions_b = _list_timed_matches(b, {p.b.place: p.a for p in pairs if p.a and p.b})
    for request in gone:
        if (
            request.place < end
            and request.type in TALKS
            and _is_sent_more_often(request, sent_a, sent_b, a.polls)
            and not is_aborted_by_navigation(a, request)
            and not _had_no_time_to_be_sent(request, actions_a, b)
        ):
            found.append(_report_unmatched_request(a, request, None, f"{format_request_name(request)} was not sent"))
    for request in (each for each in new if not is_aborted_by_navigation(b, each)):
        fails = _is_failed_request(request) and failed_b[request.key] > failed_a[request.key]
        if (
            request.type in TALKS
            and (fails or _is_sent_more_often(request, sent_b, sent_a, a.polls))
            and (fails or not _had_no_time_to_be_sent(request, actions_b, a))
        ):
            sentence = f"{format_request_name(request)} was sent{' again' if sent_a[request.key] else ''}"
            found.append(_report_unmatched_request(b, None, request, sentence))
        elif request.type not in TALKS and fails:
            found.append(
                _report_unmatched_request(
                    b, None, request, f"{format_request_name(request)} {_describe_response(request)}"
                )
            )
    return found


def _is_sent_more_often(
    request: RunRequest, own_counts: Counter[str], other_counts: Counter[str], polls: Set[str]
) -> bool:
    """Return whether a run sent a request more often than the other run, so that this is a difference.

    A request that only reads (GET, HEAD, OPTIONS), is a beacon, or is one of `polls`, which the first run's pages send
    several times after one action, differs only if the other run never sent it. Requests that both runs sent equally
    often, at other times, do not differ: pages that save by a timer do so.
    """
    reads = request.method in ("GET", "HEAD", "OPTIONS") or request.type == "ping" or request.key in polls
    return not other_counts[request.key] if reads else own_counts[request.key] > other_counts[request.key]


def _list_timed_matches(run: ComparedRun, matched_actions: Mapping[int, RunItem]) -> list[tuple[float, RunItem | None]]:
    """Return for each action of a run that may change a page, in order: when its effects began, in ms, and the matched
    action of the other run.
    """
    return [(act.earliest_effect_time, matched_actions.get(act.place)) for act in list_changing_actions(run)]


def _had_no_time_to_be_sent(
    request: RunRequest, timed_matches: Sequence[tuple[float, RunItem | None]], other_run: ComparedRun
) -> bool:
    """Return whether the other run left the page before it could send a request, which the request's own run sent some
    time after its last action. `timed_matches`: the own run's actions, by :func:`_list_timed_matches`.
    """
    at = bisect_right(timed_matches, request.t, key=lambda each: each[0]) - 1
    begun, action = timed_matches[at] if at >= 0 else (0.0, None)
    if action is None:
        return False
    left = (r.t for r in other_run.requests if r.type == "document" and r.page == request.page and r.t > action.t)
    return had_no_time_to_appear(request.t - begun, action, min(left, default=other_run.duration))


def is_aborted_by_navigation(run: ComparedRun, request: RunRequest) -> bool:
    """Return whether a request has no response because its page navigated to another document."""
    return request.status is None and any(
        other.type == "document" and other.page == request.page and other is not request and other.end >= request.t
        for other in run.requests
    )


def _collect_renamed_ids(requests: Sequence[tuple[RunRequest, RunRequest]]) -> set[tuple[str, str]]:
    """Return the numbers in which the paths of matched requests differ, each as the first run's and the second's: ids
    of the same things.
    """
    pieces = (
        both
        for ours, theirs in requests
        for both in zip(*(request.url.partition("?")[0].split("/") for request in (ours, theirs)), strict=False)
    )
    return {(one, other) for one, other in pieces if one != other and one.isdigit() and other.isdigit()}


def _differ_in_ids_alone(a: Any, b: Any, renamed_ids: Set[tuple[str, str]]) -> bool:
    """Return whether two numbers, or two texts but for their numbers, are the same if ids are replaced by those of the
    second run.
    """
    if not isinstance(a, str | int) or not isinstance(b, str | int) or not renamed_ids:
        return False
    one, other = str(a), str(b)
    numbers = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=False)
    return _NUMBER.sub("0", one) == _NUMBER.sub("0", other) and all(x == y or (x, y) in renamed_ids for x, y in numbers)


def _compare_requests(
    a: ComparedRun, b: ComparedRun, ours: RunRequest, theirs: RunRequest, renamed_ids: Set[tuple[str, str]]
) -> Iterator[FoundDifference]:
    item_a, item_b = get_action(a, ours.place), get_action(b, theirs.place)
    name = format_request_name(theirs)
    place = ("network", ours.key)
    talks = ours.type in TALKS
    if (
        talks
        and to_value_key(ours.url) != to_value_key(theirs.url)
        and normalize_query(ours.url) != normalize_query(theirs.url)
        and not _differ_in_ids_alone(normalize_query(ours.url), normalize_query(theirs.url), renamed_ids)
    ):
        yield FoundDifference(
            "network", f"{name}, address", ours.url, theirs.url, f"{name} asked for {_describe_query(theirs)} instead of {_describe_query(ours)}",
            ours.t, theirs.t, item_a, item_b, (*place, "address", "?"), normalize_query(theirs.url), role="address",
        )  # fmt: skip
    if talks and ours.type != "ping" and ours.sent is not NOTHING and theirs.sent is not NOTHING:
        for number, change in enumerate(iter_value_changes(ours.sent, theirs.sent)):
            if number < _MOST and not _differ_in_ids_alone(change.a, change.b, renamed_ids):
                sentence = f"{name} sent {mark_plain_value(change.path.removeprefix('$.'))} {mark_quoted_value(change.b, 'body')} instead of {mark_quoted_value(change.a, 'body')}"
                yield FoundDifference(
                    "network", f"{name}, sent {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, ours.t, theirs.t, item_a,
                    item_b, (*place, "sent", change.path), normalize_value(change.b), role="body",
                )  # fmt: skip
    if not (_get_response_outcome(ours) and _get_response_outcome(theirs)):
        return  # The page aborted one of them, or the run ended: there is no response to compare.
    if _get_effective_status(ours) != _get_effective_status(theirs) and (
        talks or any(test(ours) != test(theirs) for test in (_is_failed_request, _is_sent_on))
    ):
        yield FoundDifference(
            "network", f"{name}, status", _get_response_outcome(ours), _get_response_outcome(theirs), f"{name} {_describe_response(theirs)} instead of {_get_response_outcome(ours)}",
            ours.end, theirs.end, item_a, item_b, (*place, "status"), _get_effective_status(theirs),
        )  # fmt: skip
    elif talks and ours.answer is not NOTHING and theirs.answer is not NOTHING:
        for number, change in enumerate(iter_value_changes(ours.answer, theirs.answer)):
            if number < _MOST and not _differ_in_ids_alone(change.a, change.b, renamed_ids):
                sentence = f"{name} answered {mark_plain_value(change.path.removeprefix('$.'))} {mark_quoted_value(change.b, 'body')} instead of {mark_quoted_value(change.a, 'body')}"
                yield FoundDifference(
                    "network", f"{name} → {mark_plain_value(change.path)}", shorten_value(change.a), shorten_value(change.b), sentence, ours.end, theirs.end,
                    item_a, item_b, (*place, "answer", change.path), normalize_value(change.b), role="body",
                )  # fmt: skip


def _report_unmatched_request(
    run: ComparedRun, ours: RunRequest | None, theirs: RunRequest | None, text: str
) -> FoundDifference:
    request = ours or theirs
    assert request is not None
    item = get_action(run, request.place)
    return FoundDifference(
        "network", format_request_name(request), _get_response_outcome(ours) if ours else None, _get_response_outcome(theirs) if theirs else None, text,
        ours.t if ours else None, theirs.t if theirs else None, item if ours else None, item if theirs else None,
        ("network", request.key, "new" if _is_failed_request(request) else "number"), None if theirs is None else request.key,
    )  # fmt: skip


def format_request_name(request: RunRequest) -> str:
    """Return a request's method and path, ``POST /cart``, without host and query."""
    path = request.key.partition(" ")[2].partition("?")[0].partition("/")[2]
    return f"{request.method} {mark_plain_value('/' + path, 'address')}"


def _describe_query(request: RunRequest) -> str:
    query = normalize_query(request.url)
    return mark_quoted_value(f"?{query}", "address") if query else "no query"


def normalize_query(url: str) -> str:
    """Return a URL's query with placeholders for session ids and for other values that differ in each run."""
    query = url.partition("?")[2]
    for session in find_session_values(url):
        query = query.replace(session, "{hash}")
    return to_value_key(query)


def _get_effective_status(request: RunRequest) -> int | str | None:
    if request.type == "document" and (request.failed == "cancelled" or request.status in _SENT_ON):
        return "sent on"  # By its server, or by the recording that answers in a replayed run.
    if request.failed:
        return request.failed
    return 200 if request.status == _NOT_MODIFIED else request.status


def _is_sent_on(request: RunRequest) -> bool:
    return request.status in _SENT_ON


def _is_failed_request(request: RunRequest) -> bool:
    return bool(request.failed) or (request.status or 0) >= 400


def _get_response_outcome(request: RunRequest) -> int | str | None:
    given_up = request.failed == "cancelled" and request.type != "document"
    return None if given_up else request.failed or request.status


def _describe_response(request: RunRequest) -> str:
    return f"failed ({request.failed})" if request.failed else f"answered {request.status}"
