"""Types of the events that a browser causes: pages, the console, dialogs, downloads, requests, and their bodies."""

from __future__ import annotations

from typing import Annotated

import msgspec

from .event_fields import (
    PLAIN,
    Address,
    AgentName,
    AnyJson,
    Body,
    Chunks,
    Code,
    Count,
    DocumentNumber,
    Headers,
    MaskedTexts,
    Media,
    Method,
    Name,
    PageNumber,
    ProgramName,
    RequestId,
    Resource,
    Stack,
    Status,
    Time,
    Tree,
    Value,
    Word,
    Words,
    annotate_with_channel,
)
from .events import BaseEvent


class PageEvent(BaseEvent, kw_only=True):
    page: PageNumber
    event: Word
    opener: PageNumber | None = None
    url: Address | None = None
    agent: AgentName | None = None


class ConsoleEvent(BaseEvent, kw_only=True):
    page: PageNumber
    level: Word
    text: Words
    source: Word | None = None
    d: DocumentNumber | None = None
    args: Tree = None
    url: Address | None = None
    line: int | None = None
    column: int | None = None


class ErrorEvent(BaseEvent, kw_only=True):
    page: PageNumber
    message: Words
    stack: Stack | None = None


class DialogEvent(BaseEvent, kw_only=True):
    page: PageNumber
    type: Word
    message: Words
    default: Value | None = None


class DownloadEvent(BaseEvent, kw_only=True):
    page: PageNumber
    url: Address
    filename: Value


class RequestEvent(BaseEvent, kw_only=True):
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


class ResponseEvent(BaseEvent, kw_only=True):
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
    timing: Annotated[AnyJson, annotate_with_channel(PLAIN)] = None
    body: Resource | None = None
    why: Word | None = None
    error: Code | None = None
    chunks: Chunks | None = None
    masked: MaskedTexts | None = None


class SocketMessageEvent(BaseEvent, kw_only=True):
    id: RequestId
    sent: bool
    size: Count
    name: ProgramName | None = None
    body: Resource | None = None
    why: Word | None = None


class ResourceEvent(BaseEvent, kw_only=True):
    sha256: Resource
    mime: Name
    size: Count
    text: Body | None = None
    base64: Body | None = None
    shared: bool = False


class BlobAliasEvent(BaseEvent, kw_only=True):
    page: PageNumber
    url: Address
    body: Resource
