"""The systems that are compared: pagereel's detector, and plain Presidio over the same spaCy pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Span = tuple[int, int]
System = Callable[[Sequence[str]], list[list[Span]]]


def ours(texts: Sequence[str]) -> list[list[Span]]:
    """What pagereel would mask."""
    from pagereel.redaction import find_pii

    return [[(f.start, f.end) for f in found] for found in find_pii(texts)]


def plain_presidio(texts: Sequence[str]) -> list[list[Span]]:
    """Presidio as it comes: its default recognizers and labels, no threshold, the same spaCy pipeline."""
    import logging

    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    from pagereel.redaction.words.language import load_pipeline

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    # The e-mail recognizer would look a list of domains up on the network; the list that came with it is enough.
    import tldextract

    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=())
    engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "bench"}])
    engine.ner_model_configuration = NerModelConfiguration(
        model_to_presidio_entity_mapping={"PERSON": "PERSON", "NORP": "NRP", "FAC": "LOCATION", "LOC": "LOCATION", "GPE": "LOCATION",
                                          "ORG": "ORGANIZATION", "DATE": "DATE_TIME", "TIME": "DATE_TIME"},
        labels_to_ignore=["ORGANIZATION", "ORG", "CARDINAL", "EVENT", "LANGUAGE", "LAW", "MONEY", "ORDINAL", "PERCENT", "PRODUCT", "QUANTITY", "WORK_OF_ART"],
        low_score_entity_names=[],
    )  # fmt: skip
    engine.nlp = {"en": load_pipeline().nlp}
    registry = RecognizerRegistry(supported_languages=["en"])
    registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
    analyzer = AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])
    return [[(r.start, r.end) for r in analyzer.analyze(t, "en") if r.entity_type != "ORGANIZATION"] for t in texts]
