"""Types of the events of a document: its beginning, its tree and changes, input, checkpoints.

The injector sends most of them. The page model computes the state of pages from them (see docs/format.md).
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from .event_fields import (
    Address,
    Age,
    AnyJson,
    Digest,
    DocumentNumber,
    Key,
    Length,
    NodeId,
    Nodes,
    Number,
    Ops,
    PageNumber,
    Preference,
    Queries,
    Ratio,
    Size,
    Viewport,
    Word,
    Words,
    annotate_with_channel,
)
from .events import BaseEvent, DocumentMessage
from .layout_samples import ViewportSample


class DocumentEvent(BaseEvent, kw_only=True):
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


class IframeEmbedEvent(BaseEvent, kw_only=True):
    d: DocumentNumber
    parent: DocumentNumber
    node: Number


class SnapshotEvent(DocumentMessage, kw_only=True):
    ops: Ops
    why: Word
    age: Age | None = None


class MutationEvent(DocumentMessage, kw_only=True):
    ops: Ops


class PointerEvent(DocumentMessage, kw_only=True):
    points: Annotated[list[tuple[Length, Length, Length]], Meta(max_length=10_000)]
    type: Word


class MouseEvent(DocumentMessage, kw_only=True):
    type: Word
    node: NodeId
    x: Length
    y: Length
    button: int


class KeyEvent(DocumentMessage, kw_only=True):
    type: Word
    node: NodeId
    key: Key | None
    mods: Word


class ViewportEvent(DocumentMessage, kw_only=True):
    w: Size
    h: Size
    dpr: Ratio
    scheme: Preference | None = None
    motion: Preference | None = None
    media: Queries | None = None


class LocationEvent(DocumentMessage, kw_only=True):
    url: Address


class VisibilityEvent(DocumentMessage, kw_only=True):
    state: Word


class UnloadEvent(DocumentMessage, kw_only=True):
    pass


class CheckpointEvent(DocumentMessage, kw_only=True):
    digest: Digest
    nodes: Nodes
    equal: bool | None = None
    detail: AnyJson = None
    look: Annotated[ViewportSample, annotate_with_channel("look")] | None = None
