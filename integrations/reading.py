"""A recording, read by an agent or a script: what happened, what went wrong, what a page said at a moment.

`pagereel query` and `pagereel mcp` give the same answers; both come from here. All results are plain JSON values, times
are ms on the recording's clock.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pagereel.errors import UsageError
from pagereel.integrations.outline import outline, title_of
from pagereel.options import Redaction, redaction_of
from pagereel.reel import PageModel, kinds, open_reel

if TYPE_CHECKING:
    from pagereel.redaction import Gate, RedactionReport

Made = TypeVar("Made", bound=str | bytes)
Record = dict[str, Any]
FAILED_STATUS = 400
_NO_ERROR = "net::ERR_ABORTED"
"""What a request says that the page itself gave up."""
_BY_ITSELF = re.compile(r"other .*(?:\.ico|icon[^/]*|com\.chrome\.devtools\.json)")
"""What browsers ask for by themselves, an icon mostly: no page is worse for not having it. The player's story.ts has the same."""


@dataclass(frozen=True)
class Shared:
    """A recording as it may be shown, and the gate that what is made of it must pass."""

    path: Path
    gate: Gate | None = None
    """None: nothing was masked here, so nothing is known to look for."""

    def check(self, made: Made, what: str) -> Made:
        """Gives back a finished text or file when no known value stands in it. Raises GateError."""
        if self.gate is not None:
            self.gate.check(made, what)
        return made


@contextlib.contextmanager
def shared(path: Path, redaction: Redaction) -> Iterator[Shared]:
    """The reel as it may be shown: redacted with `redaction` into a temporary file, unless that has been done already.

    Whatever is made of it goes through `check` before anybody sees it. A reel that was masked before carries no values
    and is taken as it is. None: as it was recorded. Raises what `redact()` raises.
    """
    with _masked(path, redaction, gate=False) as (masked, report):
        if report is None:
            yield Shared(masked)
            return
        from pagereel.redaction import Gate

        yield Shared(masked, Gate(report.known))


@contextlib.contextmanager
def shareable(path: Path, redaction: Redaction) -> Iterator[Path]:
    """As :func:`shared`, for what gates nothing by itself: the masked reel has passed the gate as a whole."""
    with _masked(path, redaction, gate=True) as (masked, _):
        yield masked


@contextlib.contextmanager
def _masked(path: Path, redaction: Redaction, *, gate: bool) -> Iterator[tuple[Path, RedactionReport | None]]:
    """The reel redacted into a temporary file and the redaction's report; itself and None where nothing was to do."""
    redaction = redaction_of(redaction)
    if redaction is None or _is_redacted(path, redaction):
        yield path, None
        return
    from pagereel.redaction import redact

    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        masked = Path(folder) / path.name
        yield masked, redact(path, masked, redaction, gate=gate)


def _is_redacted(path: Path, redaction: Redaction) -> bool:
    """Whether the reel is redacted with this very policy. What a policy file said then is not known: it never counts."""
    from pagereel.redaction import POLICIES

    if redaction not in POLICIES:
        return False
    with open_reel(path) as reel:
        return any(event["k"] == "redaction" and event.get("policy") == redaction for event in reel.events())


class Reading:
    """One recording. `path` is read once, when this is made."""

    KINDS = kinds(read=True)

    def __init__(self, path: Path) -> None:
        self.path = path
        self.duration = 0.0
        self._of: dict[str, list[Record]] = {kind: [] for kind in self.KINDS}
        with open_reel(path) as reel:
            self.header: Record = dict(reel.header)
            self.sealed = reel.sealed
            for event in reel.timeline():
                self.duration = max(self.duration, float(str(event.get("t") or 0)))
                if event["k"] in self._of:
                    self._of[str(event["k"])].append(event)
        self._numbers = {event["id"]: number for number, event in enumerate(self._of["step"], 1)}
        """Steps share their ids with calls and notes, so that the third step's is seldom 3: people count them in their order."""
        self._ends = {event["id"]: event for event in self._of["step_end"]}
        self._responses = {event["id"]: event for event in self._of["response"]}

    def overview(self) -> Record:
        """What the recording holds, in one look."""
        llm = self._of["llm"]
        return {
            "agent": self.header.get("agent"),
            "metadata": self.header.get("metadata"),
            "started": self.header.get("started"),
            "duration": self.duration,
            "sealed": self.sealed,
            "pages": [event.get("url") for event in self._of["document"] if event.get("top")],
            "steps": len(self._of["step"]),
            "failed_steps": [e["id"] for e in self._of["step_end"] if e.get("success") is False],
            "calls": len(self._of["call"]),
            "model_calls": len(llm),
            "tokens": sum((e.get("input_tokens") or 0) + (e.get("output_tokens") or 0) for e in llm),
            "cost_usd": round(sum(e.get("cost_usd") or 0 for e in llm), 6),
            "errors": len(self.errors()),
            "marks": [{"name": e["name"], "t": e["t"]} for e in self._of["mark"]],
            "gaps": len(self._of["gap"]),
        }

    def number_of(self, step: int) -> int:
        """The step's number for people: its place among the steps, from 1."""
        return self._numbers.get(step, step)

    def steps(self) -> list[Record]:
        """The agent's steps, each with its outcome."""
        found = []
        for step in self._of["step"]:
            end = self._ends.get(step["id"], {})
            record = {
                "kind": "step",
                "number": self._numbers[step["id"]],
                "id": step["id"],
                "parent": step.get("parent"),
                "t": step["t"],
                "duration": round(end["t"] - step["t"], 1) if end else None,
                "title": step["title"],
                "reasoning": step.get("reasoning"),
                "success": end.get("success"),
                "ended": bool(end),
                "message": end.get("message"),
                "error": end.get("error"),
                "attributes": {**(step.get("attributes") or {}), **(end.get("attributes") or {})},
            }
            found.append(_given(record))
        return found

    def calls(self) -> list[Record]:
        """Playwright's calls and the agent's model and tool calls, in order of time."""
        results = {event["call"]: event for event in self._of["tool_result"]}
        found = [_without(event, "k") | {"kind": "playwright"} for event in self._of["call"]]
        found += [_without(event, "k") | {"kind": "model"} for event in self._of["llm"]]
        for event in self._of["tool_call"]:
            result = results.get(event["id"], {})
            told = {name: result[name] for name in ("result", "error", "duration") if name in result}
            found.append(_without(event, "k") | told | {"kind": "tool"})
        return sorted(found, key=lambda event: float(event["t"]))

    def errors(self) -> list[Record]:
        """Everything that went wrong: failed steps and calls, errors of pages and consoles, failed requests."""
        found = [
            {
                "t": e["t"],
                "kind": "step",
                "number": self.number_of(e["id"]),
                "id": e["id"],
                "message": e.get("error") or e.get("message") or "failed",
            }
            for e in self._of["step_end"]
            if e.get("success") is False
        ]
        for kind in ("call", "tool_result"):
            found += [
                _given({"t": e["t"], "kind": kind, "id": e["id"], "message": e["error"], "source": e.get("source")})
                for e in self._of[kind]
                if e.get("error")
            ]
        found += [{"t": e["t"], "kind": "page error", "message": e["message"]} for e in self._of["error"]]
        found += [
            {"t": e["t"], "kind": "console", "message": e["text"]}
            for e in self._of["console"]
            if e["level"] == "error"
            if e.get("source") != "network"  # which a request tells
        ]
        found += [
            {"t": e["t"], "kind": "request", "id": e["id"], "message": f"{e['method']} {e['url']}: {e['failed']}"}
            for e in self.requests()
            if "failed" in e
        ]
        return sorted(found, key=lambda event: float(event["t"]))

    def console(self) -> list[Record]:
        """What pages wrote to their consoles."""
        return [_without(event, "k", "d") for event in self._of["console"]]

    def requests(self) -> list[Record]:
        """Network requests with their answers."""
        found = []
        for request in self._of["request"]:
            answer = self._responses.get(request["id"], {})
            record = {name: request.get(name) for name in ("id", "t", "page", "method", "url", "type")}
            record |= {name: answer.get(name) for name in ("status", "mime", "size", "from")}
            if isinstance(answer.get("end"), int | float):
                record["duration"] = round(answer["end"] - request["t"], 1)
            if _BY_ITSELF.fullmatch(f"{request.get('type')} {request.get('url')}"):
                pass
            elif answer.get("error") and answer["error"] != _NO_ERROR:
                record["failed"] = answer["error"]
            elif (answer.get("status") or 0) >= FAILED_STATUS:
                record["failed"] = f"{answer['status']} {answer.get('status_text') or ''}".strip()
            found.append(_given(record))
        return found

    def notes(self) -> list[Record]:
        """Notes, marks, screenshots, dialogs and downloads."""
        kinds = ("note", "mark", "screenshot", "dialog", "download")
        found = [_without(event, "k", "body") | {"kind": kind} for kind in kinds for event in self._of[kind]]
        return sorted(found, key=lambda event: float(event["t"]))

    def text(self, at: float | None = None, page: int | None = None) -> list[Record]:
        """What each open page (or the one numbered `page`) said at a moment, else at the end: address, title, and an
        outline of its text and controls.
        """
        model = self.model(self.duration if at is None else at)
        found = []
        for state in model.pages.values():
            document = model.documents.get(state.document or 0)
            if document is None or not (state.open or at is None) or (page is not None and state.number != page):
                continue
            found.append(
                {
                    "page": state.number,
                    "url": document.url,
                    "title": title_of(document),
                    "text": outline(model, document),
                }
            )
        return found

    def model(self, at: float) -> PageModel:
        """The page model at a moment."""
        model = PageModel()
        with open_reel(self.path) as reel:
            for event in reel.timeline():
                if float(str(event.get("t") or 0)) > at:
                    break
                model.apply(event)
        return model

    def moment(self, text: str) -> float:
        """`1234` (ms), `end`, a mark's name, or `step 3` (the third) → ms. Raises LookupError for a name that there is not."""
        if text == "end":
            return self.duration
        with contextlib.suppress(ValueError):
            return float(text)
        if step := re.fullmatch(r"step[ =:]?(\d+)", text):
            for event in self._of["step"]:
                if self._numbers[event["id"]] == int(step[1]):
                    end = self._ends.get(event["id"])
                    return float(end["t"] if end else event["t"])
        for mark in self._of["mark"]:
            if mark["name"] == text:
                return float(mark["t"])
        numbers = f" (N from 1 to {len(self._numbers)})" if self._numbers else ""
        raise LookupError(f"there is no moment {text!r}; give ms, `end`, `step N`{numbers}, or the name of a mark")


QUERIES: dict[str, Callable[[Reading], list[Record]]] = {
    "steps": Reading.steps,
    "calls": Reading.calls,
    "errors": Reading.errors,
    "console": Reading.console,
    "requests": Reading.requests,
    "notes": Reading.notes,
}


GREP_SECONDS = 5.0
"""A pattern that goes back and forth over a page's text would never end; whoever gave it, an agent perhaps, is told."""
GREP_LENGTH = 1000


def matching(grep: str) -> Callable[[str], bool]:
    """Whether a text matches a regular expression, in any case of letters. Raises UsageError where `grep` is none, or as soon as all that
    was asked took too long together.
    """
    import regex  # it has a time limit, which Python's own module has not

    if len(grep) > GREP_LENGTH:
        raise UsageError(f"A regular expression of {len(grep):,} characters is too long; give at most {GREP_LENGTH:,}.")
    try:
        pattern = regex.compile(grep, regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise UsageError(f"grep takes a regular expression ({error}).") from None
    left = GREP_SECONDS

    def matches(text: str) -> bool:
        nonlocal left
        begin = time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            return pattern.search(text, timeout=left) is not None
        except TimeoutError:
            raise UsageError(
                f"The regular expression took longer than {GREP_SECONDS:g} s; give a simpler one, without nested repeats."
            ) from None
        finally:
            left -= time.monotonic() - begin

    return matches


def chosen(
    records: list[Record], *, grep: str | None = None, start: float | None = None, end: float | None = None,
    limit: int | None = None,
) -> list[Record]:  # fmt: skip
    """Those that begin between two moments and say something that matches `grep` (source code aside), at most `limit`.

    Raises UsageError for what is no regular expression, and for one that takes longer than :data:`GREP_SECONDS` over all records.
    """
    matches = matching(grep) if grep else None
    found = [
        record
        for record in records
        if (start is None or record["t"] >= start)
        and (end is None or record["t"] <= end)
        and (matches is None or matches(str(_without(record, "source"))))
    ]
    return found if limit is None else found[:limit]


def line_of(record: Record) -> str:
    """One record for people, on one line."""
    t, kind = float(record.get("t") or 0), record.get("kind")
    if kind == "step":
        kind = f"step {record['number']}"  # what `--at` takes
    what = (
        record.get("title")
        or record.get("message")
        or record.get("text")
        or record.get("name")
        or record.get("model")
        or record.get("label")
    )
    if "method" in record and "url" in record:
        what = f"{record['method']} {record['url']} {record.get('failed') or record.get('status') or ''}"
    if record.get("locator"):
        what = f"{what} {record['locator']}"
    verdict = {True: " ok", False: " FAILED"}.get(record.get("success", ""), " done" if record.get("ended") else "")
    trouble = f" ! {record['error']}" if record.get("error") else ""
    return " ".join(f"{t:>9.0f} {f'[{kind}] ' if kind else ''}{what or ''}{verdict}{trouble}".split("\n"))[:300]


def _without(event: Record, *names: str) -> Record:
    return {name: value for name, value in event.items() if name not in names}


def _given(record: Record) -> Record:
    return {name: value for name, value in record.items() if value is not None and value != {}}
