"""Walk a recording event by event, and give each string to the sink's method for its role: text, URL, code, value."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import cast

from pagereel.credentials import is_credential_header
from pagereel.reel import Event, Json, mask_layout_sample

from ..content.bodies import BOUNDARY, mask_json, parse_json
from ..content.document_masker import DocumentsMasker
from ..content.format_words import mask_field_name, mask_format_field
from ..contracts.field_roles import CHANNELS, METHODS, NAMED_KEYS, OPERATIONS, PREFERENCES, QUERIES
from ..contracts.policy import Policy
from ..contracts.sink import MASKED, Sink, Slot
from ..pictures import computer_use
from ..words.phrase_lists import PhraseLists
from ..words.playwright_words import is_playwright_word
from ..words.program_names import keep_known_media_type, keep_known_status_text, mask_stack, strip_folders_above_project

LISTS = PhraseLists("recording_walk")

_AGENT_HEADERS = LISTS.to_word_set("AGENT_HEADERS")
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


class RecordingWalk:
    """Walks one recording in the order of its timeline. It makes new events and leaves the given ones unchanged."""

    def __init__(self, sink: Sink, policy: Policy) -> None:
        self._sink = sink
        self._policy = policy
        self._documents = DocumentsMasker(sink, policy)
        self._roles: dict[str, Callable[[Json, Slot], Json]] = {
            "plain": lambda value, slot: mask_format_field(
                value, lambda text: self._sink.visit_program_name(text, slot)
            ),
            "keep": self._visit_harmless,
            "text": self._visit_text,
            "code": self._build_role_for_strings(sink.visit_code),
            "url": self._build_role_for_strings(sink.visit_url),
            "value": self._build_role_for_strings(sink.visit_private_value),
            "json": self._visit_json,
            "params": self._visit_call_params,
            "headers": self._visit_headers,
            "resource": self._visit_resource,
            "sheets": lambda value, slot: [self._visit_resource(each, slot) for each in _get_list_or_empty(value)],
            "point": lambda value, slot: value,
            "action": self._visit_text,  # but not its place: :mod:`..pictures.screens` decides which places may be seen
            "key": lambda value, slot: value if value in NAMED_KEYS else None,
            "digest": lambda value, slot: value,
            "boxes": self._visit_screenshot_boxes,
            "source": self._visit_call_source,
            "called": self._build_role_for_strings(sink.visit_program_name),
            "owner": self._visit_owner,
            "stack": self._build_role_for_strings(self._visit_stack),
            "status": lambda value, slot: keep_known_status_text(value) if isinstance(value, str) else None,
            "mime": lambda value, slot: keep_known_media_type(value) if isinstance(value, str) else None,
            "names": self._visit_program_names,
            "operation": lambda value, slot: value if value in OPERATIONS else self._visit_text(value, slot),
            "method": lambda value, slot: value if isinstance(value, str) and value.upper() in METHODS else MASKED,
            "preference": lambda value, slot: value if value in PREFERENCES else None,
            "queries": lambda value, slot: (
                [query for query in value if query in QUERIES] if isinstance(value, list) else None
            ),
            "number": lambda value, slot: value if type(value) in (int, float) else None,
            "look": lambda value, slot: cast(Json, mask_layout_sample(value, media=policy.images == "keep")),
            "hex": lambda value, slot: value if isinstance(value, str) and _HEX.fullmatch(value) else None,
        }

    def walk_event(self, event: Event) -> Event | None:
        """Return the event with each string as the sink returns it, or None if the event's kind is unknown or a rule
        drops it.
        """
        kind = str(event.get("k"))
        fields = CHANNELS.get(kind)
        if fields is None or self._policy.find_rule_action("event", kind) == "drop":
            return None
        if kind == "key" and event.get("key") not in NAMED_KEYS and self._policy.form_values == "mask":
            return None  # key events tell a typed secret's length and rhythm
        action = self._policy.find_rule_action("event", kind)
        out: Event = {"k": kind, "t": event.get("t", 0)}
        for name, value in event.items():
            role = fields.get(name)
            if role is None:
                continue
            if role == "ops":
                ops = out[name] = self._documents.mask_ops(event)
                if not ops and event.get(name) and kind == "mutation":
                    return None
                continue
            slot = Slot(f"{kind}.{name}")
            if action == "allow" and role in ("text", "code"):
                out[name] = self._visit_harmless(value, slot)
                continue
            if action == "mask" and role in ("text", "code") and isinstance(value, str):
                out[name] = self._sink.visit_private_value(value, slot)
                continue
            if action == "mask" and role == "json":
                out[name] = mask_json(value, self._sink, slot, private_by_place=True, masked_by_rule=True)
                continue
            result = self._roles[role](value, slot)
            if result is None and value is not None and role in _OMITTED:
                if role == "resource" and kind == "response":
                    out["why"] = "policy"
                continue
            out[name] = result
        return out

    def _build_role_for_strings(self, method: Callable[[str, Slot], str]) -> Callable[[Json, Slot], Json]:
        def apply_role(value: Json, slot: Slot) -> Json:
            return (
                method(value, slot)
                if isinstance(value, str)
                else None
                if value is None
                else self._visit_json(value, slot)
            )

        return apply_role

    def _visit_owner(self, value: Json, slot: Slot) -> Json:
        """Mask the name of a tenant or a user."""
        if not isinstance(value, str):
            return None
        if self._policy.owners == "detect":
            return self._sink.visit_text(value, slot)
        return self._sink.visit_private_value(value, slot._replace(label=_OWNERS[slot.channel]))

    def _visit_harmless(self, value: Json, slot: Slot) -> Json:
        if isinstance(value, str):
            return self._sink.visit_harmless(value, slot)
        return None if isinstance(value, (dict, list)) else value

    def _visit_text(self, value: Json, slot: Slot) -> Json:
        return self._sink.visit_text(value, slot) if isinstance(value, str) else self._visit_json(value, slot)

    def _visit_json(self, value: Json, slot: Slot) -> Json:
        if self._policy.form_values == "mask" or self._policy.screens != "keep":
            unlabelled = slot._replace(label="")
            typed = (
                partial(self._sink.visit_private_value, slot=unlabelled) if self._policy.form_values == "mask" else None
            )
            value = computer_use.mask_computer_actions(
                value, typed, drop_positions=self._policy.screens != "keep" and slot.channel != "screen.action"
            )
        return mask_json(value, self._sink, slot, private_by_place=False)

    def _visit_call_params(self, value: Json, slot: Slot) -> Json:
        """Mask the arguments of a call by their name: URLs, form values, code of the test.

        Words that Playwright defines stay. All other arguments are read leaf by leaf.
        """
        if not isinstance(value, dict):
            return self._visit_json(value, slot)
        out: dict[str, Json] = {}
        for name, given in value.items():
            if self._sink.find_rule_action("json", name) is None and name in _ADDRESSES and isinstance(given, str):
                out[name] = self._sink.visit_url(given, slot)
            elif (
                self._sink.find_rule_action("json", name) is None
                and name in _PUT_IN
                and self._policy.form_values == "mask"
            ):
                out[name] = mask_json(given, self._sink, slot, private_by_place=True, masked_by_rule=True)
            elif (
                name in _CODE
                and isinstance(given, str)
                and not is_playwright_word(name, given)
                and parse_json(given) is None
            ):
                out[name] = self._sink.visit_code(given, slot._replace(channel="call.source"))
            elif is_playwright_word(name, given) and self._sink.find_rule_action("json", name) is None:
                out[name] = given if isinstance(given, list) else self._visit_harmless(given, slot)
            else:
                out.update(cast(dict[str, Json], self._visit_json({name: given}, slot)))
        return out

    def _visit_call_source(self, value: Json, slot: Slot) -> Json:
        """Mask file, line and code of a call by patterns alone: home folders, addresses in the code."""
        if isinstance(value, str):
            return self._sink.visit_code(value, slot)
        if isinstance(value, list):
            return [self._visit_call_source(v, slot) for v in value]
        if not isinstance(value, dict):
            return value
        return {
            mask_field_name(
                k, lambda name: self._sink.visit_program_name(name, slot)
            ): self._visit_source_location_field(k, v, slot)
            for k, v in value.items()
        }

    def _visit_source_location_field(self, key: str, value: Json, slot: Slot) -> Json:
        """Mask one field of a source location. Of a file's path only the part within the project stays."""
        if not isinstance(value, str) or key not in ("file", "function"):
            return self._visit_call_source(value, slot)
        known = self._sink.visit_code(value, slot)
        if key == "file" and (within := strip_folders_above_project(known)) == known:
            return self._sink.visit_harmless(known, slot)  # A relative path of the program that drives the browser.
        return self._sink.visit_program_name(within if key == "file" else known, slot)

    def _visit_stack(self, value: str, slot: Slot) -> str:
        return mask_stack(self._sink.visit_code(value, slot), lambda word: self._sink.visit_program_name(word, slot))

    def _visit_program_names(self, value: Json, slot: Slot) -> Json:
        if not isinstance(value, dict):
            return {}
        mask = lambda name: self._sink.visit_program_name(name, slot)  # noqa: E731
        return {
            mask_field_name(k, mask): self._sink.visit_harmless(v, slot) for k, v in value.items() if isinstance(v, str)
        }

    def _visit_resource(self, value: Json, slot: Slot) -> Json:
        return self._sink.visit_resource(value, slot) if isinstance(value, str) else None

    def _visit_screenshot_boxes(self, value: Json, slot: Slot) -> Json:
        boxes = [box for box in _get_list_or_empty(value) if isinstance(box, list)]
        return [[self._sink.visit_text(v, slot) if isinstance(v, str) else v for v in box] for box in boxes]

    def _visit_headers(self, value: Json, slot: Slot) -> Json:
        if not isinstance(value, dict):
            return {}
        out: dict[str, Json] = {}
        for name, text in value.items():
            lower = name.lower()
            rule = self._policy.find_rule_action("header", lower)
            secret = is_credential_header(lower)
            shown = (
                self._sink.visit_harmless(name, Slot(HEADER_NAME)) if secret else name
            )  # it may hold an owner's name
            known = lower in self._policy.headers or (secret and shown == name)
            here = Slot(f"{slot.channel}.{lower}" if known else slot.channel, lower)
            if rule == "drop" or not isinstance(text, str):
                continue
            if rule == "allow":
                out[name] = self._sink.visit_harmless(text, here)
            elif lower in self._policy.headers and rule is None:
                out[name] = self._sink.visit_program_name(_PARTS.sub(rf"\1{BOUNDARY}", text), here)
            elif secret:
                if text != MASKED:  # masked by an earlier redaction
                    self._sink.visit_credential(text, here)
                out[shown] = MASKED
            elif lower in _URL_HEADERS:
                out[name] = self._sink.visit_url(text, here)
            else:
                if lower not in _AGENT_HEADERS:
                    self._sink.visit_code(text, here)
                out[self._sink.visit_harmless(name, Slot(HEADER_NAME))] = MASKED
        return out


def _get_list_or_empty(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
