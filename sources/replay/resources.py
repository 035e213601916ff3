"""The resources of a replay's file, with the SHA-256 of their bytes, as a recording stores them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from typing import Any, Final

from pagereel.reel import PLACEHOLDER, Event, Json

from .replay_file import PackedResourceEntry, ReplayFile
from .sheet_restoring import restore_sheet

PLACEHOLDER_ADDRESS: Final = "blob:pagereel/"
"""Prefix of the address of a resource in a style sheet, where the file does not give the resource's own address."""


_READ: Final = 4 << 30
"""Largest sum of bytes read of resources, because hostile entries may overlap."""


class PackedResources:
    """The resources of a replay's file: their SHA-256 by number, and their events."""

    def __init__(self, file: ReplayFile) -> None:
        self.file = file
        self._by_pack: dict[int, list[tuple[int, PackedResourceEntry]]] = {}
        self._sha: dict[int, str] = {}
        self._written: set[str] = set()
        self._pending: list[Event] = []
        self._to_name: set[int] = set()
        self._has_name: set[int] = set()
        self._mimes: dict[int, str] = {}
        self.left_out: set[int] = set()
        """Numbers of the resources that ``max_size`` left out."""
        for number, each in enumerate(file.resources):
            if each is not None:
                self._by_pack.setdefault(each.pack, []).append((number, each))

    def set_mime_type(self, placeholder: Json, mime: Json) -> None:
        """Remember the MIME type with which a body was served, because the file stores the body as plain text."""
        number = parse_resource_number(placeholder)
        if number is not None and isinstance(mime, str) and mime:
            self._mimes.setdefault(number, mime[:200])

    def iter_events(self) -> Iterator[Event]:
        """Yield the event of each resource once. Style sheets are restored to their text before the build rewrote them."""
        for number, said, data in self._iter_contents():
            mime = said
            if not data:
                self.left_out.add(number)
                continue
            if mime == "text/css":
                data = _encode_sheet(restore_sheet(data.decode("utf-8", "replace"), self.invent_resource_address))
            elif mime == "text/plain":
                mime = self._mimes.get(number, mime)
            sha256 = self._sha[number] = hashlib.sha256(data).hexdigest()
            if sha256 not in self._written:
                yield self._build_resource_event(sha256, mime, data)
        yield from self._iter_alias_events(0)

    @property
    def may_shorten_addresses(self) -> bool:
        """Return whether this file may contain shortened addresses, because it is compact."""
        return bool(self.file.info.get("leftOut"))

    def add_inner_sheet(self, text: str) -> str:
        """Return the SHA-256 of a style sheet that the file contains only as a part of another one. Its resource event
        is returned by :meth:`pop_pending_events`.
        """
        data = _encode_sheet(text)
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._written:
            self._pending.append(self._build_resource_event(sha256, "text/css", data))
        return sha256

    def invent_resource_address(self, placeholder: str) -> str:
        """Return an invented address for a resource of the replay, to be written into a restored style sheet;
        ``data:,`` if the placeholder names no resource. :meth:`_iter_alias_events` yields the events that connect
        the address with the resource.
        """
        _, hash_sign, fragment = placeholder.partition("#")
        number = parse_resource_number(placeholder)
        if number is None:
            return "data:,"
        self._to_name.add(number)
        return f"{PLACEHOLDER_ADDRESS}{number}{hash_sign}{fragment}"

    def _iter_alias_events(self, t: float) -> Iterator[Event]:
        """Yield an ``alias`` event for each address from :meth:`invent_resource_address` that has none yet."""
        for number in sorted(self._to_name - self._has_name):
            self._has_name.add(number)
            if number in self._sha:
                yield {
                    "k": "alias",
                    "t": t,
                    "page": 1,
                    "url": f"{PLACEHOLDER_ADDRESS}{number}",
                    "body": self._sha[number],
                }

    def pop_pending_events(self, t: float) -> list[Event]:
        """Return the resource events of style sheets inside other sheets that were found since the last call."""
        found, self._pending = self._pending, []
        return [*found, *self._iter_alias_events(t)]

    def _build_resource_event(self, sha256: str, mime: str, data: bytes) -> Event:
        self._written.add(sha256)
        return {"k": "resource", "t": 0, "sha256": sha256, "mime": mime, "size": len(data), **_encode_body(data)}

    def get_sha256(self, placeholder: Json) -> str | None:
        """Return the SHA-256 of a placeholder's resource (``pagereel:5`` or ``pagereel:5#fragment``); None if the file
        lacks it.
        """
        number = parse_resource_number(placeholder)
        return None if number is None else self._sha.get(number)

    def build_data_address(self, placeholder: str) -> str | None:
        """Return a resource as a ``data:`` address, as the recorded page had it; in a compact file the trees have only
        a placeholder. None if the file lacks the resource.
        """
        number = parse_resource_number(placeholder)
        entry = self.file.resources[number] if number is not None and number < len(self.file.resources) else None
        if entry is None or not entry.length:
            return None
        for _, data in self.file.iter_packs([entry.pack]):
            content = data[entry.offset : entry.offset + entry.length]
            return f"data:{entry.mime};base64,{base64.b64encode(content).decode()}"
        return None

    def _iter_contents(self) -> Iterator[tuple[int, str, bytes]]:
        left = _READ
        for pack, data in self.file.iter_packs():
            for number, each in self._by_pack.get(pack, ()):
                content = data[each.offset : each.offset + each.length]
                left -= len(content)
                if left < 0:
                    self.file.report_damage("its resources overlap")
                    return
                yield number, each.mime, content


def parse_resource_number(placeholder: Json) -> int | None:
    """Return the number of the resource in a placeholder; None for any other value."""
    if not isinstance(placeholder, str) or not placeholder.startswith(PLACEHOLDER):
        return None
    number = placeholder[len(PLACEHOLDER) :].partition("#")[0].partition(" ")[0]
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _encode_body(data: bytes) -> dict[str, Any]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _encode_sheet(sheet: str) -> bytes:
    """Return a style sheet's bytes, with a byte order mark if it has non-ASCII text."""
    data = sheet.encode("utf-8", "replace")
    return data if data.isascii() else b"\xef\xbb\xbf" + data
