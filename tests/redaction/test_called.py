"""Names of tools and models in a masked recording: a library is searched by them, so the words that everybody uses stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.reading import open_recording
from pagereel.redaction import load_policy, redact
from pagereel.redaction.words.program_names import is_impersonal_word, replace_unknown_words

from .oracle import text_of
from .reels import Maker


def masked(name: str) -> str:
    return replace_unknown_words(name, lambda word: "•", is_impersonal_word)


@pytest.mark.parametrize(
    "name",
    [
        "get_weather", "vault.read", "check_inventory", "escalate_to_human", "handoff_to_billing", "transfer_to_triage", "browser_click", "computer",
        "claude-fable-5", "amazon.nova-lite-v1:0", "Qwen3-235B-A22B-Thinking-2507", "gpt-realtime", "mistralai/ministral-8b", "gpt-5-nano",
    ],
)  # fmt: skip
def test_what_everybody_uses_stays(name: str) -> None:
    assert masked(name) == name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ft:gpt-4o:ostenvik:zorn-v2", "ft:gpt-4o:•:•-v2"), ("notifyOstenvik", "notify•"), ("ask_grace", "ask_•"), ("call-frank", "call-•"), ("acme_lookup", "•_lookup"),
        ("mail_jones", "mail_•"), ("smith.get", "•.get"),
    ],
)  # fmt: skip
def test_who_is_named_in_one_is_masked(name: str, shown: str) -> None:
    assert masked(name) == shown


def test_a_rule_by_value_lets_a_name_through(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "run.reel")
    for number, name in enumerate(("acme_lookup", "acme_find", "Zorn-2", "ostenvik.get"), 1):
        maker.put("tool_call", id=number, name=name, arguments={})
    (tmp_path / "ours.toml").write_text(
        'base = "vendor"\n[[rules]]\nvalue = "acme_lookup"\naction = "allow"\n[[rules]]\nvalue = "Zorn"\naction = "allow"\n'
    )
    redact(maker.done(), tmp_path / "masked.reel", load_policy(tmp_path / "ours.toml"))
    first, second, third, fourth = (call["name"] for call in open_recording(tmp_path / "masked.reel").calls())
    assert (first, third) == ("acme_lookup", "Zorn-2")
    assert "acme" not in second and "ostenvik" not in fourth


def test_a_credentials_header_that_is_called_after_somebody_is_called_otherwise(tmp_path: Path) -> None:
    """A reading of the page made a person of a word that the header's name has as well: the gate refused the file."""
    maker = Maker(tmp_path / "a.reel")
    maker.body(["p", {}, "Assigned to Zwodar Kvimelost"])
    headers = {"X-Kvimelost-Token": "tok_8f3kQ2bX71", "Authorization": "Bearer tok_8f3kQ2bX71"}
    maker.put("request", id="1", page=1, d=1, method="GET", type="fetch", url="https://shop.example/a", headers=headers)
    redact(maker.done(), tmp_path / "b.reel")
    said = text_of(tmp_path / "b.reel").lower()
    assert "kvimelost" not in said
    assert "tok_8f3kq2bx71" not in said
    assert "authorization" in said
