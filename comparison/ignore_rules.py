"""Rules for differences to ignore, in a file with the syntax of a redaction policy.

[[ignore]]
selector = ".advert"            # elements with their content
[[ignore]]
json = "items[*].stock"         # a path in a request, response, prompt or result
[[ignore]]
parameter = "session"           # a parameter of an address
[[ignore]]
text = "Last login: *"          # a line of a page or of the console
[[ignore]]
request = "* /api/adverts*"     # method and path
kind = "time"                   # only differences of this kind
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pagereel.errors import UsageError
from pagereel.reading import build_selector_test, build_wildcard_test
from pagereel.reel import Node
from pagereel.user_files import parse_toml, read_text_file_limited

from .effects.difference import KINDS, FoundDifference, mask_marked_values

NAMES: Final = ("selector", "json", "parameter", "text", "request")
_LARGEST: Final = 4 << 20
"""Largest file of rules, in bytes."""


@dataclass(frozen=True)
class IgnoreRule:
    """One rule of a file. `name`: what the rule matches, one of :data:`NAMES`, or ``kind`` for all differences of a
    kind. `match`: the pattern, in which ``*`` matches any text.
    """

    name: str
    match: str
    kind: str | None = None


@dataclass(frozen=True)
class IgnoreRules:
    """All rules of a comparison."""

    rules: tuple[IgnoreRule, ...] = ()

    def is_ignored(self, difference: FoundDifference) -> bool:
        """Return whether a rule ignores this difference."""
        return any(self._rule_matches(rule, difference) for rule in self.rules if rule.kind in (None, difference.kind))

    def _rule_matches(self, rule: IgnoreRule, difference: FoundDifference) -> bool:
        if rule.name == "kind":
            return True
        pattern = build_wildcard_test(rule.match)
        where = mask_marked_values(difference.where, lambda value, _: value)
        if rule.name == "text":
            said = [value for value in (difference.a, difference.b) if isinstance(value, str)]
            return difference.kind in ("page", "console") and bool(said) and all(pattern(value) for value in said)
        if rule.name == "json":
            path = re.search(r"\$(\S*)$", where)
            return path is not None and pattern(path[1].removeprefix("."))
        if rule.name == "request":
            return difference.kind in ("network", "time") and pattern(re.split(r", | → ", where)[0])
        if rule.name == "parameter" and isinstance(difference.a, str) and isinstance(difference.b, str):
            return where.endswith("address") and self._drop_ignored_parameters(
                difference.a
            ) == self._drop_ignored_parameters(difference.b)
        return False

    def _drop_ignored_parameters(self, url: str) -> str:
        """Return an address without ignored parameters."""
        parts = urlsplit(url)
        names = [build_wildcard_test(rule.match) for rule in self.rules if rule.name == "parameter"]
        kept = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not any(fits(k) for fits in names)]
        return urlunsplit(parts._replace(query=urlencode(kept)))

    def normalize_address(self, url: str) -> str:
        """Return an address without the parameters that a rule ignores; an invalid address unchanged."""
        if not any(rule.name == "parameter" for rule in self.rules):
            return url
        try:
            return self._drop_ignored_parameters(url)
        except ValueError:
            return url

    @cached_property
    def ignored_element_test(self) -> Callable[[Node], bool] | None:
        """Return a function that is True for elements that a selector ignores; None where no rule has a selector."""
        tests = [build_selector_test(rule.match) for rule in self.rules if rule.name == "selector"]
        return (lambda node: any(test(node) for test in tests)) if tests else None


def load_ignore_rules(path: str | os.PathLike[str]) -> IgnoreRules:
    """Read a file of rules. Raises UsageError for one that cannot be read or is invalid."""
    try:
        data = parse_toml(read_text_file_limited(path, _LARGEST))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The rules {path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}.") from None
    unknown = [key for key in data if key != "ignore"]
    if unknown or not isinstance(data.get("ignore", []), list):
        raise UsageError(f"{path}: rules are tables named [[ignore]], not {unknown[0] if unknown else 'other form'!r}.")
    return IgnoreRules(tuple(_parse_rules(str(path), data.get("ignore", []))))


def _parse_rules(path: str, tables: Iterable[Any]) -> Iterable[IgnoreRule]:
    for number, table in enumerate(tables, 1):
        if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
            raise UsageError(f"{path}: rule {number} is not a table of texts.")
        named = [key for key in table if key in NAMES]
        wrong = [key for key in table if key not in (*NAMES, "kind")]
        if wrong:
            raise UsageError(
                f"{path}: rule {number} has no {wrong[0]!r}; a rule has one of {', '.join(NAMES)}, and kind."
            )
        if len(named) > 1 or (not named and "kind" not in table):
            raise UsageError(f"{path}: rule {number} must name exactly one of {', '.join(NAMES)}, or a kind.")
        if "kind" in table and table["kind"] not in KINDS:
            raise UsageError(
                f"{path}: rule {number}: there is no kind {table['kind']!r}; the kinds are {', '.join(KINDS)}."
            )
        name = named[0] if named else "kind"
        if name == "selector":
            try:
                build_selector_test(table[name])
            except ValueError as error:
                raise UsageError(f"{path}: rule {number}: {error}.") from None
        yield IgnoreRule(name, table[name], table.get("kind"))
