"""Find personal data by cues: a few words beside a value, in any language, and checks that the value must pass.

Cues are data, one file for each entity (`AGE.txt`, `USERNAME.txt`, …). A line has a score, the checks (``-``: none),
the flags of the pattern (``i``, ``m``, ``a``), and the pattern. The group ``s`` (or ``t``, ``u``, ``b``, ``c``) of the
pattern is the value. ``NAME: one|another`` defines a list that patterns include as ``{NAME}``. To add a cue, add a
line; to add an entity, add a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from ...contracts.entities import ENTITIES, require_entity
from ...contracts.findings import Finding
from ...words.english import is_english_word, is_no_name
from ...words.names_by_script import OTHER_LETTERS, read_name_lists
from ...words.phrase_lists import PhraseLists, expand_rules, parse_flags
from ...words.prefiltered_pattern import PrefilteredPattern, find_candidate_patterns
from ...words.word_lists import (
    LANGUAGES,
    TECHNOLOGY,
    UI_WORDS,
    common_words,
    foreign_function_words,
    function_words,
    given_names,
)
from ..filters.foreign_words import is_foreign_interface_word, is_foreign_text, is_in_no_word_list
from ..filters.model_gating import is_running_text
from ..filters.name_like_words import is_in_no_list, is_program_word
from .listed_names import is_listed_name, may_be_uncapitalized_name

LISTS = PhraseLists("engine")

_LONGEST = 4_000
"""Most characters of a text that is searched for cues. Longer texts are files."""
_FEW = 2
"""Most spaces of a text in which a country is a choice."""
_SLOTS = ("s", "t", "u", "b", "c")

Match = re.Match[str]


class Cue(NamedTuple):
    """A pattern of the words around a value, and the checks that the value must pass."""

    entity: str
    score: float
    checks: tuple[Callable[[Match, str], bool], ...]
    pattern: PrefilteredPattern


_OF_ENTITY = re.compile(r"[A-Z][A-Z_]*\.txt")


@lru_cache(maxsize=1)
def load_cues() -> tuple[Cue, ...]:
    """Return all cues, by entity and in the order of their files."""
    found = []
    folder = resources.files(__package__)
    for file in folder.iterdir():
        if _OF_ENTITY.fullmatch(file.name):
            require_entity(file.name[:-4], f"The file of cues {file.name}")
    for entity in sorted(ENTITIES):
        if (file := folder.joinpath(f"{entity}.txt")).is_file():
            for line in expand_rules(file.read_text("utf-8")):
                score, checks, flags, pattern = line.split(" ", 3)
                asked = tuple(CHECKS[name] for name in checks.split(",") if name != "-")
                found.append(Cue(entity, float(score), asked, PrefilteredPattern(pattern, parse_flags(flags))))
    return tuple(found)


def find_by_cues(text: str) -> Iterable[Finding]:
    """Yield a finding for each value that a cue announces."""
    if len(text) <= _LONGEST:
        yield from _iter_cue_findings(text, load_cues())


def _iter_cue_findings(text: str, cues: Iterable[Cue]) -> Iterable[Finding]:
    may = find_candidate_patterns(text)
    for cue in cues:
        for match in cue.pattern.compiled_pattern.finditer(text) if cue.pattern.bit & may else ():
            for start, end in find_value_spans(match):
                if cue.entity == "SECRET":  # the sentence's punctuation is no part of it
                    end = start + len(text[start:end].rstrip(".!?"))
                if end > start and all(check(match, text[start:end]) for check in cue.checks):
                    yield Finding(start, end, cue.entity, cue.score)


def find_value_spans(match: Match) -> list[tuple[int, int]]:
    """Return the spans of the values in a cue's match: the groups that matched, or the whole match."""
    names = match.re.groupindex
    return [match.span(slot) for slot in _SLOTS if slot in names and match[slot] is not None] or [match.span()]


# -- checks of values --------------------

NO_AGE = re.compile(rf"(?!\s*\w+[ -]?(?:old|of[ ]age))\s*(?:{LISTS.NO_AGE})", re.IGNORECASE)
_OF_THINGS = re.compile(rf"(?:{LISTS.OF_THINGS})[^\w]{{1,3}}\Z", re.IGNORECASE)
"""Words that say how long a thing lasts or somebody has done something, which is no age: *Гарантия, 3 года*."""
_FILE = re.compile(rf".*\.(?:{LISTS.FILE})\Z|v?\d[\d.]*\Z|(?:e|i)\.[eg]\Z|\d+(?:st|nd|rd|th|px|am|pm)\Z", re.IGNORECASE)  # fmt: skip
_TO_A_MACHINE = re.compile(r"[(){}=<>]|::|\b(?:def|class|import|return|null|true|false|px|http)\b", re.ASCII)
_LATIN_WORD = re.compile(r"(?<![A-Za-z\d_@./#\\-])[A-Za-z]{2,}(?![A-Za-z\d_@/\\-]|\.[A-Za-z])")
_NO_ROLE = LISTS.to_word_set("NO_ROLE")
_TO_ALL = frozenset(["all", "back", "everyone", "everybody", "folks", "guys", "team", "there"])


def looks_like_user_name(name: str) -> bool:
    """Return whether a word is written like a user name, and is no word of a program or of a sentence."""
    if _FILE.match(name) or not any(map(str.isalpha, name)):
        return False
    parts = [p for p in re.split(r"[\W_\d]+", name.lower()) if p]
    if name.isalpha():
        return name.islower() and len(name) > 3 and is_in_no_list(name)
    long = [p for p in parts if len(p) > 1]
    if long and all(p in TECHNOLOGY or p in UI_WORDS or is_program_word(p) for p in long):
        return False
    return not (
        "-" in name
        and not re.search(r"[\d._]", name)
        and all(is_english_word(p) or is_foreign_interface_word(p) for p in parts)
    )


def _is_person_before_age(match: Match, value: str) -> bool:
    """Return whether the words before an age are a name: a given name, or a capitalized word in no word list."""
    text, names = match.string, match.re.groupindex
    who = next((match[name] for name in ("who", "of") if name in names and match[name]), "")
    small = who.lower()
    if "next" in names and match["of"] and match["next"].isupper() and not text.isupper():
        return False
    if not (who[0].isupper() or text.islower()) or (
        match.re.groupindex.get("of") and text.isupper() and not is_given_or_listed_name(small)
    ):
        return False
    return small in given_names() or (len(who) > 2 and small not in TECHNOLOGY and is_in_no_word_list(small))


def is_given_or_listed_name(lower_word: str) -> bool:
    """Return whether a word in small letters is a listed name."""
    return lower_word in given_names() or is_listed_name(lower_word)


def _greets_one_person(match: Match, value: str) -> bool:
    """Return whether a greeting names one person, and not a group or a common word."""
    word = value.split()[0].lower()
    if word in _TO_ALL or word in UI_WORDS or word in common_words():
        return False
    return is_given_or_listed_name(word) or not (is_english_word(word) or is_foreign_interface_word(word))


def _follows_a_name(match: Match, value: str) -> bool:
    """Return whether a name or an age stands before a word that may be a nationality: *Fatou Diop, sénégalaise*.
    Without one the word may describe a thing: a pizza is *italiana*.
    """
    before = re.split(r"[\n.;:]", match.string[max(0, match.start("s") - 60) : match.start("s")])[-1]
    words = [w.lower() for w in re.findall(r"[^\W\d_]+", before) if w[0].isupper()]
    return re.search(r"(?:\(\d{1,3}|\d{1,3}[ ][^\W\d_]{2,8}),[ ]\Z", before) is not None or any(
        w not in UI_WORDS
        and (w in given_names() or (is_listed_name(w) and not (is_english_word(w) or is_foreign_interface_word(w))))
        for w in words
    )


def _is_distinctive_word(word: str) -> bool:
    """Return whether a word in a company's name is distinctive: capitalized, and neither common nor of technology."""
    return word[0].isupper() and word.lower() not in common_words() and word.lower() not in TECHNOLOGY


def _begins_with_surname(value: str) -> bool:
    """Return whether a Chinese name begins with a surname."""
    lists = read_name_lists()
    return (value[0] in lists["zh surnames"] or value[:2] in lists["zh compounds"]) and value[:2] not in lists[
        "zh not-names"
    ]


def _is_in_non_latin_prose(match: Match, value: str) -> bool:
    text = match.string
    return (
        _is_in_non_latin_script(match, value) and not _TO_A_MACHINE.search(text) and len(_LATIN_WORD.findall(text)) < 4
    )


def _is_in_non_latin_script(match: Match, value: str) -> bool:
    return not match.string.isascii() and OTHER_LETTERS.search(match.string) is not None


# -- checks of passwords and nationalities --------------------

_NO_VALUE = function_words("unset")
_OF_NETWORKS = frozenset({"wi", "fi", "ghz"})
_NO_PASSWORD = re.compile(r"v?\d[\d.]*\w?|802\.11\w{2,3}|.*(?:/|://).*", re.IGNORECASE)
_ASKED = re.compile(
    rf"{PhraseLists('shared').PASSWORD_WORDS}|\b(?:pass\s?(?:words?|phrases?|codes?)|pw|pwd|psw|passwd|credentials?|logins?)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(rf"\b(?:{LISTS.SPEAKER})s?\b|\b(?:in|into|to|from)[ ]\Z", re.IGNORECASE)


def _is_technical_word(word: str) -> bool:
    return word in TECHNOLOGY or word in UI_WORDS


def _split_words(value: str) -> list[str]:
    return [part for part in re.findall(r"[^\W\d_]+", value.lower()) if len(part) > 1]


def _mixes_letters_and_digits(match: Match, value: str) -> bool:
    """Return whether a value has letters and digits, and is no term of technology (*SHA-256*, *reset-2024*), no
    address and no path.
    """
    parts = _split_words(value)
    return bool(parts) and any(map(str.isdigit, value)) and not _NO_PASSWORD.fullmatch(value) and not all(p in _OF_NETWORKS or _is_technical_word(p) for p in parts)  # fmt: skip


def _is_password(match: Match, value: str) -> bool:
    """Return whether the words after *the password is* are a password, and not a description of one."""
    small, parts = value.lower(), _split_words(value)
    said_of = any(
        p in _NO_VALUE or is_no_name(p) or _is_technical_word(p) or p in foreign_function_words() for p in parts
    )
    return _mixes_letters_and_digits(match, value) or not (
        not parts or small in _NO_VALUE or said_of or (not is_english_word(small) and is_foreign_interface_word(small))
    )


def _is_password_right_after(match: Match, value: str) -> bool:
    """Return whether a word right after *password* is a password: it mixes letters and digits, or it is in no word
    list and the sentence ends there.
    """
    text, end = match.string, match.end("s")
    ends = end == len(text) or text[end] in ".,;!?\n" or value != match["s"]
    strange = (
        value.islower()
        and value.isalpha()
        and not (
            is_english_word(value)
            or is_foreign_interface_word(value)
            or _is_technical_word(value)
            or value in _NO_VALUE
        )
    )
    return _mixes_letters_and_digits(match, value) or (ends and strange)


def _is_nationality_of_person(match: Match, value: str) -> bool:
    """Return whether a word for a nationality describes a person, and does not name a language."""
    text = match.string
    if value[0].islower() and not (text.isupper() or text.islower()):
        return False
    if _SPEAKER.search(text[max(0, match.start("s") - 24) : match.end() + 24]) or text.strip() == value:
        return False
    return value.lower() not in LANGUAGES or is_running_text(text)


CHECKS: dict[str, Callable[[Match, str], bool]] = {
    "account": lambda match, value: looks_like_user_name(value),
    "among_others": _is_in_non_latin_prose,
    "asked": lambda match, value: _ASKED.search(match.string) is not None and value.lower() != value.upper(),
    "after_name": _follows_a_name,
    "digit": lambda match, value: any(map(str.isdigit, value)),
    "foreign": lambda match, value: is_foreign_text(match.string),
    "given": lambda match, value: value.lower() in given_names(),
    "greeted": _greets_one_person,
    "han": lambda match, value: re.search("[\u3400-\u9fff]", match.string) is not None,
    "japanese": lambda match, value: re.search("[\u3040-\u30ff]", match.string) is not None,
    "lines": lambda match, value: "\n" in match.string,
    "mixed": _mixes_letters_and_digits,
    "no_english": lambda match, value: not is_english_word(value) and value.lower() not in UI_WORDS,
    "no_program": lambda match, value: not value.isupper() and not all(map(_is_technical_word, _split_words(value))),
    "no_role": lambda match, value: (
        value not in _NO_ROLE and not any(value.endswith(word) for word in _NO_ROLE if len(word) > 1)
    ),
    "no_thing": lambda match, value: (
        not _OF_THINGS.search(match.string[max(0, find_value_spans(match)[0][0] - 30) : find_value_spans(match)[0][0]])
    ),
    "no_unit": lambda match, value: not NO_AGE.match(match.string, find_value_spans(match)[-1][1]),
    "of_a_people": _is_nationality_of_person,
    "own_name": lambda match, value: any(map(_is_distinctive_word, re.findall(r"[^\W\d_]{2,}", value)[1:])),
    "one_case": lambda match, value: match.string.islower() or match.string.isupper(),
    "other_letters": _is_in_non_latin_script,
    "password": _is_password,
    "right_behind": _is_password_right_after,
    "set": lambda match, value: value.lower() not in _NO_VALUE,
    "sentence": lambda match, value: is_running_text(match.string),
    "shaped": lambda match, value: re.search(r"[_.\d]", value) is not None,
    "small": lambda match, value: (
        (value.islower() or value.isupper()) and may_be_uncapitalized_name(value, match["label"].lower() != "name")
    ),
    "surnamed": lambda match, value: len(value) > 1 and _begins_with_surname(value),
    "in_no_list": lambda match, value: is_in_no_list(value),
    "who": _is_person_before_age,
    "words": lambda match, value: match.string.count(" ") > _FEW,
}
"""Name of a check in the files of cues → the function that decides whether a value passes."""
