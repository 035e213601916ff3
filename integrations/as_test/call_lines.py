"""Converts each recorded Playwright call of a script or agent to a line of a test."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from playwright.sync_api import Keyboard, Locator, Mouse, Page

from pagereel.integrations.training import ACTIONS

from .literals import list_locator_texts, to_comment, to_literal, to_regex_call, to_safe_locator
from .replay_inspector import ReplayInspector
from .source import TestSource

AGAIN: Final = frozenset(
    ACTIONS
    | {"blur", "bring_to_front", "scroll_into_view_if_needed", "set_viewport_size"}
    | {"wait_for", "wait_for_load_state", "wait_for_selector", "wait_for_url"}
) - {"close", "new_page", "set_content", "set_input_files"}
"""Calls that the test repeats. Calls that only read, or wait for a time, are left out; a call that the recording does
not describe fully becomes a comment.
"""
_DEVICES: Final = {"keyboard": Keyboard, "mouse": Mouse}
LATE: Final = 150
"""Ms after a call in which the page may still tell what was chosen."""
_TYPED: Final = frozenset({"value", "text"})
_PLAIN: Final = frozenset(
    {"wait_until", "delay", "button", "click_count", "no_wait_after", "omit_return_value", "steps"}
)
"""Parameters that describe how an action was done: they are left out at their usual value, or if they only change the
display.
"""
_EXPECTED: Final = {"to_have_count": "expected_number"}
_BARE: Final = frozenset(
    f"to_be_{state}"
    for state in (
        "attached",
        "checked",
        "disabled",
        "editable",
        "empty",
        "enabled",
        "focused",
        "hidden",
        "in_viewport",
        "visible",
    )
)
_OF_TEXT: Final = frozenset(
    {"to_have_text", "to_contain_text", "to_have_value", "to_have_id", "to_have_class", "to_have_values"}
)
_OF_PAGE: Final = frozenset({"to_have_url", "to_have_title"})
_READS: Final = frozenset(
    {
        "all",
        "all_inner_texts",
        "all_text_contents",
        "aria_snapshot",
        "bounding_box",
        "content",
        "count",
        "get_attribute",
        "inner_html",
        "inner_text",
        "input_value",
        "is_checked",
        "is_disabled",
        "is_editable",
        "is_enabled",
        "is_hidden",
        "is_visible",
        "new_context",
        "new_page",
        "close",
        "query_selector",
        "query_selector_all",
        "screenshot",
        "storage_state",
        "text_content",
        "title",
        "viewport_size",
        "wait_for_timeout",
    }
)


def write_call_line(
    call: Mapping[str, Any], page: str, source: TestSource, inspector: ReplayInspector | None = None
) -> str | None:
    """Return the line of Python that repeats a call; None for a call that only reads the page.

    If the recording does not describe the call fully, the line is a comment.
    """
    method = str(call["method"])
    params = call.get("params")
    params = params if isinstance(params, Mapping) else {}
    if method in _READS:
        return None
    if method.removeprefix("not_").startswith("to_"):
        return _write_expectation(method, params, call, page, source)
    owner, _, name = method.rpartition(".")
    if owner in _DEVICES:
        given = _write_call_code(_DEVICES[owner], name, params, source, f"the {owner}", ["typed"])
        return None if given is None else f"{page}.{owner}.{name}({given})"
    if owner or method not in AGAIN:
        return source.record_skipped_action(call.get("title") or method)
    if method == "goto":
        return f"{page}.goto({source.address_to_code(str(params.get('url', '')))})"
    found = None
    if call.get("locator") is not None:
        found = to_safe_locator(call["locator"], source.text_to_code, page)
        if found is None:
            return source.record_skipped_action(call.get("title") or method, "an element that cannot be told")
    if method == "wait_for_url":
        return (
            f"{page}.wait_for_url({source.address_to_code(str(params.get('url', '')))})" if params.get("url") else None
        )
    target, cls = (f"{page}.{found}", Locator) if found else (page, Page)
    names = list_locator_texts(found) if found else []
    if method == "select_option":
        return f"{target}.select_option({_write_select_options(call, params, source, found or page, names, inspector)}"
    given = _write_call_code(cls, method, params, source, found or page, names)
    return None if given is None else f"{target}.{method}({given})"


def _write_call_code(
    cls: type, method: str, params: Mapping[str, Any], source: TestSource, locator: str, field_names: list[str]
) -> str | None:
    parts: list[str] = []
    for name, required in _read_method_parameters(cls, method):
        if name not in params or (name in _PLAIN and not required):
            if required:
                return None
            continue
        value = params[name]
        code = (
            source.typed_value_to_code(value, locator, field_names)
            if name in _TYPED and isinstance(value, str)
            else to_literal(value)
        )
        parts.append(code if required else f"{name}={code}")
    return ", ".join(parts)


def _write_select_options(
    call: Mapping[str, Any],
    params: Mapping[str, Any],
    source: TestSource,
    locator: str,
    field_names: list[str],
    inspector: ReplayInspector | None,
) -> str:
    """Return the arguments of a `select_option()` call, with the closing bracket, as Python code.

    A masked recording does not hold the real texts of the options, so its options are selected by index.
    """
    options = params.get("options")
    if (
        source.masked
        and inspector is not None
        and (chosen := _find_selected_option_indexes(call, inspector)) is not None
    ):
        asked = [next(iter(one.values()), "") for one in options or () if isinstance(one, Mapping)]
        index = str(chosen[0]) if len(chosen) == 1 else to_literal(chosen)
        return f"index={index})  # {to_comment(', '.join(map(str, asked)))}"
    found: list[str] = []
    for option in options if isinstance(options, list) else []:
        if isinstance(option, Mapping):
            name = next((name for name in ("value_or_label", "value", "label", "index") if name in option), None)
            if name is not None:
                value = option[name]
                code = (
                    source.typed_value_to_code(value, locator, field_names)
                    if isinstance(value, str)
                    else to_literal(value)
                )
                found.append(code if name in ("value", "value_or_label") else f"{name}={code}")
    return ", ".join(found) + ")"


def _find_selected_option_indexes(call: Mapping[str, Any], inspector: ReplayInspector) -> list[int] | None:
    """Return the indexes of the options that a call selected; None if the replay does not show the element.

    They are read from the replay shortly after the call, or at the end of the call if the page was left after it.
    """
    code, end = to_safe_locator(call.get("locator")), float(call["t"]) + float(call.get("duration") or 0)
    if code is None or call.get("page") is None:
        return None
    later = inspector.read_selected_options(end + LATE, int(call["page"]), code)
    return later if later is not None else inspector.read_selected_options(end, int(call["page"]), code)


@cache
def _read_method_parameters(cls: type, method: str) -> tuple[tuple[str, bool], ...]:
    """Return the parameters of a method of Playwright's, each with whether it is required."""
    signature = inspect.signature(getattr(cls, method))
    return tuple(
        (name, parameter.default is inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name != "self" and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    )


def _write_expectation(
    method: str, params: Mapping[str, Any], call: Mapping[str, Any], page: str, source: TestSource
) -> str:
    base = method.removeprefix("not_")
    found = to_safe_locator(call["locator"], source.text_to_code, page) if call.get("locator") is not None else None
    subject = f"expect({page}.{found})" if found else f"expect({page})"
    texts = params.get("expected_text")
    values = texts if isinstance(texts, list) else [texts] if texts is not None else []
    if base in _OF_PAGE and len(values) == 1:
        text = str(values[0])
        if base == "to_have_url":
            return f"{subject}.{method}({source.address_to_code(text) if '://' in text else to_regex_call(text)})"
        return f"{subject}.{method}({source.text_to_code(text)})"
    if found is not None:
        if base in _BARE:
            return f"{subject}.{method}()"
        if base in _OF_TEXT and values:
            said = [source.text_to_code(value) if isinstance(value, str) else to_literal(value) for value in values]
            return f"{subject}.{method}({said[0] if len(said) == 1 else '[' + ', '.join(said) + ']'})"
        if base in _EXPECTED and _EXPECTED[base] in params:
            return f"{subject}.{method}({to_literal(params[_EXPECTED[base]])})"
    return source.record_skipped_action(call.get("title") or method)
