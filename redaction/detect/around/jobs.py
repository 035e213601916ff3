"""What somebody works as, by the last word of an occupation (`occupations.txt`), the words that belong to it, and what stands beside both.

Where :mod:`.positions` knows phrases, here any occupation counts in any of these places: said of somebody (*she is a loss adjuster*), beside a name
(*Ana Silvera, pharmacist*; *Midwife Ana*), under a label (*Occupation: beekeeper*), before a company (*the procurement lead at Veldorin*), alone in a cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...contracts.types import Finding, all_of
from ...words.english import english, ordinary
from ...words.script_lists import name_lists
from ...words.words import TECHNOLOGY, english_words, function_words, given_names
from ..judging.foreign import is_foreign, known
from .job_phrases import are_a_job, ends_a_pair
from .job_words import businesslike, captioned, fields, occupations, paired, tells, weak
from .positions import NO_POSITION, RANKS, TOOLS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SMALL = function_words("company") | function_words("small") | function_words("sentence")
_MOST_BEFORE = 4
"""Words before the last one that may belong to an occupation."""
_SHORT = 4
"""Words up to which it takes no other language to say them: *Head Chef*, *Land surveyor*."""
_NAME = r"[^\W\d_a-z][\w'’-]+"
_SAID = re.compile(
    r"\b(?:(?:is|was|am|are|were|be|been|being|becom(?:e|es|ing)|became|remains|he['’]s|she['’]s|i['’]?m|who['’]s)[ ](?:now[ ]|currently[ ]|also[ ]|still[ ]|not[ ]|just[ ])?(?:an?|the|our|their|my|his|her|its)|as(?:[ ](?:an?|the|our))?|"
    r"(?:promoted|appointed|elected|named|nominated|retrained|qualified|trained|ordained|hired|employed|demoted|sworn[ ]in)(?:[ ]her|[ ]him|[ ]me|[ ]them)?[ ](?:to|as|from)?[ ]?(?:an?|the|our)?|"
    r"(?:promoted|moved|went|rose|risen|switched)[ ]from[ ][\w -]{3,40}?[ ]to|(?:hiring|recruiting|seeking|(?:looking|advertis(?:ing|ed)|appl(?:y|ied)|interview(?:ed|ing)?)[ ]for|wanted:?|vacancy(?:[ ]for|:)?|"
    r"(?:job|position|post|role|career|offer|contract|salary|licence|license)[ ](?:as|of|for))[ ]?(?:an?|the|our|two|three|more)?|previously|formerly|currently|once)[ ](?:new[ ]|former[ ]|old[ ]|first[ ])?\Z",
    re.IGNORECASE,
)
_HIRED_AS = re.compile(
    r"\b(?:join(?:s|ed|ing)?|hired|appointed|named|promoted|serv(?:es|ed|ing)|work(?:s|ed|ing)?|start(?:s|ed)?|elected|trained|qualified)\b[^.!?\n]{0,60}\b(?:as|to)[ ](?:an?[ ]|the[ ]|our[ ]|its[ ])?\Z|"
    r"\b(?:appointed|named|made|elected|promoted)(?:[ ](?-i:[^\W\d_a-z])[\w'’-]+){1,3}[ ](?:as[ ])?(?:an?[ ]|the[ ]|its[ ]|their[ ])?\Z",
    re.IGNORECASE,
)
_OWNED_BY = re.compile(r"[^\W\d_a-z][\w-]+['’]s[ ](?:new[ ]|former[ ]|old[ ])?\Z")
_OF_A_THING = re.compile(
    r"[ ](?:roles?|accounts?|names?|list|ids?|pages?|views?|fees?|office|school|jobs?|positions?|training|dashboard|portal|app|records?|notes?|schedules?|profiles?|mode|panel|type|field|group|permissions?|access|settings?|user|code|number|details|only|can)\b",
    re.IGNORECASE,
)
"""What makes something of a program out of a person: *the cashier role*."""
_FROM = re.compile(r"\b(?:promoted|moved|went|rose|switched|retrained)[ ]from[ ](?:an?[ ])?\Z", re.IGNORECASE)
_DETERMINED = re.compile(
    r"\b(?:an?|our|their|my|his|her|its|your|the|another|new|former)[ ](?:new[ ]|former[ ]|old[ ]|current[ ])?\Z",
    re.IGNORECASE,
)
_AND = re.compile(
    r"(?:\b(?:is|was|am|be|been|as)|['’][sm])[ ](?:an?|the|our)[ ][\w' ’-]{3,40}[ ](?:and|&|or|turned)[ ](?:an?[ ]|the[ ]|our[ ])?\Z|"
    r"\b(?:mother|father|wife|husband|sister|brother|son|daughter|partner|mum|mom|dad|aunt|uncle|cousin|friend|neighbou?r)(?:[ ](?:is|was)|,)?[ ]an?[ ]\Z",
    re.IGNORECASE,
)
_MADE = re.compile(
    r"\b(?:is|was|been|became|become|be|as|appointed|named|elected|made|currently|now)[ ]\Z", re.IGNORECASE
)
_INITIALS = re.compile(
    r"\b(?:is|was|as|became|our|the|new|former|current|appointed|named|its|their|and|\w['’]s)[ ]\Z", re.IGNORECASE
)
_OWN = re.compile(r"\b(?:an?|our|their|my|his|her|its|former)[ ](?:new[ ]|former[ ]|old[ ])?\Z", re.IGNORECASE)
_LABELLED = re.compile(
    r"(?:\A|(?<=[|·•—–\t\n/;,(\"]))[ \"]*(?:(?:current[ ]|previous[ ]|last[ ]|your[ ]|my[ ])?(?:job(?:[ ]title)?|role|position|occupation|profession|designation|title|post|trade|vocation|employment|works?[ ]as)"
    r"(?:[ ](?:held|applied[ ]for|offered|is|was|title))?)[\" ]{0,2}(?P<mark>[:=\t\n–-]?)[ \"]{0,2}\Z",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(
    rf"(?P<name>(?:{_NAME}|[^\W\d_]\.)(?:[ ](?:{_NAME}|[^\W\d_]\.|de|van|von|da|di|del|der|la|al|bin))*)(?:['’]s)?(?:,[ ]|,?[ ][(\[]|[ ]+[-–—|•·:][ ]+|[ ]?\t|,[ ](?:our|the|an?|their|my|his|her|former|retired)[ ]|:[ ])\Z"
)
_UNCASED_BEFORE = re.compile(
    r"(?P<name>[^\W\d_][\w'’-]+(?:[ ][^\W\d_][\w'’-]+)?)(?:,[ ]|,?[ ][(\[]|[ ]+[-–—|•·][ ]+|[ ]?\t|,[ ](?:our|the|an?|their|my|his|her|former)[ ])\Z"
)
_ENDS = re.compile(
    r"[ ]*(?:[,.;:!?)\]|\n\t\"]|\Z|[-–—•·][ ]|(?:at|of|for|with|in|and|who|from|based|on|by|since|has|had|will|would|can|could|should|must|may|did|does|said|says|told|is|was|start(?:s|ed|ing)|left|leaves|joined|joins|"
    r"wanted|needed|required|next|last|this|today|tomorrow|yesterday|again|then|while|when|where|whose|because|so|if|but|or|over|about|after|before|until|till|during|under|without|via|per|to|as|than|into|here|now|please|wants|needs|called|calls|rang|phoned|asked|asks|gave|gives|sent|sends|came|comes|went|goes|let|lets|took|takes|wrote|writes|thinks|thought|signed|signs|resigned|retired|died|visited|visits|helped|looked|made|[^\W\d_]{2,}ed|[^\W\d_]{2,}ing|attn|c/o)\b)",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"[ ](?:[^\W\d_]{2,}s|found|left|saw|kept|broke|brought|bought|chose|drew|drove|ate|fell|felt|fought|flew|forgot|got|grew|held|hid|hit|knew|led|lent|lost|made|met|put|read|rode|rose|ran|sold|shot|shut|sang|sat|slept|spoke|spent|stood|stole|swore|taught|threw|woke|wore|won)[ ]",
    re.IGNORECASE,
)
"""What somebody does."""
_AT = re.compile(r"[ ](?:at|with|for)[ ](?:the[ ])?(?=[^\W\d_])", re.IGNORECASE)
_FIRM = re.compile(r"[ ](?:at|of|with)[ ](?:the[ ])?[^\W\d_a-z][^\W\d_]+")
_DETERMINED_TOO = re.compile(
    r"\b(?:the|an?|our|their|my|his|her|its)[ ](?:new[ ]|former[ ]|old[ ]|current[ ]|then[ ])?\Z", re.IGNORECASE
)
_NAME_AFTER = re.compile(rf",?[ ](?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\b\.?[ ])?(?P<name>{_NAME})")
_UNCASED_AFTER = re.compile(r",?[ ](?:(?:mr|mrs|ms|miss|dr|prof)\b\.?[ ])?(?P<name>[^\W\d_][\w'’-]+)", re.IGNORECASE)
_OF = re.compile(
    r"[ ](?:of|for|in)[ ](?:the[ ])?(?P<a>[^\W\d_][\w'’-]+)(?:(?:[ ](?:and|&)[ ]|[ ])(?P<b>[^\W\d_][\w'’-]+))?"
)
_LEVEL = re.compile(r"[ ](?:I{1,3}|IV|V|[1-5])(?!\w)")
_GRADE = re.compile(r"[ -](?:\d{1,2}|I{1,3}|IV|V)[ -]")
_GRADED = frozenset(["tier", "level", "grade", "band", "class", "category", "line", "year", "key", "stage"])
_COMMA = re.compile(r",[ ](?P<s>[^\W\d_a-z][\w&-]*(?:[ ](?:and|&|of|[^\W\d_a-z][\w&-]*)){0,3})(?=[ ]*(?:\Z|[\n|\t)]))")
_UNCASED_COMMA = re.compile(_COMMA.pattern.replace("_a-z", "_"))
_OFFICE_AT = re.compile(r"[ ](?:of|at|from)[ ]", re.IGNORECASE)
_IS_A = re.compile(
    r"\b(?:(?:i|he|she|who)(?:['’]?m|['’]s|[ ](?:am|is|was))|works?[ ]as|worked[ ]as|working[ ]as|job[ ]as|hired[ ]as|employed[ ]as)[ ](?:now[ ]|currently[ ]|also[ ])?(?:an?|the|our|their)[ ]\Z",
    re.IGNORECASE,
)
"""What is said of people alone."""
_OURS = re.compile(r"\b(?:our|their)[ ](?:new[ ]|former[ ]|old[ ]|own[ ])?\Z", re.IGNORECASE)
_WANTED = re.compile(
    r"s?[ ](?:urgently[ ])?(?:wanted|needed|required|sought)(?!\w)|[ ]vacanc(?:y|ies)(?!\w)", re.IGNORECASE
)
_ABBREVIATED = frozenset(["sr", "jr", "asst", "dep", "exec", "assoc", "snr", "jnr", "regl", "gen"])
_EDGE = re.compile(r"(?:\A|[|·•\t\n/;,(→]|:[ ]|[ ][-–—][ ])[ \"'*-]*\Z")
_EDGE_AFTER = re.compile(r"[ \"'*.]*(?:\Z|[|·•\t\n/;,)→]|[ ][-–—][ ])")
_REGIONS = frozenset(["EMEA", "APAC", "LATAM", "DACH", "MENA", "ANZ", "UK", "US", "EU"])


def find_jobs(text: str, people_at: Sequence[Finding] = ()) -> list[Finding]:
    """Return what people work as, where what stands around it says that somebody does. ``people_at``: people that are found already."""
    people, also = occupations("people"), occupations("also")
    words = list(_WORD.finditer(text))
    heads = [
        i
        for i, w in enumerate(words)
        if (small := w[0].lower()) in people or small in also or (ends_a_pair(small) and paired(text, words[: i + 1]))
    ]
    if not heads:
        return []
    abroad = len(words) > _SHORT and is_foreign(text)
    uncased = text.islower() or text.isupper()
    found = []
    taken = -1
    for head in heads:
        if head <= taken or (head + 1 in heads and text[words[head].end() : words[head + 1].start()] == " "):
            continue
        first = _first(text, words, head, uncased)
        if words[head][0].lower() == "principal" and first < head and _romance(words[head - 1][0].lower()):
            continue  # "contenu principal", "Página principal"
        if abroad and first == head:
            continue  # two English words are a position in a text of any language
        end = _last(text, words[head], uncased)
        small = words[head][0].lower()
        says = small in people or first < head or small in occupations("short")
        whose = people_at
        if first == head and small in occupations(
            "trades"
        ):  # before a name it is a label, or what the sentence is about
            whose = [f for f in people_at if f.end <= words[head].start()]
        beside = says and _beside(text, words[first].start(), end, whose)
        if beside or _licensed(text, words[first : head + 1], end, uncased):
            found.append(Finding(words[first].start(), end, "TITLE", 0.5))
            taken = head
    return found


def _romance(word: str) -> bool:
    return known(word) and word not in english_words() and word not in fields() and word not in RANKS


def _first(text: str, words: Sequence[re.Match[str]], head: int, uncased: bool) -> int:
    """Return the first word that belongs to the occupation."""
    first = head
    while first and head - first < _MOST_BEFORE:
        gap = text[words[first - 1].end() : words[first].start()]
        before = words[first - 1][0]
        if gap == ". " and before.lower() in _ABBREVIATED:
            first -= 1
        elif (
            gap in (" ", "-")
            and before.lower() in ("and", "&")
            and first > 1
            and words[first - 2][0].lower() in fields()
        ):
            first -= 2
        elif (before.lower() in _GRADED and _GRADE.fullmatch(gap)) or (
            gap in (" ", "-", " & ")
            and (
                _belongs(before, words[head][0], uncased, first == 1)
                or (first == head and are_a_job(before.lower(), words[head][0].lower()))
            )
        ):
            first -= 1
        else:
            break
    return first


def _belongs(word: str, head: str, uncased: bool, opening: bool) -> bool:
    small = word.lower()
    if small in RANKS or small in fields():
        return True
    if small in occupations("labels"):
        return False
    if (
        small in _SMALL
        or small in given_names()
        or len(small) < 3
        or (small.endswith("ed") and small not in occupations("done"))
    ):
        return False
    if small.endswith("ly") or NO_POSITION.fullmatch(small) or "'" in word or "’" in word:
        return False
    if not uncased and word[0].isupper():
        return (head[0].isupper() or opening) and english(small)
    return english(small) and (uncased or not head[0].isupper())


def _last(text: str, head: re.Match[str], uncased: bool) -> int:
    """Return where the occupation ends: *of photography*, *, Global Markets* belong to it."""
    end = head.end()
    if level := _LEVEL.match(text, end):
        return level.end()
    capital = head[0][0].isupper() and not uncased
    if head[0].lower() in occupations("heading"):
        for _ in range(2):
            end = _of_what(text, end, capital, uncased)
    if (capital or uncased) and (after := (_UNCASED_COMMA if uncased else _COMMA).match(text, end)):
        said = [w.lower() for w in _WORD.findall(after["s"])]
        if (any(w in fields() for w in said) and all(english(w) for w in said)) or after["s"] in _REGIONS:
            end = after.end("s")
    return end


def _of_what(text: str, end: int, capital: bool, uncased: bool) -> int:
    of = _OF.match(text, end)
    if of is None:
        return end
    a, b = of["a"], of["b"]
    if a.lower() in _SMALL or not (a.lower() in fields() or (english(a) and (capital or a[0].islower() or uncased))):
        return end
    if not b or b.lower() in _SMALL or not english(b) or (b[0].isupper() and not (capital or uncased)):
        return of.end("a")
    return of.end("b") if b.lower() in fields() or (capital and b[0].isupper()) or not ordinary(b) else of.end("a")


def _licensed(text: str, words: Sequence[re.Match[str]], end: int, uncased: bool) -> bool:
    start = words[0].start()
    said = text[start:end]
    before, after = text[max(0, start - 90) : start], text[end : end + 60]
    head = words[-1][0].lower()
    person = head in occupations("people") or (len(words) > 1 and are_a_job(words[-2][0].lower(), head))
    longer = end > words[-1].end()
    many = len(words) > 1 or longer
    field = words[-2][0].lower() if len(words) > 1 else ""
    telling = person or longer or tells(words)
    ends = _ENDS.match(after) or (person and _DOES.match(after) and _DETERMINED_TOO.search(before))
    if TOOLS.search(said) or (not ends and not _named_after(words, after, uncased)):
        return False
    if person or many:
        label = _LABELLED.search(before)
        if label and (label["mark"] or telling):
            return True
    if _WANTED.match(after) and _EDGE.search(before) and (person or (many and telling)):
        return True
    if (person and not (head in occupations("weak") and not many)) or (many and (telling or businesslike(words))):
        if _SAID.search(before) or _FROM.search(before):
            return True
        if _OWN.search(before) and _AT.match(after):
            return True
    if many and _IS_A.search(before) and not captioned(field) and field not in occupations("tools"):
        return True
    if person and head not in occupations("weak") and _OURS.search(before):
        return True
    if longer and _MADE.search(before):
        return True
    if len(words) > 1 and not captioned(field) and (_HIRED_AS.search(before) or _OWNED_BY.search(before)):
        return True
    if person and head not in occupations("weak") and head not in occupations("roles"):
        if (field in fields() or field in RANKS) and telling:
            return True
        if _DETERMINED_TOO.search(before) and not _OF_A_THING.match(after):
            return True
    if person and _AND.search(before):
        return True
    if (
        head in occupations("short")
        and not many
        and words[-1][0].isupper()
        and (_INITIALS.search(before) or _FIRM.match(after))
    ):
        return True
    if head in occupations("short") and uncased and _DETERMINED_TOO.search(before) and _OFFICE_AT.match(after):
        return True
    if (
        _EDGE.search(before)
        and _FIRM.match(after)
        and not uncased
        and (person or telling or head in occupations("holders"))
    ):
        return True
    if many and (person or businesslike(words)) and _DETERMINED.search(before) and not TOOLS.search(said):
        return True
    if many and telling and (longer or not weak(words)) and _DETERMINED.search(before):
        return True
    if _named_after(words, after, uncased) and (person or many) and not (before.endswith(("'s ", "’s "))):
        return many or head not in occupations("weak") or head in occupations("addressed")
    if not many and head in occupations("addressed") and _named_after(words, after, uncased):
        return True
    if _named_before(before, uncased) and _ENDS.match(after) and (person or telling or many):
        return True
    if (person or telling) and _OWN.search(before) and _AT.match(after):
        return True
    if many and telling and not weak(words) and _EDGE.search(before) and head not in occupations("called"):
        return True
    if many and _EDGE.search(before) and _EDGE_AFTER.match(after):
        alone = start < 4 and len(text.strip()) - (end - start) < 6
        return (
            longer or (telling and not weak(words)) or businesslike(words) if alone else telling or businesslike(words)
        )
    return False


_AFTER_NAME = re.compile(
    r"(?:['’]s)?(?:,?[ ](?:[(\[]|[-–—|·•:→>][ ])|,[ ]?|\t|[ ]*\n[ ]*)(?:(?:our|the|an?|their|my|his|her|your|former|retired|late)[ ])?"
)
_BEFORE_NAME = re.compile(
    r",?[ ]|[ ]?[:|–—>→·-][ ]?|[ ]?=>[ ]|[ ]?\t|[ ]*\n[ ]*(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?[ ])?|[:,]?[ ](?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?[ ])"
)


def _beside(text: str, start: int, end: int, people_at: Sequence[Finding]) -> bool:
    """Return whether a person that is found already stands right before or after: *Bart (plumber)*, *our receptionist Dana*."""
    return any(
        (f.end <= start and _AFTER_NAME.fullmatch(text, f.end, start) and _ENDS.match(text[end : end + 30]))
        or (end <= f.start and _BEFORE_NAME.fullmatch(text, end, f.start))
        for f in people_at
    )


def _named_after(words: Sequence[re.Match[str]], after: str, uncased: bool) -> bool:
    match = (_UNCASED_AFTER if uncased else _NAME_AFTER).match(after)
    return match is not None and _a_name(match["name"], uncased)


def _named_before(before: str, uncased: bool) -> bool:
    match = (_UNCASED_BEFORE if uncased else _NAMED_BEFORE).search(before)
    return match is not None and any(_a_name(w, uncased) for w in _WORD.findall(match["name"]) if len(w) > 1)


_SPACED = re.compile("[\u0370-\u0dff]")


@lru_cache(maxsize=1)
def _called_in_scripts() -> frozenset[str]:
    spaced = ("ar", "el", "he", "hi", "ru")
    lists = (words for kind, words in name_lists().items() if kind[:2] in spaced and not kind.endswith("-words"))
    return frozenset().union(*lists)


def _a_name(word: str, uncased: bool) -> bool:
    small = word.lower().rstrip("'’s") if word.endswith(("'s", "’s")) else word.lower()
    if _SPACED.match(small):  # of a script with spaces the lists say who is somebody: *راجع content checks guide لمزيد*
        return small in _called_in_scripts()
    return small in given_names() or (not english(small) and small not in TECHNOLOGY and small not in _SMALL)


@lru_cache(maxsize=1)
def _asked_for() -> frozenset[str]:
    """Return occupations, those among them that are words of programs only where a program has no such thing."""
    return occupations("people") | occupations("also") - {
        "owner",
        "agent",
        "administrator",
        "editor",
        "member",
        "guest",
    }


def job_of_cell(cell: str) -> Finding | None:
    """Return the whole text, which stands under a label that asks for an occupation, where one of its words is one."""
    said = cell.strip()
    words = [w.lower() for w in _WORD.findall(said)]
    if not 0 < len(words) < 8 or any(w in occupations("captions") for w in words):
        return None
    if not any(w in _asked_for() for w in words):
        return None
    return all_of(cell, "TITLE", 0.5)
