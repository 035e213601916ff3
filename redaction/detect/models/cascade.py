"""Ask the models in order of their cost, and ask again with restored capitals about a text in capitals or small letters alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...contracts.findings import RAMPART, RECASED, SPACY, Finding, TextContext
from ...words.english import is_no_name
from ...words.word_lists import function_words, given_names
from ..cues import non_latin_names
from ..filters.model_gating import consists_of_common_words, is_explained_by_rules, is_running_text, needs_spacy
from . import presidio, rampart
from .chunking import blank_unreadable_runs
from .rampart_head import RampartHeadOutput, load_rampart_head

_WORD = re.compile(r"[^\W\d_]{2,}")
Odds = Mapping[tuple[int, int], Sequence[float]]
"""Span of a word → the probabilities of its classes, from the net on Rampart's layers."""
_DENIED = frozenset({"PERSON", "ORGANIZATION", "NRP"})
"""Entities of the models' findings that the net may deny: it was trained on more interfaces and languages than the
models.
"""


def ask_models(
    texts: Sequence[tuple[str, TextContext]], rule_findings: Sequence[list[Finding]]
) -> tuple[list[list[Finding]], list[list[Finding]], list[Odds]]:
    """Return for each text the findings of spaCy and Rampart, those of pagereel's own net, and the net's
    probabilities for each word.

    No model reads a text that consists of common words or that rules explain. spaCy reads a label only if Rampart is
    unsure about it or it may hold a date: its findings in other labels would not be accepted.
    """
    found: list[list[Finding]] = [[] for _ in texts]
    by_head: list[list[Finding]] = [[] for _ in texts]
    readings: dict[int, RampartHeadOutput] = {}
    # English models only read the Latin words of a text in another script, or of a label that mixes scripts.
    texts = [
        (non_latin_names.blank_non_latin_letters(blank_unreadable_runs(t), is_running_text(t)), c) for t, c in texts
    ]
    readable = [i for i, (t, c) in enumerate(texts) if c.kind != "code" and _WORD.search(t)]
    telling = [
        i
        for i in readable
        if not (consists_of_common_words(texts[i][0]) or is_explained_by_rules(texts[i][0], rule_findings[i]))
    ]
    model = rampart.load_rampart()
    if model is not None:
        once = list(dict.fromkeys(texts[i][0] for i in telling))
        looks = dict(zip(once, model.classify_texts(once), strict=True))
        for i, look in ((i, looks[texts[i][0]]) for i in telling):
            found[i] += [Finding(t.start, t.end, t.entity, t.score, RAMPART) for t in look.tokens]
            if texts[i][1].kind == "text" and look.windows:
                readings[i] = load_rampart_head().classify_text(texts[i][0], look.windows)
                by_head[i] = readings[i].found
    asked = [i for i in telling if model is None or needs_spacy(texts[i][0], found[i])]
    plain = [texts[i][0] for i in asked]
    for i, findings in zip(asked, presidio.analyze(plain), strict=True):
        found[i] += [f._replace(source=SPACY) if f.entity in presidio.NAMED else f for f in findings]
    rest = sorted(set(range(len(texts))) - set(asked))
    for i, findings in zip(rest, presidio.find_by_patterns([texts[i][0] for i in rest]), strict=True):
        found[i] += findings
    again = [(i, other) for i in asked if (other := restore_capitals(texts[i][0])) is not None]
    for (i, _), findings in zip(again, presidio.analyze([other for _, other in again]), strict=True):
        found[i] += [f._replace(source=RECASED) for f in findings if f.entity in presidio.NAMED]
    for i, reading in readings.items():
        found[i] = [f for f in found[i] if not (f.source and f.entity in _DENIED and reading.denies_finding(f))]
    return found, by_head, [readings[i].odds if i in readings else {} for i in range(len(texts))]


_SMALL = function_words("small")
_ALONE_I = re.compile(r"\bi\b")


def restore_capitals(text: str) -> str | None:
    """Return a text in capitals or small letters alone with capitals where names would have them, of equal length;
    None for any other text.

    spaCy's recognizer depends on capitals: it finds less than half of the names without them. Common words stay
    small, because spaCy takes them for companies in a headline in which every word is capitalized.
    """
    if not (text.islower() or text.isupper()):
        return None
    other = _ALONE_I.sub("I", re.sub(r"[^\W\d_]+", _restore_capital, text))
    return other if len(other) == len(text) and other != text else None


def _restore_capital(match: re.Match[str]) -> str:
    small = match[0].lower()
    plain = small in _SMALL or (is_no_name(small) and small not in given_names())
    return small if plain and match.start() else match[0].capitalize()
