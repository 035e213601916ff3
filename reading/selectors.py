"""Tests for elements and texts, made from simple selectors and wildcards in rules and queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pagereel.reel import ELEMENT, Node

_SELECTOR: Final = re.compile(r"(?P<tag>[\w|-]+)?(?P<more>(?:[#.][\w-]+|\[[\w:-]+(?:=[^\]]*)?\])*)")
_PART: Final = re.compile(r"([#.])([\w-]+)|\[([\w:-]+)(?:=[\"']?([^\]\"']*)[\"']?)?\]")


def build_wildcard_test(match: str) -> Callable[[str], bool]:
    """Return a function that tests a text against a pattern in which ``*`` matches any text; case is ignored."""
    fits = re.compile(".*".join(map(re.escape, match.lower().split("*"))), re.DOTALL).fullmatch
    return lambda text: fits(text.lower()) is not None


def build_selector_test(selector: str) -> Callable[[Node], bool]:
    """Return a function that tests an element against ``tag``, ``#id``, ``.class``, ``[attribute=value]``, or several
    of them. Raises ValueError for any other selector.
    """
    match = _SELECTOR.fullmatch(selector.strip())
    if match is None or not selector.strip():
        raise ValueError(f"{selector!r} is not a selector of one element: give a tag, #id, .class or [attribute=value]")
    tag, parts = match["tag"], _PART.findall(match["more"])

    def is_match(node: Node) -> bool:
        if node.kind != ELEMENT or (tag and node.name != tag.lower()):
            return False
        for sign, name, attribute, value in parts:
            if sign == "#" and node.attrs.get("id") != name:
                return False
            if sign == "." and name not in node.attrs.get("class", "").split():
                return False
            if attribute and (
                attribute not in node.attrs or (value and not build_wildcard_test(value)(node.attrs[attribute]))
            ):
                return False
        return True

    return is_match
