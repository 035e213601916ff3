"""Mask several recordings under one key and one set of known values: a person in two of them has the same stand-in in both.

Excerpts of recordings (a comparison, a list of search results) are masked in the same way, each value by the role
that it had in its recording.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Literal

from pagereel.processes import files_open
from pagereel.reel import Event, Json, Reel
from pagereel.sources import open_any

from .already import masked_already
from .content.bodies import rewrite_json
from .content.resources import MaskedResources
from .contracts.policy import Policy, load_policy
from .contracts.sink import Sink, Slot
from .detect.pool import failure_sentence
from .gate.gate import Gate
from .installed_models import demand_models
from .passes.collector import Collector
from .passes.first_pass import Gathered, Progress, learn_form, read_into
from .passes.rewriter import Rewriter
from .redactor import pseudonyms_for, write_masked
from .report import JointlyMasked, RedactionReport

PathLike = str | os.PathLike[str]

Role = Literal["text", "outline", "value", "body", "tree", "address", "code"]
"""What a value is: text that people read; a line of a page's outline, with the values of its fields; a field's value;
JSON of a request's or a response's body; JSON of a prompt, an argument or a result; a URL; source code, a locator or
the title of a call.
"""
_FIELD: Final = re.compile(r"(\[(?:input|textarea|select)\b[^:\]]*: )([^\]]+)(?=\])")


def redact_many(
    recordings: Sequence[tuple[PathLike, PathLike]],
    redaction: Policy | PathLike = "vendor",
    *,
    values: Sequence[tuple[Json, Role]] = (),
    known_from: Sequence[PathLike] = (),
    progress: Progress | None = None,
) -> JointlyMasked:
    """Write masked copies of several recordings, given as (source, destination). A person in two of them has the same
    stand-in in both.

    The values of each recording are known in all of them. A recording that was already masked by this policy is
    neither searched for values nor written. The copies are not searched by a gate: the returned gate is for the file
    that is made of them.

    :param values: values that were taken from the recordings, each with its role; they are masked as well.
    :param known_from: recordings whose values are known too, and which are not written.
    :raises ReelError: a source is no recording.
    :raises PolicyError: the policy is invalid.
    :raises SetupError: no spaCy pipeline for English is installed.
    :raises UsageError: the system does not let a process open so many files.
    """
    policy = load_policy(redaction)
    if policy.require_models:
        demand_models()
    targets = {os.fspath(source): Path(target) for source, target in recordings}
    raw = [
        source
        for source in dict.fromkeys([*targets, *(os.fspath(source) for source in known_from)])
        if not masked_already(source, redaction)
    ]
    shown = [targets[source] if source in raw else Path(source) for source in targets]
    if not raw:
        return JointlyMasked([value for value, _ in values], None, shown, [None] * len(shown))
    collector = Collector(policy)
    reports: dict[str, RedactionReport] = {}
    with ExitStack() as stack:
        stack.enter_context(files_open(len(raw), "recordings"))
        read: list[tuple[str, Reel, MaskedResources, list[Event]]] = []
        opened = [stack.enter_context(open_any(Path(source))) for source in raw]
        for reel in opened:
            learn_form(collector, reel)
        for collector.reel, (source, reel) in enumerate(zip(raw, opened, strict=True)):
            read.append((source, reel, *read_into(collector, reel, reel.header, policy)))
        for value, role in values:
            _masked(value, role, collector)
        knowledge = collector.freeze((lambda done, total: progress("detect", done, total)) if progress else None)
        if knowledge.unread:  # not every caller gets a report
            warnings.warn(failure_sentence(knowledge.unread), RuntimeWarning, stacklevel=2)
        pseudonyms = pseudonyms_for(knowledge, policy)
        for number, (source, reel, resources, placed) in enumerate(read):
            if source in targets:
                found = Gathered(knowledge, resources, placed)
                reports[source] = write_masked(
                    reel, reel.header, policy, found, pseudonyms, targets[source], progress, number=number
                )
    rewriter = Rewriter(knowledge, policy, pseudonyms, lambda sha256: None)
    return JointlyMasked(
        [_masked(value, role, rewriter) for value, role in values], Gate(knowledge.values), shown,
        [reports.get(source) for source in targets],
    )  # fmt: skip


def _masked(value: Json, role: Role, sink: Sink) -> Json:
    """Return the sink's result for a value, by the value's role.

    :param sink: the collector in the first pass, the rewriter in the second.
    """
    if role in ("body", "tree"):
        return rewrite_json(value, sink, _SLOT, private=role == "body")
    if not isinstance(value, str):
        return rewrite_json(value, sink, _SLOT, private=role == "value")
    if role == "outline":
        value = _FIELD.sub(lambda match: match[1] + sink.value(match[2], _SLOT), value)
    return {"value": sink.value, "address": sink.url, "code": sink.code}.get(role, sink.text)(value, _SLOT)


_SLOT: Final = Slot("comparison")
