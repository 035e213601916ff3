"""Pictures of canvases take less room than the browser gives them, and lose nothing."""

from __future__ import annotations

import io
import random
import zlib

import pytest
from PIL import Image, ImageCms, ImageDraw

from pagereel.recorder.ingest import canvases
from pagereel.recorder.ingest.canvases import CanvasPictureStore, to_lossless_webp
from pagereel.recorder.runtime.clock import Clock


def drawing(mode: str = "RGBA") -> Image.Image:
    """Lines over what shows through, with colours where nothing is seen: these count, too."""
    picture = Image.new(mode, (300, 200), (10, 200, 30, 0)[: len(mode)])
    draw = ImageDraw.Draw(picture)
    for at in range(0, 300, 7):
        draw.line((at, 0, 299 - at, 199), (at % 255, 90, 255 - at % 255, 40 + at % 200)[: len(mode)], 2)
    return picture


def as_png(picture: Image.Image, **more: object) -> bytes:
    to = io.BytesIO()
    picture.save(to, "PNG", compress_level=1, **more)
    return to.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_drawing_is_smaller_and_the_same_to_the_pixel(mode: str) -> None:
    png = as_png(drawing(mode))
    webp = to_lossless_webp(png)
    assert webp is not None and len(webp) < len(png)
    assert Image.open(io.BytesIO(webp)).convert(mode).tobytes() == drawing(mode).tobytes()


def test_what_would_lose_something_or_is_no_picture_stays_as_it_is() -> None:
    deep = Image.new("I;16", (200, 200))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert to_lossless_webp(as_png(deep)) is None
    assert to_lossless_webp(as_png(drawing("RGB"), icc_profile=profile)) is None
    assert to_lossless_webp(as_png(drawing("RGB"), transparency=(10, 200, 30))) is None
    assert to_lossless_webp(b"\x89PNG not really") is None
    noise = Image.frombytes("RGB", (16, 16), random.Random(1).randbytes(768))
    assert to_lossless_webp(as_png(noise)[:60]) is None


class _Kept:
    def __init__(self) -> None:
        self.mimes: list[str] = []

    def store_content(self, content: bytes, mime: str) -> tuple[str | None, str]:
        self.mimes.append(mime)
        return str(len(content)), ""


def test_it_takes_a_hundredth_of_the_time_and_a_picture_is_kept_one_way(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = _Kept()
    pictures = CanvasPictureStore(kept, Clock())  # type: ignore[arg-type]
    png = as_png(drawing())
    first = pictures.store_picture(png, "image/png")
    monkeypatch.setattr(canvases, "_AT_ONCE", -1.0)
    assert pictures.store_picture(png, "image/png") == first and kept.mimes == ["image/webp"]
    other = as_png(drawing().rotate(180))
    assert pictures.store_picture(other, "image/png") == (str(len(other)), "") and kept.mimes[1:] == ["image/png"]
    assert pictures.store_picture(b"RIFF" + b"x" * 3_000, "image/webp") == ("3004", "")


def test_a_film_and_what_has_a_gamma_of_its_own_stay_as_they_are() -> None:
    film = io.BytesIO()
    other = Image.new("RGB", (300, 200), "blue")
    drawing("RGB").save(film, "PNG", save_all=True, append_images=[other], compress_level=1)
    assert to_lossless_webp(film.getvalue()) is None
    png = as_png(drawing("RGB"))
    gamma = b"gAMA" + (100_000).to_bytes(4, "big")
    chunk = (4).to_bytes(4, "big") + gamma + zlib.crc32(gamma).to_bytes(4, "big")
    assert to_lossless_webp(png[:33] + chunk + png[33:]) is None


def test_a_large_picture_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = _Kept()
    monkeypatch.setattr(canvases, "_MOST_BYTES", 3_000)
    png = as_png(drawing())
    assert len(png) > 3_000
    CanvasPictureStore(kept, Clock()).store_picture(png, "image/png")  # type: ignore[arg-type]
    assert kept.mimes == ["image/png"]
