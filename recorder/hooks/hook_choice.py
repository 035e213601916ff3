"""Chooses the hook that supports the installed Playwright; all recordings of one connection share it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .client_hooks import InstrumentationHook, WrapApiCallHook
from .hook import CallHook, CallListener
from .public_classes_hook import PublicClassesHook

_hooks: dict[Any, CallHook] = {}
"""Connection → its hook; None: the fallback hook."""


def listen_to_calls(target: Any, listener: CallListener) -> Callable[[], None]:
    """Report all API calls on the connection of a Playwright object to ``listener``. Return a function that stops the
    reporting.
    """
    connection = getattr(getattr(target, "_impl_obj", None), "_connection", None)
    made = _choose_hook(connection)
    key = None if made is None else connection
    hook = _hooks.get(key)
    if hook is None:
        hook = made or PublicClassesHook()
        hook.install()
        _hooks[key] = hook
    hook.listeners.append(listener)

    def stop_listening() -> None:
        if listener in hook.listeners:
            hook.listeners.remove(listener)
            if not hook.listeners:
                del _hooks[key]
                hook.remove()

    return stop_listening


def _choose_hook(connection: Any) -> CallHook | None:
    for kind in (InstrumentationHook, WrapApiCallHook):
        if connection is not None and kind.is_supported_by(connection):
            return kind(connection)
    return None
