"""The table of the kinds of events: their fields, their origin, and what each room does with them.

A new kind is a type in :mod:`.events` and a row here. The recorder's check of page messages, the redaction, the
build, clips, readings and the export to rrweb use this table; ``tests/house/test_kinds.py`` checks that the player
and docs/format.md agree with it.

Where events enter (from a page, from a file), :func:`problem` checks one: types, ranges and sizes must match its
type, so that later code need not check. Unknown kinds and unknown fields pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import msgspec
from msgspec import Struct

from ..errors import ReelError
from . import events as e
from .events import Event
from .limits import DEPTH
from .ops import too_deep, wrong_ops
from .screens import wrong_screen


@dataclass(frozen=True)
class Kind:
    """One kind of event."""

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
    "document": Kind(e.DocumentEvent, "script", "page", "page", read=True, state=True, rrweb="model"),
    "embed": Kind(e.EmbedEvent, "recorder", "page", "page", state=True, rrweb="model"),
    "snapshot": Kind(e.SnapshotEvent, "script", "page", "page", state=True, rrweb="model"),
    "mutation": Kind(e.MutationEvent, "script", "page", "page", state=True, rrweb="model"),
    "pointer": Kind(e.PointerEvent, "script", "page", "page", rrweb="live"),
    "mouse": Kind(e.MouseEvent, "script", "page", "page", rrweb="live"),
    "key": Kind(e.KeyEvent, "script", "page", "page"),
    "viewport": Kind(e.ViewportEvent, "script", "page", "page", state=True, rrweb="live"),
    "location": Kind(e.LocationEvent, "script", "page", "page", state=True, rrweb="custom"),
    "visibility": Kind(e.VisibilityEvent, "script", "page", unseen=True),
    "unload": Kind(e.UnloadEvent, "script", "page"),
    "checkpoint": Kind(e.CheckpointEvent, "script", "page", "checks", unseen=True),
    # The browser's facts on the page
    "page": Kind(e.PageEvent, "recorder", "run", read=True, state=True),
    "console": Kind(e.ConsoleEvent, "recorder", "run", "console", read=True, rrweb="console"),
    "error": Kind(e.ErrorEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "dialog": Kind(e.DialogEvent, "recorder", "run", "console", read=True, rrweb="custom"),
    "download": Kind(e.DownloadEvent, "recorder", "run", "console", read=True),
    "request": Kind(e.RequestEvent, "recorder", "run", "network", read=True, unseen=True),
    "response": Kind(e.ResponseEvent, "recorder", "run", "network", read=True, unseen=True),
    "message": Kind(e.MessageEvent, "recorder", "run", "network", read=True, unseen=True),
    "resource": Kind(e.ResourceEvent, "recorder"),
    "alias": Kind(e.AliasEvent, "recorder"),
    # The run
    "step": Kind(e.StepEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "step_end": Kind(e.StepEndEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "llm": Kind(e.LlmEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "said": Kind(e.SaidEvent, "agent", "run", "story", read=True),
    "tool_call": Kind(e.ToolCallEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "tool_result": Kind(e.ToolResultEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "memory": Kind(e.MemoryEvent, "agent", "run", "story", read=True),
    "note": Kind(e.NoteEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "ask": Kind(e.AskEvent, "agent", "run", "story", read=True),
    "answer": Kind(e.AnswerEvent, "agent", "run", "story", read=True),
    "artifact": Kind(e.ArtifactEvent, "agent", "run", "story", read=True),
    "score": Kind(e.ScoreEvent, "agent", "run", "story", read=True),
    "outcome": Kind(e.OutcomeEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "agent_message": Kind(e.AgentMessageEvent, "agent", "run", "story", read=True),
    "mark": Kind(e.MarkEvent, "agent", "run", "story", read=True, rrweb="custom"),
    "screenshot": Kind(e.ScreenshotEvent, "agent", "run", "story", read=True),
    "screen": Kind(e.ScreenEvent, "agent", "run", "story", read=True),
    "call": Kind(e.CallEvent, "recorder", "run", "story", read=True, rrweb="custom"),
    "picture": Kind(e.PictureEvent, "recorder", "run", "checks", redacted="dropped"),
    "places": Kind(e.PlacesEvent, "recorder", redacted="dropped"),
    "wire": Kind(e.WireEvent, "recorder", redacted="dropped"),
    "version": Kind(e.VersionEvent, "agent", "run", "story", read=True),
    "handed_on": Kind(e.HandedOnEvent, "agent", "run", read=True, unseen=True),
    # The recording
    "reel": Kind(e.ReelEvent, "writer"),
    "part": Kind(e.PartEvent, "writer", "run", read=True, unseen=True),
    "gap": Kind(e.GapEvent, "recorder", "run", "gaps", read=True),
    "stall": Kind(e.StallEvent, "recorder", "run", read=True, unseen=True),
    "unsupported": Kind(e.UnsupportedEvent, "script", "run", "gaps", read=True),
    "redaction": Kind(e.RedactionEvent, "redaction", redacted="anew", state=True),
    "thinned": Kind(e.ThinnedEvent, "writer", state=True),
    "end": Kind(e.EndEvent, "writer"),
}
"""Every kind of event in a reel. (``frame`` lines belong to the file and are not events.)"""

MESSAGES: Final = frozenset(name for name, kind in KINDS.items() if issubclass(kind.type, e._Message))
"""The kinds that are a document's messages: they have the fields ``d`` and ``n``."""

_PLAIN: Final = {
    name: frozenset(field.encode_name for field in msgspec.structs.fields(kind.type) if "object" not in str(field.type))
    | {"k"}
    for name, kind in KINDS.items()
}
"""Fields whose type is never deep, so that their depth need not be measured. ``ops`` are checked separately."""


def kinds(**wanted: object) -> frozenset[str]:
    """Return the names of the kinds whose row has all these values: ``kinds(built="run")``."""
    return frozenset(
        name for name, kind in KINDS.items() if all(getattr(kind, column) == value for column, value in wanted.items())
    )


def problem(event: Event) -> str | None:
    """Return the first problem of an event, in a few words without values, or ``None``.

    Costs about two microseconds, and for trees about a tenth of one for each node.
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
    """Raise ReelError, with the problem in its message, for an event that does not follow docs/format.md."""
    wrong = problem(event)
    if wrong is not None:
        raise ReelError(f"An event does not follow the format: {wrong}.")
