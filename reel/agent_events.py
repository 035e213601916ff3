"""Types of the events that a script or an agent causes: steps, calls, messages, notes, scores, artifacts."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from .event_fields import (
    Address,
    AgentName,
    AnyJson,
    Attributes,
    Code,
    Count,
    Duration,
    EventNumber,
    EventNumbers,
    Headers,
    Id,
    Media,
    Method,
    Money,
    Names,
    Operation,
    PageNumber,
    Params,
    ProgramName,
    Resource,
    SourceLocation,
    Text,
    Time,
    Tree,
    Word,
    Words,
)
from .events import BaseEvent


class StepEvent(BaseEvent, kw_only=True):
    id: EventNumber
    title: Words
    parent: EventNumber | None = None
    reasoning: Words | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class StepEndEvent(BaseEvent, kw_only=True):
    id: EventNumber
    success: bool | None = None
    message: Words | None = None
    error: Words | None = None
    attributes: Attributes | None = None
    source: SourceLocation = None


class LlmEvent(BaseEvent, kw_only=True):
    id: EventNumber
    step: EventNumber | None = None
    model: ProgramName | None = None
    provider: ProgramName | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Money | None = None
    duration: Duration | None = None
    prompt: Tree = None
    response: Tree = None
    attributes: Attributes | None = None
    api: ProgramName | None = None
    said: EventNumbers | None = None
    tools: EventNumbers | None = None
    parameters: Tree = None
    reasoning: Words | None = None
    finish: ProgramName | None = None
    error: Words | None = None
    first_token: Duration | None = None
    cached_tokens: Count | None = None
    cache_write_tokens: Count | None = None
    reasoning_tokens: Count | None = None
    prices: Names | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class ModelMessageEvent(BaseEvent, kw_only=True):
    id: EventNumber
    role: ProgramName
    content: Tree


class ModelExchangeEvent(BaseEvent, kw_only=True):
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
    got: AnyJson = None
    body: Resource | None = None
    why: Text | None = None


class ToolCallEvent(BaseEvent, kw_only=True):
    id: EventNumber
    name: ProgramName
    step: EventNumber | None = None
    llm: EventNumber | None = None
    arguments: Tree = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class ToolResultEvent(BaseEvent, kw_only=True):
    id: EventNumber
    call: EventNumber | None = None
    result: Tree = None
    error: Words | None = None
    duration: Duration | None = None
    said: EventNumber | None = None
    path: Annotated[list[Word | Count], Meta(max_length=20)] | None = None


class MemoryEvent(BaseEvent, kw_only=True):
    id: EventNumber
    op: Operation
    step: EventNumber | None = None
    key: Words | None = None
    value: Tree = None
    agent: AgentName | None = None


class NoteEvent(BaseEvent, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None
    source: SourceLocation = None


class AskEvent(BaseEvent, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None


class AnswerEvent(BaseEvent, kw_only=True):
    id: EventNumber
    ask: EventNumber | None
    text: Words
    step: EventNumber | None = None
    by: Words | None = None
    agent: AgentName | None = None


class AgentMessageEvent(BaseEvent, kw_only=True):
    id: EventNumber
    text: Words
    step: EventNumber | None = None
    agent: AgentName | None = None
    to: AgentName | None = None
    attributes: Attributes | None = None


class ArtifactEvent(BaseEvent, kw_only=True):
    id: EventNumber
    name: ProgramName
    size: Count
    step: EventNumber | None = None
    mime: Media | None = None
    body: Resource | None = None
    why: Word | None = None
    attributes: Attributes | None = None
    agent: AgentName | None = None


class ScoreEvent(BaseEvent, kw_only=True):
    id: EventNumber
    name: ProgramName
    value: Annotated[float, Meta(ge=-1e12, le=1e12)]
    step: EventNumber | None = None
    text: Words | None = None
    agent: AgentName | None = None


class OutcomeEvent(BaseEvent, kw_only=True):
    id: EventNumber
    success: bool
    step: EventNumber | None = None
    text: Words | None = None
    agent: AgentName | None = None


class MarkEvent(BaseEvent, kw_only=True):
    name: Words


class CallEvent(BaseEvent, kw_only=True):
    id: EventNumber
    title: Words
    method: Word
    step: EventNumber | None = None
    page: PageNumber | None = None
    params: Params = None
    locator: Code | None = None
    duration: Duration | None = None
    error: Words | None = None
    source: SourceLocation = None
    call: Word | None = None
    log: Words | None = None
    agent: AgentName | None = None
    cut: Word | None = None


class TraceHandOverEvent(BaseEvent, kw_only=True):
    id: EventNumber
    span: Id
    step: EventNumber | None = None
    agent: AgentName | None = None


class VersionEvent(BaseEvent, kw_only=True):
    what: ProgramName
    sha256: Id
    step: EventNumber | None = None
    agent: AgentName | None = None
    name: ProgramName | None = None
    value: Tree = None
