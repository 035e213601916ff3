"""What somebody works as in languages that :mod:`.foreign_jobs` has not: the Slavic and the Nordic ones, Finnish, Hungarian, Romanian, Turkish, Greek, Bulgarian, the Baltic ones, Estonian, Slovene, Arabic, Hebrew and Hindi by the
words of `occupations_abroad.txt`, Chinese, Japanese and Korean by the last letters of a position, Vietnamese by its first words.

None counts alone: interfaces have a *менеджер*, too. A person or a company stands beside it, a label asks for it (*Должность: …*), or somebody says whose it is (*наш бухгалтер*, *работает
электриком*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.types import Finding
from ...words.english import english
from ...words.late import Late
from ...words.phrases import Phrases
from ...words.words import LONGEST_WORD, lists_of
from ..filters.foreign import is_foreign

LISTS = Phrases("jobs_abroad")

_LONGEST = 600
_TELLING = 6
"""Letters from which a listed word without a mark tells its language, where nothing else in the text does."""
_WHOSE = ("PERSON", "ORGANIZATION")
"""What stands beside a position."""
_MARKS = "\u0591-\u05c7\u064b-\u0652\u0900-\u0903\u093a-\u094f"
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}]|[-־״’'](?=[^\W\d_]))*")
_SEPARATOR = r"|·•—–\t\n/;:()\[\]→>،、，"
_EDGE_AFTER = re.compile(rf"[ \"»']*(?:\Z|[{_SEPARATOR}.,])")
_EDGE_BEFORE = re.compile(rf"(?:\A|[{_SEPARATOR},])[ ]*\Z")
_ENDINGS = {
    "ru": ("ами", "ою", "ею", "ом", "ем", "ой", "ей", "ов", "а", "у", "е", "ы", "и", "ю", "я"),
    "pl": ("owi", "iem", "em", "ą", "ę", "a", "u", "y", "i"),
    "cs": ("ovi", "em", "ou", "kou", "a", "u", "y"),
    "el": ("ς", "υ", "ν"),
    "hu": ("ként", "ről", "nek", "nak", "t"),
    "fi": ("na", "nä", "lle", "lta", "n"),
    "tr": ("yım", "ım", "im", "ya", "ye", "ı", "i", "ü", "u"),
    "nordic": ("en", "n", "a"),
    "ro": ("ul", "ului", "a"),
    "hr": ("om", "a", "u"),
    "sl": ("om", "em", "a", "u", "e"),
    "bg": ("ът", "ят", "та", "а", "я", "и"),
    "lt": ("iumi", "iui", "ui", "u", "o", "e", "ės"),
    "lv": ("am", "u", "a", "es", "i"),
    "et": ("ina", "na", "ile", "le", "t", "i"),
}
_NOMINATIVE = ("а", "ь", "й", "a", "s", "as", "us", "ius", "ė", "e", "is", "ς")
"""What stands in lists where another case has its ending."""
_ADJECTIVE = re.compile(
    rf"(?:{LISTS.ADJECTIVE})\w*|(?:główn|starsz|młodsz|naczeln|generaln|zastępc)\w*|(?:hlavní|vedoucí|starší|generální|hlavný|vedúci)|(?:baş|kıdemli|genel|yardımcı)|(?:γενικ|αναπληρωτ|προϊστάμεν|κύρι)\w*|(?:biträdande|förste|tillförordnad|leg\.?)|(?:vezető|helyettes|fő)|(?:šef|glavn\w+|viši)",
    re.IGNORECASE,
)
_OF = Late(
    rf"[ ]по[ ][^\W\d_]{{4,}}(?:[ ](?:и[ ])?[^\W\d_]{{4,}}(?:ов|ия|ий|ам|ям|ой|ых|ции|а|у))?|[ ][^\W\d_]{{3,}}(?:{LISTS.OF})(?=[ ]*(?:[,.;:()|\t\n—–-]|\Z|[ ][А-ЯЁ]))(?:[ ][а-яё]{{4,}})?|[ ]ds\.[ ][^\W\d_]+(?:[ ][^\W\d_]+)?",
    re.IGNORECASE,
)
_NEXT_SMALL = re.compile(r"[ ](?P<a>[^\W\d_]{3,})(?=[ ]*(?:[,.;:()|\t\n—–]|\Z|[ ](?-i:[^\W\d_a-zà-öø-ÿ])))")
_LABEL = Late(
    rf"(?:{LISTS.LABEL})[ ]?[:：=\t\n][ ]*\Z",
    re.IGNORECASE,
)
_OURS = Late(
    rf"(?<!\w)(?:{LISTS.OURS})[ ]\Z",
    re.IGNORECASE,
)
_BETWEEN = Late(
    rf"[ ]?(?:[{_SEPARATOR},-]|[ ][–—-])?[ \n]{{0,2}}(?:(?:{LISTS.BETWEEN})[ ]?)?",
    re.IGNORECASE,
)
_DENSE = Late(rf"(?:{LISTS.DENSE}){{0,3}}(?:{LISTS.DENSE_2})|[\uac00-\ud7af]{{0,8}}(?:{LISTS.DENSE_3})")
_DENSE_GATE = re.compile(r"[\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
_DENSE_LETTER = re.compile(r"[\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]")
_DENSE_RUN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]{2,12}")
_DENSE_BETWEEN = re.compile(
    r"[ \u3000]?[，、,（(：:|·\t\n—–/-]?[ \u3000]?(?:的|の|は|是|为)?(?:님|씨|様|さん|先生|女士)?[ ]?"
)
_VIETNAMESE = Late(
    rf"(?<!\w)(?:{LISTS.VIETNAMESE})(?:[ ](?!của|tại|ở|và|cho|với|đã|là)[a-zà-ỹđ]+){{0,3}}",
    re.IGNORECASE,
)


def _jobs() -> dict[str, frozenset[str]]:
    return lists_of("occupations_abroad.txt")


@lru_cache(maxsize=1)
def _languages() -> dict[str, tuple[str, ...]]:
    """Return the languages of each word, in the order of the file."""
    found: dict[str, list[str]] = {}
    for language, words in _jobs().items():
        for word in words if language not in ("dense", "weak") else ():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


@lru_cache(maxsize=1)
def _by_ending() -> dict[str, frozenset[str]]:
    """Return the languages that have each ending."""
    every = {end for ends in _ENDINGS.values() for end in ends}
    return {end: frozenset(language for language, ends in _ENDINGS.items() if end in ends) for end in every}


@lru_cache(maxsize=20_000)
def _language(small: str) -> str:
    """Return the language of which a word, in any of its cases, is a job, or nothing."""
    words = _languages()
    if small in words:
        return words[small][0]
    for length in range(min(4, len(small) - 4), 0, -1):
        stem = small[:-length]
        having = _by_ending().get(small[-length:], frozenset())
        for end in ("", *_NOMINATIVE) if having else ():
            for language in words.get(stem + end, ()):
                if language in having:
                    return language
    if 8 < len(small) <= LONGEST_WORD and any(small[cut:] in _jobs()["nordic"] for cut in range(3, len(small) - 4)):
        return "nordic"
    return ""


def find_jobs_abroad(text: str, people_at: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield positions in these languages. ``people_at``: people and companies that are found already."""
    if len(text) > _LONGEST or (text.isascii() and (" " not in text or not people_at)):
        return
    if _DENSE_GATE.search(text):
        yield from _dense(text, people_at)
    if "i" in text or "á" in text:
        for match in _VIETNAMESE.now.finditer(text) if not text.isascii() else ():
            if _licensed(text, *match.span(), people_at):
                yield Finding(*match.span(), "TITLE", 0.5)
    words = list(_WORD.finditer(text))
    taken = -1
    no_ascii = text.isascii() and not is_foreign(text)
    for at, word in enumerate(words):
        small = word[0].lower()
        if word.start() < taken or len(small) < 3 or (word[0].isascii() and english(small)):
            continue
        if word[0].isascii() and no_ascii and (len(small) < _TELLING or small not in _languages()):
            continue
        if not (language := _language(_plain(small))):
            continue
        end = word.end()
        start = _begin(text, words, at, language, people_at)
        end = _end(text, end, language)
        if _licensed(text, start, end, people_at):
            taken = end
            yield Finding(start, end, "TITLE", 0.5)
    yield from _behind_names(text, people_at)


_BEHIND = re.compile(
    r"[ ]?(?:,|[–—|·(-])[ ]?(?P<s>[^\W\d_][^,.;:()|·\n\t–—\d]{2,60}?)(?=[ ]*(?:\Z|[,;:()|·\n\t–—]|\.(?:\s|\Z)))"
)
_MOST_WORDS = 5


def _behind_names(text: str, people_at: Sequence[Finding]) -> Iterable[Finding]:
    """Yield what stands behind a name up to the next mark, where its first or last word is a position: *Jonas Petrauskas, medienos derintojas*."""
    for person in people_at:
        if person.entity != "PERSON" or not (behind := _BEHIND.match(text, person.end)):
            continue
        words = [w[0].lower() for w in _WORD.finditer(behind["s"])]
        if 0 < len(words) <= _MOST_WORDS and any(_is_a_job(w) for w in {words[0], words[-1]}):
            yield Finding(*behind.span("s"), "TITLE", 0.5)


def _is_a_job(small: str) -> bool:
    if small.isascii() and (english(small) or len(small) < _TELLING):
        return False
    return _language(_plain(small)) != "" or small in _jobs()["weak"]


def _plain(small: str) -> str:
    """Return an Arabic or Hebrew word without the article that is written onto it."""
    return small[2:] if small.startswith("ال") and len(small) > 4 else small


def _begin(text: str, words: Sequence[re.Match[str]], at: int, language: str, people_at: Sequence[Finding]) -> int:
    """Return where a position begins: a rank, and in Turkish what it is of, stand before the word."""
    start = words[at].start()
    for before in reversed(words[max(0, at - 2) : at]):
        if text[before.end() : start] not in (" ", "-") or any(f.start < before.end() <= f.end for f in people_at):
            break
        small = before[0].lower()
        begins = language == "hi" and _EDGE_BEFORE.search(text, max(0, before.start() - 3), before.start()) is not None
        own = (
            (language == "tr" or begins)
            and small not in _NOT_OF
            and before[0][0].islower() == words[at][0][0].islower()
        )
        if not (own or _ADJECTIVE.fullmatch(before[0]) or _language(small)):
            break
        start = before.start()
    return start


_NOT_OF = LISTS.words("NOT_OF")


def _end(text: str, end: int, language: str) -> int:
    """Return where a position ends: what it is of belongs to it."""
    if language == "ru" and (of := _OF.now.match(text, end)):
        return of.end()
    if language in ("pl", "ar", "he", "cs", "el", "hr", "ro", "hi") and (more := _NEXT_SMALL.match(text, end)):
        small = more["a"].lower()
        if (small == more["a"] or not text[end - 1].islower()) and small not in ("jest", "είναι", "θα", "हैं", "है", "je"):
            return more.end("a")
    return end


def _licensed(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether what stands around it says that somebody does it."""
    if _LABEL.now.search(text, max(0, start - 40), start) or _OURS.now.search(text, max(0, start - 30), start):
        return True
    return _beside(text, start, end, people_at, _BETWEEN.now)


def _beside(text: str, start: int, end: int, people_at: Sequence[Finding], between: re.Pattern[str]) -> bool:
    """Return whether a person or a company stands right before or after a position."""
    return any(
        (f.end <= start and between.fullmatch(text, f.end, start))
        or (end <= f.start and between.fullmatch(text, end, f.start))
        for f in people_at
        if f.entity in _WHOSE
    )


def _dense(text: str, people_at: Sequence[Finding]) -> Iterable[Finding]:
    for match in _DENSE.now.finditer(text):
        start, end = match.span()
        inside = [f for f in people_at if f.entity in _WHOSE and f.start < end and start < f.end]
        if inside:  # letters of the name before are none of the position's
            start = max((f.end for f in inside if f.start <= start), default=start)
            end = min((f.start for f in inside if f.start >= start), default=end)
        if end - start < 2 or (_glued(text, start, end) and not inside):
            continue
        if _told(text, start, end, people_at):
            yield Finding(start, end, "TITLE", 0.5)
    for match in _DENSE_RUN.finditer(text):
        if match[0] in _jobs()["dense"] and _told(text, *match.span(), people_at):
            yield Finding(*match.span(), "TITLE", 0.5)


def _told(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether somebody, a company or a label stands beside what may be a position."""
    beside = _beside(text, start, end, people_at, _DENSE_BETWEEN)
    return beside or _LABEL.now.search(text, max(0, start - 20), start) is not None


def _glued(text: str, start: int, end: int) -> bool:
    """Return whether a position is a part of a longer word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return bool((before and _DENSE_LETTER.match(before)) or (after and _DENSE_LETTER.match(after)))
