"""Matches the requests of two runs: by method and address, in order, and by body for addresses that handle many kinds of requests."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

from pagereel.reel import asked_by_itself

from ..runs.folding import folded
from ..runs.items import NOTHING, ComparedRun, RunRequest
from .alignment import Score, align, moved

Couples = tuple[list[tuple[RunRequest, RunRequest]], list[RunRequest], list[RunRequest]]
"""The matched requests, and the unmatched ones of the first and second run."""

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_OTHER_QUERY: Final = 0.3
_OTHER_PLACE: Final = -2.0
_UNLIKE: Final = -1.0
"""The score of two requests to one address with different bodies: below 0, but better than two gaps if exactly one is
left in each run.
"""
_MANY: Final = 200
"""Number of requests to one address from which on their bodies are not compared."""
_LEAVES: Final = 400
"""Largest number of values in a body that are used for its similarity."""


def couples(a: ComparedRun, b: ComparedRun) -> Couples:
    """Return the matched and unmatched requests, each list in the order of its run."""
    ours, theirs = wanted(a), wanted(b)
    doors = _doors(ours, theirs)
    parts = [
        _by_sent([r for r in ours if r.key == door], [r for r in theirs if r.key == door]) for door in sorted(doors)
    ]
    parts.append(_by_address([r for r in ours if r.key not in doors], [r for r in theirs if r.key not in doors]))
    order = {id(request): number for number, request in enumerate((*ours, *theirs))}
    pairs = sorted((pair for part in parts for pair in part[0]), key=lambda pair: order[id(pair[0])])
    gone = sorted((r for part in parts for r in part[1]), key=lambda r: order[id(r)])
    new = sorted((r for part in parts for r in part[2]), key=lambda r: order[id(r)])
    return pairs, gone, new


def wanted(run: ComparedRun) -> list[RunRequest]:
    """Return the requests of a run's pages, without those that browsers make by themselves."""
    return [r for r in run.requests if r.url.startswith(("http:", "https:")) and not asked_by_itself(r.url)]


def _doors(ours: Sequence[RunRequest], theirs: Sequence[RunRequest]) -> set[str]:
    """Return the addresses that handle many kinds of requests: a run sends them JSON repeatedly, with different
    content (GraphQL, JSON-RPC, callbacks of a page).
    """
    found = set[str]()
    sides: list[dict[str, list[RunRequest]]] = [{}, {}]
    for side, requests in zip(sides, (ours, theirs), strict=True):
        for request in requests:
            if request.method not in _READS and request.type != "ping" and request.sent is not NOTHING:
                side.setdefault(request.key, []).append(request)
    for key in sides[0].keys() & sides[1].keys():
        asked = [side[key] for side in sides]
        if max(map(len, asked)) <= _MANY and any(len({folded(r.sent) for r in each}) > 1 for each in asked):
            found.add(key)
    return found


def _by_sent(ours: Sequence[RunRequest], theirs: Sequence[RunRequest]) -> Couples:
    """Match requests to one address: those with equal bodies, and between these the most similar ones. Their order
    relative to other requests does not matter.
    """
    sent_a, sent_b = [folded(r.sent) for r in ours], [folded(r.sent) for r in theirs]
    leaves = {key: frozenset(_leaves(r.sent)) for key, r in zip((*sent_a, *sent_b), (*ours, *theirs), strict=True)}

    def fits(x: int, y: int) -> float:
        one, other = leaves[sent_a[x]], leaves[sent_b[y]]
        return _UNLIKE + (0.9 - _UNLIKE) * len(one & other) / max(len(one | other), 1)

    return _coupled(ours, theirs, sent_a, sent_b, fits)


def _by_address(ours: Sequence[RunRequest], theirs: Sequence[RunRequest]) -> Couples:
    keys_a, keys_b = [r.key for r in ours], [r.key for r in theirs]
    bare = {key: key.partition("?")[0] for key in (*keys_a, *keys_b)}

    def fits(x: int, y: int) -> float:
        return _OTHER_QUERY if bare[keys_a[x]] == bare[keys_b[y]] else _OTHER_PLACE

    return _coupled(ours, theirs, keys_a, keys_b, fits)


def _coupled(
    ours: Sequence[RunRequest], theirs: Sequence[RunRequest], keys_a: Sequence[Hashable], keys_b: Sequence[Hashable],
    fits: Score,
) -> Couples:  # fmt: skip
    found = align(keys_a, keys_b, fits)
    elsewhere = moved(found, keys_a, keys_b)
    taken_a, taken_b = {x for x, _ in elsewhere}, {y for _, y in elsewhere}
    pairs = [(ours[x], theirs[y]) for x, y in (*found, *elsewhere) if x is not None and y is not None]
    gone = [ours[x] for x, y in found if x is not None and y is None and x not in taken_a]
    new = [theirs[y] for x, y in found if y is not None and x is None and y not in taken_b]
    return pairs, gone, new


def _leaves(sent: Any) -> Iterator[Hashable]:
    """Yield the values in JSON, each with its path of names."""
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
            yield path, folded(here, path[-1] if path else "")
