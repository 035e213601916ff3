"""Checks and holds the Playwright object that ``record()`` was given."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from pagereel.errors import UsageError

_KINDS = {"Browser": "browser", "BrowserContext": "context", "Page": "page"}


@dataclass(frozen=True, slots=True)
class Recordable:
    """The target of a recording: a Browser, BrowserContext or Page of Playwright, or the kind `nothing` for a run
    without a browser.
    """

    object: Any
    kind: str
    """``browser``, ``context``, ``page``; ``nothing``: a run without a browser."""
    is_async: bool

    @property
    def browser(self) -> Any:
        """Return the Browser of the object; None for a persistent context in some releases of Playwright, and for a run
        without a browser.
        """
        if self.kind in ("browser", "nothing"):
            return self.object
        return self.context.browser

    @property
    def context(self) -> Any:
        return self.object.context if self.kind == "page" else self.object

    @property
    def contexts(self) -> list[Any]:
        """Return the open contexts."""
        if self.kind == "nothing":
            return []
        return list(self.object.contexts) if self.kind == "browser" else [self.context]

    def raise_if_closed(self) -> None:
        """Raise :class:`UsageError` if the object is closed."""
        closed = False
        if self.kind == "page":
            closed = self.object.is_closed()
        browser = self.browser
        if browser is not None:
            closed = closed or not browser.is_connected()
            closed = closed or (self.kind != "browser" and self.context not in browser.contexts)
        if closed:
            raise UsageError(f"This {self.kind} is closed; call record() on an open one.")


def to_recordable(target: object) -> Recordable:
    """Return the target as a :class:`Recordable`, with its kind and whether its API is sync or async; None stands for a
    run without a browser. Raises :class:`UsageError` for anything but a Browser, BrowserContext or Page.
    """
    if target is None:
        return Recordable(None, "nothing", False)
    for module, is_async in (("playwright.sync_api", False), ("playwright.async_api", True)):
        api = sys.modules.get(module)  # an object of this API can only exist if its module was imported
        if api is None:
            continue
        for name, kind in _KINDS.items():
            if isinstance(target, getattr(api, name)):
                return Recordable(target, kind, is_async)
    given = f"{type(target).__module__}.{type(target).__qualname__}"
    raise UsageError(f"record() takes a Playwright BrowserContext, Page or Browser, not {given}.")


_recorded: WeakSet[Any] = WeakSet()


def claim_target(target: Recordable) -> None:
    """Reserve a browser, context or page for this recording. Raises :class:`UsageError` if another recording has it,
    unless this recording is shared.
    """
    if target.kind == "nothing":
        return
    taken = [target.object, target.browser] if target.kind != "browser" else [target.object, *target.contexts]
    if target.kind == "page":
        taken.append(target.context)
    elif target.kind == "context":
        taken.extend(target.context.pages)
    else:
        taken.extend(page for context in target.contexts for page in context.pages)
    if any(item is not None and item in _recorded for item in taken):
        raise UsageError(
            f"This {target.kind} is being recorded already; end that recording first, or add to its session."
        )
    _recorded.add(target.object)


def release_target(target: Recordable) -> None:
    if target.object is not None:
        _recorded.discard(target.object)
