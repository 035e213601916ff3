"""User names by their shape, where a few words of any language or a name within them speak for it: *konto gosia_zabek*, *<damo_wa> who broke main*."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.late import Late
from ...words.script_lists import OTHER_LETTERS
from ...words.words import TECHNOLOGY, UI_WORDS, given_names
from ..judging.foreign import unheard
from ..judging.telling import heard_by_nobody
from .accounts import is_account

_LONGEST = 4_000
_USERS = (
    r"user(?:\s?name|\s?id)?|account|handle|login|nick(?:name)?|member|(?:screen|display)\s?name|profile|benutzer(?:name[ns]?|kennung|konto)?|nutzer(?:name[ns]?|konto)?|konto|kontos|login|anmeldename|profil|"
    r"utilisat(?:eur|rice)|identifiant|pseudo(?:nyme)?|compte|profil|usuari[oa]|cuenta|perfil|alias|apodo|utente|account|profilo|nome\sutente|usuário|utilizador|conta|gebruiker(?:snaam)?|account|użytkowni(?:k|ka|kiem|kowi)|konta|kontem|loginu|profilu|"
    r"användar(?:e|en|namn|namnet)|kontot|bru(?:ker|ger)(?:en|navn|navnet)?|kontoen|käyttäj(?:ä|än|ätunnus|ätili)|tili|tunnus|uživatel(?:e|ské\sjméno)?|účet|účtu|používateľ(?:a)?|felhasználó(?:név)?|fiók|utilizator(?:ul|ului)?|cont(?:ul|ului)?|"
    r"korisni(?:k|ka|čko\sime)|račun|nalog|kullanıcı(?:\sad(?:ı|ım|ınız))?|hesap|hesabı|пользовател(?:ь|я|ю|ем)|аккаунт(?:а|у|ом)?|логин(?:ом)?|учётн(?:ая|ой)\sзапис[ьи]|никнейм|ник|користувач(?:а|у|ем)?|обліков(?:ий|ого)\sзапис(?:у)?|потребител(?:я)?|χρήστης?|λογαριασμός|λογαριασμό"
)
_SHAPED = r"(?P<s>(?-i:[A-Za-z0-9])(?=[\w.-]*[_.\d])(?-i:[A-Za-z0-9_.-]{2,30}[A-Za-z0-9_]))(?![\w@/…]|[.-]\w)"
_SHAPE = re.compile(r"[_.\d]")
_LINKS = r"(?:is|was|named|called|ist|lautet|heißt|läuft\s(?:unter|auf)|unter|namens|est|s['’]appelle|nommée?|es|se\sllama|llamad[oa]|è|si\schiama|di|é|chama-se|do|da|de|del|van|heet|is|to|ma\snazwę|o\snazwie|o\sloginie|är|heter|er|hedder|on|je|se\sjmenuje|neve|este|je|adı|с\sником|под\sником|по\sимени)"
_CALLED = Late(
    rf"(?<![\w-])(?:{_USERS})(?![^\W_])\.?[ ]?[:=–—-]?[ ]{{0,2}}(?:{_LINKS}[ ])?[\"'«„“‘`@]?{_SHAPED}", re.IGNORECASE
)
_PLAIN = Late(
    r"(?<![\w-])(?:user(?:\s?name|\s?id)?|handle(?=[ ]?[:=])|login|nick(?:name)?|benutzer(?:name)?|nutzername|utilisat(?:eur|rice)|identifiant|pseudo|usuari[oa]|utente|usuário|utilizador|gebruiker(?:snaam)?)[ ]?[:=]?[ ]"
    rf"(?:{_LINKS}[ ])?[\"'«„“‘`@]?(?P<s>(?-i:[a-z]{{5,20}}))(?=[\"'»”’`]?(?:[.,;:!?)\]]|\Z|\n|[ ][–—(-]))",
    re.IGNORECASE,
)
"""Of letters alone, where the sentence ends or pauses behind it."""
_DOING = re.compile(r"(?:ing|tion|ment)\Z")
_OF_MACHINES = re.compile(r"(?:id|at|file|fs|map|job|d|ctl)\Z")
"""How fields of databases, files and services end: *userid*, *logrotated*."""
"""What is done with users: *user onboarding*."""
_OF_SOMEBODY = Late(
    rf"(?<![\w@./-]){_SHAPED}[\"'»”]?(?=[ ](?:hesab[ıi]\w*|kullanıcı\w*|adlı\s(?:kullanıcı|hesap)\w*|nevű\s(?:felhasználó|fiók)\w*|felhasználó\w*|fiók\w*|-?(?:käyttäjä|tili)\w*|さん|님|account\b|konto\b|profile?\b|(?:\(?the\s)?user\b))",
    re.IGNORECASE,
)
_NICK = re.compile(r"(?:\A|\n|(?<=\] )|(?<=\d\d ))<[@+%~&]?(?P<s>[A-Za-z_\[\]\\`^{}|][\w\[\]\\`^{}|-]{2,20})>(?= \S)")
"""Who says something in a chat of the old kind."""
_KEY_OF_AUTHORS = Late(
    r"\\?[\"'](?:user(?:_?name|_?id)?|login|nick(?:name)?|handle|author|reporter|assignee|owner|creator|sender|posted_?by|autor[ae]?|auteur|melder|verfasser|absender|usuari[oa]|utente|uzytkownik|użytkownik|gebruiker|utilisateur|pseudo|kullanici|användare|"
    r"anvandare|bruker|bruger|cliente?|kunde|klant|klient|rep|agent|member|from|by)\\?[\"'][ ]?:[ ]?\\?[\"'](?P<s>(?=[\w.-]*[_.\d])(?=[\w.-]*[a-z])[a-z0-9][\w.-]{2,30})\\?[\"']",
    re.IGNORECASE,
)
"""A key of JSON that says who: *{"melder": "frau_holle_88"}*."""
_FOR = Late(
    r"\b(?:password|passwort|kennwort|zugang|mot\sde\spasse|contraseña|senha|palavra-passe|wachtwoord|hasł[oa]|lösenordet?|adgangskoden|passordet|şifre(?:si)?|heslo|jelszó|parola|пароль|access|login|2fa|mfa|otp)(?:[ ][^\s,;:]+){0,5}?[ ]"
    rf"(?:for|of|für|von|pour|de|para|per|di|do|voor|van|dla|för|til|pro|для|from)[ ][\"'«„“]?{_SHAPED}",
    re.IGNORECASE,
)
"""Whose password it is."""
_CREDIT = Late(rf"(?:\A|[\"”»“'’.!?\n])[ ]?(?:[—–]|--?)[ ]{_SHAPED}(?=[,;]|[ ]?[(·|\n]|[ ]?\Z)", re.IGNORECASE)
"""Behind what somebody said: *"…" — tunde_lagoon, Ibadan*."""
_SERVED_TO = re.compile(
    r"(?:^|(?<=\n))\S{3,60} \S{1,40} (?P<s>[A-Za-z][\w.@-]{1,40}) \[\d{1,2}/[A-Z][a-z]{2}/\d{4}:\d\d:"
)
"""Who asked a server for a page, in its log."""
_LOGGED = re.compile(r"\A[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\A[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d ")
_IN_LOG = Late(
    r"(?<![\w-])(?:(?:changed|granted|revoked|invited|created|approved|rejected|requested|reset|removed|added|updated|deleted|assigned|locked|unlocked|disabled|enabled|uploaded|downloaded|signed)[ ]by|(?:roles?|permissions?|password|rights|account|profile)[ ](?:of|for)|user|owner|actor|invited|banned)[ ](?P<s>(?-i:[a-z]{5,20}))(?=[ ,.;:)]|\Z)",
    re.IGNORECASE,
)
"""Whom a line of a log names by letters alone: *changed role of amcnab from viewer to editor*."""
_TAG = re.compile(r"</|/>|<[a-z]+ [a-z-]+=", re.IGNORECASE)
_SNAKE = re.compile(
    r"(?<![\w@./:#$%&=+{<>\\-])(?P<s>[a-z][a-z0-9]*(?:[_][a-z0-9]+)+|[a-z]{3,}\.[a-z]{1,}\d{0,4})(?![\w@/(\[{}:=]|[.-]\w|\s?[=(])"
)
_NUMBERED = re.compile(r"[a-z]{4,}\d{2,4}|\d{2,4}", re.IGNORECASE)
_ENDS = frozenset(["com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "app", "dev", "test", "local", "example", "internal", "lan", "txt", "pdf", "png", "jpg", "jpeg", "gif", "svg", "csv", "tsv", "xls", "xlsx", "doc", "docx", "ppt", "pptx", "zip", "tar", "log", "ini", "conf", "cfg", "json", "yaml", "yml", "toml", "xml", "html", "htm", "css", "scss", "mjs", "cjs", "jsx", "tsx", "vue", "php", "java", "class", "jar", "exe", "dll", "bat", "sql", "bak", "tmp", "lock", "map", "min", "mp3", "mp4", "wav", "mov", "avi", "webm", "webp", "ico", "eot", "ttf", "otf", "woff", "key", "pem", "crt", "cer", "ics", "eml", "msg", "epub", "iso", "img", "deb", "rpm", "apk", "ipa", "dmg", "pkg", "md", "py", "js", "ts", "rb", "go", "rs", "sh", "db", "io", "co", "uk", "de", "fr", "es", "it", "nl", "pl", "pt", "br", "se", "no", "dk", "fi", "ie", "at", "ch", "be", "eu", "us", "ca", "au", "nz", "in", "za", "tr", "gr", "ru", "ua", "cz", "sk", "hu", "ro", "hr", "jp", "kr", "cn", "tw", "me", "tv", "ai", "name", "id", "value", "length", "type", "target"])  # fmt: skip
"""What stands behind the dot of a domain, a file or a property."""


def find_handles(text: str) -> Iterable[Finding]:
    """Yield such user names."""
    if len(text) > _LONGEST:
        return
    shaped = "_" in text or "." in text or any(map(str.isdigit, text))
    for rule in (_CALLED, _OF_SOMEBODY, _KEY_OF_AUTHORS, _FOR, _CREDIT) if shaped else ():
        for match in rule.now.finditer(text):
            if _SHAPE.search(match["s"]) and is_account(match["s"]):
                yield Finding(*match.span("s"), "USERNAME", 0.7)
    for match in _PLAIN.now.finditer(text):
        if heard_by_nobody(match["s"]) and not _DOING.search(match["s"]):
            yield Finding(*match.span("s"), "USERNAME", 0.6)
    yield from (Finding(*m.span("s"), "USERNAME", 0.8) for m in _SERVED_TO.finditer(text) if "/" in text)
    for match in _IN_LOG.now.finditer(text) if _LOGGED.match(text) else ():
        if heard_by_nobody(match["s"]) and not _DOING.search(match["s"]) and not _OF_MACHINES.search(match["s"]):
            yield Finding(*match.span("s"), "USERNAME", 0.6)
    for match in _NICK.finditer(text) if "<" in text and not _TAG.search(text) else ():
        if not english(match["s"]) and match["s"].lower() not in UI_WORDS:
            yield Finding(*match.span("s"), "USERNAME", 0.7)
    among_others = not text.isascii() and OTHER_LETTERS.search(text) is not None
    for match in _SNAKE.finditer(text) if "_" in text or "." in text else ():
        if _somebody_s(match["s"]) or (among_others and _of_no_program(match["s"])):
            yield Finding(*match.span("s"), "USERNAME", 0.6)


def _of_no_program(name: str) -> bool:
    """Return whether two words or more are joined and one of them is of no list: in a text of another script few but user names are written so."""
    parts = [part for part in re.split(r"[_\d]+", name) if part]
    return (
        "." not in name
        and any(len(p) > 2 and heard_by_nobody(p) for p in parts)
        and not any(p in TECHNOLOGY for p in parts)
    )


def _somebody_s(name: str) -> bool:
    """Return whether a name is within such a word, and no property or file: of *mateusz.hv* the first half, of *okan_sarp06* too."""
    parts = [part for part in re.split(r"[_.\d]+", name) if part]
    if "." in name and (parts[-1] in _ENDS or len(parts) < 2 or parts[0] not in given_names()):
        return False
    if any(part in TECHNOLOGY or part in UI_WORDS for part in parts) or (len(parts[-1]) == 1 and not unheard(parts[0])):
        return False
    named = any(len(p) > 3 and p in given_names() and unheard(p) for p in parts)
    return named or (
        _NUMBERED.search(name) is not None and "_" in name and any(len(p) > 4 and heard_by_nobody(p) for p in parts)
    )
