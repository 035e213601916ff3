"""The types of the fields of events: which values are valid, and through which channel a redaction passes each field.

A type states both, so that neither can be forgotten: :func:`channels_of` reads the channels from the fields of an
event's type. Numbers and booleans have the channel ``plain``. A redaction drops a field whose type names no channel.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from .limits import BODY_LENGTH, LATEST, NAME_LENGTH, TEXT_LENGTH

PLAIN: Final = "plain"
DROPPED: Final = "dropped"


def through(channel: str) -> Meta:
    """Return a type annotation that makes a redaction pass the field through this channel."""
    return Meta(extra={"channel": channel})


# -- types without a channel of their own ------------------------------------------------------------------------

Text = Annotated[str, Meta(max_length=TEXT_LENGTH)]
Name = Annotated[str, Meta(max_length=NAME_LENGTH)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Body = Annotated[str, Meta(max_length=BODY_LENGTH)]
AnyJson = object
"""Any JSON, at most as deep as ``DEPTH`` in :mod:`.limits`."""

# -- numbers: plain --------------------------------------------------------------------------------------------------

Time = Annotated[float, Meta(ge=-LATEST, le=LATEST)]
"""ms on the recording's clock."""
Duration = Annotated[float, Meta(ge=0, le=LATEST)]
"""Duration in ms."""
Length = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""Position or length in CSS px."""
Size = Annotated[float, Meta(ge=0, le=1e9)]
"""Width or height in CSS px."""
Side = Annotated[int, Meta(ge=1, le=16_384)]
"""Pixels of a picture's side."""
Ratio = Annotated[float, Meta(gt=0, le=1000)]
"""Device pixels of a CSS pixel."""
Money = Annotated[float, Meta(ge=0, le=1e9)]
"""US dollars."""
Integer = Annotated[int, Meta(ge=-(2**31), le=2**53)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53)]
"""An id that the recording counts from 1."""


def numbers(space: str) -> Meta:
    """Return a type annotation for a number that identifies an event, page, document or request in one recording. When
    recordings are joined, such numbers are replaced.
    """
    return Meta(extra={"numbers": space})


EventNumber = Annotated[Number, numbers("event")]
"""The id of a step, a call, or another event."""
PageNumber = Annotated[Number, numbers("page")]
DocumentNumber = Annotated[Number, numbers("document")]
EventNumbers = Annotated[list[EventNumber], Meta(max_length=200_000)]
"""The numbers of the parts of a whole, in order."""
NodeId = Annotated[int, Meta(ge=0, le=2**53)]
"""The id of a node; 0: none."""

# -- words ---------------------------------------------------------------------------------------------------------------

Word = Annotated[Name, through(PLAIN)]
"""A word of the format, or an id from the browser: passed on unchanged."""
RequestId = Annotated[Word | Count, numbers("request")]
KeptName = Annotated[Name, through("keep")]
"""Passed on, with known values masked."""
Key = Annotated[Name, through("key")]
"""The name of a key on the keyboard."""
Preference = Annotated[Name, through("preference")]
Queries = Annotated[list[Name], Meta(max_length=32), through("queries")]
Media = Annotated[Name, through("mime")]
Operation = Annotated[Name, through("operation")]
"""The name of an operation: a known one is passed on, others are treated as text."""
Method = Annotated[Name, through("method")]
"""An HTTP method; others are masked."""
Words = Annotated[Text, through("text")]
"""Text for people, in which personal data is searched for."""
Code = Annotated[Text, through("code")]
"""Text of programs."""
AgentName = Annotated[str, Meta(min_length=1, max_length=200), through("code")]
"""The name of an agent. It counts as a name in a program: known values and patterns are masked in it."""
Stack = Annotated[Text, through("stack")]
ProgramName = Annotated[Text, through("called")]
"""The name that a program gives itself or a part of itself."""
Status = Annotated[Text, through("status")]
"""The reason phrase of an HTTP status; others are dropped."""
Address = Annotated[Text, through("url")]
Value = Annotated[Text, through("value")]
"""A value that a person typed or chose: replaced as a whole."""

Owner = Annotated[Name, Meta(min_length=1), through("owner")]
"""The owner of a run: a tenant or user, by name or id."""

# -- things --------------------------------------------------------------------------------------------------------------

Ops = Annotated[list[object], through("ops")]
Tree = Annotated[AnyJson, through("json")]
"""Any JSON; its leaves are masked one by one."""
Attributes = Annotated[dict[str, AnyJson], through("json")]
Params = Annotated[AnyJson, through("params")]
"""Any JSON, masked as ``Tree``, except for Playwright's own words."""
Names = Annotated[dict[str, AnyJson], through("names")]
"""Names and versions of programs."""
SourceLocation = Annotated[AnyJson, through("source")]
"""A place in a program."""
Headers = Annotated[dict[str, Text], through("headers")]
Resource = Annotated[Hash, through("resource")]
"""The hash of a resource, which may be replaced by that of a masked resource."""
Sheets = Annotated[list[Hash], Meta(max_length=256), through("sheets")]
"""The hashes of the pictures that screens consist of."""
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{8}$"), through("digest")]
Nodes = Annotated[Count, through("digest")]
Age = Annotated[Duration, through("number")]
Boxes = Annotated[list[list[Length | Text | None]], through("boxes")]
Chunks = Annotated[list[tuple[Time, Count]], Meta(max_length=100_000), through(DROPPED)]
"""When each piece of a body arrived, and its bytes. This is no longer true for a masked body, so it is dropped."""
MaskedTexts = Annotated[list[Text], Meta(max_length=20), through(DROPPED)]
"""Texts of which a redaction says that it made them; each redaction says so anew."""
Detail = Annotated[AnyJson, through("code")]
"""The description of a failure by a program."""
Id = Annotated[Name, through("hex")]


class Viewport(Struct):
    w: Size
    h: Size
    dpr: Ratio


def channels_of(struct: type[Struct]) -> dict[str, str]:
    """Return the redaction channel of each field of an event's type, without the fields that a redaction drops."""
    found = {field.encode_name: _channel(field.type) for field in msgspec.inspect.type_info(struct).fields}  # type: ignore[attr-defined]
    return {name: channel for name, channel in found.items() if channel != DROPPED}


def _channel(kind: msgspec.inspect.Type) -> str:
    """Return the channel that a field's type names: ``plain`` if it consists of numbers, ``dropped`` if it names none."""
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
