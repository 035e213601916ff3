"""The seam between the recording and the way into a page: one interface.

It has two implementations: :mod:`..cdp.tap` and :mod:`..binding.tap`.
"""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..runtime.clock import Clock
from ..runtime.options import Options
from ..runtime.runner import Runner, Work
from ..runtime.script import RecorderScript
from .documents import Documents
from .network import NetworkEvents
from .requests import Request
from .screen_track import Track
from .screens import ScreenshotStore
from .sources import ScriptSource
from .writer import Writer


@dataclass(slots=True, eq=False)
class Kit:
    """What every part of one recording shares."""

    runner: Runner
    writer: Writer
    clock: Clock
    options: Options
    script: RecorderScript
    documents: Documents
    network: NetworkEvents
    screens: ScreenshotStore
    track: Track
    traceparent: str = ""
    """What names this recording to servers that its trace is handed on to."""

    def pace(self, source: ScriptSource) -> int | None:
        """Return how many times less often this source should sample from now on; None when it knows."""
        if source.pace == self.writer.pace:
            return None
        source.pace = self.writer.pace
        return source.pace

    def guard(self, where: str, work: Coroutine[Any, Any, Any]) -> Coroutine[Any, Any, bool]:
        """Return the coroutine with its errors turned into a gap: it gives whether there was none."""

        async def guarded() -> bool:
            try:
                await work
            except Exception as error:
                self.writer.trouble(where, error)
                return False
            return True

        return guarded()


@dataclass(slots=True, eq=False)
class PageRecord:
    """One page (tab) of the recording."""

    number: int
    page: Any
    """Playwright's Page, sync or async."""
    early: bool
    """It was open before the recording began."""
    tap: Tap | None = None
    closed: bool = False
    attached: Any = None
    """Pending of the work that attaches to it."""
    sources: dict[ScriptSource, Any] = field(default_factory=dict)


class Tap(Protocol):
    """A connection to one page. Its coroutines may hang when the page does: callers limit their time."""

    async def attach(self) -> None:
        """Install the script in all frames, now and in every later document."""

    def call(self, method: str) -> list[tuple[ScriptSource, Work]]:
        """Return calls of ``flush``, ``checkpoint`` or ``stop`` of the script, one a frame, to be started side by side: each gives whether it did not fail."""

    async def ask(self, source: ScriptSource, request: Request) -> None:
        """Make a request of the script of one document; one that this way into pages cannot make is left."""

    async def places(self) -> dict[ScriptSource, str]:
        """Return where what can be read stands now, as the script of each frame says it; nothing where that cannot be known."""

    async def drain(self) -> None:
        """Wait for the response bodies that are under way."""

    async def detach(self) -> None:
        """Leave the page as it would be without us."""

    def gone(self) -> None:
        """Take leave of a page that is closed or crashed: nothing more will come from it."""


class Transport(Protocol):
    """A way into pages."""

    async def prepare(self, owner: Any) -> None:
        """Before the pages of a context, or a page recorded alone, are attached."""

    def tap(self, record: PageRecord) -> Tap:
        """Return the connection to one page, not attached yet."""

    async def leave(self) -> None:
        """Undo :meth:`prepare`."""
