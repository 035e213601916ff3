"""The events of docs/format.md as types, each kind once, and the check of events that come from outside.

Inside pagereel events travel as plain dicts. Where they enter (from a page, from a file), :func:`problem` says what
is wrong with one: types, ranges and sizes are held to what stands here, so that no later code has to ask. Unknown
kinds and unknown fields pass.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ..errors import ReelError
from .looks import Look
from .ops import DEPTH_LIMIT, too_deep, wrong_ops

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""What JSON can say."""

Event = dict[str, Json]
"""One line of a reel. ``k`` is its kind, ``t`` its time in ms on the recording's clock."""

FORMAT: Final = 1
"""The format that this pagereel writes, and the newest that it reads."""

Time = Annotated[float, Meta(ge=-1e12, le=1e12)]
Duration = Annotated[float, Meta(ge=0, le=1e12)]
Length = Annotated[float, Meta(ge=-1e9, le=1e9)]
Whole = Annotated[int, Meta(ge=-(2**31), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
NodeId = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, Meta(max_length=1024)]
Text = Annotated[str, Meta(max_length=16 << 20)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{8}$")]
Body = Annotated[str, Meta(max_length=160 << 20)]
Free = object
"""Any JSON, no deeper than ``DEPTH_LIMIT``."""


class Viewport(Struct):
    w: Annotated[float, Meta(ge=0, le=1e9)]
    h: Annotated[float, Meta(ge=0, le=1e9)]
    dpr: Annotated[float, Meta(gt=0, le=1000)]


class _Event(Struct, kw_only=True):
    t: Time


class _Message(_Event, kw_only=True):
    """What a document says: `n` counts its messages from 0."""

    d: Number
    n: Count


# -- page events ------------------------------------------------------------------------------------------------------


class DocumentEvent(_Event, kw_only=True):
    d: Number
    page: Number
    frame: Name
    url: Text
    top: bool
    viewport: Viewport
    mode: Name
    scheme: Name | None = None
    motion: Name | None = None
    media: Annotated[list[Name], Meta(max_length=32)] | None = None
    title: Text | None = None
    referrer: Text | None = None


class EmbedEvent(_Event, kw_only=True):
    d: Number
    parent: Number
    node: Number


class SnapshotEvent(_Message, kw_only=True):
    ops: list[object]
    why: Name
    age: Duration | None = None


class MutationEvent(_Message, kw_only=True):
    ops: list[object]


class PointerEvent(_Message, kw_only=True):
    points: Annotated[list[tuple[Length, Length, Length]], Meta(max_length=100_000)]
    type: Name


class MouseEvent(_Message, kw_only=True):
    type: Name
    node: NodeId
    x: Length
    y: Length
    button: int


class KeyEvent(_Message, kw_only=True):
    type: Name
    node: NodeId
    key: Name | None
    mods: Name


class ViewportEvent(_Message, kw_only=True):
    w: Annotated[float, Meta(ge=0, le=1e9)]
    h: Annotated[float, Meta(ge=0, le=1e9)]
    dpr: Annotated[float, Meta(gt=0, le=1000)]
    scheme: Name | None = None
    motion: Name | None = None
    media: Annotated[list[Name], Meta(max_length=32)] | None = None


class LocationEvent(_Message, kw_only=True):
    url: Text


class VisibilityEvent(_Message, kw_only=True):
    state: Name


class UnloadEvent(_Message, kw_only=True):
    pass


class CheckpointEvent(_Message, kw_only=True):
    digest: Digest
    nodes: Count
    equal: bool | None = None
    detail: Free = None
    look: Look | None = None


# -- run events -------------------------------------------------------------------------------------------------------


class ReelEvent(_Event, kw_only=True):
    format: Number
    started: Annotated[float, Meta(ge=0, le=1e14)] | None = None
    recorder: dict[str, Free] | None = None
    browser: dict[str, Free] | None = None
    python: Name | None = None
    platform: Name | None = None
    agent: Text | None = None
    metadata: Free = None
    title: Text | None = None
    options: Free = None


class PageEvent(_Event, kw_only=True):
    page: Number
    event: Name
    opener: Number | None = None
    url: Text | None = None


class ConsoleEvent(_Event, kw_only=True):
    page: Number
    level: Name
    text: Text
    source: Name | None = None
    d: Number | None = None
    args: Free = None
    url: Text | None = None
    line: int | None = None
    column: int | None = None


class ErrorEvent(_Event, kw_only=True):
    page: Number
    message: Text
    stack: Text | None = None


class DialogEvent(_Event, kw_only=True):
    page: Number
    type: Name
    message: Text
    default: Text | None = None


class DownloadEvent(_Event, kw_only=True):
    page: Number
    url: Text
    filename: Text


class RequestEvent(_Event, kw_only=True):
    id: Name | Count
    page: Number
    method: Name
    url: Text
    type: Name
    headers: dict[str, Text]
    frame: Name | None = None
    d: Number | None = None
    post: Hash | None = None


class ResponseEvent(_Event, kw_only=True):
    id: Name | Count
    status: int
    headers: dict[str, Text]
    end: Time
    size: Count
    d: Number | None = None
    url: Text | None = None
    status_text: Text | None = None
    mime: Name | None = None
    from_: Name | None = msgspec.field(default=None, name="from")
    timing: Free = None
    body: Hash | None = None
    why: Name | None = None
    error: Text | None = None


class ResourceEvent(_Event, kw_only=True):
    sha256: Hash
    mime: Name
    size: Count
    text: Body | None = None
    base64: Body | None = None
    shared: bool = False


class AliasEvent(_Event, kw_only=True):
    page: Number
    url: Text
    body: Hash


class StepEvent(_Event, kw_only=True):
    id: Number
    title: Text
    parent: Number | None = None
    reasoning: Text | None = None
    attributes: dict[str, Free] | None = None


class StepEndEvent(_Event, kw_only=True):
    id: Number
    success: bool | None = None
    message: Text | None = None
    error: Text | None = None
    attributes: dict[str, Free] | None = None


class LlmEvent(_Event, kw_only=True):
    id: Number
    step: Number | None = None
    model: Text | None = None
    provider: Text | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Annotated[float, Meta(ge=0, le=1e9)] | None = None
    duration: Duration | None = None
    prompt: Free = None
    response: Free = None
    attributes: dict[str, Free] | None = None


class ToolCallEvent(_Event, kw_only=True):
    id: Number
    name: Text
    step: Number | None = None
    arguments: Free = None
    attributes: dict[str, Free] | None = None


class ToolResultEvent(_Event, kw_only=True):
    id: Number
    call: Number | None = None
    result: Free = None
    error: Text | None = None
    duration: Duration | None = None


class MemoryEvent(_Event, kw_only=True):
    id: Number
    op: Name
    step: Number | None = None
    key: Text | None = None
    value: Free = None


class NoteEvent(_Event, kw_only=True):
    id: Number
    text: Text
    step: Number | None = None
    attributes: dict[str, Free] | None = None


class MarkEvent(_Event, kw_only=True):
    name: Text


class PictureEvent(_Event, kw_only=True):
    d: Number
    page: Number
    body: Hash


class ScreenshotEvent(_Event, kw_only=True):
    id: Number
    label: Text
    body: Hash
    step: Number | None = None
    page: Number | None = None
    boxes: list[list[Length | Text]] | None = None
    attributes: Free = None


class PlacesOf(Struct):
    """Where what can be read stood in one document, or why that is not known."""

    d: Number
    n: Count = 0
    end: Count = 0
    w: Annotated[float, Meta(ge=0, le=1e9)] = 0
    h: Annotated[float, Meta(ge=0, le=1e9)] = 0
    items: Annotated[list[Annotated[list[Whole], Meta(min_length=6, max_length=100_000)]], Meta(max_length=5_000)] = []
    frames: Annotated[list[tuple[Whole, Length, Length, Length, Length]], Meta(max_length=5_000)] = []
    why: Text | None = None


class PlacesEvent(_Event, kw_only=True):
    screenshot: Number
    documents: Annotated[list[PlacesOf], Meta(max_length=10_000)]
    page: Number | None = None


class CallEvent(_Event, kw_only=True):
    id: Number
    title: Text
    method: Name
    step: Number | None = None
    page: Number | None = None
    params: Free = None
    locator: Text | None = None
    duration: Duration | None = None
    error: Text | None = None
    source: Free = None


class GapEvent(_Event, kw_only=True):
    reason: Name
    page: Number | None = None
    d: Number | None = None
    detail: Free = None
    count: Count | None = None


class UnsupportedEvent(_Event, kw_only=True):
    what: Name
    d: Number | None = None
    node: NodeId | None = None
    detail: Free = None


class RedactionEvent(_Event, kw_only=True):
    policy: Name
    report: Free = None


class EndEvent(_Event, kw_only=True):
    reason: Name
    events: Count


KINDS: Final[dict[str, type[Struct]]] = {
    "document": DocumentEvent,
    "embed": EmbedEvent,
    "snapshot": SnapshotEvent,
    "mutation": MutationEvent,
    "pointer": PointerEvent,
    "mouse": MouseEvent,
    "key": KeyEvent,
    "viewport": ViewportEvent,
    "location": LocationEvent,
    "visibility": VisibilityEvent,
    "unload": UnloadEvent,
    "checkpoint": CheckpointEvent,
    "reel": ReelEvent,
    "page": PageEvent,
    "console": ConsoleEvent,
    "error": ErrorEvent,
    "dialog": DialogEvent,
    "download": DownloadEvent,
    "request": RequestEvent,
    "response": ResponseEvent,
    "resource": ResourceEvent,
    "alias": AliasEvent,
    "step": StepEvent,
    "step_end": StepEndEvent,
    "llm": LlmEvent,
    "tool_call": ToolCallEvent,
    "tool_result": ToolResultEvent,
    "memory": MemoryEvent,
    "note": NoteEvent,
    "mark": MarkEvent,
    "screenshot": ScreenshotEvent,
    "picture": PictureEvent,
    "places": PlacesEvent,
    "call": CallEvent,
    "gap": GapEvent,
    "unsupported": UnsupportedEvent,
    "redaction": RedactionEvent,
    "end": EndEvent,
}
"""Every kind of event in a reel and the type that holds it. (``frame`` lines belong to the file and are no events.)"""

MESSAGES: Final = frozenset(kind for kind, struct in KINDS.items() if issubclass(struct, _Message))
"""The kinds that are a document's messages: they have ``d`` and ``n``."""

_PLAIN: Final = {
    kind: frozenset(field.encode_name for field in msgspec.structs.fields(struct) if "object" not in str(field.type))
    for kind, struct in KINDS.items()
}
"""The fields whose type leaves no room for depth, so that it need not be measured. ``ops`` are checked on their own."""


def problem(event: Event) -> str | None:
    """What is wrong with an event, in a few words without its data's values, or ``None``.

    Costs about two microseconds, and for trees about a tenth of one for each node.
    """
    kind = event.get("k")
    if type(kind) is not str:
        return "an event without a kind"
    struct = KINDS.get(kind)
    if struct is None:
        return f"{kind[:40]}: nested deeper than {DEPTH_LIMIT}" if too_deep(event) else None
    try:
        msgspec.convert(event, struct)
    except msgspec.ValidationError as error:
        return f"{kind}: {error}"[:300]
    except RecursionError:
        return f"{kind}: nested deeper than {DEPTH_LIMIT}"
    plain = _PLAIN[kind]
    for name, value in event.items():
        if name in plain or type(value) is str:
            continue
        if name == "ops":
            wrong = wrong_ops(value)
            if wrong is not None:
                return f"{kind}: {wrong}"
        elif name != "k" and too_deep(value):
            return f"{kind}: {name[:40]} is nested deeper than {DEPTH_LIMIT}"
    return None


def validate(event: Event) -> None:
    """Raises ReelError, with what is wrong in its message, for an event that does not follow docs/format.md."""
    wrong = problem(event)
    if wrong is not None:
        raise ReelError(f"An event does not follow the format: {wrong}.")
