"""The types of the fields of events: which values are valid, and through which channel a redaction passes each field.

A type states both, so that neither can be forgotten: :func:`find_redaction_channels` reads the channels from the fields of an
event's type. Numbers and booleans have the channel ``plain``. A redaction drops a field whose type names no channel.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from .limits import BODY_LENGTH, LATEST, NAME_LENGTH, TEXT_LENGTH

PLAIN: Final = "plain"
DROPPED: Final = "dropped"


def annotate_with_channel(channel: str) -> Meta:
    """Return a type annotation that assigns a redaction channel to a field of an event. The channel decides how the
    field's value is masked.
    """
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


def annotate_with_number_space(space: str) -> Meta:
    """Return a type annotation for a field that holds the number of an event, page, document or request. `space`: which
    of these it is. The numbers are unique in one recording only, so they are replaced when recordings are joined.
    """
    return Meta(extra={"numbers": space})


EventNumber = Annotated[Number, annotate_with_number_space("event")]
"""The id of a step, a call, or another event."""
PageNumber = Annotated[Number, annotate_with_number_space("page")]
DocumentNumber = Annotated[Number, annotate_with_number_space("document")]
EventNumbers = Annotated[list[EventNumber], Meta(max_length=200_000)]
"""The numbers of the parts of a whole, in order."""
NodeId = Annotated[int, Meta(ge=0, le=2**53)]
"""The id of a node; 0: none."""

# -- words ---------------------------------------------------------------------------------------------------------------

Word = Annotated[Name, annotate_with_channel(PLAIN)]
"""A word of the format, or an id from the browser: passed on unchanged."""
RequestId = Annotated[Word | Count, annotate_with_number_space("request")]
KeptName = Annotated[Name, annotate_with_channel("keep")]
"""Passed on, with known values masked."""
Key = Annotated[Name, annotate_with_channel("key")]
"""The name of a key on the keyboard."""
Preference = Annotated[Name, annotate_with_channel("preference")]
Queries = Annotated[list[Name], Meta(max_length=32), annotate_with_channel("queries")]
Media = Annotated[Name, annotate_with_channel("mime")]
Operation = Annotated[Name, annotate_with_channel("operation")]
"""The name of an operation: a known one is passed on, others are treated as text."""
Method = Annotated[Name, annotate_with_channel("method")]
"""An HTTP method; others are masked."""
Words = Annotated[Text, annotate_with_channel("text")]
"""Text for people, in which personal data is searched for."""
Code = Annotated[Text, annotate_with_channel("code")]
"""Text of programs."""
AgentName = Annotated[str, Meta(min_length=1, max_length=200), annotate_with_channel("code")]
"""The name of an agent. It counts as a name in a program: known values and patterns are masked in it."""
Stack = Annotated[Text, annotate_with_channel("stack")]
ProgramName = Annotated[Text, annotate_with_channel("called")]
"""The name that a program gives itself or a part of itself."""
Status = Annotated[Text, annotate_with_channel("status")]
"""The reason phrase of an HTTP status; others are dropped."""
Address = Annotated[Text, annotate_with_channel("url")]
Value = Annotated[Text, annotate_with_channel("value")]
"""A value that a person typed or chose: replaced as a whole."""

Owner = Annotated[Name, Meta(min_length=1), annotate_with_channel("owner")]
"""The owner of a run: a tenant or user, by name or id."""

# -- things --------------------------------------------------------------------------------------------------------------

Ops = Annotated[list[object], annotate_with_channel("ops")]
Tree = Annotated[AnyJson, annotate_with_channel("json")]
"""Any JSON; its leaves are masked one by one."""
Attributes = Annotated[dict[str, AnyJson], annotate_with_channel("json")]
Params = Annotated[AnyJson, annotate_with_channel("params")]
"""Any JSON, masked as ``Tree``, except for Playwright's own words."""
Names = Annotated[dict[str, AnyJson], annotate_with_channel("names")]
"""Names and versions of programs."""
SourceLocation = Annotated[AnyJson, annotate_with_channel("source")]
"""A place in a program."""
Headers = Annotated[dict[str, Text], annotate_with_channel("headers")]
Resource = Annotated[Hash, annotate_with_channel("resource")]
"""The hash of a resource, which may be replaced by that of a masked resource."""
Sheets = Annotated[list[Hash], Meta(max_length=256), annotate_with_channel("sheets")]
"""The hashes of the pictures that screens consist of."""
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{8}$"), annotate_with_channel("digest")]
Nodes = Annotated[Count, annotate_with_channel("digest")]
Age = Annotated[Duration, annotate_with_channel("number")]
Boxes = Annotated[list[list[Length | Text | None]], annotate_with_channel("boxes")]
Chunks = Annotated[list[tuple[Time, Count]], Meta(max_length=100_000), annotate_with_channel(DROPPED)]
"""When each piece of a body arrived, and its bytes. This is no longer true for a masked body, so it is dropped."""
MaskedTexts = Annotated[list[Text], Meta(max_length=20), annotate_with_channel(DROPPED)]
"""Texts of which a redaction says that it made them; each redaction says so anew."""
Detail = Annotated[AnyJson, annotate_with_channel("code")]
"""The description of a failure by a program."""
Id = Annotated[Name, annotate_with_channel("hex")]


class Viewport(Struct):
    w: Size
    h: Size
    dpr: Ratio


def find_redaction_channels(event_type: type[Struct]) -> dict[str, str]:
    """Return the redaction channel of each field of an event's type, without the fields that a redaction drops."""
    fields = msgspec.inspect.type_info(event_type).fields  # type: ignore[attr-defined]
    found = {field.encode_name: _find_redaction_channel(field.type) for field in fields}
    return {name: channel for name, channel in found.items() if channel != DROPPED}


def _find_redaction_channel(kind: msgspec.inspect.Type) -> str:
    """Return the redaction channel that the type of an event's field names. Return ``plain`` for a type of numbers
    without a channel; ``dropped`` for any other type without one, and for a type that contains several.
    """
    if isinstance(kind, msgspec.inspect.Metadata):
        named = (kind.extra or {}).get("channel")
        return str(named) if named is not None else _find_redaction_channel(kind.type)
    if isinstance(kind, msgspec.inspect.UnionType):
        inner = {_find_redaction_channel(each) for each in kind.types if not isinstance(each, msgspec.inspect.NoneType)}
    elif isinstance(kind, msgspec.inspect.CollectionType):
        inner = {_find_redaction_channel(kind.item_type)}
    elif isinstance(kind, msgspec.inspect.TupleType):
        inner = {_find_redaction_channel(each) for each in kind.item_types}
    elif isinstance(kind, msgspec.inspect.StructType):
        inner = {_find_redaction_channel(each.type) for each in kind.fields}
    else:
        plain = isinstance(kind, msgspec.inspect.IntType | msgspec.inspect.FloatType | msgspec.inspect.BoolType)
        inner = {PLAIN if plain else DROPPED}
    if len(inner) > 1:
        inner.discard(PLAIN)
    return inner.pop() if len(inner) == 1 else DROPPED
