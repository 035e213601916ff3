"""The interface between a recording and a transport (CDP or binding) to its pages."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..runtime.clock import Clock
from ..runtime.injector_script import InjectorScript
from ..runtime.options import Options
from ..runtime.runner import Runner, Work
from .documents import RecordedDocuments
from .network_event_writer import NetworkEventWriter
from .screen_store import ScreenStore
from .screenshots import ScreenshotStore
from .script_requests import ScriptCommand
from .script_source import ScriptSource
from .writer_thread import WriterThread


@dataclass(slots=True, eq=False)
class RecordingServices:
    """The objects of one recording that all its parts use: the writer, the clock, the options, and the like."""

    runner: Runner
    writer: WriterThread
    clock: Clock
    options: Options
    script: InjectorScript
    documents: RecordedDocuments
    network: NetworkEventWriter
    screens: ScreenshotStore
    track: ScreenStore
    traceparent: str = ""
    """The header value that names this recording to servers."""

    def update_sampling_pace(self, source: ScriptSource) -> int | None:
        """Return the new factor by which a source must sample less often; None if the factor has not changed."""
        if source.pace == self.writer.pace:
            return None
        source.pace = self.writer.pace
        return source.pace

    def wrap_to_report_errors(self, activity: str, coroutine: Coroutine[Any, Any, Any]) -> Coroutine[Any, Any, bool]:
        """Return a coroutine that awaits `coroutine`, writes a gap event if it raises, and returns whether it raised
        nothing.
        """

        async def run_guarded() -> bool:
            try:
                await coroutine
            except Exception as error:
                self.writer.report_error(activity, error)
                return False
            return True

        return run_guarded()


@dataclass(slots=True, eq=False)
class PageRecord:
    """One page (tab) of the recording."""

    number: int
    page: Any
    """Playwright's Page, sync or async."""
    early: bool
    """The page was open before the recording began."""
    tap: PageConnection | None = None
    closed: bool = False
    attached: Any = None
    """The pending work that attaches to the page."""
    sources: dict[ScriptSource, Any] = field(default_factory=dict)


class PageConnection(Protocol):
    """A connection to one page. Its coroutines may hang when the page does, so callers limit their time."""

    async def attach(self) -> None:
        """Install the script in all frames, now and in every later document."""

    def call_script_method(self, method: str) -> list[tuple[ScriptSource, Work]]:
        """Call ``flush``, ``checkpoint`` or ``stop`` of the script in each frame. Return one coroutine per frame, to be
        run in parallel; each returns whether the call succeeded.
        """

    async def send_script_command(self, source: ScriptSource, command: ScriptCommand) -> None:
        """Send a request to the script of one document. A request that this transport cannot fulfil is ignored."""

    async def read_text_positions(self) -> dict[ScriptSource, str]:
        """Return the present positions of readable text, as the script of each frame reports them; {} if they are
        unknown.
        """

    async def wait_for_bodies(self) -> None:
        """Wait for the response bodies that are being fetched."""

    async def detach(self) -> None:
        """Remove the recorder from the page, and leave the page as it would be without it."""

    def handle_page_end(self) -> None:
        """Handle the end of a page that was closed or crashed, from which nothing more comes."""


class Transport(Protocol):
    """A way to run the script in pages and to receive its messages: over CDP, or through a binding."""

    async def install_script(self, context_or_page: Any) -> None:
        """Install what pages need in `context_or_page` (a context, or a page recorded alone), before its pages are attached."""

    def connect_page(self, page_record: PageRecord) -> PageConnection:
        """Return the connection to one page, not yet attached."""

    async def remove_script(self) -> None:
        """Remove what :meth:`install_script` installed."""
