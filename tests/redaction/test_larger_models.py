"""A larger model that the user brings is asked: GLiNER by Presidio's recognizer, and a token classifier in ONNX, each by a small stand-in of the same form."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pagereel.redaction.detect import detection_pool
from pagereel.redaction.detect.user_recognizers import UserRecognizers

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "onnx_recognizer.py"

TEXT = "the order of quillfeather went to the crown on monday"


def spans(recognizer: Any) -> list[tuple[str, str]]:
    (found,) = detection_pool.find_personal_data_in_processes(
        [TEXT], recognizers=UserRecognizers(recognizers=[recognizer])
    )
    return [(TEXT[f.start : f.end], f.entity) for f in found]


def test_gliner_comes_by_presidios_recognizer(monkeypatch: pytest.MonkeyPatch) -> None:
    class GLiNER:
        """As the library's: loaded by name, asked for labels, answers with offsets."""

        @classmethod
        def from_pretrained(cls, name: str, **named: Any) -> GLiNER:
            assert name == "urchade/gliner_multi_pii-v1"
            return cls()

        def predict_entities(self, text: str, labels: list[str], **named: Any) -> list[dict[str, Any]]:
            assert set(labels) == {"person", "organization"}
            said = {"quillfeather": "person", "the crown": "organization"}
            return [
                {"start": (at := text.index(name)), "end": at + len(name), "label": label, "score": 0.9, "text": name}
                for name, label in said.items()
                if name in text
            ]

    library = ModuleType("gliner")
    library.GLiNER = GLiNER  # type: ignore[attr-defined]
    library.GLiNERConfig = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gliner", library)
    from presidio_analyzer.predefined_recognizers import GLiNERRecognizer
    from presidio_analyzer.predefined_recognizers.ner import gliner_recognizer

    monkeypatch.setattr(gliner_recognizer, "GLiNER", GLiNER, raising=False)
    mapping = {"person": "PERSON", "organization": "ORGANIZATION"}
    found = spans(GLiNERRecognizer(model_name="urchade/gliner_multi_pii-v1", entity_mapping=mapping))
    assert ("quillfeather", "PERSON") in found and ("the crown", "ORGANIZATION") in found


def test_a_token_classifier_in_onnx_is_a_recognizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    words = [(at, at + len(word)) for word in TEXT.split() for at in [TEXT.index(word)]]
    labels = ["O", "B-PER", "B-ORG", "I-ORG"]
    said = [1 if TEXT[a:b] == "quillfeather" else 3 if TEXT[a:b] == "crown" else 0 for a, b in words]
    said[said.index(3) - 1] = 2
    offsets = [*words]
    offsets[said.index(2)] = (TEXT.index("the crown"), TEXT.index("the crown") + 3)

    class Session:
        def __init__(self, file: str) -> None:
            assert file == str(tmp_path / "model.onnx")

        def run(self, names: None, feed: dict[str, Any]) -> list[Any]:
            assert set(feed) == {"input_ids", "attention_mask"}
            return [np.eye(len(labels), dtype=np.float32)[None, said] * 9]

    (tmp_path / "config.json").write_text(json.dumps({"id2label": {str(n): label for n, label in enumerate(labels)}}))
    encoded = SimpleNamespace(encode=lambda text: SimpleNamespace(ids=[1] * len(offsets), offsets=offsets))
    tokenizers = SimpleNamespace(Tokenizer=SimpleNamespace(from_file=lambda file: encoded))
    monkeypatch.setitem(sys.modules, "tokenizers", tokenizers)  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Session))  # type: ignore[arg-type]
    recognizer = runpy.run_path(str(EXAMPLE))["OnnxRecognizer"](tmp_path)
    monkeypatch.undo()
    found = spans(recognizer)
    assert ("quillfeather", "PERSON") in found and ("the crown", "ORGANIZATION") in found
