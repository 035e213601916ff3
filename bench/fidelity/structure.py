"""Finds the first line in which two serialized pages differ, and the path to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .page_serializer import Line

MASK = "\u2022\u2022\u2022\u2022\u2022"
UNREADABLE = " :rules=?"


@dataclass(frozen=True)
class LineDifference:
    """The first line in which page and replay differ. `path` leads to it; `live` and `replay` are the lines, "" where one page has none."""

    path: str
    live: str
    replay: str

    def __str__(self) -> str:
        return f"{self.path}: live {_shorten(self.live)}, replay {_shorten(self.replay)}"


def find_first_difference(one: list[Line], other: list[Line]) -> LineDifference | None:
    """Return the first difference of two serialized pages, or None.

    A masked value equals any value, and a number of style rules equals one that cannot be read.
    """
    for index in range(max(len(one), len(other))):
        a = one[index] if index < len(one) else (0, "")
        b = other[index] if index < len(other) else (0, "")
        if a != b and not (a[0] == b[0] and (_is_same_behind_mask(a[1], b[1]) or _is_same_but_rules(a[1], b[1]))):
            longer = one if index < len(one) else other
            return LineDifference(_make_path(longer, index), a[1], b[1])
    return None


def _is_same_behind_mask(live_line: str, replay_line: str) -> bool:
    """Return whether the lines are equal when each mask in the replay's line may stand for any text."""
    if MASK not in replay_line:
        return False
    pattern = re.escape(replay_line).replace(re.escape(MASK), r'(?:[^"\\]|\\.)*')
    return re.fullmatch(pattern, live_line, re.DOTALL) is not None


def _is_same_but_rules(live_line: str, replay_line: str) -> bool:
    """Return whether the lines are equal but for a number of style rules that cannot be read in the live page."""
    known = live_line.removesuffix(UNREADABLE)
    return known != live_line and re.fullmatch(re.escape(known) + r" :rules=\d+", replay_line) is not None


def _make_path(lines: list[Line], index: int) -> str:
    """Return the element names from the document down to a line, each with its number among its siblings."""
    steps: list[str] = []
    depth, _ = lines[index]
    place = 0
    steps.append(_read_element_name(lines[index][1]))
    for above in range(index - 1, -1, -1):
        at, text = lines[above]
        if at == depth:
            place += 1
        elif at < depth:
            steps[-1] += f"[{place}]"
            steps.append(_read_element_name(text))
            depth, place = at, 0
    return "/".join(reversed(steps))


def _read_element_name(text: str) -> str:
    found = re.match(r"<?([^\s>]+)", text)
    identity = re.search(r' id="([^"]*)"', text)
    return (found.group(1) if found else "?") + (f"#{identity.group(1)}" if identity else "")


def _shorten(text: str, length: int = 160) -> str:
    if not text:
        return "nothing"
    return f"`{text if len(text) <= length else text[: length - 1] + '…'}`"
