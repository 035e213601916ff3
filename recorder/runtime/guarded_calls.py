"""Calls methods of values that the caller gave, which may raise, return anything, or never end."""

from __future__ import annotations

import dis
import sys
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 0.5
"""Seconds that the methods of one value may take together."""


class _CallTimeout(BaseException):
    pass


class CallTimeLimit:
    """Limits the time that calls of the methods of one value, and of the values inside it, may take together."""

    def __init__(self, seconds: float | None = None) -> None:
        self._left = PATIENCE if seconds is None else seconds

    def call(self, method: Callable[..., T], *given: Any) -> T | None:
        """Return a method's result; None if it raises or takes too long. All exceptions are suppressed, except Ctrl-C."""
        if self._left <= 0:
            return None
        began = time.perf_counter()
        until, here, before = began + self._left, sys._getframe(), sys.gettrace()

        # Only a trace function can end a loop in the caller's code: Python calls it at each line, and it may raise.
        def raise_when_too_late(frame: FrameType, event: str, argument: object) -> Any:
            if time.perf_counter() > until and _is_interruptible_frame(frame, here):
                raise _CallTimeout
            return raise_when_too_late

        try:
            sys.settrace(raise_when_too_late)
            try:
                return method(*given)
            finally:
                sys.settrace(before)  # This comes first: what follows is not the caller's code, and must not be ended.
        except KeyboardInterrupt as error:
            if not _is_from_raise_statement(error.__traceback__):
                raise
            return None
        except BaseException:
            return None
        finally:
            self._left -= time.perf_counter() - began


def _is_interruptible_frame(frame: FrameType | None, caller_frame: FrameType) -> bool:
    """Return whether a frame was called from `caller_frame` and may be interrupted. A greenlet of Playwright's that runs
    meanwhile was not called from there, and an interrupted import would keep its lock.
    """
    while frame is not None and frame is not caller_frame:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return False
        frame = frame.f_back
    return frame is caller_frame


def _is_from_raise_statement(trace: TracebackType | None) -> bool:
    """Return whether an exception comes from a ``raise`` statement; Ctrl-C does not."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"
