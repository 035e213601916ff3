"""The fallback hook, which wraps the methods of Playwright's public classes while a recording runs."""

from __future__ import annotations

import functools
import inspect
import sys
from contextvars import ContextVar
from typing import Any

from ..runtime.own_calls import is_own_call
from .hook import ApiCall, CallHook, Place, RunningCallContext


class PublicClassesHook(CallHook):
    """A hook that wraps the methods of Playwright's public classes. It is used if no other hook supports the installed
    version.
    """

    NAMES = (
        "APIRequestContext",
        "Browser",
        "BrowserContext",
        "CDPSession",
        "Dialog",
        "Download",
        "ElementHandle",
        "FileChooser",
        "Frame",
        "JSHandle",
        "Keyboard",
        "Locator",
        "LocatorAssertions",
        "Mouse",
        "Page",
        "PageAssertions",
        "Touchscreen",
    )

    def __init__(self) -> None:
        super().__init__()
        self._inside: ContextVar[bool] = ContextVar("pagereel_inside", default=False)
        self._originals: list[tuple[type, str, Any]] = []

    def install(self) -> None:
        from playwright import async_api, sync_api

        for name in self.NAMES:
            for api in (async_api, sync_api):
                owner = getattr(api, name, None)
                twin = getattr(async_api, name, None)
                for method in list(vars(owner)) if owner is not None else ():
                    # Methods that are coroutines in the async API are calls; the others only read the client's state.
                    if not method.startswith("_") and inspect.iscoroutinefunction(getattr(twin, method, None)):
                        self._wrap_method(owner, method, is_async=api is async_api)

    def remove(self) -> None:
        for owner, name, original in reversed(self._originals):
            setattr(owner, name, original)
        self._originals.clear()

    def _wrap_method(self, owner: Any, name: str, is_async: bool) -> None:
        original = vars(owner)[name]
        signature = inspect.signature(original)

        def begin_reported_call(this: Any, args: Any, kwargs: Any) -> ApiCall | None:
            if is_own_call() or self._inside.get():
                return None
            given = dict(signature.bind_partial(this, *args, **kwargs).arguments)
            given.pop("self", None)
            api = type(this).__name__
            subject = this if api == "Locator" else getattr(getattr(this, "_impl_obj", None), "_actual_locator", None)
            locator = str(subject) if subject is not None and api != "PageAssertions" else None
            call = ApiCall(f"{api}.{name}", name, given, this, _read_caller_stack(), locator=locator)
            self.begin_call(call)
            return call

        @functools.wraps(original)
        async def call_async_method(this: Any, *args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            call = self.run_and_report_errors(begin_reported_call, this, args, kwargs)
            if call is None:
                return await original(this, *args, **kwargs)
            with RunningCallContext(self, call, self._inside, True):
                return await original(this, *args, **kwargs)

        @functools.wraps(original)
        def call_sync_method(this: Any, *args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            call = self.run_and_report_errors(begin_reported_call, this, args, kwargs)
            if call is None:
                return original(this, *args, **kwargs)
            with RunningCallContext(self, call, self._inside, True):
                return original(this, *args, **kwargs)

        setattr(owner, name, call_async_method if is_async else call_sync_method)
        self._originals.append((owner, name, original))


def _read_caller_stack() -> list[Place]:
    found: list[Place] = []
    frame = sys._getframe(1)
    at: Any = frame
    while at is not None and len(found) < 50:
        if at.f_code.co_filename != __file__:
            found.append((at.f_code.co_filename, at.f_lineno, at.f_code.co_name))
        at = at.f_back
    return found
