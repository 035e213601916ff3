"""Opens a reel file, or reads the header of one that is still being written."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ..errors import ReelError
from . import zstd_frames
from .encrypted_file import ENCRYPTED_MAGIC, EncryptedZstdFrameContainer, list_recipient_keys, open_encrypted_file
from .events import Event
from .keys import Key
from .reader import Reel, parse_event


def open_reel(path: str | os.PathLike[str], key: Key | None = None, *, purpose: str = "reel") -> Reel:
    """Open a reel and check its chain of hashes.

    A reel that was never closed opens with ``sealed`` false; a damaged one opens with ``damage`` set, and gives the
    events before the damage. An encrypted one is opened with `key`, else with the key of :func:`using_key`, else with
    the environment's. `purpose`: the purpose that an encrypted file must state.

    Raises FutureFormatError for a reel of a newer pagereel, LockedError for an encrypted one without its key, ReelError
    for a file that is no reel.
    """
    path = Path(path)
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise ReelError(f"{path} does not exist; check the path.") from None
    except OSError as error:
        raise ReelError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        status = os.fstat(file)
        if stat.S_ISDIR(status.st_mode):
            raise ReelError(f"{path} is a folder; give the path of a recording, for example {path / 'run.reel'}.")
        if not stat.S_ISREG(status.st_mode):
            raise ReelError(f"{path} is not a file; give the path of a recording (*.reel).")
        if status.st_size == 0:
            raise ReelError(f"{path} is empty: no recording was written to it; record again.")
        head = os.pread(file, 512, 0)
        box: EncryptedZstdFrameContainer | None = None
        readers: tuple[Key, ...] = ()
        if head.startswith(ENCRYPTED_MAGIC):
            box, about = open_encrypted_file(path, lambda at, size: os.pread(file, size, at), key, purpose)
            own = (box.key,) if box.key is not None else ()
            known = {k.fingerprint for k in own}
            readers = (*own, *(k for k in list_recipient_keys(about) if k.fingerprint not in known))
        elif not head.startswith(zstd_frames.ZSTD_MAGIC):
            raise ReelError(_describe_wrong_file(path, head))
    except BaseException:
        os.close(file)
        raise
    reel = Reel(path, file, box, readers)  # the reel owns the file from here on
    if not reel.header:
        reason = reel.damage.reason if reel.damage else "it has no header"
        reel.close()
        raise ReelError(f"{path} is not a reel, or its beginning is lost ({reason}); nothing can be read from it.")
    return reel


def read_unfinished_header(path: str | os.PathLike[str]) -> Event | None:
    """Return the header of a reel that has no end yet; None if it has one. Only the first frame and the last bytes of a
    plain reel are read.

    Raises the errors of :func:`open_reel`.
    """
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        head = file.read(len(zstd_frames.ZSTD_MAGIC))
        file.seek(max(0, size - _TAIL))
        ended = _END in file.read()
    if head == zstd_frames.ZSTD_MAGIC and ended:
        return None
    if head != zstd_frames.ZSTD_MAGIC:
        with open_reel(path) as reel:
            return None if reel.sealed else reel.header
    with Path(path).open("rb") as file:
        try:
            reach = zstd_frames.find_zstd_frame_extent(lambda at, count: os.pread(file.fileno(), count, at), 0, size)
            lines = zstd_frames.decompress_frame(file.read(reach.length), reach.bound).split(b"\n")
        except zstd_frames.UnreadableZstdFrameError as error:
            raise ReelError(f"{path} is not a reel, or its beginning is lost ({error}).") from None
    header = parse_event(lines[1]) if len(lines) > 1 else None
    return header if header is not None and header.get("k") == "reel" else None


_TAIL: Final = 512


_END: Final = b'{"k":"end"'
"""The beginning of the last line, which is stored uncompressed (:data:`~pagereel.reel.zstd_frames.STORED_LEVEL`)."""


def _describe_wrong_file(path: Path, head: bytes) -> str:
    text = head.lstrip().lower()
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        return (
            f"{path} is an HTML page, not a reel; give a recording (*.reel), "
            "or make one of a replay with pagereel import."
        )
    if text.startswith(b"pk\x03\x04"):
        return f"{path} is a zip archive, not a reel; give a recording (*.reel), or make one of a trace with pagereel import."
    return f"{path} is not a reel; give a recording (*.reel) made by pagereel."
