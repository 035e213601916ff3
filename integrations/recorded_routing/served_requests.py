"""Lists the requests that were answered from a recording, and those that could not be answered."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field


class WorldWarning(UserWarning):
    """The warning that a recording could not answer a request, issued once for each call of
    :func:`pagereel.route_from_reel`.
    """


@dataclass(frozen=True, slots=True)
class ServedRequest:
    """A request that was answered from the recording, and the id of the recorded request whose response it got."""

    method: str
    url: str
    id: int | str


@dataclass(frozen=True, slots=True)
class UnmatchedRequest:
    """A request that the recording could not answer, with the reason in one sentence."""

    method: str
    url: str
    why: str


@dataclass(slots=True)
class Served:
    """The lists of answered and unanswered requests, as :func:`pagereel.route_from_reel` returns them.

    The lists grow while the context makes requests.
    """

    served: list[ServedRequest] = field(default_factory=list)
    """Requests that were answered, in order."""
    unmatched: list[UnmatchedRequest] = field(default_factory=list)
    """Requests that were not answered, in order; with ``unmatched="network"`` these went to the network."""
    _warned: bool = False

    def miss(self, method: str, url: str, why: str) -> None:
        """Add a request that the recording could not answer, and issue a warning about the first one."""
        self.unmatched.append(UnmatchedRequest(method, url, why))
        if not self._warned:
            self._warned = True
            warnings.warn(f"The recording has no answer to {method} {url}: {why}", WorldWarning, stacklevel=2)
