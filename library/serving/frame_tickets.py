"""Access tickets for replays that a page of the library shows in an iframe of another origin.

There a replay's script can reach neither the pages nor the API.

A page issues a ticket and puts its name into the iframe's address. The ticket gives access to one replay, under one
policy, for some hours.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from pagereel.library.catalogue import CatalogueEntry

from .roles import Caller

HOURS: Final = 12
_MOST: Final = 5_000


@dataclass(frozen=True, slots=True)
class FrameTicket:
    """The right of one caller to see one replay in an iframe.

    `beside`: the second run, where the replay compares two. `until`: the time at which it expires, in seconds of the
    machine's monotonic clock.
    """

    caller: Caller
    entry: CatalogueEntry
    policy: str | None
    reason: str | None
    until: float
    beside: CatalogueEntry | None = None
    live: bool = False
    """The recording is under way: `entry` has its place."""


class FrameTickets:
    """The tickets that were issued. They are kept only in memory: a restart ends them all."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, FrameTicket] = OrderedDict()
        self._guard = threading.Lock()

    def issue_ticket(
        self,
        caller: Caller,
        entry: CatalogueEntry,
        policy: str | None,
        reason: str | None,
        second_run: CatalogueEntry | None = None,
        *,
        live: bool = False,
    ) -> str:
        """Issue a new ticket. Return its name."""
        name = secrets.token_urlsafe(24)
        with self._guard:
            self._held[name] = FrameTicket(
                caller, entry, policy, reason, time.monotonic() + HOURS * 3_600, second_run, live
            )
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return name

    def get_ticket(self, name: str) -> FrameTicket | None:
        """Return a valid ticket; None where there is none of this name."""
        with self._guard:
            found = self._held.get(name)
        return found if found is not None and found.until > time.monotonic() else None


def build_frame_security_policy(pages: str) -> str:
    """Return the content security policy that a replay gets in addition to its own. `pages`: the origins whose pages
    may frame it.
    """
    return f"frame-ancestors {pages}; sandbox allow-scripts allow-same-origin allow-downloads"
