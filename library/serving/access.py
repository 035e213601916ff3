"""Identifies callers by a token in a header or a cookie, or by a trusted proxy's header; limits attempts to guess tokens."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request, cookie_parser

from .roles import Caller, KnownTokens, hash_token

GUESSES: Final = 10
"""Unknown tokens that one address may send within a minute."""
_WINDOW_S: Final = 60.0
_ADDRESSES: Final = 10_000
_TOKEN: Final = re.compile(r"[!-~]{1,300}")


class TooManyGuessesError(Exception):
    """The error raised for a client whose address has sent too many unknown tokens."""


@dataclass(frozen=True, slots=True)
class TrustedProxy:
    """A proxy whose header names the caller. `peers`: the proxy's addresses."""

    header: str
    peers: frozenset[str] = frozenset({"127.0.0.1", "::1"})


class AccessControl:
    """Identifies the callers of requests. `cookie`: the name of the cookie that holds a browser's token."""

    def __init__(self, tokens: KnownTokens, cookie: str, proxy: TrustedProxy | None = None) -> None:
        self._tokens = tokens
        self.cookie = cookie
        self._proxy = proxy
        self._guard = threading.Lock()
        self._guesses: OrderedDict[str, deque[float]] = OrderedDict()
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def identify_caller(self, request: Request) -> Caller | None:
        """Return the caller of a request, by a trusted proxy's header or by a token; None for an unknown one. Raises
        TooManyGuessesError.
        """
        peer = request.client.host if request.client else ""
        if self._proxy is not None and peer in self._proxy.peers:
            named = request.headers.getlist(self._proxy.header)
            if len(named) == 1 and (user := self._tokens.find_proxy_user(named[0].strip())):
                return user
        token = _read_token(request, self.cookie)
        return self.identify_by_token(token, peer) if token else None

    def identify_by_cookie(self, request_headers: Mapping[str, str], client_address: str) -> Caller | None:
        """Return the caller whose token a browser's cookie holds; None for an unknown one. Raises TooManyGuessesError."""
        kept = cookie_parser(request_headers.get("cookie", "")).get(self.cookie)
        return self.identify_by_token(kept, client_address) if kept else None

    def identify_by_token(self, token: str, client_address: str) -> Caller | None:
        """Return the caller with this token; None for an unknown token.

        Raises TooManyGuessesError where the address `client_address` has sent too many unknown tokens, unless this token was
        valid from there before.
        """
        if not _TOKEN.fullmatch(token):
            return None
        key = client_address, hash_token(token)
        with self._guard:
            known = key in self._known
            if not known and self._is_guessing(client_address):
                raise TooManyGuessesError
        caller = self._tokens.find_caller(token)
        with self._guard:
            if caller is not None:
                self._known[key] = None
                if len(self._known) > _ADDRESSES:
                    self._known.popitem(last=False)
            else:
                self._guesses.setdefault(client_address, deque(maxlen=GUESSES)).append(time.monotonic())
                self._guesses.move_to_end(client_address)
                if len(self._guesses) > _ADDRESSES:
                    self._guesses.popitem(last=False)
        return caller

    def _is_guessing(self, client_address: str) -> bool:
        tried = self._guesses.get(client_address)
        return tried is not None and len(tried) == GUESSES and time.monotonic() - tried[0] < _WINDOW_S


def _read_token(request: Request, cookie: str) -> str | None:
    header: str = request.headers.get("authorization", "")
    kept: str | None = request.cookies.get(cookie)
    scheme, _, token = header.partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return kept
