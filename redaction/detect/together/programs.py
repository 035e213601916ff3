"""Names of programs, learned from the texts that are given together: ``Quit Tangram``, ``Tangram-Einstellungen``, ``À propos de Tangram``.

One text says too little: *Tangram* alone may be anybody. In the texts of one interface the name stands again and again, and some of them have a frame in which
only programs stand. A name that a text introduces as a person's, or that people are given, is none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from ...contracts.types import Finding
from ...words.words import common_words, given_names
from ..judging.foreign import known

_VERSION = r"v?\d+(?:\.\d+|\.x)*\b"
_ENDS = r"\s*(?:[.!?:,;…)\"'»”\n]|\Z)"
_BEGINS = r"(?:\A|[\"'“«(>\n]\s*)"

_BEFORE_SURE = re.compile(
    rf"\b(?:[Qq]uit|[Ee]xit|[Rr]elaunch|[Uu]ninstall|[Rr]einstall)(?: from)? \Z"
    rf"|\b(?:[Vv]ersión?|[Vv]ersione|[Vv]ersie|[Rr]elease|[Vv]ersão) (?:{_VERSION} )?(?:of|de|von|van|di|do|da) \Z"
    r"|\b(?:[Pp]owered by|[Pp]ropulsé par|[Mm]ade with|[Bb]uilt with|[Gg]enerated (?:by|with)) \Z"
    r"|\b(?:Quitter|Désinstaller|Réinstaller|[Ss]alir de|[Dd]esinstalar|[Ee]sci da|[Dd]isinstalla|[Ss]air d[oae]) \Z"
    r"|(?:О программе|О приложении|关于|退出|欢迎使用|启动) ?\Z"
)
_AFTER_SURE = re.compile(
    rf",? (?:[Vv]ersión|[Vv]ersione?|[Vv]ersie|[Vv]ersão|[Vv]ersion|[Rr]elease) (?:{_VERSION}|%|\{{|\$|<)"
    rf"| v?\d+\.\d+(?:\.\d+)*{_ENDS}"
    r"| (?:is|was) (?:already |not |currently )?(?:running|installed|up to date|out of date)\b"
    r"| (?:daemon|plug-?ins?|add-?ons?|API|CLI|SDK|IDE|protocol|command line|keyboard shortcuts|user (?:guide|manual)|Preferences|release notes|extensions?)\b"
    r"| (?:beenden|neu starten|deinstallieren|installieren|aktualisieren|afsluiten|herstarten|installeren)\b"
    r"| (?:läuft|ist) (?:bereits|schon|nicht) (?:gestartet|installiert|aktiv)?\b"
    r"| ?(?:を終了|の設定|へようこそ|を起動|设置|首选项|服务器)"
)
"""What stands before and after the name of a program alone."""
_BEFORE_LIKELY = re.compile(
    rf"{_BEGINS}(?:About|Start|Restart|Launch|Run|Open|Install|Update|Upgrade|Close|Minimi[sz]e|Hide|Show|Use|Using|Try|Configure|Set up|What's new in|New in|Über|Info über|Over) \Z"
    r"|\b(?:[Ww]elcome to|[Ss]ign (?:in|up|out) (?:to|of|for|from)|[Ll]og (?:in|out|on) (?:to|of|from)|[Uu]pgrade to|[Ee]xport to|[Ii]mport(?:ed)? from|[Ss]hare (?:on|via)|[Uu]pload to|[Rr]estart|[Ll]aunch|[Uu]pgrade) \Z"
    r"|(?:À [Pp]ropos|[Pp]références|[Pp]aramètres|[Oo]ptions) (?:de |d['’])\Z|(?:Bienvenue|Connexion|Connectez-vous|Se connecter) (?:sur|dans|à) \Z"
    r"|(?:Acerca de|Preferencias de|Opciones de|Configuración de|Ajustes de|Ayuda de|Cerrar|Iniciar|Reiniciar|Instalar|Bienvenid[oa]s? a) \Z"
    r"|(?:Informazioni su|Preferenze di|Impostazioni di|Opzioni di|Avvia|Riavvia|Chiudi|Installa|Benvenut[oi] (?:in|su)) \Z"
    r"|(?:Sobre o|Preferências d[oae]|Configurações d[oae]|Opções d[oae]|Iniciar o|Reiniciar o|Fechar o|Instalar o|Bem[- ]vindo ao) \Z"
    r"|(?:Willkommen (?:bei|in|zu)|Welkom (?:bij|in)|Voorkeuren van|Instellingen van) \Z"
    r"|(?:Добро пожаловать в|Параметры|Настройки|Выйти из|Закрыть|安装|打开) ?\Z"
)
_AFTER_LIKELY = re.compile(
    r" (?:server|client|project|files?|format|window|session|desktop|app|application|database|engine|service|documentation|website|home ?page|forum|wiki"
    r"|settings|options|version|theme|repository|cloud|workspace|editor|viewer|player|browser|module|library|package|driver|instance|URL|host)\b"
    r"| (?:could not|cannot|can't|does not|doesn't|requires|needs|must|supports|uses|allows|lets|comes with|will) [a-z]"
    r"| (?:starten|öffnen|openen|schließen|minimieren|verwenden)\b"
    r"| ?(?:について|版本)"
)
"""What stands beside a program mostly: two different frames, or two texts with one, say so."""
_JOINED = re.compile(r"-(?P<what>[^\W\d_]{4,})")
_NO_PART = re.compile(r"stra(?:ß|ss)e|platz|allee|gasse|weg|ufer|haus|familie|stiftung|schule|straat|plein|laan|weg")
"""What a person's or a place's name is joined with: ``Ostermann-Allee``."""
_BEFORE_PERSON = re.compile(
    r"(?i:\b(?:mr|mrs|ms|mx|dr|prof|herrn?|frau|mme|mlle|monsieur|madame|sra?|srta|señora?|don|doña|sig|signora?|senhora?|mevrouw|meneer|dhr|mevr)\.? \Z)"
    r"|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Tt]hanks|[Tt]hank you|[Hh]allo|[Ll]iebe[r]?|[Bb]onjour|[Cc]her|[Cc]hère|[Hh]ola|[Cc]iao|[Oo]lá|[Bb]este),? \Z"
    r"|\b(?:[Aa]ssigned|[Aa]ssign|[Rr]eply|[Rr]eplied|[Mm]ention|[Aa]sk|[Cc]all|[Ii]nvite|[Rr]emind|[Tt]ell|[Mm]eet|[Ff]ollow) (?:to |by )?\Z"
    r"|\b(?:written|posted|reviewed|approved|signed|composed|painted|photographed|drawn|developed|translated|authored|[Cc]opyright (?:\(c\)|©)? ?\d{4}) (?:by )?\Z"
)
_AFTER_PERSON = re.compile(
    r" (?:says|said|wrote|writes|replied|commented|joined|left|invited|mentioned|asked|thinks|likes|lives|works at|was born|died|told|hat geschrieben|schrieb|a écrit|escribió|ha scritto)\b"
    r"|['’]s (?:files?|account|profile|inbox|phone|birthday|comments?|team|desk|house|mother|father|wife|husband|e-?mail|address|orders?)\b"
    r"|,? (?:aged?|\(?\d\d years old|born)\b| ?<[\w.+-]+@"
)
"""What says that somebody is a person."""
_LONGEST = 600
"""Characters of a text up to which it may be one of an interface."""
_NEAR = 40
_LEAST = 3
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_ENOUGH = 2
NAMED = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})


def without_programs(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return what was found in each of the texts without what is the name of a program by the others."""
    asked = {
        w.lower()
        for text, found in zip(texts, findings, strict=True)
        for f in found
        if f.entity in NAMED
        for w in _WORD.findall(text[f.start : f.end])
        if len(w) >= _LEAST and w.lower() not in common_words() and w.lower() not in given_names()
    }
    names = named_programs(texts, asked)
    if not names:
        return list(findings)
    return [
        [f for f in found if f.entity not in NAMED or not _is_program(text[f.start : f.end], names)]
        for text, found in zip(texts, findings, strict=True)
    ]


def named_programs(texts: Iterable[str], asked: set[str]) -> set[str]:
    """Return those of some words, in lower case, that the texts have as names of programs."""
    weight: dict[str, int] = defaultdict(int)
    people: set[str] = set()
    for text in dict.fromkeys(texts) if asked else ():
        if len(text) > _LONGEST:
            continue
        here: dict[str, int] = {}
        for match in _WORD.finditer(text):
            word = match[0].lower()
            if word in asked and any(c.isupper() for c in match[0]):
                said = _says(text, *match.span())
                if said < 0:
                    people.add(word)
                here[word] = max(said, here.get(word, 0))
        for word, said in here.items():
            weight[word] += said
    return {w for w, n in weight.items() if n >= _ENOUGH and w not in people}


def _says(text: str, start: int, end: int) -> int:
    """Return what a text says of a word: 2 that it is a program, 1 that it may be, -1 that it is a person, 0 nothing."""
    first, last = _whole(text, start, end)
    beside = [w for w in _WORD.findall(text[first:last]) if w != text[start:end]]
    if any(w.lower() in given_names() for w in beside):
        return -1
    befores = [text[max(0, at - _NEAR) : at] for at in {start, first}]
    afters = [text[at : at + _NEAR] for at in {end, last}]
    if any(_BEFORE_PERSON.search(b) for b in befores) or any(_AFTER_PERSON.match(a) for a in afters):
        return -1
    if any(_BEFORE_SURE.search(b) for b in befores) or any(_AFTER_SURE.match(a) for a in afters):
        return 2
    joined = _JOINED.match(text, end)
    if joined is not None and known(joined["what"].lower()) and not _NO_PART.search(joined["what"].lower()):
        return 1 + (joined["what"].lower() not in given_names() and text[first:start] == "")
    return int(any(_BEFORE_LIKELY.search(b) for b in befores) or any(_AFTER_LIKELY.match(a) for a in afters))


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a name with the capitalised words beside it."""
    while (m := _PRECEDES.search(text, max(0, start - _NEAR), start)) is not None and text[: m.start()].strip(
        " \"'(“«_&"
    ):
        start = m.start()
    while (m := _FOLLOWS.match(text, end)) is not None:
        end = m.end()
    return start, end


_PRECEDES = re.compile(r"\b[A-Z][\w+]* \Z")
_FOLLOWS = re.compile(r" [A-Z][\w+]*\b")


def _is_program(value: str, names: set[str]) -> bool:
    words = [w.lower() for w in _WORD.findall(value)]
    telling = [w for w in words if w in names or not (w in common_words() or known(w))]
    return bool(telling) and all(w in names for w in telling)
