"""Keeps secrets and scripts out of imports: values of secret fields, event handlers, and ``javascript:`` addresses.

The rules are the injector's (``injector_js/src/policy.ts``), so that an import does not bypass them.
"""

from __future__ import annotations

import re
from typing import Final

NEVER: Final = frozenset({"srcdoc", "nonce", "integrity"})

_CARD: Final = re.compile(
    r"\b(?:cc|card)[-_ ]?(?:num|no\b|nr\b|csc|cvc|cvv|exp)|card.?number|\bcvc|\bcvv|security.?code", re.I
)
_OTP: Final = re.compile(r"\botp\b|one.?time|\bpass.?code|verification.?code|\btotp\b|\b2fa\b|\bmfa\b", re.I)
_CARD_TOKEN: Final = re.compile(r"\bcc-(?:number|csc|exp)")
_SECRET: Final = re.compile(r"pass(?:word|phrase|wd)|secret|\btoken\b", re.I)
_SCRIPT: Final = re.compile(r"(?:javascript|vbscript|livescript|jscript|mocha):", re.I)
_BLANKS: Final = re.compile(r"[\x00-\x20]+")


def find_mask_reason(attrs: dict[str, str]) -> str | None:
    """Return why the value of an ``<input>`` with these attributes is masked (``password``, ``card``, ``otp``); None if
    it is not.
    """
    if attrs.get("type", "").lower() == "password":
        return "password"
    tokens = attrs.get("autocomplete", "").lower()
    if "-password" in tokens:
        return "password"
    if "one-time-code" in tokens:
        return "otp"
    if _CARD_TOKEN.search(tokens):
        return "card"
    names = f"{attrs.get('name', '')} {attrs.get('id', '')}"
    if _CARD.search(names):
        return "card"
    return "otp" if _OTP.search(names) else None


def is_secret_selector(selector_text: str) -> bool:
    """Return whether a selector seems to locate a secret field. Used if no snapshot shows the field."""
    return bool(_SECRET.search(selector_text) or _CARD.search(selector_text) or _OTP.search(selector_text))


def filter_attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute in the form in which it is imported; None if the attribute is left out."""
    lower = name.lower()
    if lower.startswith("on") or lower in NEVER:
        return None
    if ":" in value and _SCRIPT.match(_BLANKS.sub("", value[:200])):
        if lower in ("href", "xlink:href"):
            return "#" if tag in ("a", "area", "svg|a") else None
        if lower == "src":
            return "data:," if tag == "img" else None
        return None
    return value
