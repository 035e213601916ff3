"""What the writer thread asks of a page, and what a page may ask the recorder to do: types, checked and rationed before anything is done.

Over the binding transport every message may be forged by the page, so nothing is done there on a page's word; a hole in
the numbers of its messages, which it can make too, has it serialized anew no more often than the ration says. Over CDP
the words are those of our own script, and rations only keep a page that makes it ask all the time from being a burden.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

# -- from the recorder to a page -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the whole document, anew: the model missed something."""

    lines: bool = False
    """First the document's canonical lines, so that the difference can be named."""


@dataclass(frozen=True, slots=True)
class ClosedRoots:
    """Closed shadow roots, which only the browser's protocol shows."""

    everywhere: bool = False
    """Those of the whole document, not only of the hosts that the script named."""


@dataclass(frozen=True, slots=True)
class ViewportPicture:
    """What the viewport shows, for the script to cut out canvases that it may not read."""


@dataclass(frozen=True, slots=True)
class FindBubble:
    """Whether the browser shows a message of its own beside an invalid field."""


@dataclass(frozen=True, slots=True)
class CheckpointPicture:
    """What the page shows at the checkpoint with the message number `n`, at `t` ms."""

    n: int
    t: float


@dataclass(frozen=True, slots=True)
class ReadBlob:
    """The bytes of a blob: URL."""

    url: str


@dataclass(frozen=True, slots=True)
class SetLoadedFonts:
    """Tells the script which fonts its document has loaded, as JSON."""

    fonts: str


Request = Snapshot | ClosedRoots | ViewportPicture | FindBubble | CheckpointPicture | ReadBlob | SetLoadedFonts


# -- from our script to the recorder -------------------------------------------------------------------------------------------


class _ScriptRequest(Struct, tag_field="k"):
    pass


class BlobRequest(_ScriptRequest, tag="wanted"):
    """A page shows the blob: URL whose bytes nobody has."""

    url: Annotated[str, Meta(max_length=4096, pattern="^blob:")]
    medium: bool = False
    """It is a film's or sound's, which only a script can put together."""


class PictureRequest(_ScriptRequest, tag="shoot"):
    """A canvas that the script may not read has changed."""


class BubbleRequest(_ScriptRequest, tag="bubble"):
    """The browser may show a message of its own beside an invalid field."""


class FontsRequest(_ScriptRequest, tag="fonts"):
    """The document uses fonts whose files the script cannot know."""


class RootsRequest(_ScriptRequest, tag="hosts"):
    """There may be closed shadow roots."""

    all: bool = False


ScriptRequest = BlobRequest | PictureRequest | BubbleRequest | FontsRequest | RootsRequest
SCRIPT_REQUESTS: Final = frozenset({"wanted", "shoot", "bubble", "fonts", "hosts"})


def script_request(event: dict[str, Any]) -> ScriptRequest | None:
    """Return what a message of the script asks for; None where it is no request of ours."""
    try:
        return msgspec.convert(event, ScriptRequest)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return None


# -- rations ---------------------------------------------------------------------------------------------------------------

_RATIONS: Final[dict[type, tuple[int, float]]] = {
    Snapshot: (10, 1.0),
    ClosedRoots: (200, 40.0),
    ViewportPicture: (100, 20.0),
    FindBubble: (10, 1.0),
    ReadBlob: (500, 50.0),
    SetLoadedFonts: (200, 40.0),
    CheckpointPicture: (200, 20.0),
}
"""For each request: how many at once, and how many a second from then on, in one document."""


class Rations:
    """One document's. Times in ms on the recording's clock."""

    __slots__ = ("_left", "_said", "_since")

    def __init__(self) -> None:
        self._left: dict[type, float] = {}
        self._since: dict[type, float] = {}
        self._said: set[type] = set()

    def allow(self, request: Request, now: float) -> Literal["yes", "first no", "no"]:
        """Return whether a request may be made now. The first one of a kind that may not is told apart, to be said once."""
        kind = type(request)
        most, each_second = _RATIONS[kind]
        before = self._left.get(kind, float(most))
        left = min(float(most), before + max(0.0, now - self._since.get(kind, now)) / 1000 * each_second)
        self._since[kind] = now
        if left >= 1:
            self._left[kind] = left - 1
            return "yes"
        self._left[kind] = left
        if kind in self._said:
            return "no"
        self._said.add(kind)
        return "first no"
