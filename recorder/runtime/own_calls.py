"""Marks the Playwright calls of the recorder itself, so that they are not recorded."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar

_ours: ContextVar[bool] = ContextVar("pagereel_ours", default=False)
"""Set while the recorder itself calls Playwright."""


class OwnCalls:
    """A context manager around the recorder's own Playwright calls, so that they are not recorded as calls of the
    script.
    """

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _ours.set(True)

    def __exit__(self, *_: object) -> None:
        # If the block ends in another context, the token is invalid, and the first context is gone with it.
        with contextlib.suppress(ValueError):
            _ours.reset(self._token)


def is_own_call() -> bool:
    """Return whether the running Playwright call is one of the recorder's own."""
    return _ours.get()
