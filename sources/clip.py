"""Writes a part of a recording as a recording of its own, without anything from before or after the part.

The clip begins with the state of the pages at its start (:func:`pagereel.reel.build_state_events`) and the resources that they
use. Steps, calls and requests that cross its start or end are cut there, which their field ``cut`` says: ``before``,
``after`` or ``both``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from pagereel.durations import format_duration
from pagereel.errors import SetupError, UsageError
from pagereel.reel import (
    BESIDE_PICTURE,
    MESSAGES,
    Event,
    Json,
    PageModel,
    Reel,
    ReelWriter,
    ScreenComposer,
    build_resource_event,
    build_state_events,
    create_screen_encoder,
    find_base_address,
    pick_header_fields,
    to_absolute_address,
)

from .referenced_addresses import (
    iter_addresses_in_document,
    iter_addresses_in_ops,
    iter_resource_hashes,
    iter_wanted_responses,
    list_responses_by_address,
)

if TYPE_CHECKING:
    from pagereel.reel import ScreenEncoder

_CONSTANT: Final = ("redaction", "thinned", "part", "version")
"""Kinds that say something of the whole recording."""
_LEFT_OUT: Final = ("wire", "places", "handed_on", "resource", "alias")
_BEGUN_BEFORE: Final = ("title", "method", "id", "step", "page", "agent", "call", "model", "provider", "name", "llm")
"""What stays of a call that began before the part, or ended after it: not what it was given, nor what came of it."""


_OPEN: Final = {
    "step": ("k", "id", "title", "parent", "agent"),
    "request": ("k", "id", "page", "method", "url", "type", "frame", "d"),
    "tool_call": ("k", *_BEGUN_BEFORE),
}
"""What lasts until another event ends it, and what of it stays where it began before the part."""


def _find_end_times(reel: Reel) -> dict[str, dict[str, float]]:
    """Return the end times of steps, requests and tool calls in ms, by kind and id. Those that never ended are missing."""
    ends: dict[str, dict[str, float]] = {kind: {} for kind in _OPEN}
    for event in reel.events(("step_end", "response", "tool_result")):
        kind, t = event["k"], _to_number(event.get("t"))
        if kind == "step_end":
            ends["step"][str(event.get("id"))] = t
        elif kind == "tool_result":
            ends["tool_call"][str(event.get("call"))] = t
        else:
            ends["request"][str(event.get("id"))] = max(t, _to_number(event.get("end")))
    return ends


def write_clip(reel: Reel, target: Path, start: float, end: float | None) -> None:
    """Write the part of a recording between `start` and `end` (ms) to `target`, on a clock that begins at `start`.

    :param end: None: up to the recording's end.
    :raises UsageError: the recording ends before `start`. SetupError: it has screens, and Pillow or NumPy is not
    installed.
    """
    with reel.path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    header = pick_header_fields(reel.header)
    if isinstance(began := header.get("started"), int | float):
        header["started"] = began + start
    clip = _ClipBuilder(reel, start, float("inf") if end is None else end)
    to = min(clip.end, max((_to_number(event.get("t")) for event in reel.events()), default=0.0))
    if start > to:
        raise UsageError(
            f"A part from {format_duration(start)} on is empty; the recording ends at {format_duration(to)}."
        )
    header["clip"] = {"from": round(start, 1), "to": round(to, 1), "of": sha256}
    with ReelWriter(target, header, flush_ms=60_000) as writer:
        for event in clip.iter_events():
            writer.write(event)
        for event in clip.iter_resources():
            writer.write(event)
        ended = reel.reason if clip.reaches_end and reel.closed else "clip"
        writer.close(ended, at=round(max(0.0, to - start), 1))


class _ClipBuilder:
    """Builds the clip of one recording: a first pass over the recording yields the clip's events, a second one the
    resources that they use.
    """

    def __init__(self, reel: Reel, start: float, end: float) -> None:
        self.start, self.end = start, end
        self.reaches_end = True
        self._reel = reel
        self._model = PageModel()
        self._over = _find_end_times(reel)
        self._known: set[object] = set()
        """Documents that the part has."""
        self._open: dict[str, dict[str, Event]] = {kind: {} for kind in _OPEN}
        """What has begun, by kind and id, and is not over, before the part begins."""
        self._said: set[object] = set()
        """Ids of messages to models that the part has."""
        self._hashes: set[str] = set()
        self._named: set[tuple[int, str, float]] = set()
        """Page, address and time of what pages of the part name."""
        self._screens = _ClipScreens(reel, start)

    def iter_events(self) -> Iterator[Event]:
        """Yield the events of the clip, on its clock; their resources come afterwards."""
        begun = False
        for event in self._reel.timeline():
            t = _to_number(event.get("t"))
            if not begun and t >= self.start:
                begun = True
                yield from self._shift_to_clip_clock(self._iter_initial_events())
            if t > self.end and not (event["k"] == "checkpoint" and t == self.end):
                self.reaches_end = self.reaches_end and event["k"] == "end"
                yield from self._shift_to_clip_clock(self._iter_model_call_over_end(event))
                continue
            self._model.apply(event)
            yield from self._shift_to_clip_clock(
                self._convert_event_in_clip(event) if begun else self._read_event_before_clip(event)
            )
        if not begun:
            yield from self._shift_to_clip_clock(self._iter_initial_events())

    def _shift_to_clip_clock(self, events: Iterator[Event]) -> Iterator[Event]:
        """Yield events with their times on the clip's clock, and remember the resources that they use."""
        for event in events:
            self._hashes.update(iter_resource_hashes(event))
            moved = {**event, "t": round(max(0.0, _to_number(event.get("t")) - self.start), 1)}
            if event["k"] == "response" and "end" in event:
                moved["end"] = round(max(0.0, _to_number(event["end"]) - self.start), 1)
            yield moved

    # -- before it ---------------------------------------------------------------------------------------------------------

    def _read_event_before_clip(self, event: Event) -> Iterator[Event]:
        """Read an event from before the clip's start, and remember the steps, calls and requests that are still open at
        the start. Yield events that hold for the whole recording, and calls that end inside the clip.
        """
        kind, id = str(event["k"]), str(event.get("id"))
        if kind in self._open:
            self._open[kind][id] = event
        elif kind == "step_end":
            self._open["step"].pop(id, None)
        elif kind == "response":
            self._open["request"].pop(id, None)
        elif kind == "tool_result":
            self._open["tool_call"].pop(str(event.get("call")), None)
        elif kind in _CONSTANT:
            yield {name: value for name, value in event.items() if name != "value"}
        elif kind == "call" and self._find_end_time(event) > self.start:
            yield self._cut_call(event, self.start, min(self.end, self._find_end_time(event)))
        elif kind == "screen":
            self._screens.read_screen_before_clip(event)

    def _iter_initial_events(self) -> Iterator[Event]:
        """Yield the state of the pages when the clip starts, and the steps, calls and requests that are open then."""
        for event in build_state_events(self._model, self.start):
            if event["k"] == "document":
                self._known.add(event["d"])
                self._remember_addresses_in_document(cast(int, event["d"]))
            yield event
        yield from self._screens.iter_initial_screen()
        for kind, open_ in self._open.items():
            for id, event in open_.items():
                kept = _pick_fields(event, *_OPEN[kind]) | ({"headers": {}} if kind == "request" else {})
                if str(kept.get("parent")) not in self._open["step"]:
                    kept.pop("parent", None)
                over = self._over[kind].get(id, float("inf"))
                yield {**kept, "t": self.start, "cut": "both" if over > self.end else "before"}

    def _remember_addresses_in_document(self, document_number: int) -> None:
        """Remember all addresses in a document when the clip starts."""
        document = self._model.documents[document_number]
        base = find_base_address(self._model, document)
        for address in iter_addresses_in_document(document):
            self._named.add((document.page, to_absolute_address(base, address).partition("#")[0], self.start))

    # -- within it ---------------------------------------------------------------------------------------------------------

    def _convert_event_in_clip(self, event: Event) -> Iterator[Event]:
        kind = str(event["k"])
        if kind in _LEFT_OUT or kind in ("reel", "end"):
            return
        if kind == "document":
            self._known.add(event["d"])
            event = {name: value for name, value in event.items() if name != "restored"}
        elif kind == "embed" and event.get("parent") not in self._known:
            return
        if kind in MESSAGES or kind in ("embed", "picture"):
            if event.get("d") not in self._known:
                return
            self._remember_addresses_in_event(event)
        match kind:
            case "call":
                over = self._find_end_time(event)
                yield event if over <= self.end else self._cut_call(event, _to_number(event["t"]), self.end)
            case "llm":
                yield self._cut_model_call(event)
            case "said":
                self._said.add(event.get("id"))
                yield event
            case "tool_result":
                yield {name: value for name, value in event.items() if name != "said" or value in self._said}
            case "step" | "request" | "tool_call":
                over = self._over[kind].get(str(event.get("id")), 0.0)
                yield {**event, "cut": "after"} if over > self.end else event
            case "screen":
                yield from self._screens.recompose_screen(event)
            case "pointer":
                yield self._cut_pointer_moves(event)
            case _:
                yield event

    def _cut_pointer_moves(self, event: Event) -> Event:
        """Return a pointer event without the moves after the clip."""
        points, t = event.get("points"), _to_number(event.get("t"))
        if not isinstance(points, list):
            return event
        return {
            **event,
            "points": [p for p in points if isinstance(p, list) and p and t + _to_number(p[0]) <= self.end],
        }

    def _remember_addresses_in_event(self, event: Event) -> None:
        document = self._model.documents.get(cast(int, event["d"]))
        if document is None or "ops" not in event:
            return
        base, t = find_base_address(self._model, document), _to_number(event.get("t"))
        for address in iter_addresses_in_ops(event["ops"]):
            self._named.add((document.page, to_absolute_address(base, address).partition("#")[0], t))

    def _cut_model_call(self, event: Event) -> Event:
        """Return a model call without the messages from before the clip, because a model call is recorded when its answer
        arrives.
        """
        duration, t = _to_number(event.get("duration")), _to_number(event["t"])
        kept = dict(event)
        whole = True
        for name in ("said", "tools"):
            if isinstance(parts := kept.get(name), list):
                left = [part for part in parts if not isinstance(part, int) or part in self._said]
                whole = whole and len(left) == len(parts)
                kept[name] = left
        if t - duration < self.start:
            kept = {name: value for name, value in kept.items() if name not in ("prompt", "said", "tools")}
            kept["duration"] = t - self.start
            whole = False
        return kept if whole else {**kept, "cut": "before"}

    # -- after it ----------------------------------------------------------------------------------------------------------

    def _iter_model_call_over_end(self, event: Event) -> Iterator[Event]:
        """Yield a model call that began inside the clip and was answered after its end, without the answer."""
        began = _to_number(event["t"]) - _to_number(event.get("duration"))
        if event["k"] == "llm" and began < self.end:
            yield self._cut_call({**event, "t": began}, max(began, self.start), self.end, t=self.end)

    def _find_end_time(self, event: Event) -> float:
        return _to_number(event["t"]) + _to_number(event.get("duration"))

    def _cut_call(self, event: Event, start: float, end: float, *, t: float | None = None) -> Event:
        """Return a call that crosses the clip's start or end, without the parts of its content that are from outside
        the clip.
        """
        before, after = _to_number(event["t"]) < self.start, self._find_end_time(event) > self.end
        kept = _pick_fields(event, "k", *_BEGUN_BEFORE, *(() if before else ("locator",)))
        return {
            **kept,
            "t": start if t is None else t,
            "duration": round(end - start, 1),
            "cut": "both" if before and after else "before" if before else "after",
        }

    # -- bytes -------------------------------------------------------------------------------------------------------------

    def iter_resources(self) -> Iterator[Event]:
        """Yield the resources of the clip: first an ``alias`` event for each address that was loaded before the clip's
        start, then each content once.
        """
        mimes = {str(e["sha256"]): str(e.get("mime") or "") for e in self._reel.events(("resource",))}
        used = self._hashes
        done: set[tuple[int, str, str]] = set()
        for page, url, answered, body in iter_wanted_responses(
            self._reel, list_responses_by_address(self._reel), self._named, mimes
        ):
            if answered > self.end:
                continue
            used.add(body)
            if answered <= self.start and (page, url, body) not in done:
                done.add((page, url, body))
                yield {"k": "alias", "t": 0.0, "page": max(page, 1), "url": url, "body": body}
        for event in self._reel.events(("resource",)):
            if str(event["sha256"]) in used:
                used.discard(str(event["sha256"]))
                yield {**{name: value for name, value in event.items() if name != "shared"}, "t": 0.0}
        yield from self._screens.contents.values()


class _ClipScreens:
    """The screens of a clip: each is composed from the earlier screens that it is based on, and stored again without
    them.
    """

    def __init__(self, reel: Reel, start: float) -> None:
        self.contents: dict[str, Event] = {}
        self._start = start
        self._last: Event | None = None
        self._composer = ScreenComposer(reel.resource)
        self._keeper: ScreenEncoder | None = None

    def read_screen_before_clip(self, event: Event) -> None:
        self._composer.add_event(event)
        self._last = event

    def iter_initial_screen(self) -> Iterator[Event]:
        """Yield the screen that is visible when the clip starts."""
        if self._last is not None:
            plain = {name: value for name, value in self._last.items() if name not in BESIDE_PICTURE}
            yield self._compose_and_store_screen({**plain, "t": self._start})

    def recompose_screen(self, event: Event) -> Iterator[Event]:
        self._composer.add_event(event)
        yield self._compose_and_store_screen(event)

    def _get_encoder(self) -> ScreenEncoder:
        if self._keeper is None:
            try:
                self._keeper = create_screen_encoder(self._store_content)
            except ModuleNotFoundError as error:
                raise SetupError(
                    f"A clip of a recording with screens needs {error.name}; run 'pip install \"pagereel[screens]\"'."
                ) from None
        return self._keeper

    def _store_content(self, content: bytes, mime: str) -> str:
        event = build_resource_event(content, mime)
        sha256 = str(event["sha256"])
        self.contents[sha256] = event
        return sha256

    def _compose_and_store_screen(self, event: Event) -> Event:
        number = cast(int, event["id"])
        encoder = self._get_encoder()
        picture = self._composer.compose_picture(number)
        kept = {name: value for name, value in event.items() if name not in ("base", "sheets", "parts", "digest")}
        made = encoder.store_screen(number, picture) if picture is not None else None
        return {**kept, **made} if made is not None else {**kept, "why": "clip"}


def _pick_fields(event: Event, *names: str) -> Event:
    return {name: event[name] for name in names if name in event}


def _to_number(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
