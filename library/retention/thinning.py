"""Thins a recording to the pages at the ends of its steps, the screenshots, and the agent's words and actions.

No byte of the result is about what pages showed or requested between these moments. At each moment the pages begin
anew, as documents of their own; of the network only the style sheets, pictures and fonts of these pages are kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast

from pagereel.reel import (
    Event,
    Json,
    PageModel,
    Reel,
    ReelWriter,
    build_state_events,
    find_base_address,
    find_event_kinds,
    pick_header_fields,
    to_absolute_address,
)
from pagereel.sources import (
    iter_addresses_in_document,
    iter_resource_hashes,
    iter_wanted_responses,
    list_responses_by_address,
    open_any,
)

_SAID: Final = (find_event_kinds(by="agent") - {"screenshot", "screen"}) | {
    "call",
    "gap",
    "unsupported",
    "redaction",
    "thinned",
}
"""Kinds of events that are kept, without their references into pages."""
_POINTS: Final = ("d", "node", "n")
_QUOTES: Final[dict[str, tuple[str, ...]]] = {
    "call": ("params", "log", "locator"),
    "gap": ("detail",),
    "unsupported": ("detail",),
}
"""Kind → fields that quote pages, typed text, or addresses."""
_CLASS: Final = re.compile(r"[A-Z]\w*(?:Error|Exception)\b")


def thin_recording(source: Path, target: Path, *, thinned_at: str, expires: str | None) -> int:
    """Write the part of a recording that the tier ``steps`` keeps. Return the number of moments. The target is
    replaced atomically, or not touched.

    :param thinned_at: the time, for the ``thinned`` event. :param expires: for the header, ISO 8601.
    :raises ReelError: the source is no recording; LockedError: it is encrypted, and its key is not given.
    """
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    with source.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    try:
        with open_any(source) as reel:
            header = pick_header_fields(reel.header) | ({"expires": expires} if expires else {})
            with ReelWriter(temporary, header, flush_ms=60_000, encrypt_to=reel.encrypt_to or None) as writer:
                writer.write({"k": "thinned", "t": 0, "tier": "steps", "when": thinned_at, "sha256": sha256})
                thinner = _RecordingThinner(reel, find_step_ends(reel))
                for event in thinner.iter_events():
                    writer.write(event)
                for event in thinner.iter_resource_events():
                    writer.write(event)
                writer.write({"k": "gap", "t": 0, "reason": "thinned", "detail": {"moments": len(thinner.moments)}})
                writer.close(reel.reason, at=thinner.last)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return len(thinner.moments)


def is_thinned(source: Path) -> bool:
    """Return whether a recording was thinned."""
    with open_any(source) as reel:
        return next(iter(reel.events(("thinned",))), None) is not None


def find_step_ends(reel: Reel) -> list[float]:
    """Return the times at which steps ended, in ms, in order. The recording's end is added where a step never ended, or
    where there are no steps.
    """
    ended = {}
    begun: set[object] = set()
    last = 0.0
    for event in reel.events(("step", "step_end", "end")):
        if event["k"] == "step":
            begun.add(event.get("id"))
        elif event["k"] == "step_end":
            ended[event.get("id")] = _get_event_time(event)
        else:
            last = _get_event_time(event)
    if begun - ended.keys() or not ended:
        ended[None] = last or float("inf")
    return sorted(set(ended.values()))


class _RecordingThinner:
    """Selects the events that a thinned recording keeps: first call :meth:`iter_events`, then
    :meth:`iter_resource_events`.
    """

    def __init__(self, reel: Reel, moments: list[float]) -> None:
        self.moments = moments
        self.last = 0.0
        self._reel = reel
        self._model = PageModel()
        self._numbers = 0
        self._open: set[int] = set()
        """Pages whose opening event was written."""
        self._pictures: set[str] = set()
        self._asked: dict[tuple[int, str], list[float]] = defaultdict(list)
        """(page, address) → the moments at which the page refers to the address."""

    def iter_events(self) -> Iterator[Event]:
        """Yield the kept events, except resources."""
        waiting = list(self.moments)
        for event in self._reel.timeline():
            t = _get_event_time(event)
            while waiting and t > waiting[0]:
                yield from self._iter_page_events(waiting.pop(0))
            self.last = max(self.last, t)
            self._model.apply(event)
            kind = event["k"]
            if kind == "screenshot":
                self._pictures.add(str(event.get("body")))
                yield event
            elif kind == "screen":
                self._pictures.update(cast("list[str]", event.get("sheets") or []))
                yield event
            elif kind in _SAID:
                yield _drop_page_content(event)
        for moment in waiting:
            yield from self._iter_page_events(min(moment, self.last))

    def _iter_page_events(self, t: float) -> Iterator[Event]:
        """Yield the events of the pages that were open at a moment, as documents with new numbers."""
        numbers: dict[object, int] = {}
        for event in build_state_events(self._model, t):
            page = event.get("page")
            if event["k"] == "page":
                if page in self._open:
                    continue
                self._open.add(cast(int, page))
            elif event["k"] == "document":
                self._numbers += 1
                numbers[event["d"]] = self._numbers
                self._record_document_addresses(cast(int, event["d"]), cast(int, page), t)
            moved: Event = dict(event)
            for name in ("d", "parent"):
                if name in moved:
                    moved[name] = numbers[moved[name]]
            if event["k"] == "snapshot":
                moved["n"] = 0
                moved["ops"] = [
                    op for op in cast("list[list[Json]]", event["ops"]) if op[0] != "cues"
                ]  # captions that are shown later
                self._pictures.update(iter_resource_hashes(event["ops"]))
            yield moved
        for number in sorted(self._open - {page.number for page in self._model.pages.values() if page.open}):
            self._open.discard(number)
            yield {"k": "page", "t": t, "page": number, "event": "close"}

    def _record_document_addresses(self, document_number: int, page: int, t: float) -> None:
        """Note the addresses to which a document refers at a moment; :meth:`iter_resource_events` then yields their
        resources.
        """
        document = self._model.documents[document_number]
        base = find_base_address(self._model, document)
        for address in iter_addresses_in_document(document):
            self._asked[page, to_absolute_address(base, address).partition("#")[0]].append(t)

    def iter_resource_events(self) -> Iterator[Event]:
        """Yield a request, a response and the bytes for each resource that the kept pages and screenshots show."""
        mimes = {str(e["sha256"]): str(e.get("mime") or "") for e in self._reel.events(("resource",))}
        used = set(self._pictures)
        wanted = [(page, url, t) for (page, url), times in self._asked.items() for t in dict.fromkeys(times)]
        found = iter_wanted_responses(self._reel, list_responses_by_address(self._reel), wanted, mimes)
        for number, (page, url, answered, body) in enumerate(found, 1):
            used.add(body)
            id = f"kept-{number}"
            yield {
                "k": "request",
                "t": answered,
                "id": id,
                "page": max(page, 1),
                "method": "GET",
                "url": url,
                "type": "other",
                "headers": {},
            }
            yield {
                "k": "response",
                "t": answered,
                "id": id,
                "status": 200,
                "headers": {},
                "end": answered,
                "size": 0,
                "mime": mimes.get(body, ""),
                "body": body,
            }
        for event in self._reel.events(("resource",)):
            if str(event["sha256"]) in used:
                used.discard(str(event["sha256"]))
                yield {name: value for name, value in event.items() if name != "shared"}


def _drop_page_content(event: Event) -> Event:
    """Return an event without the fields that refer to pages or quote them.

    A Playwright call keeps its method, its place in the code, and the class of its error.
    """
    kind = str(event["k"])
    left = {name: value for name, value in event.items() if name not in (*_POINTS, *_QUOTES.get(kind, ()))}
    if kind == "call":
        left["title"] = str(event.get("method") or "")
        if isinstance(source := event.get("source"), dict):
            left["source"] = {name: value for name, value in source.items() if name != "code"}
    if kind in ("call", "step_end") and isinstance(error := event.get("error"), str):
        # After the first line of a step's error comes Playwright's log, which quotes the page.
        first = error.partition("\n")[0]
        left["error"] = first if kind == "step_end" else (_CLASS.match(first) or ["it failed"])[0]
    return left


def _get_event_time(event: Event) -> float:
    t: Json = event.get("t")
    return float(t) if isinstance(t, int | float) else 0.0
