"""The bench's measure of pixels against counts by pixelmatch itself (PyPI's pixelmatch 0.4.0, default threshold, antialiasing tolerated)."""

from __future__ import annotations

import importlib.util
import io
import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

PIXELS = Path(__file__).resolve().parents[2] / "bench" / "fidelity" / "pixels.py"
SIZE = (160, 120)


@pytest.fixture(scope="module")
def pixels() -> Any:
    spec = importlib.util.spec_from_file_location("bench_pixels", PIXELS)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def discs(shift: float) -> bytes:
    """Smooth discs, drawn four times as large and made smaller."""
    large = Image.new("RGB", (SIZE[0] * 4, SIZE[1] * 4), "white")
    pen = ImageDraw.Draw(large)
    for number in range(9):
        x, y = 40 + number * 66 + shift * 4, 60 + (number * 97) % 330
        pen.ellipse(
            (x - 36, y - 36, x + 36, y + 36), fill=(number * 28, 90, 255 - number * 25), outline="black", width=6
        )
    return png(large.resize(SIZE, Image.Resampling.BOX))


def grain(seed: int, share: float) -> bytes:
    dice = random.Random(7)
    data = bytearray(dice.randrange(256) for _ in range(SIZE[0] * SIZE[1] * 3))
    other = random.Random(seed)
    for _ in range(int(len(data) * share)):
        data[other.randrange(len(data))] = other.randrange(256)
    return png(Image.frombytes("RGB", SIZE, bytes(data)))


EXAMPLES = {
    "smooth edges, moved by a quarter": (discs(0), discs(0.25), 40),
    "smooth edges, moved by two": (discs(0), discs(2), 875),
    "grain": (grain(1, 0), grain(1, 0.05), 1705),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_pixels_are_counted_as_pixelmatch_counts_them(pixels: Any, name: str) -> None:
    one, other, count = EXAMPLES[name]
    assert round(pixels.compute_pixel_difference(one, other) * SIZE[0] * SIZE[1]) == count


def test_equal_pictures_do_not_differ_and_what_one_does_not_have_does(pixels: Any) -> None:
    assert pixels.compute_pixel_difference(discs(0), discs(0)) == 0
    half = png(Image.open(io.BytesIO(discs(0))).crop((0, 0, SIZE[0], SIZE[1] // 2)))
    assert pixels.compute_pixel_difference(discs(0), half) == 0.5
