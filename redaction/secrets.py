"""Secrets in text: keys, tokens, passwords, one-time codes. Presidio has no recognizer for them.

Two kinds of rules. A *shape* rule knows a token by its prefix and length alone. A *keyed* rule knows a value by what
stands before it (``password:``, ``Authorization: Bearer``, ``Your code is``). Only the secret itself is in the span, never
the word that gives it away, so that a masked page still says what was there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from .types import Finding


@dataclass(frozen=True, slots=True)
class Rule:
    """``name`` for reports; the secret is the group ``s`` or, without one, the whole match; ``hint``: a lower-case word
    without which the pattern cannot match (checked first, it is much cheaper)."""

    name: str
    pattern: re.Pattern[str]
    hint: tuple[str, ...] = ()
    entropy: float = 0.0
    entity: str = "SECRET"


def _rule(name: str, pattern: str, *hint: str, entropy: float = 0.0, flags: int = 0, entity: str = "SECRET") -> Rule:
    return Rule(name, re.compile(pattern, flags), hint, entropy, entity)


_I = re.IGNORECASE
_KEY = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_ .-]?key|apikey|access[_ .-]?key|secret[_ .-]?key|private[_ .-]?key|"
    r"client[_ .-]?secret|auth(?:[_ .-]?(?:token|key))|session(?:[_ .-]?(?:id|key|token))|sessid|csrf(?:[_ .-]?token)?|xsrf(?:[_ .-]?token)?|"
    r"credential|signature|sig|nonce|otp|pin|cvv2?|cvc2?|refresh[_ .-]?token|id[_ .-]?token|x-amz-(?:signature|credential|security-token))"
)

SHAPES: tuple[Rule, ...] = (
    _rule(
        "aws_key_id",
        r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z2-7]{16}\b",
        "akia",
        "asia",
        "abia",
        "acca",
        "aroa",
        "aida",
        "agpa",
        "anpa",
    ),
    _rule("jwt", r"\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?", "eyj"),
    _rule(
        "pem",
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE|MESSAGE)[A-Z ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|\Z)",
        "-----begin",
    ),
    _rule("ssh_public", r"\bssh-(?:rsa|ed25519|dss) AAAA[\w+/=]{40,}", "ssh-"),
    _rule("slack", r"\bxox[abeoprs](?:\.xox[bp])?-[\w-]{8,}|\bxapp-\d-[\w-]{10,}", "xox", "xapp-"),
    _rule("slack_hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/]{20,})", "hooks.slack"),
    _rule("discord_hook", r"discord(?:app)?\.com/api/webhooks/(?P<s>\d+/[\w-]{20,})", "webhooks"),
    _rule("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})", "gh", "github_pat"),
    _rule("gitlab", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|agent|imt)-[\w-]{16,}", "gl"),
    _rule("stripe", r"\b(?:[sr]k|pk|whsec)_(?:(?:live|test|prod)_)?[A-Za-z0-9]{16,}", "k_", "whsec"),
    _rule("google", r"\bAIza[\w-]{30,}", "aiza"),
    _rule("google_oauth", r"\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}|\b1//0[\w-]{30,}", "ya29", "gocspx", "1//0"),
    _rule("model_key", r"\bsk-(?:ant-|proj-|svcacct-|or-v1-)?[\w-]{20,}", "sk-"),
    _rule("hugging_face", r"\bhf_[A-Za-z0-9]{20,}", "hf_"),
    _rule("npm", r"\bnpm_[A-Za-z0-9]{30,}", "npm_"),
    _rule("pypi", r"\bpypi-[\w-]{40,}", "pypi-"),
    _rule("sendgrid", r"\bSG\.[\w-]{16,}\.[\w-]{16,}", "sg."),
    _rule("mailgun", r"\bkey-[0-9a-f]{32}\b", "key-"),
    _rule("twilio", r"\b(?:SK|AC)[0-9a-f]{32}\b", "sk", "ac"),
    _rule("shopify", r"\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}", "shp"),
    _rule("square", r"\bsq0[a-z]{3}-[\w-]{22,}|\bEAAA[\w-]{56,}", "sq0", "eaaa"),
    _rule("digitalocean", r"\bdo[opr]_v1_[0-9a-f]{64}", "_v1_"),
    _rule("databricks", r"\bdapi[0-9a-f]{32}", "dapi"),
    _rule("telegram", r"\b\d{8,10}:AA[\w-]{32,}", ":aa"),
    _rule("age_key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}", "age-secret"),
    _rule("vault", r"\bhv[sb]\.[\w-]{20,}", "hvs.", "hvb."),
    _rule(
        "prefixed",
        r"\b[a-z]{2,10}_(?:[a-z]{2,6}_)?(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]{20,}\b",
        "_",
        entropy=3.8,
    ),
    _rule("hash", r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[^\s\"']+", "$2", "$argon2"),
)

KEYED: tuple[Rule, ...] = (
    _rule("userinfo", r"\b[a-z][a-z0-9+.-]{1,20}://(?P<s>[^\s/?#\"'<>@]+(?::[^\s/?#\"'<>]*)?)@", "://", flags=_I),
    _rule("userinfo_bare", r"(?<![\w@:/])(?P<s>[\w.%+-]{1,40}:[^\s:@/\"'<>]{1,60})@[\w-]+(?:\.[\w-]+)+", "@"),
    _rule("bearer", r"\bbearer\s+(?!token\b|auth\b|authentication\b)(?P<s>[\w.~+/=-]{8,})", "bearer", flags=_I),
    _rule(
        "basic",
        r"\bbasic\s+(?P<s>(?=[A-Za-z0-9+/]*(?-i:[A-Z0-9+/=]))[A-Za-z0-9+/]{7,}={0,2})(?![\w+/=])",
        "basic",
        flags=_I,
    ),
    _rule(
        "digest",
        r"\b(?:digest|negotiate|ntlm|aws4-hmac-sha256)\s+(?P<s>[\w+/=,\"-]*[=/\d][^\n]{12,})",
        "digest",
        "negotiate",
        "ntlm",
        "aws4",
        flags=_I,
    ),
    _rule(
        "authorization",
        r"\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:[A-Za-z][\w-]*\s+)?(?P<s>[^\s\"',;]{6,})",
        "authorization",
        flags=_I,
    ),
    _rule("cookie", r"\b(?:set-)?cookie[\"']?\s*:\s*[\"']?(?P<s>[\w.%-]+=[^\n\"']+)", "cookie", flags=_I),
    _rule(
        "session_pair",
        r"\b(?:[\w.-]*sess(?:ion)?(?:id)?|jsessionid|phpsessid|connect\.sid|[\w-]*auth[\w-]*|sid)=(?P<s>[\w.%+/-]{8,}=*)",
        "ses",
        "sid",
        "auth",
        flags=_I,
    ),
    _rule(
        "otp",
        r"(?<!zip )(?<!postal )(?<!post )(?<!error )(?<!status )(?<!area )(?<!country )(?<!exit )(?<!response )(?<!sort )(?<!product )\b(?:code|otp|passcode|pin|one[- ]time (?:pass(?:word|code)|code)|2fa|mfa|tan)\b[^\n\d]{0,30}?(?<![\d#])(?P<s>\d{3}[- ]?\d{3}|\d{4,8})(?![\d.,]*\d)",
        "code",
        "otp",
        "pin",
        "one-time",
        "one time",
        "2fa",
        "mfa",
        "tan",
        flags=_I,
    ),
    _rule(
        "otp_before",
        r"(?<![\d#])(?P<s>\d{3}[- ]?\d{3}|\d{4,8})\s+is\s+(?:your|the)\b[^\n]{0,40}\b(?:code|otp|pin|passcode)",
        " is ",
        flags=_I,
    ),
    _rule("google_code", r"\b(?P<s>[A-Z]-\d{5,8})\b(?=[^\n]{0,40}\bcode)", "code"),
    _rule(
        "cvv",
        r"\b(?:cvv2?|cvc2?|cid|security code|card verification)\b[^\n\d]{0,16}(?P<s>\d{3,4})\b",
        "cv",
        "cid",
        "security code",
        "verification",
        flags=_I,
        entity="CVV",
    ),
    _rule(
        "last4",
        r"\b(?:ending|ends)\s+(?:in|with)\s*:?[\s•*x·⋯-]*(?P<s>\d{4}\b|\d{2,3}\b(?!\s*[A-Za-z%]))|(?:[•*x·]{2,}|⋯)[\s-]*(?P<s2>\d{4}\b|\d{2,3}\b(?!\s*[A-Za-z%]))",
        "end",
        "•",
        "*",
        "·",
        "⋯",
        "xx",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "keyed",
        r"(?:^|[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z]))[\w.-]*?"
        + _KEY
        + r"[\"']?\s{0,3}(?:[:=]|=>|\bis\b:?|\bwas\b)\s{0,3}(?P<q>[\"'`])?(?P<s>(?(q)(?:(?!(?P=q))[^\n\\]|\\.){1,200}|[^\s\"'`,;&<>]{3,200}))",
        flags=_I,
    ),
    _rule(
        "password_alone",
        r"(?<!\S)(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[!@#$%^&*?])[^\s<>{}()=:/,;\"'`]{10,40}(?!\S)",
        entropy=2.8,
    ),
    _rule(
        "password_after",
        r"\b(?:password|passphrase|passcode)\s+(?P<s>(?=\S*[\d!@#$%^&*_])[^\s\"'<>,;]{6,64})",
        "pass",
        flags=_I,
    ),
)

_ENTROPIC = re.compile(r"(?<![\w+/=.-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/-]{24,}={0,2}(?![\w+/-])")
_HEX = re.compile(r"[0-9a-fA-F-]+\Z")
_PLAIN = re.compile(
    r"(?:%[a-z]|\*+|•+|\.{2,}|x{3,}|true|false|null|none|undefined|yes|no|on|off|string|number|required|optional|incorrect|invalid|wrong|"
    r"missing|empty|expired|hidden|weak|strong|too|not|must|the|a|an|your|my|this|that|valid|set|reset|changed|in|of|for|and|or|to|<.*|\{.*|\$\{.*|\[.*)\Z",
    re.IGNORECASE,
)


def entropy(text: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values()) if text else 0.0


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text."""
    lower = text.lower()
    found = list(_apply(SHAPES, text, lower))
    found += _apply(KEYED, text, lower)
    if len(text) >= 24:
        for match in _ENTROPIC.finditer(text):
            word = match.group()
            if looks_random(word) and text[match.end() : match.end() + 1] != "(":
                found.append(Finding(*match.span(), "SECRET", 0.6))
    return found


def looks_random(word: str) -> bool:
    """A long word of letters and digits that nobody wrote by hand: 3.5 bits a character, or 24 hex digits and more."""
    if _HEX.match(word):
        return len(word.replace("-", "")) >= 24 and entropy(word) > 2.8
    if "/" in word and not re.search(r"[A-Z]", word):
        return False
    parts = re.split(r"[-_/]", word)
    if len(parts) > 2 and sum(p.isalpha() and (p.islower() or p.istitle()) for p in parts) * 2 >= len(parts):
        return False
    return (
        entropy(word) > 3.5
        and bool(re.search(r"\d.*\d", word))
        and bool(re.search(r"[A-Z]", word) or entropy(word) > 4)
    )


def _apply(rules: Iterable[Rule], text: str, lower: str) -> Iterable[Finding]:
    for rule in rules:
        if rule.hint and not any(h in lower for h in rule.hint):
            continue
        for match in rule.pattern.finditer(text):
            groups = match.groupdict()
            name = next((g for g in ("s", "s2") if groups.get(g) is not None), None)
            start, end = match.span(name) if name else match.span()
            value = text[start:end]
            if rule.name == "keyed":
                end -= len(value) - len(value.rstrip(".)!?]}"))
                value = text[start:end]
                spoken = re.search(r"\b(?:is|was)\b", match.group()[: start - match.start()], re.IGNORECASE)
                if (
                    _PLAIN.match(value)
                    or (spoken and not re.search(r"[\d!@#$%^&*_]", value))
                    or (" " in value and "\n" not in value and value.count(" ") > 3)
                ):
                    continue
                if (
                    value.isalpha()
                    and value.islower()
                    and not groups.get("q")
                    and text[start - 1 : start] == " "
                    and len(value) < 6
                ):
                    continue
            if rule.name == "prefixed" and text[end : end + 1] == "(":
                continue  # a function's name
            if end > start and entropy(value) >= rule.entropy:
                yield Finding(start, end, rule.entity, 0.95)
