"""Decide which findings of the models to believe.

The models were trained on sentences; a page is mostly labels, buttons and cells. What they say about a short label is
believed only where there is a second reason: the other model, two capitalized words, a label that asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..contracts.types import RAMPART, RECASED, SPACY, Finding, TextContext
from ..words.words import LANGUAGES, TECHNOLOGY, UI_WORDS, common_words, given_names
from .foreign import is_foreign, may_hold_an_address, strange

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FUNCTION = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "i'm",
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "my",
        "your",
        "his",
        "her",
        "our",
        "their",
        "me",
        "him",
        "us",
        "them",
        "this",
        "that",
        "has",
        "have",
        "had",
        "can",
        "could",
        "will",
        "would",
        "please",
        "who",
        "what",
        "where",
        "why",
        "how",
        "when",
        "not",
        "don't",
    ]
)
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d{1,4}([/.-])\d{1,2}\1\d{1,4}|\b\d{1,2}[/-]\d{1,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\d|\d.*\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"[^\W\d_]+['’-][^\W\d_]+\Z")
_ADDRESS = re.compile(r"https?://\S+\Z")
_IDENTIFIER = re.compile(r"\b[a-z]+-[a-z]+\b")
LONGEST_EXPLAINED = 200
"""Characters from which on rules alone are not enough."""
CAPTION_WORDS = 6
"""Words up to which a sentence may be a caption, whose capitals say nothing: ``Move to New Tab Group``."""
SURE = 0.5
"""Rampart's score from which on it speaks for itself."""
CLEAR = 0.8
"""Rampart's score from which on spaCy need not be asked about a label."""
SENTENCE_LEAST = 0.2
LOWER_LEAST = 0.5
PLACE_LEAST = 0.9
LABEL_LEAST = 0.6
ALONE_LEAST = 0.85
SLUG_LEAST = 0.95
"""Least score of a token in running text, of a lower-case word there, in a short label, of a word that is all of its text, and of one that is all of a path segment."""
_NUMBERED = frozenset({"GOVERNMENT_ID", "BANK_ACCOUNT", "PHONE_NUMBER", "ZIP_CODE", "CREDIT_CARD"})
"""Entities that hold digits: what has none is something else."""
_DAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\b\d{4}s\b",
    re.IGNORECASE,
)


def sentence_like(text: str) -> bool:
    """Return whether this is running text rather than a label: five words or more, one of them a function word."""
    words = _WORD.findall(text)
    return len(words) >= 4 and any(w.lower() in _FUNCTION for w in words)


def harmless(text: str) -> bool:
    """Return whether a text consists of common words: no finding of a model in it would be kept."""
    if _ADDRESS.match(text):
        return True  # it is masked, or read piece by piece, as an address
    words = _WORD.findall(text)
    return all(_common(w) for w in words) and not (sentence_like(text) and any(w[0].isupper() for w in words[1:]))


_CERTAIN = frozenset({"EMAIL_ADDRESS", "URL", "SECRET", "UUID", "IP_ADDRESS", "HOST_PATH"})
"""Entities whose rules know their ends: what stands beside them says nothing about them."""


def explained(text: str, findings: Sequence[Finding]) -> bool:
    """Return whether rules alone account for a text: outside of what they found stand common words only, and no capital beside a
    name or an address that could be more of it. Then no model needs to read it, which costs a hundred times as much.
    """
    spans = [f for f in findings if f.entity in _CERTAIN or f.entity in ("PERSON", "ADDRESS")]
    if not spans or len(text) > LONGEST_EXPLAINED:
        return False
    hidden = list(text)
    for f in spans:
        hidden[f.start : f.end] = " " * (f.end - f.start)
    rest = "".join(hidden)
    if not harmless(rest) or any(f.entity == "PERSON" and _NUMBER_BESIDE.match(text, f.end) for f in spans):
        return False
    for match in _WORD.finditer(rest):
        capital = match.group()[0].isupper() or text.isupper()
        if capital and match.group().lower() not in UI_WORDS and any(_beside(f, match.span()) for f in spans):
            return False
    return True


_NUMBER_BESIDE = re.compile(r",?\s{0,2}#?\d")
"""A name before a number may be a street's."""


def _beside(f: Finding, span: tuple[int, int]) -> bool:
    return f.entity not in _CERTAIN and (0 <= span[0] - f.end <= 3 or 0 <= f.start - span[1] <= 3)


def unsure(text: str, rampart: Sequence[Finding]) -> bool:
    """Return whether spaCy can add to what Rampart said: in running text, where a date may be, and where Rampart half saw
    something in a label. What Rampart is sure of grows to whole words without it.
    """
    return sentence_like(text) or bool(_DATE.search(text)) or any(f.score < CLEAR for f in rampart)


def keep(text: str, findings: Sequence[Finding], context: TextContext) -> list[Finding]:
    """Return the findings to mask, without the models that they came from."""
    page = _Text(
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
            if page.sentence and f.entity != "ORGANIZATION" and page.believes_spacy(plain, recased=True):
                kept.append(plain)
        elif page.believes_spacy(plain):
            kept.append(page.strip_verb(plain))
    return kept


_SPOKEN = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP", "URL"})
"""What has a name; numbers and addresses may stand in any word."""
_AT = re.compile(r"@|%40|[\[(]at[\])]", re.IGNORECASE)
_CALL = re.compile(r"\w\(|\w::\w|->")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OPTION = re.compile(r"--?[a-z][a-z-]*(?:=.*)?\Z")


class _Text:
    """One text and what is known of it while its findings are judged."""

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
        """Return whether a shape is one of a company's name: ``Smith, Jones and Brown``, not ``Threads, Locks and Queues`` or ``New Tab Group``."""
        if not self.sentence and "\n" not in self.text:
            return False
        capitals = [w for w in _WORD.findall(self.text[f.start : f.end]) if w[0].isupper()]
        common = sum(map(_common, capitals))
        if f.score > 0.4:
            return common < len(capitals) or len(_WORD.findall(self.text)) > CAPTION_WORDS
        return common < 2

    def believes_spacy(self, f: Finding, recased: bool = False) -> bool:
        """Return whether what spaCy says is taken over."""
        value = self.text[f.start : f.end]
        if "%" in value or self._of_a_program(f):
            return False
        if f.entity == "DATE_TIME":
            return bool(_DATE.search(value)) or (self.sentence and bool(_DAY.search(value)))
        words = _WORD.findall(value)
        telling = [w for w in words if not _common(w) and len(w) > 1]
        if f.entity == "ORGANIZATION" and self.sentence and len(words) > 1 and value[0].isupper():
            # Companies are called by common words: only those of interfaces speak against one.
            if value.count("(") != value.count(")"):
                return False
            small = UI_WORDS | TECHNOLOGY | _FUNCTION
            telling = [w for w in words if w.lower() not in small and len(w) > 1]
            short = len(telling) == 1 or len(_WORD.findall(self.text)) <= CAPTION_WORDS
            if short and all(_common(w) for w in telling) and not self._second(f):
                return False
        if _attribute_name(value):
            return False
        if not telling or "=" in value:
            return False
        if (
            not self.sentence
            and f.entity in ("NRP", "PERSON", "LOCATION")
            and all(w.lower() in LANGUAGES for w in telling)
        ):
            return False
        seconded = self._second(f)
        if seconded >= SURE:
            return True
        if is_foreign(self.text) and not may_hold_an_address(self.text):
            # The model knows English alone: a word with a capital within a sentence may be a name all the same.
            return f.start > 0 and self._cased and all(w[0].isupper() and strange(w) and not _coined(w) for w in words)
        if not self.sentence:
            return seconded > 0 and len(words) > 1
        if self._cased and not recased and not any(w[0].isupper() for w in telling):
            return f.entity == "NRP" and value.lower() != "polish"
        if not self._cased and _IDENTIFIER.search(value):
            return False
        if all(_coined(w) for w in telling):
            return seconded > 0 and f.entity == "PERSON"
        return True

    def believes_rampart(self, f: Finding) -> bool:
        """Return whether a token of Rampart's is taken over."""
        value = self.text[f.start : f.end]
        if not any(c.isalnum() for c in value) or self._of_a_program(f):
            return False
        word = _around(self.text, f.start, f.end)
        if f.start and self.text[f.start - 1] in "%${&" and len(word) < 4:
            return False  # the letter of a placeholder: "%s", "${n}"
        if _attribute_name(_token(self.text, f.start, f.end)):
            return False
        if f.entity == "EMAIL_ADDRESS" and not _AT.search(_token(self.text, f.start, f.end)):
            return False  # the word "mail" before an address
        if f.entity == "URL" and "." not in _token(self.text, f.start, f.end):
            return False
        if f.entity in _NUMBERED and _counted(_token(self.text, f.start, f.end)):
            return False
        if _token(self.text, f.start, f.end).strip("()[],.:;!?\"'").lower() in TECHNOLOGY:
            return False
        if not self.sentence and word.lower() in LANGUAGES and not self._neighbour(f):
            return False
        if _common(word):
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
                return f.score >= SENTENCE_LEAST
            # Who leaves the capital of a name away seldom does so of a town's in the same sentence.
            return f.score >= (PLACE_LEAST if f.entity in ("LOCATION", "ADDRESS") else LOWER_LEAST)
        if word == self.text.strip():
            return f.score >= (SLUG_LEAST if self._slug else ALONE_LEAST)
        return f.score >= LABEL_LEAST or self._neighbour(f)

    def _of_a_program(self, f: Finding) -> bool:
        """Return whether a finding of a model lies in a word of a program: ``PyErr_Clear()``, ``module_path``, ``aria-label``, an acronym."""
        if f.entity not in _SPOKEN:
            return False
        token = _token(self.text, f.start, f.end)
        bare = token.strip("()[]{},.:;!?\"'`*¶")
        if _attribute_name(token) or _CALL.search(token) or _OPTION.match(token):
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

    def strip_verb(self, f: Finding) -> Finding:
        """``Integrate Jira``, ``Add Priya``: the verb of a button is no part of the name."""
        start = f.start
        while (m := _WORD.match(self.text, start)) and _common(m.group()) and f.entity in ("PERSON", "ORGANIZATION"):
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
        """Another token of Rampart's, of a word that is not common, stands within three characters. ``digits``: a number
        counts as well.
        """
        return any(
            r is not f
            and r.score > SURE
            and (0 <= r.start - f.end <= 3 or 0 <= f.start - r.end <= 3)
            and ((word := _around(self.text, r.start, r.end))[:1].isalpha() or digits)
            and not (_common(word) and word.isalpha())
            and word.lower() not in LANGUAGES
            for r in self._rampart
        )


_GROUPED = re.compile(
    r"(?i:iso|ibm|utf|cp|gb|koi|iec|rfc|windows)[-_]?\d{1,5}(?:[-_]\w{1,4})*|\d{1,3}(?:[.,\u00a0 ]\d{3})+|0[xX][\da-fA-F]+|[<>=]=?\d+"
)


def _counted(token: str) -> bool:
    """Whether what is written together with a number is nobody's: a word with a digit or two, thousands in groups, a bound."""
    bare = token.strip("()[]{},.:;!?\"'`«»")
    digits = sum(c.isdigit() for c in bare)
    return (
        digits == 0
        or (digits < 4 and sum(c.isalpha() for c in bare) > 2 * digits)
        or _GROUPED.fullmatch(bare) is not None
    )


def _around(text: str, start: int, end: int) -> str:
    """Return the whole word that a token is a part of."""
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return text[start:end]


def _common(word: str) -> bool:
    """Return whether a word is nobody's name by itself."""
    small = word.lower()
    return len(small) < 2 or small in common_words() or small in _FUNCTION


def _attribute_name(value: str) -> bool:
    """``aria-labelledby``, ``data-testid``: small words with a hyphen, the first of them one of programs."""
    first, hyphen, rest = value.strip("\"'`()[]<>,.;:").partition("-")
    return bool(hyphen) and rest[:1].islower() and first.islower() and (first == "aria" or first in common_words())


def _token(text: str, start: int, end: int) -> str:
    """Return what stands without a space around a place."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end]


def _coined(word: str) -> bool:
    """Return a word of technology or trade: ``GraphQL``, ``OpenReplay``, ``SMTP``."""
    if word.isupper():
        return len(word) <= 6
    inner = word[1:]
    return (
        any(c.isupper() for c in inner)
        and not re.match(r"(?:Mc|Mac|O'|D'|De|La|Le|Van|Fitz)[A-Z]", word)
        and not _HYPHENED.match(word)
    )


_UNITS = frozenset(
    [
        "mm",
        "cm",
        "dm",
        "m",
        "km",
        "in",
        "ft",
        "yd",
        "mi",
        "mg",
        "g",
        "kg",
        "lb",
        "lbs",
        "oz",
        "ml",
        "cl",
        "dl",
        "l",
        "gal",
        "w",
        "kw",
        "kwh",
        "v",
        "mah",
        "b",
        "kb",
        "mb",
        "gb",
        "tb",
        "ms",
        "s",
        "sec",
        "min",
        "h",
        "hr",
        "hrs",
        "d",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "year",
        "years",
        "x",
        "px",
        "pt",
        "em",
        "eu",
        "us",
        "uk",
        "of",
        "to",
        "a",
        "an",
        "the",
        "no",
        "nr",
        "st",
        "nd",
        "rd",
        "th",
        "room",
        "size",
        "box",
        "flat",
        "page",
        "step",
        "level",
        "version",
        "item",
        "lot",
        "row",
        "seat",
        "gate",
        "track",
        "team",
        "group",
    ]
)


_MEASURE = re.compile(r"(?:[.,]\d+)?\s?(?:[mcdk]?m|k?g|m?l|in|ft|oz|lbs?|px|%|[kMG]B)\b")


_TIMES = re.compile(r"\s?[x×]\s?\d")
_TIMES_BEFORE = re.compile(r"\d\s?[x×]\s?\Z")
_ROOM = re.compile(r"(?:room|floor|desk|gate|building)\s#?\d{1,3}", re.IGNORECASE)
_DOCUMENT = re.compile(r"[A-Z]{2,6}[ -]?\d{1,4}")
"""``PEP 528``, ``RFC 2616``, ``HTTP 404``."""


def sensible(text: str, finding: Finding) -> bool:
    """Return whether a joined span can be what it is said to be. ``26.8 cm``, ``Box of 12`` and ``1,234 results`` are no address."""
    value = text[finding.start : finding.end]
    if finding.entity in _NUMBERED and (
        _TIMES.match(text, finding.end) or _TIMES_BEFORE.search(text[max(0, finding.start - 12) : finding.start])
    ):
        return False
    if finding.entity not in ("ADDRESS", "ZIP_CODE"):
        return True
    if _ROOM.fullmatch(value) and "\n" not in text:
        return False  # a room tells nobody's home; as a part of an address it is joined to it
    if _DOCUMENT.fullmatch(value) and (not text.isupper() or value == text.strip()):
        return False
    money = text[finding.start - 1 : finding.start] in ("€", "$", "£") or text[
        finding.end : finding.end + 2
    ].strip() in ("€", "$", "£")
    if not any(c.isalpha() for c in value) and (money or _MEASURE.match(text, finding.end)):
        return False
    if sentence_like(text) or "\n" in text:
        return True
    words = [w for w in _WORD.findall(value) if w.lower() not in UI_WORDS and w.lower() not in _UNITS]
    digits = sum(c.isdigit() for c in value)
    if words:
        return any(len(w) > 1 for w in words) or digits > 2
    if finding.entity == "ZIP_CODE" and finding.score >= 0.5:
        return digits > 3
    decimal = re.search(r"\d[.,]\d", text[max(0, finding.start - 2) : finding.end + 2])
    return digits > 3 and not decimal and text[finding.start - 1 : finding.start] not in ("#", "€", "$", "£")
