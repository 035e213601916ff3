"""Passwords and codes as people say them (*the guest password is marmalade*, *lösenordet är Blabar77*, *door 7719#*, *typed Quartz-88 into the password field*), behind what they
are for (*Heslo k Wi-Fi v chatě: tri-sovy-19*), and tokens in prose (*revoke tok_90cd17ab*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..contracts.types import Finding
from ..words.english import english, ordinary
from ..words.late import Late, said
from ..words.words import TECHNOLOGY, UI_WORDS, small_words_abroad
from .judging.foreign import known
from .secret_rules import PASSWORD_WORDS

_LONGEST = 4_000
_WORDS = rf"(?:{PASSWORD_WORDS}|\b(?:pass\s?(?:word|phrase|code)|passwd|pw|pwd|psw|kod\s?pin))"
_OPEN = r"[\"'`«„“]?"
_IS = r"ist|lautet|est|es|é|è|jest|är|er|to|je|on"
_VALUE = r"(?P<s>[^\s\"'`,;:<>{}()»”]{4,64})"
_OF = r"(?:[^\S\n](?:del|dell['’]|della|de|de\sla|du|d['’]|di|do|da|of|for|to|zum|zur|für|fürs|vom|van|voor|till|til|dla|na)[^\S\n]?[\w-]{2,20}){0,2}"
_SAID = Late(
    rf"{_WORDS}\w{{0,3}}{_OF}[^\S\n](?:is|was|war|était|era|var|este|{_IS}|:)[^\S\n]{{1,2}}{_OPEN}{_VALUE}",
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
            value = _without_end(match)
            if _mixed(value) or (rule in (_SAID, _TYPED) and not _said_of(value)):
                yield _secret(match, value)
    for match in _RIGHT_BEHIND.now.finditer(text):
        value = _without_end(match)
        ends = match.end("s") == len(text) or text[match.end("s")] in ".,;!?\n" or value != match["s"]
        if _mixed(value) or (ends and value.islower() and value.isalpha() and _unheard(value)):
            yield _secret(match, value)
    for rule in (_PHRASE, _REDEEMED):
        yield from (_secret(m, m["s"]) for m in rule.now.finditer(text))
    yield from (_secret(m, m["s"]) for m in _ANSWER.now.finditer(text) if m["s"].lower() not in _NO_VALUE)
    for match in _TO_CURL.now.finditer(text) if "-u" in text else ():
        if match["s"] != match["of"]:  # *docker run -u root:root*
            yield _secret(match, match["s"])
    yield from (Finding(*said(m), "SECRET", 0.8) for m in _AT_A_DOOR.now.finditer(text))
    if "_" in text:
        yield from (Finding(*m.span(), "SECRET", 0.9) for m in _LIVE.finditer(text))
    if "-" in text:
        yield from _linked(text)


def _linked(text: str) -> Iterable[Finding]:
    """Yield words with a number behind them, in a text that speaks of a password or of a code."""
    sure = _SPOKEN_OF.now.search(text) is not None
    if sure or _CODE.search(text):
        for match in _LINKED.finditer(text):
            if sure or not any(w in UI_WORDS or w in TECHNOLOGY for w in match["s"].split("-")):
                yield _secret(match, match["s"])


_LINKED = re.compile(r"(?<![\w./@-])(?P<s>[a-z]{3,12}(?:-[a-z]{3,12}){1,4}-\d{1,4})(?![\w/-]|\.\w)")
"""Words with a number behind them, as programs make a password that can be read out."""
_SPOKEN_OF = Late(rf"{PASSWORD_WORDS}|\b(?:wi-?fi|wlan|passphrase)\b", re.IGNORECASE)
_CODE = re.compile(r"\b(?:code|código|codice|kod|kode|koodi|kód)\b", re.IGNORECASE)
"""What an error has as well: *error code no-such-file-404*."""


def _without_end(match: re.Match[str]) -> str:
    return match["s"].rstrip(".!?")


def _secret(match: re.Match[str], value: str) -> Finding:
    start = match.start("s")
    return Finding(start, start + len(value), "SECRET", 0.8)


def _of_programs(word: str) -> bool:
    return word in TECHNOLOGY or word in UI_WORDS


def _parts(value: str) -> list[str]:
    return [part for part in re.findall(r"[^\W\d_]+", value.lower()) if len(part) > 1]


def _mixed(value: str) -> bool:
    """Return whether letters and digits stand in it, or words with hyphens and digits, and it is no word of programs (*SHA-256*, *reset-2024*), no address and no path."""
    if "://" in value or "/" in value or re.fullmatch(r"v?\d[\d.]*\w?|802\.11\w{2,3}", value, re.IGNORECASE):
        return False
    parts = _parts(value)
    return any(map(str.isdigit, value)) and bool(parts) and not all(p in _OF_NETWORKS or _of_programs(p) for p in parts)


def _said_of(value: str) -> bool:
    """Return whether a word behind *the password is* says how it is, and is none itself."""
    small = value.lower()
    parts = _parts(value)
    return (
        small in _NO_VALUE
        or not parts
        or any(p in _NO_VALUE or ordinary(p) or _of_programs(p) or p in small_words_abroad() for p in parts)
        or (not english(small) and bool(known(small)))
    )


def _unheard(word: str) -> bool:
    return not (english(word) or known(word) or ordinary(word) or _of_programs(word) or word in _NO_VALUE)


# -- behind what they are for, and tokens in prose --------------------

_FAR = Late(
    rf"(?:{PASSWORD_WORDS}|\b(?:code\s?word|pass\s?word|pass\s?phrase|pass\s?code|codewort|losungswort|mot\sde\scode|palabra\sclave|codeord|tunnussana|jelige))(?![^\W\d_])[^\n:=.!?]{{1,40}}[^\S\n]?[:：][^\S\n]?{_OPEN}"
    r"(?P<s>(?=[^\s\"'`]*[^\W\d_])(?=[^\s\"'`]*[\d_!@#$&*+]|[^\s\"'`]*[^\W\d_][-.][^\W\d_])[^\s\"'`,;&<>{}%()»”]{5,64})",
    re.IGNORECASE,
)
_NEAR = Late(
    rf"(?:{PASSWORD_WORDS}|\b(?:pass\s?word|pass\s?phrase|pass\s?code))[^\S\n](?:(?:is|was|{_IS})[^\S\n])?{_OPEN}"
    r"(?P<s>(?=[^\s\"'`]*[^\W\d_])(?=[^\s\"'`]*\d)(?=[^\s\"'`]*[!#$@&*+=^~_?%])[^\s\"'`,;<>{}()»”]{6,64})",
    re.IGNORECASE,
)
"""Without a colon: *mein Kennwort Regenbogen!71*. A letter, a digit and a sign tell it from a word."""
_SHORT = Late(
    rf"(?:{PASSWORD_WORDS})[^\S\n](?:(?:is|{_IS})[^\S\n])?{_OPEN}(?P<s>(?=[^\s\"'`]*[^\W\d_]{{3}})(?=[^\s\"'`]*[-.]\d)(?=[^\s\"'`]*[a-zß-ÿ])[^\W\d_][^\s\"'`,;:/<>{{}}()»”]{{5,64}})",
    re.IGNORECASE,
)
"""A dot or a hyphen before the digits, where another language's word stands right before: *şifre Ceviz.77dal*."""
_ASKED = Late(
    rf"{PASSWORD_WORDS}|\b(?:pass\s?(?:words?|phrases?|codes?)|pw|pwd|psw|passwd|credentials?|logins?)\b", re.IGNORECASE
)
_MIXED = re.compile(
    r"(?<![^\s\"'`«„“(=:,])(?=[^\s\"'`]{0,60}?[^\W\d_]{3})(?=[^\s\"'`]{0,60}?\d)(?=[^\s\"'`]{0,60}?[\w][!#$@*+^~?%][\w])(?![^\s]*(?:://|@[\w-]+\.|\.\w{2,4}\?))"
    r"(?P<s>[^\W\d_][^\s\"'`,;<>{}()»”/=&]{5,40}\w)(?=[\"'`»”)]|[.,;:!?]?(?:\s|\Z))"
)
"""Letters, digits and a sign within one word, where a text speaks of passwords at all: *The caller gave us "Tram!route-19b"*."""
_TOKEN = re.compile(
    r"(?<![\w.-])(?:tok|token|sess|session|secret|pat|apikey|auth|rt|sid|refresh|access|bearer|api|key|cred|inv|invite)_(?=[a-z0-9]{7,64}(?![\w-]))(?=(?:[a-z]*\d){2})(?=(?:\d*[a-z]){2})(?=[a-z]*\d+[a-z]+\d|\d+[a-z]+\d+[a-z])[a-z0-9]+",
    re.IGNORECASE,
)


def _spelled_by_programs(word: str) -> bool:
    """Return whether all letters of it are of programs and their interfaces: *senha reset-2024*, *Passwort SHA-256*."""
    parts = re.findall(r"[^\W\d_]+", word.lower())
    return word.isupper() or all(map(_of_programs, parts))


def _has_cases(word: str) -> bool:
    """Return whether a letter of it has two forms: what has none there is a sentence of a script without spaces, *密码长度8~20位*."""
    return word.lower() != word.upper()


def find_passes(text: str) -> Iterable[Finding]:
    """Yield such secrets."""
    if len(text) > 5_000:
        return
    if ":" in text or "：" in text:
        yield from (_secret(m, _without_end(m)) for m in _FAR.now.finditer(text))
    if any(map(str.isdigit, text)):
        yield from (_secret(m, _without_end(m)) for m in _NEAR.now.finditer(text))
        yield from (_secret(m, m["s"]) for m in _SHORT.now.finditer(text) if not _spelled_by_programs(m["s"]))
        if (mixed := _MIXED.search(text)) and _ASKED.now.search(text):
            yield from (_secret(m, m["s"]) for m in _MIXED.finditer(text, mixed.start()) if _has_cases(m["s"]))
    if "_" in text:
        yield from (Finding(*m.span(), "SECRET", 0.9) for m in _TOKEN.finditer(text))
