"""Adds to a finished reel what was known only after it ended: a test's outcome, and where on the timeline it failed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagereel.recorder import jsonable
from pagereel.reel import Event, ReelWriter, open_reel


@dataclass(frozen=True)
class Remark:
    """Something to say on the timeline."""

    unix_ms: float
    text: str
    attributes: Mapping[str, Any]
    mark: str | None = None
    """Also name the moment."""


def annotate(path: Path, metadata: Mapping[str, Any], remarks: Sequence[Remark]) -> None:
    """Rewrites the reel at `path` with `metadata` added to its header's, and the remarks as notes and marks.

    A remark from before or after the recording stands at its begin or end. An encrypted reel stays so, for the same
    readers. Raises ReelError when there is no reel to read, LockedError when its key is not here.
    """
    rewritten = path.with_name(path.name + ".annotated")
    with open_reel(path) as reel:
        header = {name: value for name, value in reel.header.items() if name not in ("k", "t", "format")}
        known = header.get("metadata")
        header["metadata"] = {**(known if isinstance(known, dict) else {}), **_plain(metadata)}
        writer = ReelWriter(rewritten, header, encrypt_to=reel.encrypt_to or None)
        last, number = 0.0, 0
        for event in reel.events():
            if event["k"] not in ("reel", "end"):
                writer.write(event)
            t, identifier = event.get("t"), event.get("id")
            last = max(last, float(t) if isinstance(t, int | float) else 0.0)
            number = max(number, identifier if isinstance(identifier, int) else 0)
        started = header.get("started")
        begin = float(started) if isinstance(started, int | float) else 0.0
        for remark in remarks:
            t = round(min(max(0.0, remark.unix_ms - begin), last), 1)
            number += 1
            writer.write(
                {"k": "note", "t": t, "id": number, "step": None, "text": jsonable(remark.text),
                 "attributes": _plain(remark.attributes)}
            )  # fmt: skip
            if remark.mark is not None:
                writer.write({"k": "mark", "t": t, "name": remark.mark})
        end = reel.end or {}
        writer.close(str(end.get("reason") or "unsealed"))
    os.replace(rewritten, path)


def _plain(values: Mapping[str, Any]) -> Event:
    return {name: jsonable(value) for name, value in values.items()}
