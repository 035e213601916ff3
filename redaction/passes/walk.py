"""Walk a recording event by event, and give every string to a sink by its role."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import cast

from pagereel.credentials import header_of_credential
from pagereel.reel import Event, Json, masked_look

from ..content.bodies import BOUNDARY, parse, rewrite_json
from ..content.dom import MaskedDocuments
from ..content.format_words import as_format_word, as_key
from ..contracts.channels import CHANNELS, METHODS, NAMED_KEYS, OPERATIONS, PREFERENCES, QUERIES
from ..contracts.policy import Policy
from ..contracts.sink import MASKED, Sink, Slot
from ..pictures import computer_use
from ..words.playwright_words import is_own
from ..words.programs import in_stack, media_type, status_text, within_project

_AGENT_HEADERS = frozenset(
    [
        "user-agent",
        "sec-ch-ua",
        "sec-ch-ua-platform",
        "sec-ch-ua-full-version-list",
        "accept-language",
        "etag",
        "if-none-match",
        "server",
    ]
)
"""Headers that describe programs: they are masked, and not searched."""
_URL_HEADERS = frozenset("location referer origin content-location".split())  # noqa: SIM905
HEADER_NAME = "headers.header name"
_PARTS = re.compile(r"(\bboundary=)(?:\"[^\"]*\"|[^\s;]*)", re.IGNORECASE)
_OWNERS = {"reel.tenant": "company", "reel.user": "username"}
"""Channel of an owner of the run → the label under which a form would ask for it."""
_ADDRESSES = frozenset({"url", "base_url", "referer"})
_PUT_IN = frozenset({"value", "text", "options", "local_paths", "files", "prompt_text", "username"})
_CODE = frozenset({"expression", "source", "script", "html", "body"})
"""Arguments of calls: addresses, what a call puts into the page's fields, and what it has the page run or be."""
_HEX = re.compile(r"[0-9a-f]{8,64}")
_OMITTED = frozenset({"resource", "url", "preference", "queries", "number", "hex", "look"})
"""Roles whose field is left out if nothing of it may be shown."""


class Walk:
    """Walks one recording in the order of its timeline. It makes new events and leaves the given ones unchanged."""

    def __init__(self, sink: Sink, policy: Policy) -> None:
        self._sink = sink
        self._policy = policy
        self._documents = MaskedDocuments(sink, policy)
        self._roles: dict[str, Callable[[Json, Slot], Json]] = {
            "plain": lambda value, slot: as_format_word(value, lambda text: self._sink.program_name(text, slot)),
            "keep": self._keep,
            "text": self._text,
            "code": self._string(sink.code),
            "url": self._string(sink.url),
            "value": self._string(sink.value),
            "json": self._json,
            "params": self._params,
            "headers": self._headers,
            "resource": self._resource,
            "sheets": lambda value, slot: [self._resource(each, slot) for each in _list(value)],
            "point": lambda value, slot: value,
            "action": self._text,  # but not its place: :mod:`..pictures.screens` decides which places may be seen
            "key": lambda value, slot: value if value in NAMED_KEYS else None,
            "digest": lambda value, slot: value,
            "boxes": self._boxes,
            "source": self._source,
            "called": self._string(sink.program_name),
            "owner": self._owner,
            "stack": self._string(self._stack),
            "status": lambda value, slot: status_text(value) if isinstance(value, str) else None,
            "mime": lambda value, slot: media_type(value) if isinstance(value, str) else None,
            "names": self._names,
            "operation": lambda value, slot: value if value in OPERATIONS else self._text(value, slot),
            "method": lambda value, slot: value if isinstance(value, str) and value.upper() in METHODS else MASKED,
            "preference": lambda value, slot: value if value in PREFERENCES else None,
            "queries": lambda value, slot: (
                [query for query in value if query in QUERIES] if isinstance(value, list) else None
            ),
            "number": lambda value, slot: value if type(value) in (int, float) else None,
            "look": lambda value, slot: cast(Json, masked_look(value, media=policy.images == "keep")),
            "hex": lambda value, slot: value if isinstance(value, str) and _HEX.fullmatch(value) else None,
        }

    def event(self, event: Event) -> Event | None:
        """Return the event with each string as the sink returns it, or None if the event's kind is unknown or a rule
        drops it.
        """
        kind = str(event.get("k"))
        fields = CHANNELS.get(kind)
        if fields is None or self._policy.rule("event", kind) == "drop":
            return None
        if kind == "key" and event.get("key") not in NAMED_KEYS and self._policy.form_values == "mask":
            return None  # key events tell a typed secret's length and rhythm
        action = self._policy.rule("event", kind)
        out: Event = {"k": kind, "t": event.get("t", 0)}
        for name, value in event.items():
            role = fields.get(name)
            if role is None:
                continue
            if role == "ops":
                ops = out[name] = self._documents.ops(event)
                if not ops and event.get(name) and kind == "mutation":
                    return None
                continue
            slot = Slot(f"{kind}.{name}")
            if action == "allow" and role in ("text", "code"):
                out[name] = self._keep(value, slot)
                continue
            if action == "mask" and role in ("text", "code") and isinstance(value, str):
                out[name] = self._sink.value(value, slot)
                continue
            if action == "mask" and role == "json":
                out[name] = rewrite_json(value, self._sink, slot, private=True, ruled=True)
                continue
            result = self._roles[role](value, slot)
            if result is None and value is not None and role in _OMITTED:
                if role == "resource" and kind == "response":
                    out["why"] = "policy"
                continue
            out[name] = result
        return out

    def _string(self, method: Callable[[str, Slot], str]) -> Callable[[Json, Slot], Json]:
        def role(value: Json, slot: Slot) -> Json:
            return method(value, slot) if isinstance(value, str) else None if value is None else self._json(value, slot)

        return role

    def _owner(self, value: Json, slot: Slot) -> Json:
        """Mask the name of a tenant or a user."""
        if not isinstance(value, str):
            return None
        if self._policy.owners == "detect":
            return self._sink.text(value, slot)
        return self._sink.value(value, slot._replace(label=_OWNERS[slot.channel]))

    def _keep(self, value: Json, slot: Slot) -> Json:
        if isinstance(value, str):
            return self._sink.keep(value, slot)
        return None if isinstance(value, (dict, list)) else value

    def _text(self, value: Json, slot: Slot) -> Json:
        return self._sink.text(value, slot) if isinstance(value, str) else self._json(value, slot)

    def _json(self, value: Json, slot: Slot) -> Json:
        if self._policy.form_values == "mask" or self._policy.screens != "keep":
            unlabelled = slot._replace(label="")
            typed = partial(self._sink.value, slot=unlabelled) if self._policy.form_values == "mask" else None
            value = computer_use.hidden(
                value, typed, places=self._policy.screens != "keep" and slot.channel != "screen.action"
            )
        return rewrite_json(value, self._sink, slot, private=False)

    def _params(self, value: Json, slot: Slot) -> Json:
        """Mask the arguments of a call by their name: URLs, form values, code of the test.

        Words that Playwright defines stay. All other arguments are read leaf by leaf.
        """
        if not isinstance(value, dict):
            return self._json(value, slot)
        out: dict[str, Json] = {}
        for name, given in value.items():
            if self._sink.rule("json", name) is None and name in _ADDRESSES and isinstance(given, str):
                out[name] = self._sink.url(given, slot)
            elif self._sink.rule("json", name) is None and name in _PUT_IN and self._policy.form_values == "mask":
                out[name] = rewrite_json(given, self._sink, slot, private=True, ruled=True)
            elif name in _CODE and isinstance(given, str) and not is_own(name, given) and parse(given) is None:
                out[name] = self._sink.code(given, slot._replace(channel="call.source"))
            elif is_own(name, given) and self._sink.rule("json", name) is None:
                out[name] = given if isinstance(given, list) else self._keep(given, slot)
            else:
                out.update(cast(dict[str, Json], self._json({name: given}, slot)))
        return out

    def _source(self, value: Json, slot: Slot) -> Json:
        """Mask file, line and code of a call by patterns alone: home folders, addresses in the code."""
        if isinstance(value, str):
            return self._sink.code(value, slot)
        if isinstance(value, list):
            return [self._source(v, slot) for v in value]
        if not isinstance(value, dict):
            return value
        return {
            as_key(k, lambda name: self._sink.program_name(name, slot)): self._place(k, v, slot)
            for k, v in value.items()
        }

    def _place(self, key: str, value: Json, slot: Slot) -> Json:
        """Mask one field of a source location. Of a file's path only the part within the project stays."""
        if not isinstance(value, str) or key not in ("file", "function"):
            return self._source(value, slot)
        known = self._sink.code(value, slot)
        if key == "file" and (within := within_project(known)) == known:
            return self._sink.keep(known, slot)  # A relative path of the program that drives the browser.
        return self._sink.program_name(within if key == "file" else known, slot)

    def _stack(self, value: str, slot: Slot) -> str:
        return in_stack(self._sink.code(value, slot), lambda word: self._sink.program_name(word, slot))

    def _names(self, value: Json, slot: Slot) -> Json:
        if not isinstance(value, dict):
            return {}
        mask = lambda name: self._sink.program_name(name, slot)  # noqa: E731
        return {as_key(k, mask): self._sink.keep(v, slot) for k, v in value.items() if isinstance(v, str)}

    def _resource(self, value: Json, slot: Slot) -> Json:
        return self._sink.resource(value, slot) if isinstance(value, str) else None

    def _boxes(self, value: Json, slot: Slot) -> Json:
        boxes = [box for box in _list(value) if isinstance(box, list)]
        return [[self._sink.text(v, slot) if isinstance(v, str) else v for v in box] for box in boxes]

    def _headers(self, value: Json, slot: Slot) -> Json:
        if not isinstance(value, dict):
            return {}
        out: dict[str, Json] = {}
        for name, text in value.items():
            lower = name.lower()
            rule = self._policy.rule("header", lower)
            secret = header_of_credential(lower)
            shown = self._sink.keep(name, Slot(HEADER_NAME)) if secret else name  # it may hold an owner's name
            known = lower in self._policy.headers or (secret and shown == name)
            here = Slot(f"{slot.channel}.{lower}" if known else slot.channel, lower)
            if rule == "drop" or not isinstance(text, str):
                continue
            if rule == "allow":
                out[name] = self._sink.keep(text, here)
            elif lower in self._policy.headers and rule is None:
                out[name] = self._sink.program_name(_PARTS.sub(rf"\1{BOUNDARY}", text), here)
            elif secret:
                if text != MASKED:  # masked by an earlier redaction
                    self._sink.secret(text, here)
                out[shown] = MASKED
            elif lower in _URL_HEADERS:
                out[name] = self._sink.url(text, here)
            else:
                if lower not in _AGENT_HEADERS:
                    self._sink.code(text, here)
                out[self._sink.keep(name, Slot(HEADER_NAME))] = MASKED
        return out


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
