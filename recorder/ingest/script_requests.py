"""Requests from the writer thread to a page and from a page to the recorder: their types, checks and rate limits (rations).

Over the binding transport the page can forge every message, so no request from it is fulfilled. A gap in the numbers of
its messages, which the page can cause too, makes the page serialize its document again, but no more often than the
ration allows. Over CDP messages come from the injector, and rations only limit a page that causes requests all the
time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

# -- from the recorder to a page -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakeSnapshotCommand:
    """Tells the injector to send a new snapshot of the whole document, because the page model missed something."""

    lines: bool = False
    """Send the document's canonical lines first, so that the difference can be named."""


@dataclass(frozen=True, slots=True)
class PassClosedRootsCommand:
    """Tells the transport to pass closed shadow roots, which only CDP shows, to the injector."""

    everywhere: bool = False
    """Search the whole document, not only the hosts that the injector named."""


@dataclass(frozen=True, slots=True)
class TakeViewportPictureCommand:
    """Tells the transport to take a picture of the viewport, from which the injector cuts out the canvases that no
    script may read.
    """


@dataclass(frozen=True, slots=True)
class FindValidationBubbleCommand:
    """Tells the transport to detect whether the browser shows a validation bubble, its own message beside an invalid
    field.
    """


@dataclass(frozen=True, slots=True)
class TakeCheckpointPictureCommand:
    """Tells the transport to take a picture of the page at the checkpoint with the message number `n`, whose time is
    `t` (ms).
    """

    n: int
    t: float


@dataclass(frozen=True, slots=True)
class ReadBlobCommand:
    """Tells the injector to send the bytes of a blob: URL."""

    url: str


@dataclass(frozen=True, slots=True)
class SetLoadedFontsCommand:
    """Tells the injector which fonts its document has loaded, as JSON."""

    fonts: str


ScriptCommand = (
    TakeSnapshotCommand
    | PassClosedRootsCommand
    | TakeViewportPictureCommand
    | FindValidationBubbleCommand
    | TakeCheckpointPictureCommand
    | ReadBlobCommand
    | SetLoadedFontsCommand
)


# -- from the injector to the recorder
# -------------------------------------------------------------------------------------------


class _ScriptRequest(Struct, tag_field="k"):
    pass


class BlobRequest(_ScriptRequest, tag="wanted"):
    """A message of the injector: the page shows a blob: URL whose bytes are not recorded yet."""

    url: Annotated[str, Meta(max_length=4096, pattern="^blob:")]
    medium: bool = False
    """The URL is of a film or sound, which only a script can put together."""


class PictureRequest(_ScriptRequest, tag="shoot"):
    """A message of the injector: a canvas that it may not read has changed."""


class ValidationBubbleRequest(_ScriptRequest, tag="bubble"):
    """A message of the injector: the browser may show a validation bubble beside an invalid field."""


class FontsRequest(_ScriptRequest, tag="fonts"):
    """A message of the injector: the document uses fonts whose files it cannot know."""


class ClosedRootsRequest(_ScriptRequest, tag="hosts"):
    """A message of the injector: there may be closed shadow roots."""

    all: bool = False


ScriptRequest = BlobRequest | PictureRequest | ValidationBubbleRequest | FontsRequest | ClosedRootsRequest
SCRIPT_REQUESTS: Final = frozenset({"wanted", "shoot", "bubble", "fonts", "hosts"})


def parse_script_request(event: dict[str, Any]) -> ScriptRequest | None:
    """Return the request in a message of the injector; None if it has none."""
    try:
        return msgspec.convert(event, ScriptRequest)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return None


# -- rations ---------------------------------------------------------------------------------------------------------------

_RATIONS: Final[dict[type, tuple[int, float]]] = {
    TakeSnapshotCommand: (10, 1.0),
    PassClosedRootsCommand: (200, 40.0),
    TakeViewportPictureCommand: (100, 20.0),
    FindValidationBubbleCommand: (10, 1.0),
    ReadBlobCommand: (500, 50.0),
    SetLoadedFontsCommand: (200, 40.0),
    TakeCheckpointPictureCommand: (200, 20.0),
}
"""Request → how many are allowed at once, and then how many a second, in one document."""


class CommandRations:
    """Limits how often each kind of request is sent to one document. Times are in ms on the recording's clock."""

    __slots__ = ("_left", "_said", "_since")

    def __init__(self) -> None:
        self._left: dict[type, float] = {}
        self._since: dict[type, float] = {}
        self._said: set[type] = set()

    def take_from_ration(self, command: ScriptCommand, now: float) -> Literal["yes", "first no", "no"]:
        """Return ``yes`` if a request may be sent at `now` (ms), and count it; ``first no`` for the first refusal of
        its kind, of which the caller writes a gap event; ``no`` for later refusals.
        """
        kind = type(command)
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
