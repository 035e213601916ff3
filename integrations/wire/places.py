"""Masks credentials by where they stand: JSON fields with certain names, headers, URL parameters and command options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, cast

import orjson

from pagereel.credentials import header_of_credential, names_credential, parameter_of_credential, plain_header
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
    """Masks credentials by where they stand. `found` is called with each masked value."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._clean: set[tuple[int, str] | None] = set()

    def in_body(self, data: bytes) -> bytes:
        """Return a body with its credentials masked: JSON, lines of JSON, a stream's events, a form, or text. A body
        without credentials is returned unchanged.
        """
        whole = _parsed(data)
        if isinstance(whole, dict | list):
            return self._report(whole, data)
        if b"\n" in data and b'{"' in data:
            return b"\n".join(map(self._line, data.split(b"\n")))
        text = data.decode("utf-8", "surrogateescape")
        bare = self.in_text(text)
        if len(bare) < 100_000 and _FORM.match(bare):
            bare = self._address("?" + bare)[1:]
        return bare.encode("utf-8", "surrogateescape")

    def _line(self, line: bytes) -> bytes:
        at = line.find(b"{")
        value = _parsed(line[at:]) if 0 <= at < 20 else None
        if isinstance(value, dict):
            return line[:at] + self._report(value, line[at:])
        text = line.decode("utf-8", "surrogateescape")
        return self.in_text(text).encode("utf-8", "surrogateescape")

    def _report(self, value: Json, data: bytes) -> bytes:
        bare = self.in_json(value)
        return data if bare == value else orjson.dumps(bare)

    def in_json(self, value: Json) -> Json:
        """Return JSON with its credentials masked."""
        return self._json(value, "", "", 0)

    def _json(self, value: Json, name: str, among: str, depth: int) -> Json:
        """Return a JSON value with its credentials masked. `name`: its field's name; `among`: the kind of the object
        around it.
        """
        if depth > _DEEPEST:
            return MASK
        if isinstance(value, dict):
            return self._object(value, among, depth)
        if isinstance(value, list):
            return self._list(value, name, among, depth)
        if isinstance(value, bool) or value is None:
            return value
        if name and _is_secret(name, among):
            return self._hidden(value) if isinstance(value, str) else MASK if abs(value) >= 1000 else value
        return self._string(value, among) if isinstance(value, str) else value

    def _object(self, value: dict[str, Json], among: str, depth: int) -> Json:
        if "logprob" in value:  # a token of the answer's text, which has the same name
            return value
        named = next((str(value[n]) for n in _NAMES if isinstance(value.get(n), str)), "")
        held = next((n for n in _VALUES if n in value), "") if named else ""
        out: dict[str, Json] = {}
        for name, inner in value.items():
            if name in _SCHEMAS and isinstance(inner, dict):
                out[name] = {
                    n: self._json(each, "", "", depth + 2)
                    if isinstance(each, dict) and not _OF_SCHEMA.isdisjoint(each)
                    else self._json(each, n, "", depth + 2)
                    for n, each in inner.items()
                }
            elif name == held:
                kind = among or ("secrets" if _is_secret(named) else "")
                out[name] = self._json(inner, named, kind, depth + 1)
            elif held:
                out[name] = self._json(inner, name, "", depth + 1)
            else:
                inside = "headers" if _HEADERS.search(name) or (name == "header" and isinstance(inner, list)) else among
                if isinstance(inner, dict | list) and not inside and names_credential(name):
                    inside = "secrets"
                out[name] = self._json(inner, name, inside, depth + 1)
        return out

    def _list(self, value: list[Json], name: str, among: str, depth: int) -> Json:
        named = name not in ("", "header") and not _HEADERS.search(name)  # a header with several values
        if among == "headers" and not named and len(value) == 2 and isinstance(value[0], str) and ":" not in value[0]:
            return [value[0], self._json(value[1], value[0], among, depth + 1)]
        raw = among == "headers" and name.lower().startswith("raw")
        out: list[Json] = []
        for place, each in enumerate(value):
            before = value[place - 1] if place else None
            if isinstance(each, str) and isinstance(before, str) and ((raw and place % 2) or before[:1] == "-"):
                called = before if raw else before.lstrip("-") if names_credential(before) else ""
                out.append(self._json(each, called, among if raw else "", depth + 1))
            else:
                out.append(self._json(each, name if named else "", among, depth + 1))
        return out

    def _hidden(self, value: str) -> str:
        if _NO_VALUE.fullmatch(value.strip()):
            return value
        self._found(value)
        if isinstance(inner := _parsed(value) if value[:1] in ("{", "[") else None, dict | list):
            self._json(inner, "", "secrets", 1)  # mask each of its values as well, wherever it occurs alone
        return MASK

    def _string(self, value: str, among: str) -> str:
        """Return a string with its credentials masked.

        A long string without any is cached as clean, because each request repeats all messages.
        """
        key = (hash(value), among) if len(value) > _LONG else None
        if key in self._clean:
            return value
        bare = self._bare(value, among)
        if key is not None and bare == value:
            if len(self._clean) > _REMEMBERED:
                self._clean.clear()
            self._clean.add(key)
        return bare

    def _bare(self, value: str, among: str) -> str:
        if value[:1] in ("{", "[", '"') and '"' in value[1:]:
            inner = _parsed(value)
            if isinstance(inner, dict | list | str):
                bare = self._json(inner, "", among, 1)
                return value if bare == inner else orjson.dumps(bare).decode()
        return self.in_text(value, headers=among == "headers")

    def in_text(self, text: str, *, headers: bool = False) -> str:
        """Return a text with its credentials masked. `headers`: each line of the text is a header."""
        if "=" in text:
            text = self._address(text)
        if ":" in text:
            text = _LINE.sub(lambda m: self._header(m, 1, 3, any_of=headers), f"\n{text}")[1:]
            text = _OPTION.sub(lambda m: self._header(m, 2, 4, any_of=True), text)
            text = _PAIR.sub(lambda m: self._put(m, 5) if _is_secret(m[2]) else m[0], text)
        if " -" in f" {text}":
            text = _SWITCH.sub(self._switch, text)
        return text

    def _address(self, text: str) -> str:
        return _IN_ADDRESS.sub(lambda m: self._put(m, 3) if parameter_of_credential(m[2]) else m[0], text)

    def _switch(self, match: re.Match[str]) -> str:
        """Mask the value of a command's option. After a space the value may be an ordinary word: *the --token
        option*.
        """
        if not names_credential(match[1]) or (match[2] == " " and match[3].strip(".,;:)").isalpha()):
            return match[0]
        return self._put(match, 3)

    def _header(self, match: re.Match[str], name: int, value: int, *, any_of: bool) -> str:
        if plain_header(match[name]) if any_of else not _is_secret(match[name]):
            return match[0]
        # In other texts such a line may be a sentence: *Token: the model reads one after the other.*
        text = match[value].strip()
        prose = not any_of and " " in re.sub(rf"\A{_SCHEME}", "", text) and "cookie" not in match[name].lower()
        return match[0] if prose else self._put(match, value)

    def _put(self, match: re.Match[str], group: int) -> str:
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        return match[0][:start] + self._hidden(match[group]) + match[0][end:]


def _is_secret(name: str, among: str = "") -> bool:
    """Return whether a value of this name is a credential.

    `among`: the kind of the object around it. Outside of headers, a name that only headers have counts if it begins
    with ``x-``.
    """
    if among:
        return among == "secrets" or not plain_header(name)
    return names_credential(name) or (name[:2].lower() == "x-" and header_of_credential(name))


def _parsed(data: bytes | str) -> Json:
    try:
        return cast(Json, orjson.loads(data))
    except (orjson.JSONDecodeError, RecursionError):
        return None
