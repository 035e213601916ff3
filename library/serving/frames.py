"""Replays for a frame of another origin. A replay is a program with a recording in it: where it runs it reaches neither the pages nor the API.

The pages give out tickets: who has one sees one replay, under the policy for which it was given out, for some hours.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from pagereel.library.catalogue import Entry

from .roles import Caller

HOURS: Final = 12
_MOST: Final = 5_000


@dataclass(frozen=True, slots=True)
class Ticket:
    """What may be seen, and by whom. `beside`: the run that is shown beside it. `until`: seconds of the machine's clock that only goes on."""

    caller: Caller
    entry: Entry
    policy: str | None
    reason: str | None
    until: float
    beside: Entry | None = None
    live: bool = False
    """The recording is being made: `entry` says where."""


class Tickets:
    """Those that were given out. They are kept in memory alone: a restart ends them all."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, Ticket] = OrderedDict()
        self._guard = threading.Lock()

    def give(
        self,
        caller: Caller,
        entry: Entry,
        policy: str | None,
        reason: str | None,
        beside: Entry | None = None,
        *,
        live: bool = False,
    ) -> str:
        """Return a new ticket."""
        name = secrets.token_urlsafe(24)
        with self._guard:
            self._held[name] = Ticket(caller, entry, policy, reason, time.monotonic() + HOURS * 3_600, beside, live)
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return name

    def of(self, name: str) -> Ticket | None:
        """Return a ticket that holds."""
        with self._guard:
            found = self._held.get(name)
        return found if found is not None and found.until > time.monotonic() else None


def frame_policy(pages: str) -> str:
    """Return the policy that a replay gets beside its own. `pages`: the origins whose pages may frame it."""
    return f"frame-ancestors {pages}; sandbox allow-scripts allow-same-origin allow-downloads"
