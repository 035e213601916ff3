"""Draw the placeholder of a picture that a policy blocks: a grey SVG of its size, with the policy's name and the option that shows the picture.

A placeholder that is too small for words is only grey.
"""

from __future__ import annotations

import re
from html import escape

from . import image_containers

_LEAST = 9
"""Least size of a legible letter, in px."""
_MOST = 15
_WIDTH = 0.56
"""Approximate width of a letter as a share of its size, in the browser's sans-serif font."""
_OURS = re.compile(
    rb'<svg xmlns="http://www\.w3\.org/2000/svg" width="(\d{1,5})" height="(\d{1,5})" data-pagereel="notice">'
)


def is_notice(data: bytes) -> bool:
    """Return whether an SVG begins like such a placeholder. A recorded page may contain an equal SVG, so callers must
    not conclude more from it.
    """
    return _OURS.match(data) is not None


def draw_notice(data: bytes, picture_kind: str, option: str, policy: str) -> tuple[bytes, str]:
    """Return the bytes and the media type of the placeholder for a blocked picture.

    :param picture_kind: the kind of picture, as the placeholder's text names it.
    :param option: the policy's field that would keep the picture.
    :param policy: the policy's name.
    """
    known = _OURS.match(data)  # A masked recording that is masked again.
    width, height = (int(known[1]), int(known[2])) if known else image_containers.read_picture_size(data) or (300, 150)
    width, height = max(1, min(width, 16_384)), max(1, min(height, 16_384))
    lines = (
        f"{picture_kind} left out by the policy {policy[:60]}",
        f'--redaction FILE with {option} = "keep" shows it',
    )
    size = min(_MOST, width * 0.94 / (max(map(len, lines)) * _WIDTH), height / (1.6 * len(lines)))
    if size < _LEAST:
        return image_containers.build_grey_png(width, height), "image/png"
    grey = f"#{image_containers.GREY:02x}" + f"{image_containers.GREY:02x}" * 2
    words = "".join(
        f'<text x="{width / 2:g}" y="{height / 2 + size * (1.4 * n - 0.35):.1f}">{escape(line)}</text>'
        for n, line in enumerate(lines)
    )
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" data-pagereel="notice">'
        f'<rect width="{width}" height="{height}" fill="{grey}"/>'
        f'<g font-family="sans-serif" font-size="{size:.1f}" fill="#333" text-anchor="middle">{words}</g></svg>'
    )
    return drawing.encode(), "image/svg+xml"
