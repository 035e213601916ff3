"""Structure: the page as lines, live and replayed, and the first difference between the two with its path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERIALIZE = Path(__file__).with_name("serialize.js").read_text(encoding="utf-8")
MASK = "\u2022\u2022\u2022\u2022\u2022"

Line = tuple[int, str]
"""Depth and text."""


def _function(expression: str) -> str:
    """A function of one argument that calls the serializer on the document that `expression` names."""
    body = SERIALIZE[SERIALIZE.index("(start, options)") :].rstrip()
    return f"(options) => ({body})({expression}, options)"


def live(frame: Any, *, peer: bool = False) -> list[Line]:
    """The lines of a Playwright frame's document, those of documents from other origins put in their place. `peer`: by
    the milder measure that rrweb is held to.
    """
    call = _function("document")
    result = frame.evaluate(call, {"peer": peer})
    lines: list[Line] = []
    number = 0
    for depth, text in result["lines"]:
        if text != "frame":
            lines.append((depth, text))
            continue
        handle = frame.evaluate_handle(call, {"frame": number, "peer": peer}).as_element()
        number += 1
        inner = handle.content_frame() if handle is not None else None
        if inner is not None:
            lines += [(depth + below, line) for below, line in live(inner, peer=peer)]
    return lines


def replayed(page: Any) -> list[Line]:
    """The lines of what a pagereel player shows."""
    result = page.evaluate(_function("window.pagereel.frame?.contentDocument ?? new Document()"), {"replay": True})
    return [(depth, text) for depth, text in result["lines"]]


def replayed_by_rrweb(page: Any) -> list[Line]:
    """The lines of what rrweb's Replayer shows."""
    result = page.evaluate(
        _function("document.querySelector('.replayer-wrapper iframe').contentDocument"), {"peer": True}
    )
    return [(depth, text) for depth, text in result["lines"]]


@dataclass(frozen=True)
class Difference:
    """The first line that differs. `path` leads there; `live` and `replay` are the lines, "" where one has none."""

    path: str
    live: str
    replay: str

    def __str__(self) -> str:
        return f"{self.path}: live {_cut(self.live)}, replay {_cut(self.replay)}"


def compare(one: list[Line], other: list[Line]) -> Difference | None:
    """The first difference, or None. Masked values equal whatever they mask."""
    for index in range(max(len(one), len(other))):
        a = one[index] if index < len(one) else (0, "")
        b = other[index] if index < len(other) else (0, "")
        if a != b and not (a[0] == b[0] and _same_behind_mask(a[1], b[1])):
            longer = one if index < len(one) else other
            return Difference(_path(longer, index), a[1], b[1])
    return None


def _same_behind_mask(live_line: str, replay_line: str) -> bool:
    if MASK not in replay_line:
        return False
    pattern = re.escape(replay_line).replace(re.escape(MASK), r'(?:[^"\\]|\\.)*')
    return re.fullmatch(pattern, live_line, re.DOTALL) is not None


def _path(lines: list[Line], index: int) -> str:
    """Element names from the document down to a line, each with its place among its siblings."""
    steps: list[str] = []
    depth, _ = lines[index]
    place = 0
    steps.append(_name(lines[index][1]))
    for above in range(index - 1, -1, -1):
        at, text = lines[above]
        if at == depth:
            place += 1
        elif at < depth:
            steps[-1] += f"[{place}]"
            steps.append(_name(text))
            depth, place = at, 0
    return "/".join(reversed(steps))


def _name(text: str) -> str:
    found = re.match(r"<?([^\s>]+)", text)
    identity = re.search(r' id="([^"]*)"', text)
    return (found.group(1) if found else "?") + (f"#{identity.group(1)}" if identity else "")


def _cut(text: str, length: int = 160) -> str:
    if not text:
        return "nothing"
    return f"`{text if len(text) <= length else text[: length - 1] + '…'}`"
