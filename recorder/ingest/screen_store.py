"""Stores only the changed pixels of a run's screens, and none of a screen that looks like the one before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from pagereel.reel import MOST_PIXELS, Event, create_screen_encoder, decode_picture, to_opaque_rgb

from ..runtime.screen_positions import build_no_picture_note
from .screenshots import KEPT, are_pictures_similar, compute_picture_fingerprint

if TYPE_CHECKING:
    from pagereel.reel import ScreenEncoder

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_SIDE: Final = 16_384
"""Largest side of a picture, in px."""
Store = Callable[[bytes, str], tuple[str | None, str]]


class ScreenStore:
    """Stores the screens of a recording. Only the writer thread uses it."""

    def __init__(self, keep: Store, write: Callable[[Event], object]) -> None:
        self._keep = keep
        self._write = write
        self._keeper: ScreenEncoder | None = None
        self._able = True
        self._seen: OrderedDict[int, tuple[tuple[int, int], Any]] = OrderedDict()
        self._by_digest: dict[str, int] = {}
        self._last: Event | None = None

    def write_screen(self, image: Any, event: Event) -> None:
        """Write a ``screen`` event with the new part of its picture. `image`: bytes, a Pillow image, or None for the
        same picture as before.
        """
        told = self._repeat_last_screen() if image is None else self._store_picture(image, int(str(event["id"])))
        if told is None:
            self._write({"k": "note", "t": event["t"], **build_no_picture_note(event)})
            return
        written: Event = {"k": "screen", "t": event["t"], **told, **event}
        self._last = {name: written[name] for name in ("w", "h", "why", "visible") if name in written}
        if "why" not in told:
            self._last["base"] = event["id"] if told.get("parts") else told["base"]
        self._write(written)

    def _repeat_last_screen(self) -> Event | None:
        """Return the fields of a screen with the same picture and visible boxes as the last one; None if there was
        none.
        """
        return None if self._last is None else dict(self._last)

    def _store_picture(self, image: Any, number: int) -> Event | None:
        digest = sha256(image).hexdigest() if isinstance(image, bytes) else ""
        if self._able:
            try:
                return self._store_changed_pixels(image, digest, number)
            except ImportError:
                self._able = False
        return self._store_png_unchanged(image)

    def _store_changed_pixels(self, image: Any, digest: str, number: int) -> Event | None:
        if self._keeper is None:
            self._keeper = create_screen_encoder(lambda content, mime: self._keep(content, mime)[0])
        known = self._by_digest.get(digest, 0)
        if known in self._seen:
            size = self._seen[known][0]
            return {"w": size[0], "h": size[1], "base": known}
        picture = decode_picture(image) if isinstance(image, bytes) else to_opaque_rgb(image)
        if picture is None or not _is_allowed_screen_size(*picture.size):
            return None
        print_ = compute_picture_fingerprint(picture)
        for other, (size, seen) in reversed(self._seen.items()):
            if print_ is not None and print_[0] == size and are_pictures_similar(print_[1], seen):
                return {"w": size[0], "h": size[1], "base": other}
        fields: Event | None = self._keeper.store_screen(number, picture)
        if fields is None:
            return {"w": picture.size[0], "h": picture.size[1], "why": "cap"}
        self._seen[number] = picture.size, print_[1] if print_ else None
        if digest:
            self._by_digest[digest] = number
        while len(self._seen) > KEPT:
            gone, _ = self._seen.popitem(last=False)
            self._by_digest = {key: each for key, each in self._by_digest.items() if each != gone}
        return fields

    def _store_png_unchanged(self, image: Any) -> Event | None:
        """Store a PNG unchanged, if Pillow and NumPy are not installed."""
        if not isinstance(image, bytes) or not image.startswith(_PNG) or len(image) < 24:
            return None
        w, h = (int.from_bytes(image[at : at + 4], "big") for at in (16, 20))
        if not _is_allowed_screen_size(w, h):
            return None
        body, why = self._keep(image, "image/png")
        if body is None:
            return {"w": w, "h": h, "why": why}
        return {"w": w, "h": h, "sheets": [body], "parts": [[0, 0, w, h, 0, 0, 0]]}


def _is_allowed_screen_size(w: int, h: int) -> bool:
    return 0 < w <= _SIDE and 0 < h <= _SIDE and w * h <= MOST_PIXELS
