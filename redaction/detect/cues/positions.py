"""Find occupations in some forty languages by lists of words (`occupations*.txt`): *Leiterin Einkauf*, *capataz de obra*, *наш бухгалтер*, *財務部長*.

Such a word alone is not personal: interfaces also have a *Responsable* and a *менеджер*. It counts if the words around it say that a person holds the position:
a label (*Cargo: …*), a verb (*arbeitet als …*), a name beside it, an employer behind it; and alone with its field (*Responsable des ventes*). English positions
are found by our own net, from the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.types import Finding, all_of
from ...words.english import english
from ...words.lazy_pattern import LazyPattern
from ...words.phrases import Phrases, flags_of
from ...words.words import LONGEST_WORD, function_words, given_names, lists_of, small_words_abroad
from ..filters.foreign import evidence, is_foreign, known

LISTS = Phrases("positions")

_LONGEST = 600
_TELLING = 6
"""Letters from which a word without a mark tells its language, where nothing else in the text does."""
_WHOSE = frozenset({"PERSON", "ORGANIZATION"})
"""What stands beside a position."""
_ROLES = LISTS.words("ROLES")
"""Words for people that are roles in a program, too."""
_MARKS = "\u0591-\u05c7\u064b-\u0652\u0900-\u0903\u093a-\u094f"
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}]|[-־״](?=[^\W\d_]))*")
_SEPARATOR = r"|·•—–\t\n/;:()\[\]→>،、，"
_EDGE = re.compile(rf"(?:\A|[{_SEPARATOR}]|[,-][ ])[ \"'*]*\Z")
_EDGE_AFTER = re.compile(rf"[ \"'*.»]*(?:\Z|[{_SEPARATOR},])")
_MORE_OF_LINE = re.compile(r"(?:[ ][^\W\d_]{3,}){1,2}(?=[ ]*(?:\Z|[|·•\t\n/;()]))")
_REST_OF_CELL = re.compile(r"[^|·•\t\n;,.()]{0,40}")
_NAMED_AFTER = re.compile(r"[^\W\d_][\w'’-]+[ ](?:von[ ]|van[ ])?[^\W\d_a-zß-ÿ]")
_NEXT = re.compile(r"[ -](?P<a>[^\W\d_]{3,}(?:-[^\W\d_]+)*)")
_NEXT_SMALL = re.compile(r"[ ](?P<a>[^\W\d_]{3,})(?=[ ]*(?:[,.;:()|\t\n—–]|\Z|[ ](?-i:[^\W\d_a-zà-öø-ÿ])))")
_DENSE_GATE = re.compile(r"[\u3041-\u30fa\u3400-\u9fff\uac00-\ud7af]")
_DENSE_LETTER = re.compile(r"[\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]")
_DENSE_RUN = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff\uac00-\ud7af]{2,12}")


def _rule(name: str) -> LazyPattern:
    """Return the pattern of one rule of `positions.txt`."""
    flags, pattern = _RULES[name]
    return LazyPattern(pattern, flags_of(flags))


_RULES = {name: (flags, pattern) for name, flags, pattern in (rule.split(" ", 2) for rule in LISTS.rules())}
_LABEL, _SAID, _OWN, _THE, _OURS = map(_rule, ("label", "said", "own", "the", "ours"))
_EMPLOYER, _GIVEN_TO, _NAMED = map(_rule, ("employer", "given_to", "named"))
_RANK, _ADJECTIVE, _AS_HEAD, _OF, _AND_MORE, _FIELD, _OF_RUSSIAN = map(
    _rule, ("rank", "adjective", "as_head", "of", "and_more", "field", "of_russian")
)
_BESIDE, _DENSE_BESIDE, _DENSE, _VIETNAMESE, _WORKS, _LEARNED = map(
    _rule, ("beside", "dense_beside", "dense", "vietnamese", "works", "learned")
)
_NO_FIELD, _NOT_OF = LISTS.words("NO_FIELD"), LISTS.words("NOT_OF")
_ROMANCE, _GERMANIC = tuple(LISTS.ROMANCE.split("|")), ("de", "nl")
_WITH_NEXT = LISTS.words("WITH_NEXT")
"""Languages in which what a position is of follows it as a word of its own."""
_IN_CASES = frozenset(lists_of("occupations_abroad.txt"))
"""Languages whose words stand in cases, or have a letter in front: what else is known of them is less."""
_ENDINGS = {name: tuple(ends.split()) for name, _, ends in (part.partition(" ") for part in LISTS.ENDINGS.split("|"))}
_NOMINATIVE = LISTS.words("NOMINATIVE")
"""What stands in lists where another case has its ending."""
_FORMS = tuple(part.split() for part in LISTS.FORMS.split("|"))
"""Languages, how a word for a man ends, and what stands there in the one for a woman."""
_FIELD_ENDS, _VERB_ENDS = tuple(LISTS.FIELD_ENDS.split("|")), tuple(LISTS.VERB_ENDS.split("|"))


@lru_cache(maxsize=1)
def _jobs() -> dict[str, frozenset[str]]:
    lists = lists_of("occupations_foreign.txt")
    return {kind: frozenset(form for word in words for form in _forms(word, kind)) for kind, words in lists.items()}


def _forms(word: str, language: str) -> Iterable[str]:
    """Yield the male and the female form of a word for a position."""
    yield word
    for languages, man, woman in _FORMS:
        if language in languages.split("/") and word.endswith(man):
            yield word.removesuffix(man) + woman


@lru_cache(maxsize=1)
def _abroad() -> dict[str, tuple[str, ...]]:
    """Return the languages of each word of `occupations_abroad.txt`, in the order of the file."""
    found: dict[str, list[str]] = {}
    for language, words in lists_of("occupations_abroad.txt").items():
        for word in words if language not in ("dense", "weak") else ():
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


@lru_cache(maxsize=1)
def _by_ending() -> dict[str, frozenset[str]]:
    """Return for each ending the languages that have it."""
    every = {end for ends in _ENDINGS.values() for end in ends}
    return {end: frozenset(language for language, ends in _ENDINGS.items() if end in ends) for end in every}


@lru_cache(maxsize=20_000)
def _language(small: str) -> str:
    """Return the language in which a word is a position, or the empty string. German compounds count: *Sparkassenfilialleiter*."""
    for language in (*_ROMANCE, "nl"):
        if small in _jobs()[language]:
            return language
    if len(small) > _TELLING + 1 and (ends := _LEARNED.now.search(small)) and not known(small):
        return ends.lastgroup or ""
    last = small.rpartition("-")[2]
    cuts = range(3, len(last) - 3) if len(last) <= LONGEST_WORD else ()
    if last in _jobs()["de"] or any(last[cut:] in _jobs()["de"] for cut in cuts):
        return "de"
    first = small.partition("-")[0]
    return (_language(first) if first != small else "") or _in_a_case(_plain(small))


@lru_cache(maxsize=20_000)
def _languages(small: str) -> tuple[str, ...]:
    """Return the languages in which a word may be a position, the most likely first."""
    of_english = small in occupations("people") or small in occupations("also")
    return tuple(dict.fromkeys(filter(None, (_language(small), _in_a_case(_plain(small)), "en" if of_english else ""))))


def _plain(small: str) -> str:
    """Return an Arabic word without the article that is prefixed to it."""
    return small[2:] if small.startswith("ال") and len(small) > 4 else small


def _in_a_case(small: str) -> str:
    """Return the language in which a word, in any grammatical case, is a position, or the empty string."""
    words = _abroad()
    if small in words:
        return words[small][0]
    for length in range(min(4, len(small) - 4), 0, -1):
        having = _by_ending().get(small[-length:], frozenset())
        for end in ("", *_NOMINATIVE) if having else ():
            for language in words.get(small[:-length] + end, ()):
                if language in having:
                    return language
    nordic = lists_of("occupations_abroad.txt")["nordic"]
    if 8 < len(small) <= LONGEST_WORD and any(small[cut:] in nordic for cut in range(3, len(small) - 4)):
        return "nordic"
    return ""


class _PositionFinder:
    """Finds positions in one text, given the people and companies that were found in it."""

    def __init__(self, text: str, beside: Sequence[Finding]) -> None:
        self.text = text
        self.beside = [f for f in beside if f.entity in _WHOSE]
        self.people = [f for f in beside if f.entity == "PERSON"]
        self.words = list(_WORD.finditer(text))
        self.uncased = text.islower() or text.isupper()
        self.plain = text.isascii() and not is_foreign(text)

    def positions(self) -> Iterable[Finding]:
        """Yield the positions in languages with spaces."""
        taken = -1
        for at, word in enumerate(self.words):
            small = word[0].lower()
            if word.start() < taken or len(small) < 3:
                continue
            for language in _languages(small):
                if language in _IN_CASES and word[0].isascii() and not self._tells(small):
                    continue
                start, end = self._begin(at, language), self._end(word.end(), language)
                if self._licensed(start, end, small, language, longer=end > word.end() or start < word.start()):
                    taken = self._rest(start, end) if language not in _IN_CASES and language != "en" else end
                    yield Finding(start, taken, "TITLE", 0.5)
                    break

    def _tells(self, small: str) -> bool:
        """Return whether an ASCII word is of another language, and a position by itself."""
        return not english(small) and (not self.plain or (len(small) >= _TELLING and small in _abroad()))

    def _begin(self, at: int, language: str) -> int:
        """Return the offset at which a position begins: with the rank before it, and in Turkish and Hindi with the field before it."""
        start = self.words[at].start()
        for before in reversed(self.words[max(0, at - 2) : at]):
            small = before[0].lower()
            if self.text[before.end() : start] not in (" ", "-") or any(
                f.start < before.end() <= f.end for f in self.beside
            ):
                break
            begins = language == "hi" and _EDGE.search(self.text, 0, before.start()) is not None
            like = before[0][0].islower() == self.words[at][0][0].islower()
            own = (language == "tr" or begins) and small not in _NOT_OF and like
            own = own or (language == "en" and like and english(small) and small not in _small())
            if not (own or _RANK.now.fullmatch(before[0]) or _language(small)):
                break
            start = before.start()
        return start

    def _end(self, end: int, language: str) -> int:
        """Return the offset at which a position ends: behind its adjectives, the words for its field (*of sales*), and in German and Dutch the noun
        for its field.
        """
        text = self.text
        if language == "ru":
            of = _OF_RUSSIAN.now.match(text, end)
            return of.end() if of else end
        if language in _WITH_NEXT:
            more = _NEXT_SMALL.match(text, end)
            ends = (
                more is not None
                and (more["a"].islower() or not text[end - 1].islower())
                and more["a"].lower() not in _NOT_OF
            )
            return more.end("a") if more and ends else end
        if language in _IN_CASES or language == "en":
            return end
        if chief := _AS_HEAD.now.match(text, end):
            end = chief.end()
        if (
            language in _GERMANIC
            and not self.uncased
            and (field := _FIELD.now.match(text, end))
            and self._is_field(field)
        ):
            return field.end()
        small = False
        for _ in range(3):
            following = _NEXT.match(text, end)
            if language in _ROMANCE and following and self._is_said_of(following["a"]):
                end = following.end()
                continue
            of = _OF.now.match(text, end)
            # Whose position it is does not belong to it: *gerente de sucursal del Banco …*
            if not of or of["a"].lower() in _NO_FIELD or (small and not self.uncased and of["a"][0].isupper()):
                break
            end, small = of.end(), of["a"][0].islower()
            if (more := _NEXT.match(text, end)) and language in _ROMANCE and _ADJECTIVE.now.fullmatch(more["a"]):
                end = more.end()
            more = _AND_MORE.now.match(text, end)
            if more and (self.uncased or more["a"].islower() or not small):
                end = more.end()
        return end

    def _is_said_of(self, word: str) -> bool:
        """Return whether a word behind a position is an adjective of it, or another position."""
        small = word.lower()
        return bool(_ADJECTIVE.now.fullmatch(word) or _language(small)) and (
            self.uncased or word.islower() or known(small)
        )

    def _is_field(self, field: re.Match[str]) -> bool:
        """Return whether a noun behind a position is its field and no name: *Leiter Einkauf*."""
        small = field["a"].lower()
        verb = any(small.endswith(end) and known(small.removesuffix(end) + "en") for end in _VERB_ENDS)
        if verb or small in small_words_abroad():  # its capital was given: *Stationsleitung Auf Der 3b*
            return False
        ends = _EDGE_AFTER.match(self.text, field.end()) and small not in given_names()
        return (
            known(small)
            or small.endswith(_FIELD_ENDS)
            or bool(ends and not _NAMED_AFTER.match(self.text, field.start()))
        )

    def _rest(self, start: int, end: int) -> int:
        """Return the end of the cell or line if a position with unlisted words fills it, else the position's own end."""
        if _LABEL.now.search(self.text, max(0, start - 40), start):
            rest = _REST_OF_CELL.match(self.text, end)
            return end + len(rest[0].rstrip()) if rest else end
        more = _MORE_OF_LINE.match(self.text, end) if _EDGE.search(self.text, 0, start) else None
        return more.end() if more else end

    def _licensed(self, start: int, end: int, small: str, language: str, longer: bool) -> bool:
        """Return whether the words around a position say that a person holds it."""
        text, before = self.text, self.text[max(0, start - 60) : start]
        if language in _IN_CASES:
            return bool(_LABEL.now.search(before) or _OURS.now.search(before)) or self.is_adjacent(start, end)
        if language == "en":
            told = longer or small in occupations("people")
            return told and _EDGE_AFTER.match(text, end) is not None and self.is_adjacent(start, end, people=True)
        everybodys = small in _jobs()["weak"]
        weak = everybodys or (known(small) and "-" not in small)
        edge_after = _EDGE_AFTER.match(text, end) is not None
        line_after = _MORE_OF_LINE.match(text, end) is not None
        if _LABEL.now.search(before):
            return not weak or longer
        if self.is_adjacent(start, end, people=True):
            return longer or not weak or edge_after or line_after
        begins = _EDGE.search(before) is not None
        the = _THE.now.search(before) is not None
        named = _NAMED.now.search(before) is not None
        if not self.uncased and ((named and edge_after) or ((begins or the) and _GIVEN_TO.now.match(text, end))):
            return longer or not weak or named
        native, foreign = evidence(text)
        if native > foreign:
            return False
        if (
            begins
            and (edge_after or (not weak and line_after))
            and longer
            and not (weak and _everybodys(text[start:end]))
        ):
            return True
        said = _OWN.now.search(before) is not None or _SAID.now.search(before) is not None
        if not everybodys and (said or (longer and the)):
            return True
        if weak and not longer:
            return False
        employed = not weak and not self.uncased and begins and _EMPLOYER.now.match(text, end) is not None
        return said or (not weak and the) or employed

    def is_adjacent(self, start: int, end: int, people: bool = False, between: LazyPattern = _BESIDE) -> bool:
        """Return whether a person or a company was found right before or behind a span."""
        return any(
            (f.end <= start and between.now.fullmatch(self.text, f.end, start))
            or (end <= f.start and between.now.fullmatch(self.text, end, f.start))
            for f in (self.people if people else self.beside)
        )

    def in_dense(self) -> Iterable[Finding]:
        """Yield the positions in Chinese, Japanese and Korean, by their last letters or a list, if a person, a company or a label stands beside them."""
        for match in _DENSE.now.finditer(self.text):
            start, end = match.span()
            inside = [f for f in self.beside if f.start < end and start < f.end]
            if inside:  # letters of the name before are none of the position's
                start = max((f.end for f in inside if f.start <= start), default=start)
                end = min((f.start for f in inside if f.start >= start), default=end)
            around = self.text[max(0, start - 1) : start] + self.text[end : end + 1]
            if (
                end - start > 1
                and (inside or not _DENSE_LETTER.search(around))
                and self._has_dense_evidence(start, end)
            ):
                yield Finding(start, end, "TITLE", 0.5)
        listed = lists_of("occupations_abroad.txt")["dense"]
        for match in _DENSE_RUN.finditer(self.text):
            if match[0] in listed and self._has_dense_evidence(*match.span()):
                yield Finding(*match.span(), "TITLE", 0.5)

    def _has_dense_evidence(self, start: int, end: int) -> bool:
        beside = self.is_adjacent(start, end, between=_DENSE_BESIDE)
        return beside or _LABEL.now.search(self.text, max(0, start - 20), start) is not None


def find_positions(text: str, beside: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield positions. `beside` holds the people and companies that were found already."""
    if len(text) > _LONGEST:
        return
    read = _PositionFinder(text, beside)
    if _DENSE_GATE.search(text):
        yield from read.in_dense()
    if not text.isascii():
        for match in _VIETNAMESE.now.finditer(text):
            if (
                _LABEL.now.search(text, 0, match.start())
                or _OURS.now.search(text, 0, match.start())
                or read.is_adjacent(*match.span())
            ):
                yield Finding(*match.span(), "TITLE", 0.5)
    yield from (Finding(*m.span("s"), "TITLE", 0.5) for m in _WORKS.now.finditer(text) if not _everybodys(m["s"]))
    yield from read.positions()


def _everybodys(said: str) -> bool:
    """Return whether each word is one of interfaces: *agente de usuario*."""
    return all(known(w[0].lower()) for w in _WORD.finditer(said) if len(w[0]) > 2)


def _small() -> frozenset[str]:
    return function_words("company") | function_words("small") | function_words("sentence")


@lru_cache(maxsize=32)
def occupations(kind: str) -> frozenset[str]:
    """Return the words of one kind of `occupations.txt`."""
    listed = lists_of("occupations.txt")
    trades = listed.get("trades", frozenset()) if kind == "people" else frozenset()
    return listed.get(kind, frozenset()) | trades


def position_of_cell(cell: str) -> Finding | None:
    """Return a finding of the whole text if one of its words is an English word for a position. Its label asks for an
    occupation.
    """
    words = [w.lower() for w in _WORD.findall(cell)]
    if not 0 < len(words) < 8 or any(w in occupations("captions") for w in words):
        return None
    told = any(w in occupations("people") or (w in occupations("also") and w not in _ROLES) for w in words)
    return all_of(cell, "TITLE", 0.5) if told else None
