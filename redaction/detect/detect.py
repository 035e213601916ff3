"""Find personal data in texts: two models, Presidio's patterns, and rules of our own, as one detector.

Steps, each a function of its own: fold Unicode tricks, ask each recognizer, drop what a label of a user interface is
likely to be, grow and join spans, and map them back to the text as it was given.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..contracts.types import NAMED, PAST, RAMPART, RECASED, SPACY, Contexts, Finding, TextContext
from ..normalise.escapes import as_read
from ..normalise.packed import packed
from ..normalise.readings import Reading as Read
from ..normalise.spelled import spelled_words
from ..words.english import ordinary
from ..words.words import function_words, given_names
from . import (
    introduced,
    neighbours,
    particulars,
    passwords,
    presidio,
    rampart,
    scripts,
    secrets,
    spaced_scripts,
    spans,
    structured,
    under_labels,
)
from .around import (
    addresses_abroad,
    ages,
    backwards,
    businesses,
    companies,
    countries,
    firms,
    firms_by_script,
    firms_without_capitals,
    foreign_firms,
    foreign_jobs,
    job_phrases,
    jobs,
    jobs_abroad,
    listed_names,
    pairs,
    positions,
    speakers,
    unlisted,
)
from .context import context_findings
from .head.head import Reading, load_head
from .interface import of_interface
from .judging import judge
from .judging.apart import cells_apart, lines_apart, lines_of
from .judging.foreign import trimmed
from .judging.logged import of_a_log
from .judging.measures import sensible
from .judging.nobodys import is_nobodys
from .judging.prose import explained, harmless, sentence_like, unsure
from .judging.tokens import common
from .letters.letters import in_other_letters, load_letters
from .pieces import CHUNK, PIECE, cut, inside, without_runs
from .recognizers import Recognizers, joined
from .settle import settled
from .told import TOLD
from .written_out import spoken

Progress = Callable[[int, int], None]
"""Called with the number of texts that are done and the number of all."""

RULES: tuple[Callable[[str], Iterable[Finding]], ...] = (
    structured.find_structured,
    secrets.find_secrets,
    scripts.find_by_script,
    introduced.introduced,
)
"""Recognizers that need no model, each asked about every text as it is after folding. A new one is a line here."""
OF_PROSE: tuple[Callable[[str], Iterable[Finding]], ...] = (
    addresses_abroad.find_addresses_abroad,
    ages.find_ages,
    backwards.find_backwards,
    businesses.find_businesses,
    companies.find_companies,
    countries.find_countries,
    firms.find_firms,
    firms_by_script.find_firms_by_script,
    firms_without_capitals.find_firms_without_capitals,
    foreign_firms.find_foreign_firms,
    foreign_jobs.find_foreign_jobs,
    job_phrases.find_job_phrases,
    jobs.find_jobs,
    jobs_abroad.find_jobs_abroad,
    listed_names.find_listed,
    neighbours.in_calls,
    neighbours.with_particle,
    pairs.find_pairs,
    particulars.find_particulars,
    passwords.find_passes,
    passwords.find_passwords,
    positions.find_positions,
    speakers.find_speakers,
    unlisted.unlisted,
    *TOLD,
)
"""Those that are asked about what a person reads alone, and whose findings no judge weighs."""
OF_CAPITALS: tuple[Callable[[str], Iterable[Finding]], ...] = (
    businesses.find_businesses,
    companies.find_companies,
    firms.find_firms,
    firms_by_script.find_firms_by_script,
    foreign_firms.find_foreign_firms,
    foreign_jobs.find_foreign_jobs,
    jobs.find_jobs,
)
"""Those that lean on capitals: a text that is all lower or all upper case is given to them with capitals, too."""
_READABLE = re.compile(r"[^\W_]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, as a script leaves one that cuts a text anywhere: models take none."""
_NAME = re.compile(r"[^\W\d_][\w'’.-]+(?: [^\W\d_][\w'’.-]+){1,3}")


NONE = Recognizers()
MOST_READ: Final = 200_000
"""Characters of one text that are read, what it repeats counted once: half a minute of the processor. What comes after them is masked whole."""
MOST_SECONDS: Final = 120.0
"""Seconds of the processor for one text, a net below that: it holds only a text that no rule was made for."""
AT_ONCE: Final = 64
"""Pieces of a long text that the models read at a time: what they say of a word takes 6 kB until it is weighed."""


def find_pii(texts: Sequence[str], context: Contexts | None = None) -> list[list[Finding]]:
    """For each text the findings that the redaction would mask in page text, in order, without overlap.

    :param context: for each text what stands beside it: a label, column header, JSON key (see :class:`TextContext`).
    :raises SetupError: no spaCy pipeline for English is installed.
    """
    contexts = [as_context(c) for c in context] if context is not None else [TextContext()] * len(texts)
    if len(contexts) != len(texts):
        raise ValueError(
            f"find_pii got {len(texts)} texts and {len(contexts)} contexts; give one for each text or none."
        )
    unique = list(dict.fromkeys(zip(texts, contexts, strict=True)))
    found = settled(unique, detect(unique))
    return [found[key] for key in zip(texts, contexts, strict=True)]


def as_context(context: TextContext | str | None) -> TextContext:
    """Return a context from its short form: a label, or nothing."""
    return context if isinstance(context, TextContext) else TextContext(context or "")


def detect(pairs: Sequence[tuple[str, TextContext]], own: Recognizers = NONE) -> list[list[Finding]]:
    """Return the detector in this process. ``pairs`` should be unique; order does not matter to the result. ``own``: what the user brings."""
    results: list[list[Finding]] = [[] for _ in pairs]
    brought: list[list[Finding]] = [[] for _ in pairs]
    waiting: dict[_Key, list[_Piece]] = {}
    past: dict[int, Finding] = {}
    for index, (text, context) in enumerate(pairs):
        began, asked = time.thread_time(), 0
        for offset, chunk in cut(text if text.isascii() else _HALF.sub("\ufffd", text), CHUNK):
            if offset and (asked > MOST_READ or time.thread_time() - began > MOST_SECONDS):
                past[index] = Finding(offset, len(text), "SECRET", 1.0, PAST)
                break
            if _READABLE.search(chunk):
                packs = _packed(chunk)
                brought[index] += [f._replace(start=f.start + offset, end=f.end + offset) for f in packs]
                for piece in _pieces(index, offset, chunk, context, packs):
                    alike = waiting.setdefault(piece.key, [])
                    if not alike and context.kind == "text":
                        asked += len(piece.text)
                    alike.append(piece)
                for f in own.find(piece.folded.text) if own else ():
                    brought[index].append(piece.chunk_back(f))
            if offset and len(waiting) >= AT_ONCE:
                _weigh(waiting, results)
                waiting = {}
    _weigh(waiting, results)
    for found, (text, context) in zip(results, pairs, strict=True):
        for start, end in spelled_words(text) if context.kind == "text" else ():
            if _apart(spelled := Finding(start, end, "PERSON", 0.6), found):
                found.append(spelled)
        found.sort(key=lambda f: f.start)
    whole = [joined(found, mine) if mine else found for found, mine in zip(results, brought, strict=True)]
    for index, rest in past.items():
        whole[index] = [*(f for f in whole[index] if f.end <= rest.start), rest]
    return whole


def _weigh(waiting: Mapping[_Key, Sequence[_Piece]], results: Sequence[list[Finding]]) -> None:
    """Ask the models and the rules for prose about pieces, and add to the results what stands. Pieces that are alike are read once."""
    pieces = [alike[0] for alike in waiting.values()]
    by_model, by_head = _ask_models(
        [(piece.text, piece.context) for piece in pieces], [piece.ruled for piece in pieces]
    )
    for alike, named, unjudged in zip(waiting.values(), by_model, by_head, strict=True):
        piece, out = alike[0], list[Finding]()
        text, context, ruled, labelled = piece.text, piece.context, piece.ruled, piece.labelled
        if any(f.entity == "PHONE_NUMBER" for f in labelled):  # one in ten is a card's by its check digit, too
            ruled, named = ([f for f in found if f.entity != "CREDIT_CARD"] for found in (ruled, named))
        # A model makes an address of a home folder with a dot in its name.
        owners = [f for f in ruled if f.entity == "HOST_PATH"]
        named = [f for f in named if f.entity != "URL" or _apart(f, owners)]
        said: list[Finding] = []
        if context.kind == "text":
            said += [f for find in OF_PROSE for f in find(text)]
            # One that is dropped later would take with it what the models found within.
            said += [f for f in under_labels.find_labelled(text) if _stands(text, f, context)]
            if in_other_letters(text):
                read = load_letters(spaced_scripts.known).read(text, ruled)
                ruled = [f for f in ruled if not read.denies(f)]
                said += read.found
            if (other := recase(text)) is not None:
                said += [f for find in OF_CAPITALS for f in find(other)]
            by_spacy = [f for f in named if f.entity == "PERSON" and f.source in (SPACY, RECASED)]
            said += listed_names.strangers(text, by_spacy)
        told = [*ruled, *labelled, *piece.hidden]
        by_rule = [*told, *said]
        said += unjudged
        said += [f for f in labelled if f.entity == "ORGANIZATION"]  # the judge believes a company in a sentence alone
        kept = [*judge.keep(text, [*named, *told], context), *said]
        if context.label and (job := _job(text, context.label)):
            said.append(job)
            kept.append(job)
        settled = spans.settle(text, kept)
        if context.kind == "text" and (more := neighbours.beside(text, settled)):
            said += more
            by_rule += more
            settled = spans.settle(text, [*settled, *more])
        for f in [cell for whole in settled for cell in cells_apart(text, whole)]:
            if _stands(text, f, context):
                out.append(f)
                continue
            inner = _within(text, f, by_rule, context)
            inner += _companies_within(text, f, said, context)
            # Of the lines of a signature the models make one name, and so long a one is none.
            inner += [g for g in lines_of(text, f) if _apart(g, inner) and _stands(text, g, context)]
            inner += [g for g in _names_within(text, f, kept) if _apart(g, inner) and _stands(text, g, context)]
            inner += [g for g in _surely_within(text, f, unjudged, context) if _apart(g, inner)]
            cut_off = trimmed(text, f)
            if cut_off != f and sensible(text, cut_off) and not of_interface(text, cut_off, context):
                # What stands wholly in it goes with it: of *é Iago Tarrega* the net alone told the second word.
                inner = [g for g in inner if g.start < cut_off.start or cut_off.end < g.end]
                if _apart(cut_off, inner):
                    inner.append(cut_off)
            out += inner
        for each in alike:
            results[each.index] += map(each.back, out)


def _job(text: str, label: str) -> Finding | None:
    """Return the whole text, where its label asks what somebody works as and it is known for that."""
    found = jobs.job_of_cell(text) if neighbours.asks_for_a_job(label) else None
    return found or under_labels.job_under(label, text)


def _stands(text: str, f: Finding, context: TextContext) -> bool:
    """Return whether a finding may be somebody's, by its measures, by the words of interfaces and by what stands around."""
    if not _measures_up(text, f, context):
        return False
    return bool(context.label) or not (is_nobodys(text, f) or neighbours.is_head(text, f))


def _measures_up(text: str, f: Finding, context: TextContext) -> bool:
    """Return whether a finding can be what it is said to be, and is no interface's and no log's."""
    return sensible(text, f) and not of_interface(text, f, context) and (bool(context.label) or not of_a_log(text, f))


def _apart(f: Finding, others: Iterable[Finding]) -> bool:
    """Return whether a finding has no letter in common with any of these."""
    return all(f.end <= g.start or g.end <= f.start for g in others)


_Found = tuple[Finding, ...]
_Key = tuple[str, TextContext, _Found, _Found, _Found]


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is read and weighed at a time, and what was found before by its shape."""

    index: int
    """Of the text that it is of."""
    offset: int
    """Where its chunk begins in that."""
    folded: Read
    """The chunk."""
    at: int
    """Where it begins in the folded chunk."""
    text: str
    context: TextContext
    ruled: list[Finding]
    labelled: list[Finding]
    hidden: list[Finding]

    @property
    def key(self) -> _Key:
        """What a piece is read by: two that have this in common say the same."""
        return self.text, self.context, tuple(self.ruled), tuple(self.labelled), tuple(self.hidden)

    def back(self, f: Finding) -> Finding:
        """Return where a finding of the piece lies in the text as it was given."""
        return self.chunk_back(f._replace(start=f.start + self.at, end=f.end + self.at))

    def chunk_back(self, f: Finding) -> Finding:
        """Return where a finding of the folded chunk lies in the text as it was given."""
        start, end = self.folded.back(f.start, f.end)
        return Finding(start + self.offset, end + self.offset, f.entity, f.score)


def _pieces(index: int, offset: int, chunk: str, context: TextContext, packs: list[Finding]) -> Iterator[_Piece]:
    """Yield a chunk's pieces. What stands beside a text says of its parts no more than what kind they are."""
    folded = as_read(chunk)
    text = folded.text
    ruled = [finding for find in RULES for finding in find(text)]
    labelled, hidden = list(context_findings(text, context)), _packed(text) if folded.changed else packs
    parts = cut(text, PIECE, [*ruled, *labelled, *hidden])
    for at, part in parts:
        end = at + len(part)
        found = (inside(each, at, end) for each in (ruled, labelled, hidden))
        yield _Piece(
            index, offset, folded, at, part, context if len(parts) == 1 else replace(context, label=""), *found
        )


_SURE_WITHIN, _SURE = 0.9, 0.97
"""Score from which on a name counts within a longer one that as a whole is nothing; and from which on our own net's does though its words are those of a language."""
LABELLED = 0.9
"""Score of what a label or the head of a column tells, also within a longer span that as a whole is nothing."""
_KNOWN_BY_RULE = frozenset(
    {
        "SECRET",
        "CVV",
        "AGE",
        "DATE_TIME",
        "CREDIT_CARD",
        "IBAN_CODE",
        "BANK_ACCOUNT",
        "ID",
        "USERNAME",
        "EMAIL_ADDRESS",
        "TITLE",
    }
)
"""Entities that a rule tells by the words around: a model that takes their digits for a house's speaks against nothing."""


def _within(text: str, f: Finding, told: Sequence[Finding], context: TextContext) -> list[Finding]:
    """Return what rules found in a span that as a whole is nothing: of *CVC 442* a model makes an address, and it is none."""
    inner = [
        g
        for g in told
        if f.start <= g.start
        and g.end <= f.end
        and (g.entity != f.entity or (g.start, g.end) != (f.start, f.end))
        and (g.score >= LABELLED or (g.entity in _KNOWN_BY_RULE and g.entity != f.entity))
    ]
    return [g for g in spans.settle(text, inner) if _measures_up(text, g, context)]


def _companies_within(text: str, f: Finding, said: Sequence[Finding], context: TextContext) -> list[Finding]:
    """Return the companies that rules found in a longer span that as a whole is nothing: of *durch Zimmerei Achleitner* a model makes one name, and it is none."""
    inner = [
        g
        for g in said
        if g.entity == "ORGANIZATION" and f.start <= g.start and g.end <= f.end and (g.start, g.end) != (f.start, f.end)
    ]
    return [g for g in spans.settle(text, inner) if not of_interface(text, g, context)]


def _names_within(text: str, f: Finding, kept: Sequence[Finding]) -> list[Finding]:
    """Return the names that were found within a longer one that as a whole is nothing: of *Doorgezet naar Ravindra Bhagwandin* one model makes a company, and the other knows who it is."""
    inner = [
        g
        for g in kept
        if g.entity in NAMED
        and g.score >= _SURE_WITHIN
        and f.start <= g.start
        and g.end <= f.end
        and (g.start, g.end) != (f.start, f.end)
    ]
    # Parts of one name may be joined to the whole again.
    return [g for g in spans.settle(text, inner) if (g.start, g.end) != (f.start, f.end)]


def _surely_within(text: str, f: Finding, by_head: Sequence[Finding], context: TextContext) -> list[Finding]:
    """Return the names of which our own net is sure within one that is nothing by the words of its language: *cooperativa il melograno* in running text."""
    if context.label or not (sentence_like(text) or "\n" in text):
        return []
    return [
        g
        for g in by_head
        if g.entity in NAMED
        and g.score >= _SURE
        and f.start <= g.start
        and g.end <= f.end
        and sensible(text, g)
        and not of_interface(text, g, context, sure=True)
        and not (is_nobodys(text, g) or neighbours.is_head(text, g))
    ]


def _packed(text: str) -> list[Finding]:
    """Return what stands packed in a text (in base64, in numbers, in tags that nobody sees), where it is personal data or a secret."""
    return [
        Finding(each.start, each.end, "SECRET", 0.9)
        for each in packed(text)
        if _tells(each.said) and (not each.numbers or spoken(each.said))
    ]


_DEEPEST = 4
"""Ways of packing a text, one in the other."""


def _tells(said: str, depth: int = _DEEPEST) -> bool:
    """Return whether an unpacked text is somebody's name, or holds personal data or a secret; it may be packed again."""
    plain = as_read(said).text
    if structured.find_structured(plain) or secrets.find_secrets(plain) or _NAME.fullmatch(plain):
        return True
    return depth > 1 and any(_tells(each.said, depth - 1) for text in {said, plain} for each in packed(text))


_BY_CAPITALS = frozenset({SPACY, RECASED})
"""Readings that lean on capitals: what they say of words in small letters is weighed by our own net as well."""
_DENIED = frozenset({"PERSON", "ORGANIZATION", "NRP"})
"""What the models take words for that are nobody's to the net: it was taught more of interfaces, and of more languages, than they."""


def _ask_models(
    texts: Sequence[tuple[str, TextContext]], by_rule: Sequence[list[Finding]]
) -> tuple[list[list[Finding]], list[list[Finding]]]:
    """Return named entities of both models for texts that hold words, nothing for the rest; and those of our own net, which no judge weighs.

    A cascade, the cheap question first: no model reads a text of common words alone, or one that rules account for; spaCy reads a label only where
    Rampart half saw something in it or a date may be, for the judge believes it nowhere else.
    """
    found: list[list[Finding]] = [[] for _ in texts]
    by_head: list[list[Finding]] = [[] for _ in texts]
    readings: dict[int, Reading] = {}
    # English models read the Latin words alone of a text of another script, or of a label that mixes scripts: what they say of the rest is chance.
    texts = [(scripts.without_other_scripts(without_runs(t), sentence_like(t)), c) for t, c in texts]
    readable = [i for i, (t, c) in enumerate(texts) if c.kind != "code" and _WORD.search(t)]
    telling = [i for i in readable if not (harmless(texts[i][0]) or explained(texts[i][0], by_rule[i]))]
    model = rampart.load_rampart()
    if model is not None:
        for i, look in zip(telling, model.looks([texts[i][0] for i in telling]), strict=True):
            tokens = (Finding(t.start, t.end, t.entity, t.score, RAMPART) for t in look.tokens)
            found[i] += [g for f in tokens for g in lines_apart(texts[i][0], f)]
            if texts[i][1].kind == "text" and look.windows:
                readings[i] = load_head().read(texts[i][0], look.windows)
                by_head[i] = [g for f in readings[i].found for g in lines_apart(texts[i][0], f)]
    asked = [i for i in telling if model is None or unsure(texts[i][0], found[i])]
    plain = [texts[i][0] for i in asked]
    for i, findings in zip(asked, presidio.analyze(plain), strict=True):
        for f in findings:
            found[i] += lines_apart(texts[i][0], f._replace(source=SPACY)) if f.entity in presidio.NAMED else [f]
    open_ones = [i for i in asked if _leaves_capitals(texts[i][0], found[i])]
    for i, findings in zip(open_ones, presidio.second_opinion([texts[i][0] for i in open_ones]), strict=True):
        found[i] += [g for f in findings for g in lines_apart(texts[i][0], f._replace(source=SPACY))]
    rest = sorted(set(range(len(texts))) - set(asked))
    for i, findings in zip(rest, presidio.patterns([texts[i][0] for i in rest]), strict=True):
        found[i] += findings
    again = [(i, other) for i in asked if (other := recase(texts[i][0])) is not None]
    for (i, _), findings in zip(again, presidio.analyze([other for _, other in again]), strict=True):
        named = [f._replace(source=RECASED) for f in findings if f.entity in presidio.NAMED]
        found[i] += [g for f in named for g in lines_apart(texts[i][0], f)]
    for i, reading in readings.items():
        found[i] = [
            f
            for f in found[i]
            if not (f.source and f.entity in _DENIED and reading.denies(f))
            and not (f.source in _BY_CAPITALS and f.entity in NAMED and reading.doubts(f))
        ]
    return found, by_head


def _leaves_capitals(text: str, found: Sequence[Finding]) -> bool:
    """Return whether a word with a capital that is not everybody's stands outside of all findings: else nobody need read the text again."""
    return any(
        match[0][0].isupper()
        and not common(match[0])
        and not any(f.start < match.end() and match.start() < f.end for f in found)
        for match in _WORD.finditer(text)
    )


_SMALL = function_words("small")
_ALONE_I = re.compile(r"\bi\b")


def recase(text: str) -> str | None:
    """Return a text that is all lower or all upper case with capitals where names would have them, of equal length; else None.

    spaCy's recognizer leans on capitals: it finds less than half of the names in such a text. Verbs, adjectives and other words that nobody is
    called by stay small: a headline, in which every word has a capital, is full of companies to it.
    """
    if not (text.islower() or text.isupper()):
        return None
    other = _ALONE_I.sub("I", re.sub(r"[^\W\d_]+", _recased, text))
    return other if len(other) == len(text) and other != text else None


def _recased(match: re.Match[str]) -> str:
    small = match[0].lower()
    plain = small in _SMALL or (ordinary(small) and small not in given_names())
    return small if plain and match.start() else match[0].capitalize()
