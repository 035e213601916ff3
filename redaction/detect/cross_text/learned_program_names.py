"""Find names of programs by how the texts of one recording use them: ``Quit Tangram``, ``Tangram-Einstellungen``.

One text is too little evidence: *Tangram* alone may be a person. In the texts of one interface the name of a program
occurs again and again, sometimes beside words that only programs have beside them. A given name, or a name that a text
introduces as a person's, is never the name of a program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ...contracts.entities import NAMED
from ...contracts.findings import Finding
from ...words.phrase_lists import PhraseLists
from ...words.word_lists import common_words, given_names
from ..filters.foreign_words import is_foreign_interface_word

LISTS = PhraseLists("programs")

_VERSION = r"v?\d+(?:\.\d+|\.x)*\b"
_ENDS = r"\s*(?:[.!?:,;…)\"'»”\n]|\Z)"

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
"""Words that stand directly before or after the name of a program only."""
_PART = LISTS.PART
_JOINED = re.compile(rf"-(?:[^\W\d_]+)?(?:{_PART})\b", re.IGNORECASE)
"""Words that are joined to the name of a program: ``Tangram-Einstellungen``."""
_BEFORE_PERSON = re.compile(
    rf"(?i:\b(?:{LISTS.BEFORE_PERSON})\.? \Z)|\b(?:{LISTS.BEFORE_PERSON_2}),? \Z|\b(?:{LISTS.BEFORE_PERSON_3}) (?:to |by )?\Z|\b(?:{LISTS.BEFORE_PERSON_4}) (?:by )?\Z"
)
_AFTER_PERSON = re.compile(
    rf" (?:{LISTS.AFTER_PERSON})\b|['’]s (?:{LISTS.AFTER_PERSON_2})\b|,? (?:aged?|\(?\d\d years old|born)\b| ?<[\w.+-]+@"
)
"""Words that show that a name is a person's."""
_LONGEST = 600
"""Most characters of a text that may belong to an interface."""
_NEAR = 60
_LEAST = 3
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")


def drop_program_names(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """Return the findings of each text without those that the other texts show to be names of programs."""
    asked = {
        w.lower()
        for text, found in zip(texts, findings, strict=True)
        for f in found
        if f.entity in NAMED
        for w in _WORD.findall(text[f.start : f.end])
        if len(w) >= _LEAST and w.lower() not in common_words() and w.lower() not in given_names()
    }
    names = find_program_names(texts, asked)
    if not names:
        return list(findings)
    return [
        [f for f in found if f.entity not in NAMED or not _is_program_name(text[f.start : f.end], names)]
        for text, found in zip(texts, findings, strict=True)
    ]


def find_program_names(texts: Sequence[str], candidates: set[str]) -> set[str]:
    """Return the words of `candidates`, in lower case, that the texts use as names of programs."""
    frames: dict[str, set[str]] = defaultdict(set)
    for text in dict.fromkeys(texts) if candidates else ():
        for match in _WORD.finditer(text) if len(text) <= _LONGEST else ():
            if (word := match[0].lower()) in candidates and any(c.isupper() for c in match[0]):
                frames[word].add(_classify_surroundings(text, *match.span()))
    return {word for word, kinds in frames.items() if "sure" in kinds and "person" not in kinds}


def _classify_surroundings(text: str, start: int, end: int) -> str:
    """Return the class that the neighbouring words give to a word: ``person``, ``sure`` (certainly a program), or the
    empty string.
    """
    first, last = _extend_to_whole_name(text, start, end)
    if any(w.lower() in given_names() for w in _WORD.findall(text[first:last]) if w != text[start:end]):
        return "person"
    befores = [text[max(0, at - _NEAR) : at] for at in {start, first}]
    afters = [text[at : at + _NEAR] for at in {end, last}]
    for kind, before, after in _FRAMES:
        if any(before.search(b) for b in befores if before) or any(after.match(a) for a in afters if after):
            return kind
    return ""


def _extend_to_whole_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a word together with the capitalized words beside it."""
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
)


def _is_program_name(value: str, names: set[str]) -> bool:
    words = [w.lower() for w in _WORD.findall(value)]
    telling = [w for w in words if w in names or not (w in common_words() or is_foreign_interface_word(w))]
    return bool(telling) and all(w in names for w in telling)
