"""CDP sessions: the page's own, and those of out-of-process frames inside it.

Playwright's ``new_cdp_session(frame)`` also opens sessions for such frames, but only when called at the right moment.
The recorder finds frames before their document is committed, so the script is usually installed first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import orjson

from ..runtime.runner import PendingResult, Runner

Params = dict[str, Any]
Handler = Callable[[str, Params], None]
_PATIENCE = 30.0
"""Seconds after which a missing answer is given up."""


class CdpSession(Protocol):
    async def send(self, method: str, params: Params | None = None) -> Params:
        """Call a CDP method. Raises if the browser reports an error or the target is closed."""


class PageCdpSession:
    """The page's own CDP session, opened through Playwright."""

    def __init__(self, runner: Runner, session: Any) -> None:
        self._runner = runner
        self._session = session

    async def send(self, method: str, params: Params | None = None) -> Params:
        result: Params = await self._runner.await_call(self._session.send(method, params or {}))
        return result or {}

    def listen(self, event: str, handler: Callable[[Params], None]) -> None:
        self._session.on(event, handler)

    async def detach(self) -> None:
        await self._runner.await_call(self._session.detach())


class ChildCdpSession:
    """A session of a frame inside the page's session; its messages travel as text in ``Target.sendMessageToTarget``."""

    def __init__(self, runner: Runner, parent: CdpSession, session_id: str, on_event: Handler) -> None:
        self._runner = runner
        self._parent = parent
        self._session_id = session_id
        self._on_event = on_event
        self._last = 0
        self._waiting: dict[int, PendingResult] = {}
        self._closed = False

    async def send(self, method: str, params: Params | None = None) -> Params:
        if self._closed:
            raise ConnectionError("No session with given id")
        self._last += 1
        number = self._last
        slot = self._waiting[number] = PendingResult()
        message = orjson.dumps({"id": number, "method": method, "params": params or {}}).decode()
        try:
            await self._parent.send("Target.sendMessageToTarget", {"sessionId": self._session_id, "message": message})
            await self._runner.wait([slot], _PATIENCE)
        finally:
            self._waiting.pop(number, None)
        if slot.error is not None:
            raise slot.error
        if not slot.done:
            raise TimeoutError(f"{method} was not answered")
        result: Params = slot.value
        return result

    def receive_message(self, message: str) -> None:
        """Handle a ``Target.receivedMessageFromTarget`` event for this session."""
        data = orjson.loads(message)
        if "id" not in data:
            self._on_event(data["method"], data.get("params") or {})
            return
        slot = self._waiting.get(data["id"])
        if slot is None:
            return
        if "error" in data:
            slot.set_error(RuntimeError(str(data["error"].get("message"))))
        else:
            slot.set_result(data.get("result") or {})

    def close(self) -> None:
        self._closed = True
        waiting, self._waiting = self._waiting, {}
        for slot in waiting.values():
            slot.set_error(ConnectionError("Session closed"))
