"""What the tests of the detector share."""

from __future__ import annotations

from pagereel.redaction import find_pii


def assert_masked_whole(text: str, value: str) -> None:
    """Fail where a letter or digit of a value in a text is left."""
    (found,) = find_pii([text])
    start = text.index(value)
    left = [c for i, c in enumerate(value, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)]
    assert left == [], [text[f.start : f.end] for f in found]
