"""Run Presidio's analyzer over one explicit spaCy pipeline, in batches.

``AnalyzerEngine()`` without arguments would fetch a model from the network, and reading one text at a time costs five
times as much as a batch. So the pipeline runs over all texts first, and the engine gets its result. A pattern
recognizer, above all the costly one for telephone numbers, only reads texts that hold the characters it needs.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...contracts.findings import Finding
from ...words.spacy_pipelines import (
    SpacyPipeline,
    find_package_for_foreign_texts,
    find_pipeline_package,
    load_pipeline,
    load_pipeline_for_foreign_texts,
    read_name_and_version,
)
from ..filters.foreign_words import is_foreign_text

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpArtifacts
    from spacy.tokens import Doc

ENTITY = {
    "PERSON": "PERSON",
    "LOCATION": "LOCATION",
    "NRP": "NRP",
    "ORGANIZATION": "ORGANIZATION",
    "DATE_TIME": "DATE_TIME",
    "PHONE_NUMBER": "PHONE_NUMBER",
    "CREDIT_CARD": "CREDIT_CARD",
    "IBAN_CODE": "IBAN_CODE",
    "IP_ADDRESS": "IP_ADDRESS",
    "MAC_ADDRESS": "MAC_ADDRESS",
    "US_SSN": "GOVERNMENT_ID",
    "US_ITIN": "GOVERNMENT_ID",
    "US_PASSPORT": "GOVERNMENT_ID",
    "US_DRIVER_LICENSE": "GOVERNMENT_ID",
    "MEDICAL_LICENSE": "GOVERNMENT_ID",
    "CRYPTO": "CRYPTO",
    "UUID": "UUID",
}
"""Presidio's name of each entity that is used → pagereel's name."""

LABELS = {
    "PERSON": "PERSON",
    "NORP": "NRP",
    "FAC": "LOCATION",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "ORG": "ORGANIZATION",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
}
"""spaCy's label of each entity that is used → Presidio's name."""

NAMED = ["PERSON", "LOCATION", "NRP", "ORGANIZATION", "DATE_TIME"]
_LONG_NUMBER = re.compile(r"\d(?:[- .]?\d){7}")
GATES: dict[str, re.Pattern[str]] = {
    "IBAN_CODE": re.compile(r"[A-Za-z]{2}\d\d(?:[ -]?[A-Za-z0-9]{4}){2}"),
    "IP_ADDRESS": re.compile(r"\d\.\d{1,3}\.\d|:[\dA-Fa-f]{0,4}:"),
    "MAC_ADDRESS": re.compile(r"[\dA-Fa-f]{2}[:-][\dA-Fa-f]{2}[:-]|[\dA-Fa-f]{4}\.[\dA-Fa-f]{4}\."),
    "MEDICAL_LICENSE": re.compile(r"[A-Za-z][A-Za-z9]\d{7}"),
    "CRYPTO": re.compile(r"(?:bc1|[13])[A-Za-z0-9]{25}"),
    "UUID": re.compile(r"[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-"),
    "CREDIT_CARD": re.compile(r"\d(?:[- ]?\d){11}"),
    "US_SSN": _LONG_NUMBER,
    "US_ITIN": _LONG_NUMBER,
    "US_PASSPORT": _LONG_NUMBER,
    "US_DRIVER_LICENSE": re.compile(
        r"[A-Za-z]\d{2}|\d{2}[A-Za-z]|(?:lic|driv|permit|dls|dl\b|identif)(?s:.{0,600})\d{6}", re.IGNORECASE
    ),
    "PHONE_NUMBER": re.compile(r"\d(?:[^A-Za-wyz\d]{0,4}\d){6}"),
}
"""Entity → what a text must contain for its recognizer to find anything. The test is much cheaper than the recognizer.
"""
LEAST = {"US_SSN": 0.3, "US_ITIN": 0.3, "US_PASSPORT": 0.3, "US_DRIVER_LICENSE": 0.3, "CREDIT_CARD": 0.3}
"""Least score for recognizers that match any digits if no context word is near."""

_DIGIT = re.compile(r"\d")
_COUNTED = frozenset({"CREDIT_CARD", "US_SSN", "US_ITIN", "US_PASSPORT", "US_DRIVER_LICENSE", "PHONE_NUMBER"})
"""Entities that have seven digits or more."""
_MARK = re.compile(r"[:\d]")


@lru_cache(maxsize=1)
def load_analyzer() -> tuple[AnalyzerEngine, SpacyPipeline]:
    """Return the engine and its pipeline. The first call takes seconds.

    :raises SetupError: no spaCy pipeline is installed.
    """
    pipeline = load_pipeline()
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    class LoadedEngine(SpacyNlpEngine):  # type: ignore[misc, unused-ignore]
        """Presidio's spaCy engine around a pipeline that is loaded already."""

        def __init__(self) -> None:
            super().__init__(
                models=[{"lang_code": "en", "model_name": pipeline.name}],
                ner_model_configuration=NerModelConfiguration(
                    model_to_presidio_entity_mapping=LABELS,
                    labels_to_ignore=[
                        "CARDINAL",
                        "EVENT",
                        "LANGUAGE",
                        "LAW",
                        "MONEY",
                        "ORDINAL",
                        "PERCENT",
                        "PRODUCT",
                        "QUANTITY",
                        "WORK_OF_ART",
                    ],
                    low_score_entity_names=[],
                ),
            )
            self.nlp: Any = {"en": pipeline.nlp}

        def load(self) -> None:
            """Do nothing: the pipeline is loaded already, and nothing is fetched."""

    engine = LoadedEngine()
    # Presidio warns of every recognizer for another language that it leaves out, which is intended.
    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
    return AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"]), pipeline


def list_pipelines() -> list[str]:
    """Return the names and versions of the spaCy pipelines in use."""
    return list(
        dict.fromkeys(
            [read_name_and_version(find_pipeline_package()), read_name_and_version(find_package_for_foreign_texts())]
        )
    )


def analyze(texts: Sequence[str]) -> Iterator[list[Finding]]:
    """Yield Presidio's findings for each text: names by its spaCy recognizer, the rest by its patterns."""
    foreign = [is_foreign_text(text) for text in texts]
    docs = load_analyzer()[1].nlp.pipe((t for t, f in zip(texts, foreign, strict=True) if not f), batch_size=256)
    others = _parse_foreign_texts([t for t, f in zip(texts, foreign, strict=True) if f])
    for text, strange in zip(texts, foreign, strict=True):
        doc = next(others if strange else docs)
        yield _analyze_doc(text, doc, _choose_entities(text) + (NAMED if doc.ents else []))


def _parse_foreign_texts(texts: Sequence[str]) -> Iterator[Doc]:
    return load_pipeline_for_foreign_texts().nlp.pipe(texts, batch_size=256) if texts else iter(())


def find_by_patterns(texts: Sequence[str]) -> Iterator[list[Finding]]:
    """Yield the findings of Presidio's patterns for each text, without the language model."""
    pipeline = load_analyzer()[1]
    for text in texts:
        asked = _choose_entities(text)
        yield _analyze_doc(text, pipeline.nlp.make_doc(text), asked) if asked else []


def _choose_entities(text: str) -> list[str]:
    if not _MARK.search(text):
        return []
    few = len(_DIGIT.findall(text)) < 7
    return [entity for entity, gate in GATES.items() if not (few and entity in _COUNTED) and gate.search(text)]


def _analyze_doc(text: str, doc: Doc, entities: list[str]) -> list[Finding]:
    if not entities:
        return []
    engine = load_analyzer()[0]
    results = engine.analyze(text, "en", entities=entities, nlp_artifacts=_to_presidio_artifacts(doc))
    return [
        Finding(r.start, r.end, ENTITY[r.entity_type], float(r.score))
        for r in results
        if r.entity_type in ENTITY and r.score >= LEAST.get(r.entity_type, 0.0)
    ]


def build_nlp_artifacts(text: str) -> NlpArtifacts:
    """Return the language model's analysis of a text, for a recognizer that looks at the words around a finding.
    Words in lower case stand for their lemmas.
    """
    doc = load_analyzer()[1].nlp(text)
    return _to_presidio_artifacts(doc, [token.lower_ for token in doc])


def _to_presidio_artifacts(doc: Doc, lemmas: list[str] | None = None) -> NlpArtifacts:
    """Return spaCy's analysis as Presidio's type, so that Presidio does not read the text a second time."""
    from presidio_analyzer.nlp_engine import NlpArtifacts

    named = []
    for entity in doc.ents:
        if entity.label_ in LABELS:
            entity.label_ = LABELS[entity.label_]
            named.append(entity)
    return NlpArtifacts(
        entities=named, tokens=doc, tokens_indices=[token.idx for token in doc], lemmas=[token.lemma_ for token in doc] if lemmas is None else lemmas,
        nlp_engine=load_analyzer()[0].nlp_engine, language="en",
    )  # fmt: skip
