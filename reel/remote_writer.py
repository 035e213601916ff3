"""Writes a reel for a remote store: first on this disk, and uploaded as a whole when it is closed.

A store shows an object only when its last byte has been written, and a writer that dies before loses everything. On the
disk a killed recording keeps everything but the last 250 ms, so each recording is written there first.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ..errors import PagereelError, ReelError, UsageError
from . import remote_stores
from .events import Event
from .writer import ReelWriter

SPOOL_VARIABLE: Final = "PAGEREEL_SPOOL"
"""Environment variable for the folder in which recordings for stores are written; by default a private one in the
folder for temporary files.
"""


class RemoteReelWriter(ReelWriter):
    """A :class:`ReelWriter` whose reel is uploaded to `url`, an address that fsspec knows, when it is closed.

    Until then the reel is at :attr:`path`, where it also stays if the upload fails; the next recorder or a person can
    upload it later. The constructor raises SetupError or UsageError if no installed package can access the store.
    """

    def __init__(self, url: str, header: Event, **options: Any) -> None:
        """`options`: as for :class:`ReelWriter`."""
        remote_stores.require_reachable_store(url)
        self.url = url
        super().__init__(get_spool_folder() / _build_spool_name(url), header, **options)

    def close(self, reason: str = "closed", *, at: float | None = None) -> None:
        """Seal the reel and upload it. Raises ReelError if that fails; then the reel stays on this disk."""
        before = self.closed
        super().close(reason, at=at)
        if before or os.getpid() != self._pid:
            return
        try:
            remote_stores.upload(self.path, self.url)
        except PagereelError as error:
            raise ReelError(f"{error} The complete recording is at {self.path}; copy it from there.") from None
        with suppress(OSError):
            self.path.unlink()


def open_reel_writer(path_or_url: str | os.PathLike[str], header: Event, **options: Any) -> ReelWriter:
    """Return the writer of a new reel at a path, or at an address that fsspec knows. `options`: as for :class:`ReelWriter`."""
    name = os.fspath(path_or_url)
    return (
        RemoteReelWriter(name, header, **options) if remote_stores.is_url(name) else ReelWriter(name, header, **options)
    )


def get_spool_folder() -> Path:
    """Return the local folder for recordings that are uploaded later; create it if it is missing."""
    named = os.environ.get(SPOOL_VARIABLE)
    user: int = getattr(os, "getuid", lambda: 0)()
    folder = Path(named) if named else Path(tempfile.gettempdir()) / f"pagereel-spool-{user}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not named and folder.stat().st_uid != user:
            raise UsageError(f"{folder} belongs to another user; name another folder with {SPOOL_VARIABLE}.")
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be made ({error.strerror}); name another folder with {SPOOL_VARIABLE}."
        ) from None
    return folder


def _build_spool_name(url: str) -> str:
    """Return a unique file name that shows the address to which the recording is to be uploaded."""
    name = url.rstrip("/").rpartition("/")[2].removesuffix(".reel") or "run"
    return f"{name[:80]}-{secrets.token_hex(6)}.reel"
