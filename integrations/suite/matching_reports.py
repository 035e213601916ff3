"""Finds the recordings that belong to the tests of a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pagereel.sources import header_of

from .reports import ReportedTest, key_of


def recordings_of(reported: Sequence[ReportedTest], paths: Sequence[Path]) -> list[list[int]]:
    """Return for each test of a report the numbers of its recordings in `paths`, in the order of its attempts.

    A recording matches by the test's name that it holds. Another tool's recording matches by the path of an attachment,
    or by its file's and folder's names if the report was made on another machine.
    """
    if not reported:
        return []
    keys: dict[str, list[int]] = defaultdict(list)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, path in enumerate(paths):
        places[_end(path)].append(number)
        metadata = header_of(path).get("metadata")
        test = metadata.get("test") if isinstance(metadata, dict) else None
        if isinstance(test, str):
            file, _, name = test.partition("::")
            keys[key_of(file, name)].append(number)
    found: list[list[int]] = []
    left = set(range(len(paths)))
    for each in reported:
        mine = [*keys.get(each.key, ())]
        for file in each.attachments:
            mine += places.get(_end(Path(file.replace("\\", "/"))), ())
        mine = [number for number in dict.fromkeys(mine) if number in left]  # A recording is of one test.
        left -= {*mine}
        found.append(mine)
    return found


def _end(path: Path) -> tuple[str, ...]:
    return path.parts[-2:]
