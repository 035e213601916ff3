"""Live views: who may see a recording under way and how, the log's lines, and the stream of the API."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from .roles import SHOWN
from .route import REASON, ApiRequest, ApiResponse, Endpoint, json_response
from .worker import RefusedError

if TYPE_CHECKING:
    from pagereel.library.intake import ActiveRecording

    from .frames import Ticket
    from .roles import Caller

STREAM: Final = "text/event-stream"
_HERE: Final = ("127.0.0.1", "::1", "localhost")
MASKED: Final = "strict"
"""The policy for all who may not see a recording under way unmasked: it masks by structure alone."""


def live_policy(asked: ApiRequest) -> str | None:
    """Return the policy under which this caller sees a recording under way; None: unmasked, which is only for requests
    from this machine.
    """
    return None if asked.policy is None and is_local(asked) else MASKED


def is_local(asked: ApiRequest) -> bool:
    """Return whether a request comes from this machine under its own host name; a request through a proxy has another
    name.
    """
    host = asked.host.rpartition(":")[0].strip("[]") if ":" in asked.host else asked.host
    return asked.peer in _HERE and host in _HERE


def live_log_fields(id: str, policy: str | None, reason: str | None, what: str) -> dict[str, Any]:
    """Return the fields of the log's line for a live view."""
    return {"run": id, "redaction": policy or "off", "what": what, **({"reason": reason} if reason else {})}


def active_recording(asked: ApiRequest) -> ActiveRecording | None:
    """Return the run in the request's path if it is under way: in a watched place, or added to the library before its
    end.
    """
    entry = asked.service.library(asked.caller).catalogue.entry(asked.path["id"])
    linked = entry is not None and Path(entry.place).is_absolute()
    return asked.site.making.of(asked.path["id"], Path(entry.place) if entry is not None and linked else None)


def live_address(asked: ApiRequest) -> str:
    """Return the address of a run's page while it is recorded."""
    return f"/runs/{asked.path['id']}/live{reason_part(asked)}"


def reason_part(asked: ApiRequest) -> str:
    """Return the reason as a part of an address."""
    return f"?{urlencode({'reason': asked.reason})}" if asked.reason else ""


def ticket_of(asked: ApiRequest) -> Ticket:
    """Return the ticket in a frame's address. Raises RefusedError (404)."""
    ticket = asked.site.tickets.of(asked.path["ticket"])
    if ticket is None:
        raise RefusedError(404, "This replay's address has ended: open the run's page again.")
    return ticket


def stream_response(
    asked: ApiRequest, path: Path, caller: Caller, line: dict[str, Any], *, masked: bool
) -> ApiResponse:
    """Return the stream of a recording under way."""
    if not path.exists():
        raise RefusedError(404, "This recording is not there any more.")
    feeds, last = asked.site.feeds, asked.headers.get("last-event-id")
    return ApiResponse(media=STREAM, line=line, caller=caller, stream=lambda: feeds.watch(path, masked, last))


def _list(asked: ApiRequest) -> ApiResponse:
    return json_response(
        {"runs": [{"id": made.id, "started": made.started} for made in asked.site.making.now()]}, what="list"
    )


def _stream(asked: ApiRequest) -> ApiResponse:
    made = active_recording(asked)
    if made is None:
        raise RefusedError(404, f"The run {asked.path['id'][:80]} is not being recorded.")
    policy = live_policy(asked)
    line = live_log_fields(made.id, policy, asked.reason if policy is None else None, "begin")
    return stream_response(asked, made.path, asked.caller, line, masked=policy is not None)


LIVE: Final = (
    Endpoint("GET", "/api/v1/live", "Runs that are being recorded now.", _list, SHOWN, "live"),
    Endpoint("GET", "/api/v1/runs/{id}/live", "What comes of a run while it is recorded, as server-sent events.", _stream, SHOWN, "live", of_run=True,
             stream=True, parameters=(REASON,)),
)  # fmt: skip
