"""Finds the recorded bytes of an address, and numbers and packs the resources of the built file.

Only resources that the replay shows are included. Numbers are assigned in the order of first use, so that packs are
decoded in the order of time.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urldefrag

from pagereel.reel import Event, Json, Reel, decode_body, to_absolute_address

from .needed_scripts import find_scripts_of_sheet

PACK_BYTES: Final = 384 << 10
"""Size in bytes up to which resources are packed together, so that many small ones need one decompression."""

_CHARSET: Final = re.compile(r"'content-type': '[^']*charset=\"?([\w-]+)", re.IGNORECASE)
_KINDS: Final = frozenset({"resource", "request", "response", "alias", "document"})
"""The kinds of events that a catalogue is made from."""
_ANSWERS: Final = ("response", "alias")


_BY_SCRIPT: Final = frozenset({"fetch", "xhr"})
_SLACK: Final = 50.0
"""Ms by which a request may be stamped after the change that caused it."""


class _RequestKey(NamedTuple):
    """A recorded request: its page, document and address, its time in ms, and whether a script sent it."""

    page: int
    document: int
    url: str
    t: float
    by_script: bool


def _parse_request_key(event: Event) -> _RequestKey:
    return _RequestKey(
        _read_int(event, "page"),
        _read_int(event, "d"),
        str(event.get("url") or ""),
        _read_time(event),
        event.get("type") in _BY_SCRIPT,
    )


def _read_int(event: Event, name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0


def _read_time(event: Event) -> float:
    t = event.get("t")
    return float(t) if isinstance(t, int | float) else 0.0


@dataclass
class CapturedBody:
    """A recorded response body with its MIME type."""

    mime: str
    data: bytes


@dataclass
class PackedResource:
    """A resource of the built file: its MIME type, and its place in the packs."""

    pack: int
    offset: int
    length: int
    mime: str


@dataclass
class ResourceCatalogue:
    """All recorded bodies, by address and time (docs/format.md, "How a resource is found")."""

    bodies: dict[str, CapturedBody] = field(default_factory=dict)
    _loads: dict[object, list[tuple[float, float, str]]] = field(default_factory=dict)
    """(page, address), and address → when it was requested and answered, and the hash of the body."""
    _own: dict[_RequestKey, list[tuple[float, float, str, bool]]] = field(default_factory=dict)
    """The requests of each document itself, and whether it got an error event."""
    charsets: dict[str, str] = field(default_factory=dict)
    """SHA-256 of a body → the charset in its header."""
    size: int = 0
    """Size of the recording's file in bytes."""
    _failed: set[str] = field(default_factory=set)
    _refused: dict[str, str] = field(default_factory=dict)
    """Bodies that came with an error status."""
    _lost: set[str] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)
    _ended: dict[tuple[int, str], float] = field(default_factory=dict)
    """(document, address) → when the document's own request was first answered."""
    _requests: dict[str, _RequestKey] = field(default_factory=dict)
    _restored: dict[int, int] = field(default_factory=dict)
    """Document that came back from the back/forward cache → the original document, which made the requests."""

    @classmethod
    def from_reel(cls, reel: Reel) -> ResourceCatalogue:
        """Return the catalogue of an open reel."""
        catalogue = cls.from_events(reel.events(_KINDS))
        catalogue.size = reel.size
        return catalogue

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> ResourceCatalogue:
        """Return the catalogue of a reel's events, given in any order."""
        catalogue = cls()
        answers = []
        for event in events:
            if event.get("k") in _ANSWERS:
                answers.append(event)
            else:
                catalogue.add_event(event)
        for event in answers:
            catalogue.add_event(event)
        return catalogue

    def add_event(self, event: Event) -> str | None:
        """Add the next event of a live recording. Return the address about which the event says something; None for
        other events.
        """
        kind = event.get("k")
        if kind == "resource":
            self._add_body(event)
        elif kind == "request":
            self._requests[str(event.get("id"))] = _parse_request_key(event)
        elif kind in _ANSWERS:
            return self._add_response(event)
        elif kind == "document" and isinstance(earlier := event.get("restored"), int):
            d = _read_int(event, "d")
            self._restored[d] = self._restored.get(earlier, earlier)
        return None

    def _add_body(self, event: Event) -> None:
        data = decode_body(event)
        if data is None:
            return
        self.bodies[str(event.get("sha256"))] = CapturedBody(str(event.get("mime") or ""), data)

    def _add_response(self, event: Event) -> str:
        """Add a response event. Return its absolute URL without the fragment."""
        t = _read_time(event)
        asked = self._requests.get(str(event.get("id"))) if event.get("k") == "response" else None
        page, document, url, began, by_script = asked or (0, 0, "", t, False)
        document = document or _read_int(event, "d")
        if isinstance(event.get("url"), str):
            url = str(event["url"])
        page = _read_int(event, "page") or page
        url = to_absolute_address("", urldefrag(url)[0])
        self._answered.add(url)
        if document:
            ended = event.get("end")
            self._ended.setdefault((document, url), float(ended) if isinstance(ended, int | float) else t)
        body, status, headers = event.get("body"), event.get("status"), event.get("headers")
        if isinstance(headers, dict) and (said := _CHARSET.search(str(headers))):
            self.charsets[str(body)] = said[1]
        wrong = (isinstance(status, int) and status >= 400) or (bool(event.get("error")) and not body)
        if isinstance(body, str) and not wrong:
            if status == 206 and self._is_partial_body(event, body):
                return url
            for key in ((page, url), url):
                insort(self._loads.setdefault(key, []), (began, t, body))
        elif isinstance(body, str):
            self._refused[url] = body
        elif wrong:
            self._failed.add(url)
        elif event.get("why") not in (None, "redirect", "policy", "empty"):
            self._lost.add(url)
        if document and (isinstance(body, str) or wrong) and event.get("error") != "cancelled":
            own = self._own.setdefault(_RequestKey(page, document, url, 0, by_script), [])
            insort(own, (began, t, str(body or ""), wrong))
        return url

    def _is_partial_body(self, response: Event, sha256: str) -> bool:
        """Return whether a body is only a range of the address's resource, as in older recordings."""
        headers = response.get("headers")
        given = headers.items() if isinstance(headers, dict) else ()
        total = next((str(v) for k, v in given if k.lower() == "content-range"), "").rpartition("/")[2]
        body = self.bodies.get(sha256)
        return total.isdecimal() and body is not None and len(body.data) < int(total[:15])

    def find_body(self, page: int, url: str, t: float, document: int = 0) -> str | None:
        """Return the SHA-256 of the body of the absolute address `url` for `document` of `page` at `t`; None if there
        is none.

        The body is that of the document's last request for the address until `t`, or else of its first request
        afterwards. If the document did not request the address, another document's request is used: the latest answered
        one of the same page until `t`, else the first one afterwards, else one of another page.
        """
        url = urldefrag(url)[0]
        document = self._restored.get(document, document)
        for by_script in (False, True):
            asked = self._own.get(_RequestKey(page, document, url, 0, by_script), ())
            own = [load for load in asked if load[2] in self.bodies or load[3]]
            if own:
                # An element is reported in the same task as its request.
                index = bisect_right(own, (t + _SLACK, math.inf, "", False))
                _, _, body, wrong = own[index - 1 if index else 0]
                return body if not wrong or self._is_picture(body) else None
        for key in ((page, url), url):
            found = sorted((t, body) for _, t, body in self._loads.get(key, ()) if body in self.bodies)
            if found:
                index = bisect_right(found, (t, "\uffff"))
                return found[index - 1 if index else 0][1]
        refused = self._refused.get(url, "")
        return refused if self._is_picture(refused) else None

    def _is_picture(self, sha256: str) -> bool:
        """Return whether a body is a picture, which browsers show even if its response has an error status."""
        return sha256 in self.bodies and self.bodies[sha256].mime.startswith("image/")

    def find_answer_time(self, document: int, url: str) -> float:
        """Return the time at which a document got the response to its own request for `url`; -inf if it did not request
        it.
        """
        return self._ended.get((document, urldefrag(url)[0]), -math.inf)

    def has_failed_request(self, url: str) -> bool:
        """Return whether the page's own requests for `url` failed."""
        url = urldefrag(url)[0]
        return url in self._failed or url in self._refused

    def has_lost_body(self, url: str) -> bool:
        """Return whether the page got a response for `url` whose bytes are not in the recording."""
        return urldefrag(url)[0] in self._lost

    def was_never_requested(self, url: str) -> bool:
        """Return whether the recording has no request for `url`. Browsers request every style sheet of a page."""
        return not url.startswith(("data:", "blob:")) and urldefrag(url)[0] not in self._answered


def find_animated_picture_type(data: bytes) -> str:
    """Return the MIME type of a picture that may have several frames; "" for other data."""
    if data[:4] == b"GIF8":
        return "image/gif" if data.count(b"\x21\xf9\x04") > 1 else ""
    if data[:4] == b"\x89PNG":
        return "image/png" if data.find(b"acTL", 0, data.find(b"IDAT")) > 0 else ""
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X":
        return "image/webp" if data[20:21] > b"" and data[20] & 2 else ""
    return "image/avif" if data[4:12] == b"ftypavis" else ""


class ResourcePacker:
    """Numbers the resources of a built file, and stores their bytes in packs."""

    def __init__(self) -> None:
        self.resources: list[PackedResource] = []
        self.bytes = 0
        self.used: set[int] = set()
        """Resources that were asked for since somebody emptied this."""
        self._numbers: dict[object, int] = {}
        self._packs: list[bytearray] = []

    def number_resource(self, key: object, mime: str, data: bytes) -> int:
        """Return the number of a resource, adding it if it is new; equal resources have equal `key`."""
        known = self._numbers.get(key)
        if known is not None:
            self.used.add(known)
            return known
        if not self._packs or (self._packs[-1] and len(self._packs[-1]) + len(data) > PACK_BYTES):
            self._packs.append(bytearray())
        pack = self._packs[-1]
        self.resources.append(PackedResource(len(self._packs) - 1, len(pack), len(data), mime))
        pack += data
        self.bytes += len(data)
        number = self._numbers[key] = len(self.resources) - 1
        self.used.add(number)
        return number

    def list_index_entries(self) -> list[Json]:
        """Return the resources' entries in the index of a file: ``[pack, offset, length, mime]``."""
        return [[r.pack, r.offset, r.length, r.mime] for r in self.resources]

    def find_needed_scripts(self) -> set[str]:
        """Return the names of the player scripts that the style sheets need."""
        sheets = (n for n, resource in enumerate(self.resources) if resource.mime == "text/css")
        return set[str]().union(*(find_scripts_of_sheet(self.read_bytes(n)) for n in sheets))

    def replace_bytes(self, number: int, replacement: bytes, mime: str) -> bytes:
        """Replace the bytes of a resource by `replacement`, which may be empty, under the same number. Return the old
        bytes.
        """
        gone = self.resources[number]
        pack = self._packs[gone.pack]
        data = bytes(pack[gone.offset : gone.offset + gone.length])
        pack[gone.offset : gone.offset + gone.length] = replacement
        grown = len(replacement) - len(data)
        for other in self.resources:
            if other.pack == gone.pack and other.offset > gone.offset:
                other.offset += grown
        gone.length, gone.mime = len(replacement), mime if replacement else gone.mime
        self.bytes += grown
        return data

    def read_bytes(self, number: int) -> bytes:
        """Return the bytes of the resource with this number."""
        at = self.resources[number]
        return bytes(self._packs[at.pack][at.offset : at.offset + at.length])

    def iter_packs(self) -> Iterator[bytes]:
        """Yield the bytes of each pack, in order."""
        for pack in self._packs:
            yield bytes(pack)
