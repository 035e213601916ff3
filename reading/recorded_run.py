"""Queries on a recording for agents and scripts: what happened, what failed, what a page showed at a time.

Both `pagereel query` and `pagereel mcp` call these methods. All results are plain JSON values; times are ms on the
recording's clock.
"""

from __future__ import annotations

import contextlib
import functools
import math
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pagereel.reel import (
    EventIds,
    ModelMessageStore,
    PageModel,
    Reel,
    RunOutcome,
    RunOutcomeRule,
    build_action_title,
    find_event_end_time,
    find_event_kinds,
)
from pagereel.sources import open_any

from .outline import build_outline, get_page_title
from .record_fields import Record as Record
from .record_fields import drop_empty_fields, drop_fields, to_time_sort_key

FAILED_STATUS = 400
_TOLD = frozenset(
    [
        "document",
        "page",
        "console",
        "error",
        "request",
        "response",
        "message",
        "step",
        "step_end",
        "llm",
        "said",
        "tool_call",
        "tool_result",
        "call",
        "gap",
        "unsupported",
        "stall",
    ]
)
"""Kinds of events that have a query of their own, or a figure in the overview."""
_MESSAGE_TEXT = 2_000
_ERRING = {"llm": "model"}
"""Names for kinds of events in lists of errors."""
_NO_ERROR = "net::ERR_ABORTED"
"""The error of a request that the page itself aborted."""
_BY_ITSELF = re.compile(r"other .*(?:\.ico|icon[^/]*|com\.chrome\.devtools\.json)")
"""Requests that browsers make by themselves, mostly for icons: a failure does not affect the page. The player's
story.ts has the same pattern.
"""


class RecordedRun:
    """One recording. The constructor reads the file at `path`, or the already open `reel`; page contents are read only
    when a query needs them.
    """

    KINDS = find_event_kinds(read=True)

    def __init__(self, path: Path, reel: Reel | None = None) -> None:
        self.path = path
        self._given_reel = reel
        self._held = threading.local()
        self.duration = 0.0
        self._of: dict[str, list[Record]] = {kind: [] for kind in self.KINDS}
        with self.open_reel() as reel:
            self.header: Record = dict(reel.header)
            self.kind: str = reel.kind
            """The file's kind: ``reel``, ``replay``, ``trace`` or ``rrweb``."""
            self.sealed = reel.closed
            self.reason = (reel.end or {}).get("reason")
            """Why the recording ended, from its last event."""
            self.checkpoints = self.equal = 0
            """Number of checkpoints, and of those at which the recorded tree equalled the page's."""
            self.redaction: Record | None = None
            """The redaction's own report; None: the recording is not masked."""
            said, rule = ModelMessageStore(), RunOutcomeRule()
            for event in reel.timeline():
                rule.read_event(event)
                self.duration = max(self.duration, find_event_end_time(event))
                if event["k"] in self._of:
                    said.store_message(event)
                    self._of[str(event["k"])].append(said.fill_in_messages(event))
                elif event["k"] == "checkpoint":
                    self.checkpoints += 1
                    self.equal += event.get("equal") is True
                elif event["k"] == "redaction":
                    report = event.get("report")
                    self.redaction = report if isinstance(report, dict) else {"policy": event.get("policy")}
        self.outcome: RunOutcome = rule.decide_outcome(self.reason, self.header.get("metadata"))
        """How the run ended."""
        self._numbers = {event["id"]: number for number, event in enumerate(self._of["step"], 1)}
        """Step id → number. Steps share their ids with calls and notes, so the third step seldom has the id 3; people
        count steps in order.
        """
        self._ends = {event["id"]: event for event in self._of["step_end"]}
        self._agents = {event["id"]: event["agent"] for event in self._find_events_with_field("agent") if "id" in event}
        self._responses = {event["id"]: event for event in self._of["response"]}

    @contextlib.contextmanager
    def open_reel(self) -> Iterator[Reel]:
        """Open the recording; within :meth:`held` return the reel that this thread has already open."""
        open_already = self._get_held_reel()
        if open_already is not None:
            yield open_already
            return
        with open_any(self.path) as reel:
            yield reel

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep the recording open and decoded within a `with` block, so that several queries read the file once; a file
        that is too large to keep is read again. It is open for this thread alone: another thread's block may end first.
        """
        with self.open_reel() as reel:
            before, self._held.reel = self._get_held_reel(), reel
            if before is None:
                reel.cache_timeline_events()
            try:
                yield
            finally:
                self._held.reel = before

    def _get_held_reel(self) -> Reel | None:
        return getattr(self._held, "reel", None) or self._given_reel

    def summary(self) -> Record:
        """Return an overview of the recording's content."""
        llm = self._of["llm"]
        return {
            "agent": self.header.get("agent"),
            "agents": self.agents(),
            "metadata": self.header.get("metadata"),
            **drop_empty_fields({name: self.header.get(name) for name in ("tenant", "user", "trace", "parent")}),
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

    def _find_events_with_field(self, field: str) -> list[Record]:
        return [event for events in self._of.values() for event in events if event.get(field)]

    def _build_agent_field(self, event: int | None) -> Record:
        """Return ``{"agent": name}`` for the event with this id; {} if it has no agent."""
        return {"agent": self._agents[event]} if event in self._agents else {}

    overview = summary
    """The query's name for :meth:`summary`."""

    def get_step_number(self, step: int) -> int:
        """Return a step's number for people: its index among the steps, from 1."""
        return self._numbers.get(step, step)

    def agents(self) -> list[str]:
        """Return the names of the agents, in the order of their first events."""
        told = sorted(
            [*self._find_events_with_field("agent"), *self._of["agent_message"]], key=lambda event: float(event["t"])
        )
        names = [event.get(field) for event in told for field in ("agent", "to")]
        return list(dict.fromkeys(str(name) for name in names if name))

    def is_record_of_agent(self, record: Record, agent: str) -> bool:
        """Return whether a record belongs to an agent, ignoring case; a record without an agent belongs to the
        recording's own agent.
        """
        names = [record.get("agent") or self.header.get("agent"), record.get("to")]
        return agent.casefold() in (str(name).casefold() for name in names if name)

    def steps(self) -> list[Record]:
        """Return the agent's steps, each with its outcome."""
        found = []
        for step in self._of["step"]:
            end = self._ends.get(step["id"], {})
            record = {
                "kind": "step",
                "number": self._numbers[step["id"]],
                "id": step["id"],
                "agent": step.get("agent"),
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
            found.append(drop_empty_fields(record))
        return found

    def calls(self) -> list[Record]:
        """Return Playwright's calls and the agent's model and tool calls, in order of time. ``did``: the action of a
        call in words for people.
        """
        results = {event["call"]: event for event in self._of["tool_result"] if "call" in event}
        found = [
            drop_fields(event, "k", "did") | {"kind": "playwright", "did": build_action_title(event)}
            for event in self._of["call"]
        ]
        found += [drop_fields(event, "k") | {"kind": "model"} for event in self._of["llm"]]
        for event in self._of["tool_call"]:
            result = results.get(event["id"], {})
            told = {name: result[name] for name in ("result", "error", "duration") if name in result}
            found.append(drop_fields(event, "k") | told | {"kind": "tool"})
        return sorted(found, key=to_time_sort_key)

    def errors(self) -> list[Record]:
        """Return all failures: failed steps, failed Playwright, model and tool calls, errors of pages and consoles,
        failed requests.
        """
        found = [
            {
                "t": e["t"],
                "kind": "step",
                "number": self.get_step_number(e["id"]),
                "id": e["id"],
                "message": e.get("error") or e.get("message") or "failed",
                **self._build_agent_field(e["id"]),
                **({"source": e["source"]} if e.get("source") else {}),
            }
            for e in self._of["step_end"]
            if e.get("success") is False
        ]
        for kind in ("call", "llm", "tool_result"):
            found += [
                drop_empty_fields(
                    {
                        "t": e["t"],
                        "kind": _ERRING.get(kind, kind),
                        "id": e["id"],
                        "message": e["error"],
                        **self._build_agent_field(e.get("call") if kind == "tool_result" else e["id"]),
                        "source": e.get("source"),
                    }
                )
                for e in self._of[kind]
                if e.get("error")
            ]
        found += [{"t": e["t"], "kind": "page error", "message": e["message"]} for e in self._of["error"]]
        found += [
            {"t": e["t"], "kind": "console", "message": e["text"]}
            for e in self._of["console"]
            if e["level"] == "error"
            if e.get("source") != "network"  # those are in the records of requests
        ]
        found += [
            {"t": e["t"], "kind": "request", "id": e["id"], "message": f"{e['method']} {e['url']}: {e['failed']}"}
            for e in self.requests()
            if "failed" in e
        ]
        return sorted(found, key=lambda event: float(event["t"]))

    def console(self) -> list[Record]:
        """Return the console messages of pages."""
        return [drop_fields(event, "k", "d") for event in self._of["console"]]

    def requests(self) -> list[Record]:
        """Return network requests with their responses."""
        return [dict(each) for each in self._read_requests]

    @functools.cached_property
    def _read_requests(self) -> list[Record]:
        found = []
        messages = Counter(event["id"] for event in self._of["message"])
        for request in self._of["request"]:
            answer = self._responses.get(request["id"], {})
            record = {name: request.get(name) for name in ("id", "t", "page", "method", "url", "type")}
            record |= {name: answer.get(name) for name in ("status", "mime", "size", "from", "masked")}
            if isinstance(answer.get("end"), int | float):
                record["duration"] = round(answer["end"] - request["t"], 1)
            if messages[request["id"]]:
                record["messages"] = messages[request["id"]]
            if _BY_ITSELF.fullmatch(f"{request.get('type')} {request.get('url')}"):
                pass
            elif answer.get("error") and answer["error"] != _NO_ERROR:
                record["failed"] = answer["error"]
            elif (answer.get("status") or 0) >= FAILED_STATUS:
                record["failed"] = f"{answer['status']} {answer.get('status_text') or ''}".strip()
            found.append(drop_empty_fields(record))
        return found

    def messages(self) -> list[Record]:
        """Return the messages of WebSockets and event streams, with the first 2,000 characters of their text if the
        text was recorded.
        """
        urls = {event["id"]: event.get("url") for event in self._of["request"]}
        texts = self._read_resource_texts(event.get("body") for event in self._of["message"])
        return [
            drop_empty_fields(
                {**drop_fields(event, "k", "body"), "url": urls.get(event["id"]), "text": texts.get(event.get("body"))}
            )
            for event in self._of["message"]
        ]

    def answered(self, ids: Iterable[object]) -> dict[object, str]:
        """Return the beginning of the response's body by request id, for those of these requests whose body was
        recorded as text.
        """
        bodies = {id: self._responses.get(id, {}).get("body") for id in ids}
        texts = self._read_resource_texts(bodies.values())
        return {id: texts[body] for id, body in bodies.items() if body in texts}

    def _read_resource_texts(self, resources: Iterable[object]) -> dict[object, str]:
        """Return the first 2,000 characters of these resources by their SHA-256, for those that are text."""
        wanted = {*resources} - {None}
        texts: dict[object, str] = {}
        if wanted:
            with self.open_reel() as reel:
                for event in reel.events({"resource"}):
                    if event["sha256"] in wanted and isinstance(text := event.get("text"), str):
                        texts[event["sha256"]] = text[:_MESSAGE_TEXT]
        return texts

    def pages(self) -> list[Record]:
        """Return when pages were opened and closed, and when they crashed."""
        return [drop_fields(event, "k") for event in self._of["page"]]

    def gaps(self) -> list[Record]:
        """Return the gaps, and the unsupported features that pages used."""
        return sorted(
            (drop_fields(e, "k") for e in self._of["gap"] + self._of["unsupported"]), key=lambda e: float(e["t"])
        )

    def stalls(self) -> list[Record]:
        """Return when the machine or a page stalled: start, duration in ms, and ``machine`` or ``page``. ``over``: the
        part of the duration, in ms, in which a process waited for a processor.
        """
        return [
            drop_empty_fields({**drop_fields(each, "k", "d"), "of": "page" if "page" in each else "machine"})
            for each in self._of["stall"]
        ]

    def notes(self) -> list[Record]:
        """Return notes, marks, memory operations, screenshots, dialogs, downloads, and all other events that no other
        query returns.
        """
        kinds = sorted(self.KINDS - _TOLD)
        found = [drop_fields(event, "k", "body") | {"kind": kind} for kind in kinds for event in self._of[kind]]
        return sorted(found, key=to_time_sort_key)

    def text(self, at: float | str | None = None, page: int | None = None) -> list[Record]:
        """Return the address, the title, and an outline of text and controls of each open page (or only of the page
        numbered `page`), at a time or at the end. `at`: ms, or a text for :meth:`moment`.
        """
        model = self.model(self.duration if at is None else self.moment(at) if isinstance(at, str) else at)
        found = []
        for state in model.pages.values():
            document = model.documents.get(state.document or 0)
            if document is None or not (state.open or at is None) or (page is not None and state.number != page):
                continue
            found.append(
                {
                    "page": state.number,
                    "url": document.url,
                    "title": get_page_title(document),
                    "text": build_outline(model, document),
                }
            )
        return found

    def model(self, at: float) -> PageModel:
        """Return the page model at a time in ms."""
        return next(self.models([at]))

    def models(self, times: Iterable[float]) -> Iterator[PageModel]:
        """Yield the page model at each of several times in ascending order. All are the same model object, updated in
        one pass over the recording.
        """
        model = PageModel()
        waiting = list(times)
        with self.open_reel() as reel:
            for event in reel.timeline():
                while waiting and float(str(event.get("t") or 0)) > waiting[0]:
                    waiting.pop(0)
                    yield model
                if not waiting:
                    return
                model.apply(event)
        for _ in waiting:
            yield model

    def moment(self, text: str) -> float:
        """Convert `1234` (ms), `end`, a mark's name, `step 3` (the third), or `event 3fa91c` (an id or its beginning)
        to ms. Raises LookupError for an unknown name.
        """
        if text == "end":
            return self.duration
        with contextlib.suppress(ValueError):
            if math.isfinite(at := float(text)):
                return at
        if step := re.fullmatch(r"step[ =:]?(\d{1,9})", text):
            for event in self._of["step"]:
                if self._numbers[event["id"]] == int(step[1]):
                    end = self._ends.get(event["id"])
                    return float(end["t"] if end else event["t"])
        if named := re.fullmatch(r"event[ =:]?([0-9a-f]{4,16})", text):
            return self._find_event_time(named[1])
        for mark in self._of["mark"]:
            if mark["name"] == text:
                return float(mark["t"])
        numbers = f" (N from 1 to {len(self._numbers)})" if self._numbers else ""
        raise LookupError(f"there is no time {text[:80]!r}; give ms, `end`, `step N`{numbers}, or the name of a mark")

    def _find_event_time(self, prefix: str) -> float:
        with self.open_reel() as reel:
            ids = EventIds(reel.header)
            for event in reel.timeline():
                if ids.compute_next_id(event).startswith(prefix):
                    return float(str(event.get("t") or 0))
        raise LookupError(f"there is no event {prefix}")
