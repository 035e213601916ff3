"""Masked events wait on the disk, not in memory, until the report that stands before them is complete."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagereel.errors import UsageError
from pagereel.redaction.passes.event_spool import EventSpool
from pagereel.reel import Event


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
