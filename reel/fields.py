"""What the fields of events may hold, and which channel of the redaction each goes through.

A type says both, so that neither can be forgotten: :func:`channels_of` reads the channels off a kind's fields. Numbers
and booleans are ``plain``. A field whose type names no channel is dropped by a redaction.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from .limits import BODY_LENGTH, LATEST, NAME_LENGTH, TEXT_LENGTH

PLAIN: Final = "plain"
DROPPED: Final = "dropped"


def through(channel: str) -> Meta:
    """Return what says in a type that a redaction passes the field on through this channel."""
    return Meta(extra={"channel": channel})


# -- what has a channel only by where it stands ------------------------------------------------------------------------

Text = Annotated[str, Meta(max_length=TEXT_LENGTH)]
Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Body = Annotated[str, Meta(max_length=BODY_LENGTH)]
Free = object
"""Any JSON, no deeper than ``DEPTH`` of :mod:`.limits`."""

# -- numbers: plain --------------------------------------------------------------------------------------------------

Time = Annotated[float, Meta(ge=-LATEST, le=LATEST)]
"""ms on the recording's clock."""
Duration = Annotated[float, Meta(ge=0, le=LATEST)]
"""ms."""
Length = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""CSS px."""
Size = Annotated[float, Meta(ge=0, le=1e9)]
"""CSS px."""
Side = Annotated[int, Meta(ge=1, le=16_384)]
"""Pixels of a picture's side."""
Ratio = Annotated[float, Meta(gt=0, le=1000)]
"""Device pixels of a CSS pixel."""
Money = Annotated[float, Meta(ge=0, le=1e9)]
"""US dollars."""
Whole = Annotated[int, Meta(ge=-(2**31), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
"""An id that the recording counts from 1."""


def numbers(space: str) -> Meta:
    """Return what says in a type that it is a number of one recording: of its events, pages, documents or requests. Two that are joined need others."""
    return Meta(extra={"numbers": space})


EventNumber = Annotated[Number, numbers("event")]
"""The id of a step, a call, or something else that was told."""
PageNumber = Annotated[Number, numbers("page")]
DocumentNumber = Annotated[Number, numbers("document")]
Parts = Annotated[list[EventNumber], Meta(max_length=200_000)]
"""The numbers of what something is put together from, in order."""
NodeId = Annotated[int, Meta(ge=0, le=2**53)]
"""0: none."""

# -- words ---------------------------------------------------------------------------------------------------------------

Word = Annotated[Name, through(PLAIN)]
"""A word of the format's own, or an id of the browser's: passed on as it is."""
RequestId = Annotated[Word | Count, numbers("request")]
Kept = Annotated[Name, through("keep")]
"""Passed on, but for known values in it."""
Key = Annotated[Name, through("key")]
"""A key of the keyboard: one that has a name."""
Preference = Annotated[Name, through("preference")]
Queries = Annotated[list[Name], Meta(max_length=32), through("queries")]
Media = Annotated[Name, through("mime")]
Operation = Annotated[Name, through("operation")]
"""A known one, else read as text."""
Method = Annotated[Name, through("method")]
"""HTTP's, else masked."""
Words = Annotated[Text, through("text")]
"""What people read: personal data is looked for in it."""
Code = Annotated[Text, through("code")]
"""What programs say."""
AgentName = Annotated[str, Meta(min_length=1, max_length=200), through("code")]
"""Which of several agents it is. A name in a program, which is read as such: what is known from elsewhere and patterns are masked in it."""
Stack = Annotated[Text, through("stack")]
Called = Annotated[Text, through("called")]
"""What a program calls itself, or a part of it."""
Status = Annotated[Text, through("status")]
"""HTTP's words for one, else dropped."""
Address = Annotated[Text, through("url")]
Value = Annotated[Text, through("value")]
"""What somebody typed or chose: replaced whole."""

Owner = Annotated[Name, Meta(min_length=1), through("owner")]
"""Whose run it is: a tenant or a user, by a name or an id."""

# -- things --------------------------------------------------------------------------------------------------------------

Ops = Annotated[list[object], through("ops")]
Tree = Annotated[Free, through("json")]
"""Any JSON, read leaf by leaf."""
Attributes = Annotated[dict[str, Free], through("json")]
Params = Annotated[Free, through("params")]
"""The same, but for Playwright's own words."""
Names = Annotated[dict[str, Free], through("names")]
"""Names and versions of programs."""
Place = Annotated[Free, through("source")]
"""A place in a program."""
Headers = Annotated[dict[str, Text], through("headers")]
Resource = Annotated[Hash, through("resource")]
"""The hash of a resource, for which another may stand in."""
Sheets = Annotated[list[Hash], Meta(max_length=256), through("sheets")]
"""The hashes of pictures that screens are put together from."""
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{8}$"), through("digest")]
Nodes = Annotated[Count, through("digest")]
Age = Annotated[Duration, through("number")]
Boxes = Annotated[list[list[Length | Text | None]], through("boxes")]
Chunks = Annotated[list[tuple[Time, Count]], Meta(max_length=100_000), through(DROPPED)]
"""When each piece of a body came, and its bytes: no longer true of one that was masked."""
Detail = Annotated[Free, through("code")]
"""What went wrong, as a program says it."""
Id = Annotated[Name, through("hex")]


class Viewport(Struct):
    w: Size
    h: Size
    dpr: Ratio


def channels_of(struct: type[Struct]) -> dict[str, str]:
    """Field → channel, for the fields of an event that a redaction passes on in some form."""
    found = {field.encode_name: _channel(field.type) for field in msgspec.inspect.type_info(struct).fields}  # type: ignore[attr-defined]
    return {name: channel for name, channel in found.items() if channel != DROPPED}


def _channel(kind: msgspec.inspect.Type) -> str:
    """Return the channel that a type names; ``plain`` for what can hold only numbers, ``dropped`` for all else."""
    if isinstance(kind, msgspec.inspect.Metadata):
        named = (kind.extra or {}).get("channel")
        return str(named) if named is not None else _channel(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        inner = {_channel(each) for each in kind.types if not isinstance(each, msgspec.inspect.NoneType)}
    elif isinstance(kind, msgspec.inspect.CollectionType):
        inner = {_channel(kind.item_type)}
    elif isinstance(kind, msgspec.inspect.TupleType):
        inner = {_channel(each) for each in kind.item_types}
    elif isinstance(kind, msgspec.inspect.StructType):
        inner = {_channel(each.type) for each in kind.fields}
    else:
        plain = isinstance(kind, msgspec.inspect.IntType | msgspec.inspect.FloatType | msgspec.inspect.BoolType)
        inner = {PLAIN if plain else DROPPED}
    if len(inner) > 1:
        inner.discard(PLAIN)
    return inner.pop() if len(inner) == 1 else DROPPED
