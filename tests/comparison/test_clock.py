"""One clock for two runs."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pagereel.comparison import compare
from pagereel.comparison.joint_clock import JointClock
from pagereel.comparison.runs.run_items import ComparedRun
from pagereel.reel import PageModel

from .runs import purchase

TIMES = st.floats(0, 1000)


def run(duration: float) -> ComparedRun:
    return ComparedRun("", "reel", [], [], [], [], [], duration, "unknown", 0.0, 0, PageModel(), {})


@given(st.lists(st.tuples(TIMES, TIMES)), TIMES)
def test_no_run_goes_back_and_none_goes_faster_than_it_did(together: list[tuple[float, float]], other: float) -> None:
    moments = JointClock([], run(1000), run(other), together).moments
    for before, after in pairwise(moments):
        steps = [after[n] - before[n] for n in range(3)]
        assert min(steps) >= 0 and max(steps[1:]) <= steps[0] + 0.1
    assert moments[0] == (0, 0, 0) and moments[-1][1:] == (1000, other)


def test_an_outlier_does_not_stand_in_the_way_of_the_rest() -> None:
    together = [(10.0, 990.0), (20.0, 30.0), (40.0, 60.0), (500.0, 700.0)]
    clock = JointClock([], run(1000), run(1000), together)
    assert [moment[1:] for moment in clock.moments[1:-1]] == [(20.0, 30.0), (40.0, 60.0), (500.0, 700.0)]


def test_a_difference_that_shows_in_both_shows_at_one_moment(tmp_path: Path) -> None:
    good, bad = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", status=409, total="0", button=False)
    result = compare(good, bad, redaction=None)
    both = [each for each in result.differences if None not in each.at.values() and each.kind in ("page", "network")]
    assert both
    for each in both:
        alone = [
            result._joint_clock.to_joint_time(each.at["a"], None),
            result._joint_clock.to_joint_time(None, each.at["b"]),
        ]
        assert abs(alone[0] - alone[1]) < 1, each


def test_every_line_of_a_page_that_differs_names_its_element(tmp_path: Path) -> None:
    good, bad = purchase(tmp_path / "a.reel"), purchase(tmp_path / "b.reel", status=409, total="0", button=False)
    lines = [each for each in compare(good, bad, redaction=None).differences if each.kind == "page"]
    assert lines
    for each in lines:
        assert all((each.nodes[side] is None) == (value is None) for side, value in (("a", each.a), ("b", each.b)))
