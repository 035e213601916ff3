"""Lists the failures of a run, and marks those from which the run did not recover."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.reel import build_address_title
from pagereel.text_truncation import truncate_text

from .comparison_keys import to_locator_key, to_value_key
from .error_messages import extract_error_message, to_quoted_line
from .passive_calls import is_passive_call
from .preceding_events import describe_call
from .record_fields import Record, drop_empty_fields
from .recorded_run import RecordedRun

_SHORT: Final = 160
"""Longest message in a sentence, in characters."""
_TALKS: Final = frozenset({"document", "xhr", "fetch", "websocket", "eventsource", "other"})
"""Types of requests whose failure affects a script or a person; a missing picture explains nothing, nor what a page sends home (``ping``)."""
_AT_ONCE: Final = 150.0
"""Ms within which a step ends that ends by what a call in it raised."""
_RAISED: Final = re.compile(r"^(?:[\w.]*\.)?(\w*(?:Error|Exception|Warning))\w*: ?")
_MODULE: Final = re.compile(r"^(?:\w+\.)+(?=\w*(?:Error|Exception)\b)")
"""Where an exception's class is defined, as pytest says it."""
_CALLED: Final = re.compile(r"^[A-Z]\w+\.\w+: ")
"""The method that Playwright names before its message: ``Page.wait_for_url: ``."""


@dataclass
class FailureOrCause:
    """A failure, or an event that led to one. `t`: when it was known, in ms; `ends`: the run did not recover from it;
    `link`: the element, call or request that shows it; `call`: the call that failed.
    """

    t: float
    record: Record
    said: str
    ends: bool = False
    minor: bool = False
    link: Record = field(default_factory=dict)
    call: Record = field(default_factory=dict)


def iter_failures(reading: RecordedRun) -> Iterable[FailureOrCause]:
    """Yield each failure of a run once. In its record, ``t`` is when the call or request failed, and ``began`` when it
    began.
    """
    in_order = reading.calls()
    calls = {call["id"]: call for call in in_order if call.get("id") is not None}
    told = reading.steps()
    steps = {step["id"]: step for step in told}
    requests = {request["id"]: request for request in reading.requests()}
    got_over = reading.outcome.outcome == "passed"
    failing = set() if got_over else set(_find_unrecovered_failures(reading, in_order, told))
    again = find_recovered_calls(in_order)
    failed = {step["id"] for step in steps.values() if step.get("success") is False}
    said_by_calls = {
        each for call in calls.values() if call.get("error") for each in _iter_message_variants(call["error"])
    }
    seen: set[tuple[str, str]] = set()
    for error in reading.errors():
        kind, t, id = str(error["kind"]), float(error["t"]), error.get("id")
        message = (
            to_short_line(_RAISED.sub("", str(error["message"]))) if kind == "call" else to_short_line(error["message"])
        )
        key = kind, to_value_key(f"{message} {id if kind in ('step', 'call') else ''}")
        if key in seen:
            continue
        seen.add(key)
        ends = (kind, id) in failing
        fails = (
            "fails"
            if ends
            else "fails, and is done again with success"
            if id in again
            else "fails, and the run gets over it"
        )
        if kind == "call":
            call = calls.get(id, {})
            name = describe_call(call)
            step = steps.get(call.get("step"))
            said = (
                f"the call “{name}” {fails}"
                if step is None or not ends
                else f"the call “{name}” in “{step['title']}” {fails}"
            )
            end = _compute_end_time(t, call)
            record = {
                **error, "t": end, "began": t, "title": name, "locator": call.get("locator"), "said": _CALLED.sub("", message),
            }  # fmt: skip
            yield FailureOrCause(
                end,
                drop_empty_fields(record),
                said if ends else f"{said}: “{message}”",
                ends,
                not ends and call.get("step") not in failed,
                {"call": id},
                call,
            )
        elif kind == "step":
            title = steps.get(id, {}).get("title")
            if ends or not said_by_calls & set(_iter_message_variants(error["message"])):
                innermost = ends or ("step", id) in failing or got_over
                yield FailureOrCause(
                    t,
                    {**error, "title": title},
                    f"the step “{title}” {fails}: “{message}”",
                    ends,
                    not innermost,
                    {"step": id},
                )
        elif kind == "request":
            request = requests.get(id, {})
            verb = "answered" if request.get("status") else "failed:"
            said, end = f"{build_request_title(request)} {verb} {request.get('failed')}", _compute_end_time(t, request)
            minor = request.get("type") not in _TALKS
            yield FailureOrCause(end, {**error, "t": end, "began": t}, said, minor=minor, link={"request": id})
        elif kind == "tool_result":
            yield FailureOrCause(t, error, f"a tool fails: “{message}”")
        else:
            who = "the page throws" if kind == "page error" else "the console says"
            yield FailureOrCause(t, error, f"{who} “{message}”", link={"console": True})
    for note in find_failure_notes(reading):
        if ("note", note["id"]) in failing:
            message = to_short_line((note.get("attributes") or {}).get("message") or "")
            said = to_short_line(note.get("text") or "the run says that it failed") + (
                f": “{message}”" if message else ""
            )
            yield FailureOrCause(float(note["t"]), {**note, "message": said, "kind": "note"}, said, ends=True)


def build_request_title(request: Record) -> str:
    """Return a request as a sentence names it: ``POST /api/pay``."""
    return f"{request.get('method')} {build_address_title(str(request.get('url')))}"


def append_response_error_messages(reading: RecordedRun, failures: Sequence[FailureOrCause]) -> None:
    """Append the error messages in failed responses to the sentences of these failures: the message of a JSON body or a
    page's heading, marked if redaction replaced it.
    """
    requests = {each.link["request"]: each for each in failures if each.record["kind"] == "request"}
    made = {request["id"]: request.get("masked", []) for request in reading.requests()}
    for id, body in reading.answered(requests).items():
        if (words := extract_error_message(body)) and words not in requests[id].said:
            masked = words in map(to_quoted_line, made[id])
            requests[id].said += f": “{words}”{' (masked)' if masked else ''}"


def _compute_end_time(t: float, record: Record) -> float:
    return round(t + float(record.get("duration") or 0), 1)


def find_failure_notes(reading: RecordedRun) -> list[Record]:
    """Return the notes on the run's failure (from an exception or a test's report), the last one first."""
    told = [note for note in reading.notes() if isinstance(note.get("attributes"), dict)]
    ended = [note for note in told if "ended_by" in note["attributes"] or note["attributes"].get("outcome") == "failed"]
    return (
        ended[::-1] or [note for note in reading.notes() if note["kind"] == "outcome" and not note.get("success")][-1:]
    )


def _find_unrecovered_failures(
    reading: RecordedRun, all_calls: Sequence[Record], steps: Sequence[Record]
) -> Iterator[tuple[str, Any]]:
    """Yield (kind, id) of each failure from which the run did not recover.

    They lie within one outermost step: the last one that failed, or in a test the first phase that failed. The
    innermost failed step of it is yielded, and the call that made this step fail. In a run without failed steps, the
    last failed call is yielded, or the note on the failure.
    """
    failed = [step for step in steps if step.get("success") is False]
    calls = [call for call in all_calls if call["kind"] == "playwright" and call.get("error")]
    outermost = [step for step in failed if step.get("parent") is None]
    top = next(iter(filter(is_test_phase, outermost)), outermost[-1] if outermost else None)
    if top is None:
        note = next(iter(find_failure_notes(reading)), {})
        last = calls[-1] if calls and not failed else None
        text = str(note.get("text"))
        if last is not None and (
            not note
            or any(each in text for each in _iter_message_variants(last["error"]))
            or (
                _only_repeats_call_error(last, {text})
                and float(note["t"]) - _compute_end_time(float(last["t"]), last) <= _AT_ONCE
            )
        ):
            yield "call", last["id"]
        elif note:
            yield "note", note["id"]
        return
    inside, innermost = {top["id"]}, top
    for step in steps:
        if step.get("parent") in inside:
            inside.add(step["id"])
            if step.get("success") is False:
                innermost = step
    ended = float(innermost["t"]) + float(innermost.get("duration") or 0)
    errors = set(_iter_message_variants(innermost.get("error") or innermost.get("message")))
    within = [call for call in reversed(calls) if call.get("step") in inside]
    same = next((call for call in within if not errors or errors & set(_iter_message_variants(call["error"])) or _only_repeats_call_error(call, errors)), None)  # fmt: skip
    if same is not None:
        yield "call", same["id"]
        return
    if (
        within
        and ended - _compute_end_time(float(within[0]["t"]), within[0]) <= _AT_ONCE
        and not _has_later_success(all_calls, within[0])
    ):
        yield "call", within[0]["id"]
    yield "step", innermost["id"]


def is_test_phase(step: Record) -> bool:
    """Return whether a step is a test's set-up, body or tear-down; each of them runs even if the one before failed."""
    return (step.get("attributes") or {}).get("kind") in ("test", "hook")


def _has_later_success(all_calls: Sequence[Record], failed_call: Record) -> bool:
    """Return whether a call that changes something succeeded after this call failed; then this call did not end the
    run.
    """
    over = _compute_end_time(float(failed_call["t"]), failed_call)
    return any(call["kind"] == "playwright" and float(call["t"]) >= over and not call.get("error") and not is_passive_call(str(call.get("method"))) for call in all_calls)  # fmt: skip


def _only_repeats_call_error(call: Record, step_errors: set[str]) -> bool:
    """Return whether a step's error only repeats a failed assertion that the call's own error explains already."""
    return str(call.get("method")).removeprefix("not_").startswith("to_") and any(
        "expected" in each for each in step_errors
    )


def _iter_message_variants(error: object) -> Iterator[str]:
    """Yield the first line of an error without the names of the exception's class and method, so that the texts of a
    call's error, a step's error and a test report can be compared. Yield nothing if no text is left.
    """
    line = _CALLED.sub("", _RAISED.sub("", str(error or "").strip().partition("\n")[0])).strip()
    if line:
        yield line


def find_recovered_calls(calls: Iterable[Record]) -> set[object]:
    """Return the ids of failed calls that were repeated successfully."""
    failed: dict[str, list[object]] = {}
    done: set[object] = set()
    for call in calls:
        if call["kind"] != "playwright":
            continue
        key = f"{call.get('method')} {to_locator_key(str(call.get('locator') or ''))}"
        if call.get("error"):
            failed.setdefault(key, []).append(call["id"])
        else:
            done |= set(failed.pop(key, ()))
    return done


def to_short_line(message: object) -> str:
    return truncate_text(_MODULE.sub("", str(message).strip()).partition("\n")[0].rstrip(".: "), _SHORT)
