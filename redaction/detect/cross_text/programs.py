"""Learn names of programs from the texts of one call: ``Quit Tangram``, ``Tangram-Einstellungen``, ``À propos de Tangram``.

One text is too little evidence: *Tangram* alone may be a person. In the texts of one interface the name occurs again and again, sometimes in a frame that
only programs stand in. A name that a text introduces as a person's, or a given name, is no program's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from ...contracts.types import NAMED, Finding
from ...words.phrases import Phrases
from ...words.words import common_words, given_names
from ..filters.foreign import known
from .catalogues import is_catalogue

LISTS = Phrases("programs")

_VERSION = r"v?\d+(?:\.\d+|\.x)*\b"
_ENDS = r"\s*(?:[.!?:,;…)\"'»”\n]|\Z)"
_BEGINS = r"(?:\A|[\"'“«(>\n]\s*)"

_BEFORE_SURE = re.compile(
    rf"\b(?:[Qq]uit|[Ee]xit|[Rr]elaunch|[Uu]ninstall|[Rr]einstall)(?: from)? \Z"
    rf"|\b(?:[Vv]ersión?|[Vv]ersione|[Vv]ersie|[Rr]elease|[Vv]ersão) {_VERSION} (?:of|de|von|van|di|do|da) \Z"
    r"|\b(?:[Pp]owered by|[Pp]ropulsé par|[Mm]ade with|[Bb]uilt with|[Gg]enerated (?:by|with)) \Z"
    r"|\b(?:Quitter|Désinstaller|Réinstaller|[Ss]alir de|[Dd]esinstalar|[Ee]sci da|[Dd]isinstalla|[Ss]air d[oae]) \Z"
    r"|(?:О программе|О приложении|关于|退出|欢迎使用|启动) ?\Z"
)
_KIND = rf"(?:{LISTS.KIND})"
_AFTER_SURE = re.compile(
    rf" is an? (?:[\w-]+,? ){{0,6}}{_KIND}\b| est une? (?:[\w-]+ ){{0,4}}(?:logiciel|programme|application|outil)\b| ist eine? (?:[\w-]+ ){{0,4}}(?:Programm|Anwendung|Software|Werkzeug|Plattform|[\w-]*[Ss]ystem)\b| es una? (?:[\w-]+ ){{0,4}}(?:programa|aplicación|herramienta)\b| è una? (?:[\w-]+ ){{0,4}}(?:programma|applicazione|strumento)\b| é uma? (?:[\w-]+ ){{0,4}}(?:programa|aplicativo|aplicação|ferramenta)\b| is een (?:[\w-]+ ){{0,4}}(?:programma|toepassing)\b|,? (?:[Vv]ersión|[Vv]ersione?|[Vv]ersie|[Vv]ersão|[Vv]ersion|[Rr]elease) (?:{_VERSION}|%|\{{|\$|<)| v?\d+\.\d+(?:\.\d+)*{_ENDS}| is (?:(?:already|not|currently) running|(?:already |not )?installed|(?:not )?up to date)\b| (?:{LISTS.AFTER_SURE})\b| (?:beenden|neu starten|deinstallieren|installieren|afsluiten|herstarten|installeren)\b| ist (?:bereits|schon|nicht) (?:gestartet|installiert|aktiv)\b| ?(?:を終了|の設定|へようこそ|を起動|设置|首选项|服务器)"
)
"""What stands before and after the name of a program alone."""
_ABOUT = re.compile(
    rf"{_BEGINS}(?:{LISTS.ABOUT}) \Z|(?:À [Pp]ropos|[Pp]références|[Pp]aramètres|[Oo]ptions) (?:de |d['’])\Z|(?:Acerca de|Preferencias de|Opciones de|Configuración de|Ajustes de|Ayuda de) \Z|(?:{LISTS.ABOUT_2}) \Z|(?:Параметры|Настройки) ?\Z"
)
_ENTERED = re.compile(
    rf"{_BEGINS}[_&]?(?:Start|Restart|Launch|Run|Install|Upgrade) \Z|\b(?:{LISTS.ENTERED}) \Z|(?:Bienvenue|Connexion|Connectez-vous|Se connecter) (?:sur|dans|à) \Z|(?:Iniciar|Reiniciar|Instalar|Bienvenid[oa]s? a) (?:o )?\Z|(?:Avvia|Riavvia|Installa|Benvenut[oi] (?:in|su)|Bem[- ]vindo ao|Willkommen (?:bei|in|zu)|Welkom (?:bij|in)) \Z|\b(?:[Ss]incronizar con|[Ss]ynchroniser avec|[Ss]incronizza con|[Ss]incronizar com|[Ss]ynchroniseren met) \Z|(?:Добро пожаловать в|Выйти из|安装) ?\Z"
)
_AFTER_LIKELY = re.compile(
    rf" (?:{LISTS.AFTER_LIKELY})\b| (?:starten|openen|minimieren|verwenden)\b| ?(?:について|版本)"
)
"""What stands beside a program mostly, as before it does what ``_BEFORE_LIKELY`` has: two kinds of frames say so."""
_BEFORE_LIKELY = re.compile(rf"\b(?:{LISTS.BEFORE_LIKELY}) \Z")
_AFTER_VERB = re.compile(
    rf" (?:{LISTS.AFTER_VERB}) [a-z]| (?:kann|konnte|wird|muss) (?:nicht|[a-zäöü]+ )| (?:ne peut|ne parvient|n['’]a pas) | (?:no puede|no pudo|permite|necesita|requiere) | (?:permet|nécessite|requiert) | (?:ermöglicht|benötigt|unterstützt) | (?:non può|non riesce) | (?:não pode|não pôde) | (?:kan niet|kon niet) "
)
"""What programs do, and people as well: it counts beside another kind alone."""
_PART = LISTS.PART
_JOINED = re.compile(rf"-(?:[^\W\d_]+)?(?:{_PART})\b", re.IGNORECASE)
"""What a program is joined with: ``Tangram-Einstellungen``."""
_BEFORE_PERSON = re.compile(
    rf"(?i:\b(?:{LISTS.BEFORE_PERSON})\.? \Z)|\b(?:{LISTS.BEFORE_PERSON_2}),? \Z|\b(?:{LISTS.BEFORE_PERSON_3}) (?:to |by )?\Z|\b(?:{LISTS.BEFORE_PERSON_4}) (?:by )?\Z"
)
_AFTER_PERSON = re.compile(
    rf" (?:{LISTS.AFTER_PERSON})\b|['’]s (?:{LISTS.AFTER_PERSON_2})\b|,? (?:aged?|\(?\d\d years old|born)\b| ?<[\w.+-]+@"
)
"""What says that somebody is a person."""
_LONGEST = 600
"""Characters of a text up to which it may be one of an interface."""
_NEAR = 60
_MARKED = 5
_OFTEN = 4
"""Strings of a catalogue in which a name stands that is the program's, once one of them has a frame of programs as well."""
_LEAST = 3
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def without_programs(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return the findings of each text without names of programs, which other texts show to be such."""
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


def named_programs(texts: Sequence[str], asked: set[str]) -> set[str]:
    """Return the words of `asked`, in lower case, that the texts use as names of programs."""
    frames: dict[str, set[str]] = defaultdict(set)
    said_in: Counter[str] = Counter()
    for text in dict.fromkeys(texts) if asked else ():
        if len(text) > _LONGEST:
            continue
        said = [(match, word) for match in _WORD.finditer(text) if (word := match[0].lower()) in asked]
        said_in.update({word for _, word in said})
        for match, word in said:
            if any(c.isupper() for c in match[0]):
                frames[word].add(_frame(text, *match.span()))
    if is_catalogue(texts, _MARKED):  # of strings that a programmer wrote the program's own name is in many
        for word in frames:
            frames[word] |= {"often"} if said_in[word] >= _OFTEN else set()
    return {
        word
        for word, kinds in frames.items()
        if "person" not in kinds
        and ("sure" in kinds or len(kinds & {"about", "entered", "after", "verb", "often"}) > 1)
    }


def _frame(text: str, start: int, end: int) -> str:
    """Return the kind of words around a word: ``person``, ``sure`` for a program, ``about`` one, ``entered``, ``after``
    one, ``verb``, or the empty string.
    """
    first, last = _whole(text, start, end)
    if any(w.lower() in given_names() for w in _WORD.findall(text[first:last]) if w != text[start:end]):
        return "person"
    befores = [text[max(0, at - _NEAR) : at] for at in {start, first}]
    afters = [text[at : at + _NEAR] for at in {end, last}]
    for kind, before, after in _FRAMES:
        if any(before.search(b) for b in befores if before) or any(after.match(a) for a in afters if after):
            return kind
    return ""


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a name with the capitalized words beside it."""
    while (m := _PRECEDES.search(text, max(0, start - _NEAR), start)) is not None and text[: m.start()].strip(
        " \"'(“«_&"
    ):
        start = m.start()
    while (m := _FOLLOWS.match(text, end)) is not None:
        end = m.end()
    return start, end


_PRECEDES = re.compile(r"\b[A-Z][\w+]{0,40} \Z")
_FOLLOWS = re.compile(r" [A-Z][\w+]*\b")


_FRAMES: tuple[tuple[str, re.Pattern[str] | None, re.Pattern[str] | None], ...] = (
    ("person", _BEFORE_PERSON, _AFTER_PERSON),
    ("sure", _BEFORE_SURE, _AFTER_SURE),
    ("sure", None, _JOINED),
    ("about", _ABOUT, None),
    ("entered", _ENTERED, None),
    ("after", _BEFORE_LIKELY, _AFTER_LIKELY),
    ("verb", None, _AFTER_VERB),
)


def _is_program(value: str, names: set[str]) -> bool:
    words = [w.lower() for w in _WORD.findall(value)]
    telling = [w for w in words if w in names or not (w in common_words() or known(w))]
    return bool(telling) and all(w in names for w in telling)
