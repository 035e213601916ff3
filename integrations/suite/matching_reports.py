"""Finds the recordings that belong to the tests of a report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pagereel.sources import read_header

from .reports import ReportedTest, make_test_key


def match_recordings(reported: Sequence[ReportedTest], paths: Sequence[Path]) -> list[list[int]]:
    """Return for each test of a report the numbers of its recordings in `paths`, in the order of its attempts.

    A recording of pagereel matches if the test's name is in its metadata. Another tool's recording matches if its
    folder and file name are those of one of the test's attachments, so the report may come from another machine.
    """
    if not reported:
        return []
    keys: dict[str, list[int]] = defaultdict(list)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number, path in enumerate(paths):
        places[_get_folder_and_name(path)].append(number)
        metadata = read_header(path).get("metadata")
        test = metadata.get("test") if isinstance(metadata, dict) else None
        if isinstance(test, str):
            file, _, name = test.partition("::")
            keys[make_test_key(file, name)].append(number)
    found: list[list[int]] = []
    left = set(range(len(paths)))
    for each in reported:
        mine = [*keys.get(each.key, ())]
        for file in each.attachments:
            mine += places.get(_get_folder_and_name(Path(file.replace("\\", "/"))), ())
        mine = [number for number in dict.fromkeys(mine) if number in left]  # A recording is of one test.
        left -= {*mine}
        found.append(mine)
    return found


def _get_folder_and_name(path: Path) -> tuple[str, ...]:
    return path.parts[-2:]
