"""Two hooks inside Playwright's client that report a call's begin, end, object and caller.

Only this file uses private names of the client; it checks that each exists before it uses it.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from ..runtime.own_calls import is_own_call
from .hook import ApiCall, CallHook, RunningCallContext, describe_error, read_wait_info

WAITS = ("__waitInfo__", "waitForEventInfo")
"""Messages that only inform the driver of a wait in the client."""


class InstrumentationHook(CallHook):
    """A hook for Playwright 1.65 and newer, which has listeners in ``connection._instrumentation``. The message that
    the client sends next names the object of the call.
    """

    def __init__(self, connection: Any) -> None:
        super().__init__()
        self._connection = connection
        self._calls: dict[int, tuple[Any, ApiCall]] = {}
        self._begun: ApiCall | None = None

    @staticmethod
    def is_supported_by(connection: Any) -> bool:
        instrumentation = getattr(connection, "_instrumentation", None)
        return callable(getattr(instrumentation, "add_listener", None)) and callable(
            getattr(instrumentation, "remove_listener", None)
        )

    def install(self) -> None:
        self._connection._instrumentation.add_listener(self)
        self._patch = MethodPatch(self._connection, "send_message_to_server", self._send_and_report_call)

    def remove(self) -> None:
        self._patch.undo()
        self._connection._instrumentation.remove_listener(self)

    def on_api_call_begin(self, zone: Any, channel: Mapping[str, Any]) -> None:
        self.run_and_report_errors(self._begin_api_call, zone, channel)

    def on_api_call_end(self, zone: Any) -> None:
        self.run_and_report_errors(self._end_api_call, zone)

    def _begin_api_call(self, zone: Any, channel: Mapping[str, Any]) -> None:
        if is_own_call():
            return
        frames = [(f["file"], f["line"], f.get("function") or "") for f in zone.frames or ()]
        call = ApiCall(zone.api_name or "", channel["method"], channel["params"], stack=frames, title=zone.title)
        if channel["method"] in WAITS:
            self.record_wait_begin(call, channel["params"])
        self._calls[id(zone)] = zone, call
        self._begun = call

    def _end_api_call(self, zone: Any) -> None:
        _, call = self._calls.pop(id(zone), (None, None))
        if call is not None:
            self.end_call(call, zone.error)

    def _send_and_report_call(
        self, original_method: Any, owner: Any, method: str, params: Any, *rest: Any, **more: Any
    ) -> Any:
        call, self._begun = self._begun, None
        if call is not None:
            call.owner = owner
            self.run_and_report_errors(self.begin_call, call)
        elif method in WAITS:
            self.run_and_report_errors(self.record_wait_end, params)
        give_back = _suspend_client_error(self._connection)
        try:
            reply = original_method(owner, method, params, *rest, **more)
        finally:
            give_back()
        if method == "expect" and call is not None:
            reply.add_done_callback(functools.partial(self.run_and_report_errors, _record_assertion_verdict, call))
        return reply


class WrapApiCallHook(CallHook):
    """A hook for Playwright 1.49 to 1.64: it wraps ``wrap_api_call``. It wraps the callback and not the coroutine,
    because the client reads its caller's stack in between, which the user's own tracing shows.
    """

    def __init__(self, connection: Any) -> None:
        super().__init__()
        self._connection = connection
        self._current: ContextVar[ApiCall | None] = ContextVar("pagereel_call", default=None)

    @staticmethod
    def is_supported_by(connection: Any) -> bool:
        names = ("wrap_api_call", "wrap_api_call_sync", "_send_message_to_server")
        return all(callable(getattr(connection, name, None)) for name in names) and hasattr(connection, "_api_zone")

    def install(self) -> None:
        self._patches = [
            MethodPatch(self._connection, "wrap_api_call", self._wrap_async_call),
            MethodPatch(self._connection, "wrap_api_call_sync", self._wrap_sync_call),
            MethodPatch(self._connection, "_send_message_to_server", self._send_and_report_call),
        ]

    def remove(self) -> None:
        for patch in self._patches:
            patch.undo()

    def _create_outermost_call(self) -> ApiCall | None:
        """Return the API call that begins now; None inside another call, in an internal call of Playwright's, or in one
        of the recorder's own calls.
        """
        zone = self._connection._api_zone.get()
        if is_own_call() or self._current.get() is not None or not zone or not zone.get("apiName"):
            return None
        frames = [(f["file"], f["line"], f.get("function") or "") for f in zone.get("frames") or ()]
        return ApiCall(zone["apiName"], "", {}, stack=frames, title=zone.get("title"))

    def _wrap_async_call(self, original_method: Any, callback: Any, *rest: Any, **more: Any) -> Any:
        async def run_reported_call() -> Any:
            __tracebackhide__ = True
            call = self.run_and_report_errors(self._create_outermost_call)
            if call is None:
                # The client looks for the error before the call's first await.
                asyncio.get_running_loop().call_soon(_suspend_client_error(self._connection))
                return await callback()
            with RunningCallContext(self, call, self._current, call):
                return await callback()

        return original_method(run_reported_call, *rest, **more)

    def _wrap_sync_call(self, original_method: Any, callback: Any, *rest: Any, **more: Any) -> Any:
        def run_reported_call() -> Any:
            __tracebackhide__ = True
            call = self.run_and_report_errors(self._create_outermost_call)
            if call is None:
                return callback()
            with RunningCallContext(self, call, self._current, call):
                return callback()

        return original_method(run_reported_call, *rest, **more)

    def _send_and_report_call(
        self, original_method: Any, owner: Any, method: str, params: Any, *rest: Any, **more: Any
    ) -> Any:
        call = self._current.get()
        if method in WAITS and read_wait_info(params).get("phase") != "before":
            self.run_and_report_errors(self.record_wait_end, params)
        elif call is not None and call.owner is None:
            self.run_and_report_errors(self._report_call_begin, call, owner, method, params)
        reply = original_method(owner, method, params, *rest, **more)
        if method == "expect" and call is not None:
            future = getattr(reply, "future", None)
            if future is not None:
                future.add_done_callback(functools.partial(self.run_and_report_errors, _record_assertion_verdict, call))
        return reply

    def _report_call_begin(self, call: ApiCall, owner: Any, method: str, params: Any) -> None:
        call.owner, call.method, call.params = owner, method, dict(params or {})
        if method in WAITS:
            self.record_wait_begin(call, call.params)
        self.begin_call(call)


def _suspend_client_error(connection: Any) -> Callable[[], None]:
    """Remove an error that a listener of the user's script has raised, while the recorder itself calls Playwright.

    Playwright's client keeps such an error for the next call to raise, which would be one of the recorder's. The
    returned function restores it.
    """
    held = getattr(connection, "_error", None) if is_own_call() else None
    if held is None:
        return lambda: None
    connection._error = None

    def restore_client_error() -> None:
        if connection._error is None:
            connection._error = held

    return restore_client_error


class MethodPatch:
    """One method of one object, replaced by ``wrapper(original, *arguments)``."""

    def __init__(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        self._owner, self._name = owner, name
        self._active = True
        original = getattr(owner, name)

        @functools.wraps(original)
        def call_wrapper(*args: Any, **kwargs: Any) -> Any:
            if not self._active:
                return original(*args, **kwargs)
            return wrapper(original, *args, **kwargs)

        self._patched = call_wrapper
        setattr(owner, name, call_wrapper)

    def undo(self) -> None:
        """Restore the method. If other code patched it later, this wrapper stays and only passes calls on."""
        self._active = False
        if vars(self._owner).get(self._name) is self._patched:
            delattr(self._owner, self._name)


def _record_assertion_verdict(call: ApiCall, future: Any) -> None:
    """Record an assertion's verdict from the driver's answer, because the client raises the error only after the call."""
    if future.cancelled():
        return
    error = future.exception()
    if error is not None:
        call.error = describe_error(error)
        return
    result = future.result()
    if isinstance(result, dict) and "matches" in result and result["matches"] == bool(call.params.get("isNot")):
        log = result.get("log")
        lines = log if isinstance(log, list) else []
        call.error = "\n".join(["AssertionError: the expectation did not hold", "Call log:", *map(str, lines)])
