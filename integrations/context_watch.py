"""Reports when any code opens or closes a Playwright browser context.

The public classes of Playwright are wrapped, not instances or fixtures. So contexts of pytest-playwright's fixtures,
of `browser.new_context()`, of `browser.new_page()` and of a test's own `sync_playwright()` are all reported, and no
private name of Playwright or of another plugin is used. The wrappers change no argument, result or error.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, Protocol


class ContextListener(Protocol):
    """The callbacks that :class:`ContextWatch` calls for opened and closing contexts. No callback may raise."""

    def on_context_opened(self, context: Any) -> None: ...
    def on_context_closing(self, context: Any) -> None: ...
    async def on_context_opened_async(self, context: Any) -> None: ...
    async def on_context_closing_async(self, context: Any) -> None: ...


class ContextWatch:
    """Calls a watcher's callbacks for every opened and closing context, from :meth:`start` to :meth:`stop`."""

    def __init__(self, watcher: ContextListener) -> None:
        self._watcher = watcher
        self._originals: list[tuple[type, str, Any]] = []

    def start(self) -> None:
        """Wrap the methods of Playwright's sync and async classes that open or close contexts."""
        from playwright import async_api, sync_api

        for api, wrap in ((sync_api, self._wrap_sync_method), (async_api, self._wrap_async_method)):
            wrap(api.Browser, "new_context", get_opened_contexts=lambda _owner, context: [context])
            wrap(api.Browser, "new_page", get_opened_contexts=lambda _owner, page: [page.context])
            wrap(api.BrowserType, "launch_persistent_context", get_opened_contexts=lambda _owner, context: [context])
            for name in ("connect", "connect_over_cdp"):
                wrap(api.BrowserType, name, get_opened_contexts=lambda _owner, browser: list(browser.contexts))
            wrap(api.BrowserContext, "close", get_closing_contexts=lambda context: [context])
            wrap(api.Browser, "close", get_closing_contexts=lambda browser: list(browser.contexts))
            # Closing a page from new_page() closes its context too.
            wrap(
                api.Page,
                "close",
                get_closing_contexts=lambda page: [page.context] if page.context.pages == [page] else [],
            )

    def stop(self) -> None:
        """Restore the original methods."""
        while self._originals:
            owner, name, original = self._originals.pop()
            setattr(owner, name, original)

    def _replace_method(self, owner: type, name: str, wrapper: Any) -> None:
        original = getattr(owner, name)
        self._originals.append((owner, name, original))
        setattr(owner, name, functools.wraps(original)(wrapper))

    def _wrap_sync_method(
        self,
        owner: type,
        name: str,
        get_closing_contexts: Callable[[Any], list[Any]] | None = None,
        get_opened_contexts: Callable[[Any, Any], list[Any]] | None = None,
    ) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def wrapper(this: Any, *args: Any, **kwargs: Any) -> Any:
            for context in get_closing_contexts(this) if get_closing_contexts else ():
                self._watcher.on_context_closing(context)
            result = original(this, *args, **kwargs)
            for context in get_opened_contexts(this, result) if get_opened_contexts else ():
                self._watcher.on_context_opened(context)
            return result

        self._replace_method(owner, name, wrapper)

    def _wrap_async_method(
        self,
        owner: type,
        name: str,
        get_closing_contexts: Callable[[Any], list[Any]] | None = None,
        get_opened_contexts: Callable[[Any, Any], list[Any]] | None = None,
    ) -> None:
        original: Callable[..., Awaitable[Any]] = getattr(owner, name)

        async def wrapper(this: Any, *args: Any, **kwargs: Any) -> Any:
            for context in get_closing_contexts(this) if get_closing_contexts else ():
                await self._watcher.on_context_closing_async(context)
            result = await original(this, *args, **kwargs)
            for context in get_opened_contexts(this, result) if get_opened_contexts else ():
                await self._watcher.on_context_opened_async(context)
            return result

        self._replace_method(owner, name, wrapper)
