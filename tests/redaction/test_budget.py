"""What one text may cost: what it repeats is read once, what is too long is masked whole, and both are said."""

from __future__ import annotations

import pytest

from pagereel.redaction import find_pii
from pagereel.redaction.detect import detect, detection_pool

REPEATED = "Dr.-Ing. Wilhelmina Okonkwo wrote to the office. "


def test_what_a_text_repeats_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """616 bytes of a recording were a note that the models read for 41 seconds."""
    asked: list[str] = []
    ask = detect._ask_models

    def count(texts: list[tuple[str, detect.TextContext]], by_rule: list[list[detect.Finding]]) -> object:
        asked.extend(text for text, _ in texts)
        return ask(texts, by_rule)

    monkeypatch.setattr(detect, "_ask_models", count)
    text = REPEATED * 2_000
    (found,) = find_pii([text])
    assert sum(map(len, asked)) < len(text) / 5
    assert [text[f.start : f.end] for f in found if f.entity == "PERSON"].count("Wilhelmina Okonkwo") == 2_000


def test_a_long_text_is_read_in_parts_that_bound_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once: list[int] = []
    monkeypatch.setattr(
        detect,
        "_ask_models",
        lambda texts, by_rule: (at_once.append(len(texts)), ([[]] * len(texts),) * 2 + ([{}] * len(texts),))[1],
    )
    find_pii([" ".join(f"Line {n} of many." for n in range(9_000))])
    assert len(at_once) > 3 and max(at_once) < detect.AT_ONCE + detect.CHUNK / 300


@pytest.mark.parametrize(("name", "most"), [("MOST_READ", 10_000), ("MOST_SECONDS", 0.0)])
def test_what_comes_after_the_budget_of_a_text_is_masked_whole_and_told(
    monkeypatch: pytest.MonkeyPatch, name: str, most: float
) -> None:
    monkeypatch.setattr(detect, name, most)
    monkeypatch.setattr(detect, "_ask_models", lambda texts, by_rule: ([[] for _ in texts],) * 2 + ([{}] * len(texts),))
    text = "".join(f"Line {n} of many. " for n in range(5_000)) + "Write to wilhelmina@example.net."
    failed: list[str] = []
    found = detection_pool.find_personal_data_in_processes([text, "Add to basket"], failure_places=failed)
    rest = found[0][-1]
    assert rest.end == len(text) and rest.entity == "SECRET" and detect.CHUNK // 2 < rest.start < 3 * detect.CHUNK
    assert found[1] == []
    assert detection_pool.describe_failures(failed).startswith("1 text is longer than what is looked through of one")
    assert detection_pool.describe_failures([*failed, "KeyError"]).startswith(
        "The detector failed at 1 text, which is masked whole (KeyError)"
    )
