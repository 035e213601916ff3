"""Finds the first failure of a run and its consequences, as a chain of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.durations import duration_text
from pagereel.reel import PageModel, address_title

from .changes import when_changed
from .instead import ATTRIBUTE, COVERS, found_instead
from .keys import locator_key, value_key
from .outline import outline
from .preceding import Before, title_of_call
from .recorded_run import Record, RecordedRun, given

_LONGEST: Final = 8
"""Largest number of sentences of a chain."""
_SHORT: Final = 160
"""Longest message in a sentence, in characters."""
_TALKS: Final = frozenset({"document", "xhr", "fetch", "websocket", "eventsource", "ping", "other"})
"""Types of requests whose failure affects a script or a person; a missing picture explains nothing."""
_LINES: Final = 20
_SPOKEN: Final = 3
"""Lines that come to a page that stays."""
_AT_ONCE: Final = 150.0
"""Ms within which a step ends that ends by what a call in it raised."""
_NAME: Final = re.compile(r"[\w-]+")
_RAISED: Final = re.compile(r"^(?:[\w.]*\.)?(\w*(?:Error|Exception|Warning))\w*: ?")
_GAVE_UP: Final = re.compile(r"^(?:\w+\.\w+: )?(?:Timeout \d+ ?ms exceeded|Expect failed)")
"""What a call says of its failure that tells nothing of the page."""


@dataclass
class _Trouble:
    """A failure. `t`: when it was known, in ms; `ends`: the run did not recover from it; `link`: what in the recording
    shows it; `call`: the call that failed.
    """

    t: float
    record: Record
    said: str
    ends: bool = False
    minor: bool = False
    link: Record = field(default_factory=dict)
    call: Record = field(default_factory=dict)


def first_failure(reading: RecordedRun) -> Record:
    """Return ``first``, the earliest failure, ``failure``, the one from which the run did not recover, and the
    ``chain`` from the first to the second.

    A call that was repeated successfully, a call whose step went on without it, and a missing picture or style sheet begin
    a chain only if there is nothing else. `first` and `failure` are None if nothing failed. ``links``: for each sentence
    of the chain its time in ms (``t``) and its subject: a ``call``, a ``request``, an element (``d``, ``node``).
    ``page``: lines that appeared while the run failed; ``after``: what came right before.
    """
    troubles = sorted(_troubles(reading), key=lambda each: each.t)
    ends = [each for each in troubles if each.ends]
    failure = next(iter(ends), None)
    until = failure.t if failure is not None else reading.duration
    before = [each for each in troubles if each.t <= until and not each.ends]
    telling = [each for each in before if not each.minor] or ([] if failure else before)
    told: Record = {
        "outcome": reading.outcome.outcome,
        **({"recovered": reading.outcome.recovered} if reading.outcome.recovered else {}),
        "first": None,
        "failure": failure.record if failure is not None else None,
        "chain": [],
    }  # fmt: skip
    if not telling and failure is None:
        return told
    if failure is not None and (cover := _cover(reading, failure)) is not None:
        telling = sorted([cover, *telling], key=lambda each: each.t)
    first = min([*telling[:1], *ends[:1]], key=lambda each: each.t)
    told["first"] = first.record
    links = [each for each in telling if each is not first][-max(_LONGEST - 1 - len(ends), 0) :]
    told["left_out"] = max(len(telling) - 1 - len(links), 0)
    chain = sorted({id(each): each for each in (first, *links, *ends)}.values(), key=lambda each: each.t)
    if failure is not None:
        begun = float(failure.record["t"])
        sources = Before(reading)
        told["step"] = sources.step(begun)
        told["after"] = sources.at(begun - 0.1)
        call = next((each for each in told["after"] if each["kind"] in ("call", "click", "key")), None)
        since = max(0.0, (float(call["t"]) if call else begun - 2_000) - 0.1)
        notes = [
            _line(note["attributes"].get("source")) for note in _notes_of_failure(reading) if note.get("attributes")
        ]
        failure.record |= given({"line": _line(failure.record.get("source")) or next(filter(None, notes), None)})
        models = reading.models([since, failure.t])
        was = _lines(next(models))
        now = next(models)
        told["page"] = [
            {"page": page, "url": url, "new": new[:_LINES]}
            for page, (url, lines) in _lines(now).items()
            if (new := [line for line in lines if line not in was.get(page, ("", []))[1]])
        ]
        _explain(failure, now, told["page"])
    told["chain"] = list(_sentences(chain))
    told["links"] = [given({"t": each.t, **each.link}) for each in chain]
    return {name: value for name, value in told.items() if value not in ([], 0) or name == "chain"}


def _explain(failure: _Trouble, now: PageModel, page: list[Record]) -> None:
    """Add what stood where the call that failed looked for its element."""
    if failure.record["kind"] != "call":
        return
    found = found_instead(failure.call, now)
    message = str(failure.record["said"])
    reason = f"“{message}”" if message else "it gives up"
    if found is not None:
        said = found.said
        if not found.node and (line := _spoken(page)):
            said += f"; it came to say “{line}”"
        reason = said if _GAVE_UP.match(message) or not message else f"{reason}; {said}"
        failure.record["instead"] = said
        if found.node:
            failure.link |= {"d": found.d, "node": found.node}
    failure.said += f": {reason}"


def _spoken(page: list[Record]) -> str:
    """Return the last line that came and says something, none of a field; of a page that came as a whole, none."""
    lines = [line for each in page for line in each["new"] if not line.startswith("[")]
    return _short(lines[-1]) if 0 < len(lines) <= _SPOKEN else ""


def _troubles(reading: RecordedRun) -> Iterable[_Trouble]:
    in_order = reading.calls()
    calls = {call["id"]: call for call in in_order if call.get("id") is not None}
    told = reading.steps()
    steps = {step["id"]: step for step in told}
    requests = {request["id"]: request for request in reading.requests()}
    got_over = reading.outcome.outcome == "passed"
    failing = set() if got_over else set(_failing(reading, in_order, told))
    again = recovered(in_order)
    failed = {step["id"] for step in steps.values() if step.get("success") is False}
    said_by_calls = {each for call in calls.values() if call.get("error") for each in _messages(call["error"])}
    seen: set[tuple[str, str]] = set()
    for error in reading.errors():
        kind, t, id = str(error["kind"]), float(error["t"]), error.get("id")
        message = _short(_RAISED.sub("", str(error["message"]))) if kind == "call" else _short(error["message"])
        key = kind, value_key(f"{message} {id if kind in ('step', 'call') else ''}")
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
            name = title_of_call(call)
            step = steps.get(call.get("step"))
            said = (
                f"the call “{name}” {fails}"
                if step is None or not ends
                else f"the call “{name}” in “{step['title']}” {fails}"
            )
            record = {**error, "title": name, "locator": call.get("locator"), "said": message}
            end = t + float(call.get("duration") or 0)
            yield _Trouble(
                end,
                given(record),
                said if ends else f"{said}: “{message}”",
                ends,
                not ends and call.get("step") not in failed,
                {"call": id},
                call,
            )
        elif kind == "step":
            title = steps.get(id, {}).get("title")
            if ends or not said_by_calls & set(_messages(error["message"])):
                innermost = ends or ("step", id) in failing or got_over
                yield _Trouble(
                    t,
                    {**error, "title": title},
                    f"the step “{title}” {fails}: “{message}”",
                    ends,
                    not innermost,
                    {"step": id},
                )
        elif kind == "request":
            request = requests.get(id, {})
            what = f"{request.get('method')} {address_title(str(request.get('url')))}"
            verb = "answered" if request.get("status") else "failed:"
            end = t + float(request.get("duration") or 0)
            minor = request.get("type") not in _TALKS
            yield _Trouble(end, error, f"{what} {verb} {request.get('failed')}", minor=minor, link={"request": id})
        elif kind == "tool_result":
            yield _Trouble(t, error, f"a tool fails: “{message}”")
        else:
            who = "the page throws" if kind == "page error" else "the console says"
            yield _Trouble(t, error, f"{who} “{message}”", link={"console": True})
    for note in _notes_of_failure(reading):
        if ("note", note["id"]) in failing:
            message = _short((note.get("attributes") or {}).get("message") or "")
            said = _short(note.get("text") or "the run says that it failed") + (f": “{message}”" if message else "")
            yield _Trouble(float(note["t"]), {**note, "message": said, "kind": "note"}, said, ends=True)


def _line(source: object) -> str | None:
    """Return ``test_shop.py:12``, of a source as calls have it or a test's note."""
    if isinstance(source, dict) and source.get("file"):
        return f"{source['file']}:{source.get('line')}"
    return re.split(r"[\\/]", source)[-1] if isinstance(source, str) else None


def _notes_of_failure(reading: RecordedRun) -> list[Record]:
    """Return the notes that say how the run failed: by what exception, or with what a test's report says; the last first."""
    told = [note for note in reading.notes() if isinstance(note.get("attributes"), dict)]
    ended = [note for note in told if "ended_by" in note["attributes"] or note["attributes"].get("outcome") == "failed"]
    return (
        ended[::-1] or [note for note in reading.notes() if note["kind"] == "outcome" and not note.get("success")][-1:]
    )


def _failing(reading: RecordedRun, every: Sequence[Record], steps: Sequence[Record]) -> Iterator[tuple[str, Any]]:
    """Yield what the run did not get over: of the outermost step that failed last the innermost that failed, and the call that it failed by; without steps the last call that failed."""
    failed = [step for step in steps if step.get("success") is False]
    calls = [call for call in every if call["kind"] == "playwright" and call.get("error")]
    top = next((step for step in reversed(failed) if step.get("parent") is None), None)
    if top is None:
        note = next(iter(_notes_of_failure(reading)), {})
        last = calls[-1] if calls and not failed else None
        if last is not None and (not note or any(each in str(note.get("text")) for each in _messages(last["error"]))):
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
    last = next((call for call in reversed(calls) if call.get("step") in inside), None)
    if last is not None:
        over = float(last["t"]) + float(last.get("duration") or 0)
        told = set(_messages(innermost.get("error") or innermost.get("message")))
        same = not told or bool(told & set(_messages(last["error"]))) or _says_as_much(last, told)
        if same or ended - over <= _AT_ONCE:
            yield "call", last["id"]
        if same:
            return
    yield "step", innermost["id"]


def _says_as_much(call: Record, told: set[str]) -> bool:
    """Return whether a step's error is what an expectation raises, which the call itself says in other words."""
    return str(call.get("method")).removeprefix("not_").startswith("to_") and any("expected" in each for each in told)


def _messages(error: object) -> Iterator[str]:
    """Yield the first line of an error without the name of its class: as the call has it, as the step has it, and as the test's report has it."""
    line = _RAISED.sub("", str(error or "").strip().partition("\n")[0]).strip()
    if line:
        yield line


def _cover(reading: RecordedRun, failure: _Trouble) -> _Trouble | None:
    """Return the appearance of the element that covered the click's target, as named in the failure's call log; None
    where there is none.
    """
    lies = COVERS.search(str(failure.record["message"]))
    if lies is None:
        return None
    attributes = dict(ATTRIBUTE.findall(lies[2]))
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
            else f"{duration_text(passed)} later "
            if passed >= 1000
            else f"{passed:.0f} ms later "
        )
        own = each.said
        if later and own.startswith(("The ", "A ", "An ")):
            own = f"{own[0].lower()}{own[1:]}"
        said = f"{later}{own}."
        yield f"{said[:1].upper()}{said[1:]}"


def _lines(model: PageModel) -> dict[int, tuple[str, list[str]]]:
    """Return by page its address, and the lines that it shows."""
    found: dict[int, tuple[str, list[str]]] = {}
    for state in model.pages.values():
        document = model.documents.get(state.document or 0)
        if document is not None and state.open:
            lines = [line for line in outline(model, document).split("\n") if line]
            found[state.number] = document.url, list(dict.fromkeys(lines))
    return found


def _short(message: object) -> str:
    line = str(message).strip().partition("\n")[0].rstrip(".")
    return line if len(line) <= _SHORT else f"{line[: _SHORT - 1]}…"
