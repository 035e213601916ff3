"""Records WebSockets and event streams over CDP, message by message."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING

from ..ingest.message_types import guess_message_type
from .cdp_sessions import Params

if TYPE_CHECKING:
    from ..ingest.script_source import ScriptSource
    from ..ingest.transport import RecordingServices

_TEXT, _BINARY = 1, 2
"""Opcodes of frames that carry messages (RFC 6455, 5.2); the others keep the connection."""


class SocketRecorder:
    """Records one page's WebSockets and event streams, each as a ``request``, its messages, and a ``response``."""

    def __init__(self, kit: RecordingServices, page: int) -> None:
        self._kit = kit
        self._page = page
        self._urls: dict[str, str] = {}
        self.streams: set[str] = set()
        """The requests over which messages went."""
        self._open: set[str] = set()
        """The open WebSockets."""

    def handle_event(self, method: str, params: Params, source: ScriptSource | None, now: float) -> None:
        """Handle one event of CDP's Network domain, on the caller's thread."""
        name, key = method.removeprefix("Network."), (self._page, params["requestId"])
        network, put = self._kit.network, self._kit.writer.enqueue_call
        if name == "webSocketCreated":
            self._urls[params["requestId"]] = params["url"]
        elif name == "webSocketWillSendHandshakeRequest":
            url = self._urls.pop(params["requestId"], "")
            # CDP does not report the cookies that other requests send either: with them anybody could sign in.
            headers = {k: v for k, v in (params["request"].get("headers") or {}).items() if k.lower() != "cookie"}
            request = {"url": url, "method": "GET", "headers": headers}
            asked = {**params, "request": request, "type": "WebSocket"}
            put(network.record_request, key, self._page, source, asked, now, size=2000)
            self._open.add(params["requestId"])
        elif name == "webSocketHandshakeResponseReceived":
            response = params["response"]
            if not self._kit.options.world:
                kept = {k: v for k, v in (response.get("headers") or {}).items() if k.lower() != "set-cookie"}
                response = {**response, "headers": kept}
            put(network.record_response, key, {**params, "response": response}, now, source, size=2000)
        elif name == "webSocketFrameError":
            self._open.discard(params["requestId"])
            put(network.fail_request, key, {**params, "errorText": params.get("errorMessage")}, now)
        elif name == "webSocketClosed":
            self._close_connection(params["requestId"], params, now)
        elif name == "eventSourceMessageReceived":
            self._write_message(
                key, params, params["data"].encode("utf-8", "replace"), False, now, params.get("eventName", "")
            )
        else:
            frame = params["response"]
            data = frame.get("payloadData", "")
            if frame.get("opcode") == _TEXT:
                content = data.encode("utf-8", "replace")
            elif frame.get("opcode") == _BINARY:
                content = b64decode(data)
            else:
                return
            self._write_message(key, params, content, name == "webSocketFrameSent", now, "", frame["opcode"] == _BINARY)

    def close_all_websockets(self) -> None:
        """Close the open WebSockets of a closed page, about which the browser reports nothing more."""
        for request_id in list(self._open):
            self._close_connection(request_id, {}, self._kit.clock.now())

    def _close_connection(self, request_id: str, params: Params, now: float) -> None:
        self._open.discard(request_id)
        why = "messages" if request_id in self.streams else "empty"
        self._kit.writer.enqueue_call(
            self._kit.network.finish_response, (self._page, request_id), params, now, None, why, 0
        )
        self.streams.discard(request_id)

    def _write_message(
        self,
        key: tuple[int, str],
        params: Params,
        content: bytes,
        sent: bool,
        now: float,
        name: str = "",
        binary: bool = False,
    ) -> None:
        self.streams.add(key[1])
        options = self._kit.options
        mime = "application/octet-stream" if binary else guess_message_type(content)
        stamp = params.get("timestamp")
        self._kit.writer.enqueue_call(
            self._kit.network.write_stream_message,
            *(key, stamp, now, content, mime, sent, options.message_limit, name),
            size=len(content) + 200,
            sampled=True,
        )
