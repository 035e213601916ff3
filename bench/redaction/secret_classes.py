"""Makes secrets of sixteen classes, new ones in each run, in sentences as pages, logs and prompts hold them."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

Make = Callable[[random.Random], str]

_LETTERS = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def _draw_chars(count: int, alphabet: str = _LETTERS) -> Make:
    return lambda dice: "".join(dice.choices(alphabet, k=count))


def _join_parts(*parts: str | Make) -> Make:
    return lambda dice: "".join(p if isinstance(p, str) else p(dice) for p in parts)


def _make_jwt(dice: random.Random) -> str:
    def encode_part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{encode_part({'alg': 'HS256'})}.{encode_part({'sub': str(dice.randrange(10**9))})}.{_draw_chars(43, _LETTERS + '-_')(dice)}"


def _make_basic_credentials(dice: random.Random) -> str:
    return base64.b64encode(f"user{dice.randrange(99)}:{_draw_chars(12)(dice)}".encode()).decode()


# Prefixes and rests stand apart, so that no scanner of repositories takes a made-up secret for a real one.
CLASSES: dict[str, tuple[Make, tuple[str, ...]]] = {
    "aws key id": (_join_parts("AK", "IA", _draw_chars(16, string.ascii_uppercase + "234567")), ("found {} in the log", "{}")),
    "aws secret key": (_draw_chars(40, _LETTERS + "/+"), ("aws_secret_access_key = {}", "AWS_SECRET_ACCESS_KEY={}")),
    "github": (_join_parts("gh", "p_", _draw_chars(36)), ("cloned with {}", "git push https://{}@github.com/a/b")),
    "stripe": (_join_parts("sk", "_live_", _draw_chars(24)), ("charge with {} failed", "{}")),
    "slack": (_join_parts("xo", "xb-", _draw_chars(12, string.digits), "-", _draw_chars(24)), ("posting with {}", "token {} revoked")),
    "google": (_join_parts("AI", "za", _draw_chars(35, _LETTERS + "-_")), ("maps key {}", "?key={}&v=3")),
    "model key": (_join_parts("sk", "-ant-", _draw_chars(40)), ("use {} for the call", "api key: {}")),
    "jwt": (_make_jwt, ("session {}", "id_token={}")),
    "pem": (
        _join_parts("-----BEGIN RSA ", "PRIVATE KEY-----\n", _draw_chars(64), "\n-----END RSA ", "PRIVATE KEY-----"),
        ("key:\n{}\nend",),
    ),
    "bearer": (_draw_chars(32), ("Authorization: Bearer {}", "authorization: bearer {}")),
    "basic": (_make_basic_credentials, ("Authorization: Basic {}", "curl -H 'Authorization: Basic {}'")),
    "cookie": (_draw_chars(32, _HEX), ("Cookie: sessionid={}", "Set-Cookie: sid={}; Path=/; HttpOnly")),
    "user info": (_join_parts("admin:", _draw_chars(12)), ("postgres://{}@db.example:5432/shop", "https://{}@host.example/x")),
    "one-time code": (_draw_chars(6, string.digits), ("Your verification code is {}", "{} is your login code")),
    "password": (_join_parts(_draw_chars(7), "!", _draw_chars(3)), ("password: {}", "My password is {}", '{{"password": "{}"}}')),
    "keyed": (_draw_chars(20), ('{{"client_secret": "{}"}}', "api_key={}", "X-Api-Key: {}")),
}  # fmt: skip


def make_sentences(seed: int, each: int = 20) -> list[tuple[str, str, int, int]]:
    """Return class, sentence, and begin and end of the secret in it; ``each`` secrets for every sentence of a class."""
    dice = random.Random(seed)
    found = []
    for name, (make, frames) in CLASSES.items():
        for frame in frames:
            for _ in range(each):
                secret = make(dice)
                text = frame.format(secret)
                start = text.index(secret)
                found.append((name, text, start, start + len(secret)))
    return found
