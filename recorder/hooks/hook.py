"""The common base of the hooks into Playwright's client.

1. **The client's own instrumentation** (1.65 and newer): a listener for the begin and the end of each API call.
2. **The client's central methods** (1.49 to 1.64): ``Connection.wrap_api_call`` begins and ends a call, and
   ``Connection._send_message_to_server`` names the object that is called.
3. **The public classes**, wrapped: the fallback, which no rewrite of the client can break. It uses no private
   attribute, but a wrapped method shows in tracebacks, so it comes last.

A hook is shared by all recordings of one connection, and restores the client when the last of them ends. Nothing in
here raises into the caller: errors go to the listeners.
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
    """Class and method of the public API: ``Page.goto``. Empty where it is unknown."""
    method: str
    """The protocol's name of the method (``goto``), or the public one with the fallback hook."""
    params: Mapping[str, Any]
    owner: Any = None
    """The client's object that is called: private (a Frame under a Locator) or, with the fallback hook, public."""
    stack: list[Place] = field(default_factory=list)
    """The caller's frames, innermost first."""
    title: str | None = None
    locator: str | None = None
    """The locator as the public object describes itself; with the other hooks the selector is in ``params``."""
    error: str | None = None
    wait: str | None = None
    """Id of the wait for an event, if the call is one: the call ends with the event, not with the message."""
    ended: bool = False
    facts: Any = None
    """Data of the listeners."""


class RunningCallContext:
    """A context manager around a running call, in a function or a coroutine: it sets a context variable and reports the
    end of the call to the hook.
    """

    __slots__ = ("_call", "_hook", "_token", "_value", "_variable")

    def __init__(self, hook: CallHook, call: ApiCall, variable: ContextVar[Any], value: Any) -> None:
        self._hook, self._call, self._variable, self._value = hook, call, variable, value

    def __enter__(self) -> None:
        self._token = self._variable.set(self._value)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._variable.reset(self._token)
        self._hook.run_and_report_errors(self._hook.end_call, self._call, error)


class CallListener(Protocol):
    def on_call_began(self, call: ApiCall) -> None: ...
    def on_call_ended(self, call: ApiCall) -> None: ...
    def on_hook_error(self, error: Exception) -> None: ...


class CallHook:
    """The base class of the three hooks, which holds their listeners and the calls that are running."""

    def __init__(self) -> None:
        self.listeners: list[CallListener] = []
        self._waits: dict[str, ApiCall] = {}

    def install(self) -> None:
        raise NotImplementedError

    def remove(self) -> None:
        raise NotImplementedError

    def begin_call(self, call: ApiCall) -> None:
        for listener in list(self.listeners):
            listener.on_call_began(call)

    def end_call(self, call: ApiCall, error: BaseException | None = None) -> None:
        if call.error is None and error is not None:
            call.error = describe_error(error)
        if call.wait in self._waits:
            # The message is sent, but the awaited event has not come yet.
            return
        if not call.ended:
            call.ended = True
            for listener in list(self.listeners):
                listener.on_call_ended(call)

    def record_wait_begin(self, call: ApiCall, params: Mapping[str, Any]) -> None:
        info = read_wait_info(params)
        if info.get("phase") == "before":
            call.wait = str(info.get("waitId"))
            # Up to 1.64 the client writes `page.expect_event(popup)`, since 1.65 `popup`.
            event = str(info.get("event") or "").rpartition("(")[2].rstrip(")")
            call.method, call.params = "wait_for_event", {"event": event} if event and "." not in event else {}
            self._waits[call.wait] = call

    def record_wait_end(self, params: Mapping[str, Any]) -> None:
        info = read_wait_info(params)
        if info.get("phase") == "after" and (call := self._waits.pop(str(info.get("waitId")), None)) is not None:
            if info.get("error") and call.error is None:
                call.error = str(info["error"])
            self.end_call(call)

    def run_and_report_errors(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Exception as error:
            for listener in list(self.listeners):
                listener.on_hook_error(error)
            return None


def read_wait_info(params: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the data of a message about a wait: up to Playwright 1.61 they are in the field `info`, since then in the
    message itself.
    """
    found: Mapping[str, Any] = (params or {}).get("info") or params or {}
    return found


def describe_error(error: BaseException) -> str:
    """Return an error as text, with Playwright's call log: ``TimeoutError: Timeout 500ms exceeded.``."""
    return f"{type(error).__name__}: {error}"
