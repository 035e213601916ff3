"""Names of tools and models in a masked recording: a library is searched by them, so the words that everybody uses stay."""

from __future__ import annotations

import pytest

from pagereel.redaction.words.programs import known_called, nobodys_name


def masked(name: str) -> str:
    return known_called(name, lambda word: "•", nobodys_name)


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
