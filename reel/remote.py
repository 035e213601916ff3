"""A reel for a store: written to this disk as any other, and put to its place whole when it is closed.

A store shows an object when its last byte has been written, and a writer that dies before takes all of it along. On the
disk a killed recording keeps everything but the last 250 ms; so that is where a recording grows, wherever it will end.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..errors import PagereelError, ReelError, UsageError
from . import stores
from .events import Event
from .writer import ReelWriter

SPOOL_VARIABLE: Final = "PAGEREEL_SPOOL"
"""The folder in which recordings for stores grow; else one in the folder for temporary files, for this user alone."""


class RemoteReelWriter(ReelWriter):
    """A :class:`ReelWriter` whose reel ends at `url`, an address that fsspec knows.

    Until then it lies at :attr:`path`, where it also stays when the store does not take it; the next recorder or a
    person can put it there later. Raises SetupError or UsageError at once when nothing here can reach such an address.
    """

    def __init__(self, url: str, header: Event, **options: Any) -> None:
        """`options`: as for :class:`ReelWriter`."""
        stores.check(url)
        self.url = url
        super().__init__(spool_folder() / _spool_name(url), header, **options)

    def close(self, reason: str = "closed", *, at: float | None = None) -> None:
        """Seal the reel and put it to its place. Raises ReelError when that fails; the reel is on this disk then."""
        before = self.closed
        super().close(reason, at=at)
        if before or os.getpid() != self._pid:
            return
        try:
            stores.store(self.path, self.url)
        except PagereelError as error:
            raise ReelError(f"{error} The recording is whole and lies at {self.path}; copy it from there.") from None
        with suppress(OSError):
            self.path.unlink()


def writer_for(place: str | os.PathLike[str], header: Event, **options: Any) -> ReelWriter:
    """Return the writer of a new reel at a path, or at an address that fsspec knows. `options`: as for :class:`ReelWriter`."""
    name = os.fspath(place)
    return RemoteReelWriter(name, header, **options) if stores.is_url(name) else ReelWriter(name, header, **options)


def spool_folder() -> Path:
    """Return the folder in which recordings for stores grow, made when it is not there."""
    named = os.environ.get(SPOOL_VARIABLE)
    user: int = getattr(os, "getuid", lambda: 0)()
    folder = Path(named) if named else Path(tempfile.gettempdir()) / f"pagereel-spool-{user}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not named and folder.stat().st_uid != user:
            raise UsageError(f"{folder} belongs to somebody else; name another folder with {SPOOL_VARIABLE}.")
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be made ({error.strerror}); name another folder with {SPOOL_VARIABLE}."
        ) from None
    return folder


def _spool_name(url: str) -> str:
    """Return a name that tells a person what it was to become, and that no other recording has."""
    name = url.rstrip("/").rpartition("/")[2].removesuffix(".reel") or "run"
    return f"{name[:80]}-{secrets.token_hex(6)}.reel"
