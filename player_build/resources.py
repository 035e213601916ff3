"""Which bytes an address stood for, and the numbered resources of the built file.

Only what the replay shows is taken along. Numbers are given in the order of first use, so that packs decode in the
order of time.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import urldefrag

from pagereel.reel import Event, Reel, absolute, content_of

PACK_BYTES: Final = 384 << 10
"""Resources are packed together up to this many bytes, so that one inflate serves many small ones."""

_CHARSET: Final = re.compile(r"'content-type': '[^']*charset=\"?([\w-]+)", re.IGNORECASE)
_KINDS: Final = frozenset({"resource", "request", "response", "alias", "document"})
"""The kinds of events that a catalogue is made of."""
_ANSWERS: Final = ("response", "alias")


_BY_SCRIPT: Final = frozenset({"fetch", "xhr"})
_SLACK: Final = 50.0
"""ms by which a request may be stamped after the change that caused it."""


class _Request(NamedTuple):
    page: int
    document: int
    url: str
    t: float
    by_script: bool


def _request(event: Event) -> _Request:
    return _Request(
        _int(event, "page"),
        _int(event, "d"),
        str(event.get("url") or ""),
        _time(event),
        event.get("type") in _BY_SCRIPT,
    )


def _int(event: Event, name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0


def _time(event: Event) -> float:
    t = event.get("t")
    return float(t) if isinstance(t, int | float) else 0.0


@dataclass
class CapturedBody:
    """One captured body."""

    mime: str
    data: bytes


@dataclass
class PackedResource:
    """A resource of the built file: where its bytes lie among the packs."""

    pack: int
    offset: int
    length: int
    mime: str


@dataclass
class ResourceCatalogue:
    """Everything the recording captured, by address and time (docs/format.md, "How a resource is found")."""

    bodies: dict[str, CapturedBody] = field(default_factory=dict)
    _loads: dict[object, list[tuple[float, float, str]]] = field(default_factory=dict)
    """By (page, address) and by address: when it was asked for and answered, and with what."""
    _own: dict[_Request, list[tuple[float, float, str, bool]]] = field(default_factory=dict)
    """What each document itself asked for, and whether it was told of an error."""
    charsets: dict[str, str] = field(default_factory=dict)
    """The charsets that headers said of bodies, by SHA-256."""
    size: int = 0
    """Bytes of the recording's file."""
    _failed: set[str] = field(default_factory=set)
    _refused: dict[str, str] = field(default_factory=dict)
    """What came with a status that tells of an error."""
    _lost: set[str] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)
    _ended: dict[tuple[int, str], float] = field(default_factory=dict)
    """When what a document asked for itself had come first, by its address."""
    _requests: dict[str, _Request] = field(default_factory=dict)
    _restored: dict[int, int] = field(default_factory=dict)
    """Documents that came back from the back/forward cache, and which ones they are: it was these that asked."""

    @classmethod
    def of(cls, reel: Reel) -> ResourceCatalogue:
        """Return all that a recording captured."""
        catalogue = cls.read(reel.events(_KINDS))
        catalogue.size = reel.size
        return catalogue

    @classmethod
    def read(cls, events: Iterable[Event]) -> ResourceCatalogue:
        """Take in all events of a reel, in any order."""
        catalogue = cls()
        answers = []
        for event in events:
            if event.get("k") in _ANSWERS:
                answers.append(event)
            else:
                catalogue.take(event)
        for event in answers:
            catalogue.take(event)
        return catalogue

    def take(self, event: Event) -> str | None:
        """Take in the next event of a recording that is still being made, and return the address of which it says more."""
        kind = event.get("k")
        if kind == "resource":
            self._resource(event)
        elif kind == "request":
            self._requests[str(event.get("id"))] = _request(event)
        elif kind in _ANSWERS:
            return self._answer(event)
        elif kind == "document" and isinstance(earlier := event.get("restored"), int):
            d = _int(event, "d")
            self._restored[d] = self._restored.get(earlier, earlier)
        return None

    def _resource(self, event: Event) -> None:
        data = content_of(event)
        if data is None:
            return
        self.bodies[str(event.get("sha256"))] = CapturedBody(str(event.get("mime") or ""), data)

    def _answer(self, event: Event) -> str:
        """Take in an answer, and return its address."""
        t = _time(event)
        asked = self._requests.get(str(event.get("id"))) if event.get("k") == "response" else None
        page, document, url, began, by_script = asked or (0, 0, "", t, False)
        document = document or _int(event, "d")
        if isinstance(event.get("url"), str):
            url = str(event["url"])
        page = _int(event, "page") or page
        url = absolute("", urldefrag(url)[0])
        self._answered.add(url)
        if document:
            ended = event.get("end")
            self._ended.setdefault((document, url), float(ended) if isinstance(ended, int | float) else t)
        body, status, headers = event.get("body"), event.get("status"), event.get("headers")
        if isinstance(headers, dict) and (said := _CHARSET.search(str(headers))):
            self.charsets[str(body)] = said[1]
        wrong = (isinstance(status, int) and status >= 400) or (bool(event.get("error")) and not body)
        if isinstance(body, str) and not wrong:
            if status == 206 and self._is_part(event, body):
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
            own = self._own.setdefault(_Request(page, document, url, 0, by_script), [])
            insort(own, (began, t, str(body or ""), wrong))
        return url

    def _is_part(self, response: Event, sha256: str) -> bool:
        """Return whether a body is a part only of what the address stands for, as older recordings have them."""
        headers = response.get("headers")
        given = headers.items() if isinstance(headers, dict) else ()
        total = next((str(v) for k, v in given if k.lower() == "content-range"), "").rpartition("/")[2]
        body = self.bodies.get(sha256)
        return total.isdecimal() and body is not None and len(body.data) < int(total[:15])

    def find(self, page: int, url: str, t: float, document: int = 0) -> str | None:
        """Return the SHA-256 of what `url` (absolute) gave `document` of `page` at `t`: what it asked for last by then, else first after.

        What a document did not ask for itself it had from another: the latest that its page had got by then, else the first after, else
        another page's.
        """
        url = urldefrag(url)[0]
        document = self._restored.get(document, document)
        for by_script in (False, True):
            asked = self._own.get(_Request(page, document, url, 0, by_script), ())
            own = [load for load in asked if load[2] in self.bodies or load[3]]
            if own:
                # An element is told of in the task in which it asks.
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
        """Return whether a body is one that is shown whatever the status that it came with says."""
        return sha256 in self.bodies and self.bodies[sha256].mime.startswith("image/")

    def came(self, document: int, url: str) -> float:
        """Return when a document had what it asked for itself; -inf for what it had from elsewhere."""
        return self._ended.get((document, urldefrag(url)[0]), -math.inf)

    def failed(self, url: str) -> bool:
        """Return whether the page, too, got nothing for `url`."""
        url = urldefrag(url)[0]
        return url in self._failed or url in self._refused

    def lost(self, url: str) -> bool:
        """Return whether the page got something for `url` whose bytes the recording does not have."""
        return urldefrag(url)[0] in self._lost

    def unmet(self, url: str) -> bool:
        """Return whether the recording saw nobody ask for `url`, which a browser does for every style sheet that a page names."""
        return not url.startswith(("data:", "blob:")) and urldefrag(url)[0] not in self._answered


def moving(data: bytes) -> str:
    """Return the type of a picture that may have several frames; "" for any other."""
    if data[:4] == b"GIF8":
        return "image/gif" if data.count(b"\x21\xf9\x04") > 1 else ""
    if data[:4] == b"\x89PNG":
        return "image/png" if data.find(b"acTL", 0, data.find(b"IDAT")) > 0 else ""
    if data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X":
        return "image/webp" if data[20:21] > b"" and data[20] & 2 else ""
    return "image/avif" if data[4:12] == b"ftypavis" else ""


class Packer:
    """Numbers resources and lays their bytes side by side."""

    def __init__(self) -> None:
        self.resources: list[PackedResource] = []
        self.bytes = 0
        self._numbers: dict[object, int] = {}
        self._packs: list[bytearray] = []

    def number(self, key: object, mime: str, data: bytes) -> int:
        """Return the number of a resource; `key` says which ones are the same."""
        known = self._numbers.get(key)
        if known is not None:
            return known
        if not self._packs or (self._packs[-1] and len(self._packs[-1]) + len(data) > PACK_BYTES):
            self._packs.append(bytearray())
        pack = self._packs[-1]
        self.resources.append(PackedResource(len(self._packs) - 1, len(pack), len(data), mime))
        pack += data
        self.bytes += len(data)
        number = self._numbers[key] = len(self.resources) - 1
        return number

    def exchange(self, number: int, stands: bytes, mime: str) -> bytes:
        """Put `stands` in the place of a resource, or nothing, and give its bytes; its number stays."""
        gone = self.resources[number]
        pack = self._packs[gone.pack]
        data = bytes(pack[gone.offset : gone.offset + gone.length])
        pack[gone.offset : gone.offset + gone.length] = stands
        grown = len(stands) - len(data)
        for other in self.resources:
            if other.pack == gone.pack and other.offset > gone.offset:
                other.offset += grown
        gone.length, gone.mime = len(stands), mime if stands else gone.mime
        self.bytes += grown
        return data

    def data(self, number: int) -> bytes:
        """Return the bytes of a resource."""
        at = self.resources[number]
        return bytes(self._packs[at.pack][at.offset : at.offset + at.length])

    def packs(self) -> Iterator[bytes]:
        """Yield the packs in order."""
        for pack in self._packs:
            yield bytes(pack)
