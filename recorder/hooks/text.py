"""Describes a Playwright call: its title, its locator as Python code, its parameters, its source."""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pagereel.credentials import names_credential
from pagereel.reel import Event, Json, python_locator, snake

from ..runtime.folders import own_folders, package_folders
from ..runtime.jsonable import jsonable
from .hook import ApiCall, Place

AROUND = 2
"""Lines of source before and after the calling one."""
LONGEST = 2_000
"""Longest text among the parameters, in characters."""
MASK = "•••••"

_TITLES = {
    "goto": "Go to",
    "evaluate": "Evaluate",
    "evaluate_handle": "Evaluate",
    "eval_on_selector": "Evaluate on selector",
    "dblclick": "Double click",
    "expect": "Expect",
}
_DEVICES = {
    "Keyboard": ("keyboard", "Keyboard"),
    "Mouse": ("mouse", "Mouse"),
    "Touchscreen": ("touchscreen", "Touchscreen"),
    "Clock": ("clock", "Clock"),
    "Tracing": ("tracing", "Tracing"),
    "APIRequestContext": ("request", "Request"),
    "CDPSession": ("cdp", "CDP"),
}
_DROPPED = frozenset(
    {
        "selector",
        "timeout",
        "strict",
        "is_function",
        "has_js_arg",
        "expected_value_is_undefined",
        "page_function_type",
        "expression_arg",
    }
)
_OBJECT = "<object>"
"""Replaces an argument that is no value: an object of the client, a function."""


_SETS = ("cookies", "storage", "headers")
"""Parameters that hold names and values which may be credentials."""


def title_of(call: ApiCall) -> str:
    """Return the title of a call: ``Click``, ``Expect to have text``, ``Keyboard: press``. It has no values; these are
    in the parameters.
    """
    owner, _, name = call.api.rpartition(".")
    name = name.strip("_")
    if not name:
        return call.title or _words(call.method)
    if owner.endswith("Assertions"):
        return f"Expect {_words(name).lower()}"
    return f"{_DEVICES[owner][1]}: {_words(name).lower()}" if owner in _DEVICES else _words(name)


def _words(name: str) -> str:
    return _TITLES.get(name) or snake(name).replace("_", " ").capitalize()


def method_of(call: ApiCall) -> str:
    """Return the public name of a call's method: ``click``, ``to_have_text``; with its device if it has one,
    ``keyboard.press``.
    """
    owner, _, name = call.api.rpartition(".")
    if not name:
        return snake(call.method)
    return f"{_DEVICES[owner][0]}.{name}" if owner in _DEVICES else name


def locator_of(call: ApiCall) -> str | None:
    """Return the element of a call as Python code that locates it; None if it has none."""
    if call.locator is not None:
        found = re.search(r"selector='(.*)'>$", call.locator, re.DOTALL)
        return python_locator(found[1].replace("\\'", "'")) if found else call.locator
    selector = call.params.get("selector")
    return python_locator(selector) if isinstance(selector, str) and selector != ":root" else None


# -- parameters -------------------------------------------------------------------------------------------------------


def parameters_of(params: Mapping[str, Any]) -> dict[str, Json]:
    """Return a call's parameters: names as in Python, secrets masked, long texts cut, the contents of files left out."""
    found: dict[str, Json] = {}
    if {"method", "params"} <= {*params}:
        # A command of the browser's own protocol may hold scripts, bodies or keys, so only its name is kept.
        params = {"method": params["method"]}
    for name, value in params.items():
        name = snake(name)
        if value is None or name in _DROPPED or value == [] or value == {}:
            continue
        if name == "expected_text":
            value = [item.get("string", item.get("regexSource")) for item in value if isinstance(item, Mapping)]
        if name == "is_not" and not value:
            continue
        if (
            name in ("arg", "expected_value", "event_init")
            and isinstance(value, Mapping)
            and {*value} == {"value", "handles"}
        ):
            value = _argument(value["value"])
        plain = MASK if _hidden(name) else _plain(value, name, 8)
        if plain is not _OBJECT:
            found[name] = jsonable(plain)
    return found


def _hidden(name: str) -> bool:
    return names_credential(name) and not name.endswith(_SETS)


def _plain(value: Any, name: str, depth: int) -> Any:
    if isinstance(value, str):
        if name in ("buffer", "base64"):
            return f"<{len(value) * 3 // 4} bytes>"
        if name == "json_data" and value[:1] in ("{", "["):
            with contextlib.suppress(ValueError):
                return _plain(json.loads(value), "", depth - 1)
        return value if len(value) <= LONGEST else f"{value[:LONGEST]}… [cut: {len(value):,} characters]"
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        if "name" in value and "value" in value:
            # The value of a header, a cookie or an item of storage may be a credential.
            shown = str(value["name"])
            secret = name.endswith(_SETS) or names_credential(shown)
            return {"name": shown, "value": MASK if secret else _plain(value["value"], shown, depth - 1)}
        return {
            snake(str(k)): MASK if _hidden(str(k)) else _plain(v, snake(str(k)), depth - 1)
            for k, v in list(value.items())[:200]
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, name, depth - 1) for item in list(value)[:200]]
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return _OBJECT


def _argument(value: Any, depth: int = 8) -> Any:
    """Return an argument of a function in the page, decoded from the protocol's tagged form."""
    if not isinstance(value, Mapping) or depth == 0:
        return value
    for tag in ("n", "s", "b", "d", "u"):
        if tag in value:
            return value[tag]
    if "v" in value:
        return {"null": None, "undefined": None}.get(value["v"], str(value["v"]))
    if "a" in value:
        return [_argument(item, depth - 1) for item in value["a"][:200]]
    if "o" in value:
        return {str(item["k"]): _argument(item["v"], depth - 1) for item in value["o"][:200]}
    return "<handle>" if "h" in value else "<value>"


# -- source -----------------------------------------------------------------------------------------------------------


def source_of(stack: Iterable[Place]) -> Event | None:
    """Return the line of the caller's program: the innermost frame outside of installed packages, or else the innermost
    frame.
    """
    frames: list[Place] = []
    for frame in stack:
        if frame[0].endswith(_LOOP) and frame[2].endswith("_run"):
            break  # a task that the event loop runs: the stack does not show who created it
        if not frame[0].startswith(own_folders()) and not frame[0].startswith("<frozen"):
            frames.append(frame)
    if not frames:
        return None
    file, line, function = next((f for f in frames if not f[0].startswith(package_folders())), frames[0])
    found: Event = {"file": _short(file), "line": line, "function": function}
    if code := _code(file, line):
        found["code"] = list(code)
    return found


_LOOP = os.path.join("asyncio", "events.py")


@cache
def _code(file: str, line: int) -> tuple[str, ...]:
    first = max(1, line - AROUND)
    lines = [(n, linecache.getline(file, n).rstrip()) for n in range(first, line + AROUND + 1)]
    return tuple(f"{'>' if n == line else ' '} {n:>4}  {_hide(text)[:300]}" for n, text in lines if text or n == line)


_LITERAL = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_WORD = re.compile(r"[^\W\d][\w-]*")
_TYPES = re.compile(r"\.(fill|type|press_sequentially|insert_text|set_http_credentials|add_cookies)\(")


def _hide(text: str) -> str:
    """Return a line of source code, with the secrets that it types or assigns masked, because the line is also shown
    beside other calls.
    """
    typing = _TYPES.search(text)
    words = (word.end() for word in _WORD.finditer(text) if names_credential(word[0]))
    begin = typing.end() if typing else next(words, len(text))
    # Of all literals of the line, those that begin after it: the word itself may stand in one.
    return _LITERAL.sub(lambda literal: f'"{MASK}"' if literal.start() >= begin else literal[0], text)


@cache
def _short(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):
        return file
    return file if relative.startswith("..") else relative
