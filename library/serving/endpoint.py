"""The dataclasses of the server: an endpoint, a request, a response.

An endpoint has a path, the roles that may use it, a description and a name in the audit log.

The router, the role check, the log and the OpenAPI document are all made from the list of endpoints.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import orjson
from starlette.requests import Request

from .request_checks import is_linked_from_outside

if TYPE_CHECKING:
    from .library_service import LibraryService
    from .library_site import LibrarySite
    from .roles import Caller

Json = Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the address. `kind` is a type of JSON Schema."""

    name: str
    told: str
    kind: Literal["string", "integer", "number"] = "string"


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request whose caller may use the endpoint.

    `body`: of a POST; `upload`: the file of an uploaded recording; `peer`: the client's address; `headers`: by names in
    lower case.
    """

    service: LibraryService
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
    """Seconds to wait for a file that must be made first; None: without limit. After them a page says that it is being
    made.
    """

    def with_body(self, *, body: bytes = b"", upload: Path | None = None) -> ApiRequest:
        """Return a copy with the received body or upload."""
        return replace(self, body=body, upload=upload)

    @property
    def viewing_reason(self) -> str | None:
        """Return the caller's reason for viewing a raw recording."""
        text = " ".join(self.query.get("reason", "").split())[:500]
        return text or None

    @property
    def viewing_policy(self) -> str | None:
        """Return the policy under which this caller sees a recording; None: raw."""
        return self.caller.get_policy(self.viewing_reason)


@dataclass(slots=True)
class ApiResponse:
    """A response, and the fields of its line in the log."""

    body: bytes | Path = b""
    media: str = "application/json"
    status: int = 200
    line: dict[str, Any] | None = field(default_factory=dict)
    """Fields of the log's line besides the endpoint's word; None: nothing was shown, and nothing is logged."""
    caller: Caller | None = None
    """The caller for the log, where the request itself has none."""
    headers: dict[str, str] = field(default_factory=dict)
    stream: Callable[[], AsyncIterator[bytes]] | None = None
    """A stream in place of a body. Its end is logged as another line: `line`, and the duration in seconds."""
    found: os.stat_result | None = None
    """The stat result of a body that is a file, when the response was made."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the server.

    `roles`: the roles that may use it; empty: everybody. `audit`: its word in the log; None: it neither shows nor
    changes a recording. `of_run`: it shows one recording, so the role ``raw`` must give a reason. `framed`: it belongs
    to the origin of the replays. `stream`: its response lasts until the client closes it. `body`: the largest body of a
    POST, in bytes.
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


NO_REASON: Final = "Give a reason (?reason=…) to see the raw recording; it is written into the log."
REASON = Parameter(
    "reason",
    "Why the raw recording is looked at; stands in the log. Asked of the role raw; with it admin sees it raw too.",
)

LINKED_REASON: Final = "linked_reason"
"""The parameter for a reason that came with somebody else's link: it is shown, but does not count as the caller's
reason.
"""


def get_unconfirmed_reason(request: Request) -> str | None:
    """Return a reason for viewing a raw recording that a link from another site contains, as long as it does not count.

    It counts when the caller has confirmed it on a page of this server. None if there is no such reason.
    """
    given: str | None = request.query_params.get(REASON.name)
    if given and not is_linked_from_outside(request.headers):
        return None
    return given or request.query_params.get(LINKED_REASON)


def build_json_response(value: Json, status: int = 200, **line: Any) -> ApiResponse:
    """Return a response with `value` as JSON. `line`: fields of its line in the log."""
    return ApiResponse(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS, default=str), status=status, line=line)
