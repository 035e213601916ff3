"""Mask a recording while it is being made, event by event, by structure alone (:mod:`.passes.structural_masker`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from pagereel.reel import Event, pick_header_fields

from .content.resources import ResourceMasker
from .content.secret_input import LiveSecretInputFilter
from .content.styled_attributes import read_event_sheets
from .contracts.policy import POLICIES
from .passes.recording_walk import RecordingWalk
from .passes.structural_masker import StructuralMasker

_LEFT_OUT: Final = frozenset({"reel", "frame", "redaction", "places", "picture", "checkpoint", "screenshot", "screen"})
"""Kinds of events that show nothing while a page is watched, or that can only be masked with the whole recording."""


class LiveMasker:
    """Masks the events of a recording that is still being made, by the policy ``strict``."""

    def __init__(self) -> None:
        policy = POLICIES["strict"]
        self._resources = ResourceMasker(policy)
        sink = StructuralMasker(policy, self._find_replacement_hash)
        self._resources.sink = sink
        self._form = sink.form
        self._walk = RecordingWalk(sink, policy)
        self._unsaid = LiveSecretInputFilter()
        self._written: set[str] = set()
        self._waiting: list[Event] = []
        self._fewer: dict[int, int] = {}
        """Document → how many of its messages were left out so far. Later messages are renumbered, so that no gap
        shows.
        """

    def mask_header(self, header: Event) -> Event:
        """Return the masked ``reel`` event."""
        return {"k": "reel", "t": 0, **pick_header_fields(self._walk.walk_event(header) or {})}

    def mask_event(self, event: Event) -> Iterator[Event]:
        """Yield the masked event after the masked resources that it names."""
        kind = event.get("k")
        read_event_sheets(self._form, event)
        if kind == "resource":
            self._resources.remember_resource(event)
            return
        if kind == "end":
            yield event
        if kind == "end" or kind in _LEFT_OUT:
            self._count_dropped_message(event)
            return
        left = self._unsaid.filter_event(event)
        out = None if left is None else self._walk.walk_event(left)
        if out is None:
            self._count_dropped_message(event)
            return
        if "n" in out:
            out["n"] = cast(int, out["n"]) - self._fewer.get(cast(int, out.get("d", 0)), 0)
        waiting, self._waiting = self._waiting, []
        yield from waiting
        yield out

    def _count_dropped_message(self, event: Event) -> None:
        if "n" in event and isinstance(d := event.get("d"), int):
            self._fewer[d] = self._fewer.get(d, 0) + 1

    def _find_replacement_hash(self, sha256: str, channel: str) -> str | None:
        """Return the hash of a resource's masked content, or None if the resource has not arrived yet or is dropped."""
        if self._resources.get_resource_event(sha256) is None:
            return None
        self._resources.usages.setdefault(sha256, set()).add(channel)
        done = self._resources.mask_resource(sha256)
        if done is None:
            return None
        if done[0] not in self._written:
            self._written.add(done[0])
            self._waiting.append(done[1])
        return done[0]
