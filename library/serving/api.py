"""The endpoints of the HTTP API: they answer as JSON, with recordings masked as the caller's role demands."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from pagereel.library.catalogue import Entry
from pagereel.library.query import WORDS, parse
from pagereel.library.retention import summary_kept
from pagereel.library.searching import LIMIT, SearchResult, search
from pagereel.reading import QUERIES, RecordedRun, chosen, paragraph, run_summary

from . import work
from .figures import figures_of
from .openapi import document
from .roles import AUDIT, DELETES, FIGURES, SHOWN, WRITES
from .route import NO_REASON, REASON, ApiRequest, ApiResponse, Endpoint, Parameter, json_response
from .worker import RefusedError

ROOT: Final = "/api/v1"
LISTS: Final = ("steps", "calls", "errors", "console", "requests")
_MOST: Final = 1_000
_QUERY = (
    Parameter("q", "A query; docs/library.md has the operators."),
    Parameter("limit", "Runs of a page, 50 unless told, at most 200.", "integer"),
    Parameter("cursor", "`next` of the answer before."),
    Parameter("reason", "Why lines of raw recordings are looked at, where the index is not masked; stands in the log."),
)
FIGURES_ASKED = (
    _QUERY[0],
    Parameter("by", "Words of the query to group by, with commas: agent,model,prompt,tool unless told."),
    Parameter("every", "hour, day or week; day unless told."),
)
_PICKED = (
    Parameter("grep", "Only records that match this regular expression."),
    Parameter("from", "Only from this moment on, ms.", "number"),
    Parameter("to", "Only up to this moment, ms.", "number"),
    Parameter("limit", f"At most so many, {_MOST} unless told.", "integer"),
)


def search_runs(request: ApiRequest) -> SearchResult:
    """Return the requested page of runs. Raises QueryError, UsageError."""
    check_index_policy(request)
    terms = parse(request.query.get("q", ""))
    if (
        request.reason is None
        and any(term.operator in WORDS for term in terms)
        and request.service.index_for(request.caller) is None
    ):
        raise RefusedError(400, NO_REASON)  # The index is raw, so a matching line shows a raw recording.
    answer = search(
        request.service.library(request.caller).catalogue,
        terms,
        whole_number(request, "limit") or LIMIT,
        request.query.get("cursor") or None,
    )
    return replace(answer, runs=tuple(replace(run, path=Path(run.path).name) for run in answer.runs))


def check_index_policy(request: ApiRequest) -> None:
    """Raise RefusedError where the index is masked less than this role demands."""
    index = request.service.index_for(request.caller)
    if not request.caller.may_search(index):
        raise RefusedError(
            403,
            f'The index of this library is masked under "{index or "off"}", and the role {request.caller.role} sees less.',
        )


def requested_reading(request: ApiRequest) -> tuple[Entry, RecordedRun]:
    """Return the files of the run in the request's path, and its recording, opened and masked as this caller may see
    it.
    """
    entry = request.service.entry(request.caller, request.path["id"])
    return entry, request.service.reading(entry, request.policy, request.patience)


def thinned_summary(request: ApiRequest) -> tuple[Entry, dict[str, Any]] | None:
    """Return the files and the summary of the run in the request's path, if it has tier ``facts``; None for others."""
    entry = request.service.entry(request.caller, request.path["id"])
    if entry.tier != "facts":
        return None
    check_index_policy(request)
    told = summary_kept(request.service.folder, entry.id, None)
    return entry, {"id": entry.id, "sha256": entry.sha256, **told, "redaction": request.service.index or "off", "markdown": paragraph(told)}  # fmt: skip


def log_fields(request: ApiRequest, entry: Entry, **more: Any) -> dict[str, Any]:
    """Return the fields of the log's line that says that this caller saw a run. `more`: further fields."""
    told = {"run": entry.id, "redaction": request.policy or "off", **more}
    return {**told, "reason": request.reason} if request.policy is None else told


def summary_of(folder: Path, entry: Entry, reading: RecordedRun, policy: str | None) -> dict[str, Any]:
    """Return a run's summary from its opened recording; for a thinned run, from its saved figures as well."""
    told = run_summary(reading)
    if entry.tier != "full":
        told = summary_kept(folder, entry.id, told)
    return {"id": entry.id, "sha256": entry.sha256, "tier": entry.tier, **told, "redaction": policy or "off", "markdown": paragraph(told)}  # fmt: skip


def number(request: ApiRequest, name: str) -> float | None:
    """Return a parameter of the request as a number; None where it is missing. Raises RefusedError (400)."""
    said = request.query.get(name)
    if said in (None, ""):
        return None
    try:
        value = float(said or "")
        if value != value or abs(value) > 1e15:
            raise ValueError
    except ValueError:
        raise RefusedError(400, f"{name} is a number, not {said!r}.") from None
    return value


def whole_number(request: ApiRequest, name: str) -> int | None:
    """Return a parameter of the request as a whole number from 1 on; None where it is missing. Raises RefusedError
    (400).
    """
    value = number(request, name)
    if value is not None and (value < 1 or value != int(value)):
        raise RefusedError(400, f"{name} is a whole number from 1 on, not {request.query[name]!r}.")
    return None if value is None else int(value)


def search_log_fields(request: ApiRequest, answer: SearchResult) -> dict[str, Any]:
    """Return the fields of the log's line for a search."""
    fields = {"query": request.query.get("q", ""), "found": answer.total}
    return {**fields, "reason": request.reason} if request.reason else fields


def _runs(request: ApiRequest) -> ApiResponse:
    answer = search_runs(request)
    return json_response(asdict(answer), **search_log_fields(request, answer))


def _run(request: ApiRequest) -> ApiResponse:
    if (figures := thinned_summary(request)) is not None:
        return json_response(figures[1], **log_fields(request, figures[0], what="summary"))
    entry, reading = requested_reading(request)
    told = summary_of(request.service.folder, entry, reading, request.policy)
    return json_response(told, **log_fields(request, entry, what="summary"))


def _list(name: str) -> Any:
    def answer(request: ApiRequest) -> ApiResponse:
        entry, reading = requested_reading(request)
        limit = min(_MOST, whole_number(request, "limit") or _MOST)
        records = chosen(
            QUERIES[name](reading),
            grep=request.query.get("grep") or None,
            start=number(request, "from"),
            end=number(request, "to"),
            limit=limit,
        )
        return json_response({name: records}, **log_fields(request, entry, what=name))

    return answer


def _text(request: ApiRequest) -> ApiResponse:
    entry, reading = requested_reading(request)
    try:
        at = reading.moment(request.query.get("at") or "end")
    except LookupError as error:
        raise RefusedError(400, str(error)) from None
    return json_response({"t": at, "pages": reading.text(at)}, **log_fields(request, entry, what="text", at=at))


def _replay(request: ApiRequest) -> ApiResponse:
    """Return a run's replay as a file to save. A browser must not show it from this address, because its script would
    have the origin of this server.
    """
    entry = request.service.entry(request.caller, request.path["id"])
    return ApiResponse(
        request.service.replay(entry, request.policy), "text/html; charset=utf-8", line=log_fields(request, entry),
        headers={"Content-Disposition": f'attachment; filename="{entry.id}.html"', "Content-Security-Policy": "sandbox; default-src 'none'"},
    )  # fmt: skip


def compare_runs(request: ApiRequest) -> tuple[Entry, Entry, dict[str, Any], list[int]]:
    """Return the files of both requested runs, their comparison as JSON, and the time of each difference in ms on the
    joint clock. Both runs are masked together, so that a value has the same stand-in in both.
    """
    missing = [name for name in ("a", "b") if not request.query.get(name)]
    if missing:
        raise RefusedError(400, f"The request lacks {' and '.join(missing)}, the id of a run.")
    a, b = (request.service.entry(request.caller, request.query[name]) for name in ("a", "b"))
    held = json.loads(request.service.pair(a, b, request.policy, request.patience).with_suffix(".json").read_bytes())
    return a, b, held["told"], held["moments"]


def _compare(request: ApiRequest) -> ApiResponse:
    a, b, told, _ = compare_runs(request)
    return json_response(
        told,
        a=a.id,
        b=b.id,
        **({"redaction": request.policy} if request.policy else {"redaction": "off", "reason": request.reason}),
    )


def figures_response(request: ApiRequest) -> dict[str, Any]:
    """Return the requested figures. Roles that may see recordings also get the words of errors, if the index is masked
    enough for them.
    """
    shown = request.caller.role in SHOWN
    if shown:
        check_index_policy(request)
    query = request.query.get("q", "")
    return figures_of(request.service.library(request.caller), query, request.query.get("by"), request.query.get("every"), words=shown)  # fmt: skip


def log_response(request: ApiRequest) -> dict[str, Any]:
    """Return the log's last lines, and whether its chain of hashes is intact."""
    lines, intact = request.service.library(request.caller).log()
    limit = min(_MOST, whole_number(request, "limit") or _MOST)
    return {"intact": intact, "total": len(lines), "log": list(lines[-limit:])}


def _stats(request: ApiRequest) -> ApiResponse:
    return json_response(figures_response(request))


def _audit(request: ApiRequest) -> ApiResponse:
    return json_response(log_response(request))


def _post(request: ApiRequest) -> ApiResponse:
    assert request.upload is not None
    told = request.service.upload(
        work.add, str(request.service.folder), str(request.upload), request.caller.name, upload=request.upload
    )
    return json_response(told, 200 if told["did"] == "known" else 201, run=told["id"], what=told["did"])


def _delete(request: ApiRequest) -> ApiResponse:
    line = delete_run(request, request.query.get("why", ""))
    return json_response({"id": line["run"], "did": "deleted"}, **line)


def delete_run(request: ApiRequest, why: str) -> dict[str, Any]:
    """Delete the run in the request's path. Return the log's line. Raises RefusedError where no reason is given."""
    entry = request.service.entry(request.caller, request.path["id"])
    text = " ".join(why.split())[:500]
    if not text:
        raise RefusedError(400, "Give a reason; it is written into the log.")
    request.service.library(request.caller).delete(entry.id, text)
    return {"run": entry.id, "why": text}


def _openapi(request: ApiRequest) -> ApiResponse:
    return json_response(document(request.site.endpoints))


def _of_run(path: str, told: str, answer: Any, *parameters: Parameter, audit: str = "read") -> Endpoint:
    return Endpoint(
        "GET", f"{ROOT}/runs/{{id}}{path}", told, answer, SHOWN, audit, of_run=True, parameters=(*parameters, REASON)
    )


ENDPOINTS: Final = (
    Endpoint("GET", f"{ROOT}/runs", "Runs, the newest first, or those that fit a query.", _runs, SHOWN, "search", parameters=_QUERY),
    Endpoint("GET", f"{ROOT}/search", "Runs that fit a query, and the lines that say so.", _runs, SHOWN, "search", parameters=_QUERY),
    Endpoint("POST", f"{ROOT}/runs", "Add a recording, which is the body. Adding it again does nothing.", _post, WRITES, "upload", upload=True),
    _of_run("", "What a run came to: outcome, first failure, pages, figures.", _run),
    *(_of_run(f"/{name}", f"Its {name}, in order of time.", _list(name), *_PICKED) for name in LISTS),
    _of_run("/text", "What its pages said at a moment.", _text, Parameter("at", "ms, `end`, `step N`, or a mark's name. Default: end.")),
    _of_run("/replay.html", "Its replay, one HTML file to save.", _replay, audit="replay"),
    Endpoint("DELETE", f"{ROOT}/runs/{{id}}", "Delete a run: its files, its lines, its replays.", _delete, DELETES, "deleted",
             parameters=(Parameter("why", "Must be said, and stands in the log."),)),
    Endpoint("GET", f"{ROOT}/stats", "Figures over the runs that fit a query: by group, over time, where curves stepped, errors, tests, coverage.", _stats, FIGURES, "figures",
             parameters=FIGURES_ASKED),
    Endpoint("GET", f"{ROOT}/compare", "What differs between two runs.", _compare, SHOWN, "compare", of_run=True,
             parameters=(Parameter("a", "The id of one run."), Parameter("b", "The id of the other."), REASON)),
    Endpoint("GET", f"{ROOT}/audit", "The log, and whether it is whole.", _audit, AUDIT, "audit",
             parameters=(Parameter("limit", "The last so many lines.", "integer"),)),
    Endpoint("GET", f"{ROOT}/openapi.json", "This description.", _openapi),
)  # fmt: skip
