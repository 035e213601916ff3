"""Of screenshots that look the same one is kept; what a person could see is never taken for the same."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pagereel.recorder.ingest.screenshots import KEPT, ScreenshotStore


def picture(
    text: str = "Total 48.00", colour: str = "#222", form: str = "PNG", size: tuple[int, int] = (1280, 800)
) -> bytes:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((100, 100, 400, 160), fill="#2f6fde")
    draw.text((120, 300), text, fill=colour)
    out = io.BytesIO()
    image.save(out, form, **({"quality": 92} if form == "JPEG" else {}))
    return out.getvalue()


class Desk:
    def __init__(self) -> None:
        self.kept: list[bytes] = []
        self.written: list[dict[str, Any]] = []
        self.screens = ScreenshotStore(lambda image, mime: self.kept.append(image), self.written.append)

    def take(self, image: bytes) -> dict[str, Any]:
        number = len(self.written) + 1
        self.screens.write_screenshot(
            image, "image/png", {"k": "screenshot", "id": number, "body": hashlib.sha256(image).hexdigest()}
        )
        return self.written[-1]


def test_the_same_picture_and_one_compressed_anew_are_kept_once() -> None:
    desk = Desk()
    first = desk.take(picture())
    again, jpeg = desk.take(picture()), desk.take(picture(form="JPEG"))
    assert len(desk.kept) == 1 and "duplicate_of" not in first
    assert (again["duplicate_of"], jpeg["duplicate_of"]) == (1, 1)
    assert first["body"] == again["body"] == jpeg["body"] == hashlib.sha256(desk.kept[0]).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        {"text": "Total 49.00"},
        {"text": "Total 48,00"},
        {"text": "Total 48.0"},
        {"colour": "#b00"},
        {"size": (1280, 799)},
    ],
)
def test_a_letter_a_colour_or_a_size_makes_another_picture(other: dict[str, Any]) -> None:
    desk = Desk()
    desk.take(picture())
    assert "duplicate_of" not in desk.take(picture(**other))
    assert len(desk.kept) == 2


def test_what_is_no_picture_is_kept_as_it_is_and_old_ones_are_forgotten() -> None:
    desk = Desk()
    desk.take(b"\x89PNG nothing")
    assert desk.take(b"\x89PNG nothing")["duplicate_of"] == 1
    for number in range(KEPT + 1):
        desk.take(b"%d" % number)
    assert "duplicate_of" not in desk.take(b"\x89PNG nothing")
