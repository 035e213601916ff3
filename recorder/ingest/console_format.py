"""Formats the arguments of a console call as the browser's console shows them (https://console.spec.whatwg.org/#formatter)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_SPECIFIER: Final = re.compile(r"%([sdifoOc%])")
_INTEGER: Final = re.compile(r"[+-]?\d+")
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")


def format_console_text(arguments: Sequence[str]) -> str:
    """Return the line of a console call, given the text of each argument.

    A format specifier of the first argument takes the next argument's text: ``%s``, ``%o`` and ``%O`` the whole text,
    ``%d``, ``%i`` and ``%f`` its number or ``NaN``, ``%c`` (a style) nothing. Arguments that no specifier takes follow
    after a space.
    """
    if len(arguments) < 2:
        return "".join(arguments)
    rest = iter(arguments[1:])

    def fill_in(specifier: re.Match[str]) -> str:
        kind = specifier[1]
        text = "%" if kind == "%" else next(rest, None)
        if text is None:
            return specifier[0]
        if kind == "c":
            return ""
        if kind in "dif":
            number = (_NUMBER if kind == "f" else _INTEGER).match(text.lstrip())
            return number[0] if number else "NaN"
        return text

    return " ".join([_SPECIFIER.sub(fill_in, arguments[0]), *rest])
