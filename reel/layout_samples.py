"""The layout sample at a checkpoint (docs/format.md, "Looks"), and the part of it that a masked recording keeps."""

from __future__ import annotations

import re
from typing import Annotated, Final, cast

from msgspec import Meta, Struct

Length = Annotated[float, Meta(ge=-1e9, le=1e9)]
Id = Annotated[int, Meta(ge=0, le=2**53)]

STYLE: Final = (
    "display", "visibility", "opacity", "color", "background-color", "font-size", "font-weight", "font-style", "line-height",
    "letter-spacing", "text-align", "text-transform", "text-decoration-line", "border-top-width", "border-right-width",
    "border-bottom-width", "border-left-width", "border-top-color", "outline-style", "outline-width", "position", "object-fit",
)  # fmt: skip
"""The computed values of a row, in order. Three values follow: the kind of background image, whether there is a
shadow, and the index of the font family that is a loaded web font (-1: none). The injector has the same list
(injector_js/src/state/layout-sample.ts).
"""

PARTS: Final = ("::before", "::after", "::marker", "::placeholder", "::selection", "::view-transition")
"""Pseudo-elements that are sampled as well. The injector has the same list."""

EXTRA: Final = ("background-image", "box-shadow", "loaded font family")

_ROW: Final = r"^[\w .,;()%#/+?-]{0,1000}$"


class ViewportSample(Struct):
    """A sample of a document's layout: positions, computed styles and sizes of elements in its viewport."""

    view: tuple[Length, Length, Length, Length]
    scroll: Annotated[list[tuple[Id, Length, Length]], Meta(max_length=4096)] = []
    styles: Annotated[list[Annotated[str, Meta(pattern=_ROW)]], Meta(max_length=1024)] = []
    boxes: Annotated[list[Annotated[list[Length], Meta(min_length=2, max_length=6)]], Meta(max_length=1024)] = []
    parts: Annotated[
        list[tuple[Id, Annotated[int, Meta(ge=0, lt=6)], Annotated[int, Meta(ge=0)]]], Meta(max_length=1024)
    ] = []
    media: Annotated[list[tuple[Id, Length, Length, Annotated[int, Meta(ge=-1, le=2)]]], Meta(max_length=1024)] = []
    films: Annotated[list[tuple[Id, Length]], Meta(max_length=1024)] = []


def mask_layout_sample(sample: object, *, media: bool) -> dict[str, object] | None:
    """Return the part of a layout sample that stays valid and reveals nothing when texts are replaced: scroll offsets,
    computed values, and with `media` the natural sizes of pictures. Geometry is left out, because it depends on the
    length of texts. ``None`` for an invalid sample.
    """
    if not isinstance(sample, dict) or not _is_number_list(sample.get("view"), 4):
        return None
    styles = [row if isinstance(row, str) and re.fullmatch(_ROW, row) else "" for row in _to_list(sample.get("styles"))]
    boxes = [cast(list[object], box)[:2] for box in _to_list(sample.get("boxes")) if _is_number_list(box)]
    return {
        "view": sample["view"],
        "scroll": [item for item in _to_list(sample.get("scroll")) if _is_number_list(item, 3)],
        "styles": styles,
        "boxes": [box for box in boxes if len(box) == 2],
        "parts": [item for item in _to_list(sample.get("parts")) if _is_number_list(item, 3)],
        "media": [item for item in _to_list(sample.get("media")) if _is_number_list(item, 4)] if media else [],
        "films": [item for item in _to_list(sample.get("films")) if _is_number_list(item, 2)] if media else [],
    }


def _to_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _is_number_list(value: object, length: int | None = None) -> bool:
    return (
        isinstance(value, list)
        and (length is None or len(value) == length)
        and all(type(number) in (int, float) for number in value)
    )
