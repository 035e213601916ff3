"""What a page's console may cost: past so many lines the browser is asked for no more of them, and again after a pause.

The browser makes a line anew for each session that hears the console, and the line crosses three processes: a page that floods it is
slowed by half. Ending that at its source takes ``Runtime.disable``, with which the browser tells nothing of new worlds either, and
gives them no binding. So everything is on again before the pause is over where a frame comes, goes or is navigated. On
``Runtime.enable`` the browser tells its last 1,000 lines once more, so that nothing of a short flood is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.runner import Pending
from .links import Params

if TYPE_CHECKING:
    from .target import Target

_BURST = 1000
"""Lines that a page may write at once."""
_RATE = 0.2
"""Lines a ms that it may write all the time."""
_PAUSE = 5.0
"""Seconds for which the browser is asked for no lines."""
_PATIENCE = 5.0
"""Seconds between two looks at whether a page that does not answer is still there."""
_SAY = 60_000
"""Ms between two gaps that say how much was left out."""
_WAKES = frozenset({"Page.frameAttached", "Page.frameNavigated", "Page.frameDetached"})


class Flood:
    """Whether one target's lines are heard."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.off = False
        """The browser is asked for no lines, and tells of no worlds."""
        self._told: set[int] | None = None
        """Worlds that the browser told of since it was asked for lines again, until it has told all."""
        self._left = float(_BURST)
        self._taken = 0.0
        """When the last line that was taken in was written, in Unix ms, and the last one that came at all."""
        self._came = 0.0
        self._dropped = 0
        """Lines that came and were left out since the last gap; and the ms of which no line came."""
        self._unheard = 0.0
        self._again = 0.0
        """When the first line was written that the browser told again."""
        self._said = -float(_SAY)
        self._closed = False
        self._hearing = Pending()
        self._hearing.set()

    def takes(self, params: Params) -> bool:
        """Return whether a line is taken in."""
        written: float = params["timestamp"]
        if self._target.kit.clock.of_unix(written) < 0:  # Told on attaching; from before the recording.
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
                self._end()
                return False
        self._taken, self._came = written, max(self._came, written)
        return True

    def wakes(self, method: str, params: Params) -> None:
        """Hear everything again where an event says that worlds come or go, or soon will."""
        if method in _WAKES or (method == "Network.requestWillBeSent" and params.get("type") == "Document"):
            self.hear()

    def met(self, world: int) -> None:
        """Note a world that the browser told of."""
        if self._told is not None:
            self._told.add(world)

    def hear(self) -> Pending:
        """Have the browser tell of lines and worlds again; done when it has told what there is."""
        if self.off and not self._closed:
            self.off, self._told, self._again = False, set(), 0.0
            kit = self._target.kit
            self._hearing = kit.runner.spawn(kit.guard("console", self._hear(self._told, self._came)))
        return self._hearing

    def _end(self) -> None:
        if not self.off and not self._closed:
            self.off = True
            kit = self._target.kit
            kit.runner.spawn(kit.guard("console", self._pause()))

    async def _pause(self) -> None:
        await self._target.link.send("Runtime.disable")
        await self._target.kit.runner.wait([], _PAUSE)
        self.hear()

    async def _hear(self, told: set[int], came: float) -> None:
        target, known = self._target, set(self._target.contexts)
        slots = [target.kit.runner.spawn(work) for work in (target.link.send("Runtime.enable"), target.add_binding())]
        while not await target.kit.runner.wait(slots, _PATIENCE):
            if self._closed:
                return
        self._told = None
        for slot in slots:
            if slot.error is not None:
                raise slot.error
        target.keep(told)
        if told - known:
            await target.begin_late()
        if self._again > came or not self._again:
            self._unheard += max(0.0, (self._again or target.kit.clock.unix()) - came)
        self.say(_SAY)

    def say(self, every: float = 0.0) -> None:
        """Say what was left out, where that was not said in so many ms."""
        now = self._target.kit.clock.now()
        if now - self._said < every or not (self._dropped or self._unheard):
            return
        lines = [f"{self._dropped:,} lines"] if self._dropped else []
        unheard = [f"those of {self._unheard / 1000:.1f} s"] if self._unheard else []
        fields: Params = {"page": self._target.tap.record.number}
        if not unheard:
            fields["count"] = self._dropped
        fields["detail"] = f"more came on the console than is taken in: {' and '.join(lines + unheard)} are left out"
        self._target.kit.writer.put(self._target.kit.writer.gap, "overload", fields)
        self._dropped, self._unheard, self._said = 0, 0.0, now

    def close(self) -> None:
        """Say what is left to say of a target that is gone."""
        self._closed = True
        if self.off:
            self._unheard += max(0.0, self._target.kit.clock.unix() - self._came)
        self.say()
