"""Live views: decides who may see a recording under way and how the recording is masked, and streams it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from .endpoint import REASON, ApiRequest, ApiResponse, Endpoint, build_json_response
from .roles import SHOWN
from .worker import RequestRefusedError

if TYPE_CHECKING:
    from pagereel.library.intake import ActiveRecording

    from .frame_tickets import FrameTicket
    from .roles import Caller

STREAM: Final = "text/event-stream"
_HERE: Final = ("127.0.0.1", "::1", "localhost")
MASKED: Final = "strict"
"""The policy for all who may not see a recording under way unmasked: it masks by structure alone."""


def get_live_policy(request: ApiRequest) -> str | None:
    """Return the policy under which this caller sees a recording under way; None for unmasked, which only a request
    from this machine gets.
    """
    return None if request.viewing_policy is None and is_local_request(request) else MASKED


def is_local_request(request: ApiRequest) -> bool:
    """Return whether a request comes from this machine and asks for this machine's own host name, so not through a
    proxy.
    """
    host = request.host.rpartition(":")[0].strip("[]") if ":" in request.host else request.host
    return request.peer in _HERE and host in _HERE


def build_live_log_fields(id: str, policy: str | None, reason: str | None, view_kind: str) -> dict[str, Any]:
    """Return the fields of the log's line about a live view."""
    return {"run": id, "redaction": policy or "off", "what": view_kind, **({"reason": reason} if reason else {})}


def find_active_recording(request: ApiRequest) -> ActiveRecording | None:
    """Return the run in the request's path if it is being recorded, in a watched place or as a linked file of the
    library; else None.
    """
    entry = request.service.get_library(request.caller).catalogue.get_entry(request.path["id"])
    linked = entry is not None and Path(entry.place).is_absolute()
    return request.site.making.get_active_recording(
        request.path["id"], Path(entry.place) if entry is not None and linked else None
    )


def build_live_address(request: ApiRequest) -> str:
    """Return the address of a run's page while it is recorded."""
    return f"/runs/{request.path['id']}/live{build_reason_query(request)}"


def build_reason_query(request: ApiRequest) -> str:
    """Return the caller's reason as the query part of an address; empty where there is none."""
    return f"?{urlencode({'reason': request.viewing_reason})}" if request.viewing_reason else ""


def get_requested_ticket(request: ApiRequest) -> FrameTicket:
    """Return the ticket in a frame's address. Raises RequestRefusedError (404)."""
    ticket = request.site.tickets.get_ticket(request.path["ticket"])
    if ticket is None:
        raise RequestRefusedError(404, "The address of this replay has expired; open the page of the run again.")
    return ticket


def build_live_stream_response(
    request: ApiRequest, path: Path, caller: Caller, line: dict[str, Any], *, masked: bool
) -> ApiResponse:
    """Return the response that streams a recording under way as server-sent events. Raises RequestRefusedError (404)."""
    if not path.exists():
        raise RequestRefusedError(404, "This recording does not exist any more.")
    feeds, last = request.site.feeds, request.headers.get("last-event-id")
    return ApiResponse(media=STREAM, line=line, caller=caller, stream=lambda: feeds.iter_events(path, masked, last))


def _answer_active_recordings(request: ApiRequest) -> ApiResponse:
    return build_json_response(
        {"runs": [{"id": made.id, "started": made.started} for made in request.site.making.list_active_recordings()]},
        what="list",
    )


def _answer_live_stream(request: ApiRequest) -> ApiResponse:
    made = find_active_recording(request)
    if made is None:
        raise RequestRefusedError(404, f"The run {request.path['id'][:80]} is not being recorded.")
    policy = get_live_policy(request)
    line = build_live_log_fields(made.id, policy, request.viewing_reason if policy is None else None, "begin")
    return build_live_stream_response(request, made.path, request.caller, line, masked=policy is not None)


LIVE: Final = (
    Endpoint("GET", "/api/v1/live", "Runs that are being recorded now.", _answer_active_recordings, SHOWN, "live"),
    Endpoint("GET", "/api/v1/runs/{id}/live", "What comes of a run while it is recorded, as server-sent events.", _answer_live_stream, SHOWN, "live", of_run=True,
             stream=True, parameters=(REASON,)),
)  # fmt: skip
