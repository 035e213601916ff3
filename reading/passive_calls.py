"""Playwright's calls that only read the page or wait."""

from __future__ import annotations

from typing import Final

_LOOKS: Final = frozenset(
    {
        "wait_for_timeout", "wait_for_load_state", "wait_for", "wait_for_function", "wait_for_selector",
        "is_visible", "is_hidden", "is_enabled", "is_disabled", "is_checked", "is_editable", "count", "inner_text", "text_content",
        "all_inner_texts", "all_text_contents", "input_value", "get_attribute", "inner_html", "content", "title", "bounding_box",
        "screenshot", "aria_snapshot", "evaluate", "query_selector", "query_selector_all",
    }
)  # fmt: skip


def is_passive_call(method: str) -> bool:
    """Return whether a call of this Playwright method changes nothing in the page, as assertions do (``to_have_text``)."""
    return method in _LOOKS or method.startswith("to_")
