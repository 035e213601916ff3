"""Finds the out-of-process frames of a page, and opens a CDP session for each.

``Target.setAutoAttach`` would open these sessions, but it fails beside another client that uses it, as Playwright does:
when a second client begins, Chromium compares the targets of all clients with the present frames, and misses a frame
whose document is about to be committed. Playwright then loses the session on which it would have resumed that frame;
the frame waits for ever, and with it the load of the page. Listening for new targets, and attaching to each by its id,
has no such effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.closed_targets import gone
from .links import Link, Params

if TYPE_CHECKING:
    from .tap import CdpTap

_IFRAMES = [{"type": "iframe"}, {"exclude": True}]


class Discovery:
    """The list of the targets of one page's out-of-process frames. Each is attached when the browser creates it, before
    its document is committed.
    """

    def __init__(self, tap: CdpTap) -> None:
        self._tap = tap
        self._link: Link | None = None
        self._known: set[str] = set()
        """The frames of this page, its main frame among them."""
        self._strays: dict[str, list[str]] = {}
        """Targets of frames whose parent is not yet known to belong to this page, by parent frame."""

    async def begin(self, link: Link) -> Params:
        """Make the browser report all frames that have a target of their own, also those of other pages, to the page's
        session.
        """
        self._link = link
        return await link.send("Target.setDiscoverTargets", {"discover": True, "filter": _IFRAMES})

    def know(self, frame: str, parent: str | None) -> None:
        """Add a frame of this page. ``parent``: the id of its parent frame, None for the main frame."""
        if parent is not None:
            self._tap.frames.parents[frame] = parent
        self._known.add(frame)
        for target in self._strays.pop(frame, ()):
            self._attach(target, frame)

    def met(self, info: Params) -> None:
        """Handle a ``Target.targetCreated`` event. The id of a frame's target is the frame's id."""
        target, parent = info["targetId"], info.get("parentFrameId")
        if info.get("type") != "iframe" or parent is None:
            return
        if parent in self._known:
            self._attach(target, parent)
        else:
            self._strays.setdefault(parent, []).append(target)

    def destroyed(self, target: str) -> None:
        """Handle a ``Target.targetDestroyed`` event."""
        for parent, targets in list(self._strays.items()):
            if target in targets:
                targets.remove(target)
                if not targets:
                    del self._strays[parent]

    def detached(self, frame: str) -> None:
        """Forget a frame that was removed from its page."""
        self._known.discard(frame)
        self._tap.frames.parents.pop(frame, None)

    def _attach(self, target: str, parent: str) -> None:
        self.know(target, parent)
        self._tap.kit.runner.spawn(self._tap.kit.guard("frame", self._open(target)))

    async def _open(self, target: str) -> None:
        if self._link is None:
            return
        try:
            await self._link.send("Target.attachToTarget", {"targetId": target, "flatten": False})
        except Exception as error:
            if not gone(error):
                raise
            self._tap.note_lost_frame()
