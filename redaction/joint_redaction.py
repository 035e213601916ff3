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

from pagereel.processes import raise_open_files_limit
from pagereel.reel import Event, Json, Reel
from pagereel.sources import open_any

from .content.bodies import mask_json
from .content.resources import ResourceMasker
from .contracts.policy import Policy, load_policy
from .contracts.sink import Sink, Slot
from .detect.detection_pool import describe_failures
from .gate.gate import Gate
from .installed_models import require_all_models
from .masked_before import is_masked_by_policy
from .passes.collector import FirstPassCollector
from .passes.first_pass import FirstPassResult, Progress, collect_recording, read_all_style_sheets
from .passes.rewriter import StandInRewriter
from .redactor import build_pseudonyms, write_masked_copy
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
        require_all_models()
    targets = {os.fspath(source): Path(target) for source, target in recordings}
    raw = [
        source
        for source in dict.fromkeys([*targets, *(os.fspath(source) for source in known_from)])
        if not is_masked_by_policy(source, redaction)
    ]
    shown = [targets[source] if source in raw else Path(source) for source in targets]
    if not raw:
        return JointlyMasked([value for value, _ in values], None, shown, [None] * len(shown))
    collector = FirstPassCollector(policy)
    reports: dict[str, RedactionReport] = {}
    with ExitStack() as stack:
        stack.enter_context(raise_open_files_limit(len(raw), "recordings"))
        read: list[tuple[str, Reel, ResourceMasker, list[Event]]] = []
        opened = [stack.enter_context(open_any(Path(source))) for source in raw]
        for reel in opened:
            read_all_style_sheets(collector, reel)
        for collector.reel, (source, reel) in enumerate(zip(raw, opened, strict=True)):
            read.append((source, reel, *collect_recording(collector, reel, reel.header, policy)))
        for value, role in values:
            _mask_by_role(value, role, collector)
        knowledge = collector.build_knowledge(
            (lambda done, total: progress("detect", done, total)) if progress else None
        )
        if knowledge.unread:  # not every caller gets a report
            warnings.warn(describe_failures(knowledge.unread), RuntimeWarning, stacklevel=2)
        pseudonyms = build_pseudonyms(knowledge, policy)
        for number, (source, reel, resources, placed) in enumerate(read):
            if source in targets:
                found = FirstPassResult(knowledge, resources, placed)
                reports[source] = write_masked_copy(
                    reel, reel.header, policy, found, pseudonyms, targets[source], progress, number=number
                )
    rewriter = StandInRewriter(knowledge, policy, pseudonyms, lambda sha256: None)
    return JointlyMasked(
        [_mask_by_role(value, role, rewriter) for value, role in values], Gate(knowledge.values), shown,
        [reports.get(source) for source in targets],
    )  # fmt: skip


def _mask_by_role(value: Json, role: Role, sink: Sink) -> Json:
    """Return the sink's result for a value, by the value's role.

    :param sink: the collector in the first pass, the rewriter in the second.
    """
    if role in ("body", "tree"):
        return mask_json(value, sink, _SLOT, private_by_place=role == "body")
    if not isinstance(value, str):
        return mask_json(value, sink, _SLOT, private_by_place=role == "value")
    if role == "outline":
        value = _FIELD.sub(lambda match: match[1] + sink.visit_private_value(match[2], _SLOT), value)
    return {"value": sink.visit_private_value, "address": sink.visit_url, "code": sink.visit_code}.get(
        role, sink.visit_text
    )(value, _SLOT)


_SLOT: Final = Slot("comparison")
