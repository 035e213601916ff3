"""Cuts partial responses (HTTP ranges) out of a recorded resource, for media players."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_RANGE: Final = re.compile(r"bytes=(\d{1,15})-(\d{0,15})$")
_CONTENT_RANGE: Final = re.compile(r"bytes \d+-\d+/(\d+)$")
_PLACE: Final = "content-range"


def build_partial_response(body: bytes, range_header: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Return the body and headers of the partial response for the ``Range`` header `range_header` (RFC 9110, 14.2).

    `body` and `headers` are the recorded response. If its body is not the whole resource, {} is returned.
    """
    asked = _RANGE.match(range_header.strip())
    told = next(
        (_CONTENT_RANGE.match(value.strip()) for name, value in headers.items() if name.lower() == _PLACE), None
    )
    if asked is None or told is None or int(told[1]) != len(body) or int(asked[1]) >= len(body):
        return {}
    start, end = int(asked[1]), min(int(asked[2] or len(body) - 1), len(body) - 1)
    rest = {name: value for name, value in headers.items() if name.lower() != _PLACE}
    return {"body": body[start : end + 1], "headers": {**rest, _PLACE: f"bytes {start}-{end}/{len(body)}"}}
