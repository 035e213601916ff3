"""Limits console messages: the console of a page that floods it is muted for a while.

The browser creates each console message anew for each session that listens, and the message crosses three processes, so
that a page that floods the console takes twice as long. Only ``Runtime.disable`` stops this at its source, but then the
browser does not report new JavaScript worlds either, and gives them no binding. So the pause ends early when a frame is
added, removed or navigated. On ``Runtime.enable`` the browser repeats its last 1,000 messages, so that a short flood is
recorded completely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.runner import PendingResult
from .cdp_sessions import Params

if TYPE_CHECKING:
    from .target import CdpTarget

_BURST = 1000
"""Messages that a page may write at once."""
_RATE = 0.2
"""Messages a ms that it may write all the time."""
_PAUSE = 5.0
"""Seconds of a pause."""
_PATIENCE = 5.0
"""Seconds between two checks whether a page that does not answer is still there."""
_SAY = 60_000
"""Ms between two gaps that report how many messages were left out."""
_END_PAUSE = frozenset({"Page.frameAttached", "Page.frameNavigated", "Page.frameDetached"})


class ConsoleFloodLimit:
    """The limit on the console messages of one target."""

    def __init__(self, target: CdpTarget) -> None:
        self._target = target
        self.off = False
        """True during a pause: the browser reports no messages and no worlds."""
        self._told: set[int] | None = None
        """Worlds that the browser has reported since the pause ended; None once it has reported all."""
        self._left = float(_BURST)
        self._taken = 0.0
        """When the last recorded message was written, and the last message at all, in Unix ms."""
        self._came = 0.0
        self._dropped = 0
        """Number of messages left out since the last gap, and the ms in which none were received."""
        self._unheard = 0.0
        self._again = 0.0
        """When the first repeated message was written, in Unix ms."""
        self._said = -float(_SAY)
        self._closed = False
        self._hearing = PendingResult()
        self._hearing.set_result()

    def accepts_message(self, params: Params) -> bool:
        """Return whether a console message is to be recorded: False if the page has sent too many in a short time, and
        for a message that the browser only repeats.
        """
        written: float = params["timestamp"]
        if self._target.kit.clock.convert_unix_time(written) < 0:  # Repeated on attaching; from before the recording.
            return False
        if self._told is not None:
            self._again = self._again or written
            if written <= self._taken:
                return False
            if written <= self._came:
                self._dropped -= 1
        else:
            self._left = min(_BURST, self._left + max(0.0, written - self._came) * _RATE) - 1
            if self.off or self._left < 0:
                self._left = max(self._left, 0.0)
                self._dropped += 1
                self._came = max(self._came, written)
                self._start_pause()
                return False
        self._taken, self._came = written, max(self._came, written)
        return True

    def end_pause_on_event(self, method: str, params: Params) -> None:
        """End the pause if this CDP event may create or remove JavaScript worlds."""
        if method in _END_PAUSE or (method == "Network.requestWillBeSent" and params.get("type") == "Document"):
            self.end_pause()

    def remember_reported_world(self, world: int) -> None:
        """Remember the id of a JavaScript world that the browser reports while the console is being enabled again."""
        if self._told is not None:
            self._told.add(world)

    def end_pause(self) -> PendingResult:
        """End the pause, and return a pending result that is set when the browser has repeated its messages and its
        JavaScript worlds.
        """
        if self.off and not self._closed:
            self.off, self._told, self._again = False, set(), 0.0
            kit = self._target.kit
            self._hearing = kit.runner.spawn(
                kit.wrap_to_report_errors("console", self._enable_console(self._told, self._came))
            )
        return self._hearing

    def _start_pause(self) -> None:
        if not self.off and not self._closed:
            self.off = True
            kit = self._target.kit
            kit.runner.spawn(kit.wrap_to_report_errors("console", self._disable_console()))

    async def _disable_console(self) -> None:
        await self._target.link.send("Runtime.disable")
        await self._target.kit.runner.wait([], _PAUSE)
        self.end_pause()

    async def _enable_console(self, reported_worlds: set[int], pause_began: float) -> None:
        target, known = self._target, set(self._target.contexts)
        slots = [
            target.kit.runner.spawn(work)
            for work in (target.link.send("Runtime.enable"), target.add_injector_binding())
        ]
        while not await target.kit.runner.wait(slots, _PATIENCE):
            if self._closed:
                return
        self._told = None
        for slot in slots:
            if slot.error is not None:
                raise slot.error
        target.drop_other_worlds(reported_worlds)
        if reported_worlds - known:
            await target.run_script_where_missing()
        if self._again > pause_began or not self._again:
            self._unheard += max(0.0, (self._again or target.kit.clock.now_unix()) - pause_began)
        self.write_dropped_messages_gap(_SAY)

    def write_dropped_messages_gap(self, min_interval: float = 0.0) -> None:
        """Write a gap event with the number of dropped console messages, unless one was written less than ``min_interval`` ms
        ago.
        """
        now = self._target.kit.clock.now()
        if now - self._said < min_interval or not (self._dropped or self._unheard):
            return
        lines = [f"{self._dropped:,} lines"] if self._dropped else []
        unheard = [f"those of {self._unheard / 1000:.1f} s"] if self._unheard else []
        fields: Params = {"page": self._target.tap.record.number}
        if not unheard:
            fields["count"] = self._dropped
        fields["detail"] = f"more came on the console than is taken in: {' and '.join(lines + unheard)} are left out"
        self._target.kit.writer.enqueue_call(self._target.kit.writer.write_gap, "overload", fields)
        self._dropped, self._unheard, self._said = 0, 0.0, now

    def close(self) -> None:
        """Write the gap event for the messages that were dropped last, when the target is closed."""
        self._closed = True
        if self.off:
            self._unheard += max(0.0, self._target.kit.clock.now_unix() - self._came)
        self.write_dropped_messages_gap()
