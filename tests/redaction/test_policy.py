"""Policies: the three that come along, a user's own file, and what its errors say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import PolicyError
from pagereel.redaction import Policy, Rule, load_policy, redact
from pagereel.reel import open_reel
from tests.redaction.reels import Maker

TOML = """
base = "internal"
name = "ours"
form_values = "detect"
headers = ["Content-Type", "X-Shop-Version"]

[[rules]]
selector = ".public"
action = "allow"

[[rules]]
parameter = "utm_*"
action = "drop"
"""
YAML = """
base: internal
name: ours
form_values: detect
headers: [Content-Type, X-Shop-Version]
rules:
  - selector: .public
    action: allow
  - parameter: utm_*
    action: drop
"""


@pytest.mark.parametrize("suffix", ["toml", "yaml"])
def test_a_file_in_either_form_says_the_same(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"p.{suffix}"
    path.write_text(TOML if suffix == "toml" else YAML)
    policy = load_policy(path)
    assert (policy.name, policy.bodies, policy.form_values) == ("ours", "detect", "detect")
    assert policy.headers == ("content-type", "x-shop-version")
    assert policy.rules == (Rule("selector", ".public", "allow"), Rule("parameter", "utm_*", "drop"))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('base = "vendor"\nform_value = "mask"\n', 2, "no option `form_value`"),
        ('base = "vendor"\n\nimages = "blur"\n', 3, "`images` must be one of keep, block"),
        ('base = "friend"\n', 1, "`base` must be one of"),
        ('[[rules]]\nheader = "x"\naction = "allow"\n\n[[rules]]\nheader = "y"\naction = "hide"\n', 7, "rule 2"),
        ('[[rules]]\ncookie = "x"\naction = "allow"\n', 2, "a rule has no `cookie`"),
        ('base = "vendor"\nrules = 5\n', 2, "`rules` must be a list"),
        ("base = \n", 1, "not valid TOML"),
    ],
)
def test_an_error_names_the_line(text: str, line: int, says: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    message = str(caught.value)
    assert says in message
    assert f"{path}:{line}:" in message or f"line {line}" in message


def test_wrong_yaml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("base: vendor\nrules:\n  - selector: [\n")
    with pytest.raises(PolicyError, match=r"p.yaml:\d+: not valid YAML"):
        load_policy(path)


def _recording(path: Path) -> Path:
    m = Maker(path, metadata={"owner": "priya@shop.nl", "build": {"host": "ci-priya@shop.nl"}})
    m.body(
        ["p", {"class": "public"}, "Call ", ["b", {}, "Anna Vandermeulen"], " of the shop"],
        ["p", {"id": "note"}, "harmless words"],
        ["p", {"data-secret-area": "1"}, "other words"],
        ["input", {"value": "blue kettle"}],
        ["a", {"href": "/x?utm_source=mail&color=teal&q=anybody"}, "x"],
    )
    m.put("console", page=1, level="log", text="plain words")
    m.put(
        "request",
        id="1",
        page=1,
        method="GET",
        type="fetch",
        url="https://shop.example/",
        headers={"x-shop-version": "v7 of shop"},
    )
    return m.done()


def _redacted(tmp_path: Path, *rules: Rule, **options: Any) -> str:
    policy = Policy("test", rules=rules, **options)
    redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel", policy)
    with open_reel(tmp_path / "b.reel") as reel:
        return "\n".join(json.dumps(e) for e in reel.events())


def test_a_selector_allows_masks_and_drops(tmp_path: Path) -> None:
    shown = _redacted(
        tmp_path,
        Rule("selector", ".public", "allow"),
        Rule("selector", "#note", "mask"),
        Rule("selector", "[data-secret-area]", "drop"),
    )
    assert "Anna Vandermeulen" in shown
    assert "harmless words" not in shown
    assert "other words" not in shown


def test_parameters_headers_and_paths_follow_their_rules(tmp_path: Path) -> None:
    shown = _redacted(
        tmp_path,
        Rule("parameter", "utm_*", "drop"),
        Rule("parameter", "color", "allow"),
        Rule("header", "x-shop-*", "allow"),
        Rule("json", "build.host", "drop"),
        Rule("event", "console", "drop"),
    )
    assert "utm_source=&color=teal&q=" in shown
    assert "anybody" not in shown
    assert "v7 of shop" in shown
    assert "ci-priya" not in shown
    assert "plain words" not in shown


def test_strict_masks_all_text_and_internal_keeps_more(tmp_path: Path) -> None:
    source = _recording(tmp_path / "a.reel")
    for name in ("strict", "vendor", "internal"):
        redact(source, tmp_path / f"{name}.reel", name)
    shown = {}
    for name in ("strict", "vendor", "internal"):
        with open_reel(tmp_path / f"{name}.reel") as reel:
            shown[name] = "\n".join(json.dumps(e) for e in reel.events())
    assert all("Vandermeulen" not in text for text in shown.values())
    assert "harmless words" not in shown["strict"]
    assert "harmless words" in shown["vendor"] and "harmless words" in shown["internal"]
