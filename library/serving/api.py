"""The endpoints of the HTTP API: they answer as JSON, with recordings masked as the caller's role demands."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from pagereel.library.catalogue import CatalogueEntry
from pagereel.library.query import WORDS, parse_query
from pagereel.library.retention import build_thinned_summary
from pagereel.library.searching import LIMIT, SearchResult, search_catalogue
from pagereel.reading import QUERIES, RecordedRun, build_run_summary, filter_records, to_summary_paragraph

from . import worker_tasks
from .endpoint import NO_REASON, REASON, ApiRequest, ApiResponse, Endpoint, Parameter, build_json_response
from .figures import build_figures_fields
from .openapi import build_openapi_document
from .roles import AUDIT, DELETES, FIGURES, SHOWN, WRITES
from .worker import RequestRefusedError

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
    raise_if_index_forbidden(request)
    terms = parse_query(request.query.get("q", ""))
    if (
        request.viewing_reason is None
        and any(term.operator in WORDS for term in terms)
        and request.service.get_index_policy(request.caller) is None
    ):
        raise RequestRefusedError(400, NO_REASON)  # The index is raw, so a matching line shows a raw recording.
    answer = search_catalogue(
        request.service.get_library(request.caller).catalogue,
        terms,
        parse_whole_number(request, "limit") or LIMIT,
        request.query.get("cursor") or None,
    )
    return replace(answer, runs=tuple(replace(run, path=Path(run.path).name) for run in answer.runs))


def raise_if_index_forbidden(request: ApiRequest) -> None:
    """Raise RequestRefusedError where the index is masked less than this role demands."""
    index = request.service.get_index_policy(request.caller)
    if not request.caller.may_search_index(index):
        raise RequestRefusedError(
            403,
            f'The index of this library is masked under "{index or "off"}", and the role {request.caller.role} sees less.',
        )


def open_requested_run(request: ApiRequest) -> tuple[CatalogueEntry, RecordedRun]:
    """Return the files of the run in the request's path, and the run's recording, opened and masked for this caller's
    role.
    """
    entry = request.service.get_catalogue_entry(request.caller, request.path["id"])
    return entry, request.service.open_reading(entry, request.viewing_policy, request.patience)


def get_thinned_summary(request: ApiRequest) -> tuple[CatalogueEntry, dict[str, Any]] | None:
    """Return the files and the summary of the requested run, if only its figures are kept (tier ``facts``); None for
    others.
    """
    entry = request.service.get_catalogue_entry(request.caller, request.path["id"])
    if entry.tier != "facts":
        return None
    raise_if_index_forbidden(request)
    told = build_thinned_summary(request.service.folder, entry.id, None)
    return entry, {"id": entry.id, "sha256": entry.sha256, **told, "redaction": request.service.index or "off", "markdown": to_summary_paragraph(told)}  # fmt: skip


def build_log_fields(request: ApiRequest, entry: CatalogueEntry, **more: Any) -> dict[str, Any]:
    """Return the fields for the log's line that records this caller's view of a run. `more`: further fields."""
    told = {"run": entry.id, "redaction": request.viewing_policy or "off", **more}
    return {**told, "reason": request.viewing_reason} if request.viewing_policy is None else told


def build_summary(folder: Path, entry: CatalogueEntry, reading: RecordedRun, policy: str | None) -> dict[str, Any]:
    """Return a run's summary from its opened recording; that of a thinned run also has the figures saved before
    thinning.
    """
    told = build_run_summary(reading)
    if entry.tier != "full":
        told = build_thinned_summary(folder, entry.id, told)
    return {"id": entry.id, "sha256": entry.sha256, "tier": entry.tier, **told, "redaction": policy or "off", "markdown": to_summary_paragraph(told)}  # fmt: skip


def parse_number(request: ApiRequest, name: str) -> float | None:
    """Return a parameter of the request as a number; None where it is missing. Raises RequestRefusedError (400)."""
    said = request.query.get(name)
    if said in (None, ""):
        return None
    try:
        value = float(said or "")
        if value != value or abs(value) > 1e15:
            raise ValueError
    except ValueError:
        raise RequestRefusedError(400, f"{name} is a number, not {said!r}.") from None
    return value


def parse_whole_number(request: ApiRequest, name: str) -> int | None:
    """Return a parameter of the request as a whole number from 1 on; None where it is missing. Raises RequestRefusedError
    (400).
    """
    value = parse_number(request, name)
    if value is not None and (value < 1 or value != int(value)):
        raise RequestRefusedError(400, f"{name} is a whole number from 1 on, not {request.query[name]!r}.")
    return None if value is None else int(value)


def build_search_log_fields(request: ApiRequest, answer: SearchResult) -> dict[str, Any]:
    """Return the fields for the log's line that records a search."""
    fields = {"query": request.query.get("q", ""), "found": answer.total}
    return {**fields, "reason": request.viewing_reason} if request.viewing_reason else fields


def _answer_search(request: ApiRequest) -> ApiResponse:
    answer = search_runs(request)
    return build_json_response(asdict(answer), **build_search_log_fields(request, answer))


def _answer_summary(request: ApiRequest) -> ApiResponse:
    if (figures := get_thinned_summary(request)) is not None:
        return build_json_response(figures[1], **build_log_fields(request, figures[0], what="summary"))
    entry, reading = open_requested_run(request)
    told = build_summary(request.service.folder, entry, reading, request.viewing_policy)
    return build_json_response(told, **build_log_fields(request, entry, what="summary"))


def _build_record_list_handler(query_name: str) -> Any:
    def answer_record_list(request: ApiRequest) -> ApiResponse:
        entry, reading = open_requested_run(request)
        limit = min(_MOST, parse_whole_number(request, "limit") or _MOST)
        records = filter_records(
            QUERIES[query_name](reading),
            grep=request.query.get("grep") or None,
            start=parse_number(request, "from"),
            end=parse_number(request, "to"),
            limit=limit,
        )
        return build_json_response({query_name: records}, **build_log_fields(request, entry, what=query_name))

    return answer_record_list


def _answer_page_text(request: ApiRequest) -> ApiResponse:
    entry, reading = open_requested_run(request)
    try:
        at = reading.moment(request.query.get("at") or "end")
    except LookupError as error:
        raise RequestRefusedError(400, str(error)) from None
    return build_json_response(
        {"t": at, "pages": reading.text(at)}, **build_log_fields(request, entry, what="text", at=at)
    )


def _answer_replay(request: ApiRequest) -> ApiResponse:
    """Return a run's replay as a file to save. A browser must not show it from this address, because its script would
    have the origin of this server.
    """
    entry = request.service.get_catalogue_entry(request.caller, request.path["id"])
    return ApiResponse(
        request.service.get_replay(entry, request.viewing_policy), "text/html; charset=utf-8", line=build_log_fields(request, entry),
        headers={"Content-Disposition": f'attachment; filename="{entry.id}.html"', "Content-Security-Policy": "sandbox; default-src 'none'"},
    )  # fmt: skip


def compare_runs(request: ApiRequest) -> tuple[CatalogueEntry, CatalogueEntry, dict[str, Any], list[int]]:
    """Return the files of both requested runs, their comparison as JSON, and the time of each difference in ms on the
    joint clock. Both runs are masked together, so that a value has the same stand-in in both.
    """
    missing = [name for name in ("a", "b") if not request.query.get(name)]
    if missing:
        raise RequestRefusedError(400, f"The request lacks {' and '.join(missing)}, the id of a run.")
    a, b = (request.service.get_catalogue_entry(request.caller, request.query[name]) for name in ("a", "b"))
    held = json.loads(
        request.service.get_pair_page(a, b, request.viewing_policy, request.patience).with_suffix(".json").read_bytes()
    )
    return a, b, held["told"], held["moments"]


def _answer_comparison(request: ApiRequest) -> ApiResponse:
    a, b, told, _ = compare_runs(request)
    return build_json_response(
        told,
        a=a.id,
        b=b.id,
        **(
            {"redaction": request.viewing_policy}
            if request.viewing_policy
            else {"redaction": "off", "reason": request.viewing_reason}
        ),
    )


def compute_requested_figures(request: ApiRequest) -> dict[str, Any]:
    """Return the figures (counts, shares, costs over many runs) that the request asks for.

    The texts of errors are included only for roles that may see recordings.

    :raises RequestRefusedError: the index is masked less than such a role demands.
    """
    shown = request.caller.role in SHOWN
    if shown:
        raise_if_index_forbidden(request)
    query = request.query.get("q", "")
    return build_figures_fields(request.service.get_library(request.caller), query, request.query.get("by"), request.query.get("every"), with_error_texts=shown)  # fmt: skip


def read_requested_log(request: ApiRequest) -> dict[str, Any]:
    """Return the last lines of the library's log, and whether the log's chain of hashes is intact."""
    lines, intact = request.service.get_library(request.caller).log()
    limit = min(_MOST, parse_whole_number(request, "limit") or _MOST)
    return {"intact": intact, "total": len(lines), "log": list(lines[-limit:])}


def _answer_figures(request: ApiRequest) -> ApiResponse:
    return build_json_response(compute_requested_figures(request))


def _answer_log(request: ApiRequest) -> ApiResponse:
    return build_json_response(read_requested_log(request))


def _answer_upload(request: ApiRequest) -> ApiResponse:
    assert request.upload is not None
    told = request.service.run_upload(
        worker_tasks.add_recording,
        str(request.service.folder),
        str(request.upload),
        request.caller.name,
        upload=request.upload,
    )
    return build_json_response(told, 200 if told["did"] == "known" else 201, run=told["id"], what=told["did"])


def _answer_deletion(request: ApiRequest) -> ApiResponse:
    line = delete_run(request, request.query.get("why", ""))
    return build_json_response({"id": line["run"], "did": "deleted"}, **line)


def delete_run(request: ApiRequest, why: str) -> dict[str, Any]:
    """Delete the run in the request's path. Return the log's line. Raises RequestRefusedError where no reason is given."""
    entry = request.service.get_catalogue_entry(request.caller, request.path["id"])
    text = " ".join(why.split())[:500]
    if not text:
        raise RequestRefusedError(400, "Give a reason; it is written into the log.")
    request.service.get_library(request.caller).delete(entry.id, text)
    return {"run": entry.id, "why": text}


def _answer_openapi(request: ApiRequest) -> ApiResponse:
    return build_json_response(build_openapi_document(request.site.endpoints))


def _build_run_endpoint(
    path: str, description: str, answer: Any, *parameters: Parameter, audit: str = "read"
) -> Endpoint:
    return Endpoint(
        "GET",
        f"{ROOT}/runs/{{id}}{path}",
        description,
        answer,
        SHOWN,
        audit,
        of_run=True,
        parameters=(*parameters, REASON),
    )


ENDPOINTS: Final = (
    Endpoint("GET", f"{ROOT}/runs", "Runs, the newest first, or those that fit a query.", _answer_search, SHOWN, "search", parameters=_QUERY),
    Endpoint("GET", f"{ROOT}/search", "Runs that fit a query, and the lines that say so.", _answer_search, SHOWN, "search", parameters=_QUERY),
    Endpoint("POST", f"{ROOT}/runs", "Add a recording, which is the body. Adding it again does nothing.", _answer_upload, WRITES, "upload", upload=True),
    _build_run_endpoint("", "What a run came to: outcome, first failure, pages, figures.", _answer_summary),
    *(_build_run_endpoint(f"/{name}", f"Its {name}, in order of time.", _build_record_list_handler(name), *_PICKED) for name in LISTS),
    _build_run_endpoint("/text", "What its pages said at a moment.", _answer_page_text, Parameter("at", "ms, `end`, `step N`, or a mark's name. Default: end.")),
    _build_run_endpoint("/replay.html", "Its replay, one HTML file to save.", _answer_replay, audit="replay"),
    Endpoint("DELETE", f"{ROOT}/runs/{{id}}", "Delete a run: its files, its lines, its replays.", _answer_deletion, DELETES, "deleted",
             parameters=(Parameter("why", "Must be said, and stands in the log."),)),
    Endpoint("GET", f"{ROOT}/stats", "Figures over the runs that fit a query: by group, over time, where curves stepped, errors, tests, coverage.", _answer_figures, FIGURES, "figures",
             parameters=FIGURES_ASKED),
    Endpoint("GET", f"{ROOT}/compare", "What differs between two runs.", _answer_comparison, SHOWN, "compare", of_run=True,
             parameters=(Parameter("a", "The id of one run."), Parameter("b", "The id of the other."), REASON)),
    Endpoint("GET", f"{ROOT}/audit", "The log, and whether it is whole.", _answer_log, AUDIT, "audit",
             parameters=(Parameter("limit", "The last so many lines.", "integer"),)),
    Endpoint("GET", f"{ROOT}/openapi.json", "This description.", _answer_openapi),
)  # fmt: skip
