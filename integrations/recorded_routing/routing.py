"""Answers a context's requests from a recording (`route_from_reel`), as Playwright's `route_from_har` does from an archive."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import urlsplit

from pagereel.errors import UsageError
from pagereel.reading import SkippedRedirect, build_redirect_header
from pagereel.recorder import OwnCalls, PendingResult, choose_runner, run_as_own_call, to_recordable

from .partial_responses import build_partial_response
from .piecewise_answers import (
    LED_HEADER,
    SCRIPT,
    STREAM_HEADER,
    PiecewiseAnswer,
    add_stream_headers,
    build_event_source_body,
    is_answered_in_pieces,
    parse_stream_number,
)
from .recorded_network import RecordedExchange, RecordedNetwork, format_method_and_range
from .recorded_web_sockets import RecordedWebSocket
from .served_requests import Served, ServedRequest

if TYPE_CHECKING:
    from playwright import async_api, sync_api

_EVERYTHING = re.compile("")
_ABORTS = {
    "net::ERR_ABORTED": "aborted",
    "net::ERR_ACCESS_DENIED": "accessdenied",
    "net::ERR_ADDRESS_UNREACHABLE": "addressunreachable",
    "net::ERR_BLOCKED_BY_CLIENT": "blockedbyclient",
    "net::ERR_BLOCKED_BY_RESPONSE": "blockedbyresponse",
    "net::ERR_CONNECTION_ABORTED": "connectionaborted",
    "net::ERR_CONNECTION_CLOSED": "connectionclosed",
    "net::ERR_CONNECTION_FAILED": "connectionfailed",
    "net::ERR_CONNECTION_REFUSED": "connectionrefused",
    "net::ERR_CONNECTION_RESET": "connectionreset",
    "net::ERR_INTERNET_DISCONNECTED": "internetdisconnected",
    "net::ERR_NAME_NOT_RESOLVED": "namenotresolved",
    "net::ERR_TIMED_OUT": "timedout",
}
"""The browser's error for a failed request → Playwright's error code for aborting a request."""
_PARTIAL = 206
_NEVER = sys.maxsize
"""The number of a request that is never made."""
_REDIRECTS = ("_redirect_navigation_request", "_redirected_navigation_request")
"""Names of the method in different releases of Playwright."""


@overload
def route_from_reel(
    context: sync_api.BrowserContext | sync_api.Page,
    recording: str | os.PathLike[str],
    unmatched: Literal["abort", "network"] = "abort",
) -> Served: ...
@overload
def route_from_reel(
    context: async_api.BrowserContext | async_api.Page,
    recording: str | os.PathLike[str],
    unmatched: Literal["abort", "network"] = "abort",
) -> Awaitable[Served]: ...
def route_from_reel(
    context: Any, recording: str | os.PathLike[str], unmatched: Literal["abort", "network"] = "abort"
) -> Served | Awaitable[Served]:
    """Answer a context's requests from a recording instead of the network; with the async API, await it.

    A request matches a recorded one with the same method, address and body; ids, times and tokens in them are ignored,
    and all loopback ports are equal. A repeated request gets the answers in order, then the last one again. Messages of
    WebSockets are sent after the same message of the page as in the recording, those of event streams at once. Bodies
    that a recording without ``world=True`` did not keep (scripts, for example) cannot be answered.

    :param context: a BrowserContext, or a Page, of Playwright's sync or async API; before it makes requests.
    :param unmatched: ``abort``: a request that the recording cannot answer fails like a refused connection;
    ``network``: it is made.
    :return: a list of the requests that were answered and of those that were not; it grows as requests are made.
    :raises UsageError: the recording is missing or invalid, or ``unmatched`` is another word.
    """
    if unmatched not in ("abort", "network"):
        raise UsageError(f"unmatched={unmatched!r} is neither 'abort' nor 'network'.")
    target = to_recordable(context)
    if target.kind == "browser":
        raise UsageError("route_from_reel() takes a context or a page; a browser has no routes of its own.")
    router = _RecordedRouter(target.context, RecordedNetwork(Path(recording)), unmatched, target.is_async)
    if target.is_async:
        return router.install_routes_async(context)
    context.route(_EVERYTHING, router.answer_sync)
    context.route_web_socket(_EVERYTHING, router.answer_web_socket)
    context.add_init_script(SCRIPT)  # After Playwright's own script, which mocks WebSockets.
    return router.served


@dataclass(slots=True)
class _RouteAction:
    """A method of Playwright's `Route` to call, by name, with its arguments."""

    name: str
    arguments: dict[str, Any]
    cookies: list[Any]
    after: int = 0
    """The number of the request that must be made first."""
    patience: float = 0.0
    """Largest number of seconds to wait for that request."""


class _RecordedRouter:
    def __init__(self, context: Any, recorded: RecordedNetwork, unmatched: str, is_async: bool) -> None:
        self._context = context
        self._recorded = recorded
        self._unmatched = unmatched
        self._is_async = is_async
        self._runner = choose_runner(is_async)
        self._runner.bind_to_loop()
        self._waiting: list[tuple[int, PendingResult]] = []
        """Responses that are held back, each until a request has been made."""
        self._sockets: list[Callable[[], None]] = []
        """For each open WebSocket, a function that sends its due messages."""
        self._ahead: dict[str, tuple[RecordedExchange, list[RecordedExchange]]] = {}
        """Address to which a navigation was redirected → the response that is due there, and the redirects before it
        that the browser did not request.
        """
        context.on("close", lambda *_: self._runner.spawn(self._release_waiting_requests()))
        self._streams: list[PiecewiseAnswer] = []
        """The responses that are sent in pieces, in the order of their requests."""
        self.served = Served()

    async def install_routes_async(self, target: Any) -> Served:
        await target.route(_EVERYTHING, self.answer_async)
        await target.route_web_socket(_EVERYTHING, self.answer_web_socket)
        await target.add_init_script(SCRIPT)
        return self.served

    def answer_sync(self, route: Any) -> None:
        self._runner.run(self._answer_request(route))

    async def answer_async(self, route: Any) -> None:
        await run_as_own_call(self._answer_request(route))

    async def _answer_request(self, route: Any) -> None:
        deed = self._choose_action(route.request)
        if deed.after > self._recorded.reached:
            self._release_due_answers()
            slot = PendingResult()
            self._waiting.append((deed.after, slot))
            await self._runner.wait([slot], deed.patience)
            slot.set_result()
            with contextlib.suppress(Exception):  # Its page may have closed meanwhile.
                await self._perform_action(route, deed)
        else:
            await self._perform_action(route, deed)
        self._release_due_answers()

    async def _perform_action(self, route: Any, action: _RouteAction) -> None:
        if action.cookies:
            await self._runner.await_call(self._context.add_cookies(action.cookies))
        await self._runner.await_call(self._call_route_method(route, action))

    async def _release_waiting_requests(self) -> None:
        """Answer the requests that still wait when their pages have closed, because Playwright waits for their
        handlers.
        """
        for _, slot in self._waiting:
            slot.set_result()

    def _release_due_answers(self) -> None:
        """Send the WebSocket messages, and answer the waiting requests, that were waiting for a request which was made
        by now.
        """
        for say in list(self._sockets):
            with contextlib.suppress(Exception):  # Its page has closed.
                say()
        due = [slot for after, slot in self._waiting if after <= self._recorded.reached]
        self._waiting = [(after, slot) for after, slot in self._waiting if not slot.done and slot not in due]
        for slot in due:
            slot.set_result()

    def _call_route_method(self, route: Any, action: _RouteAction) -> Any:
        if action.name != "redirect":
            return getattr(route, action.name)(**action.arguments)
        url = action.arguments["url"]
        if "#" in url and _remove_fragment(url) == action.arguments["here"]:
            # It differs from the present page only by its fragment, so navigating there would load nothing.
            return route.fulfill(**_build_redirect_page(url, action.arguments["via"]))
        # Playwright's own route_from_har calls this method, which has no public name.
        for name in _REDIRECTS:
            redirect = getattr(getattr(route, "_impl_obj", None), name, None)
            if redirect is not None:
                return redirect(url) if self._is_async else route._sync(redirect(url))
        return route.fulfill(**_build_redirect_page(url, action.arguments["via"]))

    def _choose_action(self, request: Any) -> _RouteAction:
        """Return the call of the route's method that answers a request."""
        method, url = str(request.method), str(request.url)
        post = request.post_data_buffer or b""
        mime = str(request.headers.get("content-type", ""))
        navigates = request.is_navigation_request()
        if navigates and (due := self._ahead.pop(_remove_fragment(url), None)) is not None:
            return self._build_response_action(
                method,
                url,
                due[0],
                build_redirect_header(None, map(_to_skipped_redirect, due[1])) if due[1] else {},
                [],
            )
        found = self._recorded.find_exchange(
            format_method_and_range(method, request.resource_type, request.headers), url, post, mime
        )
        if found is None:
            return self._record_unmatched_request(method, url, "it was not made when the run was recorded")
        answer, hops = self._recorded.follow_redirects(found)
        cookies = [cookie for hop in hops for cookie in _read_cookies(hop)]
        is_cut_off = answer.is_never_answered or answer.is_aborted_early
        if is_cut_off or (answer.response.get("error") and not answer.status):
            self.served.served.append(ServedRequest(method, url, found.request["id"]))
            code = "aborted" if is_cut_off else _ABORTS.get(str(answer.response["error"]), "failed")
            held = (_NEVER, answer.open_seconds) if answer.is_never_answered else ()
            return _RouteAction("abort", {"error_code": code}, cookies, *held)
        if hops and navigates:
            # The page's address must become the target's, so the browser itself navigates there.
            self._ahead[_remove_fragment(answer.url)] = answer, hops[1:]
            self.served.served.append(ServedRequest(method, url, found.request["id"]))
            to = {"url": answer.url, "here": _get_frame_url(request), "via": build_redirect_header(found.status, ())}
            return _RouteAction("redirect", to, cookies)
        via = build_redirect_header(found.status, map(_to_skipped_redirect, (*hops[1:], answer))) if hops else {}
        return self._build_response_action(
            method, url, answer, via, cookies, answer.url if hops else None, request.headers.get("range", "")
        )

    def _build_response_action(
        self,
        method: str,
        url: str,
        answer: RecordedExchange,
        extra_headers: dict[str, str],
        cookies: list[Any],
        final_url: str | None = None,
        range_header: str = "",
    ) -> _RouteAction:
        """Return the call of Playwright's `Route` that fulfils a request with a recorded response.

        `final_url`: the URL after all redirects; `range_header`: the requested range of a resource.
        """
        stream = is_answered_in_pieces(answer)
        own = {} if final_url is None else {LED_HEADER: final_url}
        if stream:
            self._streams.append(PiecewiseAnswer(self._recorded, answer))
            own[STREAM_HEADER] = str(len(self._streams) - 1)
        body = (
            build_event_source_body(len(self._streams) - 1)
            if stream and answer.request["type"] == "eventsource"
            else self._recorded.read_response_body(answer)
        )
        if isinstance(body, str):
            return self._record_unmatched_request(method, url, body)
        if not answer.response:
            return self._record_unmatched_request(method, url, "it had no answer when the recording ended")
        self.served.served.append(ServedRequest(method, url, answer.request["id"]))
        headers = add_stream_headers({**answer.headers, **extra_headers}, own)
        given: dict[str, Any] = {"status": answer.status, "headers": headers, "body": body}
        if answer.method_and_range == method and answer.status == _PARTIAL:
            given |= build_partial_response(body, range_header, headers)
        return _RouteAction("fulfill", given, cookies, *self._recorded.find_awaited_request(answer))

    def _record_unmatched_request(self, method: str, url: str, reason: str) -> _RouteAction:
        if not self._recorded.world and reason.startswith("its body"):
            reason = f"{reason.partition(';')[0]}; record with world=True"
        self.served.miss(method, url, reason)
        if self._unmatched == "network":
            return _RouteAction("fallback", {}, [])
        return _RouteAction("abort", {"error_code": "connectionrefused"}, [])

    def answer_web_socket(self, route: Any) -> None:
        """Answer a WebSocket of the page from the recording.

        This works with both of Playwright's APIs, because sending a message never waits.
        """
        url = str(route.url)
        if (number := parse_stream_number(url)) is not None and number < len(self._streams):
            self._announce_due_pieces(route, self._streams[number])
            return
        found = self._recorded.find_exchange("GET", url, b"", "")
        if found is None or found.response.get("error"):
            if found is None:
                self.served.miss("GET", url, "no such WebSocket was open when the run was recorded")
            if found is None and self._unmatched == "network":
                route.connect_to_server()
            else:
                route.close(code=1011, reason="not in the recording")
            return
        self.served.served.append(ServedRequest("GET", url, found.request["id"]))
        conversation = RecordedWebSocket(self._recorded, found)

        def send_due_messages() -> None:
            for message in conversation.iter_due_messages():
                route.send(message)

        def handle_message(message: str | bytes) -> None:
            with OwnCalls():
                conversation.handle_message(message)
                send_due_messages()

        route.on_message(handle_message)
        route.on_close(
            lambda *_: self._sockets.remove(send_due_messages) if send_due_messages in self._sockets else None
        )
        self._sockets.append(send_due_messages)
        with OwnCalls():
            send_due_messages()

    def _announce_due_pieces(self, route: Any, stream: PiecewiseAnswer) -> None:
        """Tell the script in a page, over a mocked WebSocket, when the pieces of a streamed response are due."""

        def send_progress() -> None:
            with OwnCalls():
                route.send(stream.build_progress_message())

        self._sockets.append(send_progress)
        route.on_close(lambda *_: self._sockets.remove(send_progress) if send_progress in self._sockets else None)
        with OwnCalls():
            route.send(stream.build_first_message())


def _to_skipped_redirect(exchange: RecordedExchange) -> SkippedRedirect:
    return SkippedRedirect(exchange.method, exchange.url, exchange.status)


def _get_frame_url(request: Any) -> str:
    """Return the URL of the frame that makes a navigation request; "" for a page that is still being created."""
    try:
        return _remove_fragment(request.frame.url)
    except Exception:  # Playwright raises an error if there is no frame yet.
        return ""


def _remove_fragment(url: str) -> str:
    return url.partition("#")[0]


def _build_redirect_page(url: str, extra_headers: dict[str, str]) -> dict[str, Any]:
    """Return a response whose page navigates to another URL, without adding an entry to the history.

    `extra_headers`: the header that names the redirect which this page replaces.
    """
    target = url.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    body = f'<!doctype html><meta http-equiv="refresh" content="0;url={target}">'
    return {"status": 200, "headers": {"content-type": "text/html; charset=utf-8", **extra_headers}, "body": body}


def _read_cookies(exchange: RecordedExchange) -> list[dict[str, Any]]:
    """Return the valid cookies that a recorded redirect set, in Playwright's form."""
    found = []
    for line in exchange.find_header("set-cookie").split("\n"):
        try:
            jar = SimpleCookie(line.strip())
        except CookieError:
            continue
        for name, morsel in jar.items():
            parts = urlsplit(exchange.url)
            cookie: dict[str, Any] = {
                "name": name,
                "value": morsel.value,
                "domain": morsel["domain"] or parts.hostname or "",
            }
            cookie |= {
                "path": morsel["path"] or "/",
                "httpOnly": bool(morsel["httponly"]),
                "secure": bool(morsel["secure"]),
            }
            found.append(cookie)
    return found
