"""What the detector said once is not asked again, and what a text gets does not depend on what was asked before or stands beside it."""

from __future__ import annotations

from typing import Any

import pytest

from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.contracts.policy import PolicyPattern
from pagereel.redaction.detect import detection_pool
from pagereel.redaction.detect.filters.findings_cache import LONGEST, FindingsCache
from pagereel.redaction.detect.models import rampart
from pagereel.redaction.detect.user_recognizers import UserRecognizers

NAMED = ["Signed by Wilhelmina Okonkwo", "Ask Ottoline Vex at 30 Canal Street", "Add to basket", "+31 20 555 0134"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the detector is asked about."""
    texts: list[str] = []
    detect = detection_pool.detect.detect_personal_data

    def told(pairs: Any, own: Any = detection_pool.detect.NONE) -> Any:
        texts.extend(text for text, _ in pairs)
        return detect(pairs, own)

    monkeypatch.setattr(detection_pool.detect, "detect_personal_data", told)
    monkeypatch.setattr(detection_pool, "_findings_cache", FindingsCache())
    return texts


def test_a_text_is_asked_about_once(asked: list[str]) -> None:
    first = detection_pool.find_personal_data_in_processes(NAMED)
    assert sorted(asked) == sorted(NAMED)
    assert detection_pool.find_personal_data_in_processes([*NAMED, "Dear Tobias Quill"])[:4] == first and asked[4:] == [
        "Dear Tobias Quill"
    ]
    assert any(f.entity == "PERSON" for f in first[0])
    detection_pool.find_personal_data_in_processes(["Ottoline"], [TextContext("First name")])
    detection_pool.find_personal_data_in_processes(["Ottoline"], [TextContext("Colour")])
    assert asked[5:] == ["Ottoline", "Ottoline"]


def test_a_recognizer_of_the_users_own_is_always_asked(asked: list[str]) -> None:
    own = UserRecognizers([PolicyPattern(r"K-\d+")])
    assert [len(detection_pool.find_personal_data_in_processes(["K-12"], recognizers=own)[0]) for _ in range(2)] == [
        1,
        1,
    ]
    assert asked == ["K-12"] * 2 and detection_pool.find_personal_data_in_processes(["K-12"]) == [[]]


def test_who_changes_what_was_given_changes_nothing(asked: list[str]) -> None:
    detection_pool.find_personal_data_in_processes(NAMED[:1])[0].clear()
    assert detection_pool.find_personal_data_in_processes(NAMED[:1])[0] != []


def test_what_was_asked_for_longest_ago_is_forgotten() -> None:
    kept = FindingsCache(characters=10)
    pairs = [(text, TextContext()) for text in ("aaaa", "bbbb", "cccc", "d" * (LONGEST + 1))]
    found = [[Finding(0, 1, "PERSON", 0.5)]] * 4
    kept.store(pairs[:2], found[:2])
    kept.find_cached(pairs[:1])
    kept.store(pairs[2:], found[2:])
    assert list(kept.find_cached(pairs)) == [pairs[0], pairs[2]]


def test_rows_of_unlike_length_are_not_padded_to_the_longest() -> None:
    rows = [(n, [0] * width, [(0, 0)] * width) for n, width in enumerate([1, 1, 2, 2, 3, 11, 92, *[160] * 40])]
    batches = list(rampart._iter_batches(rows))
    assert [row for batch in batches for row in batch] == rows and max(map(len, batches)) == rampart.BATCH
    padded = sum(len(batch) * len(batch[-1][1]) for batch in batches)
    assert padded <= 1.01 * sum(len(ids) for _, ids, _ in rows)
