"""Run the second pass over a recording: mask its events one at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

from pagereel.reel import Event, PageModel, Reel, find_event_problem, pick_header_fields

from ..content.format_words import is_format_word
from ..content.resources import ResourceMasker
from ..content.secret_input import SecretInputFilter
from ..contracts.policy import Policy
from ..pictures.screens import ScreenMasker
from ..pictures.screenshot_boxes import ScreenshotBoxPainter
from .first_pass import Progress
from .recording_walk import RecordingWalk

_NOT_CARRIED = frozenset({"reel", "frame", "end", "redaction", "places"})
"""Kinds of events that the writer makes anew, or that only the redaction needs."""

_LONGEST_MESSAGE = 300
_MOST_MESSAGES = 20
"""Most characters, and most messages, of a failed response that are marked as masked."""
_LONGEST = 40
"""Most characters of an event's kind in the report."""


class EventMasker:
    """Masks the events of one recording."""

    def __init__(
        self, walk: RecordingWalk, policy: Policy, resources: ResourceMasker, boxes: ScreenshotBoxPainter
    ) -> None:
        self._walk = walk
        self._policy = policy
        self._resources = resources
        self._boxes = boxes
        self._screens = ScreenMasker(policy, resources.get_resource_event)
        self._written: set[str] = set()
        self._fewer: Counter[int] = Counter()
        """Document → how many of its messages were left out so far."""
        self.at = 0.0
        """``t`` of the event that is being masked, in ms."""
        self.dropped: Counter[str] = Counter()
        """Kind → how many events were left out."""

    def mask_header(self, header: Event) -> Event:
        """Return the masked fields of the ``reel`` event, as :class:`~pagereel.reel.ReelWriter` takes them."""
        return pick_header_fields(self._walk.walk_event(header) or {})

    def mask_events(self, reel: Reel, progress: Progress | None = None) -> Iterator[Event]:
        """Yield the masked events in the order of the timeline, each resource once. Must be called only once."""
        unsaid = SecretInputFilter(reel) if self._policy.form_values == "mask" else None
        for number, event in enumerate(reel.timeline(), 1):
            kind = event.get("k")
            if kind == "resource":
                yield from self._yield_resource_once(self._resources.mask_resource(str(event.get("sha256"))))
            elif kind not in _NOT_CARRIED:
                self.at = float(cast(float, event.get("t") or 0))
                left = event if unsaid is None else unsaid.filter_event(event)
                yield from self._mask_event(event, left)
            if progress and number % 500 == 0:
                progress("rewrite", number, number)

    def _mask_event(self, event: Event, event_without_secrets: Event | None) -> Iterator[Event]:
        """Yield the masked form of an event, and the resources that it needs.

        :param event_without_secrets: the event without keystrokes and clicks of a secret, or None if nothing is left.
        """
        kind = event.get("k")
        out = None if event_without_secrets is None else self._walk.walk_event(event_without_secrets)
        if out is not None and "n" in out:  # close the gap of dropped messages: a gap would mean lost ones
            out["n"] = cast(int, out["n"]) - self._fewer[cast(int, out.get("d", 0))]
        if out is not None and kind != "screen" and find_event_problem(out) is not None:
            out = None  # Without its masked fields it is invalid: neither a reader nor the gate would accept it.
        if out is None:
            called = str(kind)[:_LONGEST]
            self.dropped[called if is_format_word(called) else "of an unknown kind"] += 1
            self._fewer[cast(int, event.get("d", 0))] += "n" in event
        else:
            if kind == "response" and (invented := self._resources.masked_messages.get(str(event.get("body")))):
                out["masked"] = [text[:_LONGEST_MESSAGE] for text in invented[:_MOST_MESSAGES]]
            if kind == "screenshot":
                picture = self._boxes.paint_screenshot(
                    event, self._resources.get_resource_event(str(event.get("body")))
                )
                if picture is not None:
                    out["body"] = picture["sha256"]
                    yield from self._yield_resource_once((str(picture["sha256"]), picture))
            elif kind == "screen":
                for made in self._screens.mask_screen(event, out):
                    yield from self._yield_resource_once((str(made["sha256"]), made))
        self._boxes.apply_event(event, out)
        if out is not None and (
            kind != "screen" or find_event_problem(out) is None
        ):  # a screen becomes valid when its pictures are masked
            yield out

    def _yield_resource_once(self, resource: tuple[str, Event] | None) -> Iterator[Event]:
        if resource is not None and resource[0] not in self._written:
            self._written.add(resource[0])
            yield resource[1]


class CheckpointDigests:
    """Computes the digests of checkpoints again, from the masked events.

    ``equal`` is not changed: it says whether the recording matched the page, and masking does not affect that.
    """

    def __init__(self) -> None:
        self._model = PageModel()
        self.count = 0
        """Number of checkpoints whose digest was computed."""

    def update_checkpoints(self, events: Iterable[Event]) -> Iterator[Event]:
        """Yield the masked events, each checkpoint with the digest of the masked document."""
        for event in events:
            self._model.apply(event)
            if event.get("k") == "checkpoint":
                document = self._model.documents.get(cast(int, event.get("d")))
                if document is not None:
                    event["digest"], event["nodes"] = document.compute_digest()
                    self.count += 1
            yield event
