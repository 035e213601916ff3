"""Types of the events that hold pictures, of a page or of a whole screen, and the positions of the text in them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .event_fields import (
    DROPPED,
    AgentName,
    AnyJson,
    Boxes,
    Count,
    DocumentNumber,
    EventNumber,
    Hash,
    Integer,
    Length,
    PageNumber,
    Resource,
    Sheets,
    Side,
    Size,
    Text,
    Tree,
    Word,
    Words,
    annotate_with_channel,
)
from .events import BaseEvent


class PictureEvent(BaseEvent, kw_only=True):
    d: DocumentNumber
    page: PageNumber
    body: Resource


class ScreenshotEvent(BaseEvent, kw_only=True):
    id: EventNumber
    label: Words
    body: Resource
    step: EventNumber | None = None
    page: PageNumber | None = None
    boxes: Boxes | None = None
    attributes: Tree = None
    duplicate_of: EventNumber | None = None
    agent: AgentName | None = None


class ScreenEvent(BaseEvent, kw_only=True):
    id: EventNumber
    w: Side
    h: Side
    agent: AgentName | None = None
    step: EventNumber | None = None
    base: EventNumber | None = None
    sheets: Sheets | None = None
    parts: (
        Annotated[list[tuple[Integer, Integer, Side, Side, Integer, Integer, Integer]], Meta(max_length=40_000)] | None
    ) = None
    cursor: Annotated[tuple[Length, Length], annotate_with_channel("point")] | None = None
    action: Annotated[AnyJson, annotate_with_channel("action")] = None
    window: Words | None = None
    visible: Boxes | None = None
    attributes: Tree = None
    why: Word | None = None
    digest: Annotated[Hash | None, annotate_with_channel(DROPPED)] = None


class DocumentTextPositions(Struct):
    """The positions of readable text in one document, or why they are unknown."""

    d: DocumentNumber
    n: Count = 0
    end: Count = 0
    w: Size = 0
    h: Size = 0
    items: Annotated[
        list[Annotated[list[Integer], Meta(min_length=6, max_length=100_000)]], Meta(max_length=5_000)
    ] = []
    frames: Annotated[list[tuple[Integer, Length, Length, Length, Length]], Meta(max_length=5_000)] = []
    why: Text | None = None


class TextPositionsEvent(BaseEvent, kw_only=True):
    screenshot: EventNumber
    documents: Annotated[list[DocumentTextPositions], Meta(max_length=10_000)]
    page: PageNumber | None = None
