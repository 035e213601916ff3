"""Decide which findings of the models to believe.

The models were trained on sentences; a page is mostly labels, buttons and cells. What they say about a short label is
believed only where there is a second reason: the other model, two capitalized words, a label that asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...contracts.types import RAMPART, RECASED, SPACY, Finding, TextContext
from ...words.english import CHAT, is_derived_word, is_only_foreign, ordinary
from ...words.phrases import Phrases
from ...words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, function_words, given_names
from . import foreign
from .foreign import is_foreign, is_unknown_word, may_hold_an_address
from .prose import DATE, sentence_like
from .tokens import (
    FUNCTION_WORDS,
    NUMBERED,
    WORD,
    attribute_name,
    is_common_word,
    is_count,
    is_technical_term,
    token_at,
    word_at,
)

LISTS = Phrases("judge")

_IDENTIFIER = re.compile(r"\b[a-z]+-[a-z]+\b")
CAPTION_WORDS = 6
"""Words up to which a sentence may be a caption, whose capitals say nothing: ``Move to New Tab Group``."""
SURE = 0.5
"""Rampart's score from which on it speaks for itself."""
SENTENCE_LEAST = 0.2
FOREIGN_LEAST = 0.6
LOWER_LEAST = 0.5
PLACE_LEAST = 0.9
LABEL_LEAST = 0.6
ALONE_LEAST = 0.85
SLUG_LEAST = 0.95
"""Least score of a token in running text, in one of another language, of a lower-case word there, in a short label, of a word that is all of its text, and of one that is all of a path segment."""
_DAY = re.compile(
    rf"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:{LISTS.DAY})\b|\b\d{{4}}s\b",
    re.IGNORECASE,
)
_NO_DAY = re.compile(
    rf"(?:(?:{LISTS.NO_DAY})[ -]+)*(?:{LISTS.NO_DAY_2})(?:[ ,/&–-]+(?:{LISTS.NO_DAY_3}))*",
    re.IGNORECASE,
)
"""A day of the week or a month by itself, which is nobody's: *next Thursday*, *March to May*."""


def _of_interfaces(word: str) -> bool:
    return word in UI_WORDS or word in TECHNOLOGY or word in FUNCTION_WORDS


def keep(text: str, findings: Sequence[Finding], context: TextContext) -> list[Finding]:
    """Return the findings that are believed, without their sources."""
    page = _FindingJudge(
        text,
        [f for f in findings if f.source == RAMPART],
        [f for f in findings if f.source in (SPACY, RECASED) and f.entity == "PERSON"],
        context.kind == "slug",
    )
    kept = []
    for f in findings:
        if not f.source:
            if f.entity != "ORGANIZATION" or page.believes_company(f):
                kept.append(f)
            continue
        plain = f._replace(source="")
        if f.source == RAMPART:
            if page.believes_rampart(plain):
                kept.append(plain)
        elif f.source == RECASED:
            agreed = f.entity != "ORGANIZATION" or page.twice(plain, findings)
            if page.sentence and agreed and page.believes_spacy(plain, recased=True):
                kept.append(plain)
        elif page.believes_spacy(plain):
            kept.append(page.strip_verb(plain))
    return kept


_SPOKEN = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "URL"})
"""What has a name; numbers and addresses may stand in any word."""
_AT = re.compile(r"@|%40|[\[(]at[\])]", re.IGNORECASE)
_CALL = re.compile(r"\w\(|\w::\w|->")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NOT_IN_A_COMPANY = (function_words("company") | {"has", "have", "will", "board", "team", "staff"}) - {
    "of",
    "and",
    "the",
    "&",
}
_ENDING = re.compile(r"[\"'(\[*]*\.[a-z]{2,5}[\"')\],.;:]*", re.IGNORECASE)
_APART = re.compile(r"\s[-–—|·•›»>]+\s")
_DOES = re.compile(r"[A-Z][a-z]+s (?:to|with|from|in|by|for|at|on|as) [^\Wa-z_]")
_THE = re.compile(r"the[ ](?=\w)", re.IGNORECASE)
_OF = re.compile(r"[^\W\d_]+[ ]of[ ]", re.IGNORECASE)
_WHERE = LISTS.words("WHERE")
_LONG = 4
"""Letters of a word from which on a caption gives it a capital."""
_OPTION = re.compile(r"--?[a-z][a-z-]*(?:=.*)?\Z")


class _FindingJudge:
    """Judges the findings of one text."""

    def __init__(
        self, text: str, rampart: Sequence[Finding], persons: Sequence[Finding] = (), slug: bool = False
    ) -> None:
        self.text = text
        self.sentence = sentence_like(text)
        self._rampart = rampart
        self._persons = persons
        self._slug = slug
        self._cased = any(c.islower() for c in text) and any(c.isupper() for c in text)

    def believes_company(self, f: Finding) -> bool:
        """Return whether a shape is a company's name: ``Smith, Jones and Brown``, but not ``Threads, Locks and Queues`` or ``New Tab Group``."""
        if not self.sentence and "\n" not in self.text:
            return False
        capitals = [w for w in WORD.findall(self.text[f.start : f.end]) if w[0].isupper()]
        ordinary = sum(map(is_common_word, capitals))
        if f.score > 0.4:
            return ordinary < len(capitals) or len(WORD.findall(self.text)) > CAPTION_WORDS
        return ordinary < 2

    def believes_spacy(self, f: Finding, recased: bool = False) -> bool:
        """Return whether a finding of spaCy's is believed."""
        value = self.text[f.start : f.end]
        if "%" in value or self._of_a_program(f):
            return False
        if f.entity == "DATE_TIME":
            if _NO_DAY.fullmatch(value):
                return False
            return bool(DATE.search(value)) or (self.sentence and bool(_DAY.search(value)))
        words = WORD.findall(value)
        telling = [w for w in words if not is_common_word(w) and len(w) > 1]
        if f.entity == "ORGANIZATION" and self.sentence and len(words) > 1 and value[0].isupper():
            # Companies are called by common words: only those of interfaces speak against one.
            if value.count("(") != value.count(")"):
                return False
            telling = [w for w in words if len(w) > 1 and not _of_interfaces(w.lower())]
            short = len(telling) == 1 or len(WORD.findall(self.text)) <= CAPTION_WORDS
            if short and all(is_common_word(w) for w in telling) and not self._second(f):
                return False
        if attribute_name(value):
            return False
        if not telling or "=" in value:
            return False
        if (
            not self.sentence
            and f.entity in ("NRP", "PERSON", "LOCATION")
            and all(w.lower() in LANGUAGES for w in telling)
        ):
            return False
        if (
            f.entity == "ORGANIZATION"
            and not self._cased
            and any(w.lower() in _NOT_IN_A_COMPANY for w in WORD.findall(value))
        ):
            return False  # the model took the sentence: "the bank of tartu has sent a letter"
        seconded = self._second(f)
        if seconded >= SURE:
            return True
        if _APART.search(value) or (len(words) == 1 and value.lower().endswith("ing") and ordinary(value)):
            return False  # a shop and its tag line: "Kiln - Pots by post"; what is done: "Glazes > Crazing after the firing"
        if self.sentence and not self._cased and f.entity in _SPOKEN - {"NRP"} and all(map(ordinary, telling)):
            return False  # without capitals the model guesses: "my boss", "stomach pain"
        if (
            self.sentence
            and not self._cased
            and f.entity in ("PERSON", "LOCATION")
            and all(map(is_derived_word, telling))
        ):
            return False  # "clearall"
        if is_foreign(self.text) and not may_hold_an_address(self.text):
            # The model knows English alone: a word with a capital within a sentence may be a name all the same.
            alone = len(words) < 2 and foreign.begins_sentence(self.text, f.start)
            return (
                f.start > 0
                and self._cased
                and not alone
                and all(w[0].isupper() and is_unknown_word(w) and not is_technical_term(w) for w in words)
            )
        if not self.sentence:
            return seconded > 0 and len(words) > 1
        if self._cased and not recased and not any(w[0].isupper() for w in telling):
            return f.entity == "NRP" and value.lower() != "polish"
        if not self._cased and _IDENTIFIER.search(value):
            return False
        if all(is_technical_term(w) for w in telling):
            return seconded > 0 and f.entity == "PERSON"
        return True

    def believes_rampart(self, f: Finding) -> bool:
        """Return whether a finding of Rampart's is believed."""
        value = self.text[f.start : f.end]
        if not any(c.isalnum() for c in value) or self._of_a_program(f):
            return False
        word = word_at(self.text, f.start, f.end)
        if f.entity == "PERSON" and _ENDING.fullmatch(token_at(self.text, f.start, f.end)):
            return False  # of a file: ".pat"
        if f.start and self.text[f.start - 1] in "%${&" and len(word) < 4:
            return False  # the letter of a placeholder: "%s", "${n}"
        if attribute_name(token_at(self.text, f.start, f.end)):
            return False
        if f.entity == "EMAIL_ADDRESS" and not _AT.search(token_at(self.text, f.start, f.end)):
            return False  # the word "mail" before an address
        if f.entity == "URL" and "." not in token_at(self.text, f.start, f.end):
            return False
        if f.entity in NUMBERED and is_count(token_at(self.text, f.start, f.end)):
            return False
        bare = token_at(self.text, f.start, f.end).strip("()[],.:;!?\"'").lower()
        if bare in TECHNOLOGY or (bare in CHAT and bare not in given_names()):
            return False
        if not self.sentence and word.lower() in LANGUAGES and not self._neighbour(f):
            return False
        if is_common_word(word) and not (
            self.sentence and f.score >= PLACE_LEAST and is_only_foreign(word) and not is_foreign(self.text)
        ):
            # "Rose Close" is an address and "Close" a button: a common word counts beside another finding only, or
            # inside a sentence, where its capital says something.
            inside = self.sentence and f.score > 0.8 and word[0].isupper() and (f.start > 0 or self._person(f))
            return inside or self._neighbour(f)
        if value.isdigit():
            if self.sentence:
                return len(value) > 2 or f.score > 0.6 or self._neighbour(f, digits=True)
            return (len(value) > 2 and f.score > SURE) or self._neighbour(f, digits=len(value) > 1)
        if self.sentence:
            if value[0].isupper() or not self._cased:
                return f.score >= (FOREIGN_LEAST if self._cased and is_foreign(self.text) else SENTENCE_LEAST)
            # Who leaves the capital of a name away seldom does so of a town's in the same sentence.
            return f.score >= (PLACE_LEAST if f.entity in ("LOCATION", "ADDRESS") else LOWER_LEAST)
        if word == self.text.strip():
            return f.score >= (SLUG_LEAST if self._slug else ALONE_LEAST)
        return f.score >= LABEL_LEAST or self._neighbour(f)

    def _of_a_program(self, f: Finding) -> bool:
        """Return whether a finding lies in a word of programs: ``PyErr_Clear()``, ``module_path``, ``aria-label``, an acronym."""
        if f.entity not in _SPOKEN:
            return False
        token = token_at(self.text, f.start, f.end)
        bare = token.strip("()[]{},.:;!?\"'`*¶")
        if attribute_name(token) or _CALL.search(token) or _OPTION.match(token):
            return True
        names = given_names()
        humps = [w.lower() for w in _HUMP.findall(bare)]
        if len(humps) > 1 and any(w in TECHNOLOGY for w in humps):
            return True
        if "_" in bare and not any(w in names for w in re.split(r"[\W_\d]+", bare.lower())):
            return True
        acronym = bare.isupper() and len(bare) <= 5 and (self._cased or bare == self.text.strip())
        return (
            acronym
            and f.entity == "PERSON"
            and len(bare) > 1
            and bare.lower() not in names
            and bare.isalpha()
            and len(bare) < (6 if self._cased else 5)
        )

    def twice(self, f: Finding, findings: Sequence[Finding]) -> bool:
        """Return whether spaCy finds a company at the same place with capitals and without."""
        return any(o.source == SPACY and o.entity == f.entity and o.start < f.end and f.start < o.end for o in findings)

    def strip_verb(self, f: Finding) -> Finding:
        """Return a finding without the verb of a button: ``Integrate Jira``, ``Add Priya``."""
        start = f.start
        if f.entity == "ORGANIZATION":
            if the := _THE.match(self.text, f.start, f.end):
                return f._replace(start=the.end())
            if _OF.match(self.text, f.start, f.end):
                return f
        while (
            (m := WORD.match(self.text, start)) and is_common_word(m.group()) and f.entity in ("PERSON", "ORGANIZATION")
        ):
            after = m.end()
            while after < f.end and not self.text[after].isalnum():
                after += 1
            if after >= f.end:
                break
            start = after
        return f._replace(start=start)

    def _second(self, f: Finding) -> float:
        return max((r.score for r in self._rampart if r.start < f.end and f.start < r.end), default=0.0)

    def _person(self, f: Finding) -> bool:
        return any(p.start < f.end and f.start < p.end for p in self._persons)

    def _neighbour(self, f: Finding, digits: bool = False) -> bool:
        """Return whether another token of Rampart's, of an uncommon word, stands within three characters. With `digits` a number counts as well."""
        return any(
            r is not f
            and r.score > SURE
            and (0 <= r.start - f.end <= 3 or 0 <= f.start - r.end <= 3)
            and ((word := word_at(self.text, r.start, r.end))[:1].isalpha() or digits)
            and not (is_common_word(word) and word.isalpha())
            and word.lower() not in LANGUAGES
            for r in self._rampart
        )
