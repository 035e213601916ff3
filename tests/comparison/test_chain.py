"""Where runs part: the cause comes before its echoes, and each sentence has its verb."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel import compare

from ..reel.sample import Json
from .runs import Made


def paid(path: Path, said: str, typed: str, *, locator: str = 'get_by_label("Code")', value: str = "same") -> Path:
    """A run that fills a field, after which the page says something at once with what stands in other fields."""
    run = Made(path)
    run.step("Pay")
    run.open("/", "Shop", "[Pay]")
    run.call("fill", locator, params={"value": value})
    fields: list[Json] = [["input", {"name": name, "value": f"{typed} {name}"}] for name in ("zip", "city", "street")]
    run.show("Shop", *fields, said)
    run.call("click", 'get_by_role("button", name="Pay")')
    run.end_step(True)
    return run.end()


def chain(good: Path, bad: Path) -> list[str]:
    divergence = compare(good, bad, redaction=None).divergence
    assert divergence is not None
    return list(divergence.chain)


def test_a_line_that_tells_of_an_error_comes_before_what_fields_say_again(tmp_path: Path) -> None:
    said = chain(paid(tmp_path / "a.reel", "Thank you", "old"), paid(tmp_path / "b.reel", "Your card was declined", "new"))  # fmt: skip
    assert "declined" in said[0] and not any("[input" in sentence for sentence in said)


def test_where_fields_alone_differ_they_are_told(tmp_path: Path) -> None:
    said = chain(paid(tmp_path / "a.reel", "Thank you", "old"), paid(tmp_path / "b.reel", "Thank you", "new"))
    assert "[input" in said[0]


@pytest.mark.parametrize(
    ("changed", "verb"), [({"value": "other"}, "was made with “other”"), ({"locator": 'locator("#code")'}, "was made instead of")]
)  # fmt: skip
def test_each_sentence_has_a_verb(tmp_path: Path, changed: dict[str, str], verb: str) -> None:
    said = chain(paid(tmp_path / "a.reel", "Hi", "x"), paid(tmp_path / "b.reel", "Hi", "x", **changed))
    assert any(verb in sentence for sentence in said)
