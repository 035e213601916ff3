"""Records response bodies piece by piece over CDP, because CDP gives no body if a page is left before the response ends.

``Network.streamResourceContent`` returns the bytes received so far, and makes the browser add later bytes to
``Network.dataReceived`` events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ingest.body_limits import FLOWING, find_body_limit
from ..ingest.partial_resources import parse_content_range
from ..runtime.runner import PendingResult
from .cdp_sessions import CdpSession, Params

if TYPE_CHECKING:
    from ..ingest.transport import RecordingServices

_PATIENCE = 5.0
"""Seconds to wait for the bytes received so far of a response that was aborted."""
_READ_BY_SCRIPTS = frozenset({"fetch", "xhr"})
Key = tuple[int, str]


@dataclass(slots=True, eq=False)
class _StreamedResponse:
    length: int = 0
    """Bytes received."""
    asked: PendingResult | None = None
    """The call that returns the bytes received before it; None where only the times of the pieces are recorded."""


class StreamedBodies:
    """The responses of one page that are recorded piece by piece: media, responses to scripts, and with the option
    ``world`` documents too.
    """

    def __init__(self, kit: RecordingServices) -> None:
        self._kit = kit
        self._flows: dict[str, _StreamedResponse] = {}
        self._broken: list[PendingResult] = []

    def record_response_in_pieces(self, cdp_session: CdpSession, key: Key, kind: str, response: Params) -> None:
        """Start to record a response piece by piece after its headers have arrived, if it is of a kind that may be
        aborted.
        """
        options, mime = self._kit.options, str(response.get("mimeType") or "")
        limit, _ = find_body_limit(kind, mime, int(response.get("status") or 0), options)
        if not limit:
            return
        total, flowing = _read_total_size(response), mime in FLOWING
        if kind == "media":
            if total > options.resource_limit:
                self._kit.writer.enqueue_call(self._kit.network.stop_waiting_for_media, key, total)
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
        flow = self._flows[key[1]] = _StreamedResponse()
        self._kit.writer.enqueue_call(self._kit.network.keep_response_pieces, key, limit)
        if ask:
            flow.asked = self._kit.runner.spawn(self._request_earlier_bytes(cdp_session, key))

    async def _request_earlier_bytes(self, cdp_session: CdpSession, key: Key) -> None:
        answer = await cdp_session.send("Network.streamResourceContent", {"requestId": key[1]})
        data = str(answer.get("bufferedData") or "")
        self._kit.writer.enqueue_call(self._kit.network.add_earlier_response_bytes, key, data, size=len(data))

    def add_received_piece(self, key: Key, params: Params, now: float) -> None:
        """Record that a piece of a response has arrived. ``now``: the time in ms on the recording's clock."""
        flow = self._flows.get(key[1])
        if flow is None:
            return
        data, length = params.get("data") or "", int(params.get("dataLength") or 0)
        arrival = (key, params.get("timestamp"), now, flow.length, length, data)
        self._kit.writer.enqueue_call(self._kit.network.add_response_piece, *arrival, size=len(data) + 100)
        flow.length += length

    def end_aborted_response(self, key: Key, params: Params, now: float) -> None:
        """Write a response that was aborted, once the bytes that had arrived before are known."""
        flow = self._flows.pop(key[1], None)
        if flow is None or flow.asked is None or flow.asked.done:
            self._kit.writer.enqueue_call(self._kit.network.fail_request, key, params, now)
            return
        self._broken = [slot for slot in self._broken if not slot.done]
        work = self._write_aborted_response(flow.asked, key, params, now)
        self._broken.append(self._kit.runner.spawn(self._kit.wrap_to_report_errors("network", work)))

    async def _write_aborted_response(self, earlier_bytes: PendingResult, key: Key, params: Params, now: float) -> None:
        await self._kit.runner.wait([earlier_bytes], _PATIENCE)
        self._kit.writer.enqueue_call(self._kit.network.fail_request, key, params, now)

    def forget_response(self, request_id: str) -> None:
        """Stop recording the pieces of a response that is complete."""
        self._flows.pop(request_id, None)

    async def wait_for_earlier_bytes(self, timeout: float) -> None:
        """Wait until the bytes received so far are known for all open responses."""
        waiting: list[Any] = [*self._broken, *(flow.asked for flow in self._flows.values() if flow.asked is not None)]
        if waiting:
            await self._kit.runner.wait(waiting, timeout)


def _read_total_size(response: Params) -> int:
    """Return the size in bytes of a whole resource from the headers of a response that has all or a part of it; 0 if
    they do not tell it.
    """
    headers = {name.lower(): str(value) for name, value in (response.get("headers") or {}).items()}
    if response.get("status") == 206:
        part = parse_content_range(headers.get("content-range", ""))
        return part[1] if part is not None else 0
    length = headers.get("content-length", "")
    return int(length[:15]) if length.isdecimal() else 0
