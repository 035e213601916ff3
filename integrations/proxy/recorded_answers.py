"""Answers requests to models from a recording.

A request gets the recorded answer to the same request. Repeated requests get the answers in recorded order.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

import orjson

from pagereel.errors import UsageError
from pagereel.integrations.recorded_routing.request_keys import compute_exact_request_key, compute_loose_request_key
from pagereel.integrations.wire import ProviderKeys, WireExchange, decode_request_body
from pagereel.reel import Event, Json, build_text_of_recipe, decode_body, decode_stream, expand_recipe, open_reel

_LIFTED: Final = re.compile(
    r"(?P<head>data:[\w.+/-]{1,80};base64,)?pagereel:(?P<what>screenshot|screen|resource)/(?P<which>\w+)"
)
_PICTURE: Final = re.compile(r"(?:data:[\w.+/-]{1,80};base64,)?(?P<data>[A-Za-z0-9+/]{400,}={0,2})")
_NAMED: Final = "pagereel:picture"
"""What stands for a picture where requests are compared: of a screen the recording has the pixels, and no longer the file that was sent."""
_SHOWN: Final = 160
"""Characters of a value that a message shows."""


@dataclass(slots=True)
class RecordedAnswer:
    """A recorded request to a model, and its answer."""

    method: str
    url: str
    sent: bytes
    status: int
    headers: dict[str, str]
    body: bytes
    missing: str = ""
    """Why its answer cannot be given."""
    whole: bool = True
    """Whether it came to its end."""
    given: int = 0


@dataclass(slots=True)
class UnansweredRequest:
    """The result for a request that has no matching recorded answer.

    `message`: the reason in a sentence; `difference`: the first difference from the recorded request that was expected
    next, as JSON.
    """

    message: str
    difference: dict[str, Any] | None = None


@dataclass(slots=True)
class _RecordedModelTraffic:
    said: dict[int, Json] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    screens: dict[str, str] = field(default_factory=dict)
    told: dict[int, Event] = field(default_factory=dict)
    """Of each model call: what its answer said."""
    wires: list[Event] = field(default_factory=list)
    bodies: dict[str, bytes] = field(default_factory=dict)


class Answers:
    """The recorded answers of models in a recording, by which new requests are answered.

    :raises UsageError: the file is no unmasked recording with model traffic.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise UsageError(f"There is no recording at {path}.")
        read = _read_model_traffic(path)
        if not read.wires:
            raise UsageError(
                f"{path} holds no model traffic to answer from; only the raw recording of `pagereel proxy` holds it."
            )
        self._keys = ProviderKeys(os.environ)
        self._all = [_to_recorded_answer(event, read) for event in sorted(read.wires, key=lambda e: float(str(e["t"])))]
        self._exact: dict[Hashable, list[RecordedAnswer]] = defaultdict(list)
        self._loose: dict[Hashable, list[RecordedAnswer]] = defaultdict(list)
        for each in self._all:
            place = urlsplit(each.url).path
            self._exact[_compute_exact_request_key(each.method, place, each.sent)].append(each)
            self._loose[_compute_loose_request_key(each.method, place, each.sent)].append(each)

    def find(self, exchange: WireExchange) -> RecordedAnswer | UnansweredRequest:
        """Return the recorded answer to a request, or why there is none.

        Of several matching answers it is the first that was not given yet. If all were given, it is the last one.
        """
        self._keys.add_request_keys(exchange.sent_headers, exchange.url)
        sent = self._keys.mask_keys(decode_request_body(exchange))
        place = urlsplit(exchange.url).path
        asked = exchange.method, place, sent
        among = self._exact.get(_compute_exact_request_key(*asked)) or self._loose.get(
            _compute_loose_request_key(*asked)
        )
        if not among:
            return self._explain_missing_answer(*asked)
        found = next((each for each in among if not each.given), among[-1])
        found.given += 1
        if found.missing:
            return UnansweredRequest(
                f"The recorded answer to {exchange.method} {place} cannot be given: {found.missing}."
            )
        return found

    @property
    def left(self) -> int:
        """Return the number of recorded answers that were never given."""
        return sum(not each.given for each in self._all)

    def _explain_missing_answer(self, method: str, path: str, request_body: bytes) -> UnansweredRequest:
        waiting = [each for each in self._all if not each.given]
        here = [each for each in waiting if each.method == method and urlsplit(each.url).path == path]
        if not here:
            told = (
                "every recorded answer was given already"
                if not waiting
                else f"the next recorded request is {waiting[0].method} {urlsplit(waiting[0].url).path}"
            )
            return UnansweredRequest(f"The recording has no answer to {method} {path}: {told}.")
        difference = _find_first_difference(
            _replace_pictures(_parse_json(here[0].sent), exact=True),
            _replace_pictures(_parse_json(request_body), exact=True),
            "",
        )
        if difference is None:
            return UnansweredRequest(f"The recording has no answer to {method} {path}.")
        where, recorded, asked = difference
        message = f"The recording has no answer to this request: {where or 'the body'} was {recorded} when it was recorded, and is {asked} now."
        return UnansweredRequest(message, {"path": where, "recorded": recorded, "asked": asked})


def _read_model_traffic(path: Path) -> _RecordedModelTraffic:
    read = _RecordedModelTraffic()
    with open_reel(path) as reel:
        wanted: set[object] = set()
        for event in reel.events({"said", "llm", "screenshot", "screen", "wire"}):
            if event["k"] == "said":
                read.said[cast(int, event["id"])] = event["content"]
                wanted.update(match["which"] for match in _LIFTED.finditer(orjson.dumps(event["content"]).decode()))
            elif event["k"] == "llm":
                read.told[cast(int, event["id"])] = {
                    name: event[name] for name in ("response", "reasoning", "said") if name in event
                }
            elif event["k"] == "screenshot":
                read.pictures[str(event["id"])] = str(event["body"])
                wanted.add(event["body"])
            elif event["k"] == "screen":
                read.screens[str(event["id"])] = str(event.get("digest"))
            else:
                read.wires.append(dict(event))
                wanted.update((event.get("body"), event.get("sent_body")))
        for event in reel.events({"resource"}):
            if event["sha256"] in wanted:
                read.bodies[str(event["sha256"])] = decode_body(event) or b""
    read.said = {number: _restore_pictures(content, read) for number, content in read.said.items()}
    return read


def _restore_pictures(value: Json, traffic: _RecordedModelTraffic) -> Json:
    """Return a recorded message in which references to pictures and files are replaced by their contents."""
    if isinstance(value, dict):
        return {name: _restore_pictures(inner, traffic) for name, inner in value.items()}
    if isinstance(value, list):
        return [_restore_pictures(inner, traffic) for inner in value]
    found = _LIFTED.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    if found["what"] == "screen":
        return f"{_NAMED}/{traffic.screens.get(found['which'], '')}"
    digest = found["which"] if found["what"] == "resource" else traffic.pictures.get(found["which"], "")
    content = traffic.bodies.get(digest)
    return value if content is None else f"{found['head'] or ''}{base64.b64encode(content).decode()}"


def _rebuild_request_body(event: Event, traffic: _RecordedModelTraffic) -> str | None:
    """Return a request's body, rebuilt from the messages to which its recorded model call refers; None if one is
    missing.
    """
    numbers = traffic.told.get(cast(int, event.get("call")), {}).get("said")
    runs = cast("list[list[int]]", event.get("runs") or [])
    try:
        recipe = expand_recipe(
            cast("list[Json]", event["sent"]), runs, cast("list[int]", numbers if isinstance(numbers, list) else [])
        )
    except (ValueError, IndexError):
        return None
    return build_text_of_recipe(str(event.get("form")), recipe, traffic.said)


def _to_recorded_answer(event: Event, traffic: _RecordedModelTraffic) -> RecordedAnswer:
    sent = b""
    if "sent_body" in event:
        sent = traffic.bodies.get(str(event["sent_body"]), b"")
    elif isinstance(event.get("sent"), list):
        text = _rebuild_request_body(event, traffic)
        sent = (text or "").encode()
    body = traffic.bodies.get(str(event.get("body")))
    if "got" in event:
        stream = decode_stream(event["got"], traffic.told.get(cast(int, event.get("call")), {}))
        body = None if stream is None else stream.encode()
    missing = str(
        event.get("why") or ("its body was not kept" if body is None and {"body", "got"} & event.keys() else "")
    )
    if not event.get("status"):
        missing = "the provider did not answer when it was recorded"
    headers = cast("dict[str, str]", event.get("headers") or {})
    return RecordedAnswer(
        str(event["method"]), str(event["url"]), sent, int(str(event["status"])), headers, body or b"",
        missing, bool(event.get("whole", True)),
    )  # fmt: skip


def _compute_exact_request_key(method: str, path: str, request_body: bytes) -> Hashable:
    value = _replace_pictures(_parse_json(request_body), exact=True)
    return compute_exact_request_key(
        method, path, orjson.dumps(value, option=orjson.OPT_SORT_KEYS) if value is not None else request_body, ""
    )


def _compute_loose_request_key(method: str, path: str, request_body: bytes) -> Hashable:
    value = _replace_pictures(_parse_json(request_body), exact=False)
    return compute_loose_request_key(
        method, path, request_body if value is None else orjson.dumps(value), "application/json"
    )


def _replace_pictures(value: Json, *, exact: bool) -> Json:
    """Return a request with each picture replaced by a text: by its hash if `exact`, else by one text for all
    pictures.
    """
    if isinstance(value, dict):
        return {name: _replace_pictures(inner, exact=exact) for name, inner in value.items()}
    if isinstance(value, list):
        return [_replace_pictures(inner, exact=exact) for inner in value]
    if not isinstance(value, str):
        return value
    if value.startswith(_NAMED):
        return value if exact else _NAMED
    found = _PICTURE.fullmatch(value) if len(value) >= 400 else None
    if found is None:
        return value
    try:
        content = base64.b64decode(found["data"], validate=True)
    except ValueError:
        return value
    return f"{_NAMED}/{hashlib.sha256(content).hexdigest()}" if exact else _NAMED


def _parse_json(text: bytes) -> Json:
    try:
        return cast(Json, orjson.loads(text))
    except (orjson.JSONDecodeError, RecursionError):
        return None


def _find_first_difference(one: Json, other: Json, path: str) -> tuple[str, str, str] | None:
    """Return the first difference of two JSON bodies: its path, and both values shortened; None if the bodies are
    equal.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            here = f"{path}.{name}" if path else name
            if name not in one or name not in other:
                return (
                    here,
                    _shorten_value(one.get(name)) if name in one else "not there",
                    _shorten_value(other.get(name)) if name in other else "not there",
                )
            found = _find_first_difference(one[name], other[name], here)
            if found is not None:
                return found
        return None
    if isinstance(one, list) and isinstance(other, list):
        for place, (a, b) in enumerate(zip(one, other, strict=False)):
            found = _find_first_difference(a, b, f"{path}[{place}]")
            if found is not None:
                return found
        if len(one) != len(other):
            place = min(len(one), len(other))
            shown = [_shorten_value(side[place]) if len(side) > place else "not there" for side in (one, other)]
            return f"{path}[{place}]", shown[0], shown[1]
        return None
    if one == other:
        return None
    if isinstance(one, str) and isinstance(other, str):
        at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        start = max(0, at - 40)
        return path, _shorten_value(one[start:]), _shorten_value(other[start:])
    return path, _shorten_value(one), _shorten_value(other)


def _shorten_value(value: Json) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
