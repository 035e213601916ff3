"""A recorded WebSocket's side of the server: it says what it said, each answer after what it answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .matching import message_key
from .recorded import Exchange, Recorded

_AHEAD = 50
"""Recorded messages of the page among which the present one is looked for: pages send some more or fewer each time."""


class Conversation:
    """What goes over one connection. Messages of the server stand after the page's message that they came after."""

    def __init__(self, recorded: Recorded, exchange: Exchange) -> None:
        self._recorded = recorded
        self._messages: list[dict[str, Any]] = exchange.messages
        self._next = 0

    def opened(self) -> Iterator[str | bytes]:
        """Yield what the server said before the page said anything."""
        yield from self._until_sent()

    def heard(self, message: str | bytes) -> Iterator[str | bytes]:
        """Yield what the server said after this message. One that was not recorded, a heartbeat say, gets no answer."""
        key = message_key(message)
        sent = [n for n in range(self._next, len(self._messages)) if self._messages[n]["sent"]][:_AHEAD]
        at = next((n for n in sent if message_key(self._recorded.said(self._messages[n])) == key), None)
        if at is None:
            return
        yield from self._received(self._next, at)
        self._next = at + 1
        yield from self._until_sent()

    def _until_sent(self) -> Iterator[str | bytes]:
        begin = self._next
        while self._next < len(self._messages) and not self._messages[self._next]["sent"]:
            self._next += 1
        yield from self._received(begin, self._next)

    def _received(self, begin: int, end: int) -> Iterator[str | bytes]:
        for message in self._messages[begin:end]:
            if not message["sent"] and "body" in message:
                yield self._recorded.said(message)
