"""Passwords and codes as people say them: *the guest password is marmalade*, *lösenordet är Blabar77*, *door 7719#*, *typed Quartz-88 into the password field*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english, ordinary
from ...words.late import Late
from ...words.words import TECHNOLOGY, UI_WORDS, small_words_abroad
from ..judging.foreign import known
from ..secret_rules import PASSWORD_WORDS

_LONGEST = 4_000
_WORDS = rf"(?:{PASSWORD_WORDS}|\b(?:pass\s?(?:word|phrase|code)|passwd|pw|pwd|psw|kod\s?pin))"
_OPEN = r"[\"'`«„“]?"
_VALUE = r"(?P<s>[^\s\"'`,;:<>{}()»”]{4,64})"
_OF = r"(?:[^\S\n](?:del|dell['’]|della|de|de\sla|du|d['’]|di|do|da|of|for|to|zum|zur|für|fürs|vom|van|voor|till|til|dla|na)[^\S\n]?[\w-]{2,20}){0,2}"
_SAID = Late(
    rf"{_WORDS}\w{{0,3}}{_OF}[^\S\n](?:is|was|ist|war|lautet|est|était|es|era|é|è|jest|to|är|var|er|on|je|este|:)[^\S\n]{{1,2}}{_OPEN}{_VALUE}",
    re.IGNORECASE,
)
_RIGHT_BEHIND = Late(
    rf"{_WORDS}\w{{0,3}}(?:[^\S\n](?:wi-?fi|wlan|temporal|temporaire|provisoire|provvisoria|tymczasowe|nueva|neu(?:es)?|nuova|nova|new|temp(?:orary)?|guest|old|default))?[^\S\n]{_OPEN}{_VALUE}",
    re.IGNORECASE,
)
_PHRASE = Late(
    r"\b(?:pass\s?phrase|seed\s?phrase|recovery\s?phrase)\b(?:[^\S\n]is)?[^\S\n:]{0,2}:?[^\S\n](?P<s>[a-z]{3,}(?:[ -][a-z]{3,}){2,23})(?=[.,;!?\n]|\Z)",
    re.IGNORECASE,
)
_NETWORK = Late(
    rf"\b(?:wi-?fi|wlan)\b[^\S\n]?(?:is|key|code|:|=|[ ](?:[\w'’-]{{2,20}}[ ]?/))[^\S\n]{{0,2}}(?:[\w'’-]{{2,24}}[^\S\n]?/[^\S\n]?)?{_OPEN}{_VALUE}",
    re.IGNORECASE,
)
_PAIR = Late(
    rf"\b(?:log-?ins?|credentials?|creds|user(?:\s?name)?|accounts?|zugang(?:sdaten)?|accès|acceso|accesso|toegang|dostęp)\b(?:[^\S\n](?:is|are))?[^\S\n]?:?[^\S\n]?[\w.@+-]{{2,40}}[^\S\n]?/[^\S\n]?{_OPEN}{_VALUE}",
    re.IGNORECASE,
)
_DOOR = (
    r"(?:portail|porte|portillon|immeuble|entrée|bâtiment|coffre|garage|boîte|hall|ascenseur|cancello|portone|cassaforte|porta|portão|puerta|portal|garaje|caja|tür|haustür|tor|tresor|schlüsselbox|deur|poort|kluis|bramy|drzwi|furtki|"
    r"klatki|sejfu|port(?:en)?|dörr(?:en)?|dør(?:en|a)?|kapı)"
)
_AT_A_DOOR = Late(
    rf"\b(?:code|codice|código|codigo|kod|kode|koodi)[ ](?:de[ ]la|du|de|d['’]|del|della|dell['’]|do|da|der|für[ ]die|für[ ]den|zum|zur|van[ ]de|voor[ ]de|til|till)[ ]?{_DOOR}\b[ :]{{1,3}}(?:(?:est|è|es|é|ist|is|är|er|jest)[ ])?(?P<s>(?=\w*\d)\w{{3,8}}#?)(?!\w)|"
    r"\b(?:door|gate|alarm|entry|keypad|safe|buzzer|intercom)[ ](?:code[ ])?(?P<t>[*#]?\d{3,8}#)",
    re.IGNORECASE,
)
_REDEEMED = Late(
    r"\b(?:use|enter|apply|redeem|quote)[ ](?:code[ ])?(?P<s>(?=[A-Z0-9-]*\d)[A-Z0-9]{2,8}(?:-[A-Z0-9]{2,8}){1,5})[ ](?=at[ ]checkout|to[ ](?:get|unlock|open|join|log|sign|enter|claim|pay|activate|confirm|verify)\b)"
)
_ANSWER = Late(
    rf"\b(?:security|secret|sicherheits)[ -]?(?:answer|antwort)\b(?:[ ]is)?[ ]?:?[ ]{_OPEN}(?P<s>[^\W_][\w'’-]{{2,30}})",
    re.IGNORECASE,
)
_TYPED = Late(
    rf"\b(?:typ(?:e|ed|es|ing)|enter(?:ed|s|ing)?|fill(?:ed|s|ing)?(?:[ ]in)?|put|input|paste[ds]?|used?|try|tried|gave)[ ](?:the[ ](?:value|text|string)[ ])?{_OPEN}(?P<s>[^\s\"'`,;:<>{{}}()»”]{{4,64}})[\"'`»”]?[ ]"
    r"(?:in|into|as|for|to)[ ](?:(?:the|his|her|my|their|your|our|a)[ ])?(?:\w+[ ])?(?:password|passcode|pass|pin|secret|token|otp|pw)\b",
    re.IGNORECASE,
)
_TO_CURL = Late(r"[ ](?:-u|--user)[ =]?[\"']?(?P<of>[\w.@+-]{1,40}):(?P<s>[^\s\"'@/]{3,64})(?=[\"'\s]|\Z)")
_LIVE = re.compile(r"(?<![\w-])[a-z]{2,8}_(?:live|test|prod|sandbox|staging)_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{6,}(?!\w)")
_OF_NETWORKS = frozenset({"wi", "fi", "ghz"})
_NO_VALUE = frozenset(
    """
    must should can cannot will has have had does did for and or not with from field fields reset too the this that here there your correct wrong same empty blank null none true
    false undefined required protected encrypted hashed expired policy manager
    """.split()  # noqa: SIM905
)
"""What stands behind *password* and is none."""


def find_passwords(text: str) -> Iterable[Finding]:
    """Yield such secrets."""
    if len(text) > _LONGEST:
        return
    for rule in (_SAID, _TYPED, _NETWORK, _PAIR):
        for match in rule.now.finditer(text):
            value = match["s"].rstrip(".!?")
            if _mixed(value) or (rule in (_SAID, _TYPED) and not _said_of(value)):
                yield _secret(match.start("s"), value)
    for match in _RIGHT_BEHIND.now.finditer(text):
        value = match["s"].rstrip(".!?")
        ends = match.end("s") == len(text) or text[match.end("s")] in ".,;!?\n" or value != match["s"]
        if _mixed(value) or (ends and value.islower() and value.isalpha() and _unheard(value)):
            yield _secret(match.start("s"), value)
    for rule in (_PHRASE, _REDEEMED):
        yield from (Finding(*m.span("s"), "SECRET", 0.8) for m in rule.now.finditer(text))
    yield from (_secret(m.start("s"), m["s"]) for m in _ANSWER.now.finditer(text) if m["s"].lower() not in _NO_VALUE)
    for match in _TO_CURL.now.finditer(text) if "-u" in text else ():
        if match["s"] != match["of"]:  # *docker run -u root:root*
            yield _secret(match.start("s"), match["s"])
    for match in _AT_A_DOOR.now.finditer(text):
        yield Finding(*match.span("s" if match["s"] else "t"), "SECRET", 0.8)
    if "_" in text:
        yield from (Finding(*m.span(), "SECRET", 0.9) for m in _LIVE.finditer(text))


def _secret(start: int, value: str) -> Finding:
    return Finding(start, start + len(value), "SECRET", 0.8)


def _parts(value: str) -> list[str]:
    return [part for part in re.findall(r"[^\W\d_]+", value.lower()) if len(part) > 1]


def _mixed(value: str) -> bool:
    """Return whether letters and digits stand in it, or words with hyphens and digits, and it is no word of programs (*SHA-256*, *reset-2024*), no address and no path."""
    if "://" in value or "/" in value or re.fullmatch(r"v?\d[\d.]*\w?", value, re.IGNORECASE):
        return False
    parts = _parts(value)
    return (
        any(map(str.isdigit, value))
        and bool(parts)
        and not all(p in _OF_NETWORKS or p in TECHNOLOGY or p in UI_WORDS for p in parts)
    )


def _said_of(value: str) -> bool:
    """Return whether a word behind *the password is* says how it is, and is none itself."""
    small = value.lower()
    parts = _parts(value)
    return (
        small in _NO_VALUE
        or not parts
        or any(
            p in _NO_VALUE or ordinary(p) or p in UI_WORDS or p in TECHNOLOGY or p in small_words_abroad()
            for p in parts
        )
        or (not english(small) and bool(known(small)))
    )


def _unheard(word: str) -> bool:
    return not (
        english(word) or known(word) or ordinary(word) or word in UI_WORDS or word in TECHNOLOGY or word in _NO_VALUE
    )
