"""A decorator that records a function's calls as tool calls."""

from __future__ import annotations

import functools
import inspect
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast, overload

from pagereel.recorder import Session, get_active_session

P = ParamSpec("P")
R = TypeVar("R")


@overload
def tool(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def tool(*, name: str | None = None, session: Session | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def tool(function: Any = None, /, *, name: str | None = None, session: Session | None = None) -> Any:
    """Record each call of a function, sync or async, with its arguments, result, error and duration, as a tool call.

    >>> @tool  # doctest: +SKIP ... def search(query: str) -> list[str]: ...

    `session`: the recording to write to; by default the one that is active where the function is called. Without a
    recording nothing is written. The function's result and exceptions are not changed.
    """
    if function is None:
        return functools.partial(_wrap_in_recording, name=name, session=session)
    return _wrap_in_recording(function, name=name, session=session)


def _wrap_in_recording(
    function: Callable[..., Any], *, name: str | None, session: Session | None
) -> Callable[..., Any]:
    called = str(name or getattr(function, "__name__", type(function).__name__))
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_and_record_async(*args: Any, **kwargs: Any) -> Any:
            with ToolCall(session or get_active_session(), called, _bind_arguments(function, args, kwargs)) as call:
                return call.store_result(await function(*args, **kwargs))

        return call_and_record_async

    @functools.wraps(function)
    def call_and_record(*args: Any, **kwargs: Any) -> Any:
        with ToolCall(session or get_active_session(), called, _bind_arguments(function, args, kwargs)) as call:
            return call.store_result(function(*args, **kwargs))

    return call_and_record


def _bind_arguments(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return a call's arguments by name where possible, without `self`."""
    try:
        given = dict(inspect.signature(function).bind_partial(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {"args": args, "kwargs": kwargs} if kwargs else list(args)
    given.pop("self", None)
    return given


class ToolCall:
    """A recorded tool call, for use with `with`: the call is recorded when the block begins, its result or error at the
    end.
    """

    def __init__(self, session: Session | None, name: str, arguments: Any = None, **attributes: Any) -> None:
        self._session = session
        self._id = session.tool_call(name, arguments, **attributes) if session is not None else 0
        self._began = time.perf_counter()
        self._result: Any = None

    def store_result(self, result: R) -> R:
        """Store the tool's result, so that it is recorded at the end of the call, and return it unchanged."""
        self._result = result
        return result

    def write_result(self, result: Any = None, error: Any = None) -> None:
        """Write the tool's result or error, with the call's duration."""
        if self._session is not None:
            duration = round((time.perf_counter() - self._began) * 1000, 1)
            self._session.tool_result(self._id, result, error=error, duration=duration)

    def __enter__(self) -> ToolCall:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.write_result(cast(Any, self._result), None if error is None else f"{type(error).__name__}: {error}")
