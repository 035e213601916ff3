"""A recording, read by an agent or a script: what happened, what went wrong, what a page said at a moment.

`pagereel query` and `pagereel mcp` give the same answers; both come from here. All results are plain JSON values, times
are ms on the recording's clock.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

from pagereel.reel import EventIds, MessageStore, OutcomeRule, PageModel, RunOutcome, kinds
from pagereel.sources import open_any

from .outline import outline, title_of

Record = dict[str, Any]
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
"""The kinds that have a query of their own, or a figure in the overview."""
_MESSAGE_TEXT = 2_000
_ERRING = {"llm": "model"}
"""What people call such an event."""
_NO_ERROR = "net::ERR_ABORTED"
"""What a request says that the page itself gave up."""
_BY_ITSELF = re.compile(r"other .*(?:\.ico|icon[^/]*|com\.chrome\.devtools\.json)")
"""What browsers ask for by themselves, an icon mostly: no page is worse for not having it. The player's story.ts has the same."""


class RecordedRun:
    """One recording. `path` is read once, when this is made."""

    KINDS = kinds(read=True)

    def __init__(self, path: Path) -> None:
        self.path = path
        self.duration = 0.0
        self._of: dict[str, list[Record]] = {kind: [] for kind in self.KINDS}
        with open_any(path) as reel:
            self.header: Record = dict(reel.header)
            self.kind: str = reel.kind
            """What the file is: ``reel``, ``replay``, ``trace`` or ``rrweb``."""
            self.sealed = reel.closed
            self.reason = (reel.end or {}).get("reason")
            """Why the recording ended, as its last event says."""
            self.checkpoints = self.equal = 0
            """Checkpoints, and those at which the recorder found the tree equal to the page's."""
            self.redaction: Record | None = None
            """What a redaction said of itself; None: the recording holds what was recorded."""
            said, rule = MessageStore(), OutcomeRule()
            for event in reel.timeline():
                rule.take(event)
                lasted = float(str(event.get("duration") or 0)) if event["k"] == "call" else 0.0
                self.duration = max(self.duration, float(str(event.get("t") or 0)) + lasted)
                if event["k"] in self._of:
                    said.handle(event)
                    self._of[str(event["k"])].append(said.filled(event))
                elif event["k"] == "checkpoint":
                    self.checkpoints += 1
                    self.equal += event.get("equal") is True
                elif event["k"] == "redaction":
                    report = event.get("report")
                    self.redaction = report if isinstance(report, dict) else {"policy": event.get("policy")}
        self.outcome: RunOutcome = rule.outcome(self.reason, self.header.get("metadata"))
        """How the run ended."""
        self._numbers = {event["id"]: number for number, event in enumerate(self._of["step"], 1)}
        """Steps share their ids with calls and notes, so that the third step's is seldom 3: people count them in their order."""
        self._ends = {event["id"]: event for event in self._of["step_end"]}
        self._agents = {event["id"]: event["agent"] for event in self._events_with("agent") if "id" in event}
        self._responses = {event["id"]: event for event in self._of["response"]}

    def summary(self) -> Record:
        """Return what the recording holds, in one look."""
        llm = self._of["llm"]
        return {
            "agent": self.header.get("agent"),
            "agents": self.agents(),
            "metadata": self.header.get("metadata"),
            **given({name: self.header.get(name) for name in ("tenant", "user", "trace", "parent")}),
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

    def _events_with(self, field: str) -> list[Record]:
        return [event for events in self._of.values() for event in events if event.get(field)]

    def _whose(self, event: int | None) -> Record:
        """Return the field that says whose the event with this id is."""
        return {"agent": self._agents[event]} if event in self._agents else {}

    overview = summary
    """The query's name for it."""

    def number_of(self, step: int) -> int:
        """Return the step's number for people: its place among the steps, from 1."""
        return self._numbers.get(step, step)

    def agents(self) -> list[str]:
        """Return the names of the agents that the events name, in the order in which they first stand."""
        told = sorted([*self._events_with("agent"), *self._of["agent_message"]], key=lambda event: float(event["t"]))
        names = [event.get(field) for event in told for field in ("agent", "to")]
        return list(dict.fromkeys(str(name) for name in names if name))

    def is_of(self, record: Record, agent: str) -> bool:
        """Return whether a record is an agent's, by its name in any case of letters; what names none is the recording's own agent's."""
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
            found.append(given(record))
        return found

    def calls(self) -> list[Record]:
        """Playwright's calls and the agent's model and tool calls, in order of time."""
        results = {event["call"]: event for event in self._of["tool_result"]}
        found = [without(event, "k") | {"kind": "playwright"} for event in self._of["call"]]
        found += [without(event, "k") | {"kind": "model"} for event in self._of["llm"]]
        for event in self._of["tool_call"]:
            result = results.get(event["id"], {})
            told = {name: result[name] for name in ("result", "error", "duration") if name in result}
            found.append(without(event, "k") | told | {"kind": "tool"})
        return sorted(found, key=lambda event: float(event["t"]))

    def errors(self) -> list[Record]:
        """Everything that went wrong: failed steps and calls, of models and tools too, errors of pages and consoles, failed requests."""
        found = [
            {
                "t": e["t"],
                "kind": "step",
                "number": self.number_of(e["id"]),
                "id": e["id"],
                "message": e.get("error") or e.get("message") or "failed",
                **self._whose(e["id"]),
            }
            for e in self._of["step_end"]
            if e.get("success") is False
        ]
        for kind in ("call", "llm", "tool_result"):
            found += [
                given(
                    {
                        "t": e["t"],
                        "kind": _ERRING.get(kind, kind),
                        "id": e["id"],
                        "message": e["error"],
                        **self._whose(e.get("call") if kind == "tool_result" else e["id"]),
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
            if e.get("source") != "network"  # which a request tells
        ]
        found += [
            {"t": e["t"], "kind": "request", "id": e["id"], "message": f"{e['method']} {e['url']}: {e['failed']}"}
            for e in self.requests()
            if "failed" in e
        ]
        return sorted(found, key=lambda event: float(event["t"]))

    def console(self) -> list[Record]:
        """Return what pages wrote to their consoles."""
        return [without(event, "k", "d") for event in self._of["console"]]

    def requests(self) -> list[Record]:
        """Network requests with their answers."""
        found = []
        messages = Counter(event["id"] for event in self._of["message"])
        for request in self._of["request"]:
            answer = self._responses.get(request["id"], {})
            record = {name: request.get(name) for name in ("id", "t", "page", "method", "url", "type")}
            record |= {name: answer.get(name) for name in ("status", "mime", "size", "from")}
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
            found.append(given(record))
        return found

    def messages(self) -> list[Record]:
        """Return what went over WebSockets and event streams, with the first 2,000 characters of its text where that was kept."""
        urls = {event["id"]: event.get("url") for event in self._of["request"]}
        wanted = {event.get("body") for event in self._of["message"]} - {None}
        texts: dict[object, str] = {}
        if wanted:
            with open_any(self.path) as reel:
                for event in reel.events({"resource"}):
                    if event["sha256"] in wanted and isinstance(text := event.get("text"), str):
                        texts[event["sha256"]] = text[:_MESSAGE_TEXT]
        return [
            given({**without(event, "k", "body"), "url": urls.get(event["id"]), "text": texts.get(event.get("body"))})
            for event in self._of["message"]
        ]

    def gaps(self) -> list[Record]:
        """Return what the recording says that it misses, and what it could not take in."""
        return sorted((without(e, "k") for e in self._of["gap"] + self._of["unsupported"]), key=lambda e: float(e["t"]))

    def stalls(self) -> list[Record]:
        """Return when the machine or a page stood still: since when, for how many ms, and whose it was, ``machine`` or ``page``. With ``over``: for so many ms of these
        something on the machine waited for a processor.
        """
        return [
            given({**without(each, "k", "d"), "of": "page" if "page" in each else "machine"})
            for each in self._of["stall"]
        ]

    def notes(self) -> list[Record]:
        """Return notes, marks, memory operations, screenshots, dialogs, downloads, and all else that no other query tells."""
        kinds = sorted(self.KINDS - _TOLD)
        found = [without(event, "k", "body") | {"kind": kind} for kind in kinds for event in self._of[kind]]
        return sorted(found, key=lambda event: (float(event["t"]), event.get("id") or 0))

    def text(self, at: float | str | None = None, page: int | None = None) -> list[Record]:
        """Return what each open page (or the one numbered `page`) said at a moment, else at the end: address, title, and an
        outline of its text and controls. `at`: ms, or what :meth:`moment` takes.
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
                    "title": title_of(document),
                    "text": outline(model, document),
                }
            )
        return found

    def model(self, at: float) -> PageModel:
        """Return the page model at a moment."""
        model = PageModel()
        with open_any(self.path) as reel:
            for event in reel.timeline():
                if float(str(event.get("t") or 0)) > at:
                    break
                model.apply(event)
        return model

    def moment(self, text: str) -> float:
        """`1234` (ms), `end`, a mark's name, `step 3` (the third), or `event 3fa91c` (an id, or how it begins) → ms. Raises LookupError for
        a name that there is not.
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
            return self._event(named[1])
        for mark in self._of["mark"]:
            if mark["name"] == text:
                return float(mark["t"])
        numbers = f" (N from 1 to {len(self._numbers)})" if self._numbers else ""
        raise LookupError(f"there is no moment {text[:80]!r}; give ms, `end`, `step N`{numbers}, or the name of a mark")

    def _event(self, prefix: str) -> float:
        with open_any(self.path) as reel:
            ids = EventIds(reel.header)
            for event in reel.timeline():
                if ids.of(event).startswith(prefix):
                    return float(str(event.get("t") or 0))
        raise LookupError(f"there is no event {prefix}")


def without(event: Record, *names: str) -> Record:
    """Return the record without these fields."""
    return {name: value for name, value in event.items() if name not in names}


def newly_asked(call: Record, seen: set[int]) -> Any:
    """Return what of a model call's prompt was not in `seen`, which takes it in: an agent sends its whole conversation with each call. A prompt that was
    told as one is given whole.
    """
    prompt, said = call.get("prompt"), call.get("said")
    if not isinstance(said, list) or not isinstance(prompt, list) or len(said) != len(prompt):
        return prompt
    new = [message for number, message in zip(said, prompt, strict=True) if number not in seen]
    seen.update(said)
    return new


def given(record: Record) -> Record:
    """Return the record without the fields that hold nothing."""
    return {name: value for name, value in record.items() if value is not None and value != {}}
