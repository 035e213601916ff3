"""Checks whether a reel is intact, and whether its page model equals the recorded pages."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from .event_fields import find_redaction_channels
from .events import Event
from .kinds import KINDS
from .model import PageModel
from .opening import open_reel
from .reader import Reel, ReelDamage
from .shared_resources import decode_body
from .timeline import InvalidEvent


@dataclass(frozen=True, slots=True)
class UnequalCheckpoint:
    """A checkpoint at which the page model differs from the page. `t` in ms; `page` and `model` are their digests,
    `detail` is the first difference that the recorder found.
    """

    t: float
    d: int
    n: int
    url: str
    page: str
    model: str
    detail: str

    def __str__(self) -> str:
        text = f"document {self.d} ({self.url}) at {self.t:.0f} ms: the page gave {self.page}, the model {self.model}"
        return f"{text}; {self.detail}" if self.detail else text


@dataclass(frozen=True, slots=True)
class CheckpointCounts:
    """The checkpoints of a recording: how many there are, at how many of them the model's tree equals the page's, and
    the first that differs.
    """

    equal: int
    total: int
    first_difference: UnequalCheckpoint | None = None

    def __str__(self) -> str:
        return f"tree equal at {self.equal} of {self.total} checkpoints"


@dataclass(slots=True)
class VerifyReport:
    """The result of :func:`verify`. :attr:`ok` is the verdict, :attr:`problems` has a sentence for each problem."""

    path: Path
    sealed: bool
    damage: ReelDamage | None
    events: int = 0
    """Number of valid events."""
    unknown: int = 0
    """Number of events whose kind this pagereel does not know; they are no problem by themselves."""
    invalid: list[InvalidEvent] = field(default_factory=list)
    """The first events that do not follow the format."""
    invalid_count: int = 0
    lost: int = 0
    """Number of messages of documents that are missing, by the gaps in their numbers."""
    lost_said: int = 0
    """Number of missing messages that ``gap`` events mention."""
    model_errors: int = 0
    model_problems: list[str] = field(default_factory=list)
    resources: int = 0
    resources_wrong: int = 0
    """Number of resources whose bytes do not match their SHA-256."""
    resources_missing: int = 0
    """Number of SHA-256s in events without a resource."""
    checkpoints: CheckpointCounts = CheckpointCounts(0, 0)

    @property
    def ok(self) -> bool:
        """Return whether there is no problem."""
        return not self.problems

    @property
    def problems(self) -> list[str]:
        """Return one sentence, without a full stop, for each problem."""
        words: list[str] = []
        if self.damage is not None:
            words.append(f"damaged at {self.damage}")
        elif not self.sealed:
            words.append("unsealed: the recording was cut off before its end")
        if self.invalid_count:
            words.append(f"{self.invalid_count} events do not follow the format, the first: {self.invalid[0].reason}")
        if self.lost > self.lost_said:
            words.append(f"{self.lost - self.lost_said} messages of the pages are missing and no gap says so")
        if self.model_errors:
            words.append(f"{self.model_errors} ops do not fit the page, the first: {self.model_problems[0]}")
        if self.resources_wrong:
            words.append(f"{self.resources_wrong} resources do not have the bytes that were recorded")
        if self.resources_missing and self.damage is None and self.sealed:
            words.append(f"{self.resources_missing} resources are named and not there")
        if self.checkpoints.first_difference is not None:
            words.append(f"{self.checkpoints}, the first difference in {self.checkpoints.first_difference}")
        return words


class _CheckpointCounter:
    """Applies a timeline to a page model, compares the model's digest with the page's at each checkpoint, and counts
    the results.
    """

    def __init__(self) -> None:
        self.model = PageModel()
        self.equal = self.total = 0
        self.first: UnequalCheckpoint | None = None

    def apply_event(self, event: Event) -> None:
        self.model.apply(event)
        if event["k"] != "checkpoint":
            return
        self.total += 1
        d, n, t = event["d"], event["n"], event["t"]
        assert isinstance(d, int) and isinstance(n, int) and isinstance(t, int | float)
        document = self.model.documents.get(d)
        digest, nodes = document.compute_digest() if document is not None else ("(none)", 0)
        if (digest, nodes) == (event["digest"], event["nodes"]):
            self.equal += 1
        elif self.first is None:
            url = document.url if document is not None else "unknown"
            self.first = UnequalCheckpoint(t, d, n, url, str(event["digest"]), digest, str(event.get("detail") or ""))

    @property
    def checkpoints(self) -> CheckpointCounts:
        return CheckpointCounts(self.equal, self.total, self.first)


def compare_checkpoints(reel: Reel) -> CheckpointCounts:
    """Compare the page model's digest with the recorded digest at every checkpoint."""
    counter = _CheckpointCounter()
    for event in reel.timeline():
        counter.apply_event(event)
    return counter.checkpoints


def verify(path: str | os.PathLike[str]) -> VerifyReport:
    """Check a reel completely: seal and chain of hashes, every event, numbers, ops, resources, checkpoints.

    Raises ReelError for a file that cannot be opened, as :func:`open_reel` does.
    """
    with open_reel(path) as reel:
        report = VerifyReport(Path(path), reel.sealed, reel.damage)
        counter = _CheckpointCounter()
        have: set[str] = set()
        named: set[str] = set()
        hashes = _list_hash_fields()
        for event in reel.timeline():
            report.events += 1
            kind = event["k"]
            if kind not in KINDS:
                report.unknown += 1
            elif kind == "resource":
                have.add(str(event["sha256"]))
                report.resources += 1
                report.resources_wrong += not _is_resource_hash_correct(event)
            elif kind == "gap" and event.get("reason") == "lost":
                count = event.get("count")
                report.lost_said += count if isinstance(count, int) else 1
            named.update(str(event[name]) for name in hashes.get(str(kind), ()) if isinstance(event.get(name), str))
            counter.apply_event(event)
        report.invalid, report.invalid_count = reel.invalid, reel.invalid_count
        report.resources_missing = len(named - have)
        model = counter.model
        report.lost = model.lost_message_count
        report.model_errors = model.error_count
        report.model_problems = model.problem_texts
        report.checkpoints = counter.checkpoints
        return report


def _list_hash_fields() -> dict[str, list[str]]:
    """Return, for each kind of event, its fields that name a resource."""
    named = {
        name: [f for f, role in find_redaction_channels(kind.type).items() if role == "resource"]
        for name, kind in KINDS.items()
    }
    return {name: fields for name, fields in named.items() if fields and name != "resource"}


def _is_resource_hash_correct(resource: Event) -> bool:
    data = decode_body(resource)
    return data is not None and hashlib.sha256(data).hexdigest() == resource["sha256"]
