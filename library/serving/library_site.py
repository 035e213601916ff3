"""The two web applications of a library: the API with the pages, and the replays on another origin."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from pagereel.errors import PagereelError, ReelError, UsageError
from pagereel.library.intake import ActiveRecordings
from pagereel.library.library import SERVED

from .access import AccessControl, TooManyGuessesError
from .connections import iter_body_blocks
from .endpoint import LINKED_REASON, NO_REASON, REASON, ApiRequest, ApiResponse, Endpoint, get_unconfirmed_reason
from .frame_tickets import FrameTickets, build_frame_security_policy
from .html_pages import build_problem_response, build_waiting_response
from .library_service import LibraryService
from .link_preview import NOBODY, build_preview_card
from .live_feeds import LiveFeeds
from .request_checks import RequestChecks, build_page_security_policy
from .roles import RAW, Caller
from .worker import FileNotReadyError, RequestRefusedError

LARGEST: Final = 1 << 30
"""Default limit of an upload, in bytes."""
_FORM: Final = 4_096
_PATIENCE_S: Final = 2.0
"""Seconds after which a browser's request is answered with a waiting page; programs wait without limit."""
_PATIENCE_OF_WAITING_PAGE_S: Final = 10.0

Draw = Callable[[Path, float], bytes]
"""A function that draws a page of a masked recording at a time (ms) as PNG. It is called in another process, so it
must be a function of a module.
"""


@dataclass(frozen=True, slots=True)
class SiteOrigin:
    """The origin of the pages, and that of their replays."""

    pages: str
    replays: str


class LibrarySite:
    """The site of a served library: it makes both web applications from the endpoints, and checks who may use each
    endpoint.
    """

    def __init__(
        self,
        service: LibraryService,
        access: AccessControl,
        endpoints: Iterable[Endpoint],
        origins: Iterable[SiteOrigin],
        largest: int = LARGEST,
        live: Iterable[str] = (),
        draw: Draw | None = None,
    ) -> None:
        """`live`: places whose recordings under way are shown. `draw`: draws the picture in the preview of a link to a
        run; None: no preview.
        """
        self.service, self.access = service, access
        self.endpoints, self.origins = tuple(endpoints), tuple(origins)
        self.tickets = FrameTickets()
        self.making, self.feeds = ActiveRecordings(service.folder, live), LiveFeeds()
        self.largest, self.draw = largest, draw

    def build_pages_app(self) -> RequestChecks:
        """Return the ASGI application of the API and the pages."""
        routes = [
            Route(row.path, self._build_endpoint_handler(row), methods=[row.method])
            for row in self.endpoints
            if not row.framed
        ]
        return self._build_checked_app(
            routes,
            [each.pages for each in self.origins],
            {"Content-Security-Policy": build_page_security_policy("'none'")},
        )

    def build_replays_app(self) -> RequestChecks:
        """Return the ASGI application of the replays."""
        routes = [
            Route(row.path, self._build_endpoint_handler(row), methods=[row.method])
            for row in self.endpoints
            if row.framed
        ]
        ancestors = " ".join(each.pages for each in self.origins)
        return self._build_checked_app(
            routes,
            [each.replays for each in self.origins],
            {"Content-Security-Policy": build_frame_security_policy(ancestors)},
            framed=True,
        )

    def find_origin(self, host: str, *, framed: bool = False) -> SiteOrigin:
        """Return the pair of origins (of pages and replays) one of which has this host name; the first pair if none has
        it.

        :param framed: look for `host` among the origins of the replays.
        """
        asked = (get_origin_host(each.replays if framed else each.pages) == host.lower() for each in self.origins)
        return next((each for each, fits in zip(self.origins, asked, strict=True) if fits), self.origins[0])

    def _build_checked_app(
        self, routes: list[Route], origins: list[str], headers: dict[str, str], framed: bool = False
    ) -> RequestChecks:
        app = Starlette(routes=routes, exception_handlers={HTTPException: self._answer_unknown_route})
        app.router.redirect_slashes = False  # A redirect would name the scheme between the proxy and this process.
        return RequestChecks(app, map(get_origin_host, origins), origins, headers, framed=framed)

    def _build_endpoint_handler(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        async def handle_request(request: Request) -> Response:
            try:
                told = await self._check_and_answer(endpoint, request)
            except ClientDisconnect:
                return Response(status_code=400)
            except FileNotReadyError:
                told = build_waiting_response()
            except RequestRefusedError as error:
                if error.status == 401 and endpoint.page and endpoint.method == "GET":
                    told = await self._build_sign_in_with_preview(request, str(error))
                else:
                    told = self._build_refusal(endpoint, error.status, str(error), request)
            except TooManyGuessesError:
                told = self._build_refusal(
                    endpoint, 429, "Too many unknown tokens came from this address. Wait a minute."
                )
                told.headers["Retry-After"] = "60"
            except ReelError as error:
                told = self._build_refusal(endpoint, 422, str(error))
            except UsageError as error:
                told = self._build_refusal(endpoint, 400, str(error))
            except PagereelError as error:
                told = self._build_refusal(endpoint, 409, str(error))
            return (
                self._build_stream_response(endpoint, told) if told.stream is not None else _to_starlette_response(told)
            )

        return handle_request

    async def _check_and_answer(self, endpoint: Endpoint, request: Request) -> ApiResponse:
        caller = self._identify_caller(endpoint, request)
        asked = ApiRequest(
            self.service, self, caller, request.path_params, request.query_params, address=str(request.url.path),
            host=request.headers.get("host", ""), peer=request.client.host if request.client else "",
            headers=request.headers, patience=_get_waiting_seconds(request) if endpoint.page else None,
        )  # fmt: skip
        if endpoint.of_run and caller.role == "raw" and asked.viewing_reason is None:
            raise RequestRefusedError(400, NO_REASON)
        if caller.role in RAW and get_unconfirmed_reason(request):
            raise RequestRefusedError(400, NO_REASON)
        upload: Path | None = None
        try:
            if endpoint.upload:
                upload = await self._receive_upload(request)
                asked = asked.with_body(upload=upload)
            elif endpoint.method == "POST":
                asked = asked.with_body(body=await _read_body(request, endpoint.body))
            return await asyncio.get_running_loop().run_in_executor(
                self._choose_thread_pool(endpoint), self._answer_and_log, endpoint, asked
            )
        finally:
            if upload is not None:
                upload.unlink(missing_ok=True)

    def _identify_caller(self, endpoint: Endpoint, request: Request) -> Caller:
        if not endpoint.roles:
            return Caller("", "")
        caller = self.access.identify_caller(request)
        if caller is None:
            raise RequestRefusedError(401, "A token is needed.")
        if caller.role not in endpoint.roles:
            raise RequestRefusedError(403, f"The role {caller.role} may not do this.")
        return caller

    def _answer_and_log(self, endpoint: Endpoint, request: ApiRequest) -> ApiResponse:
        """Answer a request, and write the log's line. If the line cannot be written, the answer is not sent."""
        try:
            told = endpoint.answer(request)
            if isinstance(told.body, Path):
                told.found = told.body.stat()
        except (PagereelError, FileNotFoundError) as error:
            # A recording under way is in no library yet.
            if (
                endpoint.audit != "live"
                and not isinstance(error, FileNotReadyError)
                and (gone := self._find_deleted_run(request))
            ):
                raise RequestRefusedError(404, f"There is no run {gone[:80]}.") from None
            raise
        if endpoint.audit is not None and told.line is not None:
            self.service.get_library(told.caller or request.caller).note({"did": endpoint.audit, **told.line})
        return told

    def _find_deleted_run(self, request: ApiRequest) -> str | None:
        """Return the id of a requested run that is not in the library, because it was deleted meanwhile; else None."""
        ticket = self.tickets.get_ticket(request.path.get("ticket", ""))
        if ticket is not None:
            runs = [each.id for each in (ticket.entry, ticket.beside) if each is not None and not ticket.live]
        else:
            runs = [request.path.get("id", ""), request.query.get("a", ""), request.query.get("b", "")]
        catalogue = self.service.get_library(request.caller).catalogue
        return next((id for id in runs if id and catalogue.get_entry(id) is None), None)

    def _build_stream_response(self, endpoint: Endpoint, response: ApiResponse) -> Response:
        """Return the response for a stream, which writes a line into the log when the stream ends."""
        assert response.stream is not None and response.caller is not None
        come, caller, began = response.stream, response.caller, time.monotonic()

        def log_stream_end() -> None:
            seconds = round(time.monotonic() - began, 1)
            self.service.get_library(caller).note(
                {"did": endpoint.audit, **(response.line or {}), "what": "end", "seconds": seconds}
            )

        async def iter_stream() -> AsyncIterator[bytes]:
            try:
                async for data in come():
                    yield data
            finally:
                self.service.get_thread_pool("quick").submit(
                    log_stream_end
                )  # not awaited, because the client's disconnection cancels this coroutine

        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", **response.headers}
        return StreamingResponse(iter_stream(), response.status, headers, response.media)

    def _choose_thread_pool(self, endpoint: Endpoint) -> Executor:
        return self.service.get_thread_pool(
            "upload" if endpoint.upload else "run" if endpoint.of_run or endpoint.framed or endpoint.body else "quick"
        )

    def _build_refusal(
        self, endpoint: Endpoint, status: int, message: str, request: Request | None = None
    ) -> ApiResponse:
        """Return the response for a request that is refused: an error page, or JSON for a program."""
        if endpoint.page:
            asks = request is not None and request.method == "GET"
            asked, said = (
                (_get_requested_address(request), get_unconfirmed_reason(request))
                if asks and request is not None
                else (("", []), None)
            )
            return build_problem_response(
                status, message, ask_reason=message is NO_REASON, requested_address=asked, reason=said
            )
        return ApiResponse(
            _to_json_bytes({"error": message}),
            status=status,
            headers={"WWW-Authenticate": "Bearer"} if status == 401 else {},
        )

    async def _build_sign_in_with_preview(self, request: Request, message: str) -> ApiResponse:
        """Return the sign-in form, with the preview of the link for a chat."""
        host, id = request.headers.get("host", ""), str(request.path_params.get("id", ""))
        # A cookie limited to this site does not come with a link from a chat. A second request from this page has it.
        again = request.headers.get("sec-fetch-site") in ("same-site", "cross-site")

        def build_response() -> ApiResponse:
            card = build_preview_card(self, host, id) if id else None
            if card is not None and card.picture is not None:
                self.service.get_library(NOBODY).note(
                    {"did": "unfurl", "run": id, "redaction": "strict", "what": "words"}
                )
            return build_problem_response(
                401,
                message,
                preview=card,
                requested_address=_get_requested_address(request),
                reload=again,
                reason=get_unconfirmed_reason(request),
            )

        return await asyncio.get_running_loop().run_in_executor(self.service.get_thread_pool("quick"), build_response)

    async def _answer_unknown_route(self, request: Request, error: Exception) -> Response:
        """Answer a request that matches no route; for browsers, with a page."""
        assert isinstance(error, HTTPException)
        if _is_from_browser(request) and not request.url.path.startswith("/api/"):
            return _to_starlette_response(build_problem_response(error.status_code, f"{error.detail}."))
        return JSONResponse({"error": str(error.detail)}, error.status_code, headers=error.headers)

    async def _receive_upload(self, request: Request) -> Path:
        """Write the body of an upload to a temporary file, and return its path. Raises RequestRefusedError (408, 413, 422,
        507).
        """
        path = self.service.folder / SERVED / f".{secrets.token_hex(12)}.upload"
        length = request.headers.get("content-length", "")
        too_large = f"A recording may have {self.largest:,} bytes."
        if length.isdecimal() and int(length[:20]) > self.largest:
            raise RequestRefusedError(
                413, too_large
            )  # The connection reads and discards some more of the body, because a client that is still sending does not read the answer.
        size = 0
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                async for block in iter_body_blocks(request):
                    size += len(block)
                    if size > self.largest:
                        raise RequestRefusedError(413, too_large)
                    file.write(block)
            if not size:
                raise RequestRefusedError(422, "The body is empty; send the recording as the body.")
        except OSError as error:
            path.unlink(missing_ok=True)
            raise RequestRefusedError(507, f"The recording cannot be kept here: {error.strerror}.") from None
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path


def get_origin_host(origin: str) -> str:
    """Return host and port of an origin, as in a browser's Host header."""
    return origin.lower().partition("://")[2]


def _to_json_bytes(value: object) -> bytes:
    return bytes(JSONResponse(value).body)


def _is_from_browser(request: Request) -> bool:
    """Return whether the request comes from a browser that shows pages."""
    return "text/html" in request.headers.get("accept", "")


def _get_waiting_seconds(request: Request) -> float | None:
    """Return for how many seconds a file is waited for before the waiting page is shown; None: without limit.

    The time is longer if the request comes from the waiting page itself.
    """
    if not _is_from_browser(request):
        return None
    again = urlsplit(request.headers.get("referer", "")).path == request.url.path
    return _PATIENCE_OF_WAITING_PAGE_S if again else _PATIENCE_S


async def _read_body(request: Request, max_bytes: int) -> bytes:
    body = b""
    async for block in iter_body_blocks(request):
        body += block
        if len(body) > (max_bytes or _FORM):
            raise RequestRefusedError(413, "The body is too large.")
    return body


def _get_requested_address(request: Request) -> tuple[str, list[tuple[str, str]]]:
    """Return the path and the parameters of a request, to which the sign-in form returns. The parameter ``reason`` gets
    another name, so that a reason from a link counts as unconfirmed until the caller confirms it.
    """
    named = {REASON.name: LINKED_REASON}
    return str(request.url.path), [(named.get(name, name), value) for name, value in request.query_params.multi_items()]


def _to_starlette_response(response: ApiResponse) -> Response:
    headers = {"Cache-Control": "no-store", **response.headers}
    if isinstance(response.body, Path):
        return FileResponse(response.body, response.status, headers, response.media, stat_result=response.found)
    return Response(response.body, response.status, headers, response.media)
