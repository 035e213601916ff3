"""What the tests of the detector share."""

from __future__ import annotations

from collections.abc import Sequence

from pagereel.redaction import find_pii
from pagereel.redaction.contracts.findings import Finding, TextContext
from pagereel.redaction.detect.cross_text.joint_filters import drop_findings_by_other_texts
from pagereel.redaction.detect.detect import detect_personal_data


def assert_masked_whole(text: str, value: str) -> None:
    """Fail where a letter or digit of a value in a text is left."""
    (found,) = find_pii([text])
    start = text.index(value)
    left = [c for i, c in enumerate(value, start) if c.isalnum() and not any(f.start <= i < f.end for f in found)]
    assert left == [], [text[f.start : f.end] for f in found]


def found_afresh(texts: Sequence[str]) -> list[list[Finding]]:
    """Return the detector's findings in texts, of which it remembers none."""
    keys = [(text, TextContext()) for text in texts]
    found = drop_findings_by_other_texts(keys, detect_personal_data(keys))
    return [found[key] for key in keys]
