"""Writes a run's summary as one paragraph of Markdown."""

from __future__ import annotations

import re
from typing import Final

from pagereel.durations import duration_text

from .recorded_run import Record

_MOST: Final = 12
"""Largest number of tools and models that are named."""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#~])")
_MARKS: Final = re.compile(rf"\\{_SPECIAL.pattern}|\*\*")


def paragraph(summary: Record, *, markdown: bool = True) -> str:
    """Return a summary as one paragraph of Markdown; texts from the recording are escaped. With `markdown=False` it is
    plain text.
    """
    goal = ", ".join(summary["goal"][:3]) or "A run without steps"
    more = f" and {len(summary['goal']) - 3} more steps" if len(summary["goal"]) > 3 else ""
    by = f" by {_plain(summary['agent'])}" if summary["agent"] else ""
    ended = {"passed": "passed", "failed": "failed"}.get(summary["outcome"], "ended, nobody says how,")
    if summary["recovered"]:
        ended += f", {_many(summary['recovered'], 'step')} recovered,"
    said = [f"**{_plain(goal)}**{more}{by} {ended} after {duration_text(summary['duration'])}."]
    if summary["reason"]:
        said.append(f"Why: {_plain(summary['reason'])}.")
    said += [_plain(sentence) for sentence in summary["failure"]]
    failed = sum(step.get("success") is False for step in summary["steps"])
    done = [_many(len(summary["steps"]), "step") + (f" ({failed} failed)" if failed else "")]
    done.append(_many(summary["operations"], "operation") + _list(summary["tools"], "of tools: "))
    if summary["models"]:
        done.append(
            f"{summary['tokens']:,} tokens and ${summary['cost_usd']:.4f}{_list(summary['models'], 'calls of ')}"
        )
    if summary["max_iteration"] > 1:
        done.append(f"up to {summary['max_iteration']} iterations")
    if summary["retries"]:
        done.append("1 retry" if summary["retries"] == 1 else f"{summary['retries']} retries")
    said.append(f"{', '.join(done)}.")
    if pages := summary["pages"]:
        said.append(f"{_many(len(pages), 'page')}, the last one {_plain(pages[-1])}.")
    said.append(f"{_recorded(summary)}.")
    return " ".join(said) if markdown else _MARKS.sub(lambda mark: mark[1] or "", " ".join(said))


def _recorded(summary: Record) -> str:
    fidelity, redaction = summary["fidelity"], summary["redaction"]
    missing = [f"{count} × {_plain(name)}" for name, count in (summary["gaps"] | summary["unsupported"]).items()]
    told = f"Recorded with {', '.join(missing)}" if missing else "Recorded without gaps"
    if not summary["sealed"]:
        told += ", cut off before its end"
    if fidelity["checkpoints"]:
        told += f"; {fidelity['equal']} of {fidelity['checkpoints']} checkpoints equal the page"
    if redaction:
        told += f"; {_many(redaction['replacements'], 'place')} masked under {_plain(redaction['policy'])}"
    return told


def _list(used: list[Record], before: str) -> str:
    named = [f"{_plain(each['name'])} × {each['count']}" for each in used[:_MOST]]
    return f" ({before}{', '.join(named)}{', …' if len(used) > _MOST else ''})" if named else ""


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _plain(text: object) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))
