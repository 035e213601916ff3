"""`pagereel info` and `pagereel verify`: print the content of a recording, and whether it is intact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagereel.cli.argument_requirements import parse_redaction_option, read_replay_policy, require_readable_file
from pagereel.cli.console import format_json, format_size, print_json, print_lines, show_progress
from pagereel.cli.recording_state import (
    damage_to_json,
    describe_recording_state,
    print_recording_warnings,
    to_plain_json,
)
from pagereel.cli.redacting import format_masked_counts
from pagereel.durations import format_duration
from pagereel.errors import UsageError
from pagereel.player_build import Fidelity, FidelityLayer
from pagereel.reading import to_utc_text
from pagereel.reel import Event, RunOutcome, RunOutcomeRule, find_event_end_time, find_outcome

_UNCLAIMED = "not claimed: pagereel did not see the page itself"
_SHOWN = 5
"""Most addresses without bytes that are printed."""


@dataclass
class RecordingSummary:
    """The facts about a recording that `pagereel info` prints. Times are in ms, sizes in bytes.

    They are counted in one pass over the recording's events.
    """

    duration: float = 0
    kinds: Counter[str] = field(default_factory=Counter)
    pages: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)
    gaps: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    resources: int = 0
    resource_bytes: int = 0
    errors: int = 0
    outcome: RunOutcome = field(default_factory=lambda: RunOutcome("unknown"))
    redaction: dict[str, Any] | None = None
    """The redaction's report, at least its `policy`; None for a recording that is not masked."""
    left_out: dict[str, Any] = field(default_factory=dict)
    """What a build with a size limit left out: the kind → `count`, `bytes`."""
    tokens: int = 0
    cost_usd: float = 0
    header: dict[str, Any] = field(default_factory=dict)
    sealed: bool = False
    damage: Any = None
    kind: str = "reel"
    """The file's kind: ``reel``, ``replay``, ``trace`` or ``rrweb``."""
    warnings: list[str] = field(default_factory=list)
    """Content of another tool's file that could not be imported."""
    fidelity: Fidelity = field(default_factory=Fidelity)
    first_difference: dict[str, Any] | None = None
    missing: list[str] = field(default_factory=list)

    @property
    def is_fidelity_complete(self) -> bool:
        """Return whether the recording has checkpoints, and the recorded tree equalled the page at all of them."""
        tree = self.fidelity.tree
        return 0 < tree.total == tree.equal

    def count_event(self, event: Mapping[str, Any]) -> None:
        """Count one event in the summary."""
        kind = event["k"]
        self.kinds[kind] += 1
        self.duration = max(self.duration, find_event_end_time(event))
        match kind:
            case "page" if event.get("event") == "open":
                self.pages.append(event.get("url") or "")
            case "document" if event.get("top"):
                self._set_page_address(event)
            case "step":
                self.steps.append(
                    {
                        "number": len(self.steps) + 1,
                        "id": event.get("id"),
                        "title": event.get("title"),
                        "time": event.get("t"),
                    }
                )
            case "step_end":
                for step in self.steps:
                    if step["id"] == event.get("id"):
                        step["success"] = event.get("success")
            case "mark":
                self.marks.append({"name": event.get("name"), "time": event.get("t")})
            case "gap":
                self.gaps[str(event.get("reason"))] += event.get("count") or 1
                if event.get("reason") == "left out" and isinstance(left := event.get("detail"), dict):
                    self.left_out = left
            case "unsupported":
                self.unsupported[str(event.get("what"))] += 1
            case "resource":
                self.resources += 1
                self.resource_bytes += event.get("size") or 0
            case "error":
                self.errors += 1
            case "redaction":
                report = event.get("report")
                self.redaction = {**(report if isinstance(report, dict) else {}), "policy": str(event.get("policy"))}
            case "llm":
                self.tokens += (event.get("input_tokens") or 0) + (event.get("output_tokens") or 0)
                self.cost_usd += event.get("cost_usd") or 0

    def _set_page_address(self, event: Mapping[str, Any]) -> None:
        """Store the address of a document as that of its page, unless the page has one already."""
        number = int(event.get("page") or 0)
        while len(self.pages) < number:
            self.pages.append("")
        if number and self.pages[number - 1] in {"", "about:blank"}:
            self.pages[number - 1] = event.get("url") or ""


def read_summary(path: Path) -> RecordingSummary:
    """Read a recording, and return its summary. Raises ReelError for a file that is no recording."""
    from pagereel.player_build import list_missing_addresses
    from pagereel.reel import compare_checkpoints
    from pagereel.sources import open_any

    summary = RecordingSummary()
    counted: list[Event] = []
    with open_any(path) as reel:
        for event in reel.events():
            summary.count_event(event)
            if event["k"] in RunOutcomeRule.KINDS and isinstance(event.get("t"), int | float):
                counted.append(event)
        counted.sort(key=lambda event: float(str(event["t"])))
        summary.outcome = find_outcome(counted, (reel.end or {}).get("reason"), reel.header.get("metadata"))
        summary.header = to_plain_json(reel.header)
        summary.sealed = reel.closed
        summary.damage = reel.damage
        summary.kind = reel.kind
        summary.warnings = list(reel.warnings)
        if reel.invalid_count:
            summary.warnings.append(f"{reel.invalid_count:,} of its events do not follow the format and were left out.")
        found = compare_checkpoints(reel)
        summary.first_difference = to_plain_json(found.first_difference)
        summary.missing = list_missing_addresses(reel)
        claim = (summary.header.get("imported") or {}).get("fidelity")
        summary.fidelity = (
            Fidelity.from_json(claim)
            if reel.kind == "replay" and isinstance(claim, dict)
            else Fidelity(FidelityLayer(found.equal, found.total), missing=len(summary.missing))
        )
    return summary


def print_info(path: Path, redaction: str, *, json: bool) -> int:
    """Print the summary of a recording, masked if a policy is named."""
    require_readable_file(path)
    from pagereel.integrations import shared

    with shared(path, parse_redaction_option(redaction)) as shown:
        summary = read_summary(shown.path)
        if json:
            text = format_json(_to_json(path, summary))
        else:
            text = "\n".join(f"{name:>11}: {value}" for name, value in _iter_summary_rows(path, summary))
        text = shown.require_no_leak(text, "the answer")
    print_recording_warnings(path, summary.warnings, summary.sealed, summary.damage)
    print_lines(text.split("\n"))
    return 0


def print_verification(path: Path, *, json: bool) -> int:
    """Print whether the recording is intact. Return 1 when it is not."""
    require_readable_file(path)
    from pagereel.reel import verify
    from pagereel.sources import detect_source_format

    other = detect_source_format(path)
    if other is not None:
        how = "add --replay to compare what it shows" if other.kind == "replay" else "import it to have a reel"
        raise UsageError(f"{path} is a {other.about}: it has no chain of hashes to verify; {how}.")
    report = verify(path)
    if json:
        print_json(
            {
                "reel": str(path),
                "ok": report.ok,
                "sealed": report.sealed,
                "damage": damage_to_json(report.damage),
                "events": report.events,
                "problems": report.problems,
                "checkpoints": to_plain_json(report.checkpoints),
            }
        )
    elif report.ok:
        print(f"{path}: complete recording, {report.events:,} events, {report.checkpoints}")
    else:
        for problem in report.problems:
            print(f"{path}: {problem}")
    return 0 if report.ok else 1


def print_replay_verification(path: Path, *, json: bool) -> int:
    """Open a replay at its checkpoints, and print at how many of them its tree, layout and picture equal the
    recording's.

    Return 1 if they differ anywhere; then the differences are printed, too.
    """
    read_replay_policy(path)
    from pagereel.browser import launch_options
    from pagereel.player_build import verify_replay

    launch = launch_options()
    with show_progress(f"Checking {path.name}") as advance:
        report = verify_replay(path, launch=launch, progress=lambda part: advance(part, 1))
    if json:
        print_json(
            {
                "replay": str(path),
                "ok": report.ok,
                "fidelity": report.fidelity.to_json(),
                "missing": report.missing,
                "differences": [each.to_json() for each in report.differences],
            }
        )
    else:
        for difference in report.differences:
            print(f"{path}: {difference}")
        for url in report.missing:
            print(f"{path}: without bytes: {url}")
        print(report)
    return 0 if report.ok else 1


def _to_json(path: Path, summary: RecordingSummary) -> dict[str, Any]:
    header = summary.header
    return {
        "reel": str(path),
        "kind": summary.kind,
        "warnings": summary.warnings,
        "imported": header.get("imported"),
        "clip": header.get("clip"),
        "format": header.get("format"),
        "bytes": path.stat().st_size,
        "sealed": summary.sealed,
        "damage": damage_to_json(summary.damage),
        "started": header.get("started"),
        "duration": summary.duration,
        "outcome": summary.outcome.outcome,
        "recovered": summary.outcome.recovered,
        "reason": summary.outcome.reason,
        "recorder": header.get("recorder"),
        "browser": header.get("browser"),
        "agent": header.get("agent"),
        "pages": summary.pages,
        "steps": summary.steps,
        "marks": summary.marks,
        "events": dict(summary.kinds.most_common()),
        "resources": {"count": summary.resources, "bytes": summary.resource_bytes},
        "errors": summary.errors,
        "tokens": summary.tokens,
        "cost_usd": round(summary.cost_usd, 6),
        "fidelity": summary.fidelity.to_json(),
        "first_difference": summary.first_difference,
        "missing": summary.missing,
        "gaps": dict(summary.gaps),
        "unsupported": dict(summary.unsupported),
        "redaction": None if summary.redaction is None else summary.redaction["policy"],
    }


def _iter_summary_rows(path: Path, summary: RecordingSummary) -> Iterable[tuple[str, str]]:
    header = summary.header
    of_format = f", format {header.get('format')}" if summary.kind == "reel" else ""
    yield summary.kind, f"{path}{of_format}, {format_size(path.stat().st_size)}"
    imported = header.get("imported")
    ours = isinstance(imported, dict) and imported.get("from") == "replay"
    if isinstance(imported, dict):
        by = f"{imported.get('name')} {imported.get('version') or ''}".rstrip()
        if summary.kind == "replay" and ours:
            yield "built by", by
        else:
            yield "imported", f"from {f'a replay of {by}' if ours else by}"
    if isinstance(clip := header.get("clip"), dict):
        begin, end = (format_duration(float(clip.get(name) or 0)) for name in ("from", "to"))
        yield "clip", f"from {begin} to {end} of the recording {str(clip.get('of'))[:12]}"
    for warning in summary.warnings:
        yield "not taken", warning
    yield "state", describe_recording_state(summary.sealed, summary.damage)
    if started := to_utc_text(header.get("started")):
        yield "started", f"{started} UTC"
    yield "duration", format_duration(summary.duration)
    yield "outcome", str(summary.outcome)
    browser = header.get("browser") or {}
    named = " ".join(str(browser[part]) for part in ("name", "version") if browser.get(part))
    yield "browser", (named or "not told") + (f", transport {browser['transport']}" if browser.get("transport") else "")
    if header.get("agent"):
        yield "agent", str(header["agent"])
    yield (
        "pages",
        f"{len(summary.pages)}" + "".join(f"\n{'':<13}{index}. {url}" for index, url in _number_pages(summary)),
    )
    if summary.steps:
        failed = sum(step.get("success") is False for step in summary.steps)
        yield "steps", f"{len(summary.steps)}" + (f", {failed} failed" if failed else "")
    if summary.kinds["llm"]:
        yield "model calls", f"{summary.kinds['llm']}, {summary.tokens:,} tokens, {summary.cost_usd:.4f} USD"
    yield "events", f"{sum(summary.kinds.values()):,} ({format_counts(dict(summary.kinds.most_common(6)))})"
    yield "resources", f"{summary.resources}, {format_size(summary.resource_bytes)}"
    if summary.errors:
        yield "page errors", str(summary.errors)
    yield "fidelity", _UNCLAIMED if isinstance(imported, dict) and not ours else format_fidelity(summary)
    same = imported.get("samePage") if isinstance(imported, dict) and summary.kind == "replay" else None
    if isinstance(same, dict):
        yield "same page", f"{same.get('equal')} of {same.get('of')} moments look like the raw page but for the texts"
    if summary.left_out:
        yield "left out", ", ".join(_format_left_out(kind, out) for kind, out in summary.left_out.items())
    yield "gaps", format_counts({reason: n for reason, n in summary.gaps.items() if reason != "left out"})
    if summary.unsupported:
        yield "unsupported", format_counts(summary.unsupported)
    yield "redaction", _format_redaction(summary.redaction)


def _format_redaction(report: dict[str, Any] | None) -> str:
    if report is None:
        return "none: this recording is private"
    values, total = report.get("values"), report.get("total")
    if not isinstance(values, int) or not isinstance(total, int):
        return f"{report['policy']}"
    return f"{report['policy']}, {format_masked_counts(values, total)}"


def _format_left_out(kind: str, removed: Any) -> str:
    count, size = (removed.get(name) if isinstance(removed, dict) else None for name in ("count", "bytes"))
    return f"{kind} {count:,} ({format_size(size)})" if isinstance(count, int) and isinstance(size, int) else kind


def _number_pages(summary: RecordingSummary) -> Iterable[tuple[int, str]]:
    return enumerate((url or "(no address)" for url in summary.pages), 1)


def format_fidelity(summary: RecordingSummary) -> str:
    """Return a recording's fidelity as text: `tree 41 of 41 · layout, picture: not checked`.

    The text includes the first difference, and the addresses of missing resources.
    """
    text = str(summary.fidelity)
    first = summary.first_difference
    if first:
        detail = f", {first['detail']}" if first["detail"] else ""
        text += f"; first difference: document {first['d']} ({first['url']}) at {first['t']:.0f} ms{detail}"
    return "".join([text, *(f"\n{'':<13}without bytes: {url}" for url in summary.missing[:_SHOWN])])


def format_counts(counts: Mapping[str, int]) -> str:
    """Return counts as text: `lost 2, late 1`, or `none`."""
    return ", ".join(f"{name} {count:,}" for name, count in counts.items()) or "none"
