"""What a baseline shows to vary may vary, each place by its kind; what one run alone has says nothing of the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.comparison import compare
from pagereel.comparison.varying_places import compute_confidence

from .runs import Made

TIPS = ("Glaze twice", "Dry it slowly", "Wedge the clay well", "Mind the draught")


def queue(path: Path, waiting: int, tip: str, stock: int, last: str = "Thank you", seed: int = 1) -> Path:
    """A run in which a counter, a tip and a stock are others each time."""
    run = Made(path)
    run.step("Look")
    run.open("/", ["p", {"id": "waiting"}, f"{waiting} waiting"], ["p", {"id": "tip"}, tip], ["p", {"id": "total"}, "Total 48"], "[Buy]")  # fmt: skip
    run.call("click", 'get_by_role("button", name="Buy")')
    run.fetch("GET", "/api/stock", answer={"stock": stock, "items": [{"name": "vase", "left": stock * seed}]})
    run.show(["p", {"id": "total"}, "Total 48"], ["p", {"id": "said"}, last])
    run.end_step()
    return run.end()


def test_what_another_value_was_seen_at_in_each_run_may_have_a_further_one_of_its_kind(tmp_path: Path) -> None:
    good, *others = [queue(tmp_path / f"{n}.reel", 20 + n, TIPS[n], 3 * n + 1) for n in range(3)]
    again = compare(good, queue(tmp_path / "again.reel", 7, TIPS[3], 40), baseline=others, redaction=None)
    assert again.equal and again.differences == []
    for changed, word in (
        ({"last": "Not paid"}, "Not paid"),
        ({"tip": "The kiln is broken, and nobody knows when there will be another one; come again in spring, or write to us"}, "kiln is broken"),
        ({"stock": "none"}, "stock"),
    ):  # fmt: skip
        told = {"waiting": 7, "tip": TIPS[3], "stock": 40, **changed}
        found = compare(good, queue(tmp_path / "other.reel", **told), baseline=others, redaction=None).divergence  # type: ignore[arg-type]
        assert found is not None and word in found.summary, word
        (tmp_path / "other.reel").unlink()


def test_one_other_word_among_many_fills_is_a_difference(tmp_path: Path) -> None:
    def fills(path: Path, odd: int | None = None) -> Path:
        run = Made(path)
        run.step("Fill")
        run.open("/", "Form")
        for number in range(20):
            word = "other" if number == odd else f"word {number}"
            run.call("fill", f'get_by_label("Field {number}")', params={"value": f"word {number}"})
            run.show("Form", ["output", {"class": "said"}, word])
        run.end_step()
        return run.end()

    result = compare(fills(tmp_path / "a.reel"), fills(tmp_path / "b.reel", 7), redaction=None)
    assert result.failed() == ["page"] and result.divergence is not None and "other" in result.divergence.summary


@pytest.mark.parametrize(
    ("runs", "gone", "came", "sure"),
    [
        ([{"a"}], "a", "b", True),
        ([{"a"}, {"a"}, {"a"}], "a", "b", True),
        ([{"3 left"}, {"5 left"}], "3 left", "8 left", False),
        ([{"3 left"}, {"5 left"}], "3 left", "sold out", True),
        ([{"on"}, {"on"}, {"off"}, {"off"}], "on", "broken", False),
        ([{"on"}, {"on"}, {"on"}, {"off"}, {"off"}, {"off"}], "on", "broken", True),
        ([{"on"}, {"on"}, {"on"}, {"off"}], "on", "off", False),
        ([{"ash", "elm", "fir"}, {"elm", "oak", "fir"}, {"elm", "yew", "ash"}, {"elm", "box", "yew"}], "elm", "ash", False),
        ([{"Pay", "ash"}, {"Pay", "elm"}, {"Pay", "fir"}, {"Pay", "oak"}], "Pay", "Order", True),
    ],
)  # fmt: skip
def test_how_sure_a_difference_is_follows_from_how_often_each_value_was_seen(
    runs: list[set[object]], gone: str, came: str, sure: bool
) -> None:
    assert (compute_confidence(runs, gone, came) >= 0.5) is sure


def test_what_is_not_sure_is_told_with_its_confidence_and_fails_nothing(tmp_path: Path) -> None:
    tips = (*TIPS[:2], TIPS[0])
    good, *others = [queue(tmp_path / f"{n}.reel", 20, tip, 1) for n, tip in enumerate(tips)]
    result = compare(good, queue(tmp_path / "b.reel", 20, "Wedge it", 1), baseline=others, redaction=None)
    assert [each.kind for each in result.differences] in ([], ["page"])
    assert all(0 < each.confidence < 1 for each in result.differences)
