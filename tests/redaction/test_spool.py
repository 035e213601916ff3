"""Masked events wait on the disk, not in memory, until the report that stands before them is complete; what was collected does not wait at all."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import UsageError
from pagereel.redaction import Policy, RedactionReport, joint_redaction, redact, redactor
from pagereel.redaction.detect.cross_text.siblings import SiblingGroups
from pagereel.redaction.passes import first_pass
from pagereel.redaction.passes.collector import FirstPassCollector
from pagereel.redaction.passes.event_spool import EventSpool
from pagereel.redaction.redactor import write_masked_copy
from pagereel.reel import Event

from .reels import reel_of


class _Weighed(dict):  # type: ignore[type-arg]
    """An event that can be asked whether it is still in memory."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def test_what_is_put_in_comes_out_and_none_of_it_stays_in_memory(tmp_path: Path) -> None:
    alive: weakref.WeakSet[_Weighed] = weakref.WeakSet()
    most = 0

    def events() -> Iterator[Event]:
        nonlocal most
        for number in range(2_000):
            event = _Weighed(k="mark", t=number / 10, name=f"é \ud800 {number}\n")
            alive.add(event)
            most = max(most, len(alive))
            yield event

    with EventSpool(tmp_path) as spool:
        spool.add_events(events())
        assert list(tmp_path.iterdir()) == []
        out = list(spool.iter_events())
    assert most <= 2
    assert len(out) == 2_000
    assert out[7] == {"k": "mark", "t": 0.7, "name": "é \ufffd 7\n"}


def test_a_folder_that_takes_nothing_is_named() -> None:
    with pytest.raises(UsageError, match="cannot be written to"):
        EventSpool(Path("/proc"))


def test_what_was_collected_is_freed_before_the_second_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[weakref.ref[SiblingGroups]] = []
    alive: list[bool] = []

    class Weighed(FirstPassCollector):
        def __init__(self, policy: Policy) -> None:
            super().__init__(policy)
            collected.append(weakref.ref(self.collected.groups))

    def write(*given: Any, **named: Any) -> RedactionReport:
        alive.append(collected[-1]() is not None)
        return write_masked_copy(*given, **named)

    for module in (first_pass, joint_redaction):
        monkeypatch.setattr(module, "FirstPassCollector", Weighed)
    for module in (redactor, joint_redaction):
        monkeypatch.setattr(module, "write_masked_copy", write)
    reel = reel_of(tmp_path / "run.reel", "Anna Ostenvik was here", "and left")
    redact(reel, tmp_path / "masked.reel")
    joint_redaction.redact_many([(reel, tmp_path / "joint.reel")])
    assert alive == [False, False]
