"""Runs the server of a library: the pages with the API, and the replays, each on its own port of one process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import uvicorn

from pagereel.errors import UsageError

from .access import AccessControl, TrustedProxy
from .api import ENDPOINTS
from .connections import BoundedConnection
from .endpoint import Endpoint
from .html_pages import PAGES
from .library_service import LibraryService, raise_if_not_writable
from .library_site import LARGEST, Draw, LibrarySite, SiteOrigin
from .live_views import LIVE
from .roles import create_admin_token, load_tokens
from .worker import TaskLimits

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_GRACE_S: Final = 5.0
"""Seconds that a shutdown waits for answers under way."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """The options for serving a library.

    `port`: of the pages, 0 for any; the replays have `frame_port`, by default the next one. `origin`, `frame_origin`:
    the public addresses of both, behind a proxy. `proxy_header`: the header in which the proxy names the caller; it
    counts only from the machines in `proxy_from`. `largest`: bytes of an upload. `limits`: of one task. `live`: places
    whose recordings under way are shown, in addition to those that the library watches. `draw`: see
    :class:`LibrarySite`.
    """

    host: str = "127.0.0.1"
    port: int = 8700
    frame_port: int | None = None
    tokens: Path | None = None
    origin: str | None = None
    frame_origin: str | None = None
    proxy_header: str | None = None
    proxy_from: tuple[str, ...] = ("127.0.0.1", "::1")
    largest: int = LARGEST
    limits: TaskLimits = field(default_factory=TaskLimits)
    live: tuple[str, ...] = ()
    draw: Draw | None = None


def serve(
    folder: Path, options: ServeOptions, on_started: Callable[[str], None], more_endpoints: tuple[Endpoint, ...] = ()
) -> bool:
    """Serve a library until SIGINT or SIGTERM. `on_started` gets the address to open, with the token where there is no
    file of tokens.

    :param more_endpoints: further endpoints.
    :returns: whether everything has ended; if not, threads still read a recording, and Python waits for them before it
    exits.
    :raises UsageError: the folder is no library, a port is in use, or options exclude each other.
    """
    with open_site(folder, options, more_endpoints) as (site, address, sockets):
        asyncio.run(_run_both_servers(site, sockets, lambda: on_started(address)))
        return site.service.close()


@contextlib.contextmanager
def open_site(
    folder: Path, options: ServeOptions, more_endpoints: tuple[Endpoint, ...] = ()
) -> Iterator[tuple[LibrarySite, str, tuple[socket.socket, socket.socket]]]:
    """Open a library for serving. Yield its site, the address to open in a browser, and the listening sockets of the
    pages and the replays.
    """
    if options.tokens is None and (options.host not in LOOPBACK or options.proxy_header or options.origin):
        raise UsageError(
            "A server that other machines can reach needs tokens; add --tokens FILE (--add-token NAME=ROLE writes it)."
        )
    if (options.origin is None) != (options.frame_origin is None):
        raise UsageError(
            "--origin needs --frame-origin and the reverse, because replays are served from another origin than the pages."
        )
    raise_if_not_writable(folder)
    token, tokens = create_admin_token() if options.tokens is None else ("", load_tokens(options.tokens))
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(contextlib.closing(LibraryService(folder, options.limits)))
        first = stack.enter_context(_open_listening_socket(options.host, options.port))
        port = int(first.getsockname()[1])
        wanted = options.frame_port if options.frame_port is not None else (port + 1 if options.port else 0)
        second = stack.enter_context(_open_listening_socket(options.host, wanted))
        origins = list(_list_origins(options, port, int(second.getsockname()[1])))
        proxy = TrustedProxy(options.proxy_header, frozenset(options.proxy_from)) if options.proxy_header else None
        site = LibrarySite(
            service,
            AccessControl(tokens, f"pagereel_{port}", proxy),
            (*ENDPOINTS, *LIVE, *more_endpoints, *PAGES),
            origins,
            options.largest,
            options.live,
            options.draw,
        )
        yield site, f"{origins[0].pages}/{f'login?token={token}' if token else ''}", (first, second)


async def _run_both_servers(
    site: LibrarySite,
    sockets: tuple[socket.socket, socket.socket],
    ready: Callable[[], None],
    stop: asyncio.Event | None = None,
) -> None:
    servers = [
        uvicorn.Server(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                use_colors=False,  # terminal output passes pagereel's safe streams, which would escape the colour codes
                server_header=False,
                proxy_headers=False,
                lifespan="off",
                timeout_keep_alive=15,
                http=BoundedConnection,
                ws="none",
            )
        )
        for app in (site.build_pages_app(), site.build_replays_app())
    ]
    loop = asyncio.get_running_loop()
    for server in servers:
        vars(server)["capture_signals"] = contextlib.nullcontext  # Signals are handled once, for both servers.
    stop = stop or asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, stop.set)
    ready()
    tasks = [asyncio.create_task(server.serve([each])) for server, each in zip(servers, sockets, strict=True)]
    waiting = asyncio.create_task(stop.wait())
    await asyncio.wait([*tasks, waiting], return_when=asyncio.FIRST_COMPLETED)
    site.feeds.close()  # else live views would go on as long as somebody watches
    site.service.stop_processes()
    for server in servers:
        server.should_exit = True
    _, late = await asyncio.wait(tasks, timeout=_GRACE_S)
    if late:
        logging.getLogger("uvicorn.error").setLevel(
            logging.CRITICAL
        )  # Uvicorn would print a traceback for each request that is aborted.
        for server in servers:
            server.force_exit = True
            for connection in list(server.server_state.connections):
                connection.transport.abort()
    await asyncio.gather(*tasks)
    waiting.cancel()


@contextlib.contextmanager
def _open_listening_socket(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.closing(socket.socket(family, socket.SOCK_STREAM)) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, port))
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"Port {port} of {host} cannot be used: {getattr(error, 'strerror', None) or error}; choose others with --port and --frame-port."
            ) from None
        made.listen(128)
        yield made


def _list_origins(options: ServeOptions, port: int, frame_port: int) -> Iterator[SiteOrigin]:
    if options.origin and options.frame_origin:
        pages, replays = _parse_origin(options.origin), _parse_origin(options.frame_origin)
        if pages == replays:
            raise UsageError(
                "--frame-origin must differ from --origin, so that the scripts of a replay cannot reach the pages."
            )
        yield SiteOrigin(pages, replays)
    names = (
        ("127.0.0.1", "localhost")
        if options.host in ("127.0.0.1", "localhost")
        else (f"[{options.host}]" if ":" in options.host else options.host,)
    )
    for name in names:
        yield SiteOrigin(f"http://{name}:{port}", f"http://{name}:{frame_port}")


def _parse_origin(text: str) -> str:
    parts = urlsplit(text)
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.path not in ("", "/")
        or parts.query
        or parts.username
    ):
        raise UsageError(f"An origin is a scheme and a host, for example https://runs.example, not {text!r}.")
    return f"{parts.scheme}://{parts.netloc.lower()}"
