"""What a user brings is masked everywhere: patterns of a policy file, and recognizers of Presidio's classes."""

from __future__ import annotations

import ast
import importlib.util
import threading
from pathlib import Path
from typing import Any

import pytest
from presidio_analyzer import EntityRecognizer, Pattern, PatternRecognizer, RecognizerResult

from pagereel import build, redact
from pagereel.errors import PolicyError, UsageError
from pagereel.redaction import Finding, PolicyPattern, find_pii, load_policy, to_policy_toml
from pagereel.redaction.detect import detect, detection_pool

from .reels import reel_of, words

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def test_a_policy_files_patterns_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "run.reel", "Badge BX-77 opened it", "Project Nightjar is late, and the project is large")
    masked = tmp_path / "masked.reel"
    report = redact(reel, masked, EXAMPLES / "house_rules.toml")
    said = words(masked)
    assert "BX-77" not in said and "Nightjar" not in said
    assert "Badge " in said and "the project is large" in said
    assert report.entities["ID"] >= 3 and report.entities["ORGANIZATION"] >= 2
    redact(reel, masked, "vendor")
    assert "BX-77" in words(masked)


def test_what_touches_a_users_finding_is_one_span_with_it() -> None:
    recognizer = PatternRecognizer("BADGE", patterns=[Pattern("badge", r"Miller \(\d+", 0.9)])
    [[finding]] = find_pii(["Signed: Anna Miller (77"], recognizers=[recognizer])
    assert "Signed: Anna Miller (77"[finding.start : finding.end] == "Anna Miller (77" and finding.entity == "ID"


class Locked(EntityRecognizer):  # type: ignore[misc, unused-ignore]
    """One of one's own that reads neither pattern nor model, and that no process can send to another."""

    def __init__(self) -> None:
        super().__init__(["PERSON"], name="Locked")
        self.lock = threading.Lock()

    def load(self) -> None: ...

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> list[RecognizerResult]:
        with self.lock:
            at = text.find("zanzibarine")
            return [RecognizerResult("PERSON", at, at + 11, 0.8)] if at >= 0 else []


def test_presidios_own_classes_are_asked_in_worker_processes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"Row {n} of zanzibarine things" for n in range(3)]
    alone = find_pii(texts, recognizers=[Locked()])
    assert [[f.entity for f in found] for found in alone] == [["PERSON"]] * 3
    monkeypatch.setattr(detection_pool, "ENOUGH", 0)
    monkeypatch.setattr(detection_pool, "_may_fork", lambda: True)
    assert find_pii(texts, recognizers=[Locked()]) == alone
    assert not any(find_pii(texts))


def test_the_examples_recognizer_and_words_beside_a_weak_pattern(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("example", EXAMPLES / "dutch_citizen_number.py")
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    reel = reel_of(tmp_path / "run.reel", "bsn 111222333", "code 111222334")
    report = build(reel, tmp_path / "run.html", recognizers=[example.DutchCitizenNumber()]).redaction
    assert report is not None and "111222333" in {value.text for value in report.known}
    assert "DutchCitizenNumber" in report.models
    weak = PatternRecognizer("LOCKER", patterns=[Pattern("four", r"\b\d{3}\b", 0.05)], context=["locker"])
    assert [len(found) for found in find_pii(["his locker is 471", "of 471 rows"], recognizers=[weak])] == [1, 0]


def test_what_is_no_recognizer_or_no_pattern_is_said_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not str"):
        find_pii(["x"], recognizers=["BX"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="masks nothing"):
        build(tmp_path / "run.reel", tmp_path / "run.html", redaction=None, recognizers=[Locked()])
    for text, problem in (
        ("[[patterns]]\nregex = '('", r":2: the regex of pattern 1 is invalid"),
        ("[[patterns]]\nregex = 'a*'", r":2: the regex of pattern 1 matches the empty text"),
        ("[[patterns]]\nregex = 'a+'\nentity = 'BADGE'", r":3: `entity` must be one of"),
        ("[[patterns]]\nentity = 'ID'", r":1: pattern 1 needs a `regex`"),
        ("[[patterns]]\nregexp = 'a+'", r":2: a pattern has no `regexp`"),
        ("patterns = 'a+'", r":1: `patterns` must be a list of tables"),
    ):
        path = tmp_path / "ours.toml"
        path.write_text(text)
        with pytest.raises(PolicyError, match=problem):
            load_policy(path)


def test_a_finding_of_an_entity_without_a_row_ends_the_redaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = r"gives findings of the entity 'PET_NAME', which has no row in the table of redaction/contracts/entities\.py; add"
    with pytest.raises(UsageError, match=rf"The pattern 'BX-77' {told}"):
        PolicyPattern("BX-77", "PET_NAME")
    monkeypatch.setattr(detect, "RULES", (*detect.RULES, lambda text: [Finding(0, 5, "PET_NAME", 0.9)]))
    reel, masked = reel_of(tmp_path / "run.reel", "Rexor of Anna Ostenvik"), tmp_path / "masked.reel"
    with pytest.raises(UsageError, match=rf"The recognizer 'shape' {told}"):
        redact(reel, masked)
    assert not masked.exists()


def test_the_reviewers_policy_file_keeps_the_patterns(tmp_path: Path) -> None:
    ours = load_policy(EXAMPLES / "house_rules.toml")
    again = tmp_path / "house_rules.toml"
    again.write_text(to_policy_toml(ours), "utf-8")
    assert load_policy(again) == ours and len(ours.patterns) == 2


def test_no_private_name_of_presidios_is_used() -> None:
    tree = ast.parse((ROOT / "redaction" / "detect" / "models" / "presidio.py").read_text("utf-8"))
    private = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert private <= {"__init__"}
