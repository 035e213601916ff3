"""Which lines only one of two pages has, read without those that stand beside their like."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagereel.comparison.effects.transient_lines import find_one_sided_lines

LINES = st.lists(st.sampled_from("abc"), max_size=8)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LINES, LINES, LINES, LINES)
def test_lines_that_only_one_page_has_are_those_that_it_has_more_often(
    before: list[str], ours: list[str], theirs: list[str], after: list[str]
) -> None:
    one, other = [*before, *ours, *after], [*before, *theirs, *after]
    assert find_one_sided_lines(one, other) == (Counter(one) - Counter(other), Counter(other) - Counter(one))
