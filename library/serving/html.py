"""The pages: the API's data as HTML for people. They contain no script; a replay runs in a frame of another origin."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from pagereel.library.catalogue import Entry
from pagereel.library.query import WORDS, QueryError, parse
from pagereel.library.searching import goals
from pagereel.player_build import live_page

from .api import (
    FIGURES_ASKED,
    compare_runs,
    delete_run,
    figures_response,
    log_fields,
    log_response,
    number,
    requested_reading,
    search_log_fields,
    search_runs,
    summary_of,
    thinned_summary,
)
from .figures import last_days
from .live import (
    MASKED,
    active_recording,
    is_local,
    live_address,
    live_log_fields,
    live_policy,
    reason_part,
    stream_response,
    ticket_of,
)
from .request_checks import linked, page_policy
from .roles import AUDIT, DELETES, FIGURES, SHOWN
from .route import LINKED_REASON, REASON, ApiRequest, ApiResponse, Endpoint, Parameter
from .templates import MEDIA, page
from .unfurl import CARD, card_of
from .worker import RefusedError

if TYPE_CHECKING:
    from .roles import Caller
    from .unfurl import Card

_ROWS: Final = 300
"""Largest number of records of a kind on a run's page; the API returns all."""
_YEAR_S: Final = 365 * 86_400
_TABS: Final = (("/", "Runs", SHOWN), ("/figures", "Figures", FIGURES), ("/audit", "Log", AUDIT))


def page_response(
    asked: ApiRequest, name: str, *, status: int = 200, line: dict[str, Any] | None = None, **values: Any
) -> ApiResponse:
    """Return a page."""
    origin = asked.site.origin_of(asked.host)
    body = page(
        name,
        caller=asked.caller,
        tabs=_tabs(asked.caller),
        here=asked.address,
        origin=origin.pages,
        reason=asked.reason,
        **values,
    )
    return ApiResponse(body, MEDIA, status, line, headers={"Content-Security-Policy": page_policy(origin.replays)})


def problem_response(
    status: int,
    message: str,
    *,
    ask_reason: bool = False,
    card: Card | None = None,
    asked: tuple[str, Sequence[tuple[str, str]]] = ("", ()),
    again: bool = False,
    reason: str | None = None,
) -> ApiResponse:
    """Return an error page; for a missing token, the sign-in form.

    `asked`: the requested path and its parameters, to which the form returns. `card`: the preview of the link in a
    chat. `again`: reload the page automatically, because a browser that comes from another site sends the cookie only
    with the second request. `reason`: the reason in the link.
    """
    name = "login" if status == 401 else "problem"
    body = page(
        name,
        caller=None,
        tabs=(),
        here="",
        origin="",
        reason=reason,
        status=status,
        message=message,
        ask_reason=ask_reason,
        card=card,
        asked=[(name, value) for name, value in asked[1] if name not in (REASON.name, LINKED_REASON)],
        back=_address(*asked),
        again=again,
    )
    return ApiResponse(body, MEDIA, status, None, headers={"Content-Security-Policy": page_policy("'none'")})


def waiting_response() -> ApiResponse:
    """Return the page that is shown while a file is being made. It reloads at once, and stays until that request is
    answered: the server decides how long, and no timer in the page interrupts a reader.
    """
    body = page("meanwhile", caller=None, tabs=())
    return ApiResponse(body, MEDIA, 202, None, headers={"Content-Security-Policy": page_policy("'none'")})


def _address(path: str, parameters: Sequence[tuple[str, str]]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)


def back_of(text: str) -> str | None:
    """Return the address in a form's field if it is a path of this origin, else None, so that a forged form cannot
    lead to another site.
    """
    return text if re.fullmatch(r"/(?![/\\])[!-~]{0,2000}", text) and "\\" not in text else None


def _tabs(caller: Caller) -> tuple[tuple[str, str], ...]:
    return tuple((path, title) for path, title, roles in _TABS if caller.role in roles)


def _list(asked: ApiRequest) -> ApiResponse:
    query = asked.query.get("q", "")
    try:
        answer = search_runs(asked)
    except QueryError as error:
        return page_response(
            asked, "list", status=400, query=query, problem=str(error), answer=None, more=None, making=()
        )
    why = {"reason": asked.reason} if asked.reason else {}
    if answer.runs:
        asked.service.expect(asked.policy)
    more = "/?" + urlencode({"q": query, "cursor": answer.next, **why}) if answer.next else None
    return page_response(
        asked,
        "list",
        query=query,
        problem=None,
        answer=asdict(answer),
        goals=goals(asked.service.library(asked.caller).catalogue, [run.id for run in answer.runs]),
        words=[str(term.value) for term in parse(query) if term.operator in WORDS and not term.negated],
        more=more,
        making=asked.site.making.now(),
        line=search_log_fields(asked, answer),
    )


def _run(asked: ApiRequest) -> ApiResponse:
    if asked.service.library(asked.caller).catalogue.entry(asked.path["id"]) is None and asked.site.making.of(
        asked.path["id"]
    ):
        return ApiResponse(b"", MEDIA, 303, None, headers={"Location": live_address(asked)})
    if (figures := thinned_summary(asked)) is not None:
        entry, summary = figures
        return page_response(asked, "kept", summary=summary, may_delete=asked.caller.role in DELETES, line=log_fields(asked, entry, what="page"))  # fmt: skip
    entry, reading = requested_reading(asked)
    summary = summary_of(asked.service.folder, entry, reading, asked.policy)
    ticket = asked.site.tickets.give(asked.caller, entry, asked.policy, asked.reason if asked.policy is None else None)
    frame = f"{asked.site.origin_of(asked.host).replays}/replay/{ticket}"
    at = number(asked, "t")
    lists = {"steps": reading.steps(), "errors": reading.errors(), "calls": reading.calls()}
    return page_response(
        asked, "run", summary=summary, frame=frame, frame_at=f"{frame}#t={at:.0f}" if at is not None else frame, at=at,
        live=live_address(asked) if active_recording(asked) else None,
        card=card_of(asked.site, asked.host, entry.id), lists={name: rows[:_ROWS] for name, rows in lists.items()}, counts={name: len(rows) for name, rows in lists.items()},
        others=_others(asked, entry.id, summary["agent"]), may_delete=asked.caller.role in DELETES, line=log_fields(asked, entry, what="page"),
    )  # fmt: skip


def _others(asked: ApiRequest, id: str, agent: str | None) -> list[dict[str, Any]]:
    """Return the latest runs, those of the same agent first, as candidates for a comparison."""
    if not asked.caller.may_search(asked.service.index_for(asked.caller)):
        return []
    rows = asked.service.library(asked.caller).catalogue.db.execute(
        "SELECT id, started, outcome, agent FROM run WHERE id != ? ORDER BY CASE WHEN agent = ? THEN 0 ELSE 1 END, started DESC, id LIMIT 25",
        (id, agent),
    )
    return [dict(zip(("id", "started", "outcome", "agent"), row, strict=True)) for row in rows]


def _figures(asked: ApiRequest) -> ApiResponse:
    query = asked.query.get("q", "")
    try:
        told = figures_response(asked)
    except QueryError as error:
        return page_response(
            asked, "figures", status=400, query=query, problem=str(error), figures=None, days=[], line={}
        )
    return page_response(asked, "figures", query=query, problem=None, figures=told, days=last_days(told), line={})


def _compare(asked: ApiRequest) -> ApiResponse:
    a, b, told, moments = compare_runs(asked)
    reason = asked.reason if asked.policy is None else None
    ticket = asked.site.tickets.give(asked.caller, a, asked.policy, reason, b)
    frame = f"{asked.site.origin_of(asked.host).replays}/replay/{ticket}"
    line = {"a": a.id, "b": b.id, "redaction": asked.policy or "off", **({"reason": reason} if reason else {})}
    return page_response(
        asked, "compare", told=told, moments=moments, frame=frame, runs={"a": a.id, "b": b.id}, line=line
    )


def _audit(asked: ApiRequest) -> ApiResponse:
    told = log_response(asked)
    lines = [
        {**line, "more": {k: v for k, v in line.items() if k not in ("when", "who", "did", "prev", "run") and v != ""}}
        for line in told["log"][::-1]
    ]
    return page_response(asked, "audit", told={**told, "log": lines}, line={})


def _sign_in_page(asked: ApiRequest) -> ApiResponse:
    """Sign in by a link, as `pagereel serve` prints one. A user who is signed in already is asked first, so that a
    link cannot change the user unnoticed.
    """
    token = asked.query.get("token", "")
    if not token:
        return problem_response(401, "")
    access = asked.site.access
    caller, now = access.of_token(token, asked.peer), access.signed_in(asked.headers, asked.peer)
    if caller is None or not (linked(asked.headers) or (now is not None and now != caller)):
        return _sign_in(asked, token)
    return page_response(asked, "become", new=caller, now=now, token=token, line=None)


def _submit_token(asked: ApiRequest) -> ApiResponse:
    told = _form(asked)
    return _sign_in(asked, told.get("token", "").strip(), back_of(told.get("back", "")))


def _form(asked: ApiRequest) -> dict[str, str]:
    """Return the fields of a submitted form. Raises RefusedError (400)."""
    try:
        return dict(parse_qsl(asked.body.decode("utf-8", "replace"), max_num_fields=5))
    except ValueError:
        raise RefusedError(400, "This form has more fields than the page's.") from None


def _sign_in(asked: ApiRequest, token: str, back: str | None = None) -> ApiResponse:
    caller = asked.site.access.of_token(token, asked.peer)
    if caller is None:
        path, _, query = (back or "").partition("?")
        return problem_response(401, "This token is not known.", asked=(unquote(path), parse_qsl(query)))
    secure = "; Secure" if asked.site.origin_of(asked.host).pages.startswith("https:") else ""
    cookie = f"{asked.site.access.cookie}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={_YEAR_S}{secure}"
    tabs = _tabs(caller)
    if not tabs:
        raise RefusedError(403, f"The role {caller.role} has no pages; it sends recordings to /api/v1/runs.")
    return ApiResponse(
        b"", MEDIA, 303, {"role": caller.role}, caller, {"Location": back or tabs[0][0], "Set-Cookie": cookie}
    )


def _sign_out(asked: ApiRequest) -> ApiResponse:
    gone = f"{asked.site.access.cookie}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
    return ApiResponse(b"", MEDIA, 303, None, headers={"Location": "/login", "Set-Cookie": gone})


def _delete(asked: ApiRequest) -> ApiResponse:
    return ApiResponse(b"", MEDIA, 303, delete_run(asked, _form(asked).get("why", "")), headers={"Location": "/"})


def _sheet(asked: ApiRequest) -> ApiResponse:
    return ApiResponse(SHEET.read_bytes(), "text/css; charset=utf-8", headers={"Cache-Control": "max-age=300"})


def _framed(asked: ApiRequest) -> ApiResponse:
    ticket = ticket_of(asked)
    if ticket.live:
        address = f"{asked.site.origin_of(asked.host, framed=True).replays}/replay/{asked.path['ticket']}/live"
        return ApiResponse(live_page(address, address), MEDIA, line=None)  # The page contains nothing of the recording.
    entry = asked.service.entry(ticket.caller, ticket.entry.id)
    line = {"redaction": ticket.policy or "off", **({"reason": ticket.reason} if ticket.reason else {})}
    if ticket.beside is not None:
        other = asked.service.entry(ticket.caller, ticket.beside.id)
        line |= {"a": entry.id, "b": other.id}
        return ApiResponse(asked.service.pair(entry, other, ticket.policy), MEDIA, line=line, caller=ticket.caller)
    line["run"] = entry.id
    return ApiResponse(asked.service.replay(entry, ticket.policy), MEDIA, line=line, caller=ticket.caller)


def _live(asked: ApiRequest) -> ApiResponse:
    made = active_recording(asked)
    if made is None:
        entry = asked.service.entry(asked.caller, asked.path["id"])  # Raises RefusedError where there is none.
        return ApiResponse(b"", MEDIA, 303, None, headers={"Location": f"/runs/{entry.id}{reason_part(asked)}"})
    policy = live_policy(asked)
    reason = asked.reason if policy is None else None
    place = Entry(made.id, "", str(made.path), str(made.path))
    ticket = asked.site.tickets.give(asked.caller, place, policy, reason, live=True)
    frame = f"{asked.site.origin_of(asked.host).replays}/replay/{ticket}"
    return page_response(
        asked, "live", made=made, frame=frame, raw=policy is None, line=live_log_fields(made.id, policy, reason, "page")
    )


def _live_framed(asked: ApiRequest) -> ApiResponse:
    ticket = ticket_of(asked)
    if not ticket.live:
        raise RefusedError(404, "This is no recording that is being made.")
    raw = ticket.policy is None and is_local(asked)  # a ticket can be used elsewhere
    line = live_log_fields(ticket.entry.id, None if raw else MASKED, ticket.reason if raw else None, "begin")
    return stream_response(asked, Path(ticket.entry.place), ticket.caller, line, masked=not raw)


SHEET: Final = Path(__file__).parent / "pages" / "pages.css"
_NUMBER: Final = Parameter("t", "The moment that the replay shows, ms.", "number")
PAGES: Final = (
    Endpoint("GET", "/", "Page: the runs, or those that fit a query.", _list, SHOWN, "search", page=True,
             parameters=(Parameter("q", "A query."), Parameter("cursor", "Where the page begins."), REASON)),
    Endpoint("GET", "/runs/{id}", "Page: one run and its replay.", _run, SHOWN, "read", of_run=True, page=True, parameters=(_NUMBER, REASON)),
    Endpoint("GET", "/runs/{id}/live", "Page: one run while it is recorded.", _live, SHOWN, "live", of_run=True, page=True, parameters=(REASON,)),
    CARD,
    Endpoint("POST", "/runs/{id}/delete", "Delete a run, from its page.", _delete, DELETES, "deleted", page=True),
    Endpoint("GET", "/figures", "Page: figures over all runs.", _figures, FIGURES, "figures", page=True, parameters=FIGURES_ASKED),
    Endpoint("GET", "/compare", "Page: two runs beside each other.", _compare, SHOWN, "compare", of_run=True, page=True,
             parameters=(Parameter("a", "The id of one run."), Parameter("b", "The id of the other."), REASON)),
    Endpoint("GET", "/audit", "Page: the log.", _audit, AUDIT, "audit", page=True, parameters=(Parameter("limit", "The last so many lines.", "integer"),)),
    Endpoint("GET", "/login", "Page: the form that takes a token; with `token`, its answer.", _sign_in_page, audit="login", page=True,
             parameters=(Parameter("token", "A token."),)),
    Endpoint("POST", "/login", "Take a token, and set the cookie.", _submit_token, audit="login", page=True),
    Endpoint("POST", "/logout", "Take the cookie away.", _sign_out, page=True),
    Endpoint("GET", "/pages.css", "The pages' style.", _sheet),
    Endpoint("GET", "/replay/{ticket}", "A replay, at the replays' own origin, for whom a page gave a ticket.", _framed, audit="replay", page=True, framed=True),
    Endpoint("GET", "/replay/{ticket}/live", "What comes of a recording that is being made, for its page: server-sent events.", _live_framed, audit="live",
             framed=True, stream=True),
)  # fmt: skip

__all__ = ["PAGES", "SHEET", "page_response", "problem_response"]
