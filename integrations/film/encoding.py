"""Encodes pictures with their durations as GIF, WebP, MP4 or WebM. The same pictures always give the same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pagereel.errors import SetupError

from .film_pictures import FilmScreenshot
from .film_plan import FRAME

if TYPE_CHECKING:
    from PIL import Image

SAMPLES: Final = 24
"""Pictures from which a GIF's colours are chosen."""
_AREA: Final = 0.0005
"""Share of all pixels from which on a colour is kept as it is."""
_STEP: Final = 8
PIXELS: Final = 420_000_000
"""Pixels of all pictures of a GIF together: they are held in memory, a byte each."""


@dataclass(frozen=True)
class FilmQuality:
    """One quality in which a film can be encoded: its scale, its frame rate and its compression."""

    scale: float = 1.0
    """Of its width and height."""
    every: int = 1
    """One of so many frames is taken."""
    level: int = 0
    """0 is the best; what the others are is the format's."""

    @property
    def estimated_size_share(self) -> float:
        """Return the estimated file size in this quality, divided by the file size in the best quality (0 to 1)."""
        return float(self.scale**1.5 * 0.72**self.level / self.every**0.7)


@dataclass(frozen=True)
class FilmPictures:
    """The pictures of a film, together with the quality in which they are to be encoded."""

    shots: Sequence[FilmScreenshot]
    count: int
    """Length of the film in frames of :data:`FRAME` ms."""
    size: tuple[int, int]
    """Of the pictures that were taken, px."""
    quality: FilmQuality
    chapters: Sequence[tuple[float, str]] = ()
    """Ms of film and title of each part."""
    progress: Callable[[], None] = lambda: None
    """Called before each picture is written; it may raise, to stop."""

    @property
    def output_size(self) -> tuple[int, int]:
        """Return the width and height of the film in px, both even."""
        width, height = (max(2, round(side * self.quality.scale) // 2 * 2) for side in self.size)
        return width, height

    def select_pictures(self) -> list[tuple[int, Path]]:
        """Return the pictures to encode, each with the number of the frame from which it shows.

        At a lower frame rate, only the last of the pictures between two frames is kept.
        """
        every = self.quality.every
        found = {shot.frame // every * every: shot.picture for shot in self.shots}
        return sorted(found.items())

    def list_picture_durations(self) -> list[int]:
        """Return how long each picture shows, in ms."""
        frames = [frame for frame, _ in self.select_pictures()]
        return [(b - a) * FRAME for a, b in zip(frames, [*frames[1:], self.count], strict=True)]

    def open_picture(self, path: Path) -> Image.Image:
        """Return the picture in the file `path`, scaled to the film's size."""
        from PIL import Image

        self.progress()
        with Image.open(path) as taken:
            picture = taken.convert("RGB")
        return (
            picture if picture.size == self.output_size else picture.resize(self.output_size, Image.Resampling.LANCZOS)
        )


def encode_gif(pictures: FilmPictures) -> bytes:
    """Return the film as the bytes of an animated GIF that repeats."""
    from PIL import Image

    chosen = pictures.select_pictures()
    step = max(1, len(chosen) // SAMPLES)
    width, height = (max(1, side // 2) for side in pictures.output_size)
    sampled = [path for _, path in chosen[::step]]
    sheet = Image.new("RGB", (width, height * len(sampled)))
    for place, path in enumerate(sampled):
        # Colours of pixels that are there: those in between would take places of their own.
        sheet.paste(pictures.open_picture(path).resize((width, height), Image.Resampling.NEAREST), (0, place * height))
    palette = _make_palette(sheet, 256 >> pictures.quality.level)

    def iter_frames() -> Iterator[Image.Image]:
        for _, path in chosen:
            yield pictures.open_picture(path).quantize(palette=palette, dither=Image.Dither.NONE)

    made, rest = io.BytesIO(), iter_frames()
    next(rest).save(
        made,
        "GIF",
        save_all=True,
        append_images=rest,
        duration=pictures.list_picture_durations(),
        loop=0,
        disposal=1,
        optimize=False,
    )
    return made.getvalue()


def _make_palette(sample: Image.Image, colour_count: int) -> Image.Image:
    """Return a picture with a palette of `colour_count` colours for a GIF.

    The palette has the exact colours of large areas of `sample`, and colours close to its other ones.
    """
    from PIL import Image

    width, height = sample.size
    counted: list[tuple[int, Any]] = sorted(
        sample.getcolors(width * height) or [], key=lambda each: (-each[0], each[1])
    )
    exact = [colour for count, colour in counted[: colour_count // 2] if count >= width * height * _AREA]
    rest = (
        sample.quantize(colour_count - len(exact), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette()
        or []
    )
    near = [
        colour
        for colour in zip(*[iter(rest)] * 3, strict=True)
        if not any(_are_similar_colours(colour, each) for each in exact)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*exact, *near) for part in colour])
    return palette


def _are_similar_colours(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two RGB colours are so close that Pillow may take one for the other."""
    return all(abs(a - b) < _STEP for a, b in zip(one, other, strict=True))


def encode_webp(pictures: FilmPictures) -> bytes:
    """Return the film as the bytes of an animated WebP that repeats."""
    from PIL import Image

    class LazyFrames(Image.Image):
        """A Pillow image of many frames, each read from its file only when it is encoded."""

        def __init__(self, paths: list[Path]) -> None:
            super().__init__()
            self.n_frames, self._paths, self._at = len(paths), paths, -1
            self.seek(0)

        def seek(self, frame: int) -> None:
            if frame != self._at:
                picture = pictures.open_picture(self._paths[frame])
                self._at, self.im, self._mode, self._size = frame, picture.im, picture.mode, picture.size

        def tell(self) -> int:
            return max(self._at, 0)

    made = io.BytesIO()
    LazyFrames([path for _, path in pictures.select_pictures()]).save(
        made, "WEBP", save_all=True, duration=pictures.list_picture_durations(), loop=0, method=3,
        quality=max(20, 86 - 16 * pictures.quality.level), kmin=9, kmax=64,
    )  # fmt: skip
    return made.getvalue()


def encode_mp4(pictures: FilmPictures) -> bytes:
    """Return the film as the bytes of an MP4 (H.264), with a chapter for each outermost step."""
    options = {"crf": str(20 + 4 * pictures.quality.level), "preset": "medium", "tune": "animation", "threads": "1"}
    return _encode_video(pictures, "mp4", "libx264", options, {"movflags": "+faststart"})


def encode_webm(pictures: FilmPictures) -> bytes:
    """Return the film as the bytes of a WebM (VP9), with a chapter for each outermost step."""
    options = {
        "crf": str(30 + 6 * pictures.quality.level),
        "b": "0",
        "deadline": "good",
        "cpu-used": "4",
        "threads": "1",
    }
    return _encode_video(pictures, "webm", "libvpx-vp9", options, {})


def _encode_video(
    pictures: FilmPictures,
    container_format: str,
    codec: str,
    codec_options: Mapping[str, str],
    container_options: Mapping[str, str],
) -> bytes:
    av = import_pyav()
    every = pictures.quality.every
    tick = Fraction(FRAME * every, 1000)
    made = pictures.shots[0].picture.with_name(
        f"film.{container_format}"
    )  # A file: it is read again, to put its index first.
    # Without bitexact Matroska draws random ids, and MP4 writes the time of day.
    with av.open(str(made), "w", format=container_format, options={**container_options, "fflags": "+bitexact"}) as file:
        stream = file.add_stream(codec, rate=1 / tick, options={**codec_options, "flags": "+bitexact"})
        stream.width, stream.height = pictures.output_size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = tick
        file.set_chapters(list(_iter_chapters(pictures)))
        chosen = pictures.select_pictures()
        # Each frame, though most equal the one before: what hosts make of a film of uneven steps differs.
        for (frame, path), lasting in zip(chosen, pictures.list_picture_durations(), strict=True):
            picture = av.VideoFrame.from_image(pictures.open_picture(path)).reformat(
                format="yuv420p", dst_colorspace="ITU709"
            )
            picture.time_base = tick
            for number in range(frame // every, frame // every + math.ceil(lasting / FRAME / every)):
                picture.pts = number
                file.mux(stream.encode(picture))
        file.mux(stream.encode(None))
    return made.read_bytes()


def _iter_chapters(pictures: FilmPictures) -> Iterator[dict[str, Any]]:
    ends = [start for start, _ in pictures.chapters[1:]] + [float(pictures.count * FRAME)]
    for number, ((start, title), end) in enumerate(zip(pictures.chapters, ends, strict=False), 1):
        yield {
            "id": number, "start": round(start), "end": round(end), "time_base": Fraction(1, 1000), "metadata": {"title": title},
        }  # fmt: skip


def import_pyav() -> Any:
    """Import PyAV and return it.

    :raises SetupError: it is not installed.
    """
    try:
        import av
    except ImportError:
        raise SetupError(
            "MP4 and WebM need PyAV, which is not installed: pip install 'pagereel[film]'; GIF and WebP need no more."
        ) from None
    return av


WRITERS: Final[Mapping[str, Callable[[FilmPictures], bytes]]] = {
    "mp4": encode_mp4,
    "webm": encode_webm,
    "gif": encode_gif,
    "webp": encode_webp,
}
"""Format → the function that writes it."""
