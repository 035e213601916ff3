"""An import masks the fields that the injector masks: its rules are those of ``policy.ts``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagereel.sources import secret_fields

POLICY = (Path(__file__).parents[2] / "injector_js" / "src" / "policy.ts").read_text()


def of_policy(pattern: str) -> str:
    found = re.search(pattern, POLICY)
    assert found, pattern
    return found[1]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (secret_fields._CARD, r"const CARD = /(.+)/i;"),
        (secret_fields._OTP, r"const OTP = /(.+)/i;"),
        (secret_fields._CARD_TOKEN, r'/(.+)/\.test\(tokens\)\) return "card"'),
    ],
)
def test_patterns_are_the_injectors(ours: re.Pattern[str], theirs: str) -> None:
    assert ours.pattern == of_policy(theirs)


def test_words_of_autocomplete_are_the_injectors() -> None:
    reasons = re.findall(r'tokens\.includes\("([^"]+)"\)\) return "(\w+)"', POLICY)
    assert len(reasons) == POLICY.count("tokens.includes(") > 0
    for word, reason in reasons:
        assert secret_fields.find_mask_reason({"autocomplete": f"x{word}"}) == reason


def test_attributes_and_schemes_that_never_come_in_are_the_injectors() -> None:
    assert set(re.findall(r'"(\w+)"', of_policy(r"const NEVER = new Set\(\[(.+)\]\)"))) == secret_fields.NEVER
    schemes = re.findall(r'"(\w+)"', of_policy(r"const SCRIPTS = new Set\(\[(.+)\]\)"))
    assert schemes
    for scheme in schemes:
        assert secret_fields.filter_attribute("form", "action", f" {scheme}:x") is None
    listed = secret_fields._SCRIPT.pattern
    assert set(re.findall(r"\w+", listed.replace("(?:", ""))) == set(schemes)
