"""A piece of data told by a like one, in files that hold two recordings."""

from __future__ import annotations

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagereel.errors import BuildError
from pagereel.player_build.delta import decode_delta, encode_delta

VALUES = some.lists(
    some.one_of(some.integers(0, 9), some.text('ab,[]"\u00e9\ufeff\U0001f9ff', max_size=6)), max_size=60
)


@given(VALUES, VALUES, some.integers(0, 60))
def test_what_is_told_by_another_piece_is_restored(one: list[object], other: list[object], at: int) -> None:
    base = json.dumps(one, ensure_ascii=False).encode()
    data = json.dumps([*one[:at], *other, *one[at:]], ensure_ascii=False).encode()
    assert decode_delta(base, encode_delta(base, data)) == data


def test_a_like_piece_is_told_in_little() -> None:
    rows = [["tr", {"id": f"r{n}"}, f"item {n * 7919 % 10007}"] for n in range(5000)]
    base = json.dumps(rows).encode()
    data = json.dumps([*rows[:100], ["tr", {}, "new"], *rows[150:4000], ["tr", {}, "more"], *rows[4000:]]).encode()
    assert len(encode_delta(base, data)) < 400 < len(zlib.compress(data)) / 50


@pytest.mark.parametrize("told", [b"[[0,9]]", b"[[-1,2]]", b"[[2,-1]]"])
def test_bytes_that_the_other_piece_does_not_have_are_damage(told: bytes) -> None:
    with pytest.raises(BuildError, match="damaged"):
        decode_delta(b"12345678", told)
