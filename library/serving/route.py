"""A route as one row: path, roles, what it says of itself, and what it writes into the log.

The router, the role check, the log and the OpenAPI document are all made from these rows, so that none of them can forget one.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson
from starlette.requests import Request

from .wall import linked

if TYPE_CHECKING:
    from .roles import Caller
    from .service import Service
    from .site import LibrarySite

Json = Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the address. `kind` is JSON Schema's word."""

    name: str
    told: str
    kind: Literal["string", "integer", "number"] = "string"


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request that may be answered. `body`: of a POST; `upload`: where a recording lies that was sent; `peer`: the address it came from; `headers`: by their names in small letters."""

    service: Service
    site: LibrarySite
    caller: Caller
    path: Mapping[str, str]
    query: Mapping[str, str]
    address: str = "/"
    host: str = ""
    peer: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    upload: Path | None = None
    patience: float | None = None
    """For how many seconds to wait for what must be made first; None: to the end. After them a page says that it is being made."""

    def with_(self, *, body: bytes = b"", upload: Path | None = None) -> ApiRequest:
        """Return it with what was sent."""
        return replace(self, body=body, upload=upload)

    @property
    def reason(self) -> str | None:
        """Why somebody looks at a raw recording."""
        said = " ".join(self.query.get("reason", "").split())[:500]
        return said or None

    @property
    def policy(self) -> str | None:
        """The policy under which this caller sees a recording."""
        return self.caller.policy(self.reason)


@dataclass(slots=True)
class ApiResponse:
    """An answer, and what the log says of it."""

    body: bytes | Path = b""
    media: str = "application/json"
    status: int = 200
    line: dict[str, Any] | None = field(default_factory=dict)
    """What the log's line holds beside the word of the endpoint; None: nothing was shown, and nothing is logged."""
    caller: Caller | None = None
    """Whom the log names, where the request itself does not say it."""
    headers: dict[str, str] = field(default_factory=dict)
    stream: Callable[[], AsyncIterator[bytes]] | None = None
    """What comes as it happens, in the place of a body. That it has ended is one more line of the log: `line`, and for how many seconds."""
    found: os.stat_result | None = None
    """Of a body that is a file: what it was when it was answered."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A route. `roles`: who may; empty: everybody. `audit`: the log's word for it; None: it shows nothing of a recording, and changes none.

    `of_run`: it shows one recording, and the role ``raw`` must say why. `framed`: it is of the replays' origin. `stream`: it goes on
    until whoever asked has enough. `body`: bytes that a POST may have.
    """

    method: Literal["GET", "POST", "DELETE"]
    path: str
    told: str
    answer: Callable[[ApiRequest], ApiResponse]
    roles: frozenset[str] = frozenset()
    audit: str | None = None
    of_run: bool = False
    stream: bool = False
    page: bool = False
    upload: bool = False
    framed: bool = False
    body: int = 0
    parameters: tuple[Parameter, ...] = ()


NO_REASON: Final = "Say why: the raw recording is shown for a reason, which stands in the log (?reason=…)."
REASON = Parameter(
    "reason",
    "Why the raw recording is looked at; stands in the log. Asked of the role raw; with it admin sees it raw too.",
)

LINKED_REASON: Final = "linked_reason"
"""The parameter under which a reason stands that somebody else's link gave: it is shown, and counts for nothing."""


def doubted(request: Request) -> str | None:
    """Return the reason that a link gives which is not of these pages: whoever follows it has not said it."""
    given: str | None = request.query_params.get(REASON.name)
    if given and not linked(request.headers):
        return None
    return given or request.query_params.get(LINKED_REASON)


def json_told(value: Json, status: int = 200, **line: Any) -> ApiResponse:
    """Return JSON. What the log says of it stands in `line`."""
    return ApiResponse(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS, default=str), status=status, line=line)
