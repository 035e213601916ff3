"""Masks secrets in a call's parameters: headers, cookies, storage, and values with names of secrets."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, Final

from pagereel.credentials import is_credential_name
from pagereel.reel import MASK

_KEPT: Final = ("cookies", "storage", "headers")
_BYTES: Final = frozenset({"buffer", "base64", "postData"})
_IN_TEXT: Final = re.compile(
    r"""(?<![\w-])([A-Za-z_][\w-]{1,60})(?:=([^\s&;,#"'()\[\]{}<>=]+)|["']?\s{0,9}[:=]\s{0,9}(?:"((?:[^"\\]|\\.)+)|'((?:[^'\\]|\\.)+)))"""
)
_LEARNED: Final = 6
"""A secret shorter than this, in characters, is masked where it is found but not searched for in the rest of the
trace.
"""


def mask_parameters(params: dict[str, Any], found_secrets: set[str]) -> dict[str, Any]:
    """Return parameters with their secrets masked, and add these secrets to ``found_secrets``, because the rest of the trace
    may contain them.
    """
    return {
        name: value
        if name == "selector"
        else _mask_whole_value(value, found_secrets)
        if _is_secret_name(name)
        else _mask_value(value, name, found_secrets)
        for name, value in params.items()
    }


def _is_secret_name(name: str) -> bool:
    return is_credential_name(name) and not name.lower().endswith(_KEPT)


def _mask_whole_value(value: Any, found_secrets: set[str]) -> Any:
    """Return the mask in place of a whole value, and add the value to ``found_secrets``; of a list or object, add only the
    values with names of secrets.
    """
    if isinstance(value, str) and len(value) >= _LEARNED:
        found_secrets.add(value)
    elif isinstance(value, dict | list):
        _mask_value(value, "", found_secrets)
    return value if value is None or isinstance(value, bool) else MASK


def _mask_value(value: Any, name: str, found_secrets: set[str]) -> Any:
    if isinstance(value, str):
        if name == "jsonData":
            with contextlib.suppress(ValueError, RecursionError):
                return _mask_value(json.loads(value), "", found_secrets)
        if name in _BYTES and not value.startswith("<"):
            return f"<{len(value) * 3 // 4} bytes>"
        return _mask_secrets_in_text(value, found_secrets)
    if isinstance(value, list):
        return [_mask_value(item, name, found_secrets) for item in value]
    if not isinstance(value, dict):
        return value
    for key, held in (
        ("name", "value"),
        ("k", "v"),
    ):  # An object with a name and a value: a header, a cookie, a field; or an argument of a function in the page
        if key in value and held in value:
            shown, inner = str(value[key]), value[held]
            if is_credential_name(shown):
                tagged = inner["s"] if isinstance(inner, dict) and isinstance(inner.get("s"), str) else inner
                return value | {held: _mask_whole_value(tagged, found_secrets)}
            return value | {held: MASK if name.lower().endswith(_KEPT) else _mask_value(inner, shown, found_secrets)}
    return {
        key: _mask_whole_value(item, found_secrets)
        if _is_secret_name(key)
        else MASK
        if name.lower().endswith("headers") and isinstance(item, str)
        else _mask_value(item, key, found_secrets)
        for key, item in value.items()
    }


def _mask_secrets_in_text(text: str, found_secrets: set[str]) -> str:
    def mask_match(match: re.Match[str]) -> str:
        if not is_credential_name(match[1]):
            return match[0]
        value = match[match.lastindex or 0]
        if len(value) >= _LEARNED:
            found_secrets.add(value)
        return match[0][: len(match[0]) - len(value)] + MASK

    return _IN_TEXT.sub(mask_match, text)
