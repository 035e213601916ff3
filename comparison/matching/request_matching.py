"""Matches the requests of two runs: by their cause, then by method and address, then by order.

The cause of a request is the document that sent it, and the last action before it. Requests whose causes are not
matched are not matched either, however similar they are: so requests to ``/api/runs/{uuid}/step/{n}`` of different
steps are kept apart.

There is one exception: if both documents sent a request equally often, it is matched by order alone, because a slow
page may send it after a later action.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from pagereel.reading import to_value_key
from pagereel.reel import is_requested_by_browser

from ..runs.normalization import normalize_value
from ..runs.run_items import NOTHING, ComparedRun, RunRequest
from ..runs.run_reader import list_changing_actions
from .alignment import align_sequences
from .item_pairing import Couples, ItemPair, ItemPairs

Key = Callable[[RunRequest], Hashable]

_MANY: Final = 200
"""Number of requests from one cause to one address from which on their bodies are not compared."""
_LEAVES: Final = 400
"""Largest number of values in a body that are used for its similarity."""
_TIERS: Final[tuple[Key, ...]] = (
    lambda r: (r.key, to_value_key(r.url), normalize_value(r.sent)),
    lambda r: (r.key, normalize_value(r.sent)),
    lambda r: (r.key, to_value_key(r.url)),
    lambda r: r.key,
    lambda r: r.key.partition("?")[0],
)
"""Keys by which requests from one cause are matched, one after the other: equal ones, other ids, another body, another query."""


def match_requests(a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]) -> Couples:
    """Return the matched and unmatched requests, each list in the order of its run. `pairs`: the runs' matched actions."""
    if isinstance(pairs, ItemPairs) and pairs.requests is not None:
        return pairs.requests
    ours, theirs = select_page_requests(a), select_page_requests(b)
    cause = _RequestCauses(a, b, pairs)
    found = _RequestMatching(ours, theirs)
    found.match_equal_counts(lambda r: (r.page, cause.get_document_number(r), _TIERS[0](r)))
    for tier in _TIERS:
        found.match_by_key(lambda r, of=tier: (cause.get_document_number(r), cause.get_action_number(r), r.page, of(r)))  # type: ignore[misc]
    coupled = found.list_pairs(), found.list_unmatched(ours), found.list_unmatched(theirs)
    if isinstance(pairs, ItemPairs):
        pairs.requests = coupled
    return coupled


def select_page_requests(run: ComparedRun) -> list[RunRequest]:
    """Return the requests of a run's pages, without requests of the browser itself."""
    return [r for r in run.requests if r.url.startswith(("http:", "https:")) and not is_requested_by_browser(r.url)]


class _RequestCauses:
    """The cause of each request, as two numbers that are equal for matched causes in both runs: of the document that
    sent the request, and of the last action before it.
    """

    def __init__(self, a: ComparedRun, b: ComparedRun, pairs: Sequence[ItemPair]) -> None:
        self._turns: dict[int, int] = {}
        self._documents: dict[int, int] = {}
        ours, theirs = list(a.documents), list(b.documents)
        loaded = align_sequences(list(a.documents.values()), list(b.documents.values()))
        for side, run, documents in ((0, a, ours), (1, b, theirs)):
            items = [(pair.a, pair.b)[side] for pair in pairs]
            numbers = {each.place: n for n, item in enumerate(items, 1) if item for each in (item, *item.tries)}
            places = sorted(act.place for act in list_changing_actions(run) if act.place in numbers)
            known = {documents[at]: n for n, both in enumerate(loaded, 1) if (at := both[side]) is not None}
            for request in run.requests:
                last = bisect_right(places, request.place)
                self._turns[id(request)] = numbers[places[last - 1]] if last else 0
                self._documents[id(request)] = known.get(request.document, 0)

    def get_action_number(self, request: RunRequest) -> int:
        """Return the number of the last action before a request; 0 if there was none."""
        return self._turns[id(request)]

    def get_document_number(self, request: RunRequest) -> int:
        """Return the number of the document that sent a request; 0 if no document did."""
        return self._documents[id(request)]


class _RequestMatching:
    def __init__(self, ours: Sequence[RunRequest], theirs: Sequence[RunRequest]) -> None:
        self._ours, self._theirs = ours, theirs
        self._found: dict[int, RunRequest] = {}
        """id of a request → its match, in both directions."""
        self._leaves: dict[int, set[Hashable]] = {}
        self._before = {id(request): before for requests in (ours, theirs) for before, request in pairwise(requests)}

    def match_equal_counts(self, key: Key) -> None:
        """Match, in order, the requests whose key occurs equally often in both runs."""
        sides: list[dict[Hashable, list[RunRequest]]] = [{}, {}]
        for side, requests in zip(sides, (self._ours, self._theirs), strict=True):
            for request in requests:
                side.setdefault(key(request), []).append(request)
        for name, ours in sides[0].items():
            theirs = sides[1].get(name, [])
            if len(ours) == len(theirs):
                for one, other in zip(ours, theirs, strict=True):
                    self._found[id(one)], self._found[id(other)] = other, one

    def match_by_key(self, key: Key) -> None:
        """Match unmatched requests with equal keys, each with the most similar one of the other run."""
        waiting: dict[Hashable, list[RunRequest]] = {}
        for request in self.list_unmatched(self._theirs):
            waiting.setdefault(key(request), []).append(request)
        for request in self.list_unmatched(self._ours):
            beside = waiting.get(key(request))
            if beside:
                best = beside[0] if len(beside) == 1 or len(beside) > _MANY else max(beside, key=lambda r: self._score_request_similarity(request, r))  # fmt: skip
                beside.remove(best)
                self._found[id(request)], self._found[id(best)] = best, request

    def list_pairs(self) -> list[tuple[RunRequest, RunRequest]]:
        return [(request, self._found[id(request)]) for request in self._ours if id(request) in self._found]

    def list_unmatched(self, requests: Sequence[RunRequest]) -> list[RunRequest]:
        return [request for request in requests if id(request) not in self._found]

    def _score_request_similarity(self, one: RunRequest, other: RunRequest) -> tuple[float, bool]:
        """Return the similarity of two requests: the share of equal values in their bodies, and whether the requests
        before them are matched.
        """
        ours, theirs = self._get_sent_values(one), self._get_sent_values(other)
        before, before_other = self._before.get(id(one)), self._before.get(id(other))
        follows = before is not None and self._found.get(id(before)) is before_other
        return len(ours & theirs) / max(len(ours | theirs), 1), follows

    def _get_sent_values(self, request: RunRequest) -> set[Hashable]:
        known = self._leaves.get(id(request))
        if known is None:
            known = self._leaves[id(request)] = (
                {*_iter_json_values(request.sent)} if request.sent is not NOTHING else set()
            )
        return known


def _iter_json_values(sent: Any) -> Iterator[Hashable]:
    """Yield the normalized numbers, texts and other plain values in JSON, each with the path of names to it."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), sent)]
    left = _LEAVES
    while stack and left:
        path, here = stack.pop()
        if isinstance(here, dict):
            stack += [((*path, name), value) for name, value in here.items()]
        elif isinstance(here, list):
            stack += [(path, value) for value in here]
        else:
            left -= 1
            yield path, normalize_value(here, path[-1] if path else "")
