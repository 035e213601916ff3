"""Holds what the recorder knows about a request until it can write the event of the response."""

from __future__ import annotations

from dataclasses import dataclass, field

from pagereel.reel import Event

from .received_body import ReceivedBody
from .script_source import ScriptSource


@dataclass(slots=True)
class OpenExchange:
    """A request whose response event is not written yet."""

    id: int
    kind: str = ""
    url: str = ""
    document: int | None = None
    mime: str = ""
    response: Event = field(default_factory=dict)
    cached: bool = False
    page: int = 0
    part: tuple[int, int] | None = None
    """First byte of a partial response, and the length of the whole resource."""
    version: str = ""
    cookies: list[str] = field(default_factory=list)
    """Cookies set by the response, or by a redirect whose own event was already written."""
    blob: tuple[ScriptSource, str] | None = None
    """The blob: URL that is loaded, and its document."""
    messages: int = 0
    """Number of messages on this connection."""
    came: ReceivedBody | None = None
    """The received pieces of the response, where they are recorded as they arrive."""
    limit: int = 0
    """Largest number of body bytes that are kept."""
    unwritten: list[Event] = field(default_factory=list)
    """The request, and its response if it has come, while the request's body is unknown."""
