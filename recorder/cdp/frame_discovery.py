"""Finds the out-of-process frames of a page, and opens a CDP session for each.

``Target.setAutoAttach`` would open these sessions, but it fails beside another client that uses it, as Playwright does:
when a second client begins, Chromium compares the targets of all clients with the present frames, and misses a frame
whose document is about to be committed. Playwright then loses the session on which it would have resumed that frame;
the frame waits for ever, and with it the load of the page. Listening for new targets, and attaching to each by its id,
has no such effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.closed_targets import is_closed_target_error
from .cdp_sessions import CdpSession, Params

if TYPE_CHECKING:
    from .cdp_connection import CdpPageConnection

_IFRAMES = [{"type": "iframe"}, {"exclude": True}]


class FrameTargetDiscovery:
    """Finds the CDP targets of one page's out-of-process iframes, and attaches to each when the browser creates it,
    before its document is committed.
    """

    def __init__(self, tap: CdpPageConnection) -> None:
        self._tap = tap
        self._link: CdpSession | None = None
        self._known: set[str] = set()
        """The frames of this page, its main frame among them."""
        self._strays: dict[str, list[str]] = {}
        """Targets of frames whose parent is not yet known to belong to this page, by parent frame."""

    async def start_discovery(self, cdp_session: CdpSession) -> Params:
        """Make the browser report to the page's session all iframes that have a target of their own, also those of
        other pages.
        """
        self._link = cdp_session
        return await cdp_session.send("Target.setDiscoverTargets", {"discover": True, "filter": _IFRAMES})

    def add_frame(self, frame: str, parent: str | None) -> None:
        """Add a frame of this page. ``parent``: the id of its parent frame, None for the main frame."""
        if parent is not None:
            self._tap.frames.parents[frame] = parent
        self._known.add(frame)
        for target in self._strays.pop(frame, ()):
            self._schedule_attach(target, frame)

    def on_target_created(self, info: Params) -> None:
        """Handle a ``Target.targetCreated`` event. The id of a frame's target is the frame's id."""
        target, parent = info["targetId"], info.get("parentFrameId")
        if info.get("type") != "iframe" or parent is None:
            return
        if parent in self._known:
            self._schedule_attach(target, parent)
        else:
            self._strays.setdefault(parent, []).append(target)

    def on_target_destroyed(self, target: str) -> None:
        """Handle a ``Target.targetDestroyed`` event."""
        for parent, targets in list(self._strays.items()):
            if target in targets:
                targets.remove(target)
                if not targets:
                    del self._strays[parent]

    def forget_frame(self, frame: str) -> None:
        """Stop tracking an iframe that was removed from its page."""
        self._known.discard(frame)
        self._tap.frames.parents.pop(frame, None)

    def _schedule_attach(self, target: str, parent: str) -> None:
        self.add_frame(target, parent)
        self._tap.kit.runner.spawn(self._tap.kit.wrap_to_report_errors("frame", self._attach_to_target(target)))

    async def _attach_to_target(self, target: str) -> None:
        if self._link is None:
            return
        try:
            await self._link.send("Target.attachToTarget", {"targetId": target, "flatten": False})
        except Exception as error:
            if not is_closed_target_error(error):
                raise
            self._tap.write_lost_iframe_gap()
