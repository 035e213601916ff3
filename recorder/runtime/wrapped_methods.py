"""Wraps public methods of Playwright objects on the instance, and restores them at the end.

This is needed where no event comes early enough: the recorder must attach to a page before its caller can navigate it,
and flush it before it is closed.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any

from .runner import Runner, as_ours

Before = Callable[[], Awaitable[None]]
After = Callable[[Any], Awaitable[None]]
_ABSENT = object()


class Wraps:
    """All wrapped methods of one recording. The callbacks ``before`` and ``after`` must not raise."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._wrapped: list[tuple[Any, str, Any, object]] = []
        self._active = True

    def wrap(self, owner: Any, name: str, before: Before | None = None, after: After | None = None) -> None:
        original = getattr(owner, name)
        previous = vars(owner).get(name, _ABSENT)
        make = self._asynchronous if self._runner.is_async else self._synchronous
        wrapper = functools.wraps(original)(make(original, before, after))
        setattr(owner, name, wrapper)
        self._wrapped.append((owner, name, wrapper, previous))

    def restore(self) -> None:
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

    def _asynchronous(self, original: Any, before: Before | None, after: After | None) -> Any:
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            if before is not None and self._active:
                await as_ours(before())
            result = await original(*args, **kwargs)
            if after is not None and self._active:
                await as_ours(after(result))
            return result

        return wrapper

    def _synchronous(self, original: Any, before: Before | None, after: After | None) -> Any:
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if before is not None and self._active:
                self._runner.run(_coroutine(before()))
            result = original(*args, **kwargs)
            if after is not None and self._active:
                self._runner.run(_coroutine(after(result)))
            return result

        return wrapper


async def _coroutine(work: Awaitable[None]) -> None:
    await work
