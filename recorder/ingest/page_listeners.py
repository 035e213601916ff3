"""Listens to Playwright's events of one page, with handlers whose errors do not reach the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .transport import RecordingServices

Handler = Callable[[Any], None]


class PageEventListeners:
    """Listens to Playwright's events of one page."""

    def __init__(self, kit: RecordingServices, page: Any) -> None:
        self._kit = kit
        self._page = page
        self._heard: list[tuple[str, Handler]] = []

    def start_listening(self, handlers: Mapping[str, Handler]) -> None:
        """Start listening to these events."""
        for name, handler in handlers.items():
            safe = self.make_handler_safe(name, handler)
            self._page.on(name, safe)
            self._heard.append((name, safe))

    def stop_listening(self) -> None:
        """Stop listening."""
        for name, handler in self._heard:
            self._page.remove_listener(name, handler)
        self._heard.clear()

    def make_handler_safe(self, name: str, handler: Handler) -> Handler:
        """Return a handler that turns its errors into a gap; an exception would surface in the caller's next Playwright
        call.
        """

        def call_handler_safely(subject: Any) -> None:
            try:
                handler(subject)
            except Exception as error:
                self._kit.writer.report_error(name, error)

        return call_handler_safely
