"""Find personal data in texts: run models, shapes, labels and cues as one detector.

Steps of :func:`detect_personal_data`: cut each text into units and undo disguises (:func:`_cut_into_units`); ask the models
(:mod:`.models`), shapes (:mod:`.shapes`), labels and cues (:mod:`.cues`) about each unit; join overlapping findings
(:mod:`.overlaps`), and add those beside them and under headers of columns (:mod:`.tables`); judge each word of a
finding (:mod:`.word_odds`) and each finding (:mod:`.filters`); map the findings back to the given text; and drop
findings that the other texts of the same detection refute (:mod:`.cross_text`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..contracts.entities import ENTITIES, OF_DIGITS, require_entity
from ..contracts.findings import PAST, RAMPART, RECASED, SPACY, Finding, TextContext
from ..normalise.decoded_text import DecodedText
from ..normalise.encoded_text import iter_encoded_passages
from ..normalise.escapes import to_plain_text
from ..normalise.spelled_text import find_spelled_unknown_words
from . import overlaps
from .character_codes import is_readable_text
from .cues import dictionaries, engine, listed_names, non_latin_names, positions, spaced_scripts, under_labels, unlisted
from .cues.label_entities import find_by_label
from .filters.cell_splits import split_number_at_cells
from .filters.not_personal import is_not_personal
from .models.cascade import Odds, restore_capitals
from .models.cascade import ask_models as _ask_models
from .models.character_net import has_non_latin_letters, load_character_net
from .models.chunking import CHUNK, PIECE, cut_text, select_findings_inside
from .shapes import secrets, shape_findings
from .tables import find_related_findings
from .user_recognizers import UserRecognizers, merge_user_findings
from .word_odds import DetectionEvidence, WordJudge

RULES: tuple[Callable[[str], Iterable[Finding]], ...] = (
    shape_findings.find_by_shapes,
    secrets.find_secrets,
    non_latin_names.find_non_latin_people,
)
"""Recognizers that need no model. Each reads every normalized text. A new one is a line here."""
OF_PROSE: tuple[Callable[[str], Iterable[Finding]], ...] = (
    engine.find_by_cues,
    positions.find_positions,
    listed_names.find_listed_names,
    dictionaries.find_by_dictionary,
    unlisted.find_unlisted_names,
)
"""Recognizers that read only text for people."""
OF_CAPITALS: tuple[Callable[[str], Iterable[Finding]], ...] = (positions.find_positions,)
"""Recognizers that depend on capitals: they also read a text in capitals or small letters alone with restored capitals.
"""
_READABLE = re.compile(r"[^\W_]")
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which a script leaves if it cuts a text anywhere. The models accept none."""
_NAME = re.compile(r"[^\W\d_][\w'’.-]+(?: [^\W\d_][\w'’.-]+){1,3}")


NONE = UserRecognizers()
MOST_READ: Final = 200_000
"""Most characters of one text that are read, repetitions counted once: half a minute of CPU time. The rest is masked
whole.
"""
MOST_SECONDS: Final = 120.0
"""Most seconds of CPU time for one text, in case a pattern is slow on it."""
AT_ONCE: Final = 64
"""Units of a long text that the models read at a time: their output takes 6 kB a word until it is judged."""


def to_text_context(context: TextContext | str | None) -> TextContext:
    """Return a context object. A string becomes the label of one; None becomes an empty one."""
    return context if isinstance(context, TextContext) else TextContext(context or "")


def detect_personal_data(
    texts_in_context: Sequence[tuple[str, TextContext]], recognizers: UserRecognizers = NONE
) -> list[list[Finding]]:
    """Return the findings of each pair of a text and its context, in this process.

    :param texts_in_context: unique pairs; their order does not change the result.
    :param recognizers: the user's recognizers.
    """
    results: list[list[Finding]] = [[] for _ in texts_in_context]
    brought: list[list[Finding]] = [[] for _ in texts_in_context]
    waiting: dict[_Key, list[_DetectionUnit]] = {}
    past: dict[int, Finding] = {}
    for index, (text, context) in enumerate(texts_in_context):
        began, asked = time.thread_time(), 0
        for offset, chunk in cut_text(text if text.isascii() else _HALF.sub("\ufffd", text), CHUNK):
            if offset and (asked > MOST_READ or time.thread_time() - began > MOST_SECONDS):
                past[index] = Finding(offset, len(text), "SECRET", 1.0, PAST)
                break
            if _READABLE.search(chunk):
                packs = _find_encoded_values(chunk)
                brought[index] += [f._replace(start=f.start + offset, end=f.end + offset) for f in packs]
                for piece in _cut_into_units(index, offset, chunk, context, packs):
                    alike = waiting.setdefault(piece.cache_key, [])
                    if not alike and context.kind == "text":
                        asked += len(piece.text)
                    alike.append(piece)
                for f in recognizers.find_in_text(piece.folded.text) if recognizers else ():
                    brought[index].append(piece.chunk_to_text_offsets(f))
            if offset and len(waiting) >= AT_ONCE:
                _detect_in_units(waiting, results)
                waiting = {}
    _detect_in_units(waiting, results)
    for found, (text, context) in zip(results, texts_in_context, strict=True):
        for start, end in find_spelled_unknown_words(text) if context.kind == "text" else ():
            if overlaps_no_other_finding(spelled := Finding(start, end, "PERSON", 0.6), found):
                found.append(spelled)
        found.sort(key=lambda f: f.start)
    whole = [merge_user_findings(found, mine) if mine else found for found, mine in zip(results, brought, strict=True)]
    for index, rest in past.items():
        whole[index] = [*(f for f in whole[index] if f.end <= rest.start), rest]
    return whole


def _detect_in_units(units_by_key: Mapping[_Key, Sequence[_DetectionUnit]], results: Sequence[list[Finding]]) -> None:
    """Ask the models and the rules for prose about units, and add the accepted findings to `results`. Equal units are
    read once.
    """
    pieces = [alike[0] for alike in units_by_key.values()]
    asked = [(piece.text, piece.context) for piece in pieces]
    answers = zip(*_ask_models(asked, [piece.ruled for piece in pieces]), strict=True)
    for alike, (named, sure, odds) in zip(units_by_key.values(), answers, strict=True):
        found = _detect_in_unit(alike[0], named, sure, odds)
        for each in alike:
            results[each.index] += map(each.to_text_offsets, found)


def _detect_in_unit(
    unit: _DetectionUnit, model_findings: list[Finding], net_findings: list[Finding], probabilities: Odds
) -> list[Finding]:
    """Return the accepted findings of a unit: those of shapes, labels, models and cues, and those that follow from
    other findings beside them.
    """
    text, context = unit.text, unit.context
    by: dict[str, Sequence[Finding]] = {
        "shape": unit.ruled,
        "label": unit.labelled,
        "hidden": unit.hidden,
        "net": net_findings,
    }
    by |= {name: [f for f in model_findings if f.source == source] for source, name in _BY_MODEL.items()}
    evidence = DetectionEvidence(text, context, by, probabilities)
    if context.kind == "text":
        if has_non_latin_letters(text):
            read = load_character_net(spaced_scripts.look_up_in_name_lists).classify_text(text, unit.ruled)
            by["shape"] = [f for f in unit.ruled if not read.denies_finding(f)]
            by["letters"] = read.found
            evidence.named = read.named.tolist()
        for name, each in _iter_cue_findings(text, context):
            by[name] = [*by.get(name, ()), *each]
    if context.label and (job := under_labels.find_occupation_under_label(context.label, text)):
        by["job"] = [job]
    for name, found in by.items():
        for entity in {f.entity for f in found} - ENTITIES:
            require_entity(entity, f"The recognizer {name!r}")
    judge = WordJudge(evidence)
    kept = judge.drop_improbable_words([f for each in by.values() for f in each])
    spans = overlaps.resolve_overlaps(text, [f._replace(source="") for f in kept])
    if context.kind == "text" and (more := find_related_findings(text, spans)):
        by["adjacent"] = more
        spans = overlaps.resolve_overlaps(text, [*spans, *more])
    out: list[Finding] = []
    judged = judge.drop_improbable_words([cell for whole in spans for cell in split_number_at_cells(text, whole)])
    believed = judge.accepted_findings if judged else []
    for f in judged:
        if not is_not_personal(text, f, context):
            out.append(f)
        else:  # a model takes *CVC 442* for an address; the code stays a finding
            # if a whole number is not personal, its parts are not
            inner = (g for g in believed if f.start <= g.start and g.end <= f.end and g.entity not in OF_DIGITS)
            others = [g for g in inner if g.entity != f.entity and not is_not_personal(text, g, context)]
            out += overlaps.resolve_overlaps(text, others)
    return out


_BY_MODEL = {RAMPART: "rampart", SPACY: "spacy", RECASED: "recased", "": "patterns"}


def _iter_cue_findings(text: str, context: TextContext) -> Iterator[tuple[str, list[Finding]]]:
    """Yield (name of the recognizer's module, findings) for each recognizer of readable text. Texts in capitals or
    small letters alone are also read with restored capitals.
    """
    other = restore_capitals(text)
    for find in OF_PROSE:
        name = find.__module__.rpartition(".")[2]
        yield name, list(find(text))
        if other is not None and find in OF_CAPITALS:
            yield name, list(find(other))
    # A finding that is dropped later must not remove the models' findings within it.
    yield "under_labels", [f for f in under_labels.find_labelled_values(text) if not is_not_personal(text, f, context)]


def overlaps_no_other_finding(finding: Finding, others: Iterable[Finding]) -> bool:
    """Return whether a finding overlaps none of the others."""
    return all(finding.end <= g.start or g.end <= finding.start for g in others)


_Found = tuple[Finding, ...]
_Key = tuple[str, TextContext, _Found, _Found, _Found]


@dataclass(frozen=True, slots=True)
class _DetectionUnit:
    """A piece of text that is read and judged by itself, with the findings of the rules in it."""

    index: int
    """The index of the text that it belongs to."""
    offset: int
    """Where its chunk begins in that text."""
    folded: DecodedText
    """The chunk, normalized."""
    at: int
    """Where it begins in the normalized chunk."""
    text: str
    context: TextContext
    ruled: list[Finding]
    labelled: list[Finding]
    hidden: list[Finding]

    @property
    def cache_key(self) -> _Key:
        """The data on which the result depends: two units with equal keys have equal findings."""
        return self.text, self.context, tuple(self.ruled), tuple(self.labelled), tuple(self.hidden)

    def to_text_offsets(self, finding: Finding) -> Finding:
        """Return a finding of the unit with its offsets in the given text."""
        return self.chunk_to_text_offsets(finding._replace(start=finding.start + self.at, end=finding.end + self.at))

    def chunk_to_text_offsets(self, finding: Finding) -> Finding:
        """Return a finding of the normalized chunk with its offsets in the given text."""
        start, end = self.folded.to_original_span(finding.start, finding.end)
        return Finding(start + self.offset, end + self.offset, finding.entity, finding.score)


def _cut_into_units(
    index: int, offset: int, chunk: str, context: TextContext, encoded_findings: list[Finding]
) -> Iterator[_DetectionUnit]:
    """Yield the units of a chunk. If a text is cut into several units, its label does not apply to them, only the
    kind of its context.
    """
    folded = to_plain_text(chunk)
    text = folded.text
    ruled = [finding for find in RULES for finding in find(text)]
    labelled, hidden = (
        list(find_by_label(text, context)),
        _find_encoded_values(text) if folded.is_changed else encoded_findings,
    )
    parts = cut_text(text, PIECE, [*ruled, *labelled, *hidden])
    for at, part in parts:
        end = at + len(part)
        found = (select_findings_inside(each, at, end) for each in (ruled, labelled, hidden))
        yield _DetectionUnit(
            index, offset, folded, at, part, context if len(parts) == 1 else replace(context, label=""), *found
        )


def _find_encoded_values(text: str) -> list[Finding]:
    """Return findings for encoded texts (base64, character codes, invisible tags) that hold personal data or a
    secret.
    """
    return [
        Finding(each.start, each.end, "SECRET", 0.9)
        for each in iter_encoded_passages(text)
        if _holds_personal_data(each.said) and (not each.numbers or is_readable_text(each.said))
    ]


_DEEPEST = 4
"""Most levels of texts that are encoded within each other."""


def _holds_personal_data(decoded_text: str, depth: int = _DEEPEST) -> bool:
    """Return whether a decoded text is a name, or holds personal data or a secret. The text may be encoded several
    times.
    """
    plain = to_plain_text(decoded_text).text
    if shape_findings.find_by_shapes(plain) or secrets.find_secrets(plain) or _NAME.fullmatch(plain):
        return True
    return depth > 1 and any(
        _holds_personal_data(each.said, depth - 1)
        for text in {decoded_text, plain}
        for each in iter_encoded_passages(text)
    )
