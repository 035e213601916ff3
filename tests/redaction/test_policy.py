"""Policies: the three that come along, a user's own file, and what its errors say."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import PolicyError
from pagereel.redaction import Policy, PolicyPattern, PolicyRule, load_policy, redact
from pagereel.reel import open_reel
from tests.redaction.oracle import text_of
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
    assert policy.rules == (PolicyRule("selector", ".public", "allow"), PolicyRule("parameter", "utm_*", "drop"))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('base = "vendor"\nform_value = "mask"\n', 2, "no option `form_value`"),
        ('base = "vendor"\n\nimages = "hide"\n', 3, "`images` must be one of keep, block, blur"),
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


def _redacted(tmp_path: Path, *rules: PolicyRule, **options: Any) -> str:
    policy = Policy("test", rules=rules, **options)
    redact(_recording(tmp_path / "a.reel"), tmp_path / "b.reel", policy)
    with open_reel(tmp_path / "b.reel") as reel:
        return "\n".join(json.dumps(e) for e in reel.events())


def test_a_selector_allows_masks_and_drops(tmp_path: Path) -> None:
    shown = _redacted(
        tmp_path,
        PolicyRule("selector", ".public", "allow"),
        PolicyRule("selector", "#note", "mask"),
        PolicyRule("selector", "[data-secret-area]", "drop"),
    )
    assert "Anna Vandermeulen" in shown
    assert "harmless words" not in shown
    assert "other words" not in shown


def test_parameters_headers_and_paths_follow_their_rules(tmp_path: Path) -> None:
    shown = _redacted(
        tmp_path,
        PolicyRule("parameter", "utm_*", "drop"),
        PolicyRule("parameter", "color", "allow"),
        PolicyRule("header", "x-shop-*", "allow"),
        PolicyRule("json", "build.host", "drop"),
        PolicyRule("event", "console", "drop"),
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


def _rule_sample(path: Path) -> Path:
    m = Maker(path)
    m.body(
        ["p", {}, "Hello, my name is Priya Raghunathan and I live here since Monday 4 May 1998."],
        ["p", {}, "The bluebird-lamp is in stock"],
        ["input", {"autocomplete": "name", "value": "Priya Raghunathan"}],
        ["input", {"name": "note", "value": "Joris Vandermeulen"}],
    )
    m.put("console", page=1, level="log", text="the bluebird-lamp again")
    return m.done()


def test_a_value_can_be_let_through_and_another_masked_by_name(tmp_path: Path) -> None:
    rules = (PolicyRule("value", "priya  raghunathan", "allow"), PolicyRule("value", "bluebird-lamp", "mask"))
    report = redact(_rule_sample(tmp_path / "a.reel"), tmp_path / "b.reel", Policy("ours", rules=rules))
    shown = text_of(tmp_path / "b.reel")
    assert "my name is Priya Raghunathan" in shown and '"value": "Priya Raghunathan"' in shown, (
        "in the text and in the form"
    )
    assert "bluebird" not in shown.lower()
    assert "vandermeulen" not in shown.lower()
    assert "Priya Raghunathan" not in report.known
    assert "bluebird-lamp" in report.known


def test_a_type_can_be_let_through(tmp_path: Path) -> None:
    policy = Policy("ours", rules=(PolicyRule("entity", "PERSON", "allow"),))
    redact(_rule_sample(tmp_path / "a.reel"), tmp_path / "b.reel", policy)
    shown = text_of(tmp_path / "b.reel")
    assert "my name is Priya Raghunathan" in shown
    assert '"value": "Priya Raghunathan"' not in shown, "what is masked for its place stays masked"
    assert "1998" not in shown


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ('value = "ab"\naction = "mask"', "3 characters"),
        ('value = "Priya"\naction = "drop"', "allow or mask"),
        ('entity = "PERSON"\naction = "mask"', "can only allow a type"),
        ('entity = "SECRET"\naction = "allow"', "single ones by value"),
        ('entity = "PEOPLE"\naction = "allow"', "names no type"),
    ],
)
def test_a_rule_by_value_or_type_that_cannot_be_says_why(rule: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(f"[[rules]]\n{rule}\n")
    with pytest.raises(PolicyError, match=says) as caught:
        load_policy(tmp_path / "p.toml")
    assert "p.toml:2" in str(caught.value)


def test_a_rule_masks_what_an_event_or_a_path_holds_under_any_policy(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel", metadata={"desk": {"tone": "harmless words"}})
    m.put("console", page=1, level="log", text="plain words", args=["quiet words"])
    m.put("llm", id=1, step=None, prompt=[{"role": "user", "content": "calm words"}], attributes={})
    rules = (
        PolicyRule("event", "console", "mask"),
        PolicyRule("event", "llm", "mask"),
        PolicyRule("json", "desk.*", "mask"),
    )
    redact(m.done(), tmp_path / "b.reel", Policy("test", bodies="detect", rules=rules))
    shown = text_of(tmp_path / "b.reel")
    assert [w for w in ("plain", "quiet", "calm", "harmless") if w in shown] == []


def test_strict_masks_every_text_of_the_page_and_the_agent(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.put("dialog", page=1, type="alert", message="one fine word", default="")
    m.put("error", page=1, message="two fine words", stack="")
    m.put("step", id=1, parent=None, title="Pay", reasoning="three fine words", attributes={})
    redact(m.done(), tmp_path / "b.reel", "strict")
    shown = text_of(tmp_path / "b.reel")
    assert "fine" not in shown
    assert '"Pay"' in shown


def test_the_namespace_of_an_element_is_an_address_like_any_other(tmp_path: Path) -> None:
    m = Maker(tmp_path / "a.reel")
    m.body(["https://x.example/?owner=Zuberina%20Ombrellix|card", {}, "x"], ["x-zuberina-ombrellix", {}, "y"])
    m.put("console", page=1, level="log", text="my name is Zuberina Ombrellix")
    redact(m.done(), tmp_path / "b.reel")
    shown = text_of(tmp_path / "b.reel").lower()
    assert "ombrellix" not in shown
    assert "|card" in shown


@pytest.mark.parametrize(
    ("match", "name", "fits"),
    [
        ("user", "USER", True),
        ("user", "users", False),
        ("utm_*", "utm_source", True),
        ("*.name", "customer.name", True),
        ("a*b*c", "a-b-b-c", True),
        ("a*b*c", "a-c-b", False),
        ("ab*ba", "aba", False),
        ("*", "", True),
    ],
)
def test_a_rule_names_with_stars(match: str, name: str, fits: bool) -> None:
    assert PolicyRule("json", match, "drop").applies_to_name(name) is fits


def test_a_rule_of_many_stars_does_not_go_back_and_forth_over_a_page_s_name() -> None:
    begin = time.process_time()
    assert not PolicyRule("json", "*a" * 30 + "*b", "drop").applies_to_name("a" * 200_000)
    assert time.process_time() - begin < 1


def test_a_pattern_of_a_policy_that_never_ends_ends_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pagereel.redaction.detect import user_recognizers

    monkeypatch.setattr(user_recognizers, "SECONDS", 0.3)
    m = Maker(tmp_path / "a.reel")
    m.body(["p", {}, "x" * 5000 + "!"])
    policy = replace(load_policy("vendor"), patterns=(PolicyPattern("(x+x+)+y"),))
    with pytest.raises(PolicyError, match="pattern 1 takes longer"):
        redact(m.done(), tmp_path / "b.reel", policy)
    assert not (tmp_path / "b.reel").exists()
