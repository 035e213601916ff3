"""Writes values from a page or a file as Python literals, so that no value can become code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, Final

from pagereel.text_truncation import truncate_text

_METHODS: Final = frozenset(
    {
        "and_",
        "describe",
        "filter",
        "frame_locator",
        "get_by_alt_text",
        "get_by_label",
        "get_by_placeholder",
        "get_by_role",
        "get_by_test_id",
        "get_by_text",
        "get_by_title",
        "locator",
        "nth",
        "or_",
    }
)
_PROPERTIES: Final = frozenset({"first", "last", "content_frame"})
_FLAGS: Final = {"i": "re.IGNORECASE", "m": "re.MULTILINE", "s": "re.DOTALL"}
_SCRIPT_PATTERN: Final = re.compile(r"(?<=[=(,] )/((?:[^/\\]|\\.)+)/(\w*)|(?<=[=(])/((?:[^/\\]|\\.)+)/(\w*)")


def to_literal(value: object) -> str:
    """Return a value as a Python literal, with double quotes where possible; invisible characters are escaped."""
    if isinstance(value, str):
        quote = "'" if '"' in value and "'" not in value else '"'
        return quote + "".join(_escape_character(c, quote) for c in value) + quote
    if isinstance(value, list):
        return f"[{', '.join(map(to_literal, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{to_literal(str(name))}: {to_literal(item)}" for name, item in value.items()) + "}"
    if value is None or isinstance(value, bool | int | float):
        return repr(value)
    return "None"


def _escape_character(c: str, quote: str) -> str:
    if c in (quote, "\\"):
        return "\\" + c
    return c if c.isprintable() else repr(c)[1:-1]


def to_comment(text: object) -> str:
    """Return a text as one line of at most 100 characters that can follow a ``#``."""
    words = " ".join(str(text).split())
    words = "".join(c if c.isprintable() else "�" for c in words)
    return truncate_text(words, 100)


def to_regex_call(pattern: str, flags: str = "") -> str:
    """Return the code ``re.compile(…)`` for a JavaScript regular expression with its flags."""
    given = " | ".join(_FLAGS[flag] for flag in flags if flag in _FLAGS)
    return f"re.compile({to_literal(pattern)}{', ' + given if given else ''})"


def to_safe_locator(code: object, convert_text: Callable[[str], str] | None = None, root: str = "page") -> str | None:
    """Return a recorded locator as Python code if it only finds an element; None for any other code.

    The locator comes from an untrusted file: only Playwright's methods that find elements are accepted, with literals
    and other locators as arguments. `convert_text`: the function that converts each string in the locator to code; by default
    strings become literals. `root`: the variable on which locators given as arguments begin.
    """
    if not isinstance(code, str) or len(code) > 5_000:
        return None
    try:
        tree = ast.parse(code, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        scripts = _SCRIPT_PATTERN.sub(lambda m: to_regex_call(m[1] or m[3], m[2] or m[4] or ""), code)
        try:
            tree = ast.parse(scripts, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    try:
        return _write_call_chain(tree.body, convert_text or to_literal, root)
    except RecursionError:
        return None


def find_by_locator(page_or_frame: Any, code: str) -> Any:
    """Evaluate a locator that :func:`to_safe_locator` accepted, on a Playwright page or frame.

    Return Playwright's locator.
    """

    def evaluate_argument(node: ast.expr) -> Any:
        if (isinstance(node, ast.Call) and ast.unparse(node.func) != "re.compile") or isinstance(node, ast.Attribute):
            return evaluate_locator(node)
        if isinstance(node, ast.Call):  # re.compile(source, flags)
            flags = ast.unparse(node.args[1]).split(" | ") if len(node.args) > 1 else []
            return re.compile(
                ast.literal_eval(node.args[0]), sum(getattr(re, flag.removeprefix("re.")) for flag in flags)
            )
        return ast.literal_eval(node)

    def evaluate_locator(node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return page_or_frame
        if isinstance(node, ast.Attribute):
            return getattr(evaluate_locator(node.value), node.attr)
        assert isinstance(node, ast.Call)
        method = (
            getattr(page_or_frame, node.func.id) if isinstance(node.func, ast.Name) else evaluate_locator(node.func)
        )
        return method(
            *map(evaluate_argument, node.args),
            **{each.arg: evaluate_argument(each.value) for each in node.keywords if each.arg},
        )

    return evaluate_locator(ast.parse(code, mode="eval").body)


def list_locator_texts(code: str) -> list[str]:
    """Return the strings in a locator, the last one first, because the last one names the element most closely."""
    found = [node for node in ast.walk(ast.parse(code, mode="eval")) if isinstance(node, ast.Constant)]
    found.sort(key=lambda node: node.col_offset, reverse=True)
    return [node.value for node in found if isinstance(node.value, str)]


def _write_call_chain(node: ast.expr, convert_text: Callable[[str], str], root: str) -> str | None:
    """Return a chain of locator methods as code, without `page.` at its beginning; None if another function is
    called.
    """
    if isinstance(node, ast.Call):
        given = _write_call_arguments(node, convert_text, root)
        if given is None:
            return None
        if isinstance(node.func, ast.Name):
            return f"{node.func.id}({given})" if node.func.id in _METHODS else None
        if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            before = _write_call_chain(node.func.value, convert_text, root)
            return before and f"{before}.{node.func.attr}({given})"
        return None
    if isinstance(node, ast.Attribute) and node.attr in _PROPERTIES:
        before = _write_call_chain(node.value, convert_text, root)
        return before and f"{before}.{node.attr}"
    return None


def _write_call_arguments(call: ast.Call, convert_text: Callable[[str], str], root: str) -> str | None:
    given = [_write_call_argument(argument, convert_text, root) for argument in call.args]
    for keyword in call.keywords:
        value = _write_call_argument(keyword.value, convert_text, root)
        if keyword.arg is None or not keyword.arg.isidentifier():
            return None
        given.append(value and f"{keyword.arg}={value}")
    return None if None in given else ", ".join(part for part in given if part is not None)


def _write_call_argument(node: ast.expr, convert_text: Callable[[str], str], root: str) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return convert_text(node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        return to_literal(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        value = node.operand.value
        return f"-{value!r}" if type(value) is int else None
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" and node.args and not node.keywords:
        source = node.args[0]
        flags = ast.unparse(node.args[1]) if len(node.args) > 1 else ""
        if isinstance(source, ast.Constant) and isinstance(source.value, str):
            wanted = [each for each in _FLAGS.values() if each in flags.split(" | ")]
            return f"re.compile({to_literal(source.value)}{', ' + ' | '.join(wanted) if wanted else ''})"
    inner = _write_call_chain(node, convert_text, root)
    return inner and f"{root}.{inner}"
