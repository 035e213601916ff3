"""The HTML pages of a served library. They contain no script; a replay runs in a frame of another origin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from pagereel.library.catalogue import CatalogueEntry
from pagereel.library.query import WORDS, QueryError, parse_query
from pagereel.library.searching import list_outermost_titles
from pagereel.player_build import render_live_page

from .api import (
    FIGURES_ASKED,
    build_log_fields,
    build_search_log_fields,
    build_summary,
    compare_runs,
    compute_requested_figures,
    delete_run,
    get_thinned_summary,
    open_requested_run,
    parse_number,
    read_requested_log,
    search_runs,
)
from .endpoint import LINKED_REASON, REASON, ApiRequest, ApiResponse, Endpoint, Parameter
from .figures import select_last_days
from .link_preview import CARD, build_preview_card
from .live_views import (
    MASKED,
    build_live_address,
    build_live_log_fields,
    build_live_stream_response,
    build_reason_query,
    find_active_recording,
    get_live_policy,
    get_requested_ticket,
    is_local_request,
)
from .request_checks import build_page_security_policy, is_linked_from_outside
from .roles import AUDIT, DELETES, FIGURES, SHOWN
from .templates import MEDIA, render_page
from .worker import RequestRefusedError

if TYPE_CHECKING:
    from .link_preview import PreviewCard
    from .roles import Caller

_ROWS: Final = 300
"""Largest number of records of a kind on a run's page; the API returns all."""
_YEAR_S: Final = 365 * 86_400
_TABS: Final = (("/", "Runs", SHOWN), ("/figures", "Figures", FIGURES), ("/audit", "Log", AUDIT))


def build_page_response(
    request: ApiRequest, name: str, *, status: int = 200, line: dict[str, Any] | None = None, **values: Any
) -> ApiResponse:
    """Return the response with the page made from the template `name` and `values`. `line`: fields for the log."""
    origin = request.site.find_origin(request.host)
    body = render_page(
        name,
        caller=request.caller,
        tabs=_list_navigation_tabs(request.caller),
        here=request.address,
        origin=origin.pages,
        reason=request.viewing_reason,
        **values,
    )
    return ApiResponse(
        body, MEDIA, status, line, headers={"Content-Security-Policy": build_page_security_policy(origin.replays)}
    )


def build_problem_response(
    status: int,
    message: str,
    *,
    ask_reason: bool = False,
    preview: PreviewCard | None = None,
    requested_address: tuple[str, Sequence[tuple[str, str]]] = ("", ()),
    reload: bool = False,
    reason: str | None = None,
) -> ApiResponse:
    """Return an error page; if the token is missing, the sign-in form.

    `requested_address`: the requested path and its parameters, to which the form returns. `preview`: the preview of the link for a
    chat. `reload`: reload the page automatically, because a browser that comes from another site sends the cookie only
    with the second request. `reason`: the reason in the link.
    """
    name = "login" if status == 401 else "problem"
    body = render_page(
        name,
        caller=None,
        tabs=(),
        here="",
        origin="",
        reason=reason,
        status=status,
        message=message,
        ask_reason=ask_reason,
        card=preview,
        asked=[(name, value) for name, value in requested_address[1] if name not in (REASON.name, LINKED_REASON)],
        back=_build_address(*requested_address),
        again=reload,
    )
    return ApiResponse(
        body, MEDIA, status, None, headers={"Content-Security-Policy": build_page_security_policy("'none'")}
    )


def build_waiting_response() -> ApiResponse:
    """Return the page that is shown while a file is being made.

    The page requests the file again at once, and is shown until the server answers that request.
    """
    body = render_page("meanwhile", caller=None, tabs=())
    return ApiResponse(
        body, MEDIA, 202, None, headers={"Content-Security-Policy": build_page_security_policy("'none'")}
    )


def _build_address(path: str, parameters: Sequence[tuple[str, str]]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)


def get_safe_return_path(text: str) -> str | None:
    """Return the address to go back to, from a form's field, if it is a path of this origin; else None, so that a
    forged form cannot lead to another site.
    """
    return text if re.fullmatch(r"/(?![/\\])[!-~]{0,2000}", text) and "\\" not in text else None


def _list_navigation_tabs(caller: Caller) -> tuple[tuple[str, str], ...]:
    return tuple((path, title) for path, title, roles in _TABS if caller.role in roles)


def _show_run_list_page(request: ApiRequest) -> ApiResponse:
    query = request.query.get("q", "")
    try:
        answer = search_runs(request)
    except QueryError as error:
        return build_page_response(
            request, "list", status=400, query=query, problem=str(error), answer=None, more=None, making=()
        )
    why = {"reason": request.viewing_reason} if request.viewing_reason else {}
    if answer.runs:
        request.service.warm_up_builder(request.viewing_policy)
    more = "/?" + urlencode({"q": query, "cursor": answer.next, **why}) if answer.next else None
    return build_page_response(
        request,
        "list",
        query=query,
        problem=None,
        answer=asdict(answer),
        goals=list_outermost_titles(
            request.service.get_library(request.caller).catalogue, [run.id for run in answer.runs]
        ),
        words=[str(term.value) for term in parse_query(query) if term.operator in WORDS and not term.negated],
        more=more,
        making=request.site.making.list_active_recordings(),
        line=build_search_log_fields(request, answer),
    )


def _show_run_page(request: ApiRequest) -> ApiResponse:
    if request.service.get_library(request.caller).catalogue.get_entry(
        request.path["id"]
    ) is None and request.site.making.get_active_recording(request.path["id"]):
        return ApiResponse(b"", MEDIA, 303, None, headers={"Location": build_live_address(request)})
    if (figures := get_thinned_summary(request)) is not None:
        entry, summary = figures
        return build_page_response(request, "kept", summary=summary, may_delete=request.caller.role in DELETES, line=build_log_fields(request, entry, what="page"))  # fmt: skip
    entry, reading = open_requested_run(request)
    summary = build_summary(request.service.folder, entry, reading, request.viewing_policy)
    ticket = request.site.tickets.issue_ticket(
        request.caller,
        entry,
        request.viewing_policy,
        request.viewing_reason if request.viewing_policy is None else None,
    )
    frame = f"{request.site.find_origin(request.host).replays}/replay/{ticket}"
    at = parse_number(request, "t")
    lists = {"steps": reading.steps(), "errors": reading.errors(), "calls": reading.calls()}
    return build_page_response(
        request, "run", summary=summary, frame=frame, frame_at=f"{frame}#t={at:.0f}" if at is not None else frame, at=at,
        live=build_live_address(request) if find_active_recording(request) else None,
        card=build_preview_card(request.site, request.host, entry.id), lists={name: rows[:_ROWS] for name, rows in lists.items()}, counts={name: len(rows) for name, rows in lists.items()},
        others=_find_comparison_candidates(request, entry.id, summary["agent"]), may_delete=request.caller.role in DELETES, line=build_log_fields(request, entry, what="page"),
    )  # fmt: skip


def _find_comparison_candidates(request: ApiRequest, id: str, agent: str | None) -> list[dict[str, Any]]:
    """Return the latest runs, those of the same agent first, as candidates for a comparison."""
    if not request.caller.may_search_index(request.service.get_index_policy(request.caller)):
        return []
    rows = request.service.get_library(request.caller).catalogue.statement_runner.execute(
        "SELECT id, started, outcome, agent FROM run WHERE id != ? ORDER BY CASE WHEN agent = ? THEN 0 ELSE 1 END, started DESC, id LIMIT 25",
        (id, agent),
    )
    return [dict(zip(("id", "started", "outcome", "agent"), row, strict=True)) for row in rows]


def _show_figures_page(request: ApiRequest) -> ApiResponse:
    query = request.query.get("q", "")
    try:
        told = compute_requested_figures(request)
    except QueryError as error:
        return build_page_response(
            request, "figures", status=400, query=query, problem=str(error), figures=None, days=[], line={}
        )
    return build_page_response(
        request, "figures", query=query, problem=None, figures=told, days=select_last_days(told), line={}
    )


def _show_comparison_page(request: ApiRequest) -> ApiResponse:
    a, b, told, moments = compare_runs(request)
    reason = request.viewing_reason if request.viewing_policy is None else None
    ticket = request.site.tickets.issue_ticket(request.caller, a, request.viewing_policy, reason, b)
    frame = f"{request.site.find_origin(request.host).replays}/replay/{ticket}"
    line = {
        "a": a.id,
        "b": b.id,
        "redaction": request.viewing_policy or "off",
        **({"reason": reason} if reason else {}),
    }
    return build_page_response(
        request, "compare", told=told, moments=moments, frame=frame, runs={"a": a.id, "b": b.id}, line=line
    )


def _show_log_page(request: ApiRequest) -> ApiResponse:
    told = read_requested_log(request)
    lines = [
        {**line, "more": {k: v for k, v in line.items() if k not in ("when", "who", "did", "prev", "run") and v != ""}}
        for line in told["log"][::-1]
    ]
    return build_page_response(request, "audit", told={**told, "log": lines}, line={})


def _sign_in_by_link(request: ApiRequest) -> ApiResponse:
    """Sign in with the token in a link, such as `pagereel serve` prints. For a link from outside, or while another user
    is signed in, ask first.
    """
    token = request.query.get("token", "")
    if not token:
        return build_problem_response(401, "")
    access = request.site.access
    caller, now = (
        access.identify_by_token(token, request.peer),
        access.identify_by_cookie(request.headers, request.peer),
    )
    if caller is None or not (is_linked_from_outside(request.headers) or (now is not None and now != caller)):
        return _sign_in_by_token(request, token)
    return build_page_response(request, "become", new=caller, now=now, token=token, line=None)


def _sign_in_by_form(request: ApiRequest) -> ApiResponse:
    told = _parse_form(request)
    return _sign_in_by_token(request, told.get("token", "").strip(), get_safe_return_path(told.get("back", "")))


def _parse_form(request: ApiRequest) -> dict[str, str]:
    """Return the fields of a submitted form. Raises RequestRefusedError (400)."""
    try:
        return dict(parse_qsl(request.body.decode("utf-8", "replace"), max_num_fields=5))
    except ValueError:
        raise RequestRefusedError(400, "This form has more fields than the page's.") from None


def _sign_in_by_token(request: ApiRequest, token: str, return_path: str | None = None) -> ApiResponse:
    caller = request.site.access.identify_by_token(token, request.peer)
    if caller is None:
        path, _, query = (return_path or "").partition("?")
        return build_problem_response(
            401, "This token is not known.", requested_address=(unquote(path), parse_qsl(query))
        )
    secure = "; Secure" if request.site.find_origin(request.host).pages.startswith("https:") else ""
    cookie = f"{request.site.access.cookie}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={_YEAR_S}{secure}"
    tabs = _list_navigation_tabs(caller)
    if not tabs:
        raise RequestRefusedError(
            403, f"The role {caller.role} may see no pages; it may only send recordings to /api/v1/runs."
        )
    return ApiResponse(
        b"", MEDIA, 303, {"role": caller.role}, caller, {"Location": return_path or tabs[0][0], "Set-Cookie": cookie}
    )


def _sign_out(request: ApiRequest) -> ApiResponse:
    gone = f"{request.site.access.cookie}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
    return ApiResponse(b"", MEDIA, 303, None, headers={"Location": "/login", "Set-Cookie": gone})


def _delete_run(request: ApiRequest) -> ApiResponse:
    return ApiResponse(
        b"", MEDIA, 303, delete_run(request, _parse_form(request).get("why", "")), headers={"Location": "/"}
    )


def _send_style_sheet(request: ApiRequest) -> ApiResponse:
    return ApiResponse(SHEET.read_bytes(), "text/css; charset=utf-8", headers={"Cache-Control": "max-age=300"})


def _send_framed_replay(request: ApiRequest) -> ApiResponse:
    ticket = get_requested_ticket(request)
    if ticket.live:
        address = f"{request.site.find_origin(request.host, framed=True).replays}/replay/{request.path['ticket']}/live"
        return ApiResponse(
            render_live_page(address, address), MEDIA, line=None
        )  # The page contains nothing of the recording.
    entry = request.service.get_catalogue_entry(ticket.caller, ticket.entry.id)
    line = {"redaction": ticket.policy or "off", **({"reason": ticket.reason} if ticket.reason else {})}
    if ticket.beside is not None:
        other = request.service.get_catalogue_entry(ticket.caller, ticket.beside.id)
        line |= {"a": entry.id, "b": other.id}
        return ApiResponse(
            request.service.get_pair_page(entry, other, ticket.policy), MEDIA, line=line, caller=ticket.caller
        )
    line["run"] = entry.id
    return ApiResponse(request.service.get_replay(entry, ticket.policy), MEDIA, line=line, caller=ticket.caller)


def _show_live_page(request: ApiRequest) -> ApiResponse:
    made = find_active_recording(request)
    if made is None:
        entry = request.service.get_catalogue_entry(
            request.caller, request.path["id"]
        )  # Raises RequestRefusedError where there is none.
        return ApiResponse(
            b"", MEDIA, 303, None, headers={"Location": f"/runs/{entry.id}{build_reason_query(request)}"}
        )
    policy = get_live_policy(request)
    reason = request.viewing_reason if policy is None else None
    place = CatalogueEntry(made.id, "", str(made.path), str(made.path))
    ticket = request.site.tickets.issue_ticket(request.caller, place, policy, reason, live=True)
    frame = f"{request.site.find_origin(request.host).replays}/replay/{ticket}"
    return build_page_response(
        request,
        "live",
        made=made,
        frame=frame,
        raw=policy is None,
        line=build_live_log_fields(made.id, policy, reason, "page"),
    )


def _stream_live_frame(request: ApiRequest) -> ApiResponse:
    ticket = get_requested_ticket(request)
    if not ticket.live:
        raise RequestRefusedError(404, "This recording is not running.")
    raw = ticket.policy is None and is_local_request(request)  # a ticket can be used elsewhere
    line = build_live_log_fields(ticket.entry.id, None if raw else MASKED, ticket.reason if raw else None, "begin")
    return build_live_stream_response(request, Path(ticket.entry.place), ticket.caller, line, masked=not raw)


SHEET: Final = Path(__file__).parent / "pages" / "pages.css"
_NUMBER: Final = Parameter("t", "The moment that the replay shows, ms.", "number")
PAGES: Final = (
    Endpoint("GET", "/", "Page: the runs, or those that fit a query.", _show_run_list_page, SHOWN, "search", page=True,
             parameters=(Parameter("q", "A query."), Parameter("cursor", "Where the page begins."), REASON)),
    Endpoint("GET", "/runs/{id}", "Page: one run and its replay.", _show_run_page, SHOWN, "read", of_run=True, page=True, parameters=(_NUMBER, REASON)),
    Endpoint("GET", "/runs/{id}/live", "Page: one run while it is recorded.", _show_live_page, SHOWN, "live", of_run=True, page=True, parameters=(REASON,)),
    CARD,
    Endpoint("POST", "/runs/{id}/delete", "Delete a run, from its page.", _delete_run, DELETES, "deleted", page=True),
    Endpoint("GET", "/figures", "Page: figures over all runs.", _show_figures_page, FIGURES, "figures", page=True, parameters=FIGURES_ASKED),
    Endpoint("GET", "/compare", "Page: two runs beside each other.", _show_comparison_page, SHOWN, "compare", of_run=True, page=True,
             parameters=(Parameter("a", "The id of one run."), Parameter("b", "The id of the other."), REASON)),
    Endpoint("GET", "/audit", "Page: the log.", _show_log_page, AUDIT, "audit", page=True, parameters=(Parameter("limit", "The last so many lines.", "integer"),)),
    Endpoint("GET", "/login", "Page: the form that takes a token; with `token`, its answer.", _sign_in_by_link, audit="login", page=True,
             parameters=(Parameter("token", "A token."),)),
    Endpoint("POST", "/login", "Take a token, and set the cookie.", _sign_in_by_form, audit="login", page=True),
    Endpoint("POST", "/logout", "Take the cookie away.", _sign_out, page=True),
    Endpoint("GET", "/pages.css", "The pages' style.", _send_style_sheet),
    Endpoint("GET", "/replay/{ticket}", "A replay, at the replays' own origin, for whom a page gave a ticket.", _send_framed_replay, audit="replay", page=True, framed=True),
    Endpoint("GET", "/replay/{ticket}/live", "What comes of a recording that is being made, for its page: server-sent events.", _stream_live_frame, audit="live",
             framed=True, stream=True),
)  # fmt: skip

__all__ = ["PAGES", "SHEET", "build_page_response", "build_problem_response"]
