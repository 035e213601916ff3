"""A recorded WebSocket's side of the server: it says what it said, after what it said it after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .matching import message_key
from .recorded import RecordedExchange, RecordedNetwork

_AHEAD = 50
"""Recorded messages of the page among which the present one is looked for: pages send some more or fewer each time."""


class Conversation:
    """What goes over one connection. A message of the server comes once the page has done what it had done by then: sent the message
    before it, over this connection, and made the request before it that a script had made.
    """

    def __init__(self, recorded: RecordedNetwork, exchange: RecordedExchange) -> None:
        self._recorded = recorded
        self._messages: list[dict[str, Any]] = exchange.messages
        self._begin = recorded.before(float(exchange.request["t"]))
        """What was asked for before it was opened is no condition."""
        self._next = 0
        """The first message that neither side has sent again."""
        self._heard = 0
        """The first that the page has not been found to have sent."""

    def due(self) -> Iterator[str | bytes]:
        """Yield what the server says now."""
        while self._next < len(self._messages):
            message = self._messages[self._next]
            if message["sent"]:
                if self._next >= self._heard:
                    return
            else:
                after = self._recorded.before(float(message["t"]))
                if self._next >= self._heard and after > max(self._begin, self._recorded.reached):
                    return
                if "body" in message:
                    yield self._recorded.message_content(message)
            self._next += 1

    def heard(self, message: str | bytes) -> None:
        """Take a message of the page's. One that was not recorded, a heartbeat say, changes nothing."""
        key = message_key(message)
        begin = max(self._next, self._heard)
        sent = [n for n in range(begin, len(self._messages)) if self._messages[n]["sent"]][:_AHEAD]
        at = next((n for n in sent if message_key(self._recorded.message_content(self._messages[n])) == key), None)
        if at is not None:
            self._heard = at + 1
