"""Wraps public methods of Playwright objects on the instance, and restores them at the end.

This is needed where no event comes early enough: the recorder must attach to a page before its caller can navigate it,
and flush it before it is closed.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

from .runner import Runner, run_as_own_call

Before = Callable[[], Awaitable[None]]
After = Callable[[Any], Awaitable[None]]
_ABSENT = object()


class WrappedMethods:
    """All wrapped methods of one recording. The callbacks ``before`` and ``after`` must not raise."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._wrapped: list[tuple[Any, str, Any, object]] = []
        self._active = True

    def wrap_method(self, owner: Any, name: str, before: Before | None = None, after: After | None = None) -> None:
        original = getattr(owner, name)
        previous = vars(owner).get(name, _ABSENT)
        make = self._build_async_wrapper if self._runner.is_async else self._build_sync_wrapper
        wrapper = functools.wraps(original)(make(original, before, after))
        setattr(owner, name, wrapper)
        self._wrapped.append((owner, name, wrapper, previous))

    def restore_methods(self) -> None:
        """Restore the methods. A method that other code wrapped later stays, and only passes calls on."""
        self._active = False
        for owner, name, wrapper, previous in reversed(self._wrapped):
            if vars(owner).get(name) is not wrapper:
                continue
            if previous is _ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, previous)
        self._wrapped.clear()

    def _build_async_wrapper(self, original: Any, before: Before | None, after: After | None) -> Any:
        async def call_wrapped(*args: Any, **kwargs: Any) -> Any:
            if before is not None and self._active:
                await run_as_own_call(before())
            result = await original(*args, **kwargs)
            if after is not None and self._active:
                await run_as_own_call(after(result))
            return result

        return call_wrapped

    def _build_sync_wrapper(self, original: Any, before: Before | None, after: After | None) -> Any:
        def call_wrapped(*args: Any, **kwargs: Any) -> Any:
            if before is not None and self._active:
                self._runner.run(_to_coroutine(before()))
            result = original(*args, **kwargs)
            if after is not None and self._active:
                self._runner.run(_to_coroutine(after(result)))
            return result

        return call_wrapped


async def _to_coroutine(awaitable: Awaitable[None]) -> None:
    await awaitable
