"""Writes a run's summary as one paragraph of Markdown."""

from __future__ import annotations

import re
from typing import Final

from pagereel.durations import format_duration

from .record_fields import Record

_MOST: Final = 12
"""Largest number of tools and models that are named."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#~])")
_MARKS: Final = re.compile(rf"\\{_SPECIAL.pattern}|\*\*")


def to_summary_paragraph(summary: Record, *, markdown: bool = True) -> str:
    """Return a summary as one paragraph of Markdown; texts from the recording are escaped. With `markdown=False` it is
    plain text.
    """
    goal = ", ".join(summary["goal"][:3]) or "A run without steps"
    more = f" and {len(summary['goal']) - 3} more steps" if len(summary["goal"]) > 3 else ""
    by = f" by {_escape_markdown(summary['agent'])}" if summary["agent"] else ""
    ended = {"passed": "passed", "failed": "failed"}.get(summary["outcome"], "ended, nobody says how,")
    if summary["recovered"]:
        ended += f", {_count_with_noun(summary['recovered'], 'step')} recovered,"
    said = [f"**{_escape_markdown(goal)}**{more}{by} {ended} after {format_duration(summary['duration'])}."]
    if summary["reason"]:
        said.append(f"Why: {_escape_markdown(summary['reason'])}.")
    said += [_escape_markdown(sentence) for sentence in summary["failure"]]
    failed = sum(step.get("success") is False for step in summary["steps"])
    done = [_count_with_noun(len(summary["steps"]), "step") + (f" ({failed} failed)" if failed else "")]
    done.append(_count_with_noun(summary["operations"], "operation") + _list_counts(summary["tools"], "of tools: "))
    if summary["models"]:
        done.append(
            f"{summary['tokens']:,} tokens and ${summary['cost_usd']:.4f}{_list_counts(summary['models'], 'calls of ')}"
        )
    if summary["max_iteration"] > 1:
        done.append(f"up to {summary['max_iteration']} iterations")
    if summary["retries"]:
        done.append("1 retry" if summary["retries"] == 1 else f"{summary['retries']} retries")
    said.append(f"{', '.join(done)}.")
    if pages := summary["pages"]:
        said.append(f"{_count_with_noun(len(pages), 'page')}, the last one {_escape_markdown(pages[-1])}.")
    said.append(f"{_describe_recording_quality(summary)}.")
    return " ".join(said) if markdown else _MARKS.sub(lambda mark: mark[1] or "", " ".join(said))


def _describe_recording_quality(summary: Record) -> str:
    fidelity, redaction = summary["fidelity"], summary["redaction"]
    missing = [
        f"{count} × {_escape_markdown(name)}" for name, count in (summary["gaps"] | summary["unsupported"]).items()
    ]
    told = f"Recorded with {', '.join(missing)}" if missing else "Recorded without gaps"
    if not summary["sealed"]:
        told += ", cut off before its end"
    if fidelity["checkpoints"]:
        told += f"; {fidelity['equal']} of {fidelity['checkpoints']} checkpoints equal the page"
    if redaction:
        told += f"; {_count_with_noun(redaction['replacements'], 'place')} masked under {_escape_markdown(redaction['policy'])}"
    return told


def _list_counts(usage: list[Record], prefix: str) -> str:
    named = [f"{_escape_markdown(each['name'])} × {each['count']}" for each in usage[:_MOST]]
    return f" ({prefix}{', '.join(named)}{', …' if len(usage) > _MOST else ''})" if named else ""


def _count_with_noun(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _escape_markdown(text: object) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))
