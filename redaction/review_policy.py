"""Turn a reviewer's choices into a policy file."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from .contracts.policy import POLICIES, Policy, PolicyRule


def to_policy_toml(policy: Policy) -> str:
    """Return a policy as the text of a TOML file for :func:`.contracts.policy.load_policy`. The text contains the values that rules of
    the kind ``value`` match.
    """
    base = policy.name if policy.name in POLICIES else "vendor"
    lines = [f"base = {_to_toml_value(base)}"]
    if policy.name != base:
        lines.append(f"name = {_to_toml_value(policy.name)}")
    for one in fields(Policy):
        value = getattr(policy, one.name)
        if one.name not in ("name", "rules", "patterns", "recognizers") and value != getattr(POLICIES[base], one.name):
            lines.append(f"{one.name} = {_to_toml_value(value)}")
    for pattern in policy.patterns:
        lines += [
            "",
            "[[patterns]]",
            f"regex = {_to_toml_value(pattern.regex)}",
            f"entity = {_to_toml_value(pattern.entity)}",
        ]
    for rule in policy.rules:
        lines += [
            "",
            "[[rules]]",
            f"{rule.kind} = {_to_toml_value(rule.match)}",
            f"action = {_to_toml_value(rule.action)}",
        ]
    if any(rule.kind == "value" for rule in policy.rules):
        lines.insert(0, "# Rules by value hold values in the clear: this file is as private as the recording.")
    return "\n".join(lines) + "\n"


def parse_review_rules(sent_rules: object) -> tuple[PolicyRule, ...]:
    """Return the rules that the review page sends: a list of ``{kind, match, action}``. :func:`.contracts.policy.load_policy` later
    checks whether the rules are valid.

    :raises ValueError: the list has another shape.
    """
    if not isinstance(sent_rules, list) or len(sent_rules) > 10_000:
        raise ValueError("rules must be a list")
    rules = []
    for item in sent_rules:
        if not isinstance(item, dict) or not all(isinstance(item.get(k), str) for k in ("kind", "match", "action")):
            raise ValueError("a rule has kind, match and action")
        rules.append(PolicyRule(item["kind"], item["match"], item["action"]))
    return tuple(rules)


def _to_toml_value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_to_toml_value(v) for v in value)}]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
