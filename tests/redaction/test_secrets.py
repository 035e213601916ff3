"""Sixteen classes of secrets, each in a sentence: the secret is masked whole, whatever stands around it stays."""

from __future__ import annotations

import random
import string
import time

import pytest

from pagereel.redaction.detect.shapes.secrets import find_secrets

R = random.Random(7)


def _chars(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(R.choices(alphabet, k=count))


UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
HEX = "0123456789abcdef"
# Prefixes and rests stand apart, so that no scanner of repositories takes a made-up secret for a real one.
SECRETS = {
    "aws key id": ("found {} in the log", "AK" + "IA" + _chars(16, UPPER)),
    "aws secret key": ("aws_secret_access_key = {}", _chars(40, string.ascii_letters + string.digits + "/+")),
    "bearer": ("Authorization: Bearer {}", _chars(32)),
    "basic": ("Authorization: Basic {}", "dXNlcjpwYXNzd29yZDEyMw=="),
    "cookie": ("Cookie: {}", f"sessionid={_chars(32, HEX)}; theme=dark"),
    "user info": ("postgres://{}@db.example:5432/shop", "admin:" + _chars(12)),
    "one-time code": ("Your verification code is {}", "482913"),
    "jwt": ("token eyJ: {}", "ey" + "JhbGciOiJIUzI1NiJ9." + _chars(40) + "." + _chars(43)),
    "pem": ("key:\n{}\nend", "-----BEGIN RSA " + "PRIVATE KEY-----\n" + _chars(64) + "\n-----END RSA " + "PRIVATE KEY-----"),
    "slack": ("posting with {}", "xo" + "xb-" + _chars(12, string.digits) + "-" + _chars(24)),
    "github": ("cloned with {}", "gh" + "p_" + _chars(36)),
    "stripe": ("charge with {}", "sk" + "_live_" + _chars(24)),
    "google": ("maps key {}", "AI" + "za" + _chars(35)),
    "generic keyed": ('{{"client_secret": "{}"}}', _chars(20)),
    "password": ("password: {}", "hunter2!Xy"),
    "random word": ("value {} expired", _chars(40)),
    "model key": ("use {}", "sk" + "-ant-" + _chars(40)),
    "gitlab": ("remote {}", "gl" + "pat-" + _chars(20)),
    "session in url": ("/cart;jsessionid={}", _chars(32, "0123456789ABCDEF")),
    "otp before": ("{} is your login code", "773 201"),
    "cvv": ("CVV: {}", "739"),
}  # fmt: skip


@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_masked_whole(kind: str) -> None:
    sentence, secret = SECRETS[kind]
    text = sentence.format(secret)
    start = text.index(secret)
    masked = set()
    for f in find_secrets(text):
        masked.update(range(f.start, f.end))
    open_letters = [text[i] for i in range(start, start + len(secret)) if text[i].isalnum() and i not in masked]
    names = "sessionid" if kind == "cookie" else ""
    assert "".join(open_letters) in ("", names)


@pytest.mark.parametrize(
    "text",
    [
        "Forgot your password?",
        "Password must be at least 8 characters",
        "Enter the code that we sent you",
        "Basic plan",
        "Basic information",
        "Token expired",
        "Your password is too weak",
        "Use the secret sauce",
        "Pin to top",
        "Order 12345",
        "class=btn-primary btn-large-outline-secondary",
        "react-dom.production.min.js",
        "Keyboard: QWERTY",
        "Sort code and account number",
        "Zip code: 90210",
        "Bearer of good news",
    ],
)
def test_words_about_secrets_are_none(text: str) -> None:
    assert find_secrets(text) == []


def test_the_last_digits_of_a_number_are_found_and_other_numbers_are_not() -> None:
    def masked(text: str) -> list[str]:
        return [text[f.start : f.end] for f in find_secrets(text)]

    assert masked("a code to the phone ending in ··· 417.") == ["417"]
    assert masked("Visa ending in 4242 was charged") == ["4242"]
    assert masked("Card •••• 99") == ["99"]
    assert masked("The sale ends in 12 hours") == masked("**12 items") == masked("page 1 … 24") == []


def test_a_long_word_costs_no_more_than_its_length() -> None:
    """Counted in processor's time, beside a quarter of the text: 20,000 times x, in the console of a page, took twelve minutes."""
    for letter in "x-":
        short, long = (_cost(f"end {letter * length}") for length in (2_000, 8_000))
        assert long < 12 * short + 1, letter


def _cost(text: str) -> float:
    began = time.process_time()
    find_secrets(text)
    return time.process_time() - began
