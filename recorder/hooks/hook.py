"""Where Playwright's client can be listened to: what the adapters have in common. :mod:`.finding` chooses the one that fits.

1. **The client's own instrumentation** (1.65 and newer): a listener for the begin and the end of each API call.
2. **The choke points** (1.49 to 1.64): ``Connection.wrap_api_call`` begins and ends a call, and
   ``Connection._send_message_to_server`` says which object is asked for what.
3. **The public classes**, wrapped: the floor, which no rewrite of the client can take away. It names no private
   attribute, but a wrapped method shows in tracebacks, so it comes last.

A hook is shared by all recordings of one connection, and leaves it as it was when the last of them ends. Nothing in
here raises into the caller: what goes wrong is given to the listeners' ``failed``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

Place = tuple[str, int, str]
"""File, line, function."""


@dataclass(slots=True, eq=False)
class ApiCall:
    """One call of Playwright's API by the caller's script."""

    api: str
    """Class and method of the public API: ``Page.goto``. Empty where it could not be told."""
    method: str
    """The protocol's name for it (``goto``), or the public one under the floor."""
    params: Mapping[str, Any]
    owner: Any = None
    """The client's object that is asked: private (a Frame under a Locator) or, under the floor, public."""
    stack: list[Place] = field(default_factory=list)
    """The caller's frames, innermost first."""
    title: str | None = None
    locator: str | None = None
    """As the public object describes itself; under the other hooks the selector stands in ``params``."""
    error: str | None = None
    wait: str | None = None
    """Id of the wait for an event that this call is: it ends with the event, not with the message."""
    ended: bool = False
    facts: Any = None
    """The listeners' own."""


class UnderWay:
    """``with`` around a call, in a function or a coroutine: a context variable has its value meanwhile, and the hook is told the end."""

    __slots__ = ("_call", "_hook", "_token", "_value", "_variable")

    def __init__(self, hook: Hook, call: ApiCall, variable: ContextVar[Any], value: Any) -> None:
        self._hook, self._call, self._variable, self._value = hook, call, variable, value

    def __enter__(self) -> None:
        self._token = self._variable.set(self._value)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._variable.reset(self._token)
        self._hook.safely(self._hook.end, self._call, error)


class Listener(Protocol):
    def began(self, call: ApiCall) -> None: ...
    def ended(self, call: ApiCall) -> None: ...
    def failed(self, error: Exception) -> None: ...


class Hook:
    """What all three have in common: the listeners, and calls under way."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []
        self._waits: dict[str, ApiCall] = {}

    def install(self) -> None:
        raise NotImplementedError

    def remove(self) -> None:
        raise NotImplementedError

    def begin(self, call: ApiCall) -> None:
        for listener in list(self.listeners):
            listener.began(call)

    def end(self, call: ApiCall, error: BaseException | None = None) -> None:
        if call.error is None and error is not None:
            call.error = describe(error)
        if call.wait in self._waits:
            # The message is sent; what is waited for has not come yet.
            return
        if not call.ended:
            call.ended = True
            for listener in list(self.listeners):
                listener.ended(call)

    def waits(self, call: ApiCall, params: Mapping[str, Any]) -> None:
        info = info_of(params)
        if info.get("phase") == "before":
            call.wait = str(info.get("waitId"))
            # Up to 1.64 the client says `page.expect_event(popup)`, since 1.65 `popup`.
            event = str(info.get("event") or "").rpartition("(")[2].rstrip(")")
            call.method, call.params = "wait_for_event", {"event": event} if event and "." not in event else {}
            self._waits[call.wait] = call

    def wait_is_over(self, params: Mapping[str, Any]) -> None:
        info = info_of(params)
        if info.get("phase") == "after" and (call := self._waits.pop(str(info.get("waitId")), None)) is not None:
            if info.get("error") and call.error is None:
                call.error = str(info["error"])
            self.end(call)

    def safely(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            for listener in list(self.listeners):
                listener.failed(error)
            return None


def info_of(params: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what a message about a wait says: up to 1.61 in `info`, since then by itself."""
    found: Mapping[str, Any] = (params or {}).get("info") or params or {}
    return found


def describe(error: BaseException) -> str:
    """``TimeoutError: Timeout 500ms exceeded.`` with Playwright's call log."""
    return f"{type(error).__name__}: {error}"
