"""What has come of an answer that is under way: a page may leave it before its end, and it may have none.

Browsers give a body only when all of it is there. So those that may be broken off are told as they come, and this keeps what came,
and when. Runs on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_TOGETHER = 10.0
"""ms within which pieces count as one: a network cuts where it likes."""
_PACED = 100.0
"""ms from the first to the last piece from which on it is told when each came."""
_PIECES = 20_000
"""Pieces whose time is told; the last one has the rest."""


@dataclass(slots=True)
class Came:
    """The pieces of one answer."""

    before: bytes | None = None
    """What had come when the browser was asked for the bytes; None: it has not said so."""
    pieces: list[bytes] = field(default_factory=list)
    """What has come since."""
    kept: int = 0
    length: int = 0
    """Bytes that came in all, kept or not."""
    hole: bool = False
    """Some were lost on their way here."""
    chunks: list[tuple[float, int]] = field(default_factory=list)
    """Of each piece: when it came, ms, and how many bytes it has."""

    def add(self, t: float, offset: int, length: int, data: bytes, limit: int) -> None:
        """Take a piece that begins at the byte `offset`; `data` is empty where the browser does not tell it."""
        self.hole = self.hole or offset != self.length
        self.length = offset + length
        last = self.chunks[-1] if self.chunks else None
        if last is not None and (t - last[0] < _TOGETHER or len(self.chunks) >= _PIECES):
            self.chunks[-1] = (last[0], last[1] + length)
        elif length:
            self.chunks.append((t, length))
        self.kept += len(data)
        if self.kept <= limit:
            self.pieces.append(data)
        else:
            self.pieces.clear()

    def content(self, limit: int) -> tuple[bytes | None, str]:
        """Return all that came, or None and the reason."""
        if self.length > limit or self.kept > limit:
            return None, "cap"
        if self.hole:
            return None, "overload"
        content = (self.before or b"") + b"".join(self.pieces)
        return (content, "") if self.before is not None or not self.length else (None, "gone")

    def paced(self, whole: bool) -> list[tuple[float, int]]:
        """Return when each piece came; nothing of what is `whole` and came at once."""
        if self.hole or not self.chunks or (whole and self.chunks[-1][0] - self.chunks[0][0] < _PACED):
            return []
        return [(round(t, 1), length) for t, length in self.chunks]
