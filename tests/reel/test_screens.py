"""Screens are kept as what differs, and come back pixel by pixel; what is hostile in an event or in a picture is refused."""

from __future__ import annotations

import functools
import io
import random
from hashlib import sha256
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from pagereel.reel import MOST_PIXELS, Event, ScreenComposer, create_screen_encoder, decode_picture, find_event_problem

LINES = ["".join(random.Random(line).choices("abcdefghijk lmnop", k=60)) for line in range(90)]


@functools.cache
def _lines() -> Image.Image:
    long = Image.new("RGB", (400, 700), "white")
    pen = ImageDraw.Draw(long)
    for number, line in enumerate(LINES[:40]):
        pen.text((8, number * 16), line, fill="black")
    return long


class Kept:
    """A keeper with its composer: each screen that is taken is put together again and compared."""

    def __init__(self) -> None:
        self.store: dict[str, bytes] = {}
        self.events: list[Event] = []
        self.keeper = create_screen_encoder(self._keep)
        self.composer = ScreenComposer(self.store.get)

    def _keep(self, content: bytes, mime: str) -> str:
        assert mime == "image/webp"
        self.store[name := sha256(content).hexdigest()] = content
        return name

    @property
    def bytes(self) -> int:
        return sum(map(len, self.store.values()))

    def take(self, picture: Image.Image) -> int:
        """The bytes that a screen took."""
        before, number = self.bytes, len(self.events) + 1
        told = self.keeper.store_screen(number, picture)
        assert told is not None
        event: Event = {"k": "screen", "t": number, "id": number, **told}
        assert find_event_problem(event) is None
        self.events.append(event)
        self.composer.add_event(event)
        again = self.composer.compose_picture(number)
        assert again is not None and again.tobytes() == picture.tobytes()
        return self.bytes - before


def page(
    scroll: int = 0, typed: str = "", size: tuple[int, int] = (500, 410), at: tuple[int, int] = (20, 30)
) -> Image.Image:
    """A window with a page in it that scrolls, and a field."""
    screen = Image.new("RGB", size, (40, 90, 120))
    window = Image.new("RGB", (400, 300), "white")
    pen = ImageDraw.Draw(window)
    window.paste(_lines(), (0, 30 - scroll))
    pen.rectangle((0, 0, 400, 24), fill=(220, 220, 230), outline="black")
    pen.text((8, 6), typed, fill="blue")
    screen.paste(window, at)
    return screen


def test_each_square_is_stored_once_wherever_it_shows_again() -> None:
    kept = Kept()
    first = kept.take(page())
    assert kept.take(page()) == 0 and "parts" not in kept.events[-1] and kept.events[-1]["base"] == 1
    typed = kept.take(page(typed="hello"))
    assert 0 < typed < first / 10
    assert kept.take(page()) == 0, "what was there before is known"
    scrolled = [kept.take(page(scroll)) for scroll in (37, 74, 111, 148)]
    assert max(scrolled) < first / 2, "of a page that is scrolled, what comes into sight is new"
    moved = kept.take(page(148, at=(65, 83)))
    assert moved < first / 2, "of a window that is moved, its inside is known"
    assert kept.take(page(148, at=(65, 83), size=(500, 420))) > 0, "another size is another screen"


def test_every_so_many_screens_one_stands_for_itself() -> None:
    kept = Kept()
    for number in range(60):
        kept.take(page(typed="x" * (number % 50)))
    alone = [event["id"] for event in kept.events if "base" not in event]
    assert len(alone) == 3 and kept.bytes < 4 * len(next(iter(kept.store.values()))) + 20_000


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_whatever_is_shown_comes_back(data: st.DataObject) -> None:
    kept = Kept()
    seed = data.draw(st.integers(0, 1000))
    noise = np.random.default_rng(seed).integers(0, 4, (90, 130, 3), np.uint8) * 60
    pixels = noise.copy()
    for _ in range(data.draw(st.integers(1, 6))):
        dx, dy = data.draw(st.integers(-40, 40)), data.draw(st.integers(-40, 40))
        pixels = np.roll(pixels, (dy, dx), axis=(0, 1)) if data.draw(st.booleans()) else pixels.copy()
        x, y = data.draw(st.integers(0, 129)), data.draw(st.integers(0, 89))
        pixels[y : y + 20, x : x + 20] = data.draw(st.integers(0, 255))
        kept.take(Image.fromarray(pixels))


GOOD: dict[str, Any] = {"k": "screen", "t": 1, "id": 2, "w": 64, "h": 64, "base": 1, "sheets": ["a" * 64], "parts": [[0, 0, 64, 64, 0, 0, 0]]}  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"w": 0}, {"w": 16_385}, {"w": 16_000, "h": 16_000}, {"base": 2}, {"sheets": ["no hash"]}, {"sheets": ["a" * 64] * 300},
        {"parts": [[0, 0, 65, 64, 0, 0, 0]]}, {"parts": [[-1, 0, 64, 64, 0, 0, 0]]}, {"parts": [[0, 0, 64, 64, 1, 0, 0]]},
        {"parts": [[0, 0, 64, 64, 0, -5, 0]]}, {"parts": [[0, 0, 0, 64, 0, 0, 0]]}, {"parts": [[0, 0, 64, 64]]}, {"cursor": [1]},
        {"cursor": [1e12, 0]}, {"window": 7}, {"parts": [[0, 0, 1, 1, 0, 0, 0]] * 40_001},
    ],
)  # fmt: skip
def test_an_event_that_no_picture_can_be_made_of_is_refused(wrong: Event) -> None:
    assert find_event_problem(GOOD) is None
    assert find_event_problem({**GOOD, **wrong})


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_picture_that_unfolds_into_gigabytes_is_not_decoded() -> None:
    out = io.BytesIO()
    Image.new("1", (10_000, 10_000)).save(out, "PNG")
    assert MOST_PIXELS < 10_000**2 and decode_picture(out.getvalue()) is None
    for data in (b"", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8L", out.getvalue()[:200], b"GIF89a" + b"\0" * 100):
        assert decode_picture(data) is None


def test_what_is_missing_or_a_ring_has_no_picture() -> None:
    composer = ScreenComposer(lambda name: None)
    for event in (
        GOOD,
        {**GOOD, "id": 3, "base": 4},
        {**GOOD, "id": 4, "base": 3},
        {"id": 5, "w": 4, "h": 4, "why": "policy"},
    ):
        composer.add_event(event)
    assert [composer.compose_picture(number) for number in (2, 3, 4, 5, 99)] == [None] * 5


def test_what_can_be_seen_through_lies_on_grey_and_says_nothing_beside_its_pixels() -> None:
    out = io.BytesIO()
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(out, "PNG", exif=Image.Exif().tobytes() + b"x" * 10)
    picture = decode_picture(out.getvalue())
    assert picture is not None and picture.getpixel((0, 0)) == (216, 216, 216) and not picture.info
