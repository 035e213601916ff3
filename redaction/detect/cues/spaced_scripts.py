"""Find people in scripts with spaces between words: Cyrillic, Greek, Arabic, Hebrew, Devanagari.

A name begins after an honorific ("Mr" in that language), a greeting or "my name is"; or it is a common given name in
any grammatical case, with the rest of the name beside it. In scripts with capitals, these decide where a name ends;
in others, listed names and a list of words that are no names do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ...contracts.findings import SAID, Finding
from ...words.names_by_script import WORD, read_name_lists
from ...words.phrase_lists import PhraseLists

LISTS = PhraseLists("spaced_scripts")

_WORD = re.compile(WORD)


@dataclass(frozen=True, slots=True)
class ScriptNameRules:
    """The rules by which people's names are found in one script.

    ``before``: a pattern for words that announce a name. ``given``, ``family``: tell whether a word in lower case is
    such a name. ``maybe``: tells whether it is a given name that is also a common word. ``never``: words that are no
    part of a name. ``prefixes``: letters that the language joins to the front of a name (in Hebrew *vav*, "and").
    """

    letters: re.Pattern[str]
    cased: bool
    before: re.Pattern[str]
    given: Callable[[str], bool]
    maybe: Callable[[str], bool]
    family: Callable[[str], bool]
    never: frozenset[str]
    particles: frozenset[str] = frozenset()
    prefixes: str = ""
    longest: int = 3
    strong: re.Pattern[str] | None = None
    """Family names by an ending that no other word has: an unknown word before one is a given name."""


def find_people(text: str) -> list[Finding]:
    """Return the people in a text in any of these scripts."""
    found: list[Finding] = []
    for script in _build_script_rules():
        if script.letters.search(text):
            found += _find_people_in_script(text, script)
    return found


def look_up_in_name_lists(word: str) -> tuple[bool, ...]:
    """Return what the lists say of a word in small letters: (given name, given name or common word, family name,
    certainly a family name, no part of names).

    Empty for words of other scripts.
    """
    script = next((s for s in _build_script_rules() if s.letters.match(word)), None)
    if script is None:
        return ()
    bare = _normalize_word(word, script)
    return (
        any(map(script.given, bare)),
        any(map(script.maybe, bare)),
        any(map(script.family, bare)),
        script.strong is not None and script.strong.match(word) is not None,
        word in script.never,
    )


def _find_people_in_script(text: str, script: ScriptNameRules) -> list[Finding]:
    words = [m for m in _WORD.finditer(text) if script.letters.match(m[0])]
    cased = script.cased and not (text.islower() or text.isupper())
    announced = {m.end() for m in script.before.finditer(text)}
    found: list[Finding] = []
    at = 0
    while at < len(words):
        first, end = at, 0
        word = words[at]
        bare = _normalize_word(word[0], script)
        if word.start() in announced and _may_be_name_word(word[0], script, cased):
            end = _find_name_end(text, words, at, script, cased)
        elif not cased or word[0][0].isupper():
            told = any(map(script.given, bare))
            if told or any(map(script.maybe, bare)):
                end = _find_name_end(text, words, at, script, cased)
                if not told and not _is_confirmed_name(text, words, first, end, script, cased):
                    end = 0
        if end:
            start = words[first].start()
            score = SAID if word.start() in announced else 0.7
            found.append(Finding(start, words[end - 1].end(), "PERSON", score))
            at = end
        else:
            at += 1
    return found


_POINTS = re.compile("[\u0591-\u05c7\u064b-\u0652\u0670\u0640]")
"""Vowel points, which most texts leave out."""


def _normalize_word(word: str, script: ScriptNameRules) -> list[str]:
    """Return a word in lower case, first as it is and then without a prefixed letter, if it has one: ``ומרים``."""
    small = _POINTS.sub("", word.lower().replace("ё", "е").replace("’", "'").replace("׳", "'"))
    if script.prefixes and len(small) > 3 and small[0] in script.prefixes:
        return [small, small[1:]]
    return [small]


def _may_be_name_word(word: str, script: ScriptNameRules, cased: bool) -> bool:
    return (word[0].isupper() or not cased) and word.lower() not in script.never and len(word) > 1


def _find_name_end(text: str, words: list[re.Match[str]], at: int, script: ScriptNameRules, cased: bool) -> int:
    """Return the index of the word after the name that begins with word `at`."""
    end = at + 1
    while end < len(words) and end - at < script.longest and _are_adjacent(text, words[end - 1], words[end]):
        word = words[end][0]
        small = word.lower()
        if small in script.particles and end + 1 < len(words) and _are_adjacent(text, words[end], words[end + 1]):
            end += 2
            continue
        if not _may_be_name_word(word, script, cased):
            break
        known = script.family(small) or script.given(small) or script.maybe(small)
        if not (known or cased) and not (end - at < 2 and _ends_with_unknown_word(text, words, end, script)):
            break
        end += 1
    return end


def _ends_with_unknown_word(text: str, words: list[re.Match[str]], at: int, script: ScriptNameRules) -> bool:
    """Return whether a name ends with an unknown word: a word that is no part of names follows it, or a pause of the
    sentence.
    """
    if at + 1 >= len(words) or not _are_adjacent(text, words[at], words[at + 1]):
        return True
    return words[at + 1][0].lower() in script.never or not script.letters.match(words[at + 1][0])


def _is_confirmed_name(
    text: str, words: list[re.Match[str]], first: int, end: int, script: ScriptNameRules, cased: bool
) -> bool:
    """Return whether a name whose first word is also a common word is confirmed: by the rest of the name, or by a
    word that introduces it.
    """
    if end - first > 1:
        rest = words[first + 1 : end] if first + 1 < end else []
        if cased or any(script.family(w[0].lower()) or script.given(w[0].lower()) for w in rest):
            return True
    return (
        first == 0
        and not text[: words[0].start()].strip()
        and text[words[end - 1].end() : words[end - 1].end() + 1] in (",", "،")
    )


def _are_adjacent(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    return text[first.end() : second.start()] in (" ", "\u00a0", ". ", "-")


# Cyrillic

_RUSSIAN_FAMILY = re.compile(
    rf"\w{{2,}}(?:[ое]в|[её]в|ин|ын)(?:а|у|ым|ом|е|ой|ою|ы|ых)?\Z|\w{{2,}}(?:[сц]к)(?:ий|ого|ому|им|ом|ая|ой|ую|ій)\Z|\w{{2,}}(?:{LISTS.RUSSIAN_FAMILY})\Z"
)


_RUSSIAN_STRONG = re.compile(
    r"\w{2,40}(?:[оеё]в|ин)(?:а|у|ым|е|ой)?\Z|\w{2,40}[сц]к(?:ий|ого|ому|им|ая|ой|ую)\Z|\w{2,40}(?:енко|чук|швили)\Z"
)
_RUSSIAN_BEFORE = re.compile(rf"(?<!\w)(?:{LISTS.RUSSIAN_BEFORE}),?\s+", re.IGNORECASE)
_RUSSIAN_NEVER = LISTS.to_word_set("RUSSIAN_NEVER")

# Greek

_GREEK_FAMILY = re.compile(rf"\w{{2,40}}(?:{LISTS.GREEK_FAMILY})\Z")


_GREEK_STRONG = re.compile(rf"\w{{2,40}}(?:{LISTS.GREEK_STRONG})\Z")
_GREEK_BEFORE = re.compile(
    rf"(?<!\w)(?:{LISTS.GREEK_BEFORE})\.?,?\s+|(?<!\w)(?:ο|η|τον|την|τη|του|της|στον|στην|στη)\s+(?=[Α-ΩΆ-Ώ][α-ωά-ώϊϋΐΰ]+\s[Α-ΩΆ-Ώ][α-ωά-ώϊϋΐΰ]+)",
    re.IGNORECASE,
)
_GREEK_NEVER = LISTS.to_word_set("GREEK_NEVER")

# Arabic

_ARABIC_BEFORE = re.compile(rf"(?<!\w)و?(?:{LISTS.ARABIC_BEFORE})[،,]?\s+(?:(?:يا|بك|بكِ)\s+)?")
_ARABIC_FAMILY = re.compile(r"(?:ال)\w{2,}(?:ي|اني|وي|ري|دي)\Z|(?:آل|أبو|ابو)\w*\Z")
_ARABIC_NEVER = LISTS.to_word_set("ARABIC_NEVER")
_ARABIC_PARTICLES = LISTS.to_word_set("ARABIC_PARTICLES")

# Hebrew

_HEBREW_BEFORE = re.compile(rf"(?<!\w)[ולבמשה]?(?:{LISTS.HEBREW_BEFORE}),?\s+")
_HEBREW_FAMILY = re.compile(rf"(?:בן|בר)\Z|\w{{2,}}(?:{LISTS.HEBREW_FAMILY})\Z")
_HEBREW_NEVER = LISTS.to_word_set("HEBREW_NEVER")
_HEBREW_PARTICLES = LISTS.to_word_set("HEBREW_PARTICLES")

# Devanagari

_HINDI_BEFORE = re.compile(rf"(?<![\w\u0900-\u097f])(?:{LISTS.HINDI_BEFORE})[,]?\s+")
_HINDI_NEVER = LISTS.to_word_set("HINDI_NEVER")


_HINDI_WORDS = LISTS.to_word_set("HINDI_WORDS")
"""Surnames that are also ordinary words: a word before one is not a given name because of it."""


_CODES = ("ru", "el", "ar", "he", "hi")


@lru_cache(maxsize=1)
def _build_script_rules() -> tuple[ScriptNameRules, ...]:
    lists = read_name_lists()
    words = {code: frozenset(w.replace("ё", "е") for w in lists[f"{code} given-words"]) for code in _CODES}
    sure = {code: frozenset(w.replace("ё", "е") for w in lists[f"{code} given"]) - words[code] for code in _CODES}
    hindi = lists["hi surnames"]
    hindi_alone = re.compile("(?:" + "|".join(sorted(hindi - _HINDI_WORDS)) + r")\Z")
    return (
        ScriptNameRules(
            re.compile(r"[А-Яа-яЁёІіЇїЄєҐґ]"), True, _RUSSIAN_BEFORE,
            lambda w: w in sure["ru"], lambda w: w in words["ru"], lambda w: bool(_RUSSIAN_FAMILY.match(w)), _RUSSIAN_NEVER,
            strong=_RUSSIAN_STRONG,
        ),
        ScriptNameRules(
            re.compile(r"[Α-Ωα-ωΆ-ώΐΰϊϋ]"), True, _GREEK_BEFORE,
            lambda w: w in sure["el"], lambda w: w in words["el"], lambda w: bool(_GREEK_FAMILY.match(w)), _GREEK_NEVER,
            strong=_GREEK_STRONG,
        ),
        ScriptNameRules(
            re.compile(r"[\u0620-\u064a\u0671-\u06d3]"), False, _ARABIC_BEFORE,
            lambda w: w in sure["ar"], lambda w: w in words["ar"], lambda w: w in lists["ar surnames"] or bool(_ARABIC_FAMILY.match(w)), _ARABIC_NEVER, _ARABIC_PARTICLES, "ولبف",
        ),
        ScriptNameRules(
            re.compile(r"[\u05d0-\u05ea]"), False, _HEBREW_BEFORE,
            lambda w: w in sure["he"], lambda w: w in words["he"], lambda w: w in lists["he surnames"] or bool(_HEBREW_FAMILY.match(w)), _HEBREW_NEVER, _HEBREW_PARTICLES, "ולב",
        ),
        ScriptNameRules(
            re.compile(r"[\u0905-\u0939\u0958-\u0961]"), False, _HINDI_BEFORE,
            lambda w: w in sure["hi"] or w in hindi, lambda w: w in words["hi"], lambda w: w in hindi, _HINDI_NEVER,
            strong=hindi_alone,
        ),
    )  # fmt: skip
