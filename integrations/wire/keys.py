"""Keys of providers, which are never stored: what carries them is left out, and wherever a known one stands it is dotted out."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Final, cast
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import orjson

from pagereel.reel import MASK, Json

SECRET_HEADERS: Final = re.compile(
    r"auth$|authorization|cookie|api[-_]?key|(?<!idempotency)[-_]key$|goog-(?:api|iam|user)|token$|secret|credential|signature|password|^x-amz-security",
    re.IGNORECASE,
)
_SECRET_PARAMETER: Final = re.compile(
    r"^(?:key|api[-_]?key|access[-_]token|token|sig|signature|password|secret|auth\w*)$", re.IGNORECASE
)
_SECRET_FIELD: Final = re.compile(
    rb'("(?:authorization|authorization_token|api_key|apikey|access_token|refresh_token|client_secret|password|x-api-key)"\s*:\s*")((?:[^"\\]|\\.)+)"',
    re.IGNORECASE,
)
"""Fields of requests in which a caller hands on a key of another service: an MCP server's, a connector's."""
_ADDRESS_FIELD: Final = re.compile(rb'"[\w-]*(?:url|uri|endpoint)"\s*:\s*"[^"\\]*[?&][^"\\]*"', re.IGNORECASE)
_SECRET_IN_ADDRESS: Final = re.compile(
    rb"([?&](?:key|api[-_]?key|access[-_]token|token|sig|[\w-]*signature|password|secret)=)[^&#\"]+", re.IGNORECASE
)
"""A key in an address that a request hands on in a field of its own: an MCP server's, a signed picture's."""
_SECRET_VARIABLE: Final = re.compile(r"(?:API_?KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SHORTEST: Final = 8
"""Characters below which a value is no key that could be looked for."""
_KEPT_HEADERS: Final = frozenset(
    {
        "content-type", "retry-after", "x-request-id", "request-id", "openai-version", "openai-model", "openai-processing-ms",
        "anthropic-version", "x-should-retry", "retry-after-ms", "x-stainless-retry-count",
    }
)  # fmt: skip
_KEPT_PREFIXES: Final = ("x-ratelimit-", "anthropic-ratelimit-")


class Keys:
    """The keys that were seen, for one recording."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._known: set[bytes] = set()
        for name, value in (environment or {}).items():
            if _SECRET_VARIABLE.search(name):
                self.add(value)

    def add(self, value: str) -> None:
        """Look for this one from now on."""
        value = value.strip()
        if len(value) >= _SHORTEST:
            self._known |= {value.encode(), quote(value, safe="").encode()}

    def take(self, headers: Iterable[tuple[str, str]], url: str) -> None:
        """Learn the keys that a request carries."""
        for name, value in headers:
            if not SECRET_HEADERS.search(name):
                continue
            scheme, _, rest = value.strip().partition(" ")
            if rest and scheme.lower() == "basic":
                self.add(rest)
                try:
                    rest = base64.b64decode(rest).decode("utf-8", "replace").partition(":")[2]
                except (ValueError, binascii.Error):
                    rest = ""
                self.add(rest)
            elif "cookie" in name.lower():
                for part in value.split(";"):
                    self.add(part.partition("=")[2])
            else:
                self.add(rest or value)
        for name, value in parse_qsl(urlsplit(url).query):
            if _SECRET_PARAMETER.match(name):
                self.add(value)

    def within(self, data: bytes) -> bool:
        """Return whether a known key stands in this."""
        return any(key in data for key in self._known)

    def out_of(self, data: bytes) -> bytes:
        """Return this without any known key, and without what is a key by its field."""
        for key in self._known:
            if key in data:
                data = data.replace(key, MASK.encode())
        data = _ADDRESS_FIELD.sub(lambda found: _SECRET_IN_ADDRESS.sub(rb"\g<1>" + MASK.encode(), found[0]), data)
        return _SECRET_FIELD.sub(lambda found: found[1] + MASK.encode() + b'"', data)

    def out_of_text(self, text: str) -> str:
        """Return the same for a text."""
        return self.out_of(text.encode("utf-8", "replace")).decode("utf-8", "replace")

    def out_of_json(self, value: Json) -> Json:
        """Return the same for JSON."""
        try:
            data = orjson.dumps(value)
            bare = self.out_of(data)
            return value if bare == data else cast(Json, orjson.loads(bare))
        except (TypeError, ValueError, RecursionError):
            return None


def bare_url(url: str) -> str:
    """Return an address without what is a key by its place."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if any(_SECRET_PARAMETER.match(name) for name, _ in pairs):
        query = urlencode(
            [(name, MASK if _SECRET_PARAMETER.match(name) else value) for name, value in pairs], safe=MASK
        )
        parts = parts._replace(query=query)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, fragment="").geturl()


def kept_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what of an answer's headers is kept: what a client goes by, and nothing else."""
    return {
        name.lower(): value
        for name, value in headers
        if name.lower() in _KEPT_HEADERS or name.lower().startswith(_KEPT_PREFIXES)
    }
