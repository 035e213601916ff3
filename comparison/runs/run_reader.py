"""Reads a recording of any kind into a :class:`.ComparedRun`, in one pass over its events."""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from pagereel.reading import (
    find_session_values,
    is_passive_call,
    parse_redirect_header,
    to_locator_key,
    to_text_key,
    to_url_key,
)
from pagereel.reel import (
    ELEMENT,
    Event,
    Json,
    ModelMessageStore,
    Node,
    Reel,
    RunOutcomeRule,
    build_action_title,
    get_text_content,
)
from pagereel.sources import open_any

from .action_views import ViewReader
from .normalization import normalize_line, normalize_value
from .run_items import NOTHING, BrowserMessage, ComparedRun, MachineStall, Record, RunItem, RunRequest

ASKS: Final = frozenset({"document", "xhr", "fetch", "ping", "other"})
"""Types of requests whose JSON is read."""
_BY_SCRIPTS: Final = frozenset({"xhr", "fetch"})
_LARGEST: Final = 1_000_000
"""Largest body that is read, in bytes."""
_DEEPEST: Final = 40
"""Largest depth of steps; deeper ones count as siblings."""
_NESTED: Final = 100
"""Largest depth of JSON that is compared."""
_NO_JSON: Final = "text that begins as JSON and is none"
_ABORTED: Final = "net::ERR_ABORTED"
"""The error of a request that the page itself aborted."""
_LEFT: Final = "cancelled"
"""The same error in CDP."""


def read_run(
    path: str | os.PathLike[str],
    hosts: Mapping[str, str] | None = None,
    is_ignored_element: Callable[[Node], bool] | None = None,
) -> ComparedRun:
    """Read a recording as a run, which keeps the recording open. `hosts`: host → equivalent host. `is_ignored_element`: a function
    that returns True for elements to leave out.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and its key is not given.
    """
    reel = open_any(Path(path))
    reel.cache_timeline_events()
    try:
        return _RunReader(reel, hosts or {}, is_ignored_element).read_events()
    except BaseException:
        reel.close()
        raise


def is_read_only_call(item: RunItem) -> bool:
    """Return whether a call only reads the page or waits."""
    return item.kind == "call" and is_passive_call(str(item.event.get("method")))


def find_polls(run: ComparedRun) -> frozenset[str]:
    """Return the keys of the requests that the pages of a run sent several times after one action."""
    acts = sorted(act.place for act in list_changing_actions(run))
    sent = Counter((r.key, bisect_right(acts, r.place)) for r in run.requests if r.type in _BY_SCRIPTS)
    return frozenset(key for (key, _), times in sent.items() if times > 1)


def list_changing_actions(run: ComparedRun) -> list[RunItem]:
    """Return the actions that may change a page, in the order in which pages could react to them."""
    return sorted(
        (each for each in run.done if each.kind != "model" and not is_read_only_call(each)),
        key=lambda act: act.earliest_effect_time,
    )


def is_fixed_wait(item: RunItem) -> bool:
    """Return whether a call waits for a time that the script chose."""
    return item.kind == "call" and item.event.get("method") == "wait_for_timeout"


class _RunReader:
    def __init__(self, reel: Reel, hosts: Mapping[str, str], skip: Callable[[Node], bool] | None) -> None:
        self._reel = reel
        self._hosts = hosts
        self._views = ViewReader(skip)
        self._items: dict[object, RunItem] = {}
        self._top: list[RunItem] = []
        self._done: list[RunItem] = []
        self._requests: dict[object, RunRequest] = {}
        self._documents: dict[int, str] = {}
        self._bodies: dict[object, dict[str, str]] = {}
        self._console: list[BrowserMessage] = []
        self._windows: list[BrowserMessage] = []
        self._stalls: list[MachineStall] = []
        self._cost = 0.0
        self._tokens = 0
        self._masked = False
        self._gaps = 0

    def read_events(self) -> ComparedRun:
        duration = 0.0
        has_calls = any(True for _ in self._reel.events(("call", "llm", "tool_call")))
        said, rule = ModelMessageStore(), RunOutcomeRule()
        for event in _move_early_responses(self._reel.timeline()):
            rule.read_event(event)
            t = float(str(event.get("t") or 0))
            duration = max(duration, t)
            kind = str(event["k"])
            said.store_message(event)
            event = said.fill_in_messages(event)
            if kind in ("step", "call", "llm", "tool_call"):
                self._begin_run_item(kind, event, t)
            elif not has_calls:
                self._add_manual_action(kind, event, t)
            self._read_effect_event(kind, event, t)
            if kind != "resource":
                self._views.apply_event(event)
        self._replace_session_ids()
        views = self._views.finish_views(duration)
        for item in self._done:
            if not item.has_returned:
                item.end = duration
        run = ComparedRun(
            path=str(self._reel.path), reel=self._reel, kind=self._reel.kind, items=self._top, done=self._done, views=views,
            requests=list(self._requests.values()), console=self._console, windows=self._windows, duration=duration,
            outcome=rule.decide_outcome((self._reel.end or {}).get("reason"), self._reel.header.get("metadata")).outcome,
            cost=round(self._cost, 6), tokens=self._tokens, model=self._views.model, versions=self._views.versions, changed_attributes=self._views.changed_attributes, documents=self._documents, masked=self._masked, notes=self._collect_run_notes(),
            stalls=self._stalls, beats=_has_load_measurements(self._reel.header.get("options")),
        )  # fmt: skip
        for key, request in self._requests.items():
            self._read_bodies(key, request)
        run.polls = find_polls(run)
        return run

    def _collect_run_notes(self) -> list[str]:
        name = self._reel.path.name
        said = []
        if self._reel.damage is not None:
            said.append(f"{name} is damaged ({self._reel.damage.reason}): what comes after that is not compared.")
        elif not self._reel.sealed:
            said.append(f"{name} was not closed: what came after its last event is not known.")
        if not self._done:
            said.append(f"{name} holds no calls, clicks or pages: there is nothing to put beside the other's.")
        if self._gaps:
            said.append(f"{name} says itself that it misses something, {self._gaps} times (pagereel info tells what).")
        return said

    # -- actions --------------------

    def _begin_run_item(self, kind: str, event: Event, t: float) -> None:
        parent = self._items.get(event.get("parent" if kind == "step" else "step"))
        made: Record = dict(event)
        if kind == "step":
            title = str(event.get("title") or "")
            # The title of an inferred step is the model's text, which varies each time.
            inferred = (made.get("attributes") or {}).get("inferred") is True
            item = RunItem(
                "step",
                "step inferred" if inferred else f"step {to_text_key(title).casefold()}",
                t,
                t,
                made["id"],
                title,
                event=made,
            )
        elif kind == "call":
            item = self._build_call_item(made, t)
        elif kind == "llm":
            item = RunItem("model", "model", t, t, made["id"], str(made.get("model") or "a model"), event=made)
            self._cost += float(made.get("cost_usd") or 0)
            self._tokens += int(made.get("input_tokens") or 0) + int(made.get("output_tokens") or 0)
        else:
            key = f"tool {made['name']} {normalize_value(made.get('arguments'))}"
            item = RunItem("tool", key, t, t, made["id"], str(made["name"]), event=made)
        self._add_run_item(item, parent)
        self._items[made["id"]] = item

    def _build_call_item(self, event: Record, t: float) -> RunItem:
        method, locator = str(event["method"]), str(event.get("locator") or "")
        params = event.get("params") if isinstance(event.get("params"), dict) else {}
        assert isinstance(params, dict)
        about = to_locator_key(locator) if locator else ""
        if not locator and isinstance(params.get("url"), str):
            about = self._to_url_key(params["url"])
        elif not locator and isinstance(params.get("selector"), str):
            about = to_text_key(params["selector"])
        end = t + float(event.get("duration") or 0)
        return RunItem(
            "call", f"{method} {about}".strip(), t, end, event["id"], build_action_title(event, with_values=False), str(event["error"]) if event.get("error") else None, event
        )  # fmt: skip

    def _add_manual_action(self, kind: str, event: Event, t: float) -> None:
        """Add an action from a recording without calls, made by a person or another driver: a visit or a press."""
        if kind == "document" and event.get("top"):
            url = str(event.get("url") or "")
            if not url.startswith("about:"):
                self._add_run_item(
                    RunItem("visit", f"visit {self._to_url_key(url)}", t, t, None, f"Open {url}", event=dict(event)),
                    None,
                )
        elif kind == "mouse" and event.get("type") == "click":
            document = self._views.model.documents.get(int(str(event["d"])))
            node = document.nodes.get(int(str(event["node"]))) if document is not None else None
            name = _describe_clicked_element(node)
            self._add_run_item(
                RunItem("press", f"press {to_text_key(name)}", t, t, None, f"Click {name}", event=dict(event)), None
            )

    def _add_run_item(self, item: RunItem, parent: RunItem | None) -> None:
        while parent is not None and parent.depth >= _DEEPEST:
            parent = parent.parent
        item.parent = parent
        item.depth = parent.depth + 1 if parent is not None else 0
        (parent.items if parent is not None else self._top).append(item)
        if item.kind != "step":
            item.place = len(self._done)
            self._done.append(item)
            self._views.begin_action(item.t, 0.0 if is_read_only_call(item) or item.kind == "model" else item.end)

    # -- effects --------------------

    def _read_effect_event(self, kind: str, event: Event, t: float) -> None:
        place = len(self._done) - 1
        if kind == "step_end" and event["id"] in self._items:
            item = self._items[event["id"]]
            item.end = t
            item.event = {**item.event, **{k: v for k, v in event.items() if k not in ("k", "t", "attributes")}}
            if event.get("success") is False:
                item.error = str(event.get("error") or event.get("message") or "failed")
        elif kind == "tool_result" and event.get("call") in self._items:
            item = self._items[event["call"]]
            item.end = t
            item.event = {**item.event, **{k: event[k] for k in ("result", "error", "duration") if k in event}}
            item.error = str(event["error"]) if event.get("error") else None
        elif kind == "document":
            self._documents[cast(int, event["d"])] = self._to_url_key(str(event.get("url") or ""))
        elif kind == "request":
            self._add_request(event, t, place)
        elif kind == "response" and event["id"] in self._requests:
            self._add_response(event, t)
        elif kind in ("dialog", "download"):
            text = str(event.get("message") if kind == "dialog" else event.get("filename"))
            level = str(event.get("type")) if kind == "dialog" else kind
            self._windows.append(BrowserMessage(t, level, text, normalize_line(text), place))
        elif kind == "console" and event.get("source") != "network":
            text = str(event["text"])
            self._console.append(BrowserMessage(t, str(event["level"]), text, normalize_line(text), place))
        elif kind == "error":
            text = str(event["message"]).split("\n", 1)[0]
            self._console.append(BrowserMessage(t, "uncaught", text, normalize_line(text), place))
        elif kind == "stall":
            late = float(str(event["late"]))
            over = float(str(event.get("over") or 0))
            share = min(late / over, 1.0) if over else None
            self._stalls.append(MachineStall(t, t + (over or late), cast("int | None", event.get("page")), share))
        elif kind == "mouse" and event.get("type") == "down" and place >= 0:
            item = self._done[place]
            if item.kind == "call" and item.pressed is None and t <= item.end:
                item.pressed = t
        elif kind == "redaction":
            self._masked = True
        elif kind == "gap" and event.get("reason") not in ("calls", "fetched"):
            self._gaps += 1

    def _add_request(self, event: Event, t: float, action_number: int) -> None:
        method, url, kind, page = str(event["method"]), str(event["url"]), str(event.get("type") or ""), int(str(event.get("page") or 0))  # fmt: skip
        here = self._views.model.pages.get(page)
        sender = event.get("d") or (here.document if here is not None else None) or 0
        request = RunRequest(
            f"{method} {self._to_url_key(url)}", str(event["id"]), t, t, method, url, kind, page, None, None, NOTHING, NOTHING, action_number, False,
            0 if kind == "document" else cast(int, sender),
        )  # fmt: skip
        self._requests[event["id"]] = request
        if isinstance(event.get("post"), str):
            self._bodies.setdefault(event["id"], {})["sent"] = str(event["post"])

    def _add_response(self, event: Event, t: float) -> None:
        request = self._requests[event["id"]]
        request.status = int(str(event.get("status") or 0)) or None
        request.end = float(str(event.get("end") or t))
        request.answered = True
        error = event.get("error")
        # What a page broke off after the server had answered is answered: a stream, or the page of an error in place of a script.
        request.failed = str(error) if error and error != _ABORTED and not (error == _LEFT and request.status) else None
        status, hops = parse_redirect_header(event.get("headers"))
        request.status = status or request.status
        last: object = event["id"]
        for number, hop in enumerate(hops, 1):
            made = RunRequest(
                f"{hop.method} {self._to_url_key(hop.url)}", f"{request.id}/{number}", request.end, request.end, hop.method, hop.url, request.type,
                request.page, hop.status, None, NOTHING, NOTHING, request.place, document=request.document,
            )  # fmt: skip
            self._requests[made.id] = made
            last = made.id if status else last
        is_whole = not error and not event.get("why") and int(str(event.get("size") or 0)) <= _LARGEST
        if request.type in ASKS and isinstance(event.get("body"), str) and is_whole:
            self._bodies.setdefault(last, {})["answer"] = str(event["body"])

    def _read_bodies(self, key: object, request: RunRequest) -> None:
        for name, sha256 in self._bodies.get(key, {}).items():
            content = self._reel.resource(sha256)
            if content is not None and len(content) <= _LARGEST and content.lstrip()[:1] in (b"{", b"["):
                try:
                    value = json.loads(content)
                except (ValueError, RecursionError):
                    value = _NO_JSON
                if _is_shallow_json(value):
                    setattr(request, name, value)

    def _replace_session_ids(self) -> None:
        """Replace session ids in the keys of requests: an id that one request names as such is replaced in all others,
        where it may stand without a name.
        """
        sessions = frozenset[str]().union(*(find_session_values(request.url) for request in self._requests.values()))
        for request in self._requests.values():
            if any(session in request.url for session in sessions):
                request.key = f"{request.method} {self._to_url_key(request.url, sessions)}"

    def _to_url_key(self, url: str, sessions: Collection[str] = ()) -> str:
        key = to_url_key(url, sessions)
        host, slash, rest = key.partition("/")
        return f"{self._hosts.get(host, host)}{slash}{rest}"


def _move_early_responses(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events, with each response that comes before its request moved to right after the request.

    Older recordings have such responses for resources from the browser's cache.
    """
    asked: set[object] = set()
    early: dict[object, Event] = {}
    for event in events:
        if event["k"] == "response" and event["id"] not in asked:
            early[event["id"]] = event
            continue
        yield event
        if event["k"] == "request":
            asked.add(event["id"])
            if event["id"] in early:
                yield {**early.pop(event["id"]), "t": event["t"]}


def _has_load_measurements(options: Json) -> bool:
    return isinstance(options, dict) and options.get("beat") == "pressure"


def _is_shallow_json(value: object) -> bool:
    level = [value]
    for _ in range(_NESTED):
        level = [
            inner
            for held in level
            for inner in (held.values() if isinstance(held, dict) else held if isinstance(held, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def _describe_clicked_element(node: Node | None) -> str:
    """Return what a person would call a clicked element: ``button 'Pay'``."""
    here = node
    while here is not None and here.kind == ELEMENT:
        attrs = here.attrs
        name = attrs.get("aria-label") or attrs.get("title") or " ".join(get_text_content(here).split())
        if name or here.name in ("a", "button", "input", "select", "textarea"):
            name = name or attrs.get("name") or attrs.get("id") or ""
            return f"{here.name} {name[:80]!r}" if name else here.name
        here = here.parent
    return "the page"
