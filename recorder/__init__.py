"""Record a Playwright run into a reel.

>>> with record(context, "run.reel", agent="checkout-bot") as session:  # doctest: +SKIP
...     page = context.new_page()
...     with session.step("Open the shop"):
...         page.goto("https://shop.example")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack, overload

from .agent import Agent, Step, find_line_that_raised
from .ingest.writer_thread import RecorderWarning
from .model_log import ModelAnswer, ModelCall, ModelHttpExchange, ModelRequest, ToolCallResult, ToolUse
from .runtime.json_conversion import to_json
from .runtime.options import Options, RecordOptions
from .runtime.own_calls import OwnCalls
from .runtime.recordable import to_recordable
from .runtime.runner import PendingResult, choose_runner, run_as_own_call
from .runtime.trace_context import VARIABLE as TRACE_VARIABLE
from .session import AsyncSession, MarkTime, Session, Stats, SyncSession, get_active_session

if TYPE_CHECKING:
    import playwright.async_api as a
    import playwright.sync_api as s

__all__ = [
    "TRACE_VARIABLE",
    "Agent",
    "AsyncSession",
    "MarkTime",
    "ModelAnswer",
    "ModelCall",
    "ModelHttpExchange",
    "ModelRequest",
    "Options",
    "OwnCalls",
    "PendingResult",
    "RecordOptions",
    "RecorderWarning",
    "Session",
    "Stats",
    "Step",
    "SyncSession",
    "ToolCallResult",
    "ToolUse",
    "choose_runner",
    "find_line_that_raised",
    "get_active_session",
    "record",
    "run_as_own_call",
    "to_json",
    "to_recordable",
]


@overload
def record(
    target: s.BrowserContext | s.Page | s.Browser | None, path: str | os.PathLike[str], **options: Unpack[RecordOptions]
) -> SyncSession: ...
@overload
def record(
    target: a.BrowserContext | a.Page | a.Browser, path: str | os.PathLike[str], **options: Unpack[RecordOptions]
) -> AsyncSession: ...
def record(target: object, path: str | os.PathLike[str], **options: Unpack[RecordOptions]) -> Session:
    """Record a sync or async ``BrowserContext``, ``Page`` or ``Browser`` into the reel at ``path``. With
    ``target=None`` the run has no browser, and the reel holds only what the agent reports.

    Pages that are already open are recorded from the start of the session; new pages, popups and frames are added
    automatically. The popups of a recorded ``Page`` are recorded too. ``path`` may be an address that fsspec knows
    (``s3://…``): the reel is written on this disk and uploaded when it is closed. Options: see :class:`Options`.

    Raises :class:`pagereel.errors.UsageError` for a wrong target, a closed one, one that is recorded already, an
    unknown option, or a path that cannot be written (the last three when the session starts). Afterwards no error of
    the recorder reaches the caller: it becomes a ``gap`` event and one :class:`RecorderWarning`.
    """
    given = Options.from_keywords(options)
    found = to_recordable(target)
    found.raise_if_closed()
    return (AsyncSession if found.is_async else SyncSession)(found, os.fspath(path), given)
