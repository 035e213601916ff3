"""Records response bodies piece by piece over CDP, because CDP gives no body if a page is left before the response ends.

``Network.streamResourceContent`` returns the bytes received so far, and makes the browser add later bytes to
``Network.dataReceived`` events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ingest.bodies import FLOWING, allowance
from ..ingest.ranges import content_range
from ..runtime.runner import Pending
from .links import Link, Params

if TYPE_CHECKING:
    from ..ingest.transport import Kit

_PATIENCE = 5.0
"""Seconds to wait for the bytes received so far of a response that was aborted."""
_READ_BY_SCRIPTS = frozenset({"fetch", "xhr"})
Key = tuple[int, str]


@dataclass(slots=True, eq=False)
class _Flow:
    length: int = 0
    """Bytes received."""
    asked: Pending | None = None
    """The call that returns the bytes received before it; None where only the times of the pieces are recorded."""


class StreamedBodies:
    """The responses of one page that are recorded piece by piece: media, responses to scripts, and with the option
    ``world`` documents too.
    """

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._flows: dict[str, _Flow] = {}
        self._broken: list[Pending] = []

    def begin(self, link: Link, key: Key, kind: str, response: Params) -> None:
        """Record a response piece by piece once its headers have arrived, if it is of a kind that may be aborted."""
        options, mime = self._kit.options, str(response.get("mimeType") or "")
        limit, _ = allowance(kind, mime, int(response.get("status") or 0), options)
        if not limit:
            return
        total, flowing = _total(response), mime in FLOWING
        if kind == "media":
            if total > options.resource_limit:
                self._kit.writer.put(self._kit.network.too_large, key, total)
            if not 0 < total <= options.resource_limit:
                return
            ask = True
        elif kind in _READ_BY_SCRIPTS:
            if not (options.world or flowing):
                return
            ask = flowing or not total
        elif kind == "document" and options.world:
            ask = not total
        else:
            return
        flow = self._flows[key[1]] = _Flow()
        self._kit.writer.put(self._kit.network.keep_pieces, key, limit)
        if ask:
            flow.asked = self._kit.runner.spawn(self._ask(link, key))

    async def _ask(self, link: Link, key: Key) -> None:
        answer = await link.send("Network.streamResourceContent", {"requestId": key[1]})
        data = str(answer.get("bufferedData") or "")
        self._kit.writer.put(self._kit.network.add_earlier_bytes, key, data, size=len(data))

    def data(self, key: Key, params: Params, now: float) -> None:
        """Record that a piece of a response arrived."""
        flow = self._flows.get(key[1])
        if flow is None:
            return
        data, length = params.get("data") or "", int(params.get("dataLength") or 0)
        arrival = (key, params.get("timestamp"), now, flow.length, length, data)
        self._kit.writer.put(self._kit.network.add_piece, *arrival, size=len(data) + 100)
        flow.length += length

    def failed(self, key: Key, params: Params, now: float) -> None:
        """Record that a response was aborted, after the bytes that it had received are known."""
        flow = self._flows.pop(key[1], None)
        if flow is None or flow.asked is None or flow.asked.done:
            self._kit.writer.put(self._kit.network.failed, key, params, now)
            return
        self._broken = [slot for slot in self._broken if not slot.done]
        work = self._write_aborted(flow.asked, key, params, now)
        self._broken.append(self._kit.runner.spawn(self._kit.guard("network", work)))

    async def _write_aborted(self, asked: Pending, key: Key, params: Params, now: float) -> None:
        await self._kit.runner.wait([asked], _PATIENCE)
        self._kit.writer.put(self._kit.network.failed, key, params, now)

    def forget(self, request_id: str) -> None:
        """Stop recording the pieces of a response that is complete."""
        self._flows.pop(request_id, None)

    async def drain(self, timeout: float) -> None:
        """Wait until the bytes received so far are known for all open responses."""
        waiting: list[Any] = [*self._broken, *(flow.asked for flow in self._flows.values() if flow.asked is not None)]
        if waiting:
            await self._kit.runner.wait(waiting, timeout)


def _total(response: Params) -> int:
    """Return the size in bytes of the whole resource, of which a response has all or a part; 0 if the response does not
    say it.
    """
    headers = {name.lower(): str(value) for name, value in (response.get("headers") or {}).items()}
    if response.get("status") == 206:
        part = content_range(headers.get("content-range", ""))
        return part[1] if part is not None else 0
    length = headers.get("content-length", "")
    return int(length[:15]) if length.isdecimal() else 0
