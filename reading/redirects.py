"""What an answer stands for that was served from a recording: the redirects on the way to it, since a served request can be answered with none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

_VIA: Final = "x-pagereel-via"
"""The header of an answer that says so."""
_MOST: Final = 40


class Redirect(NamedTuple):
    """A request that was made in the recording and not when it was served, and the status of its answer."""

    method: str
    url: str
    status: int


def redirect_header(status: int | None, hops: Iterable[Redirect]) -> dict[str, str]:
    """Return the header that says which status the request got in the recording, None for the one that it gets now, and which other requests its answer stands for."""
    return {_VIA: json.dumps([status, *map(list, hops)])}


def redirects_of(headers: object) -> tuple[int | None, list[Redirect]]:
    """Return what an answer's headers say of that; None and nothing for any other answer."""
    given = headers if isinstance(headers, Mapping) else {}
    text = next((str(value) for name, value in given.items() if str(name).lower() == _VIA), "")
    try:
        said: list[Any] = json.loads(text) if text else [None]
        status, *hops = said
        found = [Redirect(str(method), str(url), int(code)) for method, url, code in hops[:_MOST]]
        return (None if status is None else int(status)), found
    except (ValueError, TypeError, RecursionError):
        return None, []
