"""Maskers that are broken on purpose, one way each: the gate stops every one before its file gets a name.

`test_gate.py` breaks the rewriter role by role. Here whole mechanisms are broken: what the matcher looks for, the walk through
attributes, headers and channels, the learning of late values, pictures. Only the rewriting is broken: the values are learned
as ever, for what nobody learned, no gate knows.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagereel.errors import GateError
from pagereel.redaction import redact
from pagereel.redaction.content.attribute_masker import AttributeMasker
from pagereel.redaction.content.resources import ResourceMasker
from pagereel.redaction.contracts.field_roles import CHANNELS
from pagereel.redaction.normalise.decoded_text import DecodedText
from pagereel.redaction.passes.recording_walk import RecordingWalk
from pagereel.redaction.passes.rewriter import StandInRewriter
from pagereel.redaction.values import known_value_matcher as matching
from pagereel.redaction.values.known_value_matcher import KnownValueMatcher
from tests.redaction.reels import Maker

NAME = "Priya Raghunathan"
CARD = "4111111111111111"
Patch = pytest.MonkeyPatch


def picture() -> bytes:
    from PIL import Image, PngImagePlugin

    about = PngImagePlugin.PngInfo()
    about.add_text("Author", f"photo of {NAME}")
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "png", pnginfo=about)
    return out.getvalue()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """One value of each kind in the places that a broken masker would leave it in."""
    m = Maker(tmp_path / "a.reel")
    m.body(
        ["p", {"class": "u-raghunathan", "title": f"Card of {NAME}"}, f"Hello, my name is {NAME}, as you know."],
        ["p", {"class": f"c-{base64.b64encode(NAME.split()[1].encode()).decode()}"}, "x"],
        ["p", {"class": "of zubxq%2Bwkrtna"}, "x"],
        ["p", {"id": "crm-Ombrellix"}, "x"],
        [
            "#pi",
            "xml-stylesheet",
            f'media="{NAME.encode().hex()} or {"-".join(CARD[i : i + 4] for i in range(0, 16, 4))}"',
        ],
        ["input", {"autocomplete": "cc-number", "value": CARD}],
        ["input", {"autocomplete": "username", "value": "zubxq+wkrtna"}],
        ["img", {"src": "/p.png"}],
    )
    shown = m.resource("image/png", picture())
    headers = {"cookie": "sid=Ombrellix"}
    m.put("request", id="1", page=1, method="GET", type="image", url="https://shop.example/p.png", headers=headers)
    m.put("response", id="1", status=200, end=m.t, size=1, body=shown, mime="image/png", headers={},
          url="https://shop.example/p.png")  # fmt: skip
    m.put("console", page=1, level="log", text=f"signed in as {NAME}")
    return m.done()


def only_rewriting(owner: type, name: str, broken: Callable[..., Any]) -> Callable[[Patch], None]:
    """Breaks a method where a rewriter calls it, and leaves it whole in the pass that learns."""
    whole = getattr(owner, name)

    def method(self: Any, *given: Any) -> Any:
        return (broken if isinstance(self._sink, StandInRewriter) else whole)(self, *given)

    return lambda patch: patch.setattr(owner, name, method)


def without(*encodings: str) -> Callable[[Patch], None]:
    """A matcher that does not know these encodings."""
    from pagereel.redaction.values.variants import list_variants

    return lambda patch: patch.setattr(
        matching, "list_variants", lambda text: ((n, v) for n, v in list_variants(text) if n not in encodings)
    )


def hexadecimal_unopened(patch: Patch) -> None:
    without("hex")(patch)
    patch.setattr(matching, "iter_encoded_passages", lambda text: ())


def percent_unopened(patch: Patch) -> None:
    patch.setattr(matching, "list_text_readings", lambda text: [DecodedText(text)])
    patch.setattr(
        "pagereel.redaction.passes.collector.find_secrets_and_emails", lambda name: []
    )  # it takes any percent for a secret


def channel_skipped(patch: Patch) -> None:
    whole = RecordingWalk.walk_event

    def event(self: Any, given: Any) -> Any:
        out = whole(self, given)
        return (
            {**out, "text": given["text"]}
            if isinstance(self._sink, StandInRewriter) and given["k"] == "console"
            else out
        )

    assert "console" in CHANNELS
    patch.setattr(RecordingWalk, "walk_event", event)


MUTANTS: dict[str, Callable[[Patch], None]] = {
    "attributes pass": only_rewriting(AttributeMasker, "mask_attributes", lambda self, tag, attrs, info: attrs),
    "a header is left": only_rewriting(RecordingWalk, "_visit_headers", lambda self, value, slot: value),
    "a channel is skipped": channel_skipped,
    "late values are not propagated": lambda patch: patch.setattr(
        KnownValueMatcher, "find_matches", lambda self, text: []
    ),
    "base64 is not opened": lambda patch: patch.setattr(matching, "iter_base64_inner_letters", lambda value: ()),
    "hexadecimal is not opened": hexadecimal_unopened,
    "percent is not opened": percent_unopened,
    "case counts": lambda patch: patch.setattr(matching, "lower_same_length", lambda text: text),
    "a number is known in one spelling": lambda patch: patch.setattr(
        KnownValueMatcher, "_find_reformatted_numbers", lambda self, text: []
    ),
    "pictures keep their metadata": lambda patch: patch.setattr(
        ResourceMasker, "_mask_picture", lambda self, data, action, named=None: (data, "image/png")
    ),
}


def test_the_masker_that_is_whole_passes(recording: Path, tmp_path: Path) -> None:
    redact(recording, tmp_path / "b.reel")
    assert (tmp_path / "b.reel").exists()


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_masker_that_is_broken_is_caught(
    mutant: str, recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTANTS[mutant](monkeypatch)
    with pytest.raises(GateError, match="known values") as caught:
        redact(recording, tmp_path / "b.reel")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.reel"]
    assert not any(word in str(caught.value).lower() for word in ("priya", "raghunathan", "ombrellix", "wkrtna", CARD))
