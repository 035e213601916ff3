"""A comparison as Markdown, for a ticket or a pull request: the divergence first, then all differences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pagereel.reel import Json
from pagereel.text_truncation import truncate_text

from .records import Difference, RunMoment
from .result import Comparison

_MOST: Final = 50
"""Largest number of listed differences; the JSON has all."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#~])")


def format_as_markdown(comparison: Comparison, a: Path, b: Path) -> str:
    """Return the differences between the recordings `a` and `b`, for a reader who has not seen them."""
    name_a, name_b = _escape_markdown(a.name), _escape_markdown(b.name)
    lines = [f"# {name_b} beside {name_a}", ""]
    divergence = comparison.divergence
    if divergence is None:
        lines += ["Nothing differs beyond noise.", ""]
    else:
        where = _format_moment(divergence.b)
        lines += [f"**{_escape_markdown(divergence.summary)}**{where}", ""]
        lines += [f"{number}. {_escape_markdown(sentence)}" for number, sentence in enumerate(divergence.chain, 1)]
        lines.append("")
    outcome = comparison.outcome
    lines += [f"Outcome: {outcome['a']} ({name_a}), {outcome['b']} ({name_b}).", ""]
    if comparison.differences:
        lines += [f"| kind | where | {name_a} | {name_b} | at |", "|---|---|---|---|---|"]
        lines += [_format_table_row(each) for each in comparison.differences[:_MOST]]
        if len(comparison.differences) > _MOST:
            lines.append(f"| | … and {len(comparison.differences) - _MOST} more | | | |")
        lines.append("")
    if comparison.ignored:
        lines += [f"{comparison.ignored} more are usual, or left out by a rule.", ""]
    lines += [f"- {_escape_markdown(note)}" for note in comparison.notes]
    return "\n".join(lines).rstrip("\n") + "\n"


def _format_moment(moment: RunMoment) -> str:
    step = f", in “{_escape_markdown(moment.title)}”" if moment.title else ""
    return f" ({_format_time(moment.t)}{step})"


def _format_table_row(difference: Difference) -> str:
    at = " / ".join(_format_time(t) if t is not None else "never" for t in (difference.at["a"], difference.at["b"]))
    return f"| {difference.kind}{'' if difference.is_sure else ', perhaps'} | {_escape_markdown(difference.where)} | {_format_table_cell(difference.a)} | {_format_table_cell(difference.b)} | {at} |"


def _format_table_cell(value: Json) -> str:
    if value is None:
        return "–"
    text = value if isinstance(value, str) else str(value)
    return _escape_markdown(truncate_text(text, 160))


def _escape_markdown(text: str) -> str:
    """Return text escaped for Markdown, on one line, so that a page's text cannot become a link, a tag or a column."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _format_time(t: float) -> str:
    minutes, seconds = divmod(t / 1000, 60)
    return f"{int(minutes)}:{seconds:04.1f}"
