"""The events of docs/format.md as types. :mod:`.kinds` has the table of their kinds.

Inside pagereel events are plain dicts. A type says what each field may contain, and through the field's own type
(see :mod:`.fields`) what a redaction does with it.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from .fields import (
    DROPPED,
    PLAIN,
    Address,
    Age,
    AgentName,
    Attributes,
    Body,
    Boxes,
    Called,
    Chunks,
    Code,
    Count,
    Detail,
    Digest,
    DocumentNumber,
    Duration,
    EventNumber,
    Free,
    Hash,
    Headers,
    Id,
    Kept,
    Key,
    Length,
    MaskedTexts,
    Media,
    Method,
    Money,
    Name,
    Names,
    NodeId,
    Nodes,
    Number,
    Operation,
    Ops,
    Owner,
    PageNumber,
    Params,
    Parts,
    Place,
    Preference,
    Queries,
    Ratio,
    RequestId,
    Resource,
    Sheets,
    Side,
    Size,
    Stack,
    Status,
    Text,
    Time,
    Tree,
    Value,
    Viewport,
    Whole,
    Word,
    Words,
    through,
)
from .looks import ViewportSample

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""Any JSON value."""

Event = dict[str, Json]
"""One line of a reel. ``k`` is its kind, ``t`` its time in ms on the recording's clock."""

FORMAT: Final = 2
"""The format that this pagereel writes, and the newest that it can read."""

Seen = Annotated[ViewportSample, through("look")]


class _Event(Struct, kw_only=True):
    t: Time


class _Message(_Event, kw_only=True):
    """A document's message: `n` counts its messages from 0."""

    d: DocumentNumber
    n: Count


# -- page events ------------------------------------------------------------------------------------------------------


class DocumentEvent(_Event, kw_only=True):
    d: DocumentNumber
    page: PageNumber
    frame: Word
    url: Address
    top: bool
    viewport: Viewport
    mode: Word
    scheme: Preference | None = None
    motion: Preference | None = None
    media: Queries | None = None
    title: Words | None = None
    referrer: Address | None = None
    restored: DocumentNumber | None = None


class EmbedEvent(_Event, kw_only=True):
    d: DocumentNumber
    parent: DocumentNumber
    node: Number


class SnapshotEvent(_Message, kw_only=True):
    ops: Ops
    why: Word
    age: Age | None = None


class MutationEvent(_Message, kw_only=True):
    ops: Ops


class PointerEvent(_Message, kw_only=True):
    points: Annotated[list[tuple[Length, Length, Length]], Meta(max_length=10_000)]
    type: Word


class MouseEvent(_Message, kw_only=True):
    type: Word
    node: NodeId
    x: Length
    y: Length
    button: int


class KeyEvent(_Message, kw_only=True):
    type: Word
    node: NodeId
    key: Key | None
    mods: Word


class ViewportEvent(_Message, kw_only=True):
    w: Size
    h: Size
    dpr: Ratio
    scheme: Preference | None = None
    motion: Preference | None = None
    media: Queries | None = None


class LocationEvent(_Message, kw_only=True):
    url: Address


class VisibilityEvent(_Message, kw_only=True):
    state: Word


class UnloadEvent(_Message, kw_only=True):
    pass


class CheckpointEvent(_Message, kw_only=True):
    digest: Digest
    nodes: Nodes
    equal: bool | None = None
    detail: Free = None
    look: Seen | None = None


# -- run events -------------------------------------------------------------------------------------------------------


class ReelEvent(_Event, kw_only=True):
    format: Number
    started: Annotated[float, Meta(ge=0, le=1e14)] | None = None
    id: Id | None = None
    recorder: Names | None = None
    browser: Names | None = None
    python: Kept | None = None
    platform: Kept | None = None
    agent: Words | None = None
    metadata: Tree = None
    title: Words | None = None
    options: Tree = None
    imported: Names | None = None
    clip: Names | None = None
    expires: Kept | None = None
    trace: Id | None = None
    parent: Id | None = None
    tenant: Owner | None = None
    user: Owner | None = None


class PartEvent(_Event, kw_only=True):
    part: Number
    id: Id
    by: Word
    end: Time
    agent: AgentName | None = None
    started: Annotated[float, Meta(ge=0, le=1e14)] | None = None
    parent: Id | None = None
    moved: Duration | None = None


class HandedOnEvent(_Event, kw_only=True):
    id: EventNumber
    span: Id
    step: EventNumber | None = None
    agent: AgentName | None = None


class VersionEvent(_Event, kw_only=True):
    what: Called
    sha256: Id
    step: EventNumber | None = None
    agent: AgentName | None = None
    name: Called | None = None
    value: Tree = None


class PageEvent(_Event, kw_only=True):
    page: PageNumber
    event: Word
    opener: PageNumber | None = None
    url: Address | None = None
    agent: AgentName | None = None


class ConsoleEvent(_Event, kw_only=True):
    page: PageNumber
    level: Word
    text: Words
    source: Word | None = None
    d: DocumentNumber | None = None
    args: Tree = None
    url: Address | None = None
    line: int | None = None
    column: int | None = None


class ErrorEvent(_Event, kw_only=True):
    page: PageNumber
    message: Words
    stack: Stack | None = None


class DialogEvent(_Event, kw_only=True):
    page: PageNumber
    type: Word
    message: Words
    default: Value | None = None


class DownloadEvent(_Event, kw_only=True):
    page: PageNumber
    url: Address
    filename: Value


class RequestEvent(_Event, kw_only=True):
    id: RequestId
    page: PageNumber
    method: Method
    url: Address
    type: Word
    headers: Headers
    frame: Word | None = None
    d: DocumentNumber | None = None
    post: Resource | None = None
    cut: Word | None = None


class ResponseEvent(_Event, kw_only=True):
    id: RequestId
    status: int
    headers: Headers
    end: Time
    size: Count
    d: DocumentNumber | None = None
    url: Address | None = None
    status_text: Status | None = None
    mime: Media | None = None
    from_: Word | None = msgspec.field(default=None, name="from")
    timing: Annotated[Free, through(PLAIN)] = None
    body: Resource | None = None
    why: Word | None = None
    error: Code | None = None
    chunks: Chunks | None = None
    masked: MaskedTexts | None = None


class MessageEvent(_Event, kw_only=True):
    id: RequestId
    sent: bool
    size: Count
    name: Called | None = None
    body: Resource | None = None
    why: Word | None = None


class ResourceEvent(_Event, kw_only=True):
    sha256: Resource
    mime: Name
    size: Count
    text: Body | None = None
    base64: Body | None = None
    shared: bool = False


class AliasEvent(_Event, kw_only=True):
    page: PageNumber
    url: Address
    body: Resource


class StepEvent(_Event, kw_only=True):
    id: EventNumber
    title: Words
    parent: EventNumber | None = None
    reasoning: Words | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class StepEndEvent(_Event, kw_only=True):
    id: EventNumber
    success: bool | None = None
    message: Words | None = None
    error: Words | None = None
    attributes: Attributes | None = None
    source: Place = None


class LlmEvent(_Event, kw_only=True):
    id: EventNumber
    step: EventNumber | None = None
    model: Called | None = None
    provider: Called | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Money | None = None
    duration: Duration | None = None
    prompt: Tree = None
    response: Tree = None
    attributes: Attributes | None = None
    api: Called | None = None
    said: Parts | None = None
    tools: Parts | None = None
    parameters: Tree = None
    reasoning: Words | None = None
    finish: Called | None = None
    error: Words | None = None
    first_token: Duration | None = None
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    prices: Names | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class SaidEvent(_Event, kw_only=True):
    id: EventNumber
    role: Called
    content: Tree


class WireEvent(_Event, kw_only=True):
    id: EventNumber
    method: Method
    url: Address
    status: int
    whole: bool
    headers: Headers
    end: Time | None = None
    call: EventNumber | None = None
    form: Word | None = None
    sent: Annotated[list[str | EventNumber], Meta(max_length=200_000)] | None = None
    runs: Annotated[list[Annotated[list[int], Meta(max_length=3)]], Meta(max_length=200_000)] | None = None
    sent_body: Resource | None = None
    sent_mime: Media | None = None
    mime: Media | None = None
    got: Free = None
    body: Resource | None = None
    why: Text | None = None


class ToolCallEvent(_Event, kw_only=True):
    id: EventNumber
    name: Called
    step: EventNumber | None = None
    llm: EventNumber | None = None
    arguments: Tree = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class ToolResultEvent(_Event, kw_only=True):
    id: EventNumber
    call: EventNumber | None = None
    result: Tree = None
    error: Words | None = None
    duration: Duration | None = None
    said: EventNumber | None = None
    path: Annotated[list[Word | Count], Meta(max_length=20)] | None = None


class MemoryEvent(_Event, kw_only=True):
    id: EventNumber
    op: Operation
    step: EventNumber | None = None
    key: Words | None = None
    value: Tree = None
    agent: AgentName | None = None


class NoteEvent(_Event, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    source: Place = None


class AskEvent(_Event, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None


class AnswerEvent(_Event, kw_only=True):
    id: EventNumber
    ask: EventNumber | None
    text: Words
    step: EventNumber | None = None
    by: Words | None = None
    agent: AgentName | None = None


class ArtifactEvent(_Event, kw_only=True):
    id: EventNumber
    name: Called
    size: Count
    step: EventNumber | None = None
    mime: Media | None = None
    body: Resource | None = None
    why: Word | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None


class ScoreEvent(_Event, kw_only=True):
    id: EventNumber
    name: Called
    value: Annotated[float, Meta(ge=-1e12, le=1e12)]
    step: EventNumber | None = None
    text: Words | None = None
    agent: AgentName | None = None


class OutcomeEvent(_Event, kw_only=True):
    id: EventNumber
    success: bool
    step: EventNumber | None = None
    text: Words | None = None
    agent: AgentName | None = None


class AgentMessageEvent(_Event, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    agent: AgentName | None = None
    to: AgentName | None = None
    attributes: Attributes | None = None


class MarkEvent(_Event, kw_only=True):
    name: Words


class PictureEvent(_Event, kw_only=True):
    d: DocumentNumber
    page: PageNumber
    body: Resource


class ScreenshotEvent(_Event, kw_only=True):
    id: EventNumber
    label: Words
    body: Resource
    step: EventNumber | None = None
    page: PageNumber | None = None
    boxes: Boxes | None = None
    attributes: Tree = None
    duplicate_of: EventNumber | None = None
    agent: AgentName | None = None


class ScreenEvent(_Event, kw_only=True):
    id: EventNumber
    w: Side
    h: Side
    agent: AgentName | None = None
    step: EventNumber | None = None
    base: EventNumber | None = None
    sheets: Sheets | None = None
    parts: Annotated[list[tuple[Whole, Whole, Side, Side, Whole, Whole, Whole]], Meta(max_length=40_000)] | None = None
    cursor: Annotated[tuple[Length, Length], through("point")] | None = None
    action: Annotated[Free, through("action")] = None
    window: Words | None = None
    visible: Boxes | None = None
    attributes: Tree = None
    why: Word | None = None
    digest: Annotated[Hash | None, through(DROPPED)] = None


class PlacesOf(Struct):
    """The places of readable text in one document, or why they are unknown."""

    d: DocumentNumber
    n: Count = 0
    end: Count = 0
    w: Size = 0
    h: Size = 0
    items: Annotated[list[Annotated[list[Whole], Meta(min_length=6, max_length=100_000)]], Meta(max_length=5_000)] = []
    frames: Annotated[list[tuple[Whole, Length, Length, Length, Length]], Meta(max_length=5_000)] = []
    why: Text | None = None


class PlacesEvent(_Event, kw_only=True):
    screenshot: EventNumber
    documents: Annotated[list[PlacesOf], Meta(max_length=10_000)]
    page: PageNumber | None = None


class CallEvent(_Event, kw_only=True):
    id: EventNumber
    title: Words
    method: Word
    step: EventNumber | None = None
    page: PageNumber | None = None
    params: Params = None
    locator: Code | None = None
    duration: Duration | None = None
    error: Words | None = None
    source: Place = None
    call: Word | None = None
    log: Words | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class GapEvent(_Event, kw_only=True):
    reason: Word
    page: PageNumber | None = None
    d: DocumentNumber | None = None
    detail: Detail = None
    count: Count | None = None


class StallEvent(_Event, kw_only=True):
    late: Duration
    over: Duration | None = None
    page: PageNumber | None = None
    d: DocumentNumber | None = None


class UnsupportedEvent(_Event, kw_only=True):
    what: Word
    d: DocumentNumber | None = None
    node: NodeId | None = None
    detail: Free = None


class RedactionEvent(_Event, kw_only=True):
    policy: Word
    report: Free = None


class ThinnedEvent(_Event, kw_only=True):
    tier: Word
    when: Word
    sha256: Word


class EndEvent(_Event, kw_only=True):
    reason: Word
    events: Count
