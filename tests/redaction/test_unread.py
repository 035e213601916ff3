"""A text at which the detector fails is masked whole, whatever stands beside it, and is told of; it neither ends the build nor comes through."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from presidio_analyzer import EntityRecognizer

from pagereel.cli import main
from pagereel.errors import PolicyError, UsageError
from pagereel.player_build import build
from pagereel.redaction import Finding, Policy, PolicyRule, TextContext, find_pii, redact
from pagereel.redaction.detect import detect, detection_pool
from pagereel.redaction.detect.filters.findings_cache import FindingsCache

from .reels import reel_of, words

FAILS = "The zanzibarine chairman waits"
BESIDE = ["Signed by Wilhelmina Okonkwo", "Add to basket", "Ask Ottoline Vex at 30 Canal Street"]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A detector one of whose rules fails at a word."""

    def fails(text: str) -> list[Finding]:
        if "zanzibarine" in text:
            raise IndexError(f"nothing before {text}")
        return []

    monkeypatch.setattr(detect, "RULES", (*detect.RULES, fails))
    monkeypatch.setattr(detection_pool, "_findings_cache", FindingsCache())


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("workers", [False, True])
@pytest.mark.parametrize("kind", ["text", "code", "slug"])
def test_the_text_alone_is_found_whole(workers: bool, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection_pool, "ENOUGH", 0 if workers else 1_000_000)
    monkeypatch.setattr(detection_pool, "_may_fork", lambda: True)
    alone = detection_pool.find_personal_data_in_processes(BESIDE)
    for at in range(len(BESIDE) + 1):
        texts = [*BESIDE[:at], FAILS, *BESIDE[at:]]
        failed: list[str] = []
        contexts = [TextContext(kind=kind) if text == FAILS else TextContext() for text in texts]
        found = detection_pool.find_personal_data_in_processes(texts, contexts, failure_places=failed)
        assert found.pop(at) == [Finding(0, len(FAILS), "SECRET", 1.0)]
        assert found == alone
        assert failed == [failed[0]] and failed[0].startswith("IndexError in test_unread.py, line ")


@pytest.mark.usefixtures("failing")
def test_it_is_said_each_time_and_not_what_the_text_is() -> None:
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="failed at 1 text, which is masked whole") as told:
            find_pii([FAILS, *BESIDE])
        assert "zanzibarine" not in str(told[0].message) and "chairman" not in str(told[0].message)


@pytest.mark.usefixtures("failing")
def test_a_build_goes_on_without_the_text_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reel = reel_of(tmp_path / "run.reel", FAILS, f"Today {FAILS} for Ada Lovelace", "Add to basket")
    report = redact(reel, tmp_path / "masked.reel")
    assert [note for note in report.notes if "failed at 2 texts, which are masked whole" in note]
    said = words(tmp_path / "masked.reel")
    assert "Add to basket" in said
    assert not any(word in said for word in ("zanzibarine", "chairman", "Today", "Lovelace"))
    assert main(["build", str(reel), str(tmp_path / "run.html")]) == 0
    assert "failed at 2 texts" in capsys.readouterr().out
    assert main(["build", str(reel), str(tmp_path / "again.html"), "--json"]) == 0
    assert "failed at 2 texts" in " ".join(json.loads(capsys.readouterr().out)["notes"])


@pytest.mark.usefixtures("failing")
def test_a_policy_that_would_let_it_through_writes_nothing(tmp_path: Path) -> None:
    reel = reel_of(tmp_path / "run.reel", FAILS)
    policy = Policy("ours", rules=(PolicyRule("entity", "SECRET", "allow"),))
    with pytest.raises(PolicyError, match="leaves SECRET unmasked"):
        redact(reel, tmp_path / "masked.reel", policy)
    assert not (tmp_path / "masked.reel").exists()


def test_half_a_character_hides_nobody() -> None:
    failed: list[str] = []
    found = detection_pool.find_personal_data_in_processes(
        ["Dear Wilhelmina Okonkwo \ud83d", "\udc80 Add to basket"], failure_places=failed
    )
    assert failed == []
    assert [(f.start, f.end, f.entity) for f in found[0]] == [(5, 23, "PERSON")] and found[1] == []


@pytest.mark.parametrize("lacks", [UsageError("no model"), MemoryError(), OSError(), ImportError()])
def test_what_every_text_would_fail_at_ends_the_build(lacks: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise lacks

    monkeypatch.setattr(detection_pool.detect, "detect_personal_data", fails)
    with pytest.raises(type(lacks)):
        detection_pool.detect_or_mask_whole([(FAILS, TextContext())])


class Broken(EntityRecognizer):
    """A user's own, which fails at a text."""

    def __init__(self) -> None:
        super().__init__(["BADGE"], name="Broken")

    def load(self) -> None:
        pass

    def analyze(self, text: str, entities: list[str], nlp_artifacts: Any = None) -> Any:
        raise KeyError(text)


def test_a_recognizer_of_the_users_that_fails_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\(Broken\) failed at a text with KeyError") as told:
        build(reel_of(tmp_path / "run.reel", "Hello"), tmp_path / "run.html", recognizers=[Broken()])
    assert "Hello" not in str(told.value) and not (tmp_path / "run.html").exists()
    assert str(pickle.loads(pickle.dumps(told.value))) == str(told.value)  # it comes from a worker, too
