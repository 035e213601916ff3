"""Types of the events about the recording itself: its header, its parts, its gaps, its redaction, its end."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from .event_fields import (
    AgentName,
    AnyJson,
    Count,
    Detail,
    DocumentNumber,
    Duration,
    Id,
    KeptName,
    Names,
    NodeId,
    Number,
    Owner,
    PageNumber,
    Time,
    Tree,
    Word,
    Words,
)
from .events import BaseEvent


class ReelEvent(BaseEvent, kw_only=True):
    format: Number
    started: Annotated[float, Meta(ge=0, le=1e14)] | None = None
    id: Id | None = None
    recorder: Names | None = None
    browser: Names | None = None
    python: KeptName | None = None
    platform: KeptName | None = None
    agent: Words | None = None
    metadata: Tree = None
    title: Words | None = None
    options: Tree = None
    imported: Names | None = None
    clip: Names | None = None
    expires: KeptName | None = None
    trace: Id | None = None
    parent: Id | None = None
    tenant: Owner | None = None
    user: Owner | None = None


class JoinedPartEvent(BaseEvent, kw_only=True):
    part: Number
    id: Id
    by: Word
    end: Time
    agent: AgentName | None = None
    started: Annotated[float, Meta(ge=0, le=1e14)] | None = None
    parent: Id | None = None
    moved: Duration | None = None


class GapEvent(BaseEvent, kw_only=True):
    reason: Word
    page: PageNumber | None = None
    d: DocumentNumber | None = None
    detail: Detail = None
    count: Count | None = None


class StallEvent(BaseEvent, kw_only=True):
    late: Duration
    over: Duration | None = None
    page: PageNumber | None = None
    d: DocumentNumber | None = None


class UnsupportedEvent(BaseEvent, kw_only=True):
    what: Word
    d: DocumentNumber | None = None
    node: NodeId | None = None
    detail: AnyJson = None


class RedactionEvent(BaseEvent, kw_only=True):
    policy: Word
    report: AnyJson = None


class ThinnedByRetentionEvent(BaseEvent, kw_only=True):
    tier: Word
    when: Word
    sha256: Word


class EndEvent(BaseEvent, kw_only=True):
    reason: Word
    events: Count
