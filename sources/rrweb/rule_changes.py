"""Applies changes to style sheets rule by rule, and to `style` attributes declaration by declaration."""

from __future__ import annotations

import re
from typing import Any, Final

from pagereel.css import split_rules

_RULES: Final = 50_000
_DECLARATION: Final = re.compile(
    r"""(?:[^;"'()]|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\((?:[^()"']|"[^"]*"|'[^']*')*\)?|\))+""", re.DOTALL
)


class StyleSheetRules:
    """One style sheet as a list of rules, each as text."""

    def __init__(self, text: str) -> None:
        self._text: str | None = text
        self._rules: list[str] = []

    @property
    def text(self) -> str:
        """Return the text of the whole sheet."""
        if self._text is None:
            self._text = "\n".join(self._rules)
        return self._text

    def replace_all(self, text: str) -> None:
        """Replace all rules of the sheet by those in a text."""
        self._text, self._rules = text, []

    def insert_rule(self, rule: str, index: Any) -> None:
        """Insert a rule. `index`: its position, None (at the beginning), or a path into nested rules."""
        self._change_at_path(_to_rule_path(index, 0), lambda found, at: found.insert(min(at, len(found)), rule))

    def remove_rule(self, index: Any) -> None:
        """Remove a rule. `index`: its position, or a path into nested rules."""
        self._change_at_path(_to_rule_path(index, None), lambda found, at: found.pop(at))

    def change_declarations(self, index: Any, changes: dict[str, str | None]) -> None:
        """Change declarations of a rule. `index`: the rule's position, or a path into nested rules."""

        def change_rule(rules: list[str], rule_index: int) -> None:
            head, brace, body = rules[rule_index].partition("{")
            if brace:
                rules[rule_index] = f"{head}{{ {merge_declarations(body.rpartition('}')[0], changes)} }}"

        self._change_at_path(_to_rule_path(index, None), change_rule)

    def _change_at_path(self, path: list[int], change: Any) -> None:
        if not path:
            return
        if self._text is not None and not self._rules:
            self._rules = split_rules(self._text)
        try:
            _change_nested_rule(self._rules, path, change)
        except IndexError:
            return
        del self._rules[_RULES:]
        self._text = None


def _change_nested_rule(rules: list[str], path: list[int], change: Any) -> None:
    if len(path) == 1:
        change(rules, path[0])
        return
    head, brace, body = rules[path[0]].partition("{")
    if brace and head.startswith("@"):
        inner = split_rules(body.rpartition("}")[0])
        _change_nested_rule(inner, path[1:], change)
        rules[path[0]] = f"{head}{{ {' '.join(inner)} }}"


def _to_rule_path(index: Any, default_index: int | None) -> list[int]:
    if index is None:
        return [] if default_index is None else [default_index]
    path = index if isinstance(index, list) else [index]
    fits = 0 < len(path) <= 8 and all(type(number) is int and 0 <= number <= _RULES for number in path)
    return path if fits else []


def merge_declarations(style: str, changes: dict[str, str | None]) -> str:
    """Return a `style` text with some declarations set, and those whose new value is None removed."""
    found: dict[str, str] = {}
    for part in _DECLARATION.findall(style):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip() if name.strip().startswith("--") else name.strip().lower()] = value.strip()
    for name, value in changes.items():
        found.pop(name, None)
        if value is not None:
            found[name] = value
    return "".join(f"{name}: {value}; " for name, value in found.items()).rstrip()


def parse_style_changes(style: dict[str, Any]) -> dict[str, str | None]:
    """Return the changed declarations in rrweb's object for a `style` attribute, by property: the value (with
    ``!important`` if it has that priority), or None if the declaration was removed.
    """
    found: dict[str, str | None] = {}
    for name, value in style.items():
        if value is False or value is None or value == "":
            found[name] = None
        elif isinstance(value, str):
            found[name] = value
        elif isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
            found[name] = f"{value[0]} !important" if value[1] == "important" else value[0]
    return found
