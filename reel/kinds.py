"""The table of the kinds of events: their fields, their origin, and what each package does with them.

A new kind is a type in one of the modules that :mod:`.events` names and a row here. The recorder's check of page
messages, the redaction, the build, clips, readings and the export to rrweb use this table;
``tests/house/test_kinds.py`` checks that the player and docs/format.md agree with it.

Where events come in (from a page, from a file), :func:`find_event_problem` checks each: types, ranges and sizes must match its
type, so that later code need not check. Unknown kinds and unknown fields pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from ..errors import ReelError
from . import agent_events, browser_events, page_events, picture_events, recording_events
from .event_fields import AgentName
from .events import DocumentMessage, Event
from .limits import DEPTH
from .ops import find_ops_problem, is_too_deep
from .screens import find_screen_problem


@dataclass(frozen=True)
class EventKind:
    """One kind of event: its type, origin and use. A row of the table."""

    type: type[Struct]
    by: Literal["script", "recorder", "agent", "writer", "redaction"]
    """The event's origin: the injector in the page, the recorder, the run's own calls, the reel's writer, or a
    redaction.
    """
    built: Literal["page", "run", ""] = ""
    """The stream of a build that gets the event: of the page, which the player's page is made from, or of the run."""
    shows: Literal["page", "story", "console", "network", "gaps", "checks", ""] = ""
    """Where the player shows the event: in the page itself, or in a panel."""
    redacted: Literal["by field", "anew", "dropped"] = "by field"
    """What a redaction does with the event: it passes each field through its channel, writes the event anew, or drops
    it.
    """
    read: bool = False
    """Whether the readings of a recording use the event (``pagereel query``, ``mcp``, exports)."""
    state: bool = False
    """Whether the event is a part of the pages' state, so that later events depend on it."""
    unseen: bool = False
    """Whether the event has no visible effect: a stretch of only such events is idle."""
    rrweb: Literal["model", "live", "custom", "console", ""] = ""
    """How the export to rrweb writes the event: through the page model, by an event of rrweb's own, by a custom event,
    or not at all.
    """


KINDS: Final[dict[str, EventKind]] = {
    # The page
    "document": EventKind(page_events.DocumentEvent, "script", "page", "page", read=True, state=True, rrweb="model"),
    "embed": EventKind(page_events.IframeEmbedEvent, "recorder", "page", "page", state=True, rrweb="model"),
    "snapshot": EventKind(page_events.SnapshotEvent, "script", "page", "page", state=True, rrweb="model"),
    "mutation": EventKind(page_events.MutationEvent, "script", "page", "page", state=True, rrweb="model"),
    "pointer": EventKind(page_events.PointerEvent, "script", "page", "page", rrweb="live"),
    "mouse": EventKind(page_events.MouseEvent, "script", "page", "page", rrweb="live"),
    "key": EventKind(page_events.KeyEvent, "script", "page", "page"),
    "viewport": EventKind(page_events.ViewportEvent, "script", "page", "page", state=True, rrweb="live"),
    "location": EventKind(page_events.LocationEvent, "script", "page", "page", state=True, rrweb="custom"),
    "visibility": EventKind(page_events.VisibilityEvent, "script", "page", unseen=True),
    "unload": EventKind(page_events.UnloadEvent, "script", "page"),
    "checkpoint": EventKind(page_events.CheckpointEvent, "script", "page", "checks", unseen=True),
    # The browser's facts on the page
    "page": EventKind(browser_events.PageEvent, "recorder", "run", read=True, state=True),
    "console": EventKind(browser_events.ConsoleEvent, "recorder", "run", "console", read=True, rrweb="console"),
    "error": EventKind(browser_events.ErrorEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "dialog": EventKind(browser_events.DialogEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "download": EventKind(browser_events.DownloadEvent, "recorder", "run", "console", read=True),
    "request": EventKind(browser_events.RequestEvent, "recorder", "run", "network", read=True, unseen=True),
    "response": EventKind(browser_events.ResponseEvent, "recorder", "run", "network", read=True, unseen=True),
    "message": EventKind(browser_events.SocketMessageEvent, "recorder", "run", "network", read=True, unseen=True),
    "resource": EventKind(browser_events.ResourceEvent, "recorder"),
    "alias": EventKind(browser_events.BlobAliasEvent, "recorder"),
    # The run
    "step": EventKind(agent_events.StepEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "step_end": EventKind(agent_events.StepEndEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "llm": EventKind(agent_events.LlmEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "said": EventKind(agent_events.ModelMessageEvent, "agent", "run", "story", read=True),
    "tool_call": EventKind(agent_events.ToolCallEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "tool_result": EventKind(agent_events.ToolResultEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "memory": EventKind(agent_events.MemoryEvent, "agent", "run", "story", read=True),
    "note": EventKind(agent_events.NoteEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "ask": EventKind(agent_events.AskEvent, "agent", "run", "story", read=True),
    "answer": EventKind(agent_events.AnswerEvent, "agent", "run", "story", read=True),
    "artifact": EventKind(agent_events.ArtifactEvent, "agent", "run", "story", read=True),
    "score": EventKind(agent_events.ScoreEvent, "agent", "run", "story", read=True),
    "outcome": EventKind(agent_events.OutcomeEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "agent_message": EventKind(agent_events.AgentMessageEvent, "agent", "run", "story", read=True),
    "mark": EventKind(agent_events.MarkEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "screenshot": EventKind(picture_events.ScreenshotEvent, "agent", "run", "story", read=True),
    "screen": EventKind(picture_events.ScreenEvent, "agent", "run", "story", read=True),
    "call": EventKind(agent_events.CallEvent, "recorder", "run", "story", read=True, rrweb="custom"),
    "picture": EventKind(picture_events.PictureEvent, "recorder", "run", "checks", redacted="dropped"),
    "places": EventKind(picture_events.TextPositionsEvent, "recorder", redacted="dropped"),
    "wire": EventKind(agent_events.ModelExchangeEvent, "recorder", redacted="dropped"),
    "version": EventKind(agent_events.VersionEvent, "agent", "run", "story", read=True),
    "handed_on": EventKind(agent_events.TraceHandOverEvent, "agent", "run", read=True, unseen=True),
    # The recording
    "reel": EventKind(recording_events.ReelEvent, "writer"),
    "part": EventKind(recording_events.JoinedPartEvent, "writer", "run", read=True, unseen=True),
    "gap": EventKind(recording_events.GapEvent, "recorder", "run", "gaps", read=True),
    "stall": EventKind(recording_events.StallEvent, "recorder", "run", read=True, unseen=True),
    "unsupported": EventKind(recording_events.UnsupportedEvent, "script", "run", "gaps", read=True),
    "redaction": EventKind(recording_events.RedactionEvent, "redaction", redacted="anew", state=True),
    "thinned": EventKind(recording_events.ThinnedByRetentionEvent, "writer", state=True),
    "end": EventKind(recording_events.EndEvent, "writer"),
}
"""Every kind of event in a reel. (``frame`` lines belong to the file and are not events.)"""

MESSAGES: Final = frozenset(name for name, kind in KINDS.items() if issubclass(kind.type, DocumentMessage))
"""The kinds that are a document's messages: they have the fields ``d`` and ``n``."""

_FIELDS: Final = {name: msgspec.structs.fields(kind.type) for name, kind in KINDS.items()}

WITH_AGENT: Final = frozenset(
    name
    for name, fields in _FIELDS.items()
    if any(field.name == "agent" and field.type == AgentName | None for field in fields)
)
"""The kinds whose events name the agent that they belong to. A redaction drops the name from events of other kinds."""

_PLAIN: Final = {
    name: frozenset(field.encode_name for field in fields if "object" not in str(field.type)) | {"k"}
    for name, fields in _FIELDS.items()
}
"""Fields whose type is never deep, so that their depth need not be measured. ``ops`` are checked separately."""


def find_event_end_time(event: Mapping[str, Any]) -> float:
    """Return the time in ms at which an event ends: for a call its end, for any other event its time."""
    lasts = event.get("duration") if event["k"] == "call" else None
    return float(event.get("t") or 0) + (lasts if isinstance(lasts, int | float) else 0)


def find_event_kinds(**wanted: object) -> frozenset[str]:
    """Return the names of the kinds of events whose table rows have all these values: ``find_event_kinds(built="run")``."""
    return frozenset(
        name for name, kind in KINDS.items() if all(getattr(kind, column) == value for column, value in wanted.items())
    )


def find_event_problem(event: Event) -> str | None:
    """Return the first problem of an event, in a few words without its values; None if it is valid.

    This takes about two microseconds for an event, and about a tenth of a microsecond for each node in its trees.
    """
    name = event.get("k")
    if type(name) is not str:
        return "an event without a kind"
    kind = KINDS.get(name)
    if kind is None:
        return f"{name[:40]}: nested deeper than {DEPTH}" if is_too_deep(event) else None
    try:
        msgspec.convert(event, kind.type)
    except msgspec.ValidationError as error:
        return f"{name}: {error}"[:300]
    except RecursionError:
        return f"{name}: nested deeper than {DEPTH}"
    for field in event.keys() - _PLAIN[name]:
        if field == "ops":
            wrong = find_ops_problem(event["ops"])
            if wrong is not None:
                return f"{name}: {wrong}"
        elif is_too_deep(event[field]):
            return f"{name}: {field[:40]} is nested deeper than {DEPTH}"
    wrong = find_screen_problem(event) if name == "screen" else None
    return None if wrong is None else f"{name}: {wrong}"


def require_valid_event(event: Event) -> None:
    """Raise ReelError for an event that does not follow docs/format.md; the message is the problem."""
    wrong = find_event_problem(event)
    if wrong is not None:
        raise ReelError(f"An event does not follow the format: {wrong}.")
