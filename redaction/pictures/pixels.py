"""Blur pictures until nothing can be read, paint boxes over them, or replace SVG drawings by a grey one."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import image_containers

if TYPE_CHECKING:
    from PIL.Image import Image

BLURRED_SIDE = 12
"""Pixels that the longer side of a blurred picture is reduced to: enough for its colours, not for a letter."""
MOST_PIXELS = 50_000_000
"""Most pixels of a picture that is decoded: a few kilobytes can unfold into gigabytes."""

_ROOT = re.compile(r"<(?:svg:)?svg\b[^>]*>", re.DOTALL)
_SIZE = re.compile(r"""(?<![\w:-])(width|height|viewBox)\s*=\s*["']([\d\s.,%a-z-]*)["']""")


def blur_picture(data: bytes) -> bytes:
    """Return a WebP of the same size, blurred until nothing can be read, or a grey PNG if the picture cannot be
    decoded.
    """
    picture = _open_picture(data)
    if picture is None:
        return image_containers.build_grey_png(*(image_containers.read_picture_size(data) or (300, 150)))
    return _encode_picture(blur_image(picture.convert("RGBA")), "WEBP")


def blur_image(picture: Image) -> Image:
    """Return a decoded picture of the same size, blurred until nothing can be read."""
    from PIL import Image

    size = picture.size
    scale = max(size) / BLURRED_SIDE
    small = picture.resize((max(1, round(size[0] / scale)), max(1, round(size[1] / scale))), Image.Resampling.BOX)
    return small.resize(size, Image.Resampling.BICUBIC)


def paint_boxes(
    data: bytes, viewport: tuple[float, float], boxes: Iterable[tuple[float, float, float, float]]
) -> bytes | None:
    """Return a PNG of the picture with opaque boxes, and without metadata. None if it cannot be decoded, or does not show the whole viewport.

    :param viewport: width and height in CSS px.
    :param boxes: ``x, y, w, h`` of each box in CSS px of the viewport.
    """
    picture = _open_picture(data)
    if picture is None or min(viewport) <= 0:
        return None
    from PIL import Image, ImageDraw

    scale = picture.size[0] / viewport[0]
    if abs(picture.size[1] - viewport[1] * scale) > 2:
        return None
    plain = picture.convert("RGB")
    clean = Image.frombytes("RGB", plain.size, plain.tobytes())
    draw = ImageDraw.Draw(clean)
    for x, y, w, h in boxes:
        left, top = math.floor(x * scale), math.floor(y * scale)
        right, bottom = math.ceil((x + w) * scale) - 1, math.ceil((y + h) * scale) - 1
        if right >= left and bottom >= top:
            draw.rectangle((left, top, right, bottom), fill=(image_containers.GREY,) * 3)
    return _encode_picture(clean, "PNG")


def build_grey_svg(text: str) -> str:
    """Return a grey SVG with the width, height and view box of the given one."""
    root = _ROOT.search(text)
    said = dict(_SIZE.findall(root.group())) if root else {}
    sizes = "".join(f' {name}="{value}"' for name, value in sorted(said.items()) if re.search(r"\d", value))
    return f'<svg xmlns="http://www.w3.org/2000/svg"{sizes}><rect width="100%" height="100%" fill="#d8d8d8"/></svg>'


def _open_picture(data: bytes) -> Image | None:
    from PIL import Image, UnidentifiedImageError

    try:
        picture = Image.open(io.BytesIO(data))
        if picture.size[0] * picture.size[1] > MOST_PIXELS:
            return None
        picture.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return picture


def _encode_picture(picture: Image, form: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, form)
    return out.getvalue()
