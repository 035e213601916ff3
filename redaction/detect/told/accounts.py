"""User names in many languages: behind *logged in as*, *failed login for*, *opened by*; and those that a form says are taken, with what it offers instead."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...contracts.types import Finding
from ...words.english import english
from ...words.late import Late, said
from ...words.words import TECHNOLOGY, UI_WORDS
from ..judging.foreign import known
from ..judging.telling import heard_by_nobody, of_programs

_LONGEST = 4_000
_SHAPE = r"(?P<s>[a-z0-9](?:[\w.-]{1,30}\w))(?![\w@/]|\.\w|-\w)"
_LOGGED = (
    r"(?:angemeldet|eingeloggt)\s(?:bist\sdu\s)?als|connectée?s?\s(?:en\stant\sque|comme)|identifiée?\s(?:en\stant\sque|comme)|"
    r"(?:conectad[oa]|logad[oa]|autenticad[oa]|identificad[oa]|sesión(?:\siniciada)?|sessão(?:\siniciada)?|entrou)\scomo|"
    r"(?:conness[oa]|collegat[oa]|autenticat[oa]|loggat[oa]|accesso(?:\seffettuato)?)\scome|(?:ingelogd|aangemeld)\sals|"
    r"(?:za)?logowan[oya]\sjako|(?:inloggad|innlogget|logget\sin[dn])\ssom|přihlášen[aáý]?\sjako|prihlásen[ýá]\sako|bejelentkezve(?:\smint|:)|"
    r"(?:autentificat|conectat)ă?\sca|prijavljen[ao]?\skao|kirjautunut(?:\ssisään)?(?:\skäyttäjänä)?|masuk\ssebagai|đăng\snhập\svới\stên|"
    r"вы\s(?:вошли|авторизованы|авторизовались)\sкак|(?:вош[её]л|вошла)\sкак|ви\sувійшли\sяк|συνδεδεμέν(?:ος|η)\sως|تم\sتسجيل\sالدخول\sباسم|(?:已登[录錄]|登[录錄]身份)[为為：:]?|"
    r"(?:re)?authenticated\sas|impersonating|acting\sas\suser"
)
_FAILED = (
    r"(?:failed|invalid|successful|accepted|rejected|denied|unsuccessful)\s(?:log-?in|log-?on|sign-?in|password|publickey|auth(?:entication)?)(?:\sattempt)?\s(?:for|by|from)(?:\s(?:invalid\s)?user)?|"
    r"authentication\s(?:failure|success|error)\s(?:for|of)(?:\suser)?|(?:log-?in|log-?on|sign-?in)\s(?:attempt|failure|failed|error)\s(?:for|by|of)(?:\suser)?|session\s(?:opened|closed)\sfor\suser|"
    r"(?:account|user)\slocked(?:\sout)?(?:\sfor|:)|password\s(?:reset|changed?)(?:\srequested)?\s(?:for|by)(?:\suser)?|invalid\suser|"
    r"(?:fehlgeschlagene\s(?:anmeldung|login)|anmeldung\sfehlgeschlagen)\s(?:für|von)|(?:échec\sde\s(?:la\s)?connexion)\s(?:pour|de)|inicio\sde\ssesión\sfallido\s(?:de|para)|falha\s(?:de|no)\slogin\s(?:de|para)|"
    r"accesso\s(?:fallito|negato)\s(?:per|a|di)|nieudan[ae]\s(?:logowanie|próba\slogowania)(?:\sużytkownika)?|mislukte\s(?:aanmelding|inlogpoging)\s(?:voor|van)|misslyckad\sinloggning\sför"
)
_OPENED = (
    r"(?:aberto|aberta|criad[oa]|enviad[oa]|publicad[oa]|fechad[oa]|revisad[oa]|editad[oa]|comentad[oa]|mesclad[oa]|abiert[oa]|cread[oa]|cerrad[oa]|subid[oa]|fusionad[oa])\spor|"
    r"(?:ouverte?|créée?|fermée?|fusionnée?|publiée?|modifiée?|postée?|relue?)\spar|(?:eröffnet|geöffnet|erstellt|geschlossen|bearbeitet|gemeldet|veröffentlicht|hochgeladen|geprüft)\s(?:von|durch)|"
    r"(?:apert[oa]|creat[oa]|chius[oa]|pubblicat[oa]|modificat[oa]|caricat[oa]|revisionat[oa])\sda|(?:geopend|aangemaakt|gesloten|bewerkt|geplaatst|geüpload|beoordeeld)\sdoor|"
    r"(?:otwart[eya]|utworzon[eya]|zamknięt[eya]|dodan[eya]|edytowan[eya]|opublikowan[eya])\sprzez|(?:öppna[dt]|skapa[dt]|stäng[dt]|redigera[dt]|publicera[dt]|åbnet|åpnet|oprettet|opprettet)\sa[vf]|"
    r"(?:vytvořil|otevřel|upravil|zavřel)a?|(?:открыл|создал|закрыл|изменил|добавил)а?"
)
_AFTER = Late(rf"(?<![\w-])(?:{_LOGGED}|{_FAILED}|{_OPENED})[\s:]{{0,2}}[\"'«„“@]?{_SHAPE}", re.IGNORECASE)
_BEFORE = Late(
    r"(?<![\w@./-])(?P<s>[a-z0-9][\w.-]{1,30}[a-z0-9_])[\"'»”“]?[ ]?(?=olarak\s(?:giriş|oturum)|のアカウント|(?:として|で)ログイン|(?:으로|로)\s(?:로그인|접속)|(?:的)?身份登[录錄]|के\sरूप\sमें\sलॉग|tarafından\s(?:açıl|oluşturul|kapatıl|düzenlen))|"
    r"(?<=以)[ ]?(?P<t>[a-z0-9][\w.-]{1,30}[a-z0-9_])[ ]?(?=(?:的)?身份)",
    re.IGNORECASE | re.ASCII,
)
"""The user name stands first in languages that say it so."""
_NAMED = Late(
    r"\b(?:user\s?names?|user\s?id|handle|nick(?:name)?|login|benutzername|nutzername|nom\sd['’]utilisateur|identifiant|pseudo|nombre\sde\susuario|usuario|nome\sde\susuário|usuário|nome\sutente|gebruikersnaam|"
    r"nazwa\sużytkownika|användarnamn(?:et)?|brugernavn(?:et)?|brukernavn(?:et)?|käyttäjänimi|uživatelské\sjméno|felhasználónév|kullanıcı\sad(?:ı|ım|ınız)|имя\sпользователя|логин)\b|用户名|ユーザー名|사용자\s?이름|아이디",
    re.IGNORECASE,
)
_CALLED = (
    r"(?:user\s?name|user\s?id|screen\s?name|benutzername|nutzername|nom\sd['’]utilisateur|nombre\sde\susuario|nome\sde\susuário|nome\sutente|gebruikersnaam|nazwa\sużytkownika|användarnamn|"
    r"brugernavn|brukernavn|käyttäjänimi|uživatelské\sjméno|felhasználónév|nume\sde\sutilizator|korisničko\sime|kullanıcı\sad(?:ı|ım|ınız)|имя\sпользователя|ім['’]я\sкористувача|όνομα\sχρήστη)"
)
_NEXT = Late(rf"(?<![\w-]){_CALLED}[ ]{{1,2}}(?:(?:is|ist|est|es|är|er|on|is:)[ ])?[\"'«„“]?{_SHAPE}", re.IGNORECASE)
"""*Benutzername ulrike.pahl*: no colon in between."""
_USER = (
    r"benutzer|nutzer|utilisateur|usuario|usuário|utente|gebruiker|użytkownik|användare|bruger|bruker|käyttäjä|uživatel|kullanıcı|"
    r"felhasználó|korisnik"
)
_KEY = Late(
    r"(?<![\w.-])(?:uid|user(?:_?name|_?id)?|uname|usr|login|account|acct|uzytkownik|kullanici|anvandare|uzivatel|utilizator|пользователь|користувач|χρήστης|"
    rf"{_USER})=[\"'«„“]?{_SHAPE}",
    re.IGNORECASE,
)
"""A line of a log: *usuario=hgaldames origen=web*."""
_DOES = Late(
    rf"(?<![\w.-])(?:{_USER}|użytkownika|användaren|brugeren|brukeren|uživatele|utilizatorul|konto|compte|cuenta|conta)"
    rf"[ ][\"'«„“]?{_SHAPE}[\"'»”“]?[ ](?=(?:no|ha|fue|está|nicht|hat|ist|wurde|gesperrt|gelöscht|unbekannt|a|est|introuvable|inconnu|n['’]\w+|è|non|is|heeft|niet|został|nie|jest|finns|har|är|saiu|não|foi|silindi|bulunamadı|eklendi|er|ei|on|byl|není)\b)",
    re.IGNORECASE,
)
"""*Benutzer uhollenberg gesperrt*, *el usuario jpalomares no existe*."""
_NO_VALUES = frozenset(
    {"true", "false", "null", "none", "yes", "undefined", "unknown", "success", "failed", "required"}
)
_FOLLOWS = Late(
    r"(?:\A|(?<=[\n•|]))[ ]?@?(?P<s>(?=[\w.]*[a-z])\w[\w.]{2,28}\w)[ ](?=(?:has[ ])?(?:started|began)[ ]following[ ]|(?:is[ ]now[ ])?follow(?:s|ed|ing)[ ]you\b|(?:liked|shared|reposted|mentioned|tagged|poked|blocked|messaged|invited)[ ](?:you|your|a|the)\b|"
    r"(?:replied|reacted|responded)[ ]to[ ]|commented[ ]on[ ]|(?:requested|wants|asked)[ ]to[ ](?:follow|join)\b|(?:has[ ])?(?:joined|left|entered|parted)[ ](?:the[ ]|your[ ]|#)|sent[ ]you[ ]|is[ ](?:typing|online|live)\b|"
    r"(?:comenzó|empezó|ha[ ]empezado|ha[ ]comenzado)[ ]a[ ]seguirte|te[ ](?:sigue|siguió|ha[ ]seguido|mencionó|etiquetó|ha[ ]mencionado)\b|(?:a[ ]commencé[ ]à|commence[ ]à)[ ]vous[ ]suivre|vous[ ](?:suit|a[ ]mentionné)|a[ ](?:aimé|commenté|partagé|mentionné)[ ]|"
    r"folgt[ ]dir\b|gefällt[ ](?:dein|das)|hat[ ](?:dich|deinen|dein|deine)[ ]|ha[ ](?:iniziato[ ]a[ ]seguirti|messo[ ]mi[ ]piace|commentato|condiviso)|(?:começou|passou)[ ]a[ ](?:te[ ])?seguir|(?:curtiu|comentou|compartilhou|mencionou)[ ]|"
    r"volgt[ ]je\b|vindt[ ]je[ ]|(?:zaczął|zaczęła)[ ]Cię[ ]obserwować|obserwuje[ ]|polubił|följer[ ]dig|(?:började|har[ ]börjat)[ ]följa[ ]|gillar[ ]|følger[ ]deg|følger[ ]dig|(?:seni|sizi)[ ]takip[ ]et|(?:gönderini|yorumunu)[ ]beğendi|"
    r"(?:подписал(?:ся|ась)[ ]на|начал[аи]?[ ]читать|оценил[аи]?|ответил[аи]?|упомянул[аи]?)|mulai[ ]mengikuti|menyukai[ ]|đã[ ](?:theo[ ]dõi|thích)|さんが(?:フォロー|いいね)|关注了|赞了)",
    re.IGNORECASE,
)
"""Whose doing a notification tells: *el_tejon_azul comenzó a seguirte*."""
_TAKEN = Late(
    r"\b(?:taken|already\s(?:exists|in\suse)|in\suse|unavailable|not\savailable|vergeben|belegt|existiert\sbereits|déjà\s(?:pris|utilisé|existe)e?|(?:ya|já)\s(?:existe|está\sen\suso|está\sem\suso)|en\suso|em\suso|"
    r"già\s(?:in\suso|preso|esiste)|esiste\sgià|bezet|al\sin\sgebruik|bestaat\sal|zajęt[ay]|upptaget|optaget|opptatt|varattu|obsazen[oé]?|foglalt|alınmış|kullanılıyor|занят[оа]?|уже\sсуществует)\b|已被|已存在|使用されて|사용\s?중",
    re.IGNORECASE,
)
_HANDLE = re.compile(
    r"(?<![\w@./-])(?=[a-z.-]*[a-z])(?=[\w.-]*[\d_.])[a-z][\w.-]{2,30}[\w](?![\w@/]|[.-]\w)", re.IGNORECASE
)
_FILE = re.compile(r".*\.(?:py|js|ts|css|html?|json|ya?ml|toml|md|txt|csv|png|jpe?g|svg|pdf|zip|exe|sh|com|org|net|io|dev|de|fr|app|log)\Z|v?\d[\d.]*\Z|(?:e|i)\.[eg]\Z|\d+(?:st|nd|rd|th|px|am|pm)\Z", re.IGNORECASE)  # fmt: skip
_SAYS = re.compile(
    r"(?:\A|(?<=[.!?\n][ ])|(?<=\n))(?P<s>[a-z]{5,20}\d{2,4})(?=,?[ ](?:is|was|has|had|said|says|wrote|writes|posted|replied|thinks|asked|mentioned|recommended|already|nailed|knows)[ ])"
)
"""A user name with a number that says something in a thread: it is no name of a program, and its letters no word."""


def find_accounts(text: str) -> Iterable[Finding]:
    """Yield such user names."""
    if len(text) > _LONGEST:
        return
    for match in (*_AFTER.now.finditer(text), *_DOES.now.finditer(text)):
        if is_account(match["s"]):
            yield Finding(*match.span("s"), "USERNAME", 0.7)
    for match in _KEY.now.finditer(text) if "=" in text else ():
        if is_account(match["s"]) and match["s"].lower() not in _NO_VALUES:
            yield Finding(*match.span("s"), "USERNAME", 0.7)
    for match in _BEFORE.now.finditer(text):
        start, end = said(match)
        if is_account(text[start:end]):
            yield Finding(start, end, "USERNAME", 0.7)
    for match in (*_NEXT.now.finditer(text), *_FOLLOWS.now.finditer(text)):
        if is_account(match["s"]) and (
            match.re is _NEXT.now or re.search(r"[\d_.]", match["s"]) or match["s"].islower()
        ):
            yield Finding(*match.span("s"), "USERNAME", 0.7)
    if _NAMED.now.search(text) or "handle" in text.lower():
        taken = _TAKEN.now.search(text)
        for match in _HANDLE.finditer(text) if taken else ():
            if is_account(match[0]):
                yield Finding(*match.span(), "USERNAME", 0.7)
    for match in _SAYS.finditer(text):
        if heard_by_nobody(match["s"].rstrip("0123456789")):
            yield Finding(*match.span("s"), "USERNAME", 0.6)


def is_account(name: str) -> bool:
    """Return whether a word is written as a user name is, and no word of a program or of a sentence."""
    if _FILE.match(name) or not any(map(str.isalpha, name)):
        return False
    parts = [p for p in re.split(r"[\W_\d]+", name.lower()) if p]
    if name.isalpha():
        return name.islower() and len(name) > 3 and heard_by_nobody(name)
    if all(p in TECHNOLOGY or p in UI_WORDS or of_programs(p) for p in parts if len(p) > 1) and any(
        len(p) > 1 for p in parts
    ):
        return False
    return not ("-" in name and not re.search(r"[\d._]", name) and all(english(p) or known(p) for p in parts))
