"""The base types of all events of docs/format.md.

Inside pagereel events are plain dicts. Their types are in :mod:`.page_events`, :mod:`.browser_events`,
:mod:`.agent_events`, :mod:`.picture_events` and :mod:`.recording_events`, and the table of their kinds is in
:mod:`.kinds`. A type says which values each field may contain and, through the field's own type (see
:mod:`.event_fields`), how a redaction treats it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from .event_fields import Count, DocumentNumber, Time

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""Any JSON value."""

Event = dict[str, Json]
"""One line of a reel. ``k`` is its kind, ``t`` its time in ms on the recording's clock."""

FORMAT: Final = 2
"""The format that this pagereel writes, and the newest that it can read."""


class BaseEvent(Struct, kw_only=True):
    """The base type of all events."""

    t: Time


class DocumentMessage(BaseEvent, kw_only=True):
    """The base type of a document's messages. `n`: the message's number in its document, from 0."""

    d: DocumentNumber
    n: Count
