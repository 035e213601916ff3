"""Explains why a Playwright call failed: its target was covered or missing, a dialog blocked the page, a request had no response."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pagereel.durations import format_duration
from pagereel.reel import PageModel, build_address_title

from .changes import find_element_changes
from .element_found_instead import ATTRIBUTE, COVERS, UNEXPECTED, find_element_shown_instead
from .locator_targets import LocatorTarget
from .presence import find_element_presence
from .record_fields import Record
from .recorded_run import RecordedRun
from .run_failures import FailureOrCause, build_request_title, find_failure_notes, to_short_line

_GAVE_UP: Final = re.compile(r"^(?:Timeout \d+ ?ms exceeded|Expect failed)")
"""What a call says of its failure that tells nothing of the page."""
_SPOKEN: Final = 3
"""Lines that come to a page that stays."""
_AT_WORK: Final = re.compile(
    r"(?:\w+ing\b.{0,40}(?:…|\.\.\.)|(?:please wait|one moment|just a moment|loading|bitte warten|wird geladen|chargement|cargando|caricamento|carregando|laden)\b.{0,40})",
    re.IGNORECASE,
)
"""A line that says that something is still under way."""
_HEADING: Final = re.compile(r"^#+ ")
"""How an outline marks a heading."""
_MARKED: Final = re.compile(r"\[[a-z ]+: ([^\[\]]*)\]")
"""How it marks a button, a link, a field."""
_CLOSED: Final = re.compile(r"has been closed|Target closed|Page closed")
_CRASH: Final = 1_000.0
"""Ms between a page's crash and what a call says of it."""
_ADDRESSES: Final = frozenset({"to_have_url", "not_to_have_url"})
_CHOSEN: Final = frozenset({"request", "requestfinished", "requestfailed", "response", "console", "websocket"})
"""Events of which a call waits for certain ones."""
_EVENTS: Final = {"filechooser": "file chooser", "framenavigated": "navigation", "requestfinished": "request", "requestfailed": "failed request", "console": "message"}  # fmt: skip
_NAME: Final = re.compile(r"[\w-]+")
_PERFORMING: Final = re.compile(r"performing [\w ]{1,40} action$")
"""How the log of a call ends that was held while it clicked, as by a dialog."""
_ADDRESS: Final = re.compile(r"waiting for navigation to \"([^\"\n]+)\"")
_LOADS: Final = frozenset({"goto", "reload", "go_back", "go_forward", "wait_for_load_state", "wait_for_url"})
"""Calls that wait for a page's parts, too."""
_AWAITED: Final = frozenset({"document", "xhr", "fetch"})
_ENDLESS: Final = frozenset({"websocket", "eventsource", "ping", "media"})


@dataclass
class Explanation:
    """The explanation of a failed call.

    `reason`: a clause, "" if nothing is known. `before`: the events that led to the failure; `after`: the events that
    came too late to prevent it; each event is told in a sentence of its own. `link`: the element that the reason is
    about. `sure`: the reason alone explains the failure.
    """

    reason: str = ""
    sure: bool = False
    link: Record = field(default_factory=dict)
    before: list[FailureOrCause] = field(default_factory=list)
    after: list[FailureOrCause] = field(default_factory=list)


class PageTextAtFailure(NamedTuple):
    """The lines of text that the pages showed when a run failed."""

    new: list[str]
    """Those that came to a document since the last action."""
    came: list[str]
    """Those of a document that came as a whole since then."""
    every: list[str]


def explain_failure(
    reading: RecordedRun, failure: FailureOrCause, page_model: PageModel, shown_lines: PageTextAtFailure
) -> Explanation:
    """Return the reason why a failure ended its run.

    `page_model`: the page model at the time of the failure; `shown_lines`: the lines of text that the pages showed then.
    """
    work = next((line for line in shown_lines.every[::-1] if len(line) < 80 and _AT_WORK.fullmatch(line)), "")
    if failure.record["kind"] != "call":
        return Explanation(f"the page said “{work}”" if work else "")
    call, message = failure.call, str(failure.record["said"])
    gave_up = not message or bool(_GAVE_UP.match(message))
    if gave_up and (dialog := _find_blocking_dialog(reading, failure)) is not None:
        return Explanation("the dialog is still open", True, before=[dialog])
    if (end := _find_crash_or_close(reading, failure)) is not None:
        return Explanation("", True, before=[end])
    if message.partition(" at ")[0] in {request.get("failed") for request in reading.requests()} - {None}:
        return Explanation()  # The request before it says so.
    found = find_element_shown_instead(call, page_model)
    told = Explanation()
    if found is not None:
        told = Explanation(found.said, found.sure, found.link)
        if (cover := _find_covering_element(reading, failure)) is not None:
            cover.link |= found.link
            told.before.append(cover)
            told.reason = re.sub(r" “.*” lies", " lies", found.said)
        if found.absent is not None:
            _explain_missing_element(told, reading, failure, found.absent, work)
    elif gave_up:
        told.reason = _describe_awaited_state(reading, failure, page_model)
    if not told.sure:
        told.before += _find_unanswered_request(reading, failure)
    by_address = call.get("method") == "wait_for_url"
    spoken = _find_last_new_text(shown_lines.new) if by_address or call.get("method") not in _LOADS else ""
    if not spoken and (by_address or (found is not None and found.absent is not None)):
        spoken = _find_last_new_text(shown_lines.came)
    if spoken and spoken not in told.reason and not told.link and told.reason:
        it = "; it says" if "page" in told.reason else "; the page says"
        who = ", saying" if by_address else ", and says" if "; it has " in told.reason else it
        told.reason += f"{who} “{spoken}”"
    if not gave_up and not (found is not None and found.is_whole):
        told.reason = f"“{message}”" + (f"; {told.reason}" if told.reason else "")
    return told


def _explain_missing_element(
    explanation: Explanation, reading: RecordedRun, failure: FailureOrCause, wanted: LocatorTarget, loading_text: str
) -> None:
    """Add to an explanation why the wanted element was missing: it appeared too late, it had disappeared, or the page
    was still loading.
    """
    plain = explanation.reason.partition("; ")[0]
    found = find_element_presence(reading, wanted, failure.call.get("page"), failure.t)
    if found is not None and found.element is not None:
        at = {"d": found.element.d, "node": found.element.node.id, "is": "wanted"}
        record = {"t": found.came, "kind": "appearance", "message": found.name}
        explanation.after.append(FailureOrCause(found.came, record, f"{found.name} appears, too late", link=at))
        explanation.reason = f"{plain} yet" + (f"; it says “{loading_text}”" if loading_text else "")
    elif found is not None and not (found.moved_on and explanation.link):
        record = {"t": found.gone, "kind": "disappearance", "message": found.name}
        went = "is left behind with its page" if found.moved_on else "goes away"
        explanation.before.append(FailureOrCause(found.gone, record, f"{found.name} {went}"))
        explanation.reason = f"{plain} any more"
    elif loading_text and not explanation.link:
        explanation.reason = f"{plain} yet; it says “{loading_text}”"
        return
    else:
        return
    explanation.link = {}
    explanation.sure = True


def _describe_awaited_state(reading: RecordedRun, failure: FailureOrCause, page_model: PageModel) -> str:
    """Return the state that a call without a locator waited for, such as the loading of a page, as far as the call's
    log shows it.
    """
    call = failure.call
    state = page_model.pages.get(call.get("page") or 0)
    document = page_model.documents.get(state.document or 0) if state is not None else None
    if call.get("method") == "wait_for_url" and document is not None:
        logs = [call.get("error"), *(step.get("error") for step in reading.steps()), *(note.get("text") for note in find_failure_notes(reading))]  # fmt: skip
        wanted = next((match[1] for log in logs if (match := _ADDRESS.search(str(log or "")))), "")
        stays = f"the page stays at {build_address_title(document.url)}"
        return f"it waits for {to_short_line(wanted)}, and {stays}" if wanted else stays
    if values := UNEXPECTED.findall(str(call.get("error") or "")):  # an expectation of a page's address or title
        value = (
            build_address_title(values[-1]) if call.get("method") in _ADDRESSES else f"“{to_short_line(values[-1])}”"
        )
        return f"it was {value}"
    lasted = format_duration(float(call.get("duration") or 0))
    event = (call.get("params") or {}).get("event") if isinstance(call.get("params"), dict) else None
    if isinstance(event, str):
        return f"no {'such ' if event in _CHOSEN else ''}{_EVENTS.get(event, event)} came within {lasted}"
    return f"it gave up after {lasted}"


def _find_crash_or_close(reading: RecordedRun, failure: FailureOrCause) -> FailureOrCause | None:
    """Return the crash of a call's page, or the closing of the page before the call ended; None if neither happened."""
    page = failure.call.get("page")
    ends = [each for each in reading.pages() if each.get("page") == page]
    crash = next((each for each in ends if each.get("event") == "crash"), None)
    if (
        crash is not None
        and float(failure.record["began"]) <= float(crash["t"]) + _CRASH
        and float(crash["t"]) <= failure.t + _CRASH
    ):
        t = min(float(crash["t"]), failure.t)
        return FailureOrCause(t, {"t": t, "kind": "crash", "page": page}, "the page crashes")
    if not _CLOSED.search(str(failure.record["said"])):
        return None
    close = next(
        (each for each in reversed(ends) if each.get("event") == "close" and float(each["t"]) <= failure.t), None
    )
    if close is None:
        return None
    t = float(close["t"])
    asked = any(
        each.get("method") == "close" and float(each["t"]) <= t <= float(each["t"]) + float(each.get("duration") or 0)
        for each in reading.calls()
    )
    said = "the script closes the page" if asked else "the page closes"
    return FailureOrCause(t, {"t": t, "kind": "close", "page": page}, said)


def _find_blocking_dialog(reading: RecordedRun, failure: FailureOrCause) -> FailureOrCause | None:
    """Return the dialog that a call opened and that blocked the call; None if there was none."""
    if not _PERFORMING.search(str(failure.call.get("error") or "").strip()):
        return None
    opened = (
        note for note in reading.notes()
        if note["kind"] == "dialog" and failure.record["began"] <= note["t"] <= failure.t and note.get("page") == failure.call.get("page")
    )  # fmt: skip
    if (note := next(opened, None)) is None:
        return None
    text = f"the page opens a dialog: “{to_short_line(note.get('message'))}”"
    return FailureOrCause(float(note["t"]), {**note, "message": text}, text, link={"console": True})


def _find_unanswered_request(reading: RecordedRun, failure: FailureOrCause) -> Iterator[FailureOrCause]:
    """Yield the first request that a call may have waited for, and that had no response when the call timed out."""
    call, begun = failure.call, float(failure.record["began"])
    loads = call.get("method") in _LOADS
    last = max((float(each["t"]) for each in reading.calls() if each["kind"] == "playwright" and float(each["t"]) < begun), default=0.0)  # fmt: skip
    for request in reading.requests():
        t, lasted = float(request["t"]), float(request.get("duration") or 0)
        awaited = request.get("type") not in _ENDLESS if loads else request.get("type") in _AWAITED
        if not awaited or request.get("page") != call.get("page") or not last <= t < failure.t or "failed" in request:
            continue
        if request.get("status") and t + lasted <= failure.t:
            continue
        late = (
            f"is answered only after {format_duration(lasted)}"
            if request.get("status")
            else "is sent, and has no answer"
        )
        text = f"{build_request_title(request)} {late}"
        yield FailureOrCause(
            t, {**request, "kind": "unanswered", "message": text}, text, link={"request": request["id"]}
        )
        return


def _find_covering_element(reading: RecordedRun, failure: FailureOrCause) -> FailureOrCause | None:
    """Return the appearance of the element that covered the target of a click, as named in the call's log; None if no
    element did.
    """
    lies = COVERS.search(str(failure.record["message"]))
    if lies is None:
        return None
    attributes = dict(ATTRIBUTE.findall(lies[2]))
    selector = lies[1] + "".join(f".{name}" for name in attributes.get("class", "").split() if _NAME.fullmatch(name))
    selector += "".join(f"[{name}={attributes[name]}]" for name in ("id", "role") if attributes.get(name))
    came = next(
        (
            each
            for each in find_element_changes(reading, selector)
            if each["t"] <= failure.t and each["change"] == "appeared"
        ),
        None,
    )
    if came is None:
        return None
    text = to_short_line(_strip_outline_marks(came["is"].get("text") or ""))
    lies_over = "lies" if came["t"] < failure.record["began"] else "comes to lie"
    said = f"an element, {came['element']}, {lies_over} over the page: “{text}”"
    record = {"t": came["t"], "kind": "cover", "event": came["event"], "message": came["element"], "text": text}
    return FailureOrCause(float(came["t"]), record, said)


def _find_last_new_text(new_lines: list[str]) -> str:
    """Return the last new line of a page that is text and not a form field; "" if there is none, or if so many lines
    are new that the page is another one.
    """
    lines = [line for line in new_lines if not line.startswith("[")]
    return to_short_line(_strip_outline_marks(lines[-1])) if 0 < len(lines) <= _SPOKEN else ""


def _strip_outline_marks(line: str) -> str:
    """Return a line of an outline without the marks of a heading or a button."""
    return _MARKED.sub(r"\1", _HEADING.sub("", line))
