"""Recognizes credentials by the names of their fields, headers, parameters, variables and options.

No other list of such names exists. The proxy, the recorder and the imports never write the values of these names, and
the redaction searches for the values everywhere. Names are compared by their words: `apiKey`, `API_KEY`, `api-key` and
`apikey` are equal.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_KEYS: Final = (
    r"access|account|admin|api|app|application|auth|client|consumer|deploy|encryption|functions?|hmac|host|license|master|private|rapidapi|"
    r"secret|server|service|session|shared|sign|signing|ssh|storage|subscription|write"
)
"""What a key is called that lets somebody in. Others are of maps, tables and keyboards."""
_ABOUT: Final = (
    r"algorithm|attempts?|consent|cost|counts?|details|enabled|endpoint|env|expir\w*|fields?|file|format|hint|ids?|index|kind|label|length|limits?|"
    r"logprobs?|manager|name|path|placeholder|policy|position|prices?|prob\w*|provider|required|reset|rules?|scopes?|size|status|store|"
    r"strength|ttl|types?|uri|urls?|usage|version"
)
"""What stands behind in a name that is only about a credential: `token_type`, `password_hint`."""
_NAME: Final = re.compile(
    rf"(?:pass-?(?:word|wd|phrase|code|key)s?|\bpwd|\bpw\b|secrets?\b|\botp\b|\btotp\b|credentials?\b|authori[sz]ation|\bcookies?\b|\bbearer\b|"
    rf"\bjwt\b|(?:{_KEYS})-?keys?\b|(?<!\bpage-)(?<!\bcontinuation-)(?<!\bcursor-)(?<!\bstop-)(?<!\bsync-)(?<![a-z]os-)token(?!s|i[sz])|"
    rf"(?:access|api|auth|refresh|session)-?tokens\b|\bpfx\b|client-?cert|sess(?:ion)?id\b|\bconnect-sid\b)(?!-(?:{_ABOUT})\b)|\bsecret-id\b"
)
_HEADER: Final = re.compile(
    r"\bauth\b(?!-(?:email|user))|authentication|(?<!idempotency-)(?<!socket-)\bkey\Z|\bsignature\b|\bsig\Z|\b(?:session|sid|csrf|xsrf)\b|"
    r"\bassertion\b|\bticket\Z|\bnonce\Z|\bpin\Z|amz-security|goog-(?:api|iam|user)|access-client"
)
_PARAMETER: Final = re.compile(r"\Akey\Z|\bsig(?:nature)?\Z|\Aauth|\bsid\Z|\bsession\Z|\bcsrf\b|\bxsrf\b")
_PLAIN_HEADER: Final = re.compile(
    r"accept(?:-.*)?|access-control-.*|age|allow|alt-svc|anthropic-(?:beta|version|ratelimit-.*)|baggage|cache-control|connection|content-.*|"
    r"cross-origin-.*|date|dnt|etag|expect|expires|forwarded|from|host|idempotency-key|if-.*|keep-alive|last-modified|link|location|"
    r"max-forwards|mcp-protocol-version|nel|notion-version|open-?ai-(?:beta|model|processing-ms|version)|origin|permissions-policy|pragma|"
    r"priority|range|rate-?limit.*|referer|referrer-policy|report-to|(?:x-)?request-id|retry-after(?:-ms)?|sec-(?:ch|fetch|gpc)-?.*|server|"
    r"server-timing|strict-transport-security|te|trace-?parent|trace-?state|trailer|transfer-encoding|upgrade(?:-insecure-requests)?|"
    r"user-agent|vary|via|warning|x-(?:content-type-options|correlation-id|frame-options|git-?hub-api-version|powered-by|rate-?limit-.*|"
    r"requested-with|should-retry|stainless-.*|xss-protection)"
)
_BORDERS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?:[^\w]|_)+")


def _normalize_name(name: str) -> str:
    return _BORDERS.sub("-", name[:200]).strip("-").lower()


@lru_cache(10_000)
def is_credential_name(name: str) -> bool:
    """Return whether a field, a variable or an option of this name holds a credential."""
    return _NAME.search(_normalize_name(name)) is not None


@lru_cache(10_000)
def is_credential_header(name: str) -> bool:
    """Return whether a header of this name holds a credential."""
    words = _normalize_name(name)
    return (_NAME.search(words) or _HEADER.search(words)) is not None


@lru_cache(10_000)
def is_credential_parameter(name: str) -> bool:
    """Return whether a URL parameter of this name holds a credential."""
    words = _normalize_name(name)
    return (_NAME.search(words) or _PARAMETER.search(words)) is not None


@lru_cache(10_000)
def is_header_without_credential(name: str) -> bool:
    """Return whether a header is in the list of well-known headers that hold no credential.

    Any other header may hold one, because services choose the names of their headers.
    """
    return _PLAIN_HEADER.fullmatch(_normalize_name(name)) is not None
