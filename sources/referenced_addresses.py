"""Finds the addresses to which recorded pages refer, and the recorded responses of these addresses.

A clip needs the responses from before its start.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, cast

from pagereel.css import find_text_pieces
from pagereel.reel import ELEMENT, DocumentModel, Event, Json, Reel, get_text_content, parse_srcset, to_absolute_address

_HASH: Final = re.compile("[0-9a-f]{64}")
_SLACK: Final = 50.0
"""ms by which an answer may be stamped after the change that it caused."""
_LONGEST: Final = 8_192
"""Characters of an address."""

_SHOWN: Final = ("text/css", "image/", "font/", "audio/", "video/", "application/font", "application/x-font", "application/vnd.ms-fontobject")  # fmt: skip
"""How the media types begin of what a page shows."""

Answers = dict[tuple[int, str], list[tuple[float, str]]]
"""Page and address → when which bytes came for it, in order; page 0 stands for any."""


def iter_addresses_in_document(document: DocumentModel) -> Iterator[str]:
    """Yield every string in a document that may be an address."""
    for sheet in document.sheets.values():
        yield from iter_addresses_in_css(sheet.text)
    for node in document.walk():
        if node.kind == ELEMENT and node.name.rpartition("|")[2] == "style":
            yield from iter_addresses_in_css(get_text_content(node))
        if isinstance(src := (node.state or {}).get("src"), str):
            yield src
        for name, value in node.attrs.items():
            if name in ("srcset", "imagesrcset"):
                yield from (address for address, _ in parse_srcset(value))
            elif name == "style" or "url(" in value:
                yield from iter_addresses_in_css(value)
            elif value and len(value) < _LONGEST:
                yield value


def iter_addresses_in_ops(ops: Json) -> Iterator[str]:
    """Yield every string in the ops of a message that may be an address."""
    for text in iter_strings_in_json(ops):
        if "url(" in text or "@import" in text:
            yield from iter_addresses_in_css(text)
        elif text and len(text) < _LONGEST:
            yield text
            if "," in text or " " in text:
                yield from (address for address, _ in parse_srcset(text))


def iter_addresses_in_css(text: str) -> Iterator[str]:
    """Yield the addresses in a style sheet or a declaration."""
    return (piece.text for piece in find_text_pieces(text) if piece.kind in ("url", "string") and piece.text)


def iter_resource_hashes(value: Json) -> Iterator[str]:
    """Yield the SHA-256 of each resource to which an event or its ops refer, such as the picture of a canvas."""
    return (text for text in iter_strings_in_json(value) if _HASH.fullmatch(text))


def iter_strings_in_json(value: Json) -> Iterator[str]:
    """Yield the strings in a JSON value, except the names of fields."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, list | tuple):
            stack.extend(inner)
        elif isinstance(inner, dict):
            stack.extend(inner.values())
        elif isinstance(inner, str):
            yield inner


def list_responses_by_address(reel: Reel) -> Answers:
    """Return the times and bodies of the successful responses in a recording, by page and address."""
    asked: dict[str, tuple[int, str]] = {}
    found: Answers = defaultdict(list)
    events = list(reel.events(("request", "response", "alias")))
    for event in events:
        if event["k"] == "request":
            asked[str(event.get("id"))] = cast(int, event["page"]), str(event.get("url") or "")
    for event in events:
        body, status = event.get("body"), event.get("status")
        if event["k"] == "request" or not isinstance(body, str):
            continue
        page, url = asked.get(str(event.get("id")), (0, "")) if event["k"] == "response" else (event.get("page"), "")
        url = to_absolute_address("", str(event.get("url") or url).partition("#")[0])
        if isinstance(status, int) and status >= 400:
            continue
        for key in {(cast(int, page), url), (0, url)}:
            found[key].append((_get_time(event), body))
    return {key: sorted(answers) for key, answers in found.items()}


def find_response_at(responses: Answers, page: int, url: str, t: float) -> tuple[float, str] | None:
    """Return the time in ms and the SHA-256 of the response that `url` had on a page at `t` (ms): the last one until
    then, else the first one after it.
    """
    found = responses.get((page, url)) or responses.get((0, url))
    if not found:
        return None
    at = bisect_right(found, (t + _SLACK, "\uffff"))
    return found[at - 1 if at else 0]


def iter_wanted_responses(
    reel: Reel, responses: Answers, wanted_addresses: Iterable[tuple[int, str, float]], mimes: dict[str, str]
) -> Iterator[tuple[int, str, float, str]]:
    """Yield page, address, time and SHA-256 of each wanted response that a page shows, and of the responses to which
    style sheets among them refer.

    :param wanted_addresses: page, absolute address, and the time in ms at which a page named it. :param mimes: MIME types of the
    bodies, by SHA-256.
    """
    todo = list(wanted_addresses)
    done: set[tuple[object, ...]] = set()
    while todo:
        page, url, t = todo.pop()
        found = find_response_at(responses, page, url, t)
        if found is None:
            continue
        answered, body = found
        mime = mimes.get(body, "")
        if (key := (page, url, answered, body)) in done or not mime.startswith(_SHOWN):
            continue
        done.add(key)
        yield page, url, answered, body
        if mime.startswith("text/css"):
            text = (reel.resource(body) or b"").decode("utf-8", "replace")
            todo += [
                (page, to_absolute_address(url, address).partition("#")[0], t)
                for address in iter_addresses_in_css(text)
            ]


def _get_time(event: Event) -> float:
    t: Json = event.get("t")
    return float(t) if isinstance(t, int | float) else 0.0
