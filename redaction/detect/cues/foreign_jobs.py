"""What somebody works as in German, French, Spanish, Italian, Portuguese and Dutch, by the words of `occupations_foreign.txt`: *Leiterin Einkauf*, *directrice adjointe*,
*capataz de obra*.

A word for a job alone is nobody's: interfaces have a *Responsable*, too. It counts where what stands around it says that somebody does it: a label (*Cargo: …*), a verb (*arbeitet
als …*), a name beside it, an employer behind it; and alone where it says of what (*Responsable des ventes*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ...contracts.types import Finding
from ...words.late import Late
from ...words.phrases import Phrases
from ...words.words import LONGEST_WORD, given_names, lists_of, small_words_abroad
from ..filters.foreign import evidence, known

LISTS = Phrases("foreign_jobs")

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LONGEST = 600
_LEAST_COMPOUND = 3
"""Letters before a word for a job that make a German compound of it."""
_LEAST_LEARNED = 7
_LEARNED = re.compile(
    r"(?:(?P<fr>ologue|thérapeute|iatre|graphe|ologiste|icien(?:ne)?|ographe)|(?P<es>[oó]log[oa]|[oó]graf[oa]|terapeuta|[íi]atra|ista)|(?P<de>olog(?:e|in)|therapeut(?:in)?|graf(?:in)?|iater(?:in)?|ist(?:in)|techniker(?:in)?)|"
    r"(?P<nl>oloog|kundige|therapeute?|arts))\Z"
)
"""Ends of words for people who learned something, whatever it is."""
_SEPARATOR = r"|·•—–\t\n/;()\[\]:→>"
_EDGE = re.compile(rf"(?:\A|[{_SEPARATOR}]|[,-][ ])[ \"'*]*\Z")
_EDGE_AFTER = re.compile(rf"[ \"'*.]*(?:\Z|[{_SEPARATOR}]|[,][ ])")
_LABEL = Late(
    rf"(?<![\w-])(?:{LISTS.LABEL})(?:[ ](?:{LISTS.LABEL_2}))?[ ]?[:=\t\n][ ]*\Z",
    re.IGNORECASE,
)
_SAID = Late(
    rf"(?<![\w-])(?:(?:als|como|comme|come|zum|zur|en[ ]tant[ ]que)(?:[ ](?:einer?n?|une?|uma?|una|uno|een))?|en[ ]tant[ ]qu['’]une?|(?:{LISTS.SAID})(?:[ ](?:einer?n?|une?|uma?|una|uno|een|el|la|le|o|a|il|de|der|die))?|(?:{LISTS.SAID_2})(?:[ ](?:einer?n?|une?|uma?|una|uno|een))?)[ ](?:neue[rns]?[ ]|nouvel(?:le)?[ ]|nuev[oa][ ]|nov[oa][ ]|nuov[oa][ ]|nieuwe[ ])?\Z",
    re.IGNORECASE,
)
_OWN = Late(
    rf"(?<![\w-])(?:{LISTS.OWN})[ ](?:neue[rns]?[ ]|nouveau[ ]|nouvelle[ ]|nuev[oa][ ]|nov[oa][ ]|nuov[oa][ ]|nieuwe[ ])?\Z",
    re.IGNORECASE,
)
_THE = re.compile(
    rf"(?<![\w-])(?:{LISTS.THE})[ ]\Z|(?<![\w-])l['’]\Z",
    re.IGNORECASE,
)
_EMPLOYER = re.compile(
    rf",?[ ](?:{LISTS.EMPLOYER})[ ](?:der[ ]|dem[ ]|la[ ]|el[ ]|de[ ]|het[ ]|l['’])?(?=[^\W\d_a-zß-ÿ])"
)
_GIVEN_TO = re.compile(
    rf"(?:[ ]|,[ ]|:[ ]|[ ]?[–—-][ ]|[ ]?\n)(?:(?:{LISTS.GIVEN_TO})\b\.?[ ])?[^\W\d_a-zß-ÿ][\w'’-]+[ ](?:d[aeo]s?[ ]|von[ ]|van[ ])?[^\W\d_a-zß-ÿ][\w'’-]+"
)
_NAMED = re.compile(
    r"(?<![\w-])[^\W\d_a-zß-ÿ][\w'’-]+(?:[ ](?:d[aeo]s?[ ]|von[ ]|van[ ]|de[ ]la[ ])?[^\W\d_a-zß-ÿ][\w'’.-]+)+(?:,[ ]|[ ]?\(|[ ]?[|·–—-][ ]|\t|[ ]?\n)[ ]*\Z"
)
_RANK = Late(
    LISTS.RANK,
    re.IGNORECASE,
)
"""What stands before a word for a job and belongs to it."""
_ADJECTIVE = Late(
    rf"(?:{LISTS.ADJECTIVE})",
    re.IGNORECASE,
)
_AS_HEAD = re.compile(
    rf"[ ](?:{LISTS.AS_HEAD})(?!\w)",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"[ ](?:(?:{LISTS.OF})(?:(?<=['’])|[ ]))(?P<a>[^\W\d_][^\W_]+(?:-[^\W\d_]+)*)",
    re.IGNORECASE,
)
_AND_MORE = re.compile(
    r"[ ](?:(?:y|e|et|und|&|en|o)[ ](?:d[aeo]s?[ ]|del[ ]|de[ ]la[ ]|d['’])?)(?P<a>[^\W\d_]{3,})", re.IGNORECASE
)
_NEXT = re.compile(r"[ -](?P<a>[^\W\d_]{3,}(?:-[^\W\d_]+)*)")
_FOREIGN_FIELD = re.compile(
    r"[ ](?P<a>(?-i:[^\W\d_a-zß-ÿ])[^\W\d_]+)(?:[ ](?:&|und|en)[ ](?-i:[^\W\d_a-zß-ÿ])[^\W\d_]+)?"
)
_GERMANIC = frozenset(["de", "nl"])


@lru_cache(maxsize=1)
def _jobs() -> dict[str, frozenset[str]]:
    lists = lists_of("occupations_foreign.txt")
    return {kind: frozenset(form for word in words for form in _forms(word, kind)) for kind, words in lists.items()}


def _forms(word: str, language: str) -> Iterable[str]:
    """Yield a word for a man and for a woman."""
    yield word
    if language == "de" and word.endswith(
        ("er", "ist", "ent", "ant", "or", "eur", "är", "oge", "ar", "wirt", "rat", "pilot")
    ):
        yield (word.removesuffix("e") if word.endswith("oge") else word) + "in"
    if language in ("es", "pt") and word.endswith(("or", "ês", "és", "án")):
        yield word + "a"
    if language in ("es", "pt", "it", "weak") and word.endswith("o"):
        yield word[:-1] + "a"
    if language == "it" and word.endswith("tore"):
        yield word[:-4] + "trice"
    if language == "it" and word.endswith("iere"):
        yield word[:-1] + "a"


@lru_cache(maxsize=20_000)
def _language(small: str) -> str:
    """Return the language of which a word is a job, or nothing. German puts words together: *Sparkassenfilialleiter*."""
    jobs = _jobs()
    for language in ("es", "pt", "fr", "it", "nl"):
        if small in jobs[language]:
            return language
    if len(small) > _LEAST_LEARNED and (ends := _LEARNED.search(small)) and not known(small):
        return ends.lastgroup or ""
    last = small.rpartition("-")[2]
    cuts = range(_LEAST_COMPOUND, len(last) - 3) if len(last) <= LONGEST_WORD else ()
    if last in jobs["de"] or any(last[cut:] in jobs["de"] for cut in cuts):
        return "de"
    first = small.partition("-")[0]
    return _language(first) if first != small else ""


def find_foreign_jobs(text: str, people_at: Sequence[Finding] = ()) -> Iterable[Finding]:
    """Yield positions in these languages. ``people_at``: people that are found already."""
    if len(text) > _LONGEST:
        return
    if ":" in text or "=" in text:
        yield from _asked(text)
    yield from (Finding(*m.span("s"), "TITLE", 0.5) for m in _WORKS.now.finditer(text) if not _everybodys(m["s"]))
    words = list(_WORD.finditer(text))
    uncased = text.islower() or text.isupper()
    taken = -1
    for at, word in enumerate(words):
        small = word[0].lower()
        if word.start() < taken or len(small) < 3 or not (language := _language(small)):
            continue
        start = _begin(text, words, at)
        end = _end(text, word.end(), language, uncased)
        if _licensed(
            text,
            start,
            end,
            small,
            longer=end > word.end() or start < word.start(),
            uncased=uncased,
            people_at=people_at,
        ):
            if _LABEL.now.search(text, max(0, start - 40), start):
                end = max(end, _of_cell(text, end))
            elif _EDGE.search(text, 0, start) and (more := _MORE_OF_LINE.match(text, end)):
                end = more.end()
            taken = end
            yield Finding(start, end, "TITLE", 0.5)


def _begin(text: str, words: Sequence[re.Match[str]], at: int) -> int:
    start = words[at].start()
    for before in reversed(words[max(0, at - 2) : at]):
        if text[before.end() : start] not in (" ", "-") or not (
            _RANK.now.fullmatch(before[0]) or _language(before[0].lower())
        ):
            break
        start = before.start()
    return start


def _end(text: str, end: int, language: str, uncased: bool) -> int:
    """Return where a position ends: with adjectives, with what it is of, and in German and Dutch with the field behind it."""
    if chief := _AS_HEAD.match(text, end):
        end = chief.end()
    if language in _GERMANIC and not uncased and (field := _FOREIGN_FIELD.match(text, end)) and _is_field(text, field):
        return field.end()
    small = False
    for _ in range(3):
        following = _NEXT.match(text, end)
        if (
            language not in _GERMANIC
            and following
            and (_ADJECTIVE.now.fullmatch(following["a"]) or _language(following["a"].lower()))
            and (uncased or following["a"].islower() or known(following["a"].lower()))
        ):
            end = following.end()
        elif (
            (of := _OF.match(text, end))
            and of["a"].lower() not in _NO_FIELD
            and not (
                small and not uncased and of["a"][0].isupper()
            )  # whose position it is: *gerente de sucursal del Banco …*
        ):
            end = of.end()
            small = of["a"][0].islower()
            if (more := _NEXT.match(text, end)) and language not in _GERMANIC and _ADJECTIVE.now.fullmatch(more["a"]):
                end = more.end()
            if (more := _AND_MORE.match(text, end)) and (
                uncased or more["a"].islower() or text[of.start("a")].isupper()
            ):
                end = more.end()
        else:
            break
    return end


def _is_field(text: str, field: re.Match[str]) -> bool:
    """Return whether a noun behind a position says of what it is, rather than who: *Leiter Einkauf*."""
    small = field["a"].lower()
    if small in small_words_abroad() or _german_verb(small):  # its capital was given: Stationsleitung Auf Der 3b
        return False
    return (
        known(small)
        or small.endswith(("ik", "ie", "ung", "wesen", "dienst", "tion", "recht", "bau"))
        or (
            _EDGE_AFTER.match(text, field.end()) is not None
            and small not in given_names()
            and not _NAMED_AFTER.match(text, field.start())
        )
    )


def _german_verb(small: str) -> bool:
    """Return whether a word is a form of a known verb: *arbeitet*, *ruft*."""
    return any(small.endswith(end) and known(small.removesuffix(end) + "en") for end in ("t", "et", "te", "ete"))


_NAMED_AFTER = re.compile(r"[^\W\d_][\w'’-]+[ ](?:von[ ]|van[ ])?[^\W\d_a-zß-ÿ]")
_MORE_OF_LINE = re.compile(r"(?:[ ][^\W\d_]{3,}){1,2}(?=[ ]*(?:\Z|[|·•\t\n/;()]))")
_NO_FIELD = LISTS.words("NO_FIELD")


_ASKED = Late(
    rf"(?:\A|(?<=[|·•\t\n/;,(]))[ ]*(?:{LISTS.ASKED})(?:[ ][^\W\d_]+)?[ ]?[:=][ ]*(?P<s>[^|·•\t\n;:()]{{3,60}}?)(?=[ ]*(?:\Z|[|·•\t\n;()]|[.,][ ]|\.\Z))",
    re.IGNORECASE,
)
"""A label that asks for a position and for nothing else: what follows is one, though no list has its words."""


_WORKS = Late(
    rf"(?<![\w-])(?:{LISTS.WORKS})(?:[ ][^\W\d_]+){{0,4}}?[ ](?:als|como|comme|come)[ ](?:einer?n?[ ]|une?[ ]|uma?[ ]|una[ ]|uno[ ]|een[ ])?(?P<s>[^\W\d_][\w'’-]+(?:[ ][^\W\d_][\w'’-]*){{0,5}}?)(?=[ ]*(?:[.,;:()!?\n|]|\Z)|[ ](?:{LISTS.WORKS_2})[ ])",
    re.IGNORECASE,
)
"""Who works as something."""


def _asked(text: str) -> Iterable[Finding]:
    for match in _ASKED.now.finditer(text):
        words = [w[0].lower() for w in _WORD.finditer(match["s"])]
        if (
            0 < len(words) < 8
            and not _everybodys(match["s"])
            and not any(w in _jobs()["weak"] for w in words if len(words) == 1)
        ):
            yield Finding(*match.span("s"), "TITLE", 0.5)


_REST_OF_CELL = re.compile(r"[^|·•\t\n;,.()]{0,40}")


def _of_cell(text: str, end: int) -> int:
    rest = _REST_OF_CELL.match(text, end)
    return end + len(rest[0].rstrip()) if rest else end


def _licensed(
    text: str, start: int, end: int, small: str, longer: bool, uncased: bool, people_at: Sequence[Finding]
) -> bool:
    """Return whether what stands around it says that somebody does it."""
    before = text[max(0, start - 60) : start]
    weak = small in _jobs()["weak"] or (known(small) and "-" not in small)
    if _LABEL.now.search(before):
        return not weak or longer
    if any(
        (f.end <= start and _BESIDE.now.fullmatch(text, f.end, start))
        or (end <= f.start and _BESIDE.now.fullmatch(text, end, f.start))
        for f in people_at
    ):
        return longer or not weak or (_EDGE_AFTER.match(text, end) or _MORE_OF_LINE.match(text, end)) is not None
    if not uncased and (
        (_NAMED.search(before) and _EDGE_AFTER.match(text, end))
        or ((_EDGE.search(before) or _THE.search(before)) and _GIVEN_TO.match(text, end))
    ):
        return longer or not weak or _NAMED.search(before) is not None
    english, foreign = evidence(text)
    if english > foreign:
        return False
    edge_after = _EDGE_AFTER.match(text, end) or (not weak and _MORE_OF_LINE.match(text, end))
    if _EDGE.search(before) and edge_after and longer and (not weak or not _everybodys(text[start:end])):
        return True
    told = small not in _jobs()["weak"]
    if told and (_OWN.now.search(before) or _SAID.now.search(before) or (longer and _THE.search(before))):
        return True
    if weak and not longer:
        return False
    return bool(
        _SAID.now.search(before)
        or _OWN.now.search(before)
        or (not weak and _THE.search(before))
        or (not weak and not uncased and _EMPLOYER.match(text, end) and _EDGE.search(before))
    )


def _everybodys(said: str) -> bool:
    """Return whether each word is one of interfaces: *agente de usuario*."""
    return all(known(w[0].lower()) for w in _WORD.finditer(said) if len(w[0]) > 2)


_BESIDE = Late(
    rf"(?:,?[ ]|,?[ ]?[|·•:–—→>-][ ]?|[ ]?\(|[ ]?\t|[ ]*\n[ ]*)(?:(?:{LISTS.BESIDE})[ ]?)?(?:(?:Herrn?|Frau|Sr|Sra|Srta|Dr|Dra|M|Mme|Mlle|Sig|Dhr|Mevr)\.?[ ])?",
    re.IGNORECASE,
)
