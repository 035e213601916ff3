"""Scores two detectors, pagereel's and plain Presidio over the same spaCy pipeline: full masks, masked characters, and wrong masks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

Span = tuple[int, int]
System = Callable[[Sequence[str]], list[list[Span]]]


def score_rows(rows: Sequence[dict[str, Any]], predicted: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return the share of spans that are masked whole, in all and by entity, and recall, precision and F2 by character."""
    types: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    gold_count = masked_count = both = 0
    for row, spans in zip(rows, predicted, strict=True):
        text = row["text"]
        masked = _mark_covered(len(text), spans)
        gold = _mark_covered(len(text), [(s, e) for s, e, _ in row["spans"]])
        for start, end, kind in row["spans"]:
            types[kind][0] += all(masked[i] for i in range(start, end) if text[i].isalnum())
            types[kind][1] += 1
        for i, char in enumerate(text):
            if char.isalnum():
                gold_count += gold[i]
                masked_count += masked[i]
                both += gold[i] and masked[i]
    spans_all = sum(n for _, n in types.values())
    recall, precision = both / max(gold_count, 1), both / max(masked_count, 1)
    return {
        "spans": spans_all,
        "full": sum(ok for ok, _ in types.values()) / max(spans_all, 1),
        "recall": recall,
        "precision": precision,
        "f2": 5 * precision * recall / max(4 * precision + recall, 1e-9),
        "types": {k: {"n": n, "full": ok / n} for k, (ok, n) in sorted(types.items(), key=lambda item: -item[1][1])},
    }


def _mark_covered(length: int, spans: Sequence[Span]) -> list[bool]:
    """Return for each character of a text of this length whether a span covers it."""
    out = [False] * length
    for start, end in spans:
        out[start:end] = [True] * (end - start)
    return out


def measure_over_masking(texts: Sequence[str], predicted: Sequence[Sequence[Span]]) -> dict[str, float]:
    """Return the share of interface strings in which something is masked, and the share of their characters."""
    touched = sum(1 for spans in predicted if spans)
    return {
        "strings": len(texts),
        "touched": touched / max(len(texts), 1),
        "characters": sum(e - s for spans in predicted for s, e in spans) / max(sum(map(len, texts)), 1),
    }


def find_with_pagereel(texts: Sequence[str]) -> list[list[Span]]:
    """Return the spans that pagereel would mask in each text."""
    from pagereel.redaction import find_pii

    return [[(f.start, f.end) for f in found] for found in find_pii(texts)]


def find_with_presidio(texts: Sequence[str]) -> list[list[Span]]:
    """Return the spans that Presidio finds in each text with its default recognizers and labels, without a threshold."""
    import logging

    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine

    from pagereel.redaction.words.spacy_pipelines import load_pipeline

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
