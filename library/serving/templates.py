"""Renders the Jinja templates of the pages; holds their filters, which write figures and times as text."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from pagereel.reading import to_utc_text
from pagereel.text_truncation import truncate_text

MEDIA: Final = "text/html; charset=utf-8"
_MARKS: Final = {"passed": "✓", "failed": "✗", "unknown": "–"}


def render_page(name: str, **values: Any) -> bytes:
    """Render the template `name` of a page with escaped values, as bytes."""
    return _build_environment().get_template(f"{name}.html.j2").render(**values).encode("utf-8", "replace")


@functools.cache
def _build_environment() -> Environment:
    made = Environment(
        loader=PackageLoader("pagereel.library.serving", "pages"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )  # fmt: skip
    made.filters |= {
        "when": format_time,
        "span": format_duration,
        "moment": format_run_time,
        "mark": _MARKS.get,
        "money": format_dollars,
        "brief": shorten_text,
        "lit": split_by_matches,
        "share": format_share,
        "record_title": get_record_title,
        "failed": is_failure_record,
    }
    made.globals["address_of"] = build_run_query
    return made


def build_run_query(t: float | None, reason: str | None) -> str:
    """Return the parameters of a run's address: the time in ms, and the reason for viewing it raw."""
    said = {"t": None if t is None else f"{t:.0f}", "reason": reason or None}
    given = {name: value for name, value in said.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def format_time(ms: float | None) -> str:
    """Return a time (ms since 1970) as date and time in UTC; a dash for None."""
    return (to_utc_text(ms) if ms else "") or "–"


def format_duration(ms: float | None) -> str:
    """Return a duration (ms) as text: ``4.2 s``, ``3 min 5 s``; a dash for None."""
    if ms is None:
        return "–"
    if ms < 60_000:
        return f"{ms / 1_000:.1f} s"
    minutes, seconds = divmod(round(ms / 1_000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"


def format_run_time(ms: float | None) -> str:
    """Return a time in a run (ms) as the player writes it: ``1:02.5``."""
    tenths = round((ms or 0) / 100)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def format_dollars(dollars: float | None) -> str:
    """Return an amount in US dollars as text; a dash for None or 0."""
    return f"${dollars:,.4f}".rstrip("0").rstrip(".") if dollars else "–"


def shorten_text(text: object, longest: int = 200) -> str:
    """Return a text on one line, cut to at most `longest` characters."""
    return truncate_text(" ".join(str(text if text is not None else "").split()), longest)


def split_by_matches(text: object, phrases: Sequence[str], longest: int = 200) -> list[tuple[bool, str]]:
    """Split a line into pieces for highlighting. Each piece is a pair: whether it matches one of the phrases, and its
    text.

    A long line is cut to the part around the first match.
    """
    said = " ".join(str(text if text is not None else "").split())
    words = [r"[\W_]+".join(map(re.escape, re.findall(r"\w+", phrase))) for phrase in phrases]
    looked = re.compile("|".join(word for word in words if word) or r"(?!)", re.IGNORECASE)
    first = looked.search(said)
    if first and first.end() > longest - 20:
        said = f"…{said[max(0, first.start() - longest // 2) :]}"
    said = shorten_text(said, longest)
    pieces, at = [], 0
    for match in looked.finditer(said):
        pieces += [(False, said[at : match.start()]), (True, match[0])]
        at = match.end()
    return [(on, piece) for on, piece in (*pieces, (False, said[at:])) if piece]


def format_share(part: float | None, whole: float | None) -> str:
    """Return a share in percent as text; a dash where the whole is 0 or None."""
    return f"{100 * (part or 0) / whole:.0f} %" if whole else "–"


def get_record_title(record: dict[str, Any]) -> str:
    """Return a title for a record of a run, such as a step, a call or an error."""
    words = (record.get(name) for name in ("title", "text", "message", "name", "method", "model", "url", "kind"))
    return shorten_text(next((word for word in words if word), ""), 160)


def is_failure_record(record: dict[str, Any]) -> bool:
    """Return whether a record is about a failure."""
    return record.get("success") is False or bool(record.get("error"))
