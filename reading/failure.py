"""Finds the first failure of a run and its consequences, as a chain of sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from pagereel.durations import format_duration
from pagereel.reel import PageModel

from .comparison_keys import to_url_key
from .explanation import PageTextAtFailure, explain_failure
from .outline import build_outline
from .preceding_events import PrecedingEvents
from .record_fields import Record, drop_empty_fields
from .recorded_run import RecordedRun
from .run_failures import (
    FailureOrCause,
    append_response_error_messages,
    find_failure_notes,
    is_test_phase,
    iter_failures,
    to_short_line,
)

_LONGEST: Final = 8
"""Largest number of sentences of a chain."""
_LINES: Final = 20
_OFTEN: Final = 3
"""Times that one request failed from which on it is one that a page repeats by itself."""
_LOOKED_AT: Final = 4
"""Failed requests of which it is looked at what the page made of them."""
_EFFECT: Final = 500.0
"""Ms within which a page shows what it makes of an answer."""


def find_first_failure(reading: RecordedRun) -> Record:
    """Return the earliest failure of a run, the failure that ended the run, and the sentences that lead from one to the
    other.

    ``first``: the earliest failure; ``failure``: the one from which the run did not recover; both None if nothing
    failed. In both, ``t`` is the time of the failure in ms, and ``began`` the start of the call or request that failed.
    ``chain``: the sentences from the first failure to the second; those after the second describe events that came too
    late to prevent it. ``links``: for each sentence its time in ms (``t``) and its subject: a ``call``, a ``request``,
    an element (``d``, ``node``). ``page``: lines that appeared while the run failed. ``after``: the events right before
    the failure.

    Some failures begin a chain only if there is no other: a call that was repeated successfully, a call that failed in
    a step that went on, a missing picture or style sheet, and a failed request that had no effect on the page and is
    not needed to explain the failure.
    """
    with reading.held():
        return _find_first_failure(reading)


def _find_first_failure(reading: RecordedRun) -> Record:
    troubles = sorted(iter_failures(reading), key=lambda each: each.t)
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
    late: list[FailureOrCause] = []
    if failure is not None:
        begun = float(failure.record.get("began", failure.t))
        sources = PrecedingEvents(reading)
        told["step"] = sources.find_innermost_step(begun)
        told["after"] = sources.describe_what_preceded(begun - 0.1)
        call = next((each for each in told["after"] if each["kind"] in ("call", "click", "key")), None)
        since = max(0.0, (float(call["t"]) if call else begun - 2_000) - 0.1)
        step = failure.record.get("id") if failure.record["kind"] == "step" else None
        notes = sorted(find_failure_notes(reading), key=lambda note: note.get("step") != step)
        failure.record |= _find_script_line([failure.record.get("source"), *map(_read_note_source, notes)])
        models = reading.models([since, failure.t])
        was = _read_shown_lines_by_page(next(models))
        now = next(models)
        shown = _read_shown_lines_by_page(now)
        known = {page: set(lines) for page, (_, _, lines) in was.items()}
        told["page"] = [
            {"page": page, "url": url, "new": new[:_LINES]}
            for page, (_, url, lines) in shown.items()
            if (new := [line for line in lines if line not in known.get(page, ())])
        ]
        stayed = {page for page, (d, _, _) in shown.items() if page in was and was[page][0] == d}
        new = [line for each in told["page"] if each["page"] in stayed for line in each["new"]]
        came = [line for each in told["page"] if each["page"] not in stayed for line in each["new"]]
        every = [line for _, _, lines in shown.values() for line in lines]
        found = explain_failure(reading, failure, now, PageTextAtFailure(new, came, every))
        if found.reason:
            instead = failure.record["kind"] == "call"
            failure.said += f"{':' if instead else ';'} {found.reason}"
            failure.record |= {"instead": found.reason} if instead else {}
        failure.link |= found.link
        telling = _drop_background_requests(reading, telling, since if found.sure else None)
        requests = {each.link.get("request") for each in telling} - {None}
        telling += [each for each in found.before if each.link.get("request") not in requests]
        telling.sort(key=lambda each: each.t)
        late = [*found.after, *_find_later_failed_phases(reading, failure)]
    first = min([*telling[:1], *ends[:1]], key=lambda each: each.t)
    told["first"] = first.record
    links = [each for each in telling if each is not first][-max(_LONGEST - 1 - len(ends), 0) :]
    told["left_out"] = max(len(telling) - 1 - len(links), 0)
    chain = sorted({id(each): each for each in (first, *links, *ends, *late)}.values(), key=lambda each: each.t)
    append_response_error_messages(reading, chain)
    told["chain"] = list(_to_timed_sentences(chain))
    told["links"] = [drop_empty_fields({"t": each.t, **each.link}) for each in chain]
    return {name: value for name, value in told.items() if value not in ([], 0) or name == "chain"}


def get_failure_time(first_failure: Record) -> float:
    """Return the time in ms at which the run failed, from a result of :func:`find_first_failure` that has a chain.

    If the result has no failure, it is the time of the chain's last sentence.
    """
    return float((first_failure["failure"] or first_failure["links"][-1])["t"])


def describe_failure_location(failure: Record) -> list[str]:
    """Return the locator of the call that failed, or else its code, and its line in the script, as far as they are
    known.
    """
    return [str(each) for each in (failure.get("locator") or failure.get("code"), failure.get("line")) if each]


def format_failure_chain(chain: Iterable[str], location: Iterable[str]) -> list[str]:
    """Return a chain's sentences and the failure's location as lines for a terminal, without control characters."""
    where = " at ".join(location)
    lines = [*chain, *([where] if where else [])]
    return ["".join(c if c.isprintable() else "\ufffd" for c in line) for line in lines]


def _drop_background_requests(
    reading: RecordedRun, causes: list[FailureOrCause], last_action_time: float | None
) -> list[FailureOrCause]:
    """Return the possible causes of a failure without background requests, that is failed requests that had no effect
    on the page.

    A failed request is in the background if the page repeats it by itself. If the failure is explained without them, so
    are requests that only read, or that were sent before `last_action_time`, the time of the last action in ms.
    """
    asked = {request["id"]: request for request in reading.requests()}
    keys = {id: f"{request.get('method')} {to_url_key(str(request.get('url')))}" for id, request in asked.items()}
    often = Counter(keys[id] for id, request in asked.items() if "failed" in request)
    doubted: dict[object, FailureOrCause] = {}
    for each in causes:
        id = each.link.get("request")
        if each.record["kind"] != "request" or id not in asked:
            continue
        reads = asked[id].get("method") in ("GET", "HEAD")
        if often[keys[id]] >= _OFTEN or (
            last_action_time is not None and (reads or each.record["began"] < last_action_time)
        ):
            doubted[each.record["id"]] = each
    last = [*doubted.values()][-_LOOKED_AT:]
    times = sorted({time for each in last for time in (float(each.record["began"]), each.t + _EFFECT)})
    shown = {time: {line for _, _, lines in _read_shown_lines_by_page(model).values() for line in lines} for time, model in zip(times, reading.models(times), strict=True)}  # fmt: skip
    mattered = {each.record["id"] for each in last if shown[each.t + _EFFECT] - shown[float(each.record["began"])]}
    return [each for each in causes if each.link.get("request") not in doubted or each.record["id"] in mattered]


def _find_later_failed_phases(reading: RecordedRun, failure: FailureOrCause) -> Iterable[FailureOrCause]:
    """Yield a failure for each later phase of the test that failed as well, such as its tear-down."""
    for step in filter(is_test_phase, reading.steps()):
        ended = float(step["t"]) + float(step.get("duration") or 0)
        if step.get("success") is False and float(step["t"]) >= failure.t and failure.link.get("step") != step["id"]:
            said = f"the step “{step['title']}” fails, too: “{to_short_line(step.get('error') or step.get('message') or '')}”"
            yield FailureOrCause(ended, {"t": ended, "kind": "step", "id": step["id"]}, said, link={"step": step["id"]})


def _read_note_source(note: Record) -> object:
    return note.get("source") or (note.get("attributes") or {}).get("source")


def _find_script_line(sources: Iterable[object]) -> Record:
    """Return ``line`` (``test_shop.py:12``) and, if known, ``code`` (the text of that line) of the first source that
    has a line. A source is that of a call or of a test's note.
    """
    for source in sources:
        if isinstance(source, dict) and source.get("file"):
            marked = (str(line)[1:].split(maxsplit=1) for line in source.get("code") or () if str(line)[:1] == ">")
            code = next((words[1] for words in marked if len(words) > 1), None)
            return drop_empty_fields({"line": f"{source['file']}:{source.get('line')}", "code": code})
        if isinstance(source, str):
            return {"line": re.split(r"[\\/]", source)[-1]}
    return {}


def _to_timed_sentences(chain: list[FailureOrCause]) -> Iterable[str]:
    before = chain[0].t
    for number, each in enumerate(chain):
        passed = each.t - before
        before = each.t
        later = (
            ""
            if not number
            else "at once "
            if passed < 20
            else f"{format_duration(passed)} later "
            if passed >= 1000
            else f"{passed:.0f} ms later "
        )
        own = each.said
        if later and own.startswith(("The ", "A ", "An ")):
            own = f"{own[0].lower()}{own[1:]}"
        text = f"{later}{own}."
        yield f"{text[:1].upper()}{text[1:]}"


def _read_shown_lines_by_page(model: PageModel) -> dict[int, tuple[int, str, list[str]]]:
    """Return, for each page number, the page's document number, its address, and the lines that it shows."""
    found: dict[int, tuple[int, str, list[str]]] = {}
    for state in model.pages.values():
        document = model.documents.get(state.document or 0)
        if document is not None and state.open:
            lines = [line for line in build_outline(model, document).split("\n") if line]
            found[state.number] = document.d, document.url, list(dict.fromkeys(lines))
    return found
