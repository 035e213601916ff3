"""Plays the server's part of a recorded WebSocket.

A message is sent after the event that came before it in the recording.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .recorded_network import RecordedExchange, RecordedNetwork
from .request_keys import compute_loose_message_key

_AHEAD = 50
"""Number of recorded messages of the page among which a new one is searched: pages send some more or fewer each time."""


class RecordedWebSocket:
    """The server's part of one recorded WebSocket.

    It sends a message of the server only after the page has sent its own messages, and its scripts have made the
    requests, that came before this message in the recording.
    """

    def __init__(self, recorded: RecordedNetwork, exchange: RecordedExchange) -> None:
        self._recorded = recorded
        self._messages: list[dict[str, Any]] = exchange.messages
        self._begin = recorded.find_last_script_request(float(exchange.request["t"]))
        """Requests before the connection's opening are not waited for."""
        self._next = 0
        """The first message that neither side has sent again."""
        self._heard = 0
        """The first message that the page is not known to have sent again."""

    def iter_due_messages(self) -> Iterator[str | bytes]:
        """Yield the server's messages that may be sent now."""
        while self._next < len(self._messages):
            message = self._messages[self._next]
            if message["sent"]:
                if self._next >= self._heard:
                    return
            else:
                after = self._recorded.find_last_script_request(float(message["t"]))
                if self._next >= self._heard and after > max(self._begin, self._recorded.reached):
                    return
                if "body" in message:
                    yield self._recorded.get_message_payload(message)
            self._next += 1

    def handle_message(self, message: str | bytes) -> None:
        """Handle a message from the page. A message that was not recorded, such as a heartbeat, has no effect."""
        key = compute_loose_message_key(message)
        begin = max(self._next, self._heard)
        sent = [n for n in range(begin, len(self._messages)) if self._messages[n]["sent"]][:_AHEAD]
        at = next(
            (
                n
                for n in sent
                if compute_loose_message_key(self._recorded.get_message_payload(self._messages[n])) == key
            ),
            None,
        )
        if at is not None:
            self._heard = at + 1
