"""Playwright's events of one page, heard so that nothing of ours can go wrong in the caller's hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .transport import Kit

Handler = Callable[[Any], None]


class PageEvents:
    """What one page's events are handed to, until :meth:`leave`."""

    def __init__(self, kit: Kit, page: Any) -> None:
        self._kit = kit
        self._page = page
        self._heard: list[tuple[str, Handler]] = []

    def listen(self, handlers: Mapping[str, Handler]) -> None:
        """Hear of these events from now on."""
        for name, handler in handlers.items():
            safe = self.safe(name, handler)
            self._page.on(name, safe)
            self._heard.append((name, safe))

    def leave(self) -> None:
        """Hear of no more."""
        for name, handler in self._heard:
            self._page.remove_listener(name, handler)
        self._heard.clear()

    def safe(self, name: str, handler: Handler) -> Handler:
        """Return the handler with its errors turned into a gap: a raise would surface in the caller's next Playwright call."""

        def safe(subject: Any) -> None:
            try:
                handler(subject)
            except Exception as error:
                self._kit.writer.trouble(name, error)

        return safe
