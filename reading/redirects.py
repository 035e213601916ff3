"""The header that lists the redirects behind a response served from a recording; the server itself answers without redirects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

_VIA: Final = "x-pagereel-via"
"""The name of this header."""
_MOST: Final = 40


class SkippedRedirect(NamedTuple):
    """A redirect that was recorded and is not repeated when the recording is served: its request, and the status of its
    response.
    """

    method: str
    url: str
    status: int


def build_redirect_header(status: int | None, hops: Iterable[SkippedRedirect]) -> dict[str, str]:
    """Return a header with the status that was recorded (None: the same as the served one) and the redirects that the
    served response replaces.
    """
    return {_VIA: json.dumps([status, *map(list, hops)])}


def parse_redirect_header(headers: object) -> tuple[int | None, list[SkippedRedirect]]:
    """Return the recorded status and the redirects in this header; None and an empty list if it is missing."""
    given = headers if isinstance(headers, Mapping) else {}
    text = next((str(value) for name, value in given.items() if str(name).lower() == _VIA), "")
    try:
        record: list[Any] = json.loads(text) if text else [None]
        status, *hops = record
        found = [SkippedRedirect(str(method), str(url), int(code)) for method, url, code in hops[:_MOST]]
        return (None if status is None else int(status)), found
    except (ValueError, TypeError, RecursionError):
        return None, []
