"""Collects the received bytes of an unfinished response: a page may be left before the response ends, or it may never end.

Browsers give a body only when it is complete. So responses that may be aborted are reported piece by piece, and the
pieces and their times are kept here. Runs on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_SAME_PIECE_MS = 10.0
"""Ms within which pieces count as one, because a network splits data anywhere."""
_PACED = 100.0
"""Smallest time in ms between the first and last piece at which the time of each piece is recorded."""
_PIECES = 20_000
"""Largest number of pieces with a time; the last one includes the rest."""


@dataclass(slots=True)
class ReceivedBody:
    """The received pieces of one response."""

    before: bytes | None = None
    """Bytes that had arrived when the browser was asked for them; None: the answer has not come."""
    pieces: list[bytes] = field(default_factory=list)
    """Bytes that have arrived since."""
    kept: int = 0
    length: int = 0
    """Number of bytes that arrived in all, kept or not."""
    hole: bool = False
    """Some bytes were lost on the way to the recorder."""
    chunks: list[tuple[float, int]] = field(default_factory=list)
    """For each piece: when it arrived, in ms, and its number of bytes."""

    def add_piece(self, t: float, offset: int, length: int, data: bytes, limit: int) -> None:
        """Add a piece that begins at the byte `offset`; `data` is empty if the browser leaves it out."""
        self.hole = self.hole or offset != self.length
        self.length = offset + length
        last = self.chunks[-1] if self.chunks else None
        if last is not None and (t - last[0] < _SAME_PIECE_MS or len(self.chunks) >= _PIECES):
            self.chunks[-1] = (last[0], last[1] + length)
        elif length:
            self.chunks.append((t, length))
        self.kept += len(data)
        if self.kept <= limit:
            self.pieces.append(data)
        else:
            self.pieces.clear()

    def join_content(self, limit: int) -> tuple[bytes | None, str]:
        """Return all received bytes, at most `limit`; or None and the reason why they are not stored."""
        if self.length > limit or self.kept > limit:
            return None, "cap"
        if self.hole:
            return None, "overload"
        content = (self.before or b"") + b"".join(self.pieces)
        return (content, "") if self.before is not None or not self.length else (None, "gone")

    def list_arrival_times(self, whole: bool) -> list[tuple[float, int]]:
        """Return when each piece arrived; an empty list for a `whole` response that arrived at once."""
        if self.hole or not self.chunks or (whole and self.chunks[-1][0] - self.chunks[0][0] < _PACED):
            return []
        return [(round(t, 1), length) for t, length in self.chunks]
