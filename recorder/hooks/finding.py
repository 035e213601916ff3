"""Chooses the hook that supports the installed Playwright; all recordings of one connection share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .classes import ClassesHook
from .client import ChokePointHook, InstrumentationHook
from .hook import Hook, Listener

_hooks: dict[Any, Hook] = {}
"""Connection → its hook; None: the fallback hook."""


def listen(target: Any, listener: Listener) -> Callable[[], None]:
    """Report all calls on the connection of a Playwright object to ``listener``. Return a function that ends the
    reports.
    """
    connection = getattr(getattr(target, "_impl_obj", None), "_connection", None)
    made = _make(connection)
    key = None if made is None else connection
    hook = _hooks.get(key)
    if hook is None:
        hook = made or ClassesHook()
        hook.install()
        _hooks[key] = hook
    hook.listeners.append(listener)

    def stop() -> None:
        if listener in hook.listeners:
            hook.listeners.remove(listener)
            if not hook.listeners:
                del _hooks[key]
                hook.remove()

    return stop


def _make(connection: Any) -> Hook | None:
    for kind in (InstrumentationHook, ChokePointHook):
        if connection is not None and kind.fits(connection):
            return kind(connection)
    return None
