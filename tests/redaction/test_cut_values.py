"""A known value is found wherever a page cuts it: by a `<wbr>`, or an element around a part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagereel.redaction import redact
from pagereel.reel import open_reel
from tests.redaction.reels import Maker


@pytest.mark.parametrize("secret", ["a%41b&amp;c9Q", "P%41ssw0rd!zz", "AB\\x41CDq91x", "fx7Tq-Horse9Lm"])
def test_a_known_value_is_masked_wherever_a_page_cuts_it(tmp_path: Path, secret: str) -> None:
    """Texts side by side are two cells where a word seems to end, as behind *%41* and before a digit; for what is known that does not count."""
    maker = Maker(tmp_path / "a.reel")
    cuts = [["p", {}, secret[:at], ["wbr", {}], secret[at:]] for at in range(1, len(secret))]
    maker.body(*cuts, ["p", {}, f"Your password: {secret}"])
    redact(maker.done(), tmp_path / "b.reel", "vendor")
    with open_reel(tmp_path / "b.reel") as reel:
        (ops,) = [event["ops"] for event in reel.events() if event["k"] == "snapshot"]
    body = ops[0][2][2][3]  # type: ignore[index, call-overload]
    said = ["".join(part for part in p[2:] if isinstance(part, str)) for p in body[2:]]  # type: ignore[index, union-attr]
    assert len(said) == len(secret) and secret not in said and secret not in said[-1]
