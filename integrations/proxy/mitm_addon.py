"""An addon for the user's own mitmproxy (10 or later) that reports traffic with providers to `pagereel proxy`, and passes all of it on unchanged.

It runs in mitmproxy's Python, where pagereel need not be installed, and imports nothing of it. A thread sends the
reports to a socket on loopback: each is a line of JSON, followed by as many bytes as its `size` says. Its `age` is the
time in seconds from the event to the sending of the report.
"""

from __future__ import annotations

import json
import os
import queue
import re
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

_AGENT = "pagereel-agent"
"""The header in which a client says which of several agents asks. It is for the recording, and goes no further."""
_GONE = "Client disconnected."
"""What mitmproxy calls it when the client hangs up."""


class TrafficReporter:
    """The addon for mitmproxy, whose methods mitmproxy calls by name."""

    def __init__(self, port: int, token: str, paths: str) -> None:
        self._paths = re.compile(paths)
        self._queue: queue.SimpleQueue[tuple[float, dict[str, Any], bytes] | None] = queue.SimpleQueue()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.settimeout(None)
        self._thread = threading.Thread(target=self._send_reports, daemon=True)
        self._thread.start()
        self._queue_report("hello", "", token=token)

    def running(self) -> None:
        """Report the port on which mitmproxy listens."""
        from mitmproxy import ctx  # type: ignore[import-not-found,unused-ignore]

        addresses = ctx.master.addons.get("proxyserver").listen_addrs()
        self._queue_report("ready", "", port=addresses[0][1] if addresses else 0)

    def requestheaders(self, flow: Any) -> None:
        """Report the headers of a request to a model."""
        if flow.request.method != "POST" or not self._paths.search(flow.request.path.partition("?")[0].rstrip("/")):
            return
        flow.metadata["pagereel"] = True
        headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in flow.request.headers.fields]
        asks = flow.request.headers.pop(_AGENT, None)
        self._queue_report(
            "asked", flow.id, method=flow.request.method, url=flow.request.pretty_url, agent=asks, headers=headers
        )
        flow.request.stream = self._make_reporting_copier(flow, "sent")

    def responseheaders(self, flow: Any) -> None:
        """Report the headers of an answer, and let mitmproxy stream its body."""
        flow.response.stream = True
        if "pagereel" in flow.metadata:
            headers = [
                [name.decode("latin-1"), value.decode("latin-1")] for name, value in flow.response.headers.fields
            ]
            self._queue_report("answered", flow.id, status=flow.response.status_code, headers=headers)
            flow.response.stream = self._make_reporting_copier(flow, "got")

    def response(self, flow: Any) -> None:
        """Report that an answer has ended."""
        if "pagereel" in flow.metadata:
            self._queue_report("ended", flow.id)

    def error(self, flow: Any) -> None:
        """Report an error of a request or answer. A client that disconnects is no error."""
        if "pagereel" in flow.metadata:
            message = str(flow.error.msg if flow.error else "")
            self._queue_report("failed", flow.id, message="" if message == _GONE else message)

    def done(self) -> None:
        """Send the remaining reports, before mitmproxy exits."""
        self._queue.put(None)
        self._thread.join(5)

    def _make_reporting_copier(self, flow: Any, kind: str) -> Callable[[bytes], bytes]:
        def report_and_pass(data: bytes) -> bytes:
            if data:
                self._queue_report(kind, flow.id, data)
            return data

        return report_and_pass

    def _queue_report(self, kind: str, flow: str, data: bytes = b"", **told: Any) -> None:
        self._queue.put((time.monotonic(), {"kind": kind, "flow": flow, **told}, data))

    def _send_reports(self) -> None:
        try:
            with self._socket:
                while (item := self._queue.get()) is not None:
                    at, told, data = item
                    line = json.dumps({**told, "age": round(time.monotonic() - at, 6), "size": len(data)})
                    self._socket.sendall(line.encode() + b"\n" + data)
        except OSError:  # The recording has ended: what goes over now is told to nobody.
            while self._queue.get() is not None:
                pass


if "PAGEREEL_TOLD_TO" in os.environ:
    _port, _, _token = os.environ["PAGEREEL_TOLD_TO"].partition("/")
    addons = [TrafficReporter(int(_port), _token, os.environ["PAGEREEL_PATHS"])]
