"""The table of the kinds of events: their fields, their origin, and what each package does with them.

A new kind is a type in one of the modules that :mod:`.events` names and a row here. The recorder's check of page
messages, the redaction, the build, clips, readings and the export to rrweb use this table;
``tests/house/test_kinds.py`` checks that the player and docs/format.md agree with it.

Where events come in (from a page, from a file), :func:`problem` checks each: types, ranges and sizes must match its
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
from .events import Event, PageMessage
from .limits import DEPTH
from .ops import too_deep, wrong_ops
from .screens import wrong_screen


@dataclass(frozen=True)
class Kind:
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


KINDS: Final[dict[str, Kind]] = {
    # The page
    "document": Kind(page_events.DocumentEvent, "script", "page", "page", read=True, state=True, rrweb="model"),
    "embed": Kind(page_events.EmbedEvent, "recorder", "page", "page", state=True, rrweb="model"),
    "snapshot": Kind(page_events.SnapshotEvent, "script", "page", "page", state=True, rrweb="model"),
    "mutation": Kind(page_events.MutationEvent, "script", "page", "page", state=True, rrweb="model"),
    "pointer": Kind(page_events.PointerEvent, "script", "page", "page", rrweb="live"),
    "mouse": Kind(page_events.MouseEvent, "script", "page", "page", rrweb="live"),
    "key": Kind(page_events.KeyEvent, "script", "page", "page"),
    "viewport": Kind(page_events.ViewportEvent, "script", "page", "page", state=True, rrweb="live"),
    "location": Kind(page_events.LocationEvent, "script", "page", "page", state=True, rrweb="custom"),
    "visibility": Kind(page_events.VisibilityEvent, "script", "page", unseen=True),
    "unload": Kind(page_events.UnloadEvent, "script", "page"),
    "checkpoint": Kind(page_events.CheckpointEvent, "script", "page", "checks", unseen=True),
    # The browser's facts on the page
    "page": Kind(browser_events.PageEvent, "recorder", "run", read=True, state=True),
    "console": Kind(browser_events.ConsoleEvent, "recorder", "run", "console", read=True, rrweb="console"),
    "error": Kind(browser_events.ErrorEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "dialog": Kind(browser_events.DialogEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "download": Kind(browser_events.DownloadEvent, "recorder", "run", "console", read=True),
    "request": Kind(browser_events.RequestEvent, "recorder", "run", "network", read=True, unseen=True),
    "response": Kind(browser_events.ResponseEvent, "recorder", "run", "network", read=True, unseen=True),
    "message": Kind(browser_events.MessageEvent, "recorder", "run", "network", read=True, unseen=True),
    "resource": Kind(browser_events.ResourceEvent, "recorder"),
    "alias": Kind(browser_events.AliasEvent, "recorder"),
    # The run
    "step": Kind(agent_events.StepEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "step_end": Kind(agent_events.StepEndEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "llm": Kind(agent_events.LlmEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "said": Kind(agent_events.SaidEvent, "agent", "run", "story", read=True),
    "tool_call": Kind(agent_events.ToolCallEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "tool_result": Kind(agent_events.ToolResultEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "memory": Kind(agent_events.MemoryEvent, "agent", "run", "story", read=True),
    "note": Kind(agent_events.NoteEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "ask": Kind(agent_events.AskEvent, "agent", "run", "story", read=True),
    "answer": Kind(agent_events.AnswerEvent, "agent", "run", "story", read=True),
    "artifact": Kind(agent_events.ArtifactEvent, "agent", "run", "story", read=True),
    "score": Kind(agent_events.ScoreEvent, "agent", "run", "story", read=True),
    "outcome": Kind(agent_events.OutcomeEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "agent_message": Kind(agent_events.AgentMessageEvent, "agent", "run", "story", read=True),
    "mark": Kind(agent_events.MarkEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "screenshot": Kind(picture_events.ScreenshotEvent, "agent", "run", "story", read=True),
    "screen": Kind(picture_events.ScreenEvent, "agent", "run", "story", read=True),
    "call": Kind(agent_events.CallEvent, "recorder", "run", "story", read=True, rrweb="custom"),
    "picture": Kind(picture_events.PictureEvent, "recorder", "run", "checks", redacted="dropped"),
    "places": Kind(picture_events.PlacesEvent, "recorder", redacted="dropped"),
    "wire": Kind(agent_events.WireEvent, "recorder", redacted="dropped"),
    "version": Kind(agent_events.VersionEvent, "agent", "run", "story", read=True),
    "handed_on": Kind(agent_events.HandedOnEvent, "agent", "run", read=True, unseen=True),
    # The recording
    "reel": Kind(recording_events.ReelEvent, "writer"),
    "part": Kind(recording_events.PartEvent, "writer", "run", read=True, unseen=True),
    "gap": Kind(recording_events.GapEvent, "recorder", "run", "gaps", read=True),
    "stall": Kind(recording_events.StallEvent, "recorder", "run", read=True, unseen=True),
    "unsupported": Kind(recording_events.UnsupportedEvent, "script", "run", "gaps", read=True),
    "redaction": Kind(recording_events.RedactionEvent, "redaction", redacted="anew", state=True),
    "thinned": Kind(recording_events.ThinnedEvent, "writer", state=True),
    "end": Kind(recording_events.EndEvent, "writer"),
}
"""Every kind of event in a reel. (``frame`` lines belong to the file and are not events.)"""

MESSAGES: Final = frozenset(name for name, kind in KINDS.items() if issubclass(kind.type, PageMessage))
"""The kinds that are a document's messages: they have the fields ``d`` and ``n``."""

_PLAIN: Final = {
    name: frozenset(field.encode_name for field in msgspec.structs.fields(kind.type) if "object" not in str(field.type))
    | {"k"}
    for name, kind in KINDS.items()
}
"""Fields whose type is never deep, so that their depth need not be measured. ``ops`` are checked separately."""


def end_of(event: Mapping[str, Any]) -> float:
    """Return the time in ms at which an event ends: for a call its end, for any other event its time."""
    lasts = event.get("duration") if event["k"] == "call" else None
    return float(event.get("t") or 0) + (lasts if isinstance(lasts, int | float) else 0)


def kinds(**wanted: object) -> frozenset[str]:
    """Return the names of the kinds of events whose row has all these values: ``kinds(built="run")``."""
    return frozenset(
        name for name, kind in KINDS.items() if all(getattr(kind, column) == value for column, value in wanted.items())
    )


def problem(event: Event) -> str | None:
    """Return the first problem of an event, in a few words without values, or ``None`` if it is valid.

    This takes about two microseconds, and for trees about a tenth of one for each node.
    """
    name = event.get("k")
    if type(name) is not str:
        return "an event without a kind"
    kind = KINDS.get(name)
    if kind is None:
        return f"{name[:40]}: nested deeper than {DEPTH}" if too_deep(event) else None
    try:
        msgspec.convert(event, kind.type)
    except msgspec.ValidationError as error:
        return f"{name}: {error}"[:300]
    except RecursionError:
        return f"{name}: nested deeper than {DEPTH}"
    for field in event.keys() - _PLAIN[name]:
        if field == "ops":
            wrong = wrong_ops(event["ops"])
            if wrong is not None:
                return f"{name}: {wrong}"
        elif too_deep(event[field]):
            return f"{name}: {field[:40]} is nested deeper than {DEPTH}"
    wrong = wrong_screen(event) if name == "screen" else None
    return None if wrong is None else f"{name}: {wrong}"


def validate(event: Event) -> None:
    """Raise ReelError for an event that does not follow docs/format.md; the message is the problem."""
    wrong = problem(event)
    if wrong is not None:
        raise ReelError(f"An event does not follow the format: {wrong}.")
