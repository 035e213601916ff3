"""Find occupations in some forty languages by lists of words (`occupations*.txt`): *Stationsleitung*, *capataz de obra*, *наш бухгалтер*, *財務部長*.

Such a word alone is not personal: interfaces also have a *Responsable* and a *менеджер*. The word is a finding if the
words around it show that a person holds the position: a label (*Cargo: …*), a verb (*arbeitet als …*), a name beside
it. It is also a finding if it stands in a cell with its field (*Responsable des ventes*). English positions are found
from the sentence by pagereel's own net.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.findings import Finding
from ...words.english import is_english_word
from ...words.phrase_lists import PhraseLists, parse_flags
from ...words.prefiltered_pattern import LazyPattern
from ...words.word_lists import LONGEST_WORD, function_words, read_lists_by_kind
from ..filters.foreign_words import count_language_words, is_foreign_interface_word, is_foreign_text

LISTS = PhraseLists("positions")

_LONGEST = 600
_FEW = 8
"""Most words of a cell that holds an occupation."""
_WHOSE = frozenset({"PERSON", "ORGANIZATION"})
"""Entities that make a word beside them an occupation."""
_ROLES = LISTS.to_word_set("ROLES")
"""Words for people that are also roles in a program."""
_MARKS = "\u0591-\u05c7\u064b-\u0652\u0900-\u0903\u093a-\u094f"
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}]|[-־״](?=[^\W\d_]))*")
_SEPARATOR = r"|·•—–\t\n/;:()\[\]→>،、，"
_EDGE = re.compile(rf"(?:\A|[{_SEPARATOR}]|[,-][ ])[ \"'*]*\Z")
_EDGE_AFTER = re.compile(rf"[ \"'*.»]*(?:\Z|[{_SEPARATOR},])")
_NEXT = re.compile(r"[ -](?P<a>[^\W\d_]{3,}(?:-[^\W\d_]+)*)")
_NEXT_SMALL = re.compile(r"[ ](?P<a>[^\W\d_]{3,})(?=[ ]*(?:[,.;:()|\t\n—–]|\Z|[ ](?-i:[^\W\d_a-zà-öø-ÿ])))")
_DENSE_GATE = re.compile(r"[\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
_DENSE_LETTER = re.compile(r"[\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]")
_DENSE_RUN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]{2,12}")
_RULES = {name: (flags, pattern) for name, flags, pattern in (rule.split(" ", 2) for rule in LISTS.read_rules())}
_LABEL, _TOLD, _THE, _RANK, _ADJECTIVE, _OF, _BESIDE, _DENSE_BESIDE, _DENSE = (
    LazyPattern(pattern, parse_flags(flags))
    for flags, pattern in map(
        _RULES.__getitem__, ("label", "told", "the", "rank", "adjective", "of", "beside", "dense_beside", "dense")
    )
)
_NO_FIELD, _NOT_OF = LISTS.to_word_set("NO_FIELD"), LISTS.to_word_set("NOT_OF")
_ROMANCE = ("es", "pt", "fr", "it")
_WITH_NEXT = LISTS.to_word_set("WITH_NEXT")
"""Languages in which the field of an occupation follows it as a separate word."""
_SMALL = function_words("company") | function_words("small") | function_words("sentence")
_FORMS = tuple(part.split() for part in LISTS.FORMS.split("|"))
"""Languages, the ending of the male form, and the ending of the female form."""


_NO_LANGUAGE = ("weak", "dense")


@lru_cache(maxsize=1)
def _index_occupations() -> dict[str, str]:
    """Return occupation → its language. Occupations are in lower case, in the male and the female form."""
    found: dict[str, str] = {}
    for file in ("occupations_foreign.txt", "occupations_abroad.txt"):
        for language, words in read_lists_by_kind(file).items():
            if language in _NO_LANGUAGE:
                continue
            for word in words:
                for form in _iter_gender_forms(word, language):
                    found.setdefault(form, language)
    return found


def _iter_gender_forms(word: str, language: str) -> Iterable[str]:
    """Yield the male and the female form of an occupation."""
    yield word
    for languages, man, woman in _FORMS:
        if language in languages.split("/") and word.endswith(man):
            yield word.removesuffix(man) + woman


@lru_cache(maxsize=20_000)
def _find_occupation_language(lower_word: str) -> str:
    """Return the language in which a word is an occupation, or the empty string. German and Nordic compounds count:
    *Sparkassenfilialleiter*.
    """
    first, _, last = lower_word.partition("-")
    if language := _index_occupations().get(lower_word) or (
        last and (_find_occupation_language(first) or _find_occupation_language(last))
    ):
        return language
    if lower_word.startswith("ال"):  # the Arabic article
        return _index_occupations().get(lower_word[2:], "")
    tails = (_index_occupations().get(lower_word[cut:], "") for cut in range(3, min(len(lower_word), LONGEST_WORD) - 3))
    language = next((tail for tail in tails if tail in ("de", "nordic")), "")
    return language or (
        "en" if lower_word in read_occupations("people") or lower_word in read_occupations("also") else ""
    )


class _PositionFinder:
    """Finds occupations in one text, given the people and companies that were found in it."""

    def __init__(self, text: str, beside: Sequence[Finding]) -> None:
        self.text = text
        self.beside = [f for f in beside if f.entity in _WHOSE]
        self.people = [f for f in beside if f.entity == "PERSON"]
        self.words = list(_WORD.finditer(text))
        self.plain = text.isascii() and not is_foreign_text(text)

    def iter_positions(self) -> Iterable[Finding]:
        """Yield the occupations in languages that put spaces between words."""
        taken = -1
        for at, word in enumerate(self.words):
            small = word[0].lower()
            language = _find_occupation_language(small) if word.start() >= taken and len(small) > 2 else ""
            if not language or (self.plain and is_english_word(small) != (language == "en")):
                continue
            start, end = self._find_occupation_begin(at, language), self._find_occupation_end(word.end(), language)
            if self._is_held_by_person(start, end, small, language, longer=end > word.end() or start < word.start()):
                taken = end
                yield Finding(start, end, "TITLE", 0.5)

    def _find_occupation_begin(self, at: int, language: str) -> int:
        """Return the offset at which an occupation begins, together with the ranks and occupations before it, and in
        English and Turkish with its field.
        """
        while at and self.text[self.words[at - 1].end() : self.words[at].start()] in (" ", "-"):
            before = self.words[at - 1][0]
            own = language == "tr" or (language == "en" and is_english_word(before) and before.lower() not in _SMALL)
            field = own and before.islower() == self.words[at][0].islower() and before not in _NOT_OF
            if not (field or _RANK.compiled_pattern.fullmatch(before) or _find_occupation_language(before.lower())):
                break
            at -= 1
        return self.words[at].start()

    def _find_occupation_end(self, end: int, language: str) -> int:
        """Return the offset at which an occupation ends, together with its adjectives and the words for its field
        (*of sales*).
        """
        text = self.text
        if language in _WITH_NEXT:
            more = _NEXT_SMALL.match(text, end)
            return more.end("a") if more and more["a"].islower() and more["a"] not in _NOT_OF else end
        for _ in range(3 if language in _ROMANCE else 0):
            more = _NEXT.match(text, end)
            if not (
                more
                and (_ADJECTIVE.compiled_pattern.fullmatch(more["a"]) or _find_occupation_language(more["a"].lower()))
            ):
                more = _OF.compiled_pattern.match(text, end)
                if not more or more["a"].lower() in _NO_FIELD or not (more["a"].islower() or text.isupper()):
                    break
            end = more.end("a")
        return end

    def _is_held_by_person(self, start: int, end: int, lower_word: str, language: str, longer: bool) -> bool:
        """Return whether the words around an occupation say that a person holds it."""
        text, before = self.text, self.text[max(0, start - 60) : start]
        ends = _EDGE_AFTER.match(text, end) is not None
        if language == "en":
            return (
                (longer or lower_word in read_occupations("people"))
                and ends
                and self.is_beside_person(start, end, people=True)
            )
        everybodys = lower_word in read_lists_by_kind("occupations_foreign.txt")["weak"]
        weak = everybodys or (is_foreign_interface_word(lower_word) and "-" not in lower_word)
        if self.is_beside_person(start, end) and (longer or ends or not everybodys):
            return True
        if _LABEL.compiled_pattern.search(before):
            return longer or not weak
        native, foreign = count_language_words(text)
        if native > foreign or everybodys:
            return False
        alone = longer and ends and _EDGE.search(before) is not None
        if alone and not (
            weak
            and all(is_foreign_interface_word(w[0].lower()) for w in _WORD.finditer(text, start, end) if len(w[0]) > 2)
        ):
            return True
        return _TOLD.compiled_pattern.search(before) is not None or (
            (longer or not weak) and _THE.compiled_pattern.search(before) is not None
        )

    def is_beside_person(self, start: int, end: int, people: bool = False, between: LazyPattern = _BESIDE) -> bool:
        """Return whether a person or a company was found right before or right after a span."""
        return any(
            (f.end <= start and between.compiled_pattern.fullmatch(self.text, f.end, start))
            or (end <= f.start and between.compiled_pattern.fullmatch(self.text, end, f.start))
            for f in (self.people if people else self.beside)
        )

    def iter_cjk_positions(self) -> Iterable[Finding]:
        """Yield the occupations in Chinese, Japanese and Korean, found by their last letters, that have a person, a
        company or a label beside them.
        """
        for match in _DENSE.compiled_pattern.finditer(self.text):
            start, end = match.span()
            inside = [f for f in self.beside if f.start < end and start < f.end]
            if inside:  # letters of the name before are no part of the occupation
                start = max((f.end for f in inside if f.start <= start), default=start)
                end = min((f.start for f in inside if f.start >= start), default=end)
            around = self.text[max(0, start - 1) : start] + self.text[end : end + 1]
            told = self.is_beside_person(start, end, between=_DENSE_BESIDE) or _LABEL.compiled_pattern.search(self.text, max(0, start - 20), start)  # fmt: skip
            if end - start > 1 and (inside or not _DENSE_LETTER.search(around)) and told:
                yield Finding(start, end, "TITLE", 0.5)
        for match in _DENSE_RUN.finditer(self.text):
            if match[0] in read_lists_by_kind("occupations_abroad.txt")["dense"] and self.is_beside_person(
                *match.span(), between=_DENSE_BESIDE
            ):
                yield Finding(*match.span(), "TITLE", 0.5)


def find_positions(text: str, people_and_companies: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield the occupations in a text.

    :param people_and_companies: the people and companies that were found in it before.
    """
    if len(text) > _LONGEST:
        return
    read = _PositionFinder(text, people_and_companies)
    if _DENSE_GATE.search(text):
        yield from read.iter_cjk_positions()
    yield from read.iter_positions()


@lru_cache(maxsize=32)
def read_occupations(kind: str) -> frozenset[str]:
    """Return the words of one kind of `occupations.txt`."""
    listed = read_lists_by_kind("occupations.txt")
    trades = listed.get("trades", frozenset()) if kind == "people" else frozenset()
    return listed.get(kind, frozenset()) | trades


def contains_occupation(cell: str) -> bool:
    """Return whether a cell of a few words has an occupation, and no word that makes it a caption."""
    words = [w.lower() for w in _WORD.findall(cell)]
    return (
        0 < len(words) < _FEW and any(map(_is_position_word, words)) and read_occupations("captions").isdisjoint(words)
    )


def _is_position_word(lower_word: str) -> bool:
    weak = lower_word in read_lists_by_kind("occupations_foreign.txt")["weak"] or lower_word in _ROLES
    return not weak and _find_occupation_language(lower_word) != ""
