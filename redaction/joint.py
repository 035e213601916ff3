"""Values out of several recordings, masked under one key and one set of known values: who is in two of them has one stand-in in both.

What is made of recordings without being one (a comparison, a list of search results) is masked by it, value for value, each by the role that it
played where it stood.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pagereel.reel import Json
from pagereel.sources import open_any

from .content.bodies import rewrite_json
from .contracts.policy import Policy, load_policy
from .contracts.sink import Sink, Slot
from .gate.gate import Gate
from .passes.collect import Collector
from .passes.gather import read_into
from .passes.rewrite import Rewriter
from .redactor import masked_already, pseudonyms_for

Role = Literal["text", "outline", "value", "body", "tree", "address", "code"]
"""What a value is: what people read; a line of a page's outline, with the values of its fields; a field's value; JSON of a request's or an
answer's body; JSON of a prompt, an argument or a result; an address; source code, a locator, a title of a call."""
_FIELD: Final = re.compile(r"(\[(?:input|textarea|select)\b[^:\]]*: )([^\]]+)(?=\])")


@dataclass(frozen=True)
class JointlyMasked:
    """The values as they may be shown, in their order, and the gate that what is made of them must pass."""

    values: list[Json]
    gate: Gate | None
    """None: the recordings were masked before, and nothing is known to look for."""


def mask_jointly(
    sources: Sequence[str | os.PathLike[str]],
    values: Sequence[tuple[Json, Role]],
    redaction: Policy | str | os.PathLike[str] = "vendor",
) -> JointlyMasked:
    """Return `values`, which were taken from the recordings `sources`, as `redaction` lets them be shown.

    A recording that says that it was masked with this policy before is not asked for values: it has none.

    :raises ReelError: a source is no recording. PolicyError: the policy does not hold together. SetupError: no spaCy pipeline for English is
        installed.
    """
    policy = load_policy(redaction)
    raw = [
        source
        for source in dict.fromkeys(os.fspath(source) for source in sources)
        if not masked_already(source, redaction)
    ]
    if not raw:
        return JointlyMasked([value for value, _ in values], None)
    collector = Collector(policy)
    with ExitStack() as stack:
        for source in raw:
            reel = stack.enter_context(open_any(Path(source)))
            read_into(collector, reel, reel.header, policy)
        for value, role in values:
            _masked(value, role, collector)
        knowledge = collector.freeze()
    rewriter = Rewriter(knowledge, policy, pseudonyms_for(knowledge, policy), lambda sha256: None)
    return JointlyMasked([_masked(value, role, rewriter) for value, role in values], Gate(knowledge.values))


def _masked(value: Json, role: Role, sink: Sink) -> Json:
    """Hand a value to the first pass, or have the second mask it."""
    if role in ("body", "tree"):
        return rewrite_json(value, sink, _SLOT, private=role == "body")
    if not isinstance(value, str):
        return rewrite_json(value, sink, _SLOT, private=role == "value")
    if role == "value":
        return sink.value(value, _SLOT)
    if role == "address":
        return sink.url(value, _SLOT)
    if role == "code":
        return sink.code(value, _SLOT)
    if role == "outline" and _FIELD.search(value):
        held = _FIELD.sub(lambda match: match[1] + sink.value(match[2], _SLOT), value)
        return sink.text(held, _SLOT)
    return sink.text(value, _SLOT)


_SLOT: Final = Slot("comparison")
