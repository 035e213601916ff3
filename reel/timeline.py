"""The order in which a recording happened, from the order in which it arrived."""

from __future__ import annotations

from collections.abc import Sequence


def order(times: Sequence[float], documents: Sequence[int], messages: Sequence[int]) -> list[int]:
    """Indexes of events sorted by time, stably, where no document's messages overtake each other.

    One item an event, in file order: `times` in ms, `documents` the document whose message it is (0: none),
    `messages` its number there (-1: before the first). A message whose time lies before that of an earlier message of
    its document happens right after that one.
    """
    chains: dict[int, list[int]] = {}
    for index, document in enumerate(documents):
        if document:
            chains.setdefault(document, []).append(index)
    time_of: dict[int, float] = {}
    place_of: dict[int, int] = {}
    for chain in chains.values():
        chain.sort(key=messages.__getitem__)
        time, place = times[chain[0]], chain[0]
        for index in chain:
            if times[index] < time:
                time_of[index] = time
            else:
                time = times[index]
            if index < place:
                place_of[index] = place
            else:
                place = index

    def key(index: int) -> tuple[float, int, int]:
        return time_of.get(index, times[index]), place_of.get(index, index), messages[index]

    return sorted(range(len(times)), key=key)
