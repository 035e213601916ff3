"""One request between the client that asks and the provider that answers: each part is passed on in the call that brings it, and noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import orjson

from pagereel.integrations.wire import WireExchange

from .answers import Answers, Miss, RecordedAnswer
from .door import ClientConnection, Headers, RequestHandler
from .through import UpstreamRequest

HOP: Final = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"host"}
)  # fmt: skip
"""Headers of one connection, which are not passed on (RFC 9110, 7.6.1)."""
JSON: Final = (b"content-type", b"application/json")


class Passage(RequestHandler):
    """A request that is passed on, and its answer.

    :param now: the recording's clock.
    :param note: is told of the exchange once all has come of it.
    """

    def __init__(
        self,
        exchange: WireExchange,
        door: ClientConnection,
        now: Callable[[], float],
        note: Callable[[WireExchange], None],
    ) -> None:
        self.way: UpstreamRequest | None = None
        self._exchange = exchange
        self._door = door
        self._now = now
        self._note = note
        self._headers: Headers = []
        self._asked = self._over = self._told = False

    # -- what the client's side tells ------------------------------------------------------------------------------------

    def part(self, data: bytes) -> None:
        self._exchange.sent.append(data)
        if self.way is not None:
            self.way.part(data)

    def end(self) -> None:
        self._asked = True
        if self.way is not None:
            self.way.end()
        elif self._exchange.failed and not self._over:
            self._unreachable()
        self._report()

    def left(self) -> None:
        if self.way is not None:
            self.way.close()
            self.way = None
        self._asked = self._over = True
        self._report()

    def client_full(self, full: bool) -> None:
        if self.way is not None:
            self.way.hold(full)

    # -- what the provider's side tells ----------------------------------------------------------------------------------

    def answered(self, status: int, headers: Headers) -> None:
        self._exchange.status = status
        self._headers = headers
        self._door.head(status, [each for each in headers if each[0] not in HOP])

    def got(self, part: bytes) -> None:
        self._exchange.chunks.append((self._now(), part))
        self._door.body(part)

    def flush(self) -> None:
        self._door.flush()

    def done(self) -> None:
        self.way = None
        self._exchange.whole = self._over = True
        self._door.finish()
        self._report()

    def broke(self, why: str) -> None:
        self.way = None
        self._exchange.failed = why
        if self._exchange.status:
            self._asked = self._over = True
            self._door.break_off()
        elif self._asked:  # what is asked is told all the same, so its end is waited for
            self._unreachable()
        self._report()

    def provider_full(self, full: bool) -> None:
        self._door.hold(full)

    def _unreachable(self) -> None:
        self._exchange.status, self._headers, self._over = 502, [JSON], True
        body = orjson.dumps(_error("upstream_unreachable", self._exchange.failed))
        self._exchange.chunks.append((self._now(), body))
        self._exchange.whole = True  # the client has all of it
        self._door.give(502, [JSON], body)

    def _report(self) -> None:
        if self._asked and self._over and not self._told:
            self._told = True
            self._exchange.headers = text(self._headers)
            self._note(self._exchange)


class AnswerReplay(RequestHandler):
    """A request to which the recorded answer is given.

    :param missed: is told why there is none.
    """

    def __init__(
        self, exchange: WireExchange, door: ClientConnection, now: Callable[[], float], note: Callable[[WireExchange], None],
        answers: Answers, missed: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._exchange = exchange
        self._door = door
        self._now = now
        self._note = note
        self._answers = answers
        self._missed = missed

    def part(self, data: bytes) -> None:
        self._exchange.sent.append(data)

    def end(self) -> None:
        exchange = self._exchange
        found = self._answers.find(exchange)
        if isinstance(found, Miss):
            self._missed(found.message)
            told = _error("no_recorded_answer", found.message, found.difference)
            if exchange.provider == "ollama":
                told = {"error": found.message, "difference": found.difference}
            # Libraries try again after a 409, and would get the same.
            status, headers, body = 409, [JSON, (b"x-should-retry", b"false")], orjson.dumps(told)
        else:
            status, headers, body = found.status, _recorded(found), found.body
        exchange.status, exchange.headers = status, text(headers)
        exchange.whole = isinstance(found, Miss) or found.whole
        exchange.chunks = [(self._now(), body)]
        if exchange.whole:
            self._door.give(status, headers, body)
        else:  # as it broke off when it was recorded
            self._door.head(status, headers)
            self._door.body(body)
            self._door.break_off()
        self._note(exchange)

    def left(self) -> None:
        if not self._exchange.whole:
            self._note(self._exchange)


def text(headers: Headers) -> list[tuple[str, str]]:
    """Return headers as an exchange has them."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def _error(kind: str, message: str, difference: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return an error in a form that the providers' libraries show."""
    error = {"type": kind, "message": message, **({"difference": difference} if difference else {})}
    return {"type": "error", "error": error}


def _recorded(found: RecordedAnswer) -> Headers:
    headers = {name.lower(): value for name, value in found.headers.items() if name.lower() != "content-length"}
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
