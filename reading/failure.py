"""Finds the first failure of a run and its consequences, as a chain of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from .changes import when_changed
from .keys import locator_key, value_key
from .preceding import Before, title_of_call
from .recorded_run import Record, RecordedRun

_LONGEST: Final = 8
"""Largest number of sentences of a chain."""
_SHORT: Final = 160
"""Longest message in a sentence, in characters."""
_TALKS: Final = frozenset({"document", "xhr", "fetch", "websocket", "eventsource", "ping", "other"})
"""Types of requests whose failure affects a script or a person; a missing picture explains nothing."""
_LINES: Final = 20
_COVERS: Final = re.compile(
    r"<([a-z][\w-]*+)([^<>]*+)>[^<>]*(?:</[\w-]+>)?(?: from <[^<>]*+>[^<>]*(?:</[\w-]+>)? subtree)? intercepts pointer events"
)
"""The line in Playwright's call log on an element that intercepts the click."""
_ATTRIBUTE: Final = re.compile(r"(?<![\w-])([\w-]++)=\"([^\"]*)\"")
_NAME: Final = re.compile(r"[\w-]+")


@dataclass
class _Trouble:
    """A failure. `t`: when it was known, in ms; `ends`: the run did not recover from it."""

    t: float
    record: Record
    said: str
    ends: bool = False
    minor: bool = False


def first_failure(reading: RecordedRun) -> Record:
    """Return ``first``, the earliest failure, ``failure``, the one from which the run did not recover, and the
    ``chain`` from the first to the second.

    A call that was repeated successfully, and a missing picture or style sheet, begin a chain only if there is
    nothing else. `first` and `failure` are None if nothing failed. ``page``: lines that appeared while the run
    failed; ``after``: what came right before.
    """
    troubles = sorted(_troubles(reading), key=lambda each: each.t)
    failure = next((each for each in troubles if each.ends), None)
    until = failure.t if failure is not None else reading.duration
    before = [each for each in troubles if each.t <= until and not each.ends]
    telling = [each for each in before if not each.minor] or ([] if failure else before)
    first = telling[0] if telling else failure
    told: Record = {
        "outcome": reading.outcome.outcome,
        **({"recovered": reading.outcome.recovered} if reading.outcome.recovered else {}),
        "first": first.record if first is not None else None,
        "failure": failure.record if failure is not None else None,
        "chain": [],
    }  # fmt: skip
    if first is None:
        return told
    cover = _cover(reading, failure) if failure is not None else None
    if cover is not None:
        telling = [cover, *telling]
        first = cover if cover.t < first.t else first
        told["first"] = first.record
    ends = [each for each in troubles if each.ends][:3]
    links = [each for each in telling if each is not first][-max(_LONGEST - 1 - len(ends), 0) :]
    told["left_out"] = max(len(telling) - 1 - len(links), 0)
    chain = sorted({id(each): each for each in (first, *links, *ends)}.values(), key=lambda each: each.t)
    told["chain"] = list(_sentences(chain))
    if failure is not None:
        begun = float(failure.record["t"])
        sources = Before(reading)
        told["step"] = sources.step(begun)
        told["after"] = sources.at(begun - 0.1)
        call = next((each for each in told["after"] if each["kind"] in ("call", "click", "key")), None)
        told["page"] = _new_lines(reading, float(call["t"]) if call else max(0.0, begun - 2_000), failure.t)
    return {name: value for name, value in told.items() if value not in ([], 0) or name == "chain"}


def _troubles(reading: RecordedRun) -> Iterable[_Trouble]:
    calls = {call["id"]: call for call in reading.calls() if call.get("id") is not None}
    done_again = recovered(reading.calls())
    titles = {step["id"]: step["title"] for step in reading.steps()}
    requests = {request["id"]: request for request in reading.requests()}
    got_over = reading.outcome.outcome == "passed"
    seen: set[tuple[str, str]] = set()
    for error in reading.errors():
        kind, message, t = str(error["kind"]), _short(error["message"]), float(error["t"])
        key = kind, value_key(f"{message} {error.get('id') if kind in ('step', 'call') else ''}")
        if key in seen:
            continue
        seen.add(key)
        if kind == "call":
            call = calls.get(error["id"], {})
            name = title_of_call(call)
            again = error["id"] in done_again
            fails = (
                "fails, and is done again with success" if again
                else "fails, and the run gets over it" if got_over else "fails"
            )  # fmt: skip
            said = f"the call “{name}” {fails}: “{message}”"
            record = {**error, "title": name}
            yield _Trouble(
                t + float(call.get("duration") or 0), record, said, ends=not again and not got_over, minor=again
            )
        elif kind == "step":
            fails = "fails, and the run gets over it" if got_over else "fails"
            said = f"the step “{titles.get(error['id'])}” {fails}: “{message}”"
            yield _Trouble(t, {**error, "title": titles.get(error["id"])}, said, ends=not got_over)
        elif kind == "request":
            request = requests.get(error["id"], {})
            what = f"{request.get('method')} {request.get('url')}"
            said = (
                f"{what} answered {request.get('failed')}"
                if request.get("status")
                else f"{what} failed: {request.get('failed')}"
            )
            end = t + float(request.get("duration") or 0)
            yield _Trouble(end, error, said, minor=request.get("type") not in _TALKS)
        elif kind == "tool_result":
            yield _Trouble(t, error, f"a tool fails: “{message}”")
        else:
            yield _Trouble(t, error, f"{'the page throws' if kind == 'page error' else 'the console says'} “{message}”")


def _cover(reading: RecordedRun, failure: _Trouble) -> _Trouble | None:
    """Return the appearance of the element that covered the click's target, as named in the failure's call log; None
    where there is none.
    """
    lies = _COVERS.search(str(failure.record["message"]))
    if lies is None:
        return None
    attributes = dict(_ATTRIBUTE.findall(lies[2]))
    selector = lies[1] + "".join(f".{name}" for name in attributes.get("class", "").split() if _NAME.fullmatch(name))
    selector += "".join(f"[{name}={attributes[name]}]" for name in ("id", "role") if attributes.get(name))
    came = next(
        (each for each in when_changed(reading, selector) if each["t"] <= failure.t and each["change"] == "appeared"),
        None,
    )
    if came is None:
        return None
    text = _short(came["is"].get("text") or "")
    record = {"t": came["t"], "kind": "cover", "event": came["event"], "message": came["element"], "text": text}
    return _Trouble(float(came["t"]), record, f"an element, {came['element']}, comes to lie over the page: “{text}”")


def recovered(calls: Iterable[Record]) -> set[object]:
    """Return the ids of failed calls that were repeated successfully."""
    failed: dict[str, list[object]] = {}
    done: set[object] = set()
    for call in calls:
        if call["kind"] != "playwright":
            continue
        key = f"{call.get('method')} {locator_key(str(call.get('locator') or ''))}"
        if call.get("error"):
            failed.setdefault(key, []).append(call["id"])
        else:
            done |= set(failed.pop(key, ()))
    return done


def _sentences(chain: list[_Trouble]) -> Iterable[str]:
    before = chain[0].t
    for number, each in enumerate(chain):
        passed = each.t - before
        before = each.t
        later = (
            ""
            if not number
            else "at once "
            if passed < 20
            else f"{passed / 1000:.1f} s later "
            if passed >= 1000
            else f"{passed:.0f} ms later "
        )
        said = f"{later}{each.said}."
        yield f"{said[:1].upper()}{said[1:]}"


def _new_lines(reading: RecordedRun, begin: float, end: float) -> list[Record]:
    """Return the lines that pages show at the end but not at the beginning."""
    was = {page["page"]: set(page["text"].split("\n")) for page in reading.text(max(0.0, begin - 0.1))}
    found = []
    for page in reading.text(end):
        new = [line for line in page["text"].split("\n") if line and line not in was.get(page["page"], ())]
        if new:
            found.append({"page": page["page"], "url": page["url"], "new": new[:_LINES]})
    return found


def _short(message: object) -> str:
    line = str(message).strip().partition("\n")[0]
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"
