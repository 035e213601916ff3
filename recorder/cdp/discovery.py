"""Out-of-process frames: which of the browser's belong to a page, and a session of ours for each.

``Target.setAutoAttach`` would give these sessions, but not beside another client that uses it, as Playwright does: whenever a
second one begins, Chromium compares the targets of all clients with the frames that are there, and a frame whose document is
just about to be committed is not. Playwright then loses the session on which it would have let that frame go on, and
the frame, and with it the page's load, waits for ever. To be told of targets, and to attach to one by its id, disturbs nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.closed_targets import gone
from .links import Link, Params

if TYPE_CHECKING:
    from .tap import CdpTap

_IFRAMES = [{"type": "iframe"}, {"exclude": True}]


class Discovery:
    """The targets of one page's out-of-process frames, met when the browser makes them, before their documents are committed."""

    def __init__(self, tap: CdpTap) -> None:
        self._tap = tap
        self._link: Link | None = None
        self._known: set[str] = set()
        """The frames of this page, its main frame among them."""
        self._strays: dict[str, list[str]] = {}
        """Of frames that are not known to be of this page: the targets of frames in them."""

    async def begin(self, link: Link) -> Params:
        """Let the browser tell the page's session of the frames that have a target now or will have one, whichever page they are in."""
        self._link = link
        return await link.send("Target.setDiscoverTargets", {"discover": True, "filter": _IFRAMES})

    def know(self, frame: str, parent: str | None) -> None:
        """Take in a frame of this page; ``parent`` is None for the main frame."""
        if parent is not None:
            self._tap.frames.parents[frame] = parent
        self._known.add(frame)
        for target in self._strays.pop(frame, ()):
            self._attach(target, frame)

    def met(self, info: Params) -> None:
        """Take in a ``Target.targetCreated``. The id of a frame's target is the frame's."""
        target, parent = info["targetId"], info.get("parentFrameId")
        if info.get("type") != "iframe" or parent is None:
            return
        if parent in self._known:
            self._attach(target, parent)
        else:
            self._strays.setdefault(parent, []).append(target)

    def destroyed(self, target: str) -> None:
        """Take in a ``Target.targetDestroyed``."""
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
