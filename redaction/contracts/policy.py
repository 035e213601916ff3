"""Define policies: how a redaction handles each kind of channel, and the user's own rules."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagereel.errors import PolicyError
from pagereel.user_files import parse_toml, read_text_file_limited

from .entities import ENTITIES, NEVER_ALLOWED, require_entity

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

ACTIONS = ("allow", "mask", "drop")
KINDS = ("selector", "attribute", "parameter", "header", "json", "event", "value", "entity")

_LARGEST = 4 << 20
"""Most bytes of a policy file."""

SHORTEST_RULE = 3
"""Least characters of a value that a rule may name. A shorter value stands everywhere by chance."""


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """One rule of the user's: names of `kind` (see :data:`KINDS`) that `match` describes are allowed, masked or
    dropped.

    ``match`` may hold ``*`` for any text. For ``selector`` it is ``#id``, ``.class``, a tag, or
    ``[attribute=value]``. For ``value`` it is a text that is masked or left as it is everywhere. For ``entity`` it is
    a type of finding that is left as it is.
    """

    kind: str
    match: str
    action: str

    def applies_to_name(self, name: str) -> bool:
        """Return whether the rule applies to a name."""
        return _matches_wildcard_pieces(self.match.lower().split("*"), name.lower())


def _matches_wildcard_pieces(pieces: list[str], name: str) -> bool:
    """Return whether a name consists of these pieces with any text between them.

    Each piece is searched for once, from left to right. A regular expression with many ``.*`` could backtrack for
    hours over a name that a page chose.
    """
    if len(pieces) == 1:
        return name == pieces[0]
    first, *middle, last = pieces
    if len(name) < len(first) + len(last) or not name.startswith(first) or not name.endswith(last):
        return False
    at, end = len(first), len(name) - len(last)
    for piece in middle:
        found = name.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


@dataclass(frozen=True, slots=True)
class PolicyPattern:
    """A user's pattern for texts to mask: a Python regular expression, and the type that its findings get.

    If the expression has a group named ``value``, only that group is masked: ``Personnel no\\. (?P<value>\\d+)``.
    """

    regex: str
    entity: str = "ID"

    def __post_init__(self) -> None:
        """Check the type.

        :raises UsageError: pagereel does not know it.
        """
        require_entity(self.entity, f"The pattern {self.regex!r}")


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules by which a redaction masks. The fields are the options of a policy file; their defaults are those of
    ``vendor``.
    """

    name: str = "vendor"
    text: str = "detect"
    """Page and agent text: ``detect`` (personal data only) or ``mask`` (all of it)."""
    form_values: str = "mask"
    option_text: str = "interface"
    """Options of a select: ``interface`` (the option's own text if neither the label, the values nor the words suggest
    a person, else ``constant``), ``constant`` (*Option 2 of 4*), or ``detect``.
    """
    parameters: str = "mask"
    bodies: str = "mask"
    """JSON and form bodies: ``mask`` every leaf, ``detect``, or ``drop``."""
    documents: str = "drop"
    """Bodies that are HTML: ``drop`` or ``detect``."""
    images: str = "keep"
    """``keep`` (without metadata), ``block`` (a grey picture of the same size) or ``blur`` (so that nothing can be read)."""
    screenshots: str = "boxes"
    """``boxes`` (over everything that is masked, at the positions that the recording has noted; without positions, or
    if images are not kept, ``block``), ``block``, ``keep`` or ``blur``.
    """
    screens: str = "visible"
    """Pictures of a whole screen (``session.screen``): ``visible`` (blocked except for the boxes that the caller
    named), ``block``, ``keep`` or ``blur``. If they are not kept, the positions of clicks and of the pointer on them
    are left out, too.
    """
    canvases: str = "block"
    media: str = "keep"
    hosts: str = "keep"
    """Host names in addresses: ``keep`` or ``mask``."""
    owners: str = "mask"
    """Tenant and user of the run, in its header: ``mask`` (whole, with a stand-in for each), or ``detect`` (personal data in them)."""
    stand_ins: str = "invented"
    """``invented`` (words of no language, so that they are recognized as stand-ins) or ``names`` (people, places and
    companies get other names, which are easier to read and look real).
    """
    headers: tuple[str, ...] = (
        "accept", "accept-encoding", "accept-ranges", "access-control-allow-credentials", "access-control-allow-headers",
        "access-control-allow-methods", "age", "allow", "cache-control", "connection", "content-encoding", "content-language",
        "content-length", "content-type", "cross-origin-embedder-policy", "cross-origin-opener-policy",
        "cross-origin-resource-policy", "date", "expires", "keep-alive", "last-modified", "permissions-policy", "pragma",
        "retry-after", "sec-ch-ua-mobile", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "sec-fetch-user",
        "strict-transport-security", "timing-allow-origin", "transfer-encoding", "upgrade-insecure-requests", "vary",
        "x-content-type-options", "x-frame-options", "x-xss-protection",
    )  # fmt: skip
    """Headers whose value is kept. All others are masked."""
    rules: tuple[PolicyRule, ...] = ()
    patterns: tuple[PolicyPattern, ...] = ()
    """Patterns for other personal data of an organization: personnel numbers, contract numbers, names of projects."""
    require_models: bool = False
    """Refuse to mask if a model or dictionary of `pagereel setup` is missing."""
    recognizers: tuple[EntityRecognizer, ...] = ()
    """Recognizers of Presidio's classes. They cannot be written into a policy file."""

    def find_rule_action(self, kind: str, name: str) -> str | None:
        """Return the action of the last of the user's rules that fits a name, or None."""
        return next((r.action for r in reversed(self.rules) if r.kind == kind and r.applies_to_name(name)), None)

    def find_values_with_action(self, action: str) -> dict[str, str]:
        """Return the texts that the user's rules by value allow or mask (`action`), keyed by their lower-case form. Of
        two rules for one text the last one counts.
        """
        said = {normalize_spaces(r.match).casefold(): r for r in self.rules if r.kind == "value"}
        return {key: normalize_spaces(r.match) for key, r in said.items() if r.action == action}

    def allowed_entities(self) -> frozenset[str]:
        """Return the types of findings that rules leave as they are."""
        return frozenset(e for e in ENTITIES if self.find_rule_action("entity", e) == "allow")


def normalize_spaces(text: str) -> str:
    """Return a value with each run of white space as one space, the form in which values are compared."""
    return " ".join(text.split())


POLICIES: dict[str, Policy] = {
    "internal": Policy(
        "internal",
        option_text="detect",
        owners="detect",
        bodies="detect",
        documents="detect",
        canvases="keep",
        screens="keep",
    ),
    "vendor": Policy("vendor"),
    "strict": Policy(
        "strict",
        text="mask",
        option_text="constant",
        images="block",
        screenshots="block",
        screens="block",
        media="drop",
        bodies="drop",
        hosts="mask",
    ),
}
"""The policies that come with pagereel."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "text": ("detect", "mask"),
    "form_values": ("mask", "detect"),
    "option_text": ("interface", "constant", "detect"),
    "parameters": ("mask", "detect"),
    "bodies": ("mask", "detect", "drop"),
    "documents": ("drop", "detect"),
    "images": ("keep", "block", "blur"),
    "screenshots": ("boxes", "block", "keep", "blur"),
    "screens": ("visible", "block", "keep", "blur"),
    "canvases": ("block", "keep", "blur"),
    "media": ("keep", "drop"),
    "hosts": ("keep", "mask"),
    "owners": ("mask", "detect"),
    "stand_ins": ("invented", "names"),
}


def load_policy(policy: Policy | str | os.PathLike[str]) -> Policy:
    """Return a policy: a built-in one by its name, one from a TOML or YAML file, or the given object.

    :raises PolicyError: there is no such policy, or the file is invalid; the message names file and line.
    """
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, str) and policy in POLICIES:
        return POLICIES[policy]
    path = Path(policy)
    if path.suffix.lower() not in (".toml", ".yaml", ".yml"):
        raise PolicyError(
            f"There is no redaction policy {str(policy)!r}; use {', '.join(POLICIES)}, or a .toml or .yaml file."
        )
    try:
        text = read_text_file_limited(path, _LARGEST)
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"The policy file {path} cannot be read: {getattr(error, 'strerror', None) or error}."
        ) from error
    data = _parse_toml(path, text) if path.suffix.lower() == ".toml" else _parse_yaml(path, text)
    return _build_policy(path, text, data)


def _parse_toml(path: Path, text: str) -> Any:
    import tomllib

    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path}: not valid TOML: {error}.") from error


def _parse_yaml(path: Path, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except RecursionError:
        raise PolicyError(f"{path}: not valid YAML: it is nested too deep.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f":{mark.line + 1}" if mark else ""
        raise PolicyError(
            f"{path}{where}: not valid YAML: {getattr(error, 'problem', None) or 'it cannot be read'}."
        ) from error


def _build_policy(path: Path, text: str, data: Any) -> Policy:
    wrong = partial(_build_policy_error, path, text)
    if not isinstance(data, dict):
        raise PolicyError(f'{path}:1: a policy is a table of options, such as `base = "vendor"`.')
    base = data.pop("base", "vendor")
    if not isinstance(base, str) or base not in POLICIES:
        raise wrong("base", f"`base` must be one of {', '.join(POLICIES)}")
    built = replace(POLICIES[base], name=str(data.pop("name", path.stem)))
    for key, value in data.items():
        if key in _CHOICES:
            if value not in _CHOICES[key]:
                raise wrong(key, f"`{key}` must be one of {', '.join(_CHOICES[key])}")
            built = replace(built, **{key: value})
        elif key == "headers":
            if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
                raise wrong(key, "`headers` must be a list of header names")
            built = replace(built, headers=tuple(v.lower() for v in value))
        elif key == "require_models":
            if not isinstance(value, bool):
                raise wrong(key, "`require_models` must be true or false")
            built = replace(built, require_models=value)
        elif key == "rules":
            built = replace(built, rules=_parse_rules(value, wrong))
        elif key == "patterns":
            built = replace(built, patterns=_parse_patterns(value, wrong))
        else:
            options = ", ".join([*_CHOICES, "headers", "require_models", "rules", "patterns"])
            raise wrong(str(key), f"there is no option `{key}`; the options are {options}")
    return built


def _parse_patterns(value: Any, build_error: Callable[..., PolicyError]) -> tuple[PolicyPattern, ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise build_error("patterns", "`patterns` must be a list of tables")
    patterns = []
    for number, item in enumerate(value):
        for key in item:
            if key not in ("regex", "entity"):
                raise build_error(key, f"a pattern has no `{key}`; it has `regex` and `entity`")
        regex, entity = item.get("regex"), item.get("entity", "ID")
        if not isinstance(regex, str):
            raise build_error("regex", f"pattern {number + 1} needs a `regex`", number)
        if entity not in ENTITIES:
            raise build_error("entity", f"`entity` must be one of {', '.join(sorted(ENTITIES))}")
        try:
            empty = re.compile(regex).search("") is not None
        except (re.error, OverflowError, RecursionError) as error:
            raise build_error("regex", f"the regex of pattern {number + 1} is invalid ({error})", number) from None
        if empty:
            raise build_error("regex", f"the regex of pattern {number + 1} matches the empty text", number)
        patterns.append(PolicyPattern(regex, entity))
    return tuple(patterns)


def _parse_rules(value: Any, build_error: Callable[..., PolicyError]) -> tuple[PolicyRule, ...]:
    if not isinstance(value, list):
        raise build_error("rules", "`rules` must be a list of tables")
    rules = []
    for number, item in enumerate(value):
        nth = f"rule {number + 1}"
        if not isinstance(item, dict):
            raise build_error("rules", f"{nth} must be a table", number)
        action = item.get("action")
        kinds = [k for k in item if k in KINDS]
        unknown = next((k for k in item if k not in KINDS and k != "action"), None)
        if unknown is not None:
            raise build_error(unknown, f"a rule has no `{unknown}`; it names one of {', '.join(KINDS)} and an action")
        if len(kinds) != 1 or not isinstance(item[kinds[0]], str):
            raise build_error("action", f"{nth} must name exactly one of {', '.join(KINDS)}", number)
        if action not in ACTIONS:
            raise build_error("action", f"the action of {nth} must be one of {', '.join(ACTIONS)}", number)
        if (problem := _find_rule_problem(kinds[0], item[kinds[0]], action)) is not None:
            raise build_error(kinds[0], f"{nth} {problem}", number)
        rules.append(PolicyRule(kinds[0], item[kinds[0]], action))
    return tuple(rules)


def _find_rule_problem(kind: str, match: str, action: str) -> str | None:
    """Return why a rule by value or entity is invalid, as the end of a sentence that begins with "rule 3", or None."""
    if kind == "value":
        if action == "drop":
            return "can allow or mask a value, and not drop it"
        return (
            None
            if len(normalize_spaces(match)) >= SHORTEST_RULE
            else f"needs a value of {SHORTEST_RULE} characters at least"
        )
    if kind == "entity":
        if action != "allow":
            return "can only allow a type: all types are masked unless a rule allows them"
        if match in NEVER_ALLOWED:
            return f"cannot allow all of {match}; allow single ones by value"
        return None if match in ENTITIES else f"names no type; the types are {', '.join(ENTITIES)}"
    return None


def _build_policy_error(path: Path, text: str, key: str, problem: str, occurrence: int = 0) -> PolicyError:
    def find_line_numbers(pattern: str) -> list[int]:
        return [number for number, line in enumerate(text.splitlines(), 1) if re.search(pattern, line)]

    lines = find_line_numbers(rf"(?<![\w-]){re.escape(key)}[\"']?\s*[:=]")
    headings = find_line_numbers(r"\A\s*(?:\[\[(?:rules|patterns)\]\]|- )")
    line = (
        lines[occurrence]
        if occurrence < len(lines)
        else (headings[occurrence] if occurrence < len(headings) else (lines[-1] if lines else 1))
    )
    return PolicyError(f"{path}:{line}: {problem}.")
