"""Run the user's recognizers: patterns of a policy file, and objects of Presidio's class.

Their findings are masked as they are, without the filters that protect common words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from pagereel.errors import PolicyError, UsageError

from ..contracts.entities import ENTITIES
from ..contracts.findings import Finding

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine, EntityRecognizer

    from ..contracts.policy import Policy, PolicyPattern

SECONDS = 10.0
"""Most seconds that a user's pattern may take on one text: it may backtrack without end."""
LEAST = 0.3
"""Findings of Presidio recognizers below this score are left out: its weak patterns fire on any digits unless a context word stands near."""


class UserRecognizers:
    """The user's patterns and recognizers. Each reads one text at a time."""

    def __init__(self, patterns: Sequence[PolicyPattern] = (), recognizers: Sequence[EntityRecognizer] = ()) -> None:
        if patterns:
            import regex  # it has a time limit; Python's re has none

            self._patterns = [(regex.compile(pattern.regex), pattern.entity) for pattern in patterns]
        else:
            self._patterns = []
        self._recognizers = tuple(recognizers)

    @classmethod
    def from_policy(cls, policy: Policy) -> UserRecognizers:
        """Return the recognizers that a policy contains."""
        return cls(policy.patterns, policy.recognizers)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._recognizers)

    @property
    def recognizer_names(self) -> list[str]:
        """The names of the recognizers, for the report."""
        return [_read_recognizer_name(recognizer) for recognizer in self._recognizers]

    def find_in_text(self, text: str) -> list[Finding]:
        """Return the findings of the user's patterns and recognizers in a text."""
        found = []
        for number, (pattern, entity) in enumerate(self._patterns, 1):
            try:
                for match in pattern.finditer(text, timeout=SECONDS):
                    start, end = match.span("value") if "value" in pattern.groupindex else match.span()
                    if end > start:
                        found.append(Finding(start, end, entity, 1.0))
            except TimeoutError:
                raise PolicyError(
                    f"The regex of pattern {number} takes longer than {SECONDS:g} s for one text; give a simpler one, without nested repeats."
                ) from None
        if self._recognizers:
            found += self._find_by_presidio(text)
        return found

    def _find_by_presidio(self, text: str) -> list[Finding]:
        """Return the findings of the user's Presidio recognizers, by Presidio's engine, if one of them finds
        something without the engine.

        The engine is slow: it reads the whole text with the language model, for the words around a finding.
        """
        from presidio_analyzer import PatternRecognizer

        from .models.presidio import build_nlp_artifacts

        cheap = [r for r in self._recognizers if isinstance(r, PatternRecognizer)]
        try:
            if len(cheap) == len(self._recognizers) and not any(r.analyze(text, r.supported_entities) for r in cheap):
                return []
            results = _build_presidio_engine(self._recognizers).analyze(
                text, "en", nlp_artifacts=build_nlp_artifacts(text)
            )
        except Exception as fault:  # Presidio's engine does not catch a recognizer's exceptions
            raise UsageError(
                f"One of your recognizers ({', '.join(self.recognizer_names)}) failed at a text with {type(fault).__name__}; fix it or leave it out."
            ) from fault
        return [
            Finding(r.start, r.end, _map_presidio_entity(r.entity_type), float(r.score))
            for r in results
            if r.score >= LEAST
        ]


@lru_cache(maxsize=4)
def _build_presidio_engine(recognizers: tuple[EntityRecognizer, ...]) -> AnalyzerEngine:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry

    from .models.presidio import load_analyzer

    registry = RecognizerRegistry(recognizers=list(recognizers), supported_languages=["en"])
    return AnalyzerEngine(registry=registry, nlp_engine=load_analyzer()[0].nlp_engine, supported_languages=["en"])


def _map_presidio_entity(name: str) -> str:
    """Return pagereel's name for an entity of Presidio."""
    from .models.presidio import ENTITY

    return name if name in ENTITIES else ENTITY.get(name, "ID")


def _read_recognizer_name(recognizer: EntityRecognizer) -> str:
    return str(getattr(recognizer, "name", type(recognizer).__name__))


def require_recognizers(recognizers: Sequence[EntityRecognizer]) -> tuple[EntityRecognizer, ...]:
    """Return the recognizers as a tuple.

    :raises UsageError: one of them is not of Presidio's class.
    """
    if recognizers:
        from presidio_analyzer import EntityRecognizer

        for recognizer in recognizers:
            if not isinstance(recognizer, EntityRecognizer):
                raise UsageError(
                    f"recognizers takes objects of presidio_analyzer.EntityRecognizer, not {type(recognizer).__qualname__}."
                )
            if recognizer.supported_language != "en":
                raise UsageError(
                    f"The recognizer {_read_recognizer_name(recognizer)} is for {recognizer.supported_language!r}; Presidio asks it only with supported_language='en'."
                )
    return tuple(recognizers)


def merge_user_findings(other_findings: Sequence[Finding], user_findings: Sequence[Finding]) -> list[Finding]:
    """Return all findings in order and without overlap. Findings that overlap one of the user's are merged with it,
    and get its entity.
    """
    for mine in sorted(user_findings, key=lambda f: (f.start, -f.end)):
        touching = [f for f in other_findings if f.start < mine.end and mine.start < f.end]
        start, end = min([mine.start, *(f.start for f in touching)]), max([mine.end, *(f.end for f in touching)])
        other_findings = [f for f in other_findings if f not in touching]
        other_findings.append(Finding(start, end, mine.entity, mine.score))
    return sorted(other_findings, key=lambda f: f.start)
