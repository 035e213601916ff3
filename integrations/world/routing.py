"""`route_from_reel`: a context whose requests are answered from a recording, as Playwright's `route_from_har` does it from an archive."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload
from urllib.parse import urlsplit

from pagereel.errors import UsageError
from pagereel.reading import Redirect, redirect_header
from pagereel.recorder import Ours, Pending, as_ours, classify, runner_for

from .parts import part_of
from .recorded import RecordedExchange, RecordedNetwork, request_kind
from .served import Served, ServedRequest
from .sockets import Conversation
from .streams import LED_HEADER, SCRIPT, STREAM_HEADER, AnswerStream, held, is_stream, marked, number_of

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
"""The browser's words for a request that failed, and Playwright's for failing one so."""
_PARTIAL = 206
_WAIT = "wait"
"""The deed for a request that nobody answered for as long as its page waited."""
_REDIRECTS = ("_redirect_navigation_request", "_redirected_navigation_request")
"""Names that it has, or had, in Playwright's releases."""


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

    A request is the recorded one with its method, its address and what it sends, but for ids, times and tokens in them; loopback
    ports are one. The same request made again gets the answers in their order, then the last one again. Messages of WebSockets
    come after the page's message that they came after, those of event streams at once. What a recording
    without ``world=True`` did not keep (scripts, for one) cannot be answered.

    :param context: a BrowserContext, or a Page, of Playwright's sync or async API; before it makes requests.
    :param unmatched: ``abort``: a request that the recording cannot answer fails like a refused connection; ``network``: it is made.
    :return: what was answered and what was not; it fills as requests are made.
    :raises UsageError: the recording is not there or none, or ``unmatched`` is another word.
    """
    if unmatched not in ("abort", "network"):
        raise UsageError(f"unmatched={unmatched!r} is neither 'abort' nor 'network'.")
    target = classify(context)
    if target.kind == "browser":
        raise UsageError("route_from_reel() takes a context or a page; a browser has no routes of its own.")
    router = _Router(target.context, RecordedNetwork(Path(recording)), unmatched, target.is_async)
    if target.is_async:
        return router.begin_async(context)
    context.route(_EVERYTHING, router.request_sync)
    context.route_web_socket(_EVERYTHING, router.socket)
    context.add_init_script(SCRIPT)  # After Playwright's own, which makes WebSockets up.
    return router.served


@dataclass(slots=True)
class _Deed:
    """One call of a route's, by name."""

    name: str
    arguments: dict[str, Any]
    cookies: list[Any]
    after: int = 0
    """The number of the request that must have been made before."""
    patience: float = 0.0
    """Seconds that are waited for it at most."""


class _Router:
    def __init__(self, context: Any, recorded: RecordedNetwork, unmatched: str, is_async: bool) -> None:
        self._context = context
        self._recorded = recorded
        self._unmatched = unmatched
        self._is_async = is_async
        self._runner = runner_for(is_async)
        self._runner.bind()
        self._waiting: list[tuple[int, Pending]] = []
        """Answers that are held back, each until a request has been made."""
        self._sockets: list[Callable[[], None]] = []
        """Of each open WebSocket: has its server say what is due."""
        self._ahead: dict[str, tuple[RecordedExchange, list[RecordedExchange]]] = {}
        """Address that a navigation was sent on to → the answer that is due there, and the redirects before it that nobody asked for."""
        self._held: list[Any] = []
        """The routes of requests that nobody answers."""
        context.on("close", lambda *_: self._runner.spawn(self._let_go()))
        self._streams: list[AnswerStream] = []
        """What is given bit by bit, in the order in which it was asked for."""
        self.served = Served()

    async def begin_async(self, target: Any) -> Served:
        await target.route(_EVERYTHING, self.request_async)
        await target.route_web_socket(_EVERYTHING, self.socket)
        await target.add_init_script(SCRIPT)
        return self.served

    def request_sync(self, route: Any) -> None:
        self._runner.run(self._answer(route))

    async def request_async(self, route: Any) -> None:
        await as_ours(self._answer(route))

    async def _answer(self, route: Any) -> None:
        deed = self._deed(route.request)
        if deed.after > self._recorded.reached:
            self._say()
            slot = Pending()
            self._waiting.append((deed.after, slot))
            await self._runner.wait([slot], deed.patience)
            with contextlib.suppress(Exception):  # Its page may have gone meanwhile.
                await self._do(route, deed)
        else:
            await self._do(route, deed)
        self._say()

    async def _do(self, route: Any, deed: _Deed) -> None:
        if deed.cookies:
            await self._runner.io(self._context.add_cookies(deed.cookies))
        await self._runner.io(self._call(route, deed))

    async def _let_go(self) -> None:
        """End the requests that have no answer: their pages have gone, and Playwright still waits."""
        for _, slot in self._waiting:
            slot.set()
        held, self._held = self._held, []
        for route in held:
            with contextlib.suppress(Exception):
                await self._runner.io(route.abort())

    def _say(self) -> None:
        """Have all that waits for requests look whether they have been made."""
        for say in list(self._sockets):
            with contextlib.suppress(Exception):  # Its page has gone.
                say()
        due = [slot for after, slot in self._waiting if after <= self._recorded.reached]
        self._waiting = [(after, slot) for after, slot in self._waiting if not slot.done and slot not in due]
        for slot in due:
            slot.set()

    def _call(self, route: Any, deed: _Deed) -> Any:
        if deed.name == _WAIT:
            self._held.append(route)
            return None
        if deed.name != "redirect":
            return getattr(route, deed.name)(**deed.arguments)
        url = deed.arguments["url"]
        if "#" in url and _bare(url) == deed.arguments["here"]:
            # A fragment of the page that is there: to go to it would load nothing.
            return route.fulfill(**_sent_on(url, deed.arguments["via"]))
        # What Playwright's own route_from_har calls; it has no public name.
        for name in _REDIRECTS:
            redirect = getattr(getattr(route, "_impl_obj", None), name, None)
            if redirect is not None:
                return redirect(url) if self._is_async else route._sync(redirect(url))
        return route.fulfill(**_sent_on(url, deed.arguments["via"]))

    def _deed(self, request: Any) -> _Deed:
        """Return what to do with a request."""
        method, url = str(request.method), str(request.url)
        post = request.post_data_buffer or b""
        mime = str(request.headers.get("content-type", ""))
        navigates = request.is_navigation_request()
        if navigates and (due := self._ahead.pop(_bare(url), None)) is not None:
            return self._given(method, url, due[0], redirect_header(None, map(_hop, due[1])) if due[1] else {}, [])
        found = self._recorded.find(request_kind(method, request.resource_type, request.headers), url, post, mime)
        if found is None:
            return self._miss(method, url, "it was not made when the run was recorded")
        answer, hops = self._recorded.followed(found)
        cookies = [cookie for hop in hops for cookie in _cookies(hop)]
        if answer.response.get("error") and not answer.status and not answer.waits:
            self.served.served.append(ServedRequest(method, url, found.request["id"]))
            code = _ABORTS.get(str(answer.response["error"]), "failed")
            return _Deed("abort", {"error_code": code}, cookies)
        if hops and navigates:
            # The address must become the one that it led to, so the browser goes there itself.
            self._ahead[_bare(answer.url)] = answer, hops[1:]
            self.served.served.append(ServedRequest(method, url, found.request["id"]))
            to = {"url": answer.url, "here": _place(request), "via": redirect_header(found.status, ())}
            return _Deed("redirect", to, cookies)
        via = redirect_header(found.status, map(_hop, (*hops[1:], answer))) if hops else {}
        return self._given(
            method, url, answer, via, cookies, answer.url if hops else None, request.headers.get("range", "")
        )

    def _given(
        self,
        method: str,
        url: str,
        answer: RecordedExchange,
        via: dict[str, str],
        cookies: list[Any],
        led: str | None = None,
        wanted: str = "",
    ) -> _Deed:
        """Return the answer to a request. `led`: the address that redirects led to; `wanted`: which part of a resource is asked for."""
        if answer.waits:
            self.served.served.append(ServedRequest(method, url, answer.request["id"]))
            return _Deed(_WAIT, {}, cookies)
        stream = is_stream(answer)
        own = {} if led is None else {LED_HEADER: led}
        if stream:
            self._streams.append(AnswerStream(self._recorded, answer))
            own[STREAM_HEADER] = str(len(self._streams) - 1)
        body = (
            held(len(self._streams) - 1)
            if stream and answer.request["type"] == "eventsource"
            else self._recorded.body(answer)
        )
        if isinstance(body, str):
            return self._miss(method, url, body)
        if not answer.response:
            return self._miss(method, url, "it had no answer when the recording ended")
        self.served.served.append(ServedRequest(method, url, answer.request["id"]))
        headers = marked({**answer.headers, **via}, own)
        given: dict[str, Any] = {"status": answer.status, "headers": headers, "body": body}
        if answer.kind == method and answer.status == _PARTIAL:
            given |= part_of(body, wanted, headers)
        return _Deed("fulfill", given, cookies, *self._recorded.held_for(answer))

    def _miss(self, method: str, url: str, why: str) -> _Deed:
        if not self._recorded.world and why.startswith("its body"):
            why = f"{why.partition(';')[0]}; record with world=True"
        self.served.miss(method, url, why)
        if self._unmatched == "network":
            return _Deed("fallback", {}, [])
        return _Deed("abort", {"error_code": "connectionrefused"}, [])

    def socket(self, route: Any) -> None:
        """Answer a WebSocket. Sending waits for nothing, so this serves both APIs."""
        url = str(route.url)
        if (number := number_of(url)) is not None and number < len(self._streams):
            self._follow(route, self._streams[number])
            return
        found = self._recorded.find("GET", url, b"", "")
        if found is None or found.response.get("error"):
            if found is None:
                self.served.miss("GET", url, "no such WebSocket was open when the run was recorded")
            if found is None and self._unmatched == "network":
                route.connect_to_server()
            else:
                route.close(code=1011, reason="not in the recording")
            return
        self.served.served.append(ServedRequest("GET", url, found.request["id"]))
        conversation = Conversation(self._recorded, found)

        def say() -> None:
            for message in conversation.due():
                route.send(message)

        def heard(message: str | bytes) -> None:
            with Ours():
                conversation.heard(message)
                say()

        route.on_message(heard)
        route.on_close(lambda *_: self._sockets.remove(say) if say in self._sockets else None)
        self._sockets.append(say)
        with Ours():
            say()

    def _follow(self, route: Any, stream: AnswerStream) -> None:
        """Tell a page when the pieces of a stream are due."""

        def say() -> None:
            with Ours():
                route.send(stream.reached())

        self._sockets.append(say)
        route.on_close(lambda *_: self._sockets.remove(say) if say in self._sockets else None)
        with Ours():
            route.send(stream.begun())


def _hop(exchange: RecordedExchange) -> Redirect:
    return Redirect(exchange.method, exchange.url, exchange.status)


def _place(request: Any) -> str:
    """Return the address that a navigation's frame has now; nothing for a page that is about to be made."""
    try:
        return _bare(request.frame.url)
    except Exception:  # Playwright's own error says that there is no frame yet.
        return ""


def _bare(url: str) -> str:
    return url.partition("#")[0]


def _sent_on(url: str, via: dict[str, str]) -> dict[str, Any]:
    """Return a page that goes on to another address, and leaves no entry in the history. `via`: the header that says what it stands for."""
    target = url.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    body = f'<!doctype html><meta http-equiv="refresh" content="0;url={target}">'
    return {"status": 200, "headers": {"content-type": "text/html; charset=utf-8", **via}, "body": body}


def _cookies(exchange: RecordedExchange) -> list[dict[str, Any]]:
    """Return the cookies that an answer on the way set, for Playwright. What is no cookie is left out."""
    found = []
    for line in exchange.header("set-cookie").split("\n"):
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
