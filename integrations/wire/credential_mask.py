"""Masks credentials by their names: in JSON fields, headers, URL parameters and command-line options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, cast

import orjson

from pagereel.credentials import (
    is_credential_header,
    is_credential_name,
    is_credential_parameter,
    is_header_without_credential,
)
from pagereel.reel import MASK, Json

Found = Callable[[str], object]
"""A callback for each masked value."""
_HEADERS: Final = re.compile(r"headers\Z", re.IGNORECASE)
_NAMES: Final = ("name", "key", "k", "header", "field")
_VALUES: Final = ("value", "v", "val")
_SCHEMAS: Final = ("properties", "$defs", "definitions", "patternProperties")
_OF_SCHEMA: Final = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "description", "items"})
_NO_VALUE: Final = re.compile(
    r"(?:true|false|null|none|required|optional|string|include|same-origin|omit|bearer|basic)?|\$[A-Z_]+|[$%]?\{{1,2}[ \w.:-]*\}{1,2}|<[ \w.-]*>|%\w+%|•+",
    re.IGNORECASE,
)
"""Placeholders and words that are not values of credentials."""
_DEEPEST: Final = 200
_LONG: Final = 200
_REMEMBERED: Final = 100_000
_SCHEME: Final = r"(?:(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey)[ ]+)?"
# Each pattern begins with a rare character, so that the search is fast: bodies have megabytes.
_IN_ADDRESS: Final = re.compile(r"([?&;\\](?:amp;|u0026)?([\w.\[\]-]{1,60})=)([^&#;\"'\s\\<>]+)")
_LINE: Final = re.compile(r"\n([A-Za-z][\w-]{1,60}):([ \t]*)([^\r\n]+)")
_OPTION: Final = re.compile(r"-(?:H|-header)([ =]?[\"']?)([A-Za-z][\w-]{1,60}):([ ]*)([^\"'\r\n]+)")
"""A header as an option of a command: `-H 'X-Auth-Token: …'`, `--header "…"`."""
_SWITCH: Final = re.compile(r"-(?<![\w-]-)-?([A-Za-z][\w-]{1,60})([ =])[\"']?([^\s\"'-][^\s\"']*)")
_PAIR: Final = re.compile(rf"([\"'])([\w.-]{{2,60}})\1(\s?[:=]\s?)([\"'])({_SCHEME}[^\s\"'<>{{}}()]{{6,}})\4")
_FORM: Final = re.compile(r"[\w.\[\]%-]{1,80}=[^&=\s]*(?:&[\w.\[\]%-]{1,80}=[^&=\s]*)*\Z")


class CredentialMask:
    """Masks the values of JSON fields, headers, URL parameters and options whose names are those of credentials.

    `found` is called with each masked value.
    """

    def __init__(self, found: Found) -> None:
        self._found = found
        self._clean: set[tuple[int, str] | None] = set()

    def mask_body(self, data: bytes) -> bytes:
        """Return the body of a request or an answer with its credentials masked; without any, it is returned unchanged.

        The body may be JSON, lines of JSON, an event stream, a form, or text.
        """
        whole = _parse_json(data)
        if isinstance(whole, dict | list):
            return self._mask_json_bytes(whole, data)
        if b"\n" in data and b'{"' in data:
            return b"\n".join(map(self._mask_line, data.split(b"\n")))
        text = data.decode("utf-8", "surrogateescape")
        bare = self.mask_text(text)
        if len(bare) < 100_000 and _FORM.match(bare):
            bare = self._mask_url_parameters("?" + bare)[1:]
        return bare.encode("utf-8", "surrogateescape")

    def _mask_line(self, line: bytes) -> bytes:
        at = line.find(b"{")
        value = _parse_json(line[at:]) if 0 <= at < 20 else None
        if isinstance(value, dict):
            return line[:at] + self._mask_json_bytes(value, line[at:])
        text = line.decode("utf-8", "surrogateescape")
        return self.mask_text(text).encode("utf-8", "surrogateescape")

    def _mask_json_bytes(self, value: Json, data: bytes) -> bytes:
        bare = self.mask_json(value)
        return data if bare == value else orjson.dumps(bare)

    def mask_json(self, value: Json) -> Json:
        """Return JSON with its credentials masked."""
        return self._mask_value(value, "", "", 0)

    def _mask_value(self, value: Json, name: str, object_kind: str, depth: int) -> Json:
        """Return a JSON value with its credentials masked.

        `name`: the name of the field that holds the value. `object_kind`: the kind of the object that holds the field,
        because a name may mean a credential in one kind only: ``headers`` for HTTP headers, ``secrets`` for an object
        whose own name says that it holds credentials, "" for any other.
        """
        if depth > _DEEPEST:
            return MASK
        if isinstance(value, dict):
            return self._mask_object(value, object_kind, depth)
        if isinstance(value, list):
            return self._mask_list(value, name, object_kind, depth)
        if isinstance(value, bool) or value is None:
            return value
        if name and _is_credential_name(name, object_kind):
            return self._mask_credential(value) if isinstance(value, str) else MASK if abs(value) >= 1000 else value
        return self._mask_string(value, object_kind) if isinstance(value, str) else value

    def _mask_object(self, value: dict[str, Json], object_kind: str, depth: int) -> Json:
        if "logprob" in value:  # a token of the answer's text, which has the same name
            return value
        named = next((str(value[n]) for n in _NAMES if isinstance(value.get(n), str)), "")
        held = next((n for n in _VALUES if n in value), "") if named else ""
        out: dict[str, Json] = {}
        for name, inner in value.items():
            if name in _SCHEMAS and isinstance(inner, dict):
                out[name] = {
                    n: self._mask_value(each, "", "", depth + 2)
                    if isinstance(each, dict) and not _OF_SCHEMA.isdisjoint(each)
                    else self._mask_value(each, n, "", depth + 2)
                    for n, each in inner.items()
                }
            elif name == held:
                kind = object_kind or ("secrets" if _is_credential_name(named) else "")
                out[name] = self._mask_value(inner, named, kind, depth + 1)
            elif held:
                out[name] = self._mask_value(inner, name, "", depth + 1)
            else:
                inside = (
                    "headers"
                    if _HEADERS.search(name) or (name == "header" and isinstance(inner, list))
                    else object_kind
                )
                if isinstance(inner, dict | list) and not inside and is_credential_name(name):
                    inside = "secrets"
                out[name] = self._mask_value(inner, name, inside, depth + 1)
        return out

    def _mask_list(self, value: list[Json], name: str, object_kind: str, depth: int) -> Json:
        named = name not in ("", "header") and not _HEADERS.search(name)  # a header with several values
        if (
            object_kind == "headers"
            and not named
            and len(value) == 2
            and isinstance(value[0], str)
            and ":" not in value[0]
        ):
            return [value[0], self._mask_value(value[1], value[0], object_kind, depth + 1)]
        raw = object_kind == "headers" and name.lower().startswith("raw")
        out: list[Json] = []
        for place, each in enumerate(value):
            before = value[place - 1] if place else None
            if isinstance(each, str) and isinstance(before, str) and ((raw and place % 2) or before[:1] == "-"):
                called = before if raw else before.lstrip("-") if is_credential_name(before) else ""
                out.append(self._mask_value(each, called, object_kind if raw else "", depth + 1))
            else:
                out.append(self._mask_value(each, name if named else "", object_kind, depth + 1))
        return out

    def _mask_credential(self, value: str) -> str:
        if _NO_VALUE.fullmatch(value.strip()):
            return value
        self._found(value)
        if isinstance(inner := _parse_json(value) if value[:1] in ("{", "[") else None, dict | list):
            self._mask_value(inner, "", "secrets", 1)  # mask each of its values as well, wherever it occurs alone
        return MASK

    def _mask_string(self, value: str, object_kind: str) -> str:
        """Return a string with its credentials masked.

        A long string without credentials is cached, because each request repeats all earlier messages.
        """
        key = (hash(value), object_kind) if len(value) > _LONG else None
        if key in self._clean:
            return value
        bare = self._mask_uncached_string(value, object_kind)
        if key is not None and bare == value:
            if len(self._clean) > _REMEMBERED:
                self._clean.clear()
            self._clean.add(key)
        return bare

    def _mask_uncached_string(self, value: str, object_kind: str) -> str:
        if value[:1] in ("{", "[", '"') and '"' in value[1:]:
            inner = _parse_json(value)
            if isinstance(inner, dict | list | str):
                bare = self._mask_value(inner, "", object_kind, 1)
                return value if bare == inner else orjson.dumps(bare).decode()
        return self.mask_text(value, headers=object_kind == "headers")

    def mask_text(self, text: str, *, headers: bool = False) -> str:
        """Return a text with its credentials masked. `headers`: each line of the text is a header."""
        if "=" in text:
            text = self._mask_url_parameters(text)
        if ":" in text:
            text = _LINE.sub(lambda m: self._mask_header(m, 1, 3, is_headers_text=headers), f"\n{text}")[1:]
            text = _OPTION.sub(lambda m: self._mask_header(m, 2, 4, is_headers_text=True), text)
            text = _PAIR.sub(lambda m: self._mask_group(m, 5) if _is_credential_name(m[2]) else m[0], text)
        if " -" in f" {text}":
            text = _SWITCH.sub(self._mask_option, text)
        return text

    def _mask_url_parameters(self, text: str) -> str:
        return _IN_ADDRESS.sub(lambda m: self._mask_group(m, 3) if is_credential_parameter(m[2]) else m[0], text)

    def _mask_option(self, match: re.Match[str]) -> str:
        """Mask the value of a command-line option such as ``--token abc1`` or ``--token=abc``.

        A value of letters alone that follows a space is not masked, because it may be an ordinary word, as in the
        sentence *the --token option*.
        """
        if not is_credential_name(match[1]) or (match[2] == " " and match[3].strip(".,;:)").isalpha()):
            return match[0]
        return self._mask_group(match, 3)

    def _mask_header(self, match: re.Match[str], name_group: int, value_group: int, *, is_headers_text: bool) -> str:
        if (
            is_header_without_credential(match[name_group])
            if is_headers_text
            else not _is_credential_name(match[name_group])
        ):
            return match[0]
        # In other texts such a line may be a sentence: *Token: the model reads one after the other.*
        text = match[value_group].strip()
        prose = (
            not is_headers_text
            and " " in re.sub(rf"\A{_SCHEME}", "", text)
            and "cookie" not in match[name_group].lower()
        )
        return match[0] if prose else self._mask_group(match, value_group)

    def _mask_group(self, match: re.Match[str], group: int) -> str:
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return match[0][:start] + self._mask_credential(match[group]) + match[0][end:]


def _is_credential_name(name: str, object_kind: str = "") -> bool:
    """Return whether a field of this name holds a credential.

    `object_kind`: the kind of the object that holds the field (``headers``, ``secrets`` or ""). In an object of no special
    kind, the name of a header counts only if it begins with ``x-``.
    """
    if object_kind:
        return object_kind == "secrets" or not is_header_without_credential(name)
    return is_credential_name(name) or (name[:2].lower() == "x-" and is_credential_header(name))


def _parse_json(data: bytes | str) -> Json:
    try:
        return cast(Json, orjson.loads(data))
    except (orjson.JSONDecodeError, RecursionError):
        return None
