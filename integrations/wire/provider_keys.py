"""Masks the API keys of model providers: headers that hold keys are left out, and known keys are replaced by dots."""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
from collections.abc import Iterable, Mapping
from typing import Final, cast
from urllib.parse import parse_qsl, quote, unquote_plus, urlencode, urlsplit

import orjson

from pagereel.credentials import is_credential_header, is_credential_name, is_credential_parameter
from pagereel.reel import MASK, Json

from .credential_mask import CredentialMask

_SHORTEST: Final = 8
"""A shorter value is masked only at its own place, in characters, because other texts may contain it by chance."""
_MOST: Final = 4_000
"""Largest number of values that are searched for; the oldest are dropped."""
_SCHEMES: Final = frozenset({"apikey", "basic", "bearer", "digest", "key", "negotiate", "token"})
_OF_COOKIES: Final = frozenset({"domain", "expires", "max-age", "path", "priority", "samesite", "version"})
_KEPT_HEADERS: Final = frozenset(
    {
        "content-type", "retry-after", "x-request-id", "request-id", "openai-version", "openai-model", "openai-processing-ms",
        "anthropic-version", "x-should-retry", "retry-after-ms", "x-stainless-retry-count",
    }
)  # fmt: skip
_KEPT_PREFIXES: Final = ("x-ratelimit-", "anthropic-ratelimit-")


class ProviderKeys:
    """The API keys that were found in one recording; they are masked in everything that is stored."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._known: dict[bytes, None] = {}
        self._places = CredentialMask(self.add_keys_in_value)
        for name, value in (environment or {}).items():
            if is_credential_name(name):
                self.add_key(value)

    def add_key(self, value: str) -> None:
        """Mask this key from now on, also in the escaped forms that it has in JSON and URLs."""
        value = value.strip()
        if len(value) < _SHORTEST or (value.isalpha() and is_credential_name(value)):
            return
        written = json.dumps(value)[1:-1]
        forms = (
            value,
            quote(value, safe=""),
            written,
            json.dumps(written)[1:-1],
            json.dumps(value, ensure_ascii=False)[1:-1],
        )
        for form in forms:
            self._known[form.encode("utf-8", "surrogateescape")] = None
        while len(self._known) > _MOST:
            del self._known[next(iter(self._known))]

    def add_keys_in_value(self, value: str) -> None:
        """Mask from now on the value of a header, parameter or field, and each key that the value contains."""
        scheme, _, rest = value.strip().partition(" ")
        if rest and scheme.lower() in _SCHEMES:
            self.add_key(rest)
            if scheme.lower() == "basic":
                with contextlib.suppress(ValueError, binascii.Error):
                    self.add_key(base64.b64decode(rest).decode("utf-8", "replace").partition(":")[2])
            return
        self.add_key(unquote_plus(value))
        self.add_key(value)
        for part in value.split(";"):
            name, equals, held = part.strip().partition("=")
            if equals and name.lower() not in _OF_COOKIES and name.isascii() and " " not in name:
                self.add_key(held)

    def add_request_keys(self, headers: Iterable[tuple[str, str]], url: str) -> None:
        """Mask from now on the keys in a request's headers and URL."""
        for name, value in headers:
            if is_credential_header(name):
                self.add_keys_in_value(value)
        for name, value in parse_qsl(urlsplit(url).query):
            if is_credential_parameter(name):
                self.add_keys_in_value(value)

    def contains_key(self, data: bytes) -> bool:
        """Return whether the data contains a known key."""
        return any(key in data for key in self._known)

    def mask_keys(self, data: bytes) -> bytes:
        """Return the data with its keys masked.

        Values of fields that hold keys are masked as well, and are known from then on.
        """
        bare = self._places.mask_body(data)
        for key in sorted((key for key in self._known if key in bare), key=len, reverse=True):
            bare = bare.replace(key, MASK.encode())
        return bare

    def mask_keys_in_text(self, text: str) -> str:
        """Return a text with its keys masked."""
        return self.mask_keys(text.encode("utf-8", "replace")).decode("utf-8", "replace")

    def mask_keys_in_json(self, value: Json) -> Json:
        """Return a JSON value with its keys masked; None if it is not valid JSON."""
        try:
            data = orjson.dumps(value)
            bare = self.mask_keys(data)
            return value if bare == data else cast(Json, orjson.loads(bare))
        except (TypeError, ValueError, RecursionError):
            return None


def mask_keys_in_url(url: str) -> str:
    """Return a URL without user and password, in which the values of parameters that hold keys are masked."""
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if any(is_credential_parameter(name) for name, _ in pairs):
        query = urlencode(
            [(name, MASK if is_credential_parameter(name) else value) for name, value in pairs], safe=MASK
        )
        parts = parts._replace(query=query)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host, fragment="").geturl()


def select_kept_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers of an answer that are stored: those that client libraries use."""
    return {
        name.lower(): value
        for name, value in headers
        if name.lower() in _KEPT_HEADERS or name.lower().startswith(_KEPT_PREFIXES)
    }
