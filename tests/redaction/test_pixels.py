"""Pictures: what is blurred cannot be read, what is blocked keeps its size, and no metadata is passed on."""

from __future__ import annotations

import io
import itertools
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, features

from pagereel.redaction.pictures.image_containers import read_picture_size, strip_picture_metadata
from pagereel.redaction.pictures.pixels import build_grey_svg
from tests.redaction.test_files import passed_on


def _picture(form: str, **more: object) -> bytes:
    picture = Image.new("RGB", (320, 120), "white")
    for x in range(0, 320, 8):
        ImageDraw.Draw(picture).rectangle((x, 0, x + 3, 120), fill="black")
    out = io.BytesIO()
    picture.save(out, form, **more)
    return out.getvalue()


def _contrast(data: bytes) -> int:
    """The greatest step between two neighbouring pixels."""
    picture = Image.open(io.BytesIO(data)).convert("L")
    row = [int(picture.getpixel((x, 60))) for x in range(picture.size[0])]  # type: ignore[arg-type]
    return max(abs(a - b) for a, b in itertools.pairwise(row))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_blurred_picture_keeps_its_size_and_no_edge(form: str, tmp_path: Path) -> None:
    raw = _picture(form)
    done = passed_on(tmp_path, f"image/{form.lower()}", raw, images="blur")
    assert done is not None
    assert read_picture_size(done[1]) == (320, 120) == read_picture_size(raw)
    assert _contrast(raw) > 150
    assert _contrast(done[1]) < 20


def test_a_blurred_picture_that_cannot_be_decoded_is_grey(tmp_path: Path) -> None:
    done = passed_on(tmp_path, "image/png", _picture("PNG")[:60], images="blur")
    assert done is not None
    assert read_picture_size(done[1]) == (320, 120)
    assert len({*Image.open(io.BytesIO(done[1])).convert("L").tobytes()}) == 1


def test_a_blocked_drawing_keeps_its_size_and_nothing_else(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" viewBox="0 0 3 4"><path d="M0 0h9"/><text>Priya</text></svg>'
    done = passed_on(tmp_path, "image/svg+xml", svg, images="block")
    assert done is not None
    assert done[1].decode() == build_grey_svg(svg)
    assert b'viewBox="0 0 3 4" width="30"' in done[1]
    assert b"path" not in done[1]


@pytest.mark.skipif(not features.check("avif"), reason="this Pillow writes no AVIF")
def test_an_avif_is_passed_on_without_its_metadata() -> None:
    exif = Image.Exif()
    exif[0x010E] = "Priya Raghunathan was here"
    raw = _picture("AVIF", exif=exif, xmp=b"<x:xmpmeta>Ombrellix</x:xmpmeta>")
    clean = strip_picture_metadata(raw)
    assert clean is not None
    assert b"Priya" in raw and b"Ombrellix" in raw
    assert b"Priya" not in clean and b"Ombrellix" not in clean
    before, after = (Image.open(io.BytesIO(data)).convert("RGB") for data in (raw, clean))
    assert before.tobytes() == after.tobytes()
    assert read_picture_size(clean) == (320, 120)
    assert strip_picture_metadata(raw[: len(raw) // 2]) is None, "what is cut off is not passed on"
